// table.c - y over u by points: straight between them, and beyond.
#include "control/block/kinds.h"

typedef struct {
  LIM_LIST(double) x, y;
} keys;

static const lim_key own[] = {
    {"x", &lim_numbers, offsetof(keys, x), "inputs of a table, rising", .unit = ""},
    {"y", &lim_numbers, offsetof(keys, y), "its outputs; straight between them and beyond", .unit = ""},
    {0}};

static void check_points(lim_resolver *v, const lim_block *b) {
  const keys *k = b->own;
  if (k->x.count != k->y.count || k->x.count < 2)
    lim_resolve_error(v, &b->head, k->x.count ? "x" : "y",
                      "x has %d numbers and y has %d, must be as many, at least 2", k->x.count, k->y.count);
  for (int i = 1; i < k->x.count; i++)
    if (!(k->x.item[i] > k->x.item[i - 1])) {
      lim_resolve_error(v, &b->head, "x", "x must rise, but %g follows %g", k->x.item[i], k->x.item[i - 1]);
      return;
    }
}

static void check(lim_resolver *v, const void *block) {
  const lim_block *b = block;
  const keys *k = b->own;
  const bool lists = k->x.count || k->y.count;
  lim_block_one_input(v, block);
  if (lists == (b->file != NULL))
    lim_resolve_error(v, &b->head, b->file ? "file" : NULL, "a table has 'x' and 'y', or a 'file'%s",
                      b->file ? ", not both" : "");
  else if (lists)
    check_points(v, b);
}

static lim_code prepare(lim_block_instance *b, const lim_block_setup *s, lim_error *err) {
  if (s->wiring) return LIM_OK;
  const keys *k = b->from->own;
  if (!b->from->file) return lim_curve_through(&b->curve, k->x.item, k->y.item, k->x.count, err);
  const lim_law law = {.head = b->from->head, .table = b->from->file};
  return lim_curve_new(&b->curve, &law, s->directory, err);
}

static double output(const lim_block_instance *b, double t, bool before, const double *u, const double *x,
                     const double *z) {
  (void)t, (void)before, (void)x, (void)z;
  return lim_curve_at(b->curve, u[0]).value;
}

const lim_block_kind lim_block_table = {.row = {.word = "table",
                                                .help = "a curve through points",
                                                .takes = "input file",
                                                .needs = "input",
                                                .own = own,
                                                .size = sizeof(keys),
                                                .check = check},
                                        .prepare = prepare,
                                        .output = output};

// table.c - y over u by points: straight between them, and beyond.
#include "control/kinds.h"

static lim_code prepare(lim_box *b, const lim_box_setup *s, lim_error *err) {
  if (s->wiring) return LIM_OK;
  const lim_block *from = b->from;
  if (!from->file) return lim_curve_through(&b->curve, from->x.item, from->y.item, from->x.count, err);
  const lim_law law = {.head = from->head, .table = from->file};
  return lim_curve_new(&b->curve, &law, s->directory, err);
}

static double output(const lim_box *b, double t, bool before, const double *u, const double *x,
                     const double *z) {
  (void)t, (void)before, (void)x, (void)z;
  return lim_curve_at(b->curve, u[0]).value;
}

const lim_block_kind lim_block_table = {.name = "table", .prepare = prepare, .output = output};

// block_saturation.c - a block for the test of kinds: y = limit tanh(u/limit), with a key and a check of its
// own.
#include "control/block/kinds.h"

#include <math.h>

typedef struct {
  double limit;
} keys;

static const lim_key own[] = {
    {"limit", &lim_number, offsetof(keys, limit), "what the output never reaches", .unit = "", .need = "*"},
    {0}};

static void check(lim_resolver *v, const void *block) {
  const lim_block *b = block;
  const keys *k = b->own;
  lim_block_one_input(v, block);
  if (!(k->limit > 0)) lim_resolve_error(v, &b->head, "limit", "limit is %g, must be positive", k->limit);
}

static double output(const lim_block_instance *b, double t, bool before, const double *u, const double *x,
                     const double *z) {
  (void)t, (void)before, (void)x, (void)z;
  const keys *k = b->from->own;
  return k->limit * tanh(u[0] / k->limit);
}

const lim_block_kind lim_block_saturation = {.row = {.word = "saturation",
                                                     .help = "limit tanh(input/limit)",
                                                     .takes = "input",
                                                     .needs = "input",
                                                     .own = own,
                                                     .size = sizeof(keys),
                                                     .check = check},
                                             .output = output};

// sum.c - y = sum of weights x inputs.
#include "control/block/kinds.h"

typedef struct {
  LIM_LIST(double) weights; // none: 1
} keys;

static const lim_key own[] = {{"weights", &lim_numbers, offsetof(keys, weights),
                               "factors of the inputs of a sum (default: 1)", .unit = ""},
                              {0}};

static void check(lim_resolver *v, const void *block) {
  const lim_block *b = block;
  const keys *k = b->own;
  if (k->weights.count && k->weights.count != b->inputs.count)
    lim_resolve_error(v, &b->head, "weights",
                      "weights has %d numbers, must have as many as input, which has %d", k->weights.count,
                      b->inputs.count);
}

static double output(const lim_block_instance *b, double t, bool before, const double *u, const double *x,
                     const double *z) {
  (void)t, (void)before, (void)x, (void)z;
  const keys *k = b->from->own;
  double sum = 0;
  for (int i = 0; i < b->nin; i++) sum += (k->weights.count ? k->weights.item[i] : 1) * u[i];
  return sum;
}

const lim_block_kind lim_block_sum = {.row = {.word = "sum",
                                              .help = "sum of weights x inputs",
                                              .takes = "input",
                                              .needs = "input",
                                              .own = own,
                                              .size = sizeof(keys),
                                              .check = check},
                                      .linear = true,
                                      .output = output};

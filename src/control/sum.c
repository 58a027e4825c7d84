// sum.c - y = sum of weights x inputs.
#include "control/kinds.h"

static double output(const lim_box *b, double t, bool before, const double *u, const double *x,
                     const double *z) {
  (void)t, (void)before, (void)x, (void)z;
  double sum = 0;
  for (int i = 0; i < b->nin; i++) sum += (b->from->weights.count ? b->from->weights.item[i] : 1) * u[i];
  return sum;
}

const lim_block_kind lim_block_sum = {.name = "sum", .linear = true, .output = output};

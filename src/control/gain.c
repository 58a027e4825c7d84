// gain.c - y = gain u.
#include "control/kinds.h"

static double output(const lim_box *b, double t, bool before, const double *u, const double *x,
                     const double *z) {
  (void)t, (void)before, (void)x, (void)z;
  return b->from->gain * u[0];
}

const lim_block_kind lim_block_gain = {.name = "gain", .linear = true, .output = output};

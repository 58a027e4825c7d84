// limiter.c - y = u, but no less than limits[0] and no more than limits[1].
#include "control/block/kinds.h"

#include <math.h>

static double output(const lim_block_instance *b, double t, bool before, const double *u, const double *x,
                     const double *z) {
  (void)t, (void)before, (void)x, (void)z;
  return fmin(fmax(u[0], b->from->limits[0]), b->from->limits[1]);
}

const lim_block_kind lim_block_limiter = {.row = {.word = "limiter",
                                                  .help = "the input, within limits",
                                                  .takes = "input limits",
                                                  .needs = "input limits",
                                                  .check = lim_block_limits},
                                          .output = output};

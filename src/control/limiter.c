// limiter.c - y = u, but no less than limits[0] and no more than limits[1].
#include "control/kinds.h"

#include <math.h>

static double output(const lim_box *b, double t, bool before, const double *u, const double *x,
                     const double *z) {
  (void)t, (void)before, (void)x, (void)z;
  return fmin(fmax(u[0], b->from->limits[0]), b->from->limits[1]);
}

const lim_block_kind lim_block_limiter = {.name = "limiter", .output = output};

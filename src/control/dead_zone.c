// dead_zone.c - y = 0 for inputs between the limits, beyond them what is beyond.
#include "control/kinds.h"

#include <math.h>

static double output(const lim_box *b, double t, bool before, const double *u, const double *x,
                     const double *z) {
  (void)t, (void)before, (void)x, (void)z;
  return u[0] - fmin(fmax(u[0], b->from->limits[0]), b->from->limits[1]);
}

const lim_block_kind lim_block_dead_zone = {.name = "dead-zone", .output = output};

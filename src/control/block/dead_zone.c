// dead_zone.c - y = 0 for inputs between the limits, beyond them what is beyond.
#include "control/block/kinds.h"

#include <math.h>

static double output(const lim_block_instance *b, double t, bool before, const double *u, const double *x,
                     const double *z) {
  (void)t, (void)before, (void)x, (void)z;
  return u[0] - fmin(fmax(u[0], b->from->limits[0]), b->from->limits[1]);
}

const lim_block_kind lim_block_dead_zone = {.row = {.word = "dead-zone",
                                                    .help = "0 between limits, beyond them what is beyond",
                                                    .takes = "input limits",
                                                    .needs = "input limits",
                                                    .check = lim_block_limits},
                                            .output = output};

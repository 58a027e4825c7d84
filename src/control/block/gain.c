// gain.c - y = gain u.
#include "control/block/kinds.h"

static double output(const lim_block_instance *b, double t, bool before, const double *u, const double *x,
                     const double *z) {
  (void)t, (void)before, (void)x, (void)z;
  return b->from->gain * u[0];
}

const lim_block_kind lim_block_gain = {.row = {.word = "gain",
                                               .help = "gain x input",
                                               .takes = "input gain",
                                               .needs = "input",
                                               .check = lim_block_one_input},
                                       .linear = true,
                                       .output = output};

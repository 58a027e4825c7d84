// sample_hold.c - the input at the last tick of its clock.
#include "control/block/kinds.h"

static lim_code prepare(lim_block_instance *b, const lim_block_setup *s, lim_error *err) {
  (void)s, (void)err;
  b->nz = 1;
  return LIM_OK;
}

static void tick(double *z, const lim_block_instance *b, long k, const double *u) {
  (void)b, (void)k;
  z[0] = u[0];
}

const lim_block_kind lim_block_sample_hold = {.row = {.word = "sample-hold",
                                                      .help = "the input at ticks of a clock, held in between",
                                                      .takes = "input rate",
                                                      .needs = "input rate",
                                                      .check = lim_block_one_input},
                                              .linear = true,
                                              .prepare = prepare,
                                              .output = lim_block_held,
                                              .tick = tick};

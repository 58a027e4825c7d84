// noise.c - a number of a normal distribution at every tick, held in between: white up to half the rate.
#include "control/block/kinds.h"

static lim_code prepare(lim_block_instance *b, const lim_block_setup *s, lim_error *err) {
  (void)s, (void)err;
  b->nz = 1;
  return LIM_OK;
}

static void tick(double *z, const lim_block_instance *b, long k, const double *u) {
  (void)u;
  z[0] = b->from->deviation * lim_normal(b->from->seed, k);
}

const lim_block_kind lim_block_noise = {.row = {.word = "noise",
                                                .help = "numbers of a normal distribution, held between ticks",
                                                .takes = "rate deviation seed",
                                                .needs = "rate deviation"},
                                        .linear = true,
                                        .prepare = prepare,
                                        .output = lim_block_held,
                                        .tick = tick};

// sample_hold.c - the input at the last tick of its clock.
#include "control/kinds.h"

static lim_code prepare(lim_box *b, const lim_box_setup *s, lim_error *err) {
  (void)s, (void)err;
  b->nz = 1;
  return LIM_OK;
}

static void tick(double *z, const lim_box *b, long k, const double *u) {
  (void)b, (void)k;
  z[0] = u[0];
}

const lim_block_kind lim_block_sample_hold = {
    .name = "sample-hold", .linear = true, .prepare = prepare, .output = lim_box_held, .tick = tick};

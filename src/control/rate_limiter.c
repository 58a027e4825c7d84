// rate_limiter.c - follows its input at the ticks of its clock, by at most limit/rate at each.
#include "control/kinds.h"

#include <math.h>

static lim_code prepare(lim_box *b, const lim_box_setup *s, lim_error *err) {
  (void)s, (void)err;
  b->nz = 1;
  return LIM_OK;
}

static void start(double *x, double *z, const lim_box *b) {
  (void)x;
  z[0] = b->from->initial;
}

static void tick(double *z, const lim_box *b, long k, const double *u) {
  const double most = b->from->limit * b->period;
  if (k > 0) z[0] += fmin(fmax(u[0] - z[0], -most), most);
}

const lim_block_kind lim_block_rate_limiter = {
    .name = "rate-limiter", .prepare = prepare, .start = start, .output = lim_box_held, .tick = tick};

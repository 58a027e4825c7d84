// delay.c - the input at the ticks of its clock, each held for a period, `delay` later.
#include "control/kinds.h"

#include <math.h>

// Parts of a period below this are rounding.
static const double WHOLE = 1e-6;

static lim_code prepare(lim_box *b, const lim_box_setup *s, lim_error *err) {
  (void)s, (void)err;
  const double ticks = b->from->delay / b->period;
  b->whole = (int)floor(ticks + WHOLE);
  b->shift = ticks - b->whole > WHOLE ? b->from->delay - b->whole * b->period : 0;
  b->direct = b->whole == 0 && b->shift == 0;
  b->nz = 2 + b->whole;
  return LIM_OK;
}

static void start(double *x, double *z, const lim_box *b) {
  (void)x;
  z[0] = b->from->initial;
}

static void store(double *z, const lim_box *b, long k, const double *u) {
  lim_queue_store(z, b->whole, k, u[0]);
}

static void release(double *z, const lim_box *b, long k) { lim_queue_release(z, b->whole, k); }

static void tick(double *z, const lim_box *b, long k, const double *u) { // without a delay
  (void)b, (void)k;
  z[0] = u[0];
}

const lim_block_kind lim_block_delay = {.name = "delay",
                                        .linear = true,
                                        .prepare = prepare,
                                        .start = start,
                                        .output = lim_box_held,
                                        .tick = tick,
                                        .store = store,
                                        .release = release};

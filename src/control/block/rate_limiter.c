// rate_limiter.c - follows its input at the ticks of its clock, by at most limit/rate at each.
#include "control/block/kinds.h"

#include <math.h>

typedef struct {
  double limit;
} keys;

static const lim_key own[] = {{"limit", &lim_number, offsetof(keys, limit),
                               "largest change of the output per second", .unit = "", .range = "> 0",
                               .need = "*"},
                              {0}};

static lim_code prepare(lim_block_instance *b, const lim_block_setup *s, lim_error *err) {
  (void)s, (void)err;
  b->nz = 1;
  return LIM_OK;
}

static void start(double *x, double *z, const lim_block_instance *b) {
  (void)x;
  z[0] = b->from->initial;
}

static void tick(double *z, const lim_block_instance *b, long k, const double *u) {
  const keys *keyed = b->from->own;
  const double max = keyed->limit * b->period;
  if (k > 0) z[0] += fmin(fmax(u[0] - z[0], -max), max);
}

const lim_block_kind lim_block_rate_limiter = {.row = {.word = "rate-limiter",
                                                       .help = "follows the input no faster than limit",
                                                       .takes = "input rate initial",
                                                       .needs = "input rate",
                                                       .own = own,
                                                       .size = sizeof(keys),
                                                       .check = lim_block_one_input},
                                               .prepare = prepare,
                                               .start = start,
                                               .output = lim_block_held,
                                               .tick = tick};

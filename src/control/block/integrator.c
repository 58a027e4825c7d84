// integrator.c - y' = gain u.
#include "control/block/kinds.h"

static lim_code prepare(lim_block_instance *b, const lim_block_setup *s, lim_error *err) {
  (void)s, (void)err;
  b->nx = 1;
  b->direct = false;
  return LIM_OK;
}

static void start(double *x, double *z, const lim_block_instance *b) {
  (void)z;
  x[0] = b->from->initial;
}

static double output(const lim_block_instance *b, double t, bool before, const double *u, const double *x,
                     const double *z) {
  (void)b, (void)t, (void)before, (void)u, (void)z;
  return x[0];
}

static void rates(double *rate, const lim_block_instance *b, const double *u, const double *x) {
  (void)x;
  rate[0] = b->from->gain * u[0];
}

const lim_block_kind lim_block_integrator = {.row = {.word = "integrator",
                                                     .help = "integral of gain x input",
                                                     .takes = "input gain initial",
                                                     .needs = "input",
                                                     .check = lim_block_one_input},
                                             .linear = true,
                                             .prepare = prepare,
                                             .start = start,
                                             .output = output,
                                             .rates = rates};

// integrator.c - y' = gain u.
#include "control/kinds.h"

static lim_code prepare(lim_box *b, const lim_box_setup *s, lim_error *err) {
  (void)s, (void)err;
  b->nx = 1;
  b->direct = false;
  return LIM_OK;
}

static void start(double *x, double *z, const lim_box *b) {
  (void)z;
  x[0] = b->from->initial;
}

static double output(const lim_box *b, double t, bool before, const double *u, const double *x,
                     const double *z) {
  (void)b, (void)t, (void)before, (void)u, (void)z;
  return x[0];
}

static void rates(double *rate, const lim_box *b, const double *u, const double *x) {
  (void)x;
  rate[0] = b->from->gain * u[0];
}

const lim_block_kind lim_block_integrator = {
    .name = "integrator", .linear = true, .prepare = prepare, .start = start, .output = output, .rates = rates};

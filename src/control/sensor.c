// sensor.c - the input at the ticks of its clock, with noise, rounded to a resolution.
#include "control/kinds.h"

#include <math.h>

static lim_code prepare(lim_box *b, const lim_box_setup *s, lim_error *err) {
  (void)s, (void)err;
  b->nz = 1;
  return LIM_OK;
}

static void tick(double *z, const lim_box *b, long k, const double *u) {
  const lim_block *from = b->from;
  const double y = u[0] + (from->deviation > 0 ? from->deviation * lim_normal(from->seed, k) : 0);
  z[0] = from->resolution > 0 ? from->resolution * round(y / from->resolution) : y;
}

const lim_block_kind lim_block_sensor = {
    .name = "sensor", .prepare = prepare, .output = lim_box_held, .tick = tick};

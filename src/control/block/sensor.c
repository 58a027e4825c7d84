// sensor.c - the input at the ticks of its clock, with noise, rounded to a resolution.
#include "control/block/kinds.h"

#include <math.h>

typedef struct {
  double resolution; // NaN: exact
} keys;

static const lim_key own[] = {{"resolution", &lim_number, offsetof(keys, resolution),
                               "step to which samples are rounded (default: exact)", .unit = "",
                               .range = "> 0"},
                              {0}};

static lim_code prepare(lim_block_instance *b, const lim_block_setup *s, lim_error *err) {
  (void)s, (void)err;
  b->nz = 1;
  return LIM_OK;
}

static void tick(double *z, const lim_block_instance *b, long k, const double *u) {
  const lim_block *from = b->from;
  const keys *keyed = from->own;
  const double resolution = keyed->resolution;
  const double y = u[0] + (from->deviation > 0 ? from->deviation * lim_normal(from->seed, k) : 0);
  z[0] = resolution > 0 ? resolution * round(y / resolution) : y;
}

const lim_block_kind lim_block_sensor = {.row = {.word = "sensor",
                                                 .help = "the input at ticks of a clock, with noise, rounded",
                                                 .takes = "input rate deviation seed",
                                                 .needs = "input rate",
                                                 .own = own,
                                                 .size = sizeof(keys),
                                                 .check = lim_block_one_input},
                                         .prepare = prepare,
                                         .output = lim_block_held,
                                         .tick = tick};

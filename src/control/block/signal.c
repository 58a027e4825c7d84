// signal.c - a value in time.
#include "control/block/kinds.h"

static const lim_key own[] = {{"value", &lim_in_time, offsetof(lim_block, value), "value in time", .unit = "",
                               .table = &lim_in_time_table, .need = "*"},
                              {0}};

static lim_code prepare(lim_block_instance *b, const lim_block_setup *s, lim_error *err) {
  if (s->wiring) return LIM_OK;
  const lim_trajectory_setup setup = {.directory = s->directory, .horizon = s->horizon};
  return lim_trajectory_new(&b->trajectory, &b->from->value, &setup, err);
}

static double output(const lim_block_instance *b, double t, bool before, const double *u, const double *x,
                     const double *z) {
  (void)u, (void)x, (void)z;
  return (before ? lim_trajectory_before(b->trajectory, t) : lim_trajectory_at(b->trajectory, t)).value;
}

const lim_block_kind lim_block_signal = {.row = {.word = "signal", .help = "a value in time", .own = own},
                                         .linear = true,
                                         .prepare = prepare,
                                         .output = output};

// signal.c - a value in time.
#include "control/kinds.h"

static lim_code prepare(lim_box *b, const lim_box_setup *s, lim_error *err) {
  if (s->wiring) return LIM_OK;
  const lim_course_setup setup = {.directory = s->directory, .horizon = s->horizon};
  return lim_course_new(&b->course, &b->from->value, &setup, err);
}

static double output(const lim_box *b, double t, bool before, const double *u, const double *x,
                     const double *z) {
  (void)u, (void)x, (void)z;
  return (before ? lim_course_before(b->course, t) : lim_course_at(b->course, t)).value;
}

const lim_block_kind lim_block_signal = {
    .name = "signal", .linear = true, .prepare = prepare, .output = output};

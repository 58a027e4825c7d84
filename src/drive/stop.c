// stop.c - the law of end stops. Theory: docs/theory/contact.md (8).
#include "drive/stop.h"

lim_stop_moment lim_stop_evaluate(const lim_end_stops *s, int which, lim_press press, double q, double v) {
  const double outwards = which == LIM_UPPER_STOP ? 1 : -1;
  lim_stop_moment m = {.depth = outwards * (q - s->limit[which]), .rate = outwards * v};
  m.force_depth = m.depth + s->damping / s->stiffness * m.rate;
  if (press == LIM_PRESS_AS_IT_MOVES) press = lim_press_of(m.depth, m.rate, m.force_depth);
  if (press == LIM_PRESS_APART) return m;
  const double spring = s->stiffness * m.depth;
  const bool presses = press == LIM_PRESS_ON;
  m.size = presses ? spring + s->damping * m.rate : 0;
  m.force = -outwards * m.size;
  m.k = presses ? s->stiffness : 0;
  m.d = presses ? s->damping : 0;
  m.energy = spring * m.depth / 2;
  m.dissipated = (m.size - spring) * m.rate;
  return m;
}

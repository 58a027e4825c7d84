// computed_torque.c - what the arm with rigid links needs, where it is measured to be, for an acceleration that
// takes the error away. Theory: docs/theory/control.md (9).
#include "control/laws.h"

static double acceleration(const lim_control_law *c, const lim_control_view *m) {
  const lim_sample *r = &m->reference;
  return r->second + c->kv * (r->rate - m->speed) + c->kp * (r->value - m->position);
}

// Its derivatives are those of a joint whose inertia is the one of the design.
static lim_command torque(const lim_control_law *c, const lim_control_view *m) {
  const double J = c->inertia * m->ratio;
  lim_command x = {.value = m->arm / m->ratio, .u = -J * c->kv};
  if (c->position < 0) *(c->measure_motor ? &x.p : &x.q) = -J * c->kp;
  return x;
}

const lim_control_kind lim_control_computed_torque = {.name = "computed-torque",
                                                      .asks = LIM_ARM_EFFORT,
                                                      .holds = true,
                                                      .acceleration = acceleration,
                                                      .torque = torque};

// computed_torque.c - what the arm with rigid links needs, where it is measured to be, for an acceleration that
// takes the error away. Theory: docs/theory/control.md (9).
#include "control/laws.h"

static const lim_key own[] = {
    {"kp", &lim_number, offsetof(lim_control, kp), "acceleration of the joint per error of its position",
     .unit = "1/s^2", .range = ">= 0"},
    {"kv", &lim_number, offsetof(lim_control, kv), "acceleration of the joint per error of its speed",
     .unit = "1/s", .range = ">= 0"},
    {0}};

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

const lim_control_kind lim_control_computed_torque = {
    .row = {.word = "computed-torque",
            .help = "what the arm with rigid links needs for an acceleration that takes the error away",
            .takes = "bandwidth damping measure position",
            .own = own,
            .check = lim_control_check_gains},
    .asks = LIM_ARM_EFFORT,
    .holds = true,
    .acceleration = acceleration,
    .torque = torque};

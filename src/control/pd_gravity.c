// pd_gravity.c - pd and what carries the weight of the arm with rigid links where it is measured to be.
// Theory: docs/theory/control.md (8).
#include "control/laws.h"

static lim_command torque(const lim_control_law *c, const lim_control_view *m) {
  lim_command x = lim_control_feedback(c, m);
  x.value += m->arm / m->ratio;
  return x;
}

const lim_control_kind lim_control_pd_gravity = {
    .row = {.word = "pd-gravity",
            .help = "pd and what carries the weight of the arm with rigid links",
            .takes = LIM_TAKEN_BY_PD,
            .check = lim_control_check_gains},
    .asks = LIM_ARM_WEIGHT,
    .holds = true,
    .torque = torque};

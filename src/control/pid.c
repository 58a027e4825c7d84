// pid.c - pd and the integral of the error, which follows where the torque is limited.
// Theory: docs/theory/control.md (6), (7).
#include "control/laws.h"

static lim_command torque(const lim_control_law *c, const lim_control_view *m) {
  lim_command x = lim_control_feedback(c, m);
  x.value += m->integral;
  return x;
}

const lim_control_kind lim_control_pid = {.name = "pid", .integral = true, .holds = true, .torque = torque};

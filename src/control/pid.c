// pid.c - pd and the integral of the error, which follows where the torque is limited.
// Theory: docs/theory/control.md (6), (7).
#include "control/laws.h"

#include <math.h>

static const lim_key own[] = {
    {"ki", &lim_number, offsetof(lim_control, ki), "motor torque per second and error of the joint's position",
     .unit = "N m/m/s|N m/rad/s", .range = "> 0"},
    {"integral_time", &lim_number, offsetof(lim_control, integral_time), "the same as kp/ki", .unit = "s",
     .range = "> 0"},
    {"anti_windup", &lim_number, offsetof(lim_control, anti_windup),
     "time in which the integral follows a torque at its limit (default: kp/ki)", .unit = "s", .range = "> 0"},
    {0}};

static void check(lim_resolver *v, const void *control) {
  const lim_control *c = control;
  const bool ki = !isnan(c->ki), time = !isnan(c->integral_time);
  lim_control_check_gains(v, control);
  if (ki == time)
    lim_resolve_error(v, &c->head, time ? "integral_time" : NULL,
                      ki ? "ki and integral_time both say how fast the integral grows; give one of them"
                         : "a controller 'pid' needs 'ki' or 'integral_time'");
  else if (time && isnan(c->bandwidth) && !(c->kp > 0))
    lim_resolve_error(v, &c->head, "integral_time", "integral_time is kp/ki, but there is no kp; give ki");
}

static lim_command torque(const lim_control_law *c, const lim_control_view *m) {
  lim_command x = lim_control_feedback(c, m);
  x.value += m->integral;
  return x;
}

const lim_control_kind lim_control_pid = {.row = {.word = "pid",
                                                  .help = "pd and the integral of the error",
                                                  .takes = LIM_TAKEN_BY_PD,
                                                  .own = own,
                                                  .check = check},
                                          .integral = true,
                                          .holds = true,
                                          .torque = torque};

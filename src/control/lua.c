// lua.c - what a function of the user's gives: script.c calls it at the ticks.
#include "control/laws.h"

static lim_command torque(const lim_control_law *c, const lim_control_view *m) {
  (void)c;
  return (lim_command){.value = m->signal};
}

const lim_control_kind lim_control_lua = {.name = "lua", .torque = torque};

// lua.c - what a function of the user's gives: script.c calls it at the ticks.
#include "control/laws.h"

static const lim_key own[] = {
    {"file", &lim_file, offsetof(lim_control, file),
     "Lua file with a function control(t, joint) that gives the torque, relative to the model", .need = "*"},
    {0}};

static lim_command torque(const lim_control_law *c, const lim_control_view *m) {
  (void)c;
  return (lim_command){.value = m->signal};
}

const lim_control_kind lim_control_lua = {
    .row = {.word = "lua",
            .help = "what a function in Lua gives at the ticks of a clock",
            .takes = "measure position",
            .needs = "rate",
            .own = own},
    .torque = torque};

// wired.c - the output of a block.
#include "control/laws.h"

static const lim_key own[] = {{"block", &lim_reference, offsetof(lim_control, block),
                               "block whose output is the torque of the motor", .need = "*"},
                              {0}};

static lim_command torque(const lim_control_law *c, const lim_control_view *m) {
  (void)c;
  return (lim_command){.value = m->signal};
}

const lim_control_kind lim_control_block = {
    .row = {.word = "block", .help = "the output of a block", .own = own}, .torque = torque};

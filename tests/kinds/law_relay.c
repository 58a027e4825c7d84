// law_relay.c - a controller for the test of kinds: all its torque towards the reference.
#include "control/laws.h"

#include <math.h>

typedef struct {
  double torque;
} keys;

static const lim_key own[] = {
    {"torque", &lim_number, offsetof(keys, torque), "its size", .unit = "N m", .range = "> 0", .need = "*"},
    {0}};

static lim_command torque(const lim_control_law *c, const lim_control_view *m) {
  const keys *k = c->own;
  return (lim_command){.value = copysign(k->torque, m->reference.value - m->position)};
}

const lim_control_kind lim_control_relay = {
    .row = {.word = "relay", .help = "all its torque towards the reference", .own = own, .size = sizeof(keys)},
    .torque = torque};

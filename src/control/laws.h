// laws.h - the controllers, one file each. Inside src/control only.
#ifndef LIM_CONTROL_LAWS_H
#define LIM_CONTROL_LAWS_H

#include "control/law.h"

// Keys of controllers with gains on position and speed.
#define LIM_TAKEN_BY_PD "kp kv bandwidth damping gains measure position feedforward"

#define ROW(kind) extern const lim_control_kind lim_control_##kind;
#include "control/laws.def"
#undef ROW

#endif

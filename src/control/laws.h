// laws.h - the controllers, one file each. Inside src/control.
#ifndef LIM_CONTROL_LAWS_H
#define LIM_CONTROL_LAWS_H

#include "control/law.h"

extern const lim_control_kind lim_control_pd, lim_control_pid, lim_control_pd_gravity,
    lim_control_computed_torque, lim_control_block, lim_control_lua;

#endif

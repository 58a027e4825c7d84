// damping.h - the damping matrices of links and arm. Theory: docs/theory/dynamics.md.
#ifndef LIM_SYSTEM_DAMPING_H
#define LIM_SYSTEM_DAMPING_H

#include "system/system.h"

// Fill in the dampers of a system whose bodies are there.
lim_code lim_damping_build(lim_system *s, lim_error *err);

#endif

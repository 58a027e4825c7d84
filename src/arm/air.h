// air.h - drag of the air on beams: -1/2 rho c d |v| v per length, v across the beam. Theory:
// docs/theory/dynamics.md.
#ifndef LIM_ARM_AIR_H
#define LIM_ARM_AIR_H

#include "arm/kinematics.h"

// Points of the beams of all links that have air, into s, once its bodies are there.
lim_code lim_air_build(lim_arm *s, lim_error *err);

// Power that the air takes [W]. body (nbody) is the motion of the bodies at q, v.
double lim_air_power(const lim_arm *s, const lim_world_motion *body, const double *q, const double *v);

#endif

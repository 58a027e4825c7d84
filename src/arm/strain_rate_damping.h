// strain_rate_damping.h - strain-rate damping: a force per length across a link, in proportion to the rate of
// its curvature. Theory: docs/theory/dynamics.md.
#ifndef LIM_ARM_STRAIN_RATE_DAMPING_H
#define LIM_ARM_STRAIN_RATE_DAMPING_H

#include "arm/tree.h"

// Give the bodies of a link their drag; strength [N s].
lim_code lim_strain_damper_build(lim_arm *s, int link, double strength, lim_error *err);

#endif

// rail_basis.h - whether the basis of a rail carries loads that move along it.
#ifndef LIM_ARM_RAIL_BASIS_H
#define LIM_ARM_RAIL_BASIS_H

#include "arm/tree.h"

// Warns with what the reduced basis of a link leaves out of the deflection under a load that moves along its
// beam, held at its base and at the farthest place that loops and bushings hold.
lim_code lim_rail_doubt(const lim_arm *s, int link, lim_error *err);

#endif

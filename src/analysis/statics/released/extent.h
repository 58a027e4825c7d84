// extent.h - how far a change of coordinates moves an arm: in radians, and in sizes of the arm. Theory:
// docs/theory/statics.md, "Released joints".
#ifndef LIM_ANALYSIS_STATICS_RELEASED_EXTENT_H
#define LIM_ANALYSIS_STATICS_RELEASED_EXTENT_H

#include "analysis/statics/equilibrium_search.h"

// The size of the arm at q [m]: of all its frames and of what its springs hang on; 1 m where that is a single
// point. body (nbody) is scratch.
double lim_extent_size(lim_equilibrium_search *p, lim_world_motion *body);

// Of a change x (n) of all coordinates, or (m) of the unknowns: the largest turn [rad] or displacement
// [p->size]; sliding joints count one `reach`-th.
double lim_extent(lim_equilibrium_search *p, const double *x, double reach);
double lim_extent_of_unknowns(lim_equilibrium_search *p, const double *x, double reach);

#endif

// release.h - which joints an equilibrium lets come to rest by themselves. Theory: docs/theory/statics.md,
// "Released joints".
#ifndef LIM_ANALYSIS_STATICS_RELEASED_RELEASE_H
#define LIM_ANALYSIS_STATICS_RELEASED_RELEASE_H

#include "integrate/equations.h"

// released (n): coordinates of free joints, and of those that solver.release names. Fails (LIM_BAD_INPUT) where
// it names one that loops or lines move.
lim_code lim_release_find(bool *released, const lim_equations *e, lim_error *err);

#endif

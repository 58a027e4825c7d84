// descent.h - equilibria of arms with released joints, which may move far: downhill, under all of the load.
// Theory: docs/theory/statics.md, "Released joints".
#ifndef LIM_ANALYSIS_STATICS_RELEASED_DESCENT_H
#define LIM_ANALYSIS_STATICS_RELEASED_DESCENT_H

#include "analysis/statics/equilibrium_search.h"

// From q to the equilibrium that lies downhill; what holds it into p->holding. Fails (LIM_FAILED) where there
// is none, with the joint that goes on moving, and where nothing holds a joint at all.
lim_code lim_descent(lim_equilibrium_search *p, lim_error *err);

// The same to first order in the loads, from the unloaded arm.
lim_code lim_descent_linear(lim_equilibrium_search *p, lim_error *err);

#endif

// holding_names.h - motions of released joints in words. Theory: docs/theory/statics.md, "Released joints".
#ifndef LIM_ANALYSIS_STATICS_RELEASED_HOLDING_NAMES_H
#define LIM_ANALYSIS_STATICS_RELEASED_HOLDING_NAMES_H

#include "analysis/statics/equilibrium_search.h"

// LIM_FAILED: the joint that moves most in x (n), the last step, is pushed on by what r says; `far`: it has
// moved so far that nothing can hold it.
lim_code lim_holding_lost(const lim_equilibrium_search *p, const double *x, bool far, lim_error *err);

// Fails (LIM_FAILED) where nothing holds any freedom of a joint.
lim_code lim_holding_check(const lim_equilibrium_search *p, lim_error *err);

// Warnings of motions that nothing holds, and of those along which the arm leaves.
lim_code lim_holding_warn(const lim_equilibrium_search *p, lim_error *err);

#endif

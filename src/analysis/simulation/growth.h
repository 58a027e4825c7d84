// growth.h - a motion that grows without bound is a failure, whatever the method; why it does.
#ifndef LIM_ANALYSIS_SIMULATION_GROWTH_H
#define LIM_ANALYSIS_SIMULATION_GROWTH_H

#include "analysis/simulation/session.h"

// Whether joints, deformations, blocks, and states of drives and controllers are within bounds at the present
// time: else fails with the time and what grows.
lim_code lim_growth_check(const lim_session *s, lim_error *err);

// Steps of cvode and ida have become short: given up where the loop is unstable and would grow by more than all
// digits until the end.
lim_code lim_growth_slows(const lim_state *f, double t, double step, lim_error *err);

// After a failure: behind its message why the motion was lost, an unstable loop by its mode, or what to try.
void lim_growth_explain(const lim_session *s, lim_error *err);

// After a run that did not fail: warns of a loop that is unstable and grows within it, limits or not.
void lim_growth_warn(const lim_session *s, lim_error *err);

#endif

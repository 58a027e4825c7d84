// step_control.h - `step: auto` of the implicit methods: steps whose error stays below the tolerance, and what
// lies between their ends. Theory: docs/theory/simulation.md (4e)-(4g).
#ifndef LIM_INTEGRATE_STEP_CONTROL_H
#define LIM_INTEGRATE_STEP_CONTROL_H

#include "integrate/implicit.h"

// Let the steps of f be chosen, each with an error of at most `tolerance` of the largest values so far.
lim_code lim_step_control_new(lim_state *f, double tolerance, lim_error *err);

// Take up the state that f has: at the start, and after a jump.
void lim_step_control_restart(lim_state *f);

// Steps up to `to`, and the state there. Where f is watched, to the end of a step, if that comes before.
lim_code lim_step_control_advance(lim_state *f, double to, lim_implicit p, lim_error *err);

// The ends of the last step in turns of a ball joint about another quaternion (arm/ball.h).
void lim_step_control_rewrite(lim_state *f, const struct lim_ball *b, const double quaternion[4]);

// The end of the last step [s]: not before the time that is looked at.
double lim_step_control_end(const lim_state *f);

#endif

// equilibrium.h - where an arm rests under gravity and loads. Theory: docs/theory/statics.md.
#ifndef LIM_ANALYSIS_STATICS_EQUILIBRIUM_H
#define LIM_ANALYSIS_STATICS_EQUILIBRIUM_H

#include "integrate/equations.h"

// q (n): finds the deformations, beginning with those in q, and where servos, controllers and elastic gears
// yield to, and where released joints come to rest (release.h; ball joints are turned in the arm of e, which
// must be that of a run, lim_arm_enter); all other joints (of elastic gears: motors) are held where q has them,
// prescribed ones where they have to be at t. Fails (LIM_FAILED) where no stable equilibrium is found. The last
// residual of e is that of the result: reactions and efforts are its.
lim_code lim_equilibrium(double *q, lim_equations *e, double t, lim_error *err);

// The same to first order in gravity and loads, about the undeformed arm, stable or not: q becomes that plus
// the first-order displacements.
lim_code lim_equilibrium_linear(double *q, lim_equations *e, double t, lim_error *err);

// The same in steady motion, with the speeds v (n) of the joints: gyroscopic and centrifugal forces act. It may
// be one at which the arm does not stay.
lim_code lim_equilibrium_moving(double *q, const double *v, lim_equations *e, double t, lim_error *err);

#endif

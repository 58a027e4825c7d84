// tangent.h - derivatives of the equations of an arm at rest or in steady motion. Theory: docs/theory/modes.md
// (3).
#ifndef LIM_ANALYSIS_TANGENT_H
#define LIM_ANALYSIS_TANGENT_H

#include "system/equations.h"

typedef enum { LIM_BY_POSITION, LIM_BY_VELOCITY, LIM_BY_ACCELERATION } lim_tangent_by;

// T (n x n by columns) = derivative of what bodies, dampers, springs, and loads as they are in e contribute to
// the residual, by q, v or a, at (q, v, a = 0): stiffness, damping and gyroscopic, or mass matrix. Drives are
// not in it. s: the system of e, or a copy with another gravity.
lim_code lim_tangent(double *T, const lim_system *s, const lim_equations *e, lim_tangent_by by, const double *q,
                     const double *v, lim_error *err);

// The stiffness about undeformed links, with the tension that what acts on them would give them.
lim_code lim_tangent_slack(double *T, const lim_equations *e, const double *q, const double *v, lim_error *err);

// T += what springs alone add to the stiffness.
lim_code lim_tangent_add_bonds(double *T, const lim_equations *e, const double *q, lim_error *err);

#endif

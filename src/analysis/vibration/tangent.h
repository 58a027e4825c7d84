// tangent.h - derivatives of the equations of an arm at rest or in steady motion. Theory: docs/theory/modes.md
// (3).
#ifndef LIM_ANALYSIS_VIBRATION_TANGENT_H
#define LIM_ANALYSIS_VIBRATION_TANGENT_H

#include "integrate/equations.h"

typedef enum { LIM_BY_POSITION, LIM_BY_VELOCITY, LIM_BY_ACCELERATION } lim_tangent_by;

// T (n x n by columns) = derivative of what bodies, dampers, springs, and loads as they are in e contribute to
// the residual, by q, v or a, at (q, v, a = 0): stiffness, damping and gyroscopic, or mass matrix. Drives are
// not in it. s: the system of e, or a copy with another gravity.
lim_code lim_tangent(double *T, const lim_arm *s, const lim_equations *e, lim_tangent_by by, const double *q,
                     const double *v, lim_error *err);

// The same stiffness by its products: what r changes by along a direction. One at a time; allocates when made.
typedef struct lim_slope lim_slope;
lim_code lim_slope_new(lim_slope **out, const lim_arm *s, const lim_equations *e, lim_error *err);
void lim_slope_free(lim_slope *x);
void lim_slope_at(lim_slope *x, const double *q, const double *v);      // from now on, with the loads as in e
void lim_slope_along(double *y, lim_slope *x, const double *direction); // y (n)

// The stiffness about undeformed links, with the tension that what acts on them would give them.
lim_code lim_tangent_slack(double *T, const lim_equations *e, const double *q, const double *v, lim_error *err);

// T += what springs alone add to the stiffness.
lim_code lim_tangent_add_springs(double *T, const lim_equations *e, const double *q, lim_error *err);

#endif

// first_order.h - forces in an arm to first order in its loads, about its undeformed shape. Theory:
// docs/theory/statics.md, "First order".
#ifndef LIM_ANALYSIS_STATICS_FIRST_ORDER_H
#define LIM_ANALYSIS_STATICS_FIRST_ORDER_H

#include "analysis/statics/section_forces.h"

// Of one joint: of the parent on the link.
typedef struct {
  double F[3], N[3];          // in the axes of the link
  double force[3], moment[3]; // in those of the world
} lim_reaction;

// Reactions (nbody), forces in the bodies (nbody) and residual (n) with the displacements x (n) from q (n), to
// first order: what springs have at q, and what loads, multipliers and displacements add. Memory from the
// arena.
lim_code lim_first_order(lim_reaction *reaction, lim_section_forces *inner, double *r, lim_arena *arena,
                         const lim_rest *a, const double *q, const double *x, lim_error *err);

#endif

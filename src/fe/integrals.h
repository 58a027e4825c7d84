// integrals.h - inertia data of a reduced link from momenta of its nodes. Theory:
// docs/theory/finite-elements.md (9)-(11).
#ifndef LIM_FE_INTEGRALS_H
#define LIM_FE_INTEGRALS_H

#include "fe/coupling.h"
#include "fe/reduce.h"

// Momentum of all nodes in one motion, axes and origin of base: its sum, its moment, and sum of X_a p_b (by
// rows).
typedef struct {
  double F[3], L[3], H[9];
} lim_fe_momentum;

void lim_fe_momentum_add(lim_fe_momentum *to, const double X[3], const double p[3], const double l[3]);

// Mass, first moment, inertia, and what depends on the coordinates, but for S: from the momenta of the
// coordinates (n), and of the six rigid motions. Memory of the link is there.
void lim_fe_fill_inertia(lim_fe_link *link, const lim_fe_momentum *of_shapes, const lim_fe_momentum rigid[6]);

// Adds to the inertia of the deformed link what it takes to be positive in all deformations that may be:
// nothing where the momenta `of` its coordinates (n) and S come from the same masses, as of solids. reach:
// largest displacement by each coordinate (n).   (18)
lim_code lim_fe_make_positive(lim_fe_link *link, const lim_fe_momentum *of, const double *reach,
                              lim_error *err);

// Memory of the link's matrices, whose n is set.
bool lim_fe_take_link(lim_fe_link *link, lim_arena *arena);

// All of it from the mesh, and facts about its mass.
lim_code lim_fe_integrate(lim_fe_link *link, lim_arena *arena, const lim_fe_coupled *c, const lim_fe_shapes *s,
                          lim_error *err);

// Mass, centre and inertia about it, file axes, of a link whose base sits at X with axes R there.
void lim_fe_fill_facts(lim_fe_link *link, const double X[3], const double R[9]);

#endif

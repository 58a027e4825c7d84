// proof.h - whether matrices are those of a free elastic body, in the units that are said. Theory:
// docs/theory/finite-elements.md (16).
#ifndef LIM_FE_PROOF_H
#define LIM_FE_PROOF_H

#include "fe/coupling.h"
#include "fe/link.h"
#include "model/model.h"

// Rigid motions of the mesh cost no energy; facts.rigid_energy and facts.size.
lim_code lim_fe_prove_free(lim_fe_facts *facts, const lim_fe_mesh *mesh, const lim_link *link, lim_error *err);

// Mass and inertia are those of a body of this size; warnings about frequencies and what is left out.
lim_code lim_fe_prove_link(const lim_fe_link *x, const lim_link *link, lim_error *err);

// The density of solids is that of a material; skin: their whole surface.
lim_code lim_fe_prove_density(const lim_fe_link *x, const lim_fe_mesh *mesh, const lim_link *link,
                              lim_error *err);

// Of dense matrices, with rigid motions R (n x 6 by columns).
lim_code lim_fe_prove_dense(lim_fe_facts *facts, const double *K, const double *R, int n, const lim_link *link,
                            lim_error *err);

#endif

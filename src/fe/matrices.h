// matrices.h - links whose matrices were reduced by other programs. Theory: docs/theory/finite-elements.md
// (17).
#ifndef LIM_FE_MATRICES_H
#define LIM_FE_MATRICES_H

#include "fe/link.h"
#include "model/model.h"

// Paths as they are opened; memory from the arena.
lim_code lim_fe_link_of_matrices(lim_fe_link *out, lim_arena *arena, const lim_link *link, const char *mass,
                                 const char *stiffness, lim_error *err);

#endif

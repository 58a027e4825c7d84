// prestress.h - the shape of a loaded link, and the stiffness that its load adds. Theory: docs/theory/modes.md
// (7)-(10).
#ifndef LIM_ANALYSIS_PRESTRESS_H
#define LIM_ANALYSIS_PRESTRESS_H

#include "analysis/one_link.h"

// Nodal displacements u (ndof, link axes) of the link clamped at its joint, whatever its basis, and the load
// they balance: with it they give the section forces. Both live in the arena of `a`.   (7)
lim_code lim_rest_shape(double **u, lim_beam_load *load, lim_one_link *a, lim_error *err);

// K += stiffness of the loads on the free-free link: its axial forces, and forces on rigid offsets.   (8), (9)
lim_code lim_prestress_add(lim_band K, lim_one_link *a, lim_error *err);

// H (3 x 3 by rows) = stiffness of the loads against rotations of the rigid link about its frame.   (10)
void lim_prestress_rigid(double H[9], const lim_one_link *a);

// Refuses forces that follow the link: their stiffness is not symmetric.
lim_code lim_prestress_check(const lim_model *model, lim_error *err);

#endif

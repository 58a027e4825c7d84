// prestress.h - the shape of a loaded link, and the stiffness that its load adds.
#ifndef LIM_ANALYSIS_PRESTRESS_H
#define LIM_ANALYSIS_PRESTRESS_H

#include "analysis/one_link.h"

// Nodal displacements u (ndof, link axes) of the link clamped at its joint, and the load they balance. Both
// live in the arena of `a`. A rigid basis has u = 0.
lim_code lim_rest_shape(double **u, lim_beam_load *load, lim_one_link *a, lim_error *err);

// K += stiffness of the loads on the free-free link: its axial forces, and forces that keep their direction on
// rigid offsets. Moments and loads that follow the link add none.
lim_code lim_prestress_add(lim_band K, lim_one_link *a, lim_error *err);

#endif

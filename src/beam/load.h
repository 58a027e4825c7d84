// load.h - what acts along a beam, and the section forces and strains that follow from it by equilibrium.
// Theory: docs/theory/beam.md (22)-(30).
#ifndef LIM_BEAM_LOAD_H
#define LIM_BEAM_LOAD_H

#include "beam/mesh.h"

// A force and moment on the section at a place, link axes.
typedef struct {
  double at; // fraction 0..1 of the length
  double force[3], moment[3];
} lim_point_load;

// All that acts between the nodes and at places, link axes. A zero struct is no load.
typedef struct {
  double q[3];         // force per length [N/m]
  const double *field; // acceleration field of the body force on the beam's own mass, e.g. gravity minus
                       // acceleration [m/s^2, rad/s^2]; NULL: none   (ndof)
  const lim_point_load *point; // (npoint)
  int npoint;
} lim_beam_load;

// p (ndof) += the consistent nodal forces of one force and moment at a place; of everything.
void lim_beam_add_point(double *p, const lim_mesh *mesh, lim_point_load load);
void lim_beam_add_load(double *p, const lim_mesh *mesh, const lim_beam_load *load);

// Forces in the section at a place, from the nodal displacements u (ndof) and the load they balance: end forces
// of the element, then statics within it. What acts at the very root stresses nothing: it goes into what holds
// the beam. Of the two faces at a concentrated load it is the one on the side of the root.
lim_section_force lim_beam_section_force(const lim_mesh *mesh, const double *u, const lim_beam_load *load,
                                         double fraction);

// The same at a place of one element: at a node, each of its two elements has its own section.
lim_section_force lim_beam_element_force(const lim_mesh *mesh, const double *u, const lim_beam_load *load,
                                         lim_point at);

// Axial forces at start, middle and end of every element, as lim_mesh_add_geometric wants them. N (3 nelement)
void lim_beam_axial_force(double *N, const lim_mesh *mesh, const double *u, const lim_beam_load *load);

// Axial strain at the middle of a face of the section at s in 0..1 of an element; tension positive. NaN where
// the section's outline is not known.
double lim_beam_strain(const lim_element *e, double s, lim_section_force f, lim_face face);

#endif

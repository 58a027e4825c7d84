// mesh.h - the finite elements of a link, or of one of its segments: nodes, elements, stiffness, mass.
// Theory: docs/theory/beam.md. Constant once built; the model must outlive it.
#ifndef LIM_BEAM_MESH_H
#define LIM_BEAM_MESH_H

#include "beam/element.h"
#include "math/band.h"

// A stretch of a beam, in distances from the link's joint, and how many elements it gets at least.
typedef struct {
  double from, to; // [m]
  int elements;
} lim_stretch;

typedef struct {
  lim_arena arena; // owns everything below
  double length;   // of the stretch [m]
  int nelement, nnode;
  int ndof;             // 6 per node: ux uy uz tx ty tz
  double *x;            // nodes, from the start of the stretch [m]   (nnode)
  lim_element *element; //                                            (nelement)
  double *Ke, *Me;      // element matrices, 12 x 12 each             (144 nelement)
  lim_band K, M;        // free-free, without concentrated masses     (ndof, width 11)
} lim_mesh;

// Segment k of the beam's `segments`: equal lengths, the beam's elements shared among them.
lim_stretch lim_mesh_segment(const lim_beam *beam, int k);

// Mesh a stretch of the beam of a link. Ends of pieces become nodes; elements are shared among the pieces by
// length, each piece having at least one.
lim_code lim_mesh_new(lim_mesh **out, const lim_model *model, int link, lim_stretch stretch, lim_error *err);
void lim_mesh_free(lim_mesh *mesh);

// A place: s in 0..1 of the element; its coordinates are 6 element .. 6 element + 11. A place at a node belongs
// to the element before it.
typedef struct {
  int element;
  double s;
} lim_point;

lim_point lim_mesh_point(const lim_mesh *mesh, double fraction); // 0..1 of the length

// The fraction of a mesh, which begins at `start` of its link, at which a location of the link lies, both from
// the link's joint [m]; -1: it lies on another stretch. One at a seam belongs to the stretch before it.
double lim_mesh_fraction(const lim_mesh *mesh, double start, double at);
lim_section_data lim_mesh_section(const lim_mesh *mesh, double fraction);
double lim_mesh_mass(const lim_mesh *mesh); // [kg]

// (ux uy uz tx ty tz) at a place: N (6 x 12 by rows) on the coordinates from the returned index on; and N u.
int lim_mesh_interpolation(double N[72], const lim_mesh *mesh, double fraction);
void lim_mesh_displacement(double d[6], const lim_mesh *mesh, const double *u, double fraction);

// The nodal field of a rigid motion: translation v and rotation w about the first node, or velocities,
// accelerations. field (ndof).
void lim_mesh_rigid_field(double *field, const lim_mesh *mesh, const double v[3], const double w[3]);

// Add to M (ndof, width 11) a body of `mass` whose centre sits at `offset` [m] from the place; its inertia
// about that centre is ixx iyy izz ixy ixz iyz [kg m^2], link axes.
void lim_mesh_add_mass(lim_band M, const lim_mesh *mesh, double fraction, double mass, const double offset[3],
                       const double inertia[6]);

// Add the geometric stiffness of the axial forces N, at start, middle and end of each element. N (3 nelement)
void lim_mesh_add_geometric(lim_band K, const lim_mesh *mesh, const double *N);

#endif

// surface.h - the surface of a finite-element mesh as it is drawn, and strains there and in elements. Theory:
// docs/theory/finite-elements.md.
#ifndef LIM_FE_SURFACE_SURFACE_H
#define LIM_FE_SURFACE_SURFACE_H

#include "fe/mesh.h"

#include <stdbool.h>

// Places on the surface: nodes of outer faces of solids; of shells both sides of their nodes, where the
// thickness is known; nodes of beams.
typedef struct {
  int node;         // of the mesh
  double offset[3]; // from it, half the thickness of a shell, file axes [m]
  double normal[3]; // outward; 0: a beam's
  int material;     // of the elements there; -1: none is known, or they differ
} lim_fe_vertex;

typedef struct {
  int nvertex;
  lim_fe_vertex *vertex; // in the order of their nodes   (nvertex)
  int ntriangle;
  int *triangle; // three vertices each, seen from outside against the clock   (3 ntriangle)
  int nedge;
  int *edge; // two vertices each: edges of elements on the surface        (2 nedge)
} lim_fe_surface;

// Faces that only one solid has; sides of shells, which face alike across edges and stay open at the rim.
// Vertices are moved along the mean of the normals there. Memory from the arena. A mesh without elements has no
// surface.
lim_code lim_fe_surface_of(lim_fe_surface *out, lim_arena *arena, const lim_fe_mesh *mesh, lim_error *err);

// Strains (xx yy zz xy xz yz, file axes, shear as gamma = 2 epsilon) at all vertices (6 nvertex) of
// displacements u (6 nnode: displacement and rotation of each node): of each element from its points where
// strains are best, carried to its nodes and averaged there. Where materials meet, strains jump: those of the
// first of them are averaged. Of solids and shells; of shells the strain across follows from nu (0.3 where it
// is not known), and shear across is left out. NaN where no element gives one (beams).
lim_code lim_fe_surface_strains(double *out, const lim_fe_surface *s, const lim_fe_mesh *mesh, const double *u,
                                lim_error *err);

// The same in the middle of an element; side: +1 and -1 outer sides of a shell, +1 where its nodes run against
// the clock, 0 its middle. False: not known (beams; sides without a thickness).
bool lim_fe_element_strain(double out[6], const lim_fe_mesh *mesh, int element, int side, const double *u);

// Stresses (xx yy zz xy xz yz) from strains of a material, and what von Mises makes of them.
void lim_fe_stress(double out[6], const double strain[6], double E, double nu);
double lim_von_mises(const double stress[6]);

#endif

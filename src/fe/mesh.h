// mesh.h - a finite-element model as another program wrote it, in SI: nodes, sets, elements to draw and to find
// strains with, mass and stiffness matrix. Theory: docs/theory/finite-elements.md.
#ifndef LIM_FE_MESH_H
#define LIM_FE_MESH_H

#include "base/arena.h"
#include "base/error.h"
#include "math/sparse/symmetric.h"

#include <stdbool.h>

// A set of nodes.
typedef struct {
  const char *name;
  int count, *node; // indices of nodes, ascending, none twice   (count)
  int line;         // of its file
} lim_fe_set;

// Shapes of elements, by the order of their nodes in CalculiX and Abaqus.
typedef enum {
  LIM_FE_TET4,
  LIM_FE_TET10,
  LIM_FE_WEDGE6,
  LIM_FE_WEDGE15,
  LIM_FE_HEX8,
  LIM_FE_HEX20,
  LIM_FE_TRI3, // shells and membranes
  LIM_FE_TRI6,
  LIM_FE_QUAD4,
  LIM_FE_QUAD8,
  LIM_FE_BEAM2,
  LIM_FE_BEAM3, // end, middle, end
  LIM_FE_SHAPES
} lim_fe_shape;

typedef struct {
  int id;
  lim_fe_shape shape;
  int first;        // of its nodes in lim_fe_mesh.element_node
  int material;     // of lim_fe_mesh.material; -1: none is known
  double thickness; // of a shell [m]; NaN: not known
} lim_fe_element;

typedef struct {
  const char *name;
  double E, nu; // NaN: not known
} lim_fe_material;

typedef struct {
  lim_arena arena; // owns everything below
  int nnode;
  int ninner; // of these, the last ones: inner freedoms of elements, which have no place and are in no set
  int *id;    // of the nodes in their files, ascending                  (nnode)
  double *X;  // places, axes of the file [m]; 0 of inner ones           (3 nnode)
  int nset;
  lim_fe_set *set; // (nset)
  int nelement;
  lim_fe_element *element; // (nelement)
  int *element_node;       // indices of nodes, element by element
  int nmaterial;
  lim_fe_material *material; // (nmaterial)
  int ndof;
  int *dof_node;      // index of the node of each row of the matrices                (ndof)
  int *dof_direction; // 0 .. 2 displacements along x y z, 3 .. 5 rotations about them (ndof); of inner nodes
                      // amplitudes of shapes that are 0 in all nodes, which rigid motions leave 0
  lim_symmetric K, M; // SI: N/m, N, N m; kg, kg m, kg m^2
} lim_fe_mesh;

void lim_fe_mesh_free(lim_fe_mesh *mesh);

// Index of the node with an id; -1: there is none.
int lim_fe_node(const lim_fe_mesh *mesh, int id);

// Whether a node is inner freedoms of an element, as CalculiX adds them for C3D8I.
bool lim_fe_is_inner(const lim_fe_mesh *mesh, int node);

// The set of a name, upper and lower case alike as in CalculiX; NULL: there is none.
const lim_fe_set *lim_fe_find_set(const lim_fe_mesh *mesh, const char *name);

// Whether a number is in an ascending list, as a node in a set.
bool lim_fe_among(const int *list, int count, int x);

// Six numbers of every node (6 nnode), 0 where it has no such freedom, from one of every freedom (ndof).
void lim_fe_by_node(double *node, const lim_fe_mesh *mesh, const double *u);

// Where a file is that is named in a folder. Memory from the arena; NULL: out of memory.
char *lim_fe_path(lim_arena *arena, const char *directory, const char *name);

// How many nodes an element of a shape has.
int lim_fe_shape_nodes(lim_fe_shape shape);

#endif

// dofs.h - which freedom each row of a matrix is: the map of CalculiX (.dof), of ANSYS, or pairs of numbers.
#ifndef LIM_FE_READ_DOFS_H
#define LIM_FE_READ_DOFS_H

#include "fe/mesh.h"

// Row i is direction[i] (0 .. 5) of node[i]: an index of the mesh, or behind its nodes one of inner.
typedef struct {
  int count;
  int *node, *direction; // (count)
  int ninner, *inner; // ids of nodes that the mesh has not yet, ascending: inner freedoms of elements  (ninner)
} lim_fe_dofs;

// "12.3", "12 3" or "12, 3": a node and its direction, row by row; or "row node UX" with UX UY UZ ROTX ROTY
// ROTZ, in any order, with lines of words ahead. inner: displacements of nodes above all of the mesh's are
// taken for inner freedoms. Memory from the arena.
lim_code lim_fe_dofs_read(lim_fe_dofs *out, lim_arena *arena, const char *path, const lim_fe_mesh *mesh,
                          bool inner, const lim_hooks *hooks, lim_error *err);

#endif

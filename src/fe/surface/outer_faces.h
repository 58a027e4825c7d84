// outer_faces.h - faces of elements that are seen from outside, and which way they face.
#ifndef LIM_FE_SURFACE_OUTER_FACES_H
#define LIM_FE_SURFACE_OUTER_FACES_H

#include "fe/surface/shape_functions.h"

typedef struct {
  int element, face; // the face's row of its shape
  bool turned;       // its nodes run with the clock as seen from outside
} lim_fe_outer_face;

// Faces that only one solid has, and all shells, turned so that neighbours across an edge face the same side;
// ordered by element and face. On the heap (*count).
lim_code lim_fe_outer_faces(lim_fe_outer_face **out, int *count, const lim_fe_mesh *mesh, lim_error *err);

// Nodes of the mesh of a face as seen from outside (back: from behind): corners, then middles. How many there
// are.
int lim_fe_face_nodes(int node[LIM_FE_FACE_NODES], const lim_fe_mesh *mesh, lim_fe_outer_face face, bool back);

#endif

// shape_functions.h - one row per shape of elements: nodes, shape functions, faces, and the points where
// strains are best. Theory: docs/theory/finite-elements.md.
#ifndef LIM_FE_SURFACE_SHAPE_FUNCTIONS_H
#define LIM_FE_SURFACE_SHAPE_FUNCTIONS_H

#include "fe/mesh.h"

#include <stdbool.h>

// Most of what an element can have.
enum { LIM_FE_NODES = 20, LIM_FE_POINTS = 8, LIM_FE_FACE_NODES = 8 };

// Corners, against the clock as seen from outside, then the middles of the edges that follow them. Elements
// without nodes there have the corners only.
typedef struct {
  int corners, node[LIM_FE_FACE_NODES];
} lim_fe_face;

// Natural coordinates r s t are those of CalculiX: -1 .. 1 along edges of hexahedra and quadrilaterals and
// along the axis of wedges, 0 .. 1 in triangles and tetrahedra.
typedef struct lim_fe_shape_row lim_fe_shape_row;
struct lim_fe_shape_row {
  int dimension; // 3 solids, 2 shells, 1 beams, which have edges only
  int nodes, corners;
  bool middles;             // nodes in the middle of edges
  const double (*place)[3]; // natural coordinates of nodes                   (nodes)
  double centre[3];
  // shape functions N (nodes) and their derivatives by r s t (nodes) at a place
  void (*functions)(double *N, double (*dN)[3], const lim_fe_shape_row *row, const double r[3]);
  int points;          // where strains are best: one in the centre, or one on the way to each corner,
  double part[3];      // at these parts of the way
  lim_fe_shape linear; // the shape with corners only
  int nface;
  const lim_fe_face *face; // of a shell itself, seen from the side to which its normal points
};

const lim_fe_shape_row *lim_fe_shape_row_of(lim_fe_shape shape);

// Natural coordinates of a point where strains are best.
void lim_fe_shape_point(double r[3], const lim_fe_shape_row *row, int point);

// Weights (points) of values at these points that carry them to a place: linear between the points, constant
// where there is one.
void lim_fe_shape_carry(double *weight, const lim_fe_shape_row *row, const double r[3]);

#endif

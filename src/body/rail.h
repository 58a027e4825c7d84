// rail.h - a beam as a rail: how the section at any distance along it moves, smoothly from element to element.
// Theory: docs/theory/rails.md (1)-(4).
//
// On a span, from one node to the next, every field (ux uy uz tx ty tz) is a cubic of Hermite's: through the
// values at its two nodes, with the slopes there, each of which is the mean of the two elements that meet. All
// are linear in the coordinates of the body but for what bending shortens along x.
#ifndef LIM_BODY_RAIL_H
#define LIM_BODY_RAIL_H

#include "body/basis.h"
#include "body/sparse.h"

enum { LIM_HERMITE = 4 }; // value and slope at the first node, at the second

typedef struct {
  int body;                  // of the arm, whose beam it is on
  double start, length;      // on the link, from its base [m]
  double origin;             // of the body, likewise
  int first, count;          // coordinates of the body's deformation on which it depends
  lim_sparse P;              // row 4 f + k: what Hermite's function k multiplies in field f      (24 x count)
  bool shortens;             // along x less by eta'G eta/2, G_k what function k multiplies
  lim_sparse G[LIM_HERMITE]; // where it shortens                                         (count x count each)
} lim_rail_span;

// Hermite's functions at s along the link, and their first two derivatives by s.
typedef struct {
  double H[LIM_HERMITE], D[LIM_HERMITE], DD[LIM_HERMITE];
} lim_hermite;
lim_hermite lim_rail_hermite(const lim_rail_span *x, double s);

// Spans of a mesh that begins at `origin` on its link, one for each element. Memory from the arena.
lim_code lim_rail_spans(lim_rail_span *span, lim_arena *arena, const lim_mesh *mesh,
                        const lim_basis_matrix *shapes, int body, double origin, bool stiffening,
                        lim_error *err);

// Nodes before and behind those of an element on whose coordinates its span depends too.
enum { LIM_RAIL_NEIGHBOURS = 1 };

#endif

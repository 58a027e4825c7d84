// planar_beam.h - a beam with a full basis in a plane, for sums over its nodes and elements two at a time:
// their coefficients side by side. Theory: docs/theory/dynamics.md, "In the plane".
#ifndef LIM_BODY_PLANAR_BEAM_H
#define LIM_BODY_PLANAR_BEAM_H

#include "base/arena.h"
#include "math/packed.h"

#include <stdbool.h>

struct lim_body;

// Lanes are of two nodes, or elements. Coordinates of a node are (x, y, slope); node 0 at the joint is held and
// has none. Of a matrix a node has entries with itself and its two neighbours, of before, own, after:
//   near: x with x (3); y, then slope, with y and slope of each (6 and 6)
//   cross: x with y and slope of each (6); y, then slope, with x (3 and 3)
enum { LIM_BEAM_NEAR = 15, LIM_BEAM_CROSS = 12 };

typedef struct {
  lim_lanes M[LIM_BEAM_NEAR], K[LIM_BEAM_NEAR], S[LIM_BEAM_NEAR]; // S: S_xx + S_yy
  lim_lanes B[LIM_BEAM_CROSS];                                    // B_z
  lim_lanes x[3], y[3], H[3], I[3]; // rows x, y of `first`, z of `second`, zz of `inertia1`
} lim_beam_nodes;

// lim_body_axial_stretch; of symmetric matrices 00 01 02 11 12 22.
typedef struct {
  lim_lanes stiffness, w, X, along[2], G[6], H[6], N[4];
} lim_beam_elements;

typedef struct {
  int nodes;           // but for the held one
  bool stretches;      // bending stretches its elements, as many as there are nodes
  lim_beam_nodes *two; // nodes 1 and 2, 3 and 4, ...; a missing one has zeros                ((nodes + 1)/2)
  lim_beam_elements *elements; // 0 and 1, ...; element e is between nodes e and e + 1; or NULL
} lim_planar_beam;

// *out stays NULL where the body is not such a beam, as with masses beside the axis. False: out of memory.
bool lim_planar_beam_of(lim_planar_beam **out, lim_arena *arena, const struct lim_body *b);

#endif

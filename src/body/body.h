// body.h - a flexible body in a floating frame at its joint: inertia data with all terms in the deformation,
// stiffness, damping, and the motion of its frames. Theory: docs/theory/body.md.
//
// A material point is at x = X + N eta in the body's axes. Every coefficient below is a sum over points of mass
// w (Gauss points of the elements, concentrated masses) and sections of rotary inertia J:
//   mass = sum w, moment = sum w X, first = sum w N, second = sum w X x N + J Ntheta, S_kl = sum w N_k' N_l.
// With stiffening, bending shortens the axis: in a reduced basis points move by eta'H eta/2 in addition
// (`point`); in a full basis the axial coordinates are the true displacements, and what bends is stretched
// (`string`). Nobody downstream knows which basis, element or section it came from. A rigid body has n = 0.
#ifndef LIM_BODY_BODY_H
#define LIM_BODY_BODY_H

#include "body/basis.h"
#include "body/foreshortening.h"
#include "body/planar_beam.h"
#include "body/planar_modes.h"
#include "body/rail.h"
#include "body/sliding.h"
#include "body/sparse.h"

// Bending of an element in one plane, by its deflections and slopes at both ends. What counts along x is
// d = (difference of the deflections, slope, slope).
typedef struct {
  int index[4];   // deflection, slope; deflection, slope. None is less than the one before it; for one that is
                  // held another stands, with 0 below
  double span[2]; // -1 and 1: deflections in d
  double G[9];    // elongation of the element: d'G d/2
  double H[9];    // its middle moves by d'H d/2 along x
  double N[4];    // and across, by the coordinates
} lim_body_bend;

// An element of a full basis: its elongation is the difference of the axial coordinates of its ends and what
// its bending adds.
typedef struct {
  int end[2];               // axial coordinates; -1: held
  double stiffness;         // [N/m]
  double w, X;              // mass and place of its middle
  double along[2];          // motion of the middle along x by the ends
  int planes, direction[2]; // across which it bends: 1 y, 2 z
  lim_body_bend plane[2];
} lim_body_axial_stretch;

typedef struct lim_body {
  lim_arena arena;              // owns everything below
  int n;                        // coordinates eta; 0: rigid
  int width;                    // entries below the diagonal of M, K
  double mass;                  // [kg]
  double moment[3], inertia[6]; // of the undeformed body about its frame [kg m, kg m^2]: xx yy zz xy xz yz
  double *first;                // sum w N                                                    (3 x n by rows)
  double *second;               // sum w X x N + J Ntheta                                     (3 x n by rows)
  double *inertia1; // linear part of the inertia: I = inertia + inertia1 eta + quadratic      (6 x n by rows)
  lim_sparse S[6];  // S_xx S_yy S_zz, and the symmetric parts of S_xy S_xz S_yz
  lim_sparse B[3];  // S_yz - S_zy, S_zx - S_xz, S_xy - S_yx: antisymmetric
  double *M, *K;    // lower band by rows: (i, j) at i (width + 1) + j - i + width   (n (width + 1))
  int reach;        // entries of a whole row of them
  double *rows; // of every coordinate its whole rows of M, K and S_xx + S_yy, from lim_body_row_start on; NULL:
                // not there   (n x 3 x reach)
  int npoint, nstretch;  // both 0 without stiffening
  lim_body_point *point; // those that bow or string stands for come first   (npoint)
  int gathered;          // how many that are
  lim_body_foreshortening foreshortening;
  lim_body_axial_stretch *axial_stretch; // from the joint on   (nstring)
  lim_planar_modes *modes; // the same once more for the plane, of a few coordinates; NULL: there are more
  lim_planar_beam *beam;   // the same once more, of a beam in a plane with a full basis; NULL: it is none
} lim_body;

// First column of whole row i.
static inline int lim_body_row_start(const lim_body *b, int i) {
  int low = i - b->width, high = b->n - b->reach;
  return low < 0 ? 0 : low > high ? high : low;
}

// How the recursion treats a body and the sections on it.
typedef enum {
  LIM_FLOATING_FRAME, // by lim_body: deformations in a frame at its joint, none of a rigid body
  LIM_SLIDING_BEAM,   // by lim_sliding
  LIM_ON_RAIL,        // of sections alone: where a joint on a rail stands, by lim_rail_span
  LIM_FORMULATIONS
} lim_formulation;

// The section at a place of a body that carries a frame: displacement and rotation are N eta, Ntheta eta; along
// x, y, z the displacement is less by eta'G eta/2.
typedef struct {
  double X[3];      // place without deformation, body axes [m]
  int first, count; // coordinates it depends on
  double *N;        // ux uy uz tx ty tz                                          (6 x count by rows)
  double *G[3];     // shortening of a beam along x in a reduced basis; of a link from finite elements
                    // by its geometric stiffness under a force there; NULL: none (count x count)
  bool across;      // along y or z, too
  lim_formulation formulation; // of its body
  int back; // it moves with its body's joint too, whose coordinate stands so far before the others; 0: not
  const lim_sliding *slide; // of a sliding beam, and its place 0..1 on the free length
  double place;
  const lim_rail_span *rail; // of a section on a rail, whose place along it is the coordinate
  int ahead;                 // that stands so far behind the first of the body's deformation
} lim_section_motion;

// A flexible body from a stretch of a beam: mesh and shapes of the stretch, and the concentrated masses of the
// link that lie on it. start: distance of the stretch from the link's joint [m].
lim_code lim_body_flexible(lim_body **out, const lim_link *link, const lim_mesh *mesh,
                           const lim_basis_matrix *shapes, double start, bool stiffening, lim_error *err);

// A rigid body: the link's body and concentrated masses (a link without beam).
lim_code lim_body_rigid(lim_body **out, const lim_link *link, lim_error *err);
void lim_body_free(lim_body *body);

// How the section at a fraction of the mesh moves. Memory from the arena.
lim_code lim_body_section(lim_section_motion *out, lim_arena *arena, const lim_mesh *mesh,
                          const lim_basis_matrix *shapes, double fraction, bool stiffening, lim_error *err);

#endif

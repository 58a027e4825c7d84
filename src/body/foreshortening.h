// foreshortening.h - how the axis of a reduced basis shortens, gathered over its points. Theory:
// docs/theory/body.md.
//
// A point of the axis moves along x by eta'H eta/2 beside N eta. The products of two coordinates in it are the
// same at all points, sigma_k = eta_i eta_j: the point moves by sum psi_k sigma_k, and all that inertia needs
// are sums over the points. Nothing is left out.
#ifndef LIM_BODY_FORESHORTENING_H
#define LIM_BODY_FORESHORTENING_H

#include "base/arena.h"

#include <stdbool.h>

// A point that moves by eta'H eta/2 beside N eta, on some of the coordinates.
typedef struct {
  double w, X[3];
  int first, count;
  double *N;     // (3 x count by rows)
  bool moves[3]; // rows of N that are not 0
  double *H[3];  // symmetric; NULL: 0   (count x count)
} lim_body_point;

typedef struct {
  int count;      // products of two coordinates; 0: not gathered
  int (*pair)[2]; // their coordinates                                       (count)
  double *mass;   // sum w psi                                               (count)
  double *moment; // sum w X psi                                             (count)
  double *square; // sum w psi psi'                                          (count x count)
  int columns[3];
  int *column[3];   // coordinates that move the axis in x, y, z              (columns)
  double *cross[3]; // sum w N psi                                           (columns x count by rows)
  // where every product of two coordinates is there, as of modes that all bend in one plane; else NULL
  double *block;    // sum w (H eta)_i (H eta)_j by the products, j <= i     (n (n + 1)/2 x count by rows)
  double *draw;     // sum w (H eta)_i by the coordinates                    (n x n)
  double *lever[3]; // sum w (N_i psi - N eta (H eta)_i) by the products, along y and z   (n x count by rows)
} lim_body_foreshortening;

// Gather points of the axis that all move by the n coordinates and along x only. Where there are more products
// than it pays for, out->count stays 0. False: out of memory.
bool lim_body_gather(lim_body_foreshortening *out, lim_arena *arena, const lim_body_point *point, int npoint,
                     int n);

#endif

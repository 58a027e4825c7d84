// holding.h - what holds released joints: the softest motions of an arm about an equilibrium. Theory:
// docs/theory/statics.md, "Released joints".
#ifndef LIM_ANALYSIS_STATICS_RELEASED_HOLDING_H
#define LIM_ANALYSIS_STATICS_RELEASED_HOLDING_H

#include "base/arena.h"
#include "base/error.h"

// Of a motion: K brings it back, drives it away, or does neither.
typedef enum { LIM_HELD, LIM_UNSTABLE, LIM_NEUTRAL } lim_hold;

// Motions x of the unknowns with K x = lambda M x, as far as they are motions of the released joints with the
// links following at rest.
typedef struct {
  int m, count, unstable, neutral; // how many of them are that
  lim_hold *hold;                  // (count)
  double *lambda;                  // ascending [1/s^2]                         (count)
  double *weight;                  // the same if K were the weights' alone     (count)
  double *x;                       // x'M x = 1                                 (m x count by columns)
} lim_holding;

// K and M (m x m, K of any kind: that of controllers is not symmetric); N (m x free): the motions that loops
// leave; joint (njoint): the released ones among the unknowns, and their unit: 1 rad, or the size of the arm
// [m]; shift [1/s^2]: with it K is positive. Of the arm: weight, its weights and loads times its size [N m];
// springs, their stiffness times its square [N m]: both are what rounding in K is measured by. Memory from the
// arena.
typedef struct {
  const double *K, *M, *N;
  int m, free;
  const int *joint;
  const double *unit;
  int njoint;
  double shift, weight, springs;
} lim_holding_of_what;
lim_code lim_holding_of(lim_holding *out, const lim_holding_of_what *of, lim_arena *arena, lim_error *err);

#endif

// holding.h - what holds released joints: the softest motions of an arm about an equilibrium. Theory:
// docs/theory/statics.md, "Released joints".
#ifndef LIM_ANALYSIS_STATICS_HOLDING_H
#define LIM_ANALYSIS_STATICS_HOLDING_H

#include "base/arena.h"
#include "base/error.h"

// Motions x of the unknowns with K x = lambda M x, as far as they are motions of the released joints with the
// links following at rest. Up to `unstable` lambda is negative, then nothing holds `neutral` of them.
typedef struct {
  int m, count, unstable, neutral;
  double *lambda; // ascending [1/s^2]                     (count)
  double *x;      // x'M x = 1                             (m x count by columns)
  double scale;   // what lambda is small against [1/s^2]
} lim_holding;

// K and M (m x m, K of any kind, of which the symmetric part counts); N (m x free): the motions that loops
// leave; joint (njoint): the released ones among the unknowns; shift [1/s^2]: with it K is positive; least
// [1/s^2]: of the scale. Memory from the arena.
typedef struct {
  const double *K, *M, *N;
  int m, free;
  const int *joint;
  int njoint;
  double shift, least;
} lim_holding_of_what;
lim_code lim_holding_of(lim_holding *out, const lim_holding_of_what *of, lim_arena *arena, lim_error *err);

#endif

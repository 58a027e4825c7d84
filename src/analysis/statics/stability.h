// stability.h - whether an arm stays in an equilibrium. Theory: docs/theory/statics.md, "Stability".
#ifndef LIM_ANALYSIS_STATICS_STABILITY_H
#define LIM_ANALYSIS_STATICS_STABILITY_H

#include "base/error.h"

#include <stdbool.h>

typedef struct {
  bool diverges;    // M z'' + A z = 0 has a solution that grows without swinging: the arm leaves
  bool passed_zero; // det A < 0: an odd number of them, which no flutter turned into
  bool slow;        // it grows slower than anything swings: a stiffness is about to pass 0
  double ratio;     // damping ratio below which it flutters; 0: it does not
  double frequency; // of that [Hz]
} lim_stability;

// What needs no mass matrix: whether the symmetric part of A (n x n, not changed) is positive, so that nothing
// diverges; *odd: A is not symmetric by more than rounding. scratch (n x n)
bool lim_stability_definite(bool *odd, const double *A, int n, double *scratch);

// From the lowest eigenvalues of M z'' + A z = 0, A of any kind; A (n x n) is destroyed.
lim_code lim_stability_of(lim_stability *out, double *A, const double *M, int n, lim_error *err);

#endif

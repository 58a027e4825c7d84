// lu.h - small dense systems of equations: factors with row pivots, in place. Nothing allocates.
#ifndef LIM_MATH_LU_H
#define LIM_MATH_LU_H

#include <math.h>
#include <stdbool.h>

// A (n x n by rows) = P L U; false: singular.
static inline bool lim_lu_factor(double *A, int *pivot, int n) {
  for (int j = 0; j < n; j++) {
    int best = j;
    for (int i = j + 1; i < n; i++)
      if (fabs(A[i * n + j]) > fabs(A[best * n + j])) best = i;
    pivot[j] = best;
    if (!(fabs(A[best * n + j]) > 0)) return false;
    for (int k = 0; k < n && best != j; k++) {
      double x = A[j * n + k];
      A[j * n + k] = A[best * n + k];
      A[best * n + k] = x;
    }
    for (int i = j + 1; i < n; i++) {
      double f = A[i * n + j] /= A[j * n + j];
      for (int k = j + 1; k < n && f != 0; k++) A[i * n + k] -= f * A[j * n + k];
    }
  }
  return true;
}

// x (n) := A^-1 x
static inline void lim_lu_solve(double *x, const double *A, const int *pivot, int n) {
  for (int i = 0; i < n; i++) {
    double y = x[pivot[i]];
    x[pivot[i]] = x[i];
    x[i] = y;
  }
  for (int i = 1; i < n; i++)
    for (int k = 0; k < i; k++) x[i] -= A[i * n + k] * x[k];
  for (int i = n - 1; i >= 0; i--) {
    for (int k = i + 1; k < n; k++) x[i] -= A[i * n + k] * x[k];
    x[i] /= A[i * n + i];
  }
}

#endif

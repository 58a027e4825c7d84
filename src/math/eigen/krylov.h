// krylov.h - linear systems and eigenvalues of matrices that are known by their products only. Theory:
// docs/theory/statics.md, "Stability".
#ifndef LIM_MATH_EIGEN_KRYLOV_H
#define LIM_MATH_EIGEN_KRYLOV_H

#include "base/error.h"

#include <stdbool.h>

typedef void lim_linear_map(double *y, const double *x, void *context); // y (n) = A x

// x (n) with A x = b by generalised minimal residuals, at most `most` products. *left: the residual that is
// left, relative to b.
lim_code lim_gmres(double *x, double *left, lim_linear_map *A, void *context, const double *b, int n, int max,
                   double tolerance, lim_error *err);

typedef struct {
  double re, im;
  double error; // bound of the residual, relative to the size of the eigenvalue
} lim_ritz;

// Eigenvalues of A from `most` products with a vector that favours none, those of largest size first and best:
// out (most), their number into *found. B: the inner product x'B y, symmetric, semidefinite where A makes 0 of
// what it does not see; NULL: 1.
lim_code lim_arnoldi(lim_ritz *out, int *found, lim_linear_map *A, lim_linear_map *B, void *context, int n,
                     int max, lim_error *err);

#endif

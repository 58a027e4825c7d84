// exponential.h - exp(A t) of a matrix.
#ifndef LIM_MATH_EIGEN_EXPONENTIAL_H
#define LIM_MATH_EIGEN_EXPONENTIAL_H

#include "base/error.h"

// E (n x n) = exp(A t), A (n x n), both by columns.
lim_code lim_exponential(double *E, const double *A, double t, int n, lim_error *err);

#endif

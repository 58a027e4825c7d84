// null_space.h - directions along which linear constraints hold.
#ifndef LIM_MATH_NULL_SPACE_H
#define LIM_MATH_NULL_SPACE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

// N (n x n by columns): the first *free columns are an orthonormal basis of all x with G x = 0, G (rows x n by
// rows). Rows that follow from others are found (relative 1e-9).
lim_code lim_null_space(double *N, int *free, const double *G, int rows, int n, lim_error *err);

// The same in memory that is there (lim_null_space_size); false: LAPACK would not.
size_t lim_null_space_size(int rows, int n);
bool lim_null_space_in(double *N, int *free, const double *G, int rows, int n, double *scratch);

// C (m x m) = N'A N, A (n x n), N (n x m); C may be A. scratch (n m)
void lim_project(double *C, const double *A, const double *N, int n, int m, double *scratch);

#endif

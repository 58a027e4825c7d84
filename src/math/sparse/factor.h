// factor.h - factors and modes of large symmetric sparse matrices, by MUMPS and ARPACK, which are loaded when
// they are first needed. Neither is safe in threads: one lock for both, held during each call, so that factors
// may be used from any thread.
#ifndef LIM_MATH_SPARSE_FACTOR_H
#define LIM_MATH_SPARSE_FACTOR_H

#include "base/error.h"
#include "math/sparse/symmetric.h"

// A = L D L' with pivots that may be negative: by Sylvester's law of inertia they count the negative
// eigenvalues.
typedef struct lim_factor lim_factor;

// On success the caller owns *out. LIM_FAILED: it cannot be factored; LIM_IO: there is no MUMPS on this
// machine. A singular matrix is factored: lim_factor_null counts the pivots that are 0 (rows that elimination
// leaves below 1e-12 of the scaled matrix), and solve takes 1 for them, which gives one of the solutions where
// there is one. Rounding hides some: of a long body that nothing holds a few of the six pivots come out as tiny
// ones of either sign, so that null + negative > 0 says that a matrix is not positive definite.
lim_code lim_factor_new(lim_factor **out, const lim_symmetric *A, lim_error *err);
void lim_factor_free(lim_factor *f);
int lim_factor_negative(const lim_factor *f);
int lim_factor_null(const lim_factor *f); // pivots that are 0, and which rows they stand in
int lim_factor_null_row(const lim_factor *f, int i);

// x (n x count by columns) := A^-1 x
lim_code lim_factor_solve(lim_factor *f, double *x, int count, lim_error *err);

// The `count` eigenvalues of K x = lambda M x nearest above sigma by ARPACK's shift and invert, of which
// `factor` is that of K - sigma M, perhaps bordered by constraints C x = 0 (rows n .. of the factor; then all x
// obey them). M may be singular: modes without mass are not found. lambda (count) ascends, x (n x count by
// columns) has x'M x = 1. Numbers do not depend on the machine beyond rounding; the start vector is fixed. Asks
// for fewer than n/2 modes; more: LIM_BAD_INPUT, take a dense solver. LIM_FAILED: fewer modes above sigma are
// there, or were found, than asked for. Modes of one frequency have any directions that are orthonormal by M.
lim_code lim_sparse_modes(double *lambda, double *x, lim_factor *factor, double sigma, const lim_symmetric *M,
                          int count, lim_error *err);

#endif

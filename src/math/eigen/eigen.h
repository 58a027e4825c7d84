// eigen.h - the lowest modes of K x = lambda M x. Theory: docs/theory/beam.md (31)-(35).
#ifndef LIM_MATH_EIGEN_EIGEN_H
#define LIM_MATH_EIGEN_EIGEN_H

#include "base/error.h"

#include <stdbool.h>

// A mode counts as rigid when |x'K x| is at most this part of sum |x_i K_ij x_j|: what is left is rounding.
#define LIM_EIGEN_RIGID 1e-13
// Also when |x'K x| is at most this part of the lowest elastic lambda: rigid motions as coordinates of their
// own.
#define LIM_EIGEN_NOISE 1e-20

typedef struct {
  int found; // modes returned; fewer than asked for where M is singular (massless coordinates)
  int rigid; // of these, the ones without stiffness; their lambda is exactly 0
} lim_eigen_count;

// The `count` lowest modes, lambda ascending (count), vectors by columns in x (n x count) with x'M x = 1.
// K and M are dense symmetric (n x n) and not changed. M is positive definite or semidefinite. K may be
// singular (rigid-body modes) and even indefinite (lambda < 0: unstable); it must be definite where there is
// no mass. x may be NULL.
typedef struct lim_eigen_work lim_eigen_work;
lim_code lim_eigen_lowest(double *lambda, double *x, lim_eigen_count *out, const double *K, const double *M,
                          int n, int count, lim_error *err);

// The same in memory that is there, of problems with up to n unknowns: never allocates.
lim_eigen_work *lim_eigen_work_new(int n); // NULL: out of memory
void lim_eigen_work_free(lim_eigen_work *w);
lim_code lim_eigen_lowest_in(double *lambda, double *x, lim_eigen_count *out, lim_eigen_work *w,
                             const double *K, const double *M, int n, int count, lim_error *err);

// Whether two lambda are one: a pair of modes whose directions are anybody's choice.
bool lim_eigen_same(double a, double b);

#endif

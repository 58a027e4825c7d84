// real_sums.h - sums and series over `real`, where the numbers have none of their own.
#ifndef LIM_DYNAMICS_NUMBER_REAL_SUMS_H
#define LIM_DYNAMICS_NUMBER_REAL_SUMS_H

#ifndef LIM_REAL
#include "dynamics/number/real_double.h"
#endif

#ifndef REAL_HAS_SUMS
// k . x
static inline real r_dot(const double *k, const real *x, int n) {
  real sum = r_of(0);
  for (int i = 0; i < n; i++) sum = r_fma(k[i], x[i], sum);
  return sum;
}

static inline real r_inner(const real *x, const real *y, int n) {
  real sum = r_of(0);
  for (int i = 0; i < n; i++) sum = r_add(sum, r_mul(x[i], y[i]));
  return sum;
}

// y += f k
static inline void r_add_row(real *y, real f, const double *k, int n) {
  for (int i = 0; i < n; i++) y[i] = r_fma(k[i], f, y[i]);
}

// y += f x
static inline void r_add_scaled(real *y, real f, const real *x, int n) {
  for (int i = 0; i < n; i++) y[i] = r_add(y[i], r_mul(f, x[i]));
}
#endif

// c[0] + c[1] s + ...
static inline real r_series(real s, const double *c, int n) {
  real sum = r_of(c[n - 1]);
  for (int i = n - 2; i >= 0; i--) sum = r_add(r_of(c[i]), r_mul(s, sum));
  return sum;
}

// sin(f)/f, (1 - cos f)/f^2, (f - sin f)/f^3 of f, as series in f^2: exact to rounding for f up to 1, far
// beyond what a small rotation may be.
enum { LIM_SERIES_TERMS = 9 };
static const double SINE_SERIES[LIM_SERIES_TERMS] = {1.0,
                                                     -1.0 / 6,
                                                     1.0 / 120,
                                                     -1.0 / 5040,
                                                     1.0 / 362880,
                                                     -1.0 / 39916800,
                                                     1.0 / 6227020800,
                                                     -1.0 / 1307674368e3,
                                                     1.0 / 355687428096e3};
static const double VERSINE_SERIES[LIM_SERIES_TERMS] = {1.0 / 2,
                                                        -1.0 / 24,
                                                        1.0 / 720,
                                                        -1.0 / 40320,
                                                        1.0 / 3628800,
                                                        -1.0 / 479001600,
                                                        1.0 / 87178291200,
                                                        -1.0 / 20922789888e3,
                                                        1.0 / 6402373705728e3};

#endif

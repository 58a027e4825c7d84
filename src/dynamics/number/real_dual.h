// real_dual.h - the numbers of the recursion as dual numbers a + e a', e^2 = 0: the second part of every result
// is its derivative along the second parts of the arguments, exact to rounding.
#ifndef LIM_DYNAMICS_NUMBER_REAL_DUAL_H
#define LIM_DYNAMICS_NUMBER_REAL_DUAL_H

#include "dynamics/number/dual.h"

#include <math.h>
#include <stdbool.h>

#define LIM_REAL

typedef lim_dual real;

static inline real r_of(double x) { return (real){x, 0}; }
static inline double r_value(real a) { return a.x; }
#define REAL_HAS_SLOPE
static inline real r_slope(real a) { return (real){0, a.d}; } // the derivative alone
static inline double r_derivative(real a) { return a.d; }
static inline double r_total(real a) { return a.x + a.d; }
static inline real r_add(real a, real b) { return (real){a.x + b.x, a.d + b.d}; }
static inline real r_sub(real a, real b) { return (real){a.x - b.x, a.d - b.d}; }
static inline real r_mul(real a, real b) { return (real){a.x * b.x, a.x * b.d + a.d * b.x}; }
static inline real r_div(real a, real b) { return (real){a.x / b.x, (a.d - a.x / b.x * b.d) / b.x}; }
static inline real r_neg(real a) { return (real){-a.x, -a.d}; }
static inline real r_scale(double k, real a) { return (real){k * a.x, k * a.d}; }
static inline real r_fma(double k, real a, real b) { return (real){k * a.x + b.x, k * a.d + b.d}; }
static inline real r_sin(real a) { return (real){sin(a.x), cos(a.x) * a.d}; }
static inline real r_cos(real a) { return (real){cos(a.x), -sin(a.x) * a.d}; }
static inline real r_sqrt(real a) { return (real){sqrt(a.x), a.d / (2 * sqrt(a.x))}; } // a > 0
static inline real r_atan2(real y, real x) {
  return (real){atan2(y.x, x.x), (x.x * y.d - y.x * x.d) / (x.x * x.x + y.x * y.x)};
}

// sin a and 1 - cos a
static inline void r_turn(real a, real *sine, real *versine) {
  real half = r_scale(0.5, a), s = r_sin(half), twice = r_scale(2, s);
  *sine = r_mul(twice, r_cos(half));
  *versine = r_mul(twice, s);
}

// Whether a rotation vector has one component that is not 0 for any state, and which: numbers cannot know.
static inline bool r_single(real x, real y, real z, real *f) {
  (void)x, (void)y, (void)z;
  *f = r_of(0);
  return false;
}

#endif

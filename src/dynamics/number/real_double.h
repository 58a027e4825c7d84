// real_double.h - the numbers of the recursion as doubles: every name below is the plain operation.
#ifndef LIM_DYNAMICS_NUMBER_REAL_DOUBLE_H
#define LIM_DYNAMICS_NUMBER_REAL_DOUBLE_H

#include <math.h>
#include <stdbool.h>

#define LIM_REAL

typedef double real;

static inline real r_of(double x) { return x; }
static inline double r_value(real a) { return a; }
static inline double r_total(real a) { return a; } // value and derivative together: a first-order expansion
static inline real r_add(real a, real b) { return a + b; }
static inline real r_sub(real a, real b) { return a - b; }
static inline real r_mul(real a, real b) { return a * b; }
static inline real r_div(real a, real b) { return a / b; }
static inline real r_neg(real a) { return -a; }
static inline real r_scale(double k, real a) { return k * a; }
static inline real r_fma(double k, real a, real b) { return k * a + b; } // k a + b
static inline real r_sin(real a) { return sin(a); }
static inline real r_cos(real a) { return cos(a); }
static inline real r_sqrt(real a) { return sqrt(a); }
static inline real r_atan2(real y, real x) { return atan2(y, x); }

// a < b ? less : otherwise
static inline real r_select(real a, real b, real less, real fallback) { return a < b ? less : fallback; }
static inline real r_exp(real a) { return exp(a); }
static inline real r_abs(real a) { return fabs(a); }

// --- sums over arrays, two products at a time ---

#define REAL_HAS_SUMS
typedef double real_pair __attribute__((vector_size(16), aligned(8), may_alias)); // at any address of doubles

static inline real_pair pair_at(const double *x) { return *(const real_pair *)x; }

// k . x
static inline real r_dot(const double *k, const real *x, int n) {
  if (n < 4) { // a few modes
    real few = n > 0 ? k[0] * x[0] : 0;
    if (n > 1) few += k[1] * x[1];
    return n > 2 ? few + k[2] * x[2] : few;
  }
  real_pair even = {0, 0}, odd = {0, 0};
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    even += pair_at(k + i) * pair_at(x + i);
    odd += pair_at(k + i + 2) * pair_at(x + i + 2);
  }
  if (i + 2 <= n) {
    even += pair_at(k + i) * pair_at(x + i);
    i += 2;
  }
  even += odd;
  real sum = even[0] + even[1];
  return i < n ? sum + k[i] * x[i] : sum;
}

static inline real r_inner(const real *x, const real *y, int n) { return r_dot(x, y, n); }

// y += f k, y += f x
static inline void r_add_row(real *y, real f, const double *k, int n) {
  const real_pair both = {f, f};
  int i = 0;
  for (; i + 2 <= n; i += 2) *(real_pair *)(y + i) += both * pair_at(k + i);
  if (i < n) y[i] += f * k[i];
}

static inline void r_add_scaled(real *y, real f, const real *x, int n) { r_add_row(y, f, x, n); }

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

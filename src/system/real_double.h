// real_double.h - the numbers of the recursion as doubles: every name below is the plain operation.
#ifndef LIM_SYSTEM_REAL_DOUBLE_H
#define LIM_SYSTEM_REAL_DOUBLE_H

#include <math.h>

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

#endif

// real3.h - vectors and matrices of three over `real`: of the real_*.h that was included before, else over
// doubles. Matrices are by rows.
#ifndef LIM_DYNAMICS_NUMBER_REAL3_H
#define LIM_DYNAMICS_NUMBER_REAL3_H

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
#endif

typedef struct {
  real x, y, z;
} r3;

typedef struct {
  r3 x, y, z; // rows
} r33;

static inline r3 v_of(const double a[3]) { return (r3){r_of(a[0]), r_of(a[1]), r_of(a[2])}; }
static inline r3 v_zero(void) { return (r3){r_of(0), r_of(0), r_of(0)}; }
static inline r3 v_add(r3 a, r3 b) { return (r3){r_add(a.x, b.x), r_add(a.y, b.y), r_add(a.z, b.z)}; }
static inline r3 v_sub(r3 a, r3 b) { return (r3){r_sub(a.x, b.x), r_sub(a.y, b.y), r_sub(a.z, b.z)}; }
static inline r3 v_neg(r3 a) { return (r3){r_neg(a.x), r_neg(a.y), r_neg(a.z)}; }
static inline r3 v_mul(real k, r3 a) { return (r3){r_mul(k, a.x), r_mul(k, a.y), r_mul(k, a.z)}; }
static inline r3 v_axpy(real k, r3 a, r3 b) { return v_add(v_mul(k, a), b); } // k a + b
static inline real v_dot(r3 a, r3 b) { return r_add(r_add(r_mul(a.x, b.x), r_mul(a.y, b.y)), r_mul(a.z, b.z)); }

static inline r3 v_cross(r3 a, r3 b) {
  return (r3){r_sub(r_mul(a.y, b.z), r_mul(a.z, b.y)), r_sub(r_mul(a.z, b.x), r_mul(a.x, b.z)),
              r_sub(r_mul(a.x, b.y), r_mul(a.y, b.x))};
}

// Constants times reals: zeros and ones fold away where reals are expressions.
static inline r3 v_scale(const double k[3], real a) {
  return (r3){r_scale(k[0], a), r_scale(k[1], a), r_scale(k[2], a)};
}
static inline real v_along(const double k[3], r3 a) {
  return r_fma(k[0], a.x, r_fma(k[1], a.y, r_scale(k[2], a.z)));
}

static inline r3 m_mul(r33 A, r3 b) { return (r3){v_dot(A.x, b), v_dot(A.y, b), v_dot(A.z, b)}; }

// A' b
static inline r3 m_mul_t(r33 A, r3 b) { return v_axpy(b.x, A.x, v_axpy(b.y, A.y, v_mul(b.z, A.z))); }

static inline r33 m_of(const double a[9]) { return (r33){v_of(a), v_of(a + 3), v_of(a + 6)}; }

static inline r33 m_transpose(r33 A) {
  return (r33){{A.x.x, A.y.x, A.z.x}, {A.x.y, A.y.y, A.z.y}, {A.x.z, A.y.z, A.z.z}};
}

// A B
static inline r33 m_product(r33 A, r33 B) { return (r33){m_mul_t(B, A.x), m_mul_t(B, A.y), m_mul_t(B, A.z)}; }

// A B of a constant B by rows
static inline r33 m_product_of(r33 A, const double B[9]) {
  r33 C = m_of(B);
  return m_product(A, C);
}

// 1 + s n~ + c n~ n~ for the rotation by an angle about the unit vector n: s = sin, c = 1 - cos.
static inline r33 m_turn(const double n[3], real s, real c) {
  double xy = n[0] * n[1], xz = n[0] * n[2], yz = n[1] * n[2];
  double xx = n[0] * n[0], yy = n[1] * n[1], zz = n[2] * n[2];
  real one = r_of(1);
  return (r33){{r_sub(one, r_scale(yy + zz, c)), r_sub(r_scale(xy, c), r_scale(n[2], s)),
                r_add(r_scale(xz, c), r_scale(n[1], s))},
               {r_add(r_scale(xy, c), r_scale(n[2], s)), r_sub(one, r_scale(xx + zz, c)),
                r_sub(r_scale(yz, c), r_scale(n[0], s))},
               {r_sub(r_scale(xz, c), r_scale(n[1], s)), r_add(r_scale(yz, c), r_scale(n[0], s)),
                r_sub(one, r_scale(xx + yy, c))}};
}

#endif

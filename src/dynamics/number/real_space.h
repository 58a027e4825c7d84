// real_space.h - vectors of the recursion in space, over `real`: of the real_*.h that was included before, else
// over doubles. Vectors proper (places, forces) are `vec`, those of rotations and moments `axial`, axes of one
// frame in another `rotation`; a twist or wrench is both, TWIST numbers. real_plane.h has the same names.
// Matrices are by rows. Theory: docs/theory/dynamics.md.
#ifndef LIM_DYNAMICS_NUMBER_REAL_SPACE_H
#define LIM_DYNAMICS_NUMBER_REAL_SPACE_H

#define LIM_VECTORS

#include "dynamics/number/real_sums.h"

enum { DIRECTIONS = 3, TURNS = 3, TWIST = 6 };

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

// --- vectors, axial vectors, axes ---

typedef r3 vec;
typedef r3 axial;
typedef r33 rotation;

static inline vec v_from(const real x[DIRECTIONS]) { return (vec){x[0], x[1], x[2]}; }
static inline vec v_times(const double k[3], vec a) {
  return (vec){r_scale(k[0], a.x), r_scale(k[1], a.y), r_scale(k[2], a.z)};
}
static inline axial w_of(const double a[3]) { return v_of(a); }
static inline axial w_from(const real x[TURNS]) { return (axial){x[0], x[1], x[2]}; }
static inline axial w_zero(void) { return v_zero(); }
static inline axial w_add(axial a, axial b) { return v_add(a, b); }
static inline axial w_sub(axial a, axial b) { return v_sub(a, b); }
static inline axial w_neg(axial a) { return v_neg(a); }
static inline axial w_mul(real k, axial a) { return v_mul(k, a); }
static inline axial w_axpy(real k, axial a, axial b) { return v_axpy(k, a, b); } // k a + b
static inline real w_dot(axial a, axial b) { return v_dot(a, b); }
static inline axial w_scale(const double k[3], real a) { return v_scale(k, a); }
static inline real w_along(const double k[3], axial a) { return v_along(k, a); }

static inline axial w_times(const double k[3], axial a) { return v_times(k, a); }

static inline vec w_cross(axial w, vec x) { return v_cross(w, x); }    // velocity of x by w
static inline axial v_moment(vec x, vec F) { return v_cross(x, F); }   // of a force at x
static inline axial w_gyro(axial a, axial b) { return v_cross(a, b); } // of two rotations

static inline rotation t_of(const double a[9]) { return m_of(a); }
static inline vec t_mul(rotation R, vec x) { return m_mul(R, x); }
static inline vec t_mul_t(rotation R, vec x) { return m_mul_t(R, x); }
static inline axial t_axial(rotation R, axial x) { return m_mul(R, x); }
static inline axial t_axial_t(rotation R, axial x) { return m_mul_t(R, x); }
static inline rotation t_product(rotation A, rotation B) { return m_product(A, B); }
static inline rotation t_back(rotation A, rotation B) { return m_product(m_transpose(A), B); } // A' B
// R and then a rotation about its own unit vector n: sine and 1 - cos
static inline rotation t_spun(rotation R, const double n[3], real sine, real versine) {
  return m_product(R, m_turn(n, sine, versine));
}

// Force, then moment; translation, then rotation.
static inline void pack(real out[TWIST], vec F, axial N) {
  out[0] = F.x, out[1] = F.y, out[2] = F.z;
  out[3] = N.x, out[4] = N.y, out[5] = N.z;
}
static inline vec v_part(const real *x) { return (vec){x[0], x[1], x[2]}; }
static inline axial w_part(const real *x) { return (axial){x[3], x[4], x[5]}; }

// As doubles.
static inline void v_read(double out[3], vec a) {
  out[0] = r_value(a.x), out[1] = r_value(a.y), out[2] = r_value(a.z);
}
static inline void w_read(double out[3], axial a) { v_read(out, a); }
static inline void t_read(double out[9], rotation R) {
  v_read(out, R.x);
  v_read(out + 3, R.y);
  v_read(out + 6, R.z);
}

// --- rotation by the elastic rotation vector ---

// sin(f)/f, (1 - cos f)/f^2, (f - sin f)/f^3 of a rotation by f, and the derivatives of the last two by f^2.
typedef struct {
  real a1, a2, a3, d2, d3;
} exp_coefficients;

typedef struct {
  axial theta;
  exp_coefficients k;
} elastic;

// In closed form about a fixed axis: for numbers that cancel the divisions.
static inline exp_coefficients turning_about(real f) {
  real one = r_of(1), s = r_mul(f, f), sine = r_sin(f), a1 = r_div(sine, f);
  real a2 = r_div(r_sub(one, r_cos(f)), s), a3 = r_div(r_sub(f, sine), r_mul(s, f));
  return (exp_coefficients){a1, a2, a3, r_div(r_sub(r_scale(0.5, a1), a2), s),
                            r_div(r_fma(-1.5, a3, r_scale(0.5, a2)), s)};
}

static inline exp_coefficients exp_coefficients_of(axial theta) {
  enum { TERMS = LIM_SERIES_TERMS };
  static const double c3[TERMS] = {1.0 / 6,
                                   -1.0 / 120,
                                   1.0 / 5040,
                                   -1.0 / 362880,
                                   1.0 / 39916800,
                                   -1.0 / 6227020800,
                                   1.0 / 1307674368e3,
                                   -1.0 / 355687428096e3,
                                   1.0 / 121645100408832e3};
  static const double e2[TERMS - 1] = {
      -1.0 / 24,        2.0 / 720,         -3.0 / 40320,         4.0 / 3628800,
      -5.0 / 479001600, 6.0 / 87178291200, -7.0 / 20922789888e3, 8.0 / 6402373705728e3};
  static const double e3[TERMS - 1] = {
      -1.0 / 120,        2.0 / 5040,         -3.0 / 362880,         4.0 / 39916800,
      -5.0 / 6227020800, 6.0 / 1307674368e3, -7.0 / 355687428096e3, 8.0 / 121645100408832e3};
  real s = v_dot(theta, theta), f;
  if (r_single(theta.x, theta.y, theta.z, &f)) return turning_about(f);
  return (exp_coefficients){r_series(s, SINE_SERIES, TERMS), r_series(s, VERSINE_SERIES, TERMS),
                            r_series(s, c3, TERMS), r_series(s, e2, TERMS - 1), r_series(s, e3, TERMS - 1)};
}

static inline elastic elastic_of(axial theta) { return (elastic){theta, exp_coefficients_of(theta)}; }

static inline elastic elastic_none(void) {
  return (elastic){v_zero(), {r_of(1), r_of(0.5), r_of(1.0 / 6), r_of(-1.0 / 24), r_of(-1.0 / 120)}};
}

// b + p t x b + q t x (t x b): with (a1, a2) the rotation E, with (a2, a3) its left Jacobian; -p transposes
// either.
static inline r3 polynomial(real p, real q, r3 t, r3 b) {
  r3 tb = v_cross(t, b);
  return v_axpy(p, tb, v_axpy(q, v_cross(t, tb), b));
}

// E x, of a place and of an axis; E A of constant axes A
static inline vec elastic_turned(const elastic *e, vec x) { return polynomial(e->k.a1, e->k.a2, e->theta, x); }
static inline axial elastic_axis(const elastic *e, axial x) {
  return polynomial(e->k.a1, e->k.a2, e->theta, x);
}
static inline rotation elastic_axes(const elastic *e, const double A[9]) {
  static const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  r33 E = m_of(unit); // its rows become E' e_i
  E.x = polynomial(r_neg(e->k.a1), e->k.a2, e->theta, E.x);
  E.y = polynomial(r_neg(e->k.a1), e->k.a2, e->theta, E.y);
  E.z = polynomial(r_neg(e->k.a1), e->k.a2, e->theta, E.z);
  return m_product_of(E, A);
}

// Rotation by a change of the rotation vector; and what a moment does on the rotation vector.
static inline axial elastic_by(const elastic *e, axial dt) {
  return polynomial(e->k.a2, e->k.a3, e->theta, dt);
}
static inline axial elastic_by_t(const elastic *e, axial N) {
  return polynomial(r_neg(e->k.a2), e->k.a3, e->theta, N);
}

// Angular velocity and acceleration of a section against its body, from the rates of its rotation vector.
static inline void elastic_rates(axial *w, axial *dw, const elastic *e, axial tv, axial ta) {
  const exp_coefficients *k = &e->k;
  r3 t = e->theta, cross = v_cross(t, tv), twice = v_cross(t, cross);
  real ds = r_scale(2, v_dot(t, tv));
  *w = v_axpy(k->a2, cross, v_axpy(k->a3, twice, tv));
  *dw = polynomial(k->a2, k->a3, t, ta);
  *dw = v_axpy(r_mul(k->d2, ds), cross, v_axpy(r_mul(k->d3, ds), twice, *dw));
  *dw = v_axpy(k->a3, v_cross(tv, cross), *dw);
}

// --- rotation vectors of any size ---

// angle/sin(angle) of a rotation by its sine times the axis, b, and its cosine.
static inline real angle_over_sine(r3 b, real cosine) {
  static const double c[7] = {1, 1.0 / 6, 3.0 / 40, 15.0 / 336, 105.0 / 3456, 945.0 / 42240, 10395.0 / 599040};
  real s = v_dot(b, b);
  if (r_value(s) < 1e-2 && r_value(cosine) > 0) return r_series(s, c, 7);
  real sine = r_sqrt(s);
  return r_div(r_atan2(sine, cosine), sine);
}

static inline axial turn_vector(rotation T) {
  r3 sine = {r_scale(0.5, r_sub(T.z.y, T.y.z)), r_scale(0.5, r_sub(T.x.z, T.z.x)),
             r_scale(0.5, r_sub(T.y.x, T.x.y))};
  real cosine = r_scale(0.5, r_sub(r_add(T.x.x, r_add(T.y.y, T.z.z)), r_of(1)));
  return v_mul(angle_over_sine(sine, cosine), sine);
}

// (1 - f/2 cot(f/2))/f^2, the last factor of the inverse of the left Jacobian.
static inline real inverse_factor(r3 vector) {
  static const double c[6] = {1.0 / 12,      1.0 / 720,        1.0 / 30240,
                              1.0 / 1209600, 1.0 / 47900160.0, 691.0 / 1307674368000.0};
  real s = v_dot(vector, vector);
  if (r_value(s) < 0.25) return r_series(s, c, 6);
  real half = r_scale(0.5, r_sqrt(s));
  return r_div(r_sub(r_of(1), r_div(r_mul(half, r_cos(half)), r_sin(half))), s);
}

// A moment on that rotation vector as one on the frame that turns.
static inline axial turn_moment(axial vector, axial N) {
  return polynomial(r_of(0.5), inverse_factor(vector), vector, N);
}

// --- inertia of a body about its origin ---

typedef r33 inertia; // symmetric

static inline r33 symmetric(r3 diagonal, r3 mixed) {
  return (r33){{diagonal.x, mixed.x, mixed.y}, {mixed.x, diagonal.y, mixed.z}, {mixed.y, mixed.z, diagonal.z}};
}

// xx yy zz xy xz yz
static inline inertia inertia_from(const double I[6]) { return symmetric(v_of(I), v_of(I + 3)); }
static inline axial inertia_by(inertia J, axial w) { return m_mul(J, w); }

// (x.x) 1 - x x'
static inline inertia inertia_at(vec x) {
  real xx = r_mul(x.x, x.x), yy = r_mul(x.y, x.y), zz = r_mul(x.z, x.z);
  return symmetric((r3){r_add(yy, zz), r_add(xx, zz), r_add(xx, yy)},
                   (r3){r_neg(r_mul(x.x, x.y)), r_neg(r_mul(x.x, x.z)), r_neg(r_mul(x.y, x.z))});
}

static inline inertia inertia_scaled(real k, inertia J) {
  return (inertia){v_mul(k, J.x), v_mul(k, J.y), v_mul(k, J.z)};
}
static inline inertia inertia_less(inertia A, inertia B) {
  return (inertia){v_sub(A.x, B.x), v_sub(A.y, B.y), v_sub(A.z, B.z)};
}

// --- inertia as a frame feels it: a symmetric 6 x 6 matrix ---

// By blocks of three: force and moment from acceleration and angular acceleration.
typedef struct {
  r33 aa, ar, rr; // the fourth block is ar'
} frame_inertia;

static inline r33 m_add(r33 A, r33 B) { return (r33){v_add(A.x, B.x), v_add(A.y, B.y), v_add(A.z, B.z)}; }
static inline r33 m_sub(r33 A, r33 B) { return (r33){v_sub(A.x, B.x), v_sub(A.y, B.y), v_sub(A.z, B.z)}; }
static inline r33 m_scaled(double k, r33 A) {
  return (r33){v_mul(r_of(k), A.x), v_mul(r_of(k), A.y), v_mul(r_of(k), A.z)};
}
// R A R'
static inline r33 m_turned(r33 R, r33 A) { return m_product(m_product(R, A), m_transpose(R)); }
// A x~, row by row: (A x~)_i = A_i x x
static inline r33 m_times_skew(r33 A, r3 x) { return (r33){v_cross(A.x, x), v_cross(A.y, x), v_cross(A.z, x)}; }
// x~ A = -(A' x~)'
static inline r33 m_skew_times(r3 x, r33 A) {
  r33 B = m_times_skew(m_transpose(A), x);
  return m_transpose((r33){v_neg(B.x), v_neg(B.y), v_neg(B.z)});
}

// A -= x y'
static inline void m_take_outer(r33 *A, r3 x, r3 y) {
  A->x = v_sub(A->x, v_mul(x.x, y));
  A->y = v_sub(A->y, v_mul(x.y, y));
  A->z = v_sub(A->z, v_mul(x.z, y));
}

static inline frame_inertia frame_none(void) {
  static const double none[9] = {0};
  return (frame_inertia){m_of(none), m_of(none), m_of(none)};
}

// I += a mass, its first moment d, inertia about the origin
static inline void frame_add(frame_inertia *I, real m, vec d, inertia J) {
  real zero = r_of(0);
  I->aa = m_add(I->aa, (r33){{m, zero, zero}, {zero, m, zero}, {zero, zero, m}});
  I->ar = m_add(I->ar, (r33){{zero, d.z, r_neg(d.y)}, {r_neg(d.z), zero, d.x}, {d.y, r_neg(d.x), zero}});
  I->rr = m_add(I->rr, J);
}

static inline void frame_times(vec *F, axial *N, const frame_inertia *I, vec a, axial alpha) {
  *F = v_add(m_mul(I->aa, a), m_mul(I->ar, alpha));
  *N = v_add(m_mul_t(I->ar, a), m_mul(I->rr, alpha));
}

// The inertia in the parent's axes, about the same point.
static inline frame_inertia frame_turned(rotation R, const frame_inertia *I) {
  return (frame_inertia){m_turned(R, I->aa), m_turned(R, I->ar), m_turned(R, I->rr)};
}

// parent += the inertia seen from a point at -x: a_here = a + alpha x x, N += x x F.
static inline void frame_add_moved(frame_inertia *parent, const frame_inertia *I, vec x) {
  r33 ar = m_sub(I->ar, m_times_skew(I->aa, x)); // F by alpha: ar - aa x~
  r33 rr = m_add(m_sub(I->rr, m_times_skew(m_transpose(I->ar), x)), m_skew_times(x, ar));
  parent->aa = m_add(parent->aa, I->aa);
  parent->ar = m_add(parent->ar, ar);
  parent->rr = m_add(parent->rr, rr);
}

// I += k n n' on the rotations
static inline void frame_add_about(frame_inertia *I, real k, axial n) {
  m_take_outer(&I->rr, v_mul(r_neg(k), n), n);
}

// I -= C'Y, which is symmetric; C and Y (n x 6)
static inline void frame_reduce(frame_inertia *I, const real *C, const real *Y, int n) {
  frame_inertia sum = *I;
  for (int k = 0; k < n; k++, C += TWIST, Y += TWIST) {
    r3 ca = v_part(C), cr = w_part(C), ya = v_part(Y), yr = w_part(Y);
    m_take_outer(&sum.aa, ca, ya);
    m_take_outer(&sum.ar, ca, yr);
    m_take_outer(&sum.rr, cr, yr);
  }
  *I = sum;
}

#endif

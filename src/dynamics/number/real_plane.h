// real_plane.h - vectors of the recursion in the x-y plane that all bodies share, over `real`: the names of
// real_space.h, with what leaves the plane left out. A rotation is an angle about z, of which cosine and sine
// count. Theory: docs/theory/dynamics.md.
#ifndef LIM_DYNAMICS_NUMBER_REAL_PLANE_H
#define LIM_DYNAMICS_NUMBER_REAL_PLANE_H

#define LIM_VECTORS
#define LIM_PLANE

#include "dynamics/number/real_sums.h"

enum { DIRECTIONS = 2, TURNS = 1, TWIST = 3 };

// --- vectors, axial vectors, axes ---

typedef struct {
  real x, y;
} vec;

typedef struct {
  real z;
} axial;

typedef struct {
  real c, s;
} rotation;

static inline vec v_of(const double a[3]) { return (vec){r_of(a[0]), r_of(a[1])}; }
static inline vec v_from(const real x[DIRECTIONS]) { return (vec){x[0], x[1]}; }
static inline vec v_zero(void) { return (vec){r_of(0), r_of(0)}; }
static inline vec v_add(vec a, vec b) { return (vec){r_add(a.x, b.x), r_add(a.y, b.y)}; }
static inline vec v_sub(vec a, vec b) { return (vec){r_sub(a.x, b.x), r_sub(a.y, b.y)}; }
static inline vec v_neg(vec a) { return (vec){r_neg(a.x), r_neg(a.y)}; }
static inline vec v_mul(real k, vec a) { return (vec){r_mul(k, a.x), r_mul(k, a.y)}; }
static inline vec v_axpy(real k, vec a, vec b) { return v_add(v_mul(k, a), b); } // k a + b
static inline real v_dot(vec a, vec b) { return r_add(r_mul(a.x, b.x), r_mul(a.y, b.y)); }
static inline real v_along(const double k[3], vec a) { return r_fma(k[0], a.x, r_scale(k[1], a.y)); }

static inline vec v_times(const double k[3], vec a) { return (vec){r_scale(k[0], a.x), r_scale(k[1], a.y)}; }

static inline axial w_of(const double a[3]) { return (axial){r_of(a[2])}; }
static inline axial w_from(const real x[TURNS]) { return (axial){x[0]}; }
static inline axial w_zero(void) { return (axial){r_of(0)}; }
static inline axial w_add(axial a, axial b) { return (axial){r_add(a.z, b.z)}; }
static inline axial w_sub(axial a, axial b) { return (axial){r_sub(a.z, b.z)}; }
static inline axial w_neg(axial a) { return (axial){r_neg(a.z)}; }
static inline axial w_mul(real k, axial a) { return (axial){r_mul(k, a.z)}; }
static inline axial w_axpy(real k, axial a, axial b) { return w_add(w_mul(k, a), b); } // k a + b
static inline real w_dot(axial a, axial b) { return r_mul(a.z, b.z); }
static inline axial w_scale(const double k[3], real a) { return (axial){r_scale(k[2], a)}; }
static inline real w_along(const double k[3], axial a) { return r_scale(k[2], a.z); }

static inline axial w_times(const double k[3], axial a) { return w_scale(k, a.z); }

static inline vec w_cross(axial w, vec x) { // velocity of x by w
  return (vec){r_neg(r_mul(w.z, x.y)), r_mul(w.z, x.x)};
}
static inline axial v_moment(vec x, vec F) { // of a force at x
  return (axial){r_sub(r_mul(x.x, F.y), r_mul(x.y, F.x))};
}
static inline axial w_gyro(axial a, axial b) { // of two rotations: about one axis
  (void)a, (void)b;
  return w_zero();
}

static inline rotation t_of(const double a[9]) { return (rotation){r_of(a[0]), r_of(a[3])}; }
static inline vec t_mul(rotation R, vec x) {
  return (vec){r_sub(r_mul(R.c, x.x), r_mul(R.s, x.y)), r_add(r_mul(R.s, x.x), r_mul(R.c, x.y))};
}
static inline vec t_mul_t(rotation R, vec x) {
  return (vec){r_add(r_mul(R.c, x.x), r_mul(R.s, x.y)), r_sub(r_mul(R.c, x.y), r_mul(R.s, x.x))};
}
static inline axial t_axial(rotation R, axial x) {
  (void)R;
  return x;
}
static inline axial t_axial_t(rotation R, axial x) { return t_axial(R, x); }
static inline rotation t_product(rotation A, rotation B) {
  return (rotation){r_sub(r_mul(A.c, B.c), r_mul(A.s, B.s)), r_add(r_mul(A.s, B.c), r_mul(A.c, B.s))};
}
static inline rotation t_back(rotation A, rotation B) { // A' B
  return (rotation){r_add(r_mul(A.c, B.c), r_mul(A.s, B.s)), r_sub(r_mul(A.c, B.s), r_mul(A.s, B.c))};
}
// R and then a rotation about n, which is z or -z: sine and 1 - cos
static inline rotation t_spun(rotation R, const double n[3], real sine, real versine) {
  return t_product(R, (rotation){r_sub(r_of(1), versine), r_scale(n[2], sine)});
}

// Force, then moment; translation, then rotation.
static inline void pack(real out[TWIST], vec F, axial N) { out[0] = F.x, out[1] = F.y, out[2] = N.z; }
static inline vec v_part(const real *x) { return (vec){x[0], x[1]}; }
static inline axial w_part(const real *x) { return (axial){x[2]}; }

// As doubles, in space.
static inline void v_read(double out[3], vec a) { out[0] = r_value(a.x), out[1] = r_value(a.y), out[2] = 0; }
static inline void w_read(double out[3], axial a) { out[0] = out[1] = 0, out[2] = r_value(a.z); }
static inline void t_read(double out[9], rotation R) {
  const double c = r_value(R.c), s = r_value(R.s), full[9] = {c, -s, 0, s, c, 0, 0, 0, 1};
  for (int i = 0; i < 9; i++) out[i] = full[i];
}

// --- rotation by the elastic rotation angle ---

typedef rotation elastic;

static inline elastic elastic_of(axial theta) {
  real s = r_mul(theta.z, theta.z);
  return (elastic){r_sub(r_of(1), r_mul(s, r_series(s, VERSINE_SERIES, LIM_SERIES_TERMS))),
                   r_mul(theta.z, r_series(s, SINE_SERIES, LIM_SERIES_TERMS))};
}
static inline elastic elastic_none(void) { return (elastic){r_of(1), r_of(0)}; }

// E x, of a place and of an axis; E A of constant axes A
static inline vec elastic_turned(const elastic *e, vec x) { return t_mul(*e, x); }
static inline axial elastic_axis(const elastic *e, axial x) { return t_axial(*e, x); }
static inline rotation elastic_axes(const elastic *e, const double A[9]) { return t_product(*e, t_of(A)); }

// Rotation by a change of the angle; and what a moment does on the angle.
static inline axial elastic_by(const elastic *e, axial dt) { return t_axial(*e, dt); }
static inline axial elastic_by_t(const elastic *e, axial N) { return t_axial(*e, N); }

// Angular velocity and acceleration of a section against its body, from the rates of its angle.
static inline void elastic_rates(axial *w, axial *dw, const elastic *e, axial tv, axial ta) {
  *w = elastic_by(e, tv);
  *dw = elastic_by(e, ta);
}

// --- rotation vectors of any size ---

static inline axial turn_vector(rotation T) { return (axial){r_atan2(T.s, T.c)}; }

// A moment on that rotation vector as one on the frame that turns.
static inline axial turn_moment(axial vector, axial N) {
  (void)vector;
  return N;
}

// --- inertia of a body about its origin ---

typedef real inertia; // about z

static inline inertia inertia_from(const double I[6]) { return r_of(I[2]); }
static inline axial inertia_by(inertia J, axial w) { return w_mul(J, w); }
static inline inertia inertia_at(vec x) { return v_dot(x, x); }

static inline inertia inertia_scaled(real k, inertia J) { return r_mul(k, J); }
static inline inertia inertia_less(inertia A, inertia B) { return r_sub(A, B); }

// --- inertia as a frame feels it: a symmetric 3 x 3 matrix ---

typedef struct {
  real xx, xy, yy; // force by acceleration
  vec ar;          // force by angular acceleration, moment by acceleration
  real rr;
} frame_inertia;

static inline vec v_across(vec x) { return (vec){r_neg(x.y), x.x}; } // z x x

static inline vec frame_force(const frame_inertia *I, vec a) {
  return (vec){r_add(r_mul(I->xx, a.x), r_mul(I->xy, a.y)), r_add(r_mul(I->xy, a.x), r_mul(I->yy, a.y))};
}

static inline frame_inertia frame_none(void) {
  real zero = r_of(0);
  return (frame_inertia){zero, zero, zero, v_zero(), zero};
}

// I += a mass, its first moment d, inertia about the origin
static inline void frame_add(frame_inertia *I, real m, vec d, inertia J) {
  I->xx = r_add(I->xx, m);
  I->yy = r_add(I->yy, m);
  I->ar = v_add(I->ar, v_across(d));
  I->rr = r_add(I->rr, J);
}

static inline void frame_times(vec *F, axial *N, const frame_inertia *I, vec a, axial alpha) {
  *F = v_axpy(alpha.z, I->ar, frame_force(I, a));
  *N = (axial){r_add(v_dot(I->ar, a), r_mul(I->rr, alpha.z))};
}

// The inertia in the parent's axes, about the same point.
static inline frame_inertia frame_turned(rotation R, const frame_inertia *I) {
  vec x = t_mul(R, (vec){I->xx, I->xy}), y = t_mul(R, (vec){I->xy, I->yy}); // columns of R aa
  vec top = t_mul(R, (vec){x.x, y.x}), low = t_mul(R, (vec){x.y, y.y});     // rows of R aa R'
  return (frame_inertia){top.x, top.y, low.y, t_mul(R, I->ar), I->rr};
}

// parent += the inertia seen from a point at -x: a_here = a + alpha x x, N += x x F.
static inline void frame_add_moved(frame_inertia *parent, const frame_inertia *I, vec x) {
  vec p = v_across(x), ar = v_add(I->ar, frame_force(I, p));
  parent->xx = r_add(parent->xx, I->xx);
  parent->xy = r_add(parent->xy, I->xy);
  parent->yy = r_add(parent->yy, I->yy);
  parent->ar = v_add(parent->ar, ar);
  parent->rr = r_add(parent->rr, r_add(I->rr, v_dot(p, v_add(I->ar, ar))));
}

// I += k n n' on the rotations
static inline void frame_add_about(frame_inertia *I, real k, axial n) {
  I->rr = r_add(I->rr, r_mul(k, r_mul(n.z, n.z)));
}

// I -= C'Y, which is symmetric; C and Y (n x 3)
static inline void frame_reduce(frame_inertia *I, const real *C, const real *Y, int n) {
  frame_inertia sum = *I;
  for (int k = 0; k < n; k++, C += TWIST, Y += TWIST) {
    sum.xx = r_sub(sum.xx, r_mul(C[0], Y[0]));
    sum.xy = r_sub(sum.xy, r_mul(C[0], Y[1]));
    sum.yy = r_sub(sum.yy, r_mul(C[1], Y[1]));
    sum.ar.x = r_sub(sum.ar.x, r_mul(C[0], Y[2]));
    sum.ar.y = r_sub(sum.ar.y, r_mul(C[1], Y[2]));
    sum.rr = r_sub(sum.rr, r_mul(C[2], Y[2]));
  }
  *I = sum;
}

#endif

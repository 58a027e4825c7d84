// slide_fixture.h - a beam that slides out of a guide, solved without the engine in two ways.
//
// 1. The equation of the moving beam, Galerkin on the normalised length. x is the distance from the guide, l(t)
// the
//    length beyond it, m a mass at the tip, g a field across the beam:
//      rho A (v_tt + 2 l' v_xt + l'^2 v_xx + l'' v_x) + EI v_xxxx - (P v_x)_x = -rho A g,
//      P = -(rho A (l - x) + m) l''.
// 2. Lagrange's equations of the beam and of what carries it: angle of the guide, length beyond it, deflection.
// The
//    axis keeps its length to second order: a point at the distance s along the beam is at
//      (s - 1/2 int_0^s v_s^2 ds, v(s)),
//    which moves along with the beam, so that its velocity contains the transport. The part behind is straight.
//
// Shapes are powers of xi = x/l. Neither uses anything of src/.
#ifndef SLIDE_FIXTURE_H
#define SLIDE_FIXTURE_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

#ifndef SHAPES
#define SHAPES 6 // more are more accurate, and stiffer
#endif
enum { POINTS = 10, SLIDE_ALL = 2 + SHAPES };

typedef struct {
  double EI, rho_A, length; // of the whole beam
  double mass;              // at its tip
  double g;                 // along -y
  double hub;               // inertia of the guide about its axis
} slide_beam;

// Position, speed, acceleration of a guide or slide in time.
typedef struct {
  double x, v, a;
} slide_course;

// From `from` at the speed `rate`; with a duration: by `rate` times it, on a cycloid.
typedef struct {
  double from, rate, duration;
} slide_stroke;

static inline slide_course slide_at(slide_stroke s, double t) {
  if (!(s.duration > 0)) return (slide_course){s.from + s.rate * t, s.rate, 0};
  double way = s.rate * s.duration, w = 2 * M_PI / s.duration;
  if (t >= s.duration) return (slide_course){s.from + way, 0, 0};
  return (slide_course){s.from + s.rate * t - way * sin(w * t) / (2 * M_PI), s.rate * (1 - cos(w * t)),
                        s.rate * w * sin(w * t)};
}

// --- shapes and quadrature ---

// Gauss points on 0..1: two stretches of five.
static inline void slide_point(int i, double *xi, double *weight) {
  static const double X[5] = {0, 0.5384693101056830910, -0.5384693101056830910, 0.9061798459386639928,
                              -0.9061798459386639928},
                      W[5] = {0.5688888888888888889, 0.4786286704993664680, 0.4786286704993664680,
                              0.2369268850561890875, 0.2369268850561890875};
  *xi = (i / 5 + (1 + X[i % 5]) / 2) / 2;
  *weight = W[i % 5] / 4;
}

// xi^(k+2) and its derivatives.
static inline double slide_shape(int k, double xi, int derivative) {
  double p = k + 2, factor[3] = {1, p, p * (p - 1)}, x = factor[derivative];
  for (int i = derivative; i < k + 2; i++) x *= xi;
  return x;
}

// What the Gauss points and the tip, the last, have at all times: computed once.
typedef struct {
  double xi, weight, shape[3][SHAPES]; // shapes and their derivatives
  double shortening[SHAPES][SHAPES];   // int_0^xi phi_i' phi_j'
} slide_place;

static inline const slide_place *slide_places(void) {
  static slide_place place[POINTS + 1];
  for (int p = 0; place[POINTS].xi == 0 && p <= POINTS; p++) {
    slide_place *x = &place[p];
    x->xi = 1;
    if (p < POINTS) slide_point(p, &x->xi, &x->weight);
    for (int i = 0; i < SHAPES; i++) {
      for (int d = 0; d < 3; d++) x->shape[d][i] = slide_shape(i, x->xi, d);
      for (int j = 0; j < SHAPES; j++)
        x->shortening[i][j] = (i + 2.0) * (j + 2) / (i + j + 3) * pow(x->xi, i + j + 3);
    }
  }
  return place;
}

static inline double slide_bending(int i, int j) { // int phi_i'' phi_j''
  return (i + 2.0) * (i + 1) * (j + 2) * (j + 1) / (i + j + 1);
}

// A x = b by elimination with pivots; both are overwritten.
static inline void slide_solve(double *A, double *b, int n) {
  for (int k = 0; k < n; k++) {
    int p = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(A[i * n + k]) > fabs(A[p * n + k])) p = i;
    for (int j = 0; j < n; j++) {
      double swap = A[k * n + j];
      A[k * n + j] = A[p * n + j];
      A[p * n + j] = swap;
    }
    double swap = b[k];
    b[k] = b[p];
    b[p] = swap;
    for (int i = k + 1; i < n; i++) {
      double f = A[i * n + k] / A[k * n + k];
      for (int j = k; j < n; j++) A[i * n + j] -= f * A[k * n + j];
      b[i] -= f * b[k];
    }
  }
  for (int k = n - 1; k >= 0; k--) {
    for (int j = k + 1; j < n; j++) b[k] -= A[k * n + j] * b[j];
    b[k] /= A[k * n + k];
  }
}

// One step of Runge and Kutta's method. y (n), at most 2 SLIDE_ALL
typedef void (*slide_rate)(double *dy, const double *y, double t, const void *data);

static inline void slide_step(double *y, int n, double t, double h, slide_rate f, const void *data) {
  double k[4][2 * SLIDE_ALL], at[2 * SLIDE_ALL];
  static const double C[4] = {0, 0.5, 0.5, 1};
  for (int s = 0; s < 4; s++) {
    for (int i = 0; i < n; i++) at[i] = y[i] + (s ? h * C[s] * k[s - 1][i] : 0);
    f(k[s], at, t + C[s] * h, data);
  }
  for (int i = 0; i < n; i++) y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
}

// --- 1. the moving beam ---

typedef struct {
  slide_beam beam;
  slide_stroke stroke;
} moving_beam;

// With xi = 1 - (distance from the tip)/l, a point of the beam moves at D xi = (1 - xi) l'/l, so that
// D v = phi q' + (1 - xi) l'/l phi' q, and once more for D D v = v_tt + 2 l' v_xt + l'^2 v_xx + l'' v_x.
static inline void moving_beam_rate(double *dy, const double *y, double t, const void *data) {
  const moving_beam *m = data;
  const slide_beam *b = &m->beam;
  slide_course c = slide_at(m->stroke, t);
  double l = c.x, r = c.v / l, A[SHAPES * SHAPES] = {0};
  const double *q = y, *v = y + SHAPES;
  double *a = dy + SHAPES;
  memcpy(dy, v, SHAPES * sizeof *dy);
  memset(a, 0, SHAPES * sizeof *a);
  for (int p = 0; p <= POINTS; p++) {
    const slide_place *at = &slide_places()[p];
    const double *phi = at->shape[0], *phi1 = at->shape[1], *phi2 = at->shape[2], w = at->weight;
    double density = p < POINTS ? b->rho_A * l * w : b->mass, e = 1 - at->xi;
    double P = -(b->rho_A * l * e + b->mass) * c.a, slope = 0, transport = 0;
    for (int j = 0; j < SHAPES; j++) {
      slope += phi1[j] * q[j] / l;
      transport += 2 * r * e * phi1[j] * v[j] + e * (c.a / l - 2 * r * r) * phi1[j] * q[j] +
                   r * r * e * e * phi2[j] * q[j];
    }
    for (int i = 0; i < SHAPES; i++) {
      for (int j = 0; j < SHAPES; j++) A[i * SHAPES + j] += density * phi[i] * phi[j];
      a[i] -= density * phi[i] * (transport + b->g) + w * P * phi1[i] * slope;
    }
  }
  for (int i = 0; i < SHAPES; i++)
    for (int j = 0; j < SHAPES; j++) a[i] -= b->EI / (l * l * l) * slide_bending(i, j) * q[j];
  slide_solve(A, a, SHAPES);
}

// y (2 SHAPES): from t to t + h.
static inline void moving_beam_advance(double *y, const moving_beam *m, double t, double h, int steps) {
  for (int i = 0; i < steps; i++) slide_step(y, 2 * SHAPES, t + h * i / steps, h / steps, moving_beam_rate, m);
}

static inline double moving_beam_tip(const double *y) {
  double tip = 0;
  for (int i = 0; i < SHAPES; i++) tip += y[i];
  return tip;
}

// v_xx at the guide.
static inline double moving_beam_curvature(const double *y, double l) { return 2 * y[0] / (l * l); }

// --- 2. Lagrange: z = (angle of the guide, length beyond it, shapes) ---

typedef struct {
  slide_beam beam;
  bool given[2];          // the guide turns, the slide moves as told
  slide_stroke stroke[2]; // where they are given
  double effort[2];       // where they are not
} sliding_arm;

// Where a point is in the axes of the guide, and its derivatives.
static inline void sliding_point(double x[2], double J[2][SLIDE_ALL], const slide_place *p, const double *z) {
  const double l = z[1], xi = p->xi, *q = z + 2;
  double shortening = 0, slope = 0;
  x[1] = 0;
  for (int i = 0; i < SHAPES; i++) {
    double row = 0;
    for (int j = 0; j < SHAPES; j++) row += p->shortening[i][j] * q[j];
    J[0][2 + i] = -row / l;
    J[1][2 + i] = p->shape[0][i];
    shortening += q[i] * row;
    slope += p->shape[1][i] * q[i];
    x[1] += p->shape[0][i] * q[i];
  }
  x[0] = l * xi - shortening / (2 * l);
  J[0][1] =
      1 + shortening / (2 * l * l) - slope * slope * (1 - xi) / (2 * l * l); // at a given distance from the tip
  J[1][1] = slope * (1 - xi) / l;
  J[0][0] = -x[1];
  J[1][0] = x[0];
}

// Mass matrix and potential energy.
static inline double sliding_energy(double *M, const sliding_arm *s, const double *z) {
  const slide_beam *b = &s->beam;
  const double l = z[1], rest = b->length - l;
  double V = -b->rho_A * b->g * sin(z[0]) * rest * rest / 2;
  memset(M, 0, SLIDE_ALL * SLIDE_ALL * sizeof *M);
  M[0] = b->hub + b->rho_A * rest * rest * rest / 3;
  M[SLIDE_ALL + 1] = b->rho_A * rest;
  const double c = cos(z[0]), sine = sin(z[0]);
  for (int p = 0; p <= POINTS; p++) {
    const slide_place *at = &slide_places()[p];
    double weight = p < POINTS ? b->rho_A * l * at->weight : b->mass, x[2], J[2][SLIDE_ALL];
    if (weight == 0) continue;
    sliding_point(x, J, at, z);
    V += weight * b->g * (x[0] * sine + x[1] * c);
    for (int i = 0; i < SLIDE_ALL; i++)
      for (int j = 0; j <= i; j++) M[i * SLIDE_ALL + j] += weight * (J[0][i] * J[0][j] + J[1][i] * J[1][j]);
  }
  for (int i = 0; i < SLIDE_ALL; i++)
    for (int j = 0; j < i; j++) M[j * SLIDE_ALL + i] = M[i * SLIDE_ALL + j];
  const double bent = b->EI / (2 * l * l * l);
  for (int i = 0; i < SHAPES; i++)
    for (int j = 0; j < SHAPES; j++) V += bent * slide_bending(i, j) * z[2 + i] * z[2 + j];
  return V;
}

// force := -(d/dt M) z' + 1/2 d/dz (z' M z') - dV/dz, by differences; M (SLIDE_ALL^2) too.
static inline void sliding_forces(double *force, double *M, const sliding_arm *s, const double *z,
                                  const double *v) {
  double rate[SLIDE_ALL * SLIDE_ALL] = {0}, at[SLIDE_ALL];
  sliding_energy(M, s, z);
  for (int k = 0; k < SLIDE_ALL; k++) {
    double side[2][SLIDE_ALL * SLIDE_ALL], V[2], h = 1e-5 * z[1];
    for (int j = 0; j < 2; j++) {
      memcpy(at, z, sizeof at);
      at[k] += j ? h : -h;
      V[j] = sliding_energy(side[j], s, at);
    }
    force[k] = -(V[1] - V[0]) / (2 * h);
    for (int i = 0; i < SLIDE_ALL; i++)
      for (int j = 0; j < SLIDE_ALL; j++) {
        double d = (side[1][i * SLIDE_ALL + j] - side[0][i * SLIDE_ALL + j]) / (2 * h);
        rate[i * SLIDE_ALL + j] += d * v[k];
        force[k] += d * v[i] * v[j] / 2;
      }
  }
  for (int i = 0; i < SLIDE_ALL; i++)
    for (int j = 0; j < SLIDE_ALL; j++) force[i] -= rate[i * SLIDE_ALL + j] * v[j];
}

// Accelerations a, and efforts of guide and slide.
static inline void sliding_solve(double *a, double effort[2], const sliding_arm *s, double t, const double *z,
                                 const double *v) {
  double M[SLIDE_ALL * SLIDE_ALL], A[SLIDE_ALL * SLIDE_ALL], force[SLIDE_ALL];
  sliding_forces(force, M, s, z, v);
  memcpy(A, M, sizeof A);
  for (int i = 0; i < SLIDE_ALL; i++) a[i] = force[i] + (i < 2 && !s->given[i] ? s->effort[i] : 0);
  for (int k = 0; k < 2; k++) {
    if (!s->given[k]) continue;
    double known = slide_at(s->stroke[k], t).a;
    for (int i = 0; i < SLIDE_ALL; i++) a[i] -= M[i * SLIDE_ALL + k] * known;
    for (int i = 0; i < SLIDE_ALL; i++) A[i * SLIDE_ALL + k] = A[k * SLIDE_ALL + i] = 0;
    A[k * SLIDE_ALL + k] = 1;
    a[k] = known;
    for (int i = 0; i < k; i++)
      if (s->given[i]) a[i] = slide_at(s->stroke[i], t).a;
  }
  slide_solve(A, a, SLIDE_ALL);
  for (int k = 0; k < 2; k++) {
    effort[k] = -force[k];
    for (int i = 0; i < SLIDE_ALL; i++) effort[k] += M[k * SLIDE_ALL + i] * a[i];
  }
}

static inline void sliding_place(double *z, double *v, const sliding_arm *s, double t) {
  for (int k = 0; k < 2; k++)
    if (s->given[k]) {
      slide_course c = slide_at(s->stroke[k], t);
      z[k] = c.x;
      v[k] = c.v;
    }
}

static inline void sliding_rate(double *dy, const double *y, double t, const void *data) {
  double z[SLIDE_ALL], v[SLIDE_ALL], effort[2];
  memcpy(z, y, sizeof z);
  memcpy(v, y + SLIDE_ALL, sizeof v);
  sliding_place(z, v, data, t);
  memcpy(dy, v, sizeof v);
  sliding_solve(dy + SLIDE_ALL, effort, data, t, z, v);
}

// y (2 SLIDE_ALL): from t to t + h.
static inline void sliding_advance(double *y, const sliding_arm *s, double t, double h, int steps) {
  for (int i = 0; i < steps; i++) slide_step(y, 2 * SLIDE_ALL, t + h * i / steps, h / steps, sliding_rate, s);
  sliding_place(y, y + SLIDE_ALL, s, t + h);
}

// The tip in the axes of the guide.
static inline void sliding_tip(double tip[2], const double *y) {
  double J[2][SLIDE_ALL];
  sliding_point(tip, J, &slide_places()[POINTS], y);
}

// Energy of the beam, potential included.
static inline double sliding_total(const sliding_arm *s, const double *y) {
  double M[SLIDE_ALL * SLIDE_ALL], E = sliding_energy(M, s, y);
  for (int i = 0; i < SLIDE_ALL; i++)
    for (int j = 0; j < SLIDE_ALL; j++) E += M[i * SLIDE_ALL + j] * y[SLIDE_ALL + i] * y[SLIDE_ALL + j] / 2;
  return E;
}

// Momentum along the guide, of which the rate is what drive and guide do: effort + 1/2 EI kappa^2.
static inline double sliding_momentum(const sliding_arm *s, const double *y) {
  const slide_beam *b = &s->beam;
  double p = b->rho_A * (b->length - y[1]) * y[SLIDE_ALL + 1];
  for (int i = 0; i <= POINTS; i++) {
    const slide_place *at = &slide_places()[i];
    double weight = i < POINTS ? b->rho_A * y[1] * at->weight : b->mass, x[2], J[2][SLIDE_ALL];
    sliding_point(x, J, at, y);
    for (int k = 0; k < SLIDE_ALL; k++) p += weight * J[0][k] * y[SLIDE_ALL + k];
  }
  return p;
}

#endif

// element.c - matrices of a spatial beam element from the shape functions of its type.
// Theory: docs/theory/beam.md (1)-(7), (13)-(16), (20)-(24).
#include "beam/element.h"

#include "math/gauss.h"

#include <string.h>

enum { POINTS = LIM_ELEMENT_POINTS };

static const lim_element_kind *const KIND[] = {
#define ROW(kind) &lim_element_##kind,
#include "beam/elements.def"
#undef ROW
    NULL,
};

const lim_element_kind *lim_element_kind_of(int type) { return KIND[type]; }

const lim_kind_row *lim_element_row(int i) { return KIND[i] ? &KIND[i]->row : NULL; }

bool lim_element_shears(int i) { return lim_element_sheared(i); }

// The two planes of bending: which coordinates are v1, theta1, v2, theta2, and with which sign.   (4)
static const struct {
  int index[4];
  double sign[4];
} PLANE[2] = {
    {{1, 5, 7, 11}, {1, 1, 1, 1}},   // x-y: uy, tz
    {{2, 4, 8, 10}, {1, -1, 1, -1}}, // x-z: uz, -ty
};

// Rows of the 6 x 12 matrices.
enum { X, Y, Z, RX, RY, RZ };

static lim_bending bending(const lim_element *e, int plane, double s) {
  return KIND[e->type]->shape(s, e->L, e->phi[plane]);
}

// row (12) = c times the shape functions of a plane
static void spread(double row[12], int plane, const double shape[4], double c) {
  for (int i = 0; i < 4; i++) row[PLANE[plane].index[i]] += c * PLANE[plane].sign[i] * shape[i];
}

// A += c row' row
static void add_outer(double A[144], const double row[12], double c) {
  for (int i = 0; i < 12; i++) {
    if (row[i] == 0) continue;
    for (int j = 0; j < 12; j++) A[12 * i + j] += c * row[i] * row[j];
  }
}

// A += w B'diag(d) B over the rows that d names
static void add_product(double A[144], const double B[72], const double d[6], double w) {
  for (int r = 0; r < 6; r++)
    if (d[r] != 0) add_outer(A, B + 12 * r, w * d[r]);
}

lim_section_data lim_element_section(const lim_element *e, double s) {
  return lim_section_between(e->from, e->to, e->f0 + s * (e->f1 - e->f0), e->nu);
}

void lim_element_prepare(lim_element *e) {
  lim_section_data a = lim_element_section(e, 0.5);
  double c = 12 * e->E / (e->G * a.A * e->L * e->L); // (10)
  e->phi[0] = c * a.Iz / a.kappa_y;
  e->phi[1] = c * a.Iy / a.kappa_z;
}

void lim_element_interpolation(double N[72], const lim_element *e, double s) {
  lim_bending y = bending(e, 0, s), z = bending(e, 1, s);
  memset(N, 0, 72 * sizeof *N);
  for (int r = X; r <= RX; r += RX - X) { // ux and tx are linear   (5)
    N[12 * r + r] = 1 - s;
    N[12 * r + r + 6] = s;
  }
  spread(N + 12 * Y, 0, y.v, 1);
  spread(N + 12 * Z, 1, z.v, 1);
  spread(N + 12 * RY, 1, z.theta, -1);
  spread(N + 12 * RZ, 0, y.theta, 1);
}

void lim_element_strain(double B[72], const lim_element *e, double s) {
  lim_bending y = bending(e, 0, s), z = bending(e, 1, s);
  memset(B, 0, 72 * sizeof *B);
  for (int r = X; r <= RX; r += RX - X) {
    B[12 * r + r] = -1 / e->L;
    B[12 * r + r + 6] = 1 / e->L;
  }
  for (int i = 0; i < 4; i++) y.dv[i] -= y.theta[i], z.dv[i] -= z.theta[i]; // shear angles   (6)
  spread(B + 12 * Y, 0, y.dv, 1);
  spread(B + 12 * Z, 1, z.dv, 1);
  spread(B + 12 * RY, 1, z.dtheta, -1);
  spread(B + 12 * RZ, 0, y.dtheta, 1);
}

// K += integral B'D B over the given number of points; shear rows only, or all others   (13)
static void add_stiffness(double K[144], const lim_element *e, int points, bool shear) {
  lim_gauss g = lim_gauss_rule(points);
  for (int k = 0; k < g.n; k++) {
    double B[72];
    lim_element_strain(B, e, g.s[k]);
    lim_section_data a = lim_element_section(e, g.s[k]);
    double GA = e->G * a.A;
    double D[6] = {e->E * a.A, 0, 0, e->G * a.J, e->E * a.Iy, e->E * a.Iz};
    double S[6] = {0, a.kappa_y * GA, a.kappa_z * GA, 0, 0, 0};
    add_product(K, B, shear ? S : D, g.w[k] * e->L);
  }
}

// The same from the flexibility of the element clamped at its first node, under a force and a moment at its
// second: F = integral of m m'/EI + v v'/(kappa G A) with m = (L - x, 1), v = (1, 0); K = T F^-1 T'.   (13a)
static void add_flexible_plane(double K[144], const lim_element *e, int plane, bool shear) {
  lim_gauss g = lim_gauss_rule(POINTS);
  double F[3] = {0}; // force-force, force-moment, moment-moment
  for (int k = 0; k < g.n; k++) {
    lim_section_data a = lim_element_section(e, g.s[k]);
    double w = g.w[k] * e->L, arm = (1 - g.s[k]) * e->L, EI = e->E * (plane ? a.Iy : a.Iz);
    double GA = e->G * a.A * (plane ? a.kappa_z : a.kappa_y);
    F[0] += w * (arm * arm / EI + (shear ? 1 / GA : 0));
    F[1] += w * arm / EI;
    F[2] += w / EI;
  }
  double det = F[0] * F[2] - F[1] * F[1], C[3] = {F[2] / det, -F[1] / det, F[0] / det};
  const double T[4][2] = {
      {-1, 0}, {-e->L, -1}, {1, 0}, {0, 1}}; // end forces by force and moment at the second node
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) {
      double k = T[i][0] * (C[0] * T[j][0] + C[1] * T[j][1]) + T[i][1] * (C[1] * T[j][0] + C[2] * T[j][1]);
      K[12 * PLANE[plane].index[i] + PLANE[plane].index[j]] += PLANE[plane].sign[i] * PLANE[plane].sign[j] * k;
    }
}

// Axial and torsional springs in series.
static void add_flexible_lines(double K[144], const lim_element *e) {
  lim_gauss g = lim_gauss_rule(POINTS);
  double F[2] = {0};
  for (int k = 0; k < g.n; k++) {
    lim_section_data a = lim_element_section(e, g.s[k]);
    F[0] += g.w[k] * e->L / (e->E * a.A);
    F[1] += g.w[k] * e->L / (e->G * a.J);
  }
  for (int n = 0; n < 2; n++)
    for (int i = 0; i < 4; i++) {
      int row = 3 * n + 6 * (i / 2), column = 3 * n + 6 * (i % 2);
      K[12 * row + column] += (row == column ? 1 : -1) / F[n];
    }
}

void lim_element_stiffness(double K[144], const lim_element *e) {
  const lim_element_kind *kind = KIND[e->type];
  memset(K, 0, 144 * sizeof *K);
  if (kind->by_flexibility) {
    add_flexible_lines(K, e);
    for (int plane = 0; plane < 2; plane++) add_flexible_plane(K, e, plane, kind->shear_points > 0);
    return;
  }
  add_stiffness(K, e, POINTS, false);
  add_stiffness(K, e, kind->shear_points, true);
}

// (15)
void lim_element_inertia(double m[6], const lim_element *e, double s) {
  lim_section_data a = lim_element_section(e, s);
  m[X] = m[Y] = m[Z] = e->rho * a.A;
  m[RX] = e->rho * (a.Iy + a.Iz);
  m[RY] = e->without_rotary ? 0 : e->rho * a.Iy;
  m[RZ] = e->without_rotary ? 0 : e->rho * a.Iz;
}

void lim_element_mean_inertia(double m[6], const lim_element *e) {
  lim_gauss g = lim_gauss_rule(POINTS);
  memset(m, 0, 6 * sizeof *m);
  for (int k = 0; k < g.n; k++) {
    double at[6];
    lim_element_inertia(at, e, g.s[k]);
    for (int r = 0; r < 6; r++) m[r] += g.w[k] * at[r];
  }
}

// Half of the element at each node.   (16a)
static void lumped_mass(double M[144], const lim_element *e) {
  double m[6];
  lim_element_mean_inertia(m, e);
  for (int i = 0; i < 12; i++) M[13 * i] = e->L / 2 * m[i % 6];
}

void lim_element_mass(double M[144], const lim_element *e) {
  lim_gauss g = lim_gauss_rule(POINTS);
  memset(M, 0, 144 * sizeof *M);
  if (e->lumped) {
    lumped_mass(M, e);
    return;
  }
  for (int k = 0; k < g.n; k++) { // (16)
    double N[72], m[6];
    lim_element_interpolation(N, e, g.s[k]);
    lim_element_inertia(m, e, g.s[k]);
    add_product(M, N, m, g.w[k] * e->L);
  }
}

// The quadratic through the values at 0, 1/2, 1
static double quadratic(const double f[3], double s) {
  return f[0] * (1 - s) * (1 - 2 * s) + f[1] * 4 * s * (1 - s) + f[2] * s * (2 * s - 1);
}

// K += w (squared slopes at s)
static void add_slopes(double K[144], const lim_element *e, double s, double w) {
  for (int plane = 0; plane < 2; plane++) {
    double slope[12] = {0};
    spread(slope, plane, bending(e, plane, s).dv, 1);
    add_outer(K, slope, w);
  }
}

void lim_element_geometric(double K[144], const lim_element *e, const double N[3]) {
  lim_gauss g = lim_gauss_rule(POINTS);
  memset(K, 0, 144 * sizeof *K);
  for (int k = 0; k < g.n; k++) add_slopes(K, e, g.s[k], g.w[k] * e->L * quadratic(N, g.s[k])); // (20)
}

void lim_element_shortening(double K[144], const lim_element *e, double s) {
  lim_gauss g = lim_gauss_rule(POINTS);
  memset(K, 0, 144 * sizeof *K);
  for (int k = 0; k < g.n; k++) add_slopes(K, e, s * g.s[k], g.w[k] * s * e->L);
}

void lim_element_load(double p[12], const lim_element *e, const double q[3]) {
  lim_gauss g = lim_gauss_rule(POINTS);
  memset(p, 0, 12 * sizeof *p);
  for (int k = 0; k < g.n; k++) { // (22)
    double N[72];
    lim_element_interpolation(N, e, g.s[k]);
    for (int r = X; r <= Z; r++)
      for (int i = 0; i < 12; i++) p[i] += g.w[k] * e->L * N[12 * r + i] * q[r];
  }
}

void lim_element_body_force(double resultant[6], const lim_element *e, const double a[12], double s) {
  lim_gauss g = lim_gauss_rule(POINTS);
  memset(resultant, 0, 6 * sizeof *resultant);
  if (e->lumped) { // what is at the first node
    double m[6];
    lim_element_mean_inertia(m, e);
    for (int r = 0; r < 6; r++) resultant[r] = e->L / 2 * m[r] * a[r];
    resultant[RY] += s * e->L * resultant[Z];
    resultant[RZ] -= s * e->L * resultant[Y];
    return;
  }
  for (int k = 0; k < g.n; k++) { // (28)
    double N[72], m[6], f[6] = {0}, at = g.s[k] * s;
    lim_element_interpolation(N, e, at);
    lim_element_inertia(m, e, at);
    for (int r = 0; r < 6; r++)
      for (int i = 0; i < 12; i++) f[r] += g.w[k] * s * e->L * m[r] * N[12 * r + i] * a[i];
    double arm = (at - s) * e->L;
    f[RY] -= arm * f[Z];
    f[RZ] += arm * f[Y];
    for (int r = 0; r < 6; r++) resultant[r] += f[r];
  }
}

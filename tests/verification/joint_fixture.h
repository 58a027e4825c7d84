// joint_fixture.h - what tests of joints that turn any way share: orientations read from channels and compared,
// Euler's angles, elliptic functions.
#ifndef JOINT_FIXTURE_H
#define JOINT_FIXTURE_H

#include "recorded_fixture.h"

#include "math/rotation.h"
#include "math/rotation_vector.h"

// --- rotations ---

// exp of a rotation vector.
static inline void rotation_of(double R[9], const double t[3]) {
  const double angle = sqrt(lim_dot(t, t)), scale = angle > 0 ? 1 / angle : 0;
  const double n[3] = {angle > 0 ? scale * t[0] : 1, scale * t[1], scale * t[2]};
  lim_rotation_axis(R, n, angle);
}

// The angle between two orientations.
static inline double turn_between(const double A[9], const double B[9]) {
  double D[9], t[3];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) D[3 * i + j] = A[i] * B[j] + A[3 + i] * B[3 + j] + A[6 + i] * B[6 + j]; // A'B
  lim_rotation_vector(t, D);
  return sqrt(lim_dot(t, t));
}

// About z by phi, then about the new x by theta, then about the new z by psi.
static inline void euler_rotation(double R[9], double phi, double theta, double psi) {
  double A[9], B[9], C[9], AB[9];
  lim_rotation_axis(A, (double[3]){0, 0, 1}, phi);
  lim_rotation_axis(B, (double[3]){1, 0, 0}, theta);
  lim_rotation_axis(C, (double[3]){0, 0, 1}, psi);
  lim_mat3_product(AB, A, B);
  lim_mat3_product(R, AB, C);
}

// Roll, pitch, yaw as the model file has them: about x, y, z of the world, one after the other.
static inline void rpy_rotation(double R[9], const double rpy[3]) {
  double A[9], B[9], C[9], CB[9];
  lim_rotation_axis(A, (double[3]){1, 0, 0}, rpy[0]);
  lim_rotation_axis(B, (double[3]){0, 1, 0}, rpy[1]);
  lim_rotation_axis(C, (double[3]){0, 0, 1}, rpy[2]);
  lim_mat3_product(CB, C, B);
  lim_mat3_product(R, CB, A);
}

// --- channels of a joint ---

typedef struct {
  const double *rotation[3], *speed[3]; // speed: angular velocity in the axes of the body
} turning;

static inline turning turning_of(const recorded *r, const char *joint) {
  char name[64];
  turning x;
  snprintf(name, sizeof name, "%s.rotation", joint);
  recorded_vector(x.rotation, r, name);
  snprintf(name, sizeof name, "%s.angular_velocity", joint);
  recorded_vector(x.speed, r, name);
  return x;
}

static inline void turning_at(double R[9], double w[3], const turning *x, int i) {
  const double t[3] = {x->rotation[0][i], x->rotation[1][i], x->rotation[2][i]};
  if (!(sqrt(lim_dot(t, t)) <= M_PI * (1 + 1e-15))) fail_msg("a rotation vector is longer than pi");
  rotation_of(R, t);
  for (int k = 0; k < 3; k++) w[k] = x->speed[k][i];
}

// --- elliptic functions, by the arithmetic-geometric mean (Abramowitz and Stegun 16.4, 17.6) ---

// K(m), m = k^2.
static inline double elliptic_k(double m) {
  double a = 1, b = sqrt(1 - m);
  while (fabs(a - b) > 1e-15 * a) {
    const double mean = (a + b) / 2;
    b = sqrt(a * b);
    a = mean;
  }
  return M_PI / (a + b);
}

// sn, cn, dn of (u | m), 0 <= m < 1.
static inline void elliptic(double *sn, double *cn, double *dn, double u, double m) {
  enum { LEVELS = 12 };
  double a[LEVELS] = {1}, c[LEVELS] = {sqrt(m)}, b = sqrt(1 - m);
  int n = 0;
  const double period = 4 * elliptic_k(m);
  u -= period * floor(u / period);
  while (n < LEVELS - 1 && c[n] > 1e-17 * a[n]) {
    a[n + 1] = (a[n] + b) / 2;
    c[n + 1] = (a[n] - b) / 2;
    b = sqrt(a[n] * b);
    n++;
  }
  double phi = ldexp(a[n] * u, n);
  for (int i = n; i > 0; i--) phi = (phi + asin(c[i] * sin(phi) / a[i])) / 2;
  *sn = sin(phi);
  *cn = cos(phi);
  *dn = sqrt(1 - m * *sn * *sn);
}

#endif

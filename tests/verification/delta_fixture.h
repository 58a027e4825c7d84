// delta_fixture.h - models/delta.yaml in closed form: three spheres about the elbows meet in its platform.
#ifndef DELTA_FIXTURE_H
#define DELTA_FIXTURE_H

#include <math.h>
#include <stdbool.h>

static const char DELTA[] = "models/delta.yaml";

// Of the frame over that of the platform, arm, rod [m]; azimuths of the arms.
static const double INSET = 0.2 - 0.06, UPPER = 0.3, LOWER = 0.7;
static const double AZIMUTH[3] = {0, 2 * M_PI / 3, 4 * M_PI / 3};

// Where the elbow of an arm would be if the platform were a point: the middle of a sphere.
static inline void centre(double c[3], int arm, double angle) {
  double out = INSET + UPPER * cos(angle);
  c[0] = out * cos(AZIMUTH[arm]);
  c[1] = out * sin(AZIMUTH[arm]);
  c[2] = -UPPER * sin(angle);
}

static inline double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// x with columns a, b, c: x[0] a + x[1] b + x[2] c = f, by Cramer.
static inline void solve(double x[3], const double a[3], const double b[3], const double c[3],
                         const double f[3]) {
  const double *column[3] = {a, b, c};
  double det[4];
  for (int k = 0; k < 4; k++) {
    const double *u = k == 1 ? f : column[0], *v = k == 2 ? f : column[1], *w = k == 3 ? f : column[2];
    det[k] = u[0] * (v[1] * w[2] - v[2] * w[1]) - v[0] * (u[1] * w[2] - u[2] * w[1]) +
             w[0] * (u[1] * v[2] - u[2] * v[1]);
  }
  for (int k = 0; k < 3; k++) x[k] = det[k + 1] / det[0];
}

// The lower point at distance LOWER from three centres: on their common line, foot + t n.
static inline void spheres_meet(double p[3], const double angle[3]) {
  double c[3][3], u[3], v[3], n[3], rows[3][3], f[3], foot[3], away[3];
  for (int i = 0; i < 3; i++) centre(c[i], i, angle[i]);
  for (int k = 0; k < 3; k++) {
    u[k] = c[1][k] - c[0][k];
    v[k] = c[2][k] - c[0][k];
  }
  for (int k = 0; k < 3; k++) n[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
  for (int k = 0; k < 3; k++) { // u x = .., v x = .., n x = n c0, by columns
    rows[k][0] = u[k];
    rows[k][1] = v[k];
    rows[k][2] = n[k];
  }
  f[0] = (dot(c[1], c[1]) - dot(c[0], c[0])) / 2;
  f[1] = (dot(c[2], c[2]) - dot(c[0], c[0])) / 2;
  f[2] = dot(n, c[0]);
  solve(foot, rows[0], rows[1], rows[2], f);
  for (int k = 0; k < 3; k++) away[k] = foot[k] - c[0][k];
  double t = -sqrt((LOWER * LOWER - dot(away, away)) / dot(n, n)); // n points up
  for (int k = 0; k < 3; k++) p[k] = foot[k] + t * n[k];
}

// Angles of an arm that put the platform at p: the elbow at distance LOWER from it, A cos + B sin = C. outwards
// and inwards; false: there are none.
static inline bool arm_angles(double angle[2], int arm, const double p[3]) {
  double along = p[0] * cos(AZIMUTH[arm]) + p[1] * sin(AZIMUTH[arm]) - INSET;
  double aside = p[1] * cos(AZIMUTH[arm]) - p[0] * sin(AZIMUTH[arm]);
  double C = (along * along + aside * aside + p[2] * p[2] + UPPER * UPPER - LOWER * LOWER) / (2 * UPPER);
  double R = hypot(along, p[2]), middle = atan2(-p[2], along);
  if (fabs(C) > R) return false;
  angle[0] = middle - acos(C / R);
  angle[1] = middle + acos(C / R);
  return true;
}

#endif

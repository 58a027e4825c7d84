// rotation.h - small vectors and rotation matrices. A matrix is stored by rows: R[3 i + j].
#ifndef LIM_MATH_ROTATION_H
#define LIM_MATH_ROTATION_H

#include <math.h>
#include <string.h>

static inline double lim_dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// out = a x b; out may be neither
static inline void lim_cross(double out[3], const double a[3], const double b[3]) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

// out += k x
static inline void lim_add(double out[3], double k, const double x[3]) {
  for (int i = 0; i < 3; i++) out[i] += k * x[i];
}

// out += a x b
static inline void lim_add_cross(double out[3], const double a[3], const double b[3]) {
  double c[3];
  lim_cross(c, a, b);
  lim_add(out, 1, c);
}

// out = R v
static inline void lim_rotate(double out[3], const double R[9], const double v[3]) {
  for (int i = 0; i < 3; i++) out[i] = R[3 * i] * v[0] + R[3 * i + 1] * v[1] + R[3 * i + 2] * v[2];
}

// out = R' v
static inline void lim_rotate_back(double out[3], const double R[9], const double v[3]) {
  for (int i = 0; i < 3; i++) out[i] = R[i] * v[0] + R[i + 3] * v[1] + R[i + 6] * v[2];
}

// A'B: the axes B as those of A see them.
static inline void lim_mat3_seen_from(double out[9], const double A[9], const double B[9]) {
  for (int i = 0; i < 9; i++)
    out[i] = A[i / 3] * B[i % 3] + A[3 + i / 3] * B[3 + i % 3] + A[6 + i / 3] * B[6 + i % 3];
}

// out = A B
static inline void lim_mat3_product(double out[9], const double A[9], const double B[9]) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      out[3 * i + j] = A[3 * i] * B[j] + A[3 * i + 1] * B[3 + j] + A[3 * i + 2] * B[6 + j];
}

// The frame (R, p) moved by a step in its own axes; and turned after it.
static inline void lim_frame_shift(const double R[9], double p[3], const double step[3]) {
  double moved[3];
  lim_rotate(moved, R, step);
  for (int i = 0; i < 3; i++) p[i] += moved[i];
}

static inline void lim_frame_move(double R[9], double p[3], const double step[3], const double turn[9]) {
  double product[9];
  lim_frame_shift(R, p, step);
  lim_mat3_product(product, R, turn);
  memcpy(R, product, sizeof product);
}

// Rotation by `angle` about the unit vector n: 1 + sin(angle) n~ + (1 - cos(angle)) n~ n~.
static inline void lim_rotation_axis(double R[9], const double n[3], double angle) {
  double s = sin(angle), c = 2 * sin(angle / 2) * sin(angle / 2); // c = 1 - cos without cancellation
  R[0] = 1 - c * (n[1] * n[1] + n[2] * n[2]);
  R[4] = 1 - c * (n[0] * n[0] + n[2] * n[2]);
  R[8] = 1 - c * (n[0] * n[0] + n[1] * n[1]);
  R[1] = c * n[0] * n[1] - s * n[2];
  R[3] = c * n[0] * n[1] + s * n[2];
  R[2] = c * n[0] * n[2] + s * n[1];
  R[6] = c * n[0] * n[2] - s * n[1];
  R[5] = c * n[1] * n[2] - s * n[0];
  R[7] = c * n[1] * n[2] + s * n[0];
}

// Of a unit quaternion w, x, y, z.
static inline void lim_rotation_quaternion(double R[9], const double q[4]) {
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  R[0] = 1 - 2 * (y * y + z * z);
  R[4] = 1 - 2 * (x * x + z * z);
  R[8] = 1 - 2 * (x * x + y * y);
  R[1] = 2 * (x * y - w * z);
  R[3] = 2 * (x * y + w * z);
  R[2] = 2 * (x * z + w * y);
  R[6] = 2 * (x * z - w * y);
  R[5] = 2 * (y * z - w * x);
  R[7] = 2 * (y * z + w * x);
}

// The quaternion of a turn about axis 0, 1 or 2; and q := q p of two turns, one after the other in its own
// axes, made one of length 1 again.
static inline void lim_quaternion_axis(double q[4], int axis, double angle) {
  q[1] = q[2] = q[3] = 0;
  q[0] = cos(angle / 2);
  q[1 + axis] = sin(angle / 2);
}

static inline void lim_quaternion_turn(double q[4], const double p[4]) {
  const double x[4] = {q[0] * p[0] - q[1] * p[1] - q[2] * p[2] - q[3] * p[3],
                       q[0] * p[1] + q[1] * p[0] + q[2] * p[3] - q[3] * p[2],
                       q[0] * p[2] - q[1] * p[3] + q[2] * p[0] + q[3] * p[1],
                       q[0] * p[3] + q[1] * p[2] - q[2] * p[1] + q[3] * p[0]};
  const double size = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3]);
  for (int i = 0; i < 4; i++) q[i] = x[i] / size;
}

// Roll, pitch, yaw about fixed axes, as in URDF: Rz(yaw) Ry(pitch) Rx(roll).
static inline void lim_rotation_rpy(double R[9], const double rpy[3]) {
  double X[9], Y[9], Z[9], ZY[9];
  lim_rotation_axis(X, (const double[3]){1, 0, 0}, rpy[0]);
  lim_rotation_axis(Y, (const double[3]){0, 1, 0}, rpy[1]);
  lim_rotation_axis(Z, (const double[3]){0, 0, 1}, rpy[2]);
  lim_mat3_product(ZY, Z, Y);
  lim_mat3_product(R, ZY, X);
}

#endif

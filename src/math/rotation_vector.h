// rotation_vector.h - the rotation vector (axis times angle) of a rotation matrix.
#ifndef LIM_MATH_ROTATION_VECTOR_H
#define LIM_MATH_ROTATION_VECTOR_H

#include <math.h>

// t with exp(t~) = R, angle 0..pi. By the quaternion (Shepperd's choice of the largest component), which keeps
// its accuracy at both ends and puts up with an R that is a rotation only to first order.
static inline void lim_rotation_vector(double t[3], const double R[9]) {
  double square[4] = {1 + R[0] + R[4] + R[8], 1 + R[0] - R[4] - R[8], 1 - R[0] + R[4] - R[8],
                      1 - R[0] - R[4] + R[8]}; // 4 w^2, 4 x^2, 4 y^2, 4 z^2
  double skew[3] = {R[7] - R[5], R[2] - R[6], R[3] - R[1]};
  double even[3] = {R[5] + R[7], R[2] + R[6], R[1] + R[3]}; // 4 yz, 4 xz, 4 xy
  int k = 0;
  for (int i = 1; i < 4; i++)
    if (square[i] > square[k]) k = i;
  double w = k == 0 ? square[0] : skew[k - 1], v[3]; // all times the largest component
  for (int i = 0; i < 3; i++) v[i] = k == 0 ? skew[i] : i == k - 1 ? square[k] : even[3 - i - (k - 1)];
  double n = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]), sign = w < 0 ? -1 : 1;
  double factor = n > 0 ? sign * 2 * atan2(n, fabs(w)) / n : 0;
  for (int i = 0; i < 3; i++) t[i] = factor * v[i];
}

#endif

// wrist.c - angles between vectors, and of three rotations about axes that meet. Theory:
// docs/theory/kinematics.md (15), (16).
#include "kinematics/wrist.h"

#include "math/rotation.h"

bool lim_turn_between(double *angle, const double k[3], const double a[3], const double b[3], double tiny) {
  double ka = lim_dot(k, a), kb = lim_dot(k, b), across[3], u[3], v[3];
  for (int i = 0; i < 3; i++) {
    u[i] = a[i] - ka * k[i];
    v[i] = b[i] - kb * k[i];
  }
  if (lim_dot(u, u) <= tiny * tiny || lim_dot(v, v) <= tiny * tiny) return false;
  lim_cross(across, u, v);
  *angle = atan2(lim_dot(k, across), lim_dot(u, v));
  return true;
}

double lim_turn_nearest(const double k[3], const double Q[9]) {
  double Qk[3], skew[3] = {Q[7] - Q[5], Q[2] - Q[6], Q[3] - Q[1]};
  lim_rotate(Qk, Q, k);
  return atan2(lim_dot(k, skew), Q[0] + Q[4] + Q[8] - lim_dot(k, Qk));
}

int lim_turn_sum(double x[2], double a, double b, double c) {
  double size = hypot(a, b), middle = atan2(b, a);
  if (!(size > 0)) return 0;
  double half = acos(fmin(fmax(c / size, -1), 1));
  x[0] = middle + half;
  x[1] = middle - half;
  return half > 0 && half < M_PI ? 2 : 1;
}

int lim_turn_three(double q[2][3], const double *const k[3], const double Q[9], const double near[3]) {
  double aim[3], turn[9], there[3], rest[9], back[9], left[9], middle[2], c01 = lim_dot(k[0], k[1]),
                                                                          c12 = lim_dot(k[1], k[2]), cross[3];
  lim_rotate(aim, Q, k[2]); // k0.exp(k1 q1) k2 = k0.Q k2
  lim_cross(cross, k[1], k[2]);
  int n = lim_turn_sum(middle, lim_dot(k[0], k[2]) - c01 * c12, lim_dot(k[0], cross),
                       lim_dot(k[0], aim) - c01 * c12);
  for (int s = 0; s < n; s++) {
    q[s][1] = middle[s];
    lim_rotation_axis(turn, k[1], middle[s]);
    lim_rotate(there, turn, k[2]);
    if (!lim_turn_between(&q[s][0], k[0], there, aim, 1e-9)) q[s][0] = near[0];
    lim_rotation_axis(rest, k[0], q[s][0]);
    lim_mat3_product(left, rest, turn);
    for (int i = 0; i < 9; i++) back[i] = left[3 * (i % 3) + i / 3];
    lim_mat3_product(rest, back, Q); // exp(k2 q2)
    q[s][2] = lim_turn_nearest(k[2], rest);
  }
  return n;
}

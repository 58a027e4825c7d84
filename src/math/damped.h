// damped.h - frequencies and damping ratios of x'' + C x' + diag(lambda) x = 0.
#ifndef LIM_MATH_DAMPED_H
#define LIM_MATH_DAMPED_H

#include "base/error.h"

typedef struct {
  double omega; // [rad/s]
  double zeta;  // ratio to critical
  int most;     // the coordinate of x that moves most
} lim_damped;

// n modes in modal coordinates: lambda (n) positive, C (n x n) the damping matrix between them. Fills out (n),
// omega ascending. A pair of eigenvalues s gives omega = |s|, zeta = -Re s/|s|; two real ones (overdamped),
// neighbours in size, give omega = sqrt(s1 s2), zeta = -(s1 + s2)/(2 omega).
lim_code lim_damped_modes(lim_damped *out, const double *lambda, const double *C, int n, lim_error *err);

#endif

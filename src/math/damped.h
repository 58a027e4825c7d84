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

typedef struct {
  int found;    // modes that oscillate or decay
  int rigid;    // without stiffness: s = 0
  int unstable; // that grow: Re s > 0
} lim_general_count;

// States y of first order that take part: x'' + C x' + K x = F y, y' = E x + G x' + A y.
typedef struct {
  int n;                       // 0: none
  const double *F, *E, *G, *A; // (modes x n), (n x modes), (n x modes), (n x n) by columns
} lim_damped_states;

// Modes of x'' + C x' + K x = 0 with any K and C (n x n), unsymmetric ones too: spinning arms, forces that
// follow, controllers. Fills out (n + states) with the modes found, omega ascending. rigid: how many modes
// without stiffness there are at most. states may be NULL.
lim_code lim_general_modes(lim_damped *out, lim_general_count *count, const double *K, const double *C, int n,
                           int rigid, const lim_damped_states *states, lim_error *err);

#endif

// damped.h - frequencies and damping ratios of x'' + C x' + diag(lambda) x = 0.
#ifndef LIM_MATH_EIGEN_DAMPED_H
#define LIM_MATH_EIGEN_DAMPED_H

#include "base/error.h"

#include <stdbool.h>

// A pair of complex eigenvalues s: omega = |s|, zeta = -Re s/|s|; critically damped where both are one real
// value, up to rounding. Any other real one stands for itself: it decays like exp(-omega t).
typedef struct {
  double omega; // [rad/s]; one over the time constant where it only decays
  double zeta;  // ratio to critical; 1 where it only decays
  int max;      // the coordinate of x that moves most
  bool decays;  // without swinging: overdamped
} lim_damped;

// Modes in modal coordinates: lambda (n) positive, C (n x n) the damping matrix between them. Fills out (2 n)
// with *found of them, omega ascending.
lim_code lim_damped_modes(lim_damped *out, int *found, const double *lambda, const double *C, int n,
                          lim_error *err);

typedef struct {
  int found;    // modes that swing or decay
  int rigid;    // without stiffness: s = 0
  int unstable; // that grow: Re s > 0
  // the one of these that grows fastest: its real part [1/s], imaginary part [rad/s], coordinate that moves
  // most
  double growth, swing;
  int most;
} lim_general_count;

// States y of first order that take part: x'' + C x' + K x = F y, y' = E x + G x' + A y.
typedef struct {
  int n;                       // 0: none
  const double *F, *E, *G, *A; // (modes x n), (n x modes), (n x modes), (n x n) by columns
} lim_damped_states;

// Modes of x'' + C x' + K x = 0 with any K and C (n x n), unsymmetric ones too: spinning arms, forces that
// follow, controllers. Fills out (2 n + states) with the modes found, omega ascending. rigid: how many modes
// without stiffness there are at most. states may be NULL.
lim_code lim_general_modes(lim_damped *out, lim_general_count *count, const double *K, const double *C, int n,
                           int rigid, const lim_damped_states *states, lim_error *err);

#endif

// fd_scheme.h - central differences in time and space for one uniform link that turns about its hub: the scheme
// of Tokhi 1995, with its own treatment of the hub or one of second order. Theory:
// docs/theory/finite-difference.md.
//
// Unknowns y (n + 1): displacements of the grid points 1 .. n, across the link at rest, in y[1] .. y[n]; in
// y[0] the hub's slope times the spacing where the hub has a freedom of its own, else 0.
#ifndef LIM_ANALYSIS_STUDY_FD_SCHEME_H
#define LIM_ANALYSIS_STUDY_FD_SCHEME_H

#include "math/band.h"

#include <stdbool.h>

typedef struct {
  int n;            // sections
  double length;    // [m]
  double mass;      // per length [kg/m]
  double stiffness; // E I [N m^2]
  double hub;       // inertia [kg m^2]
  double tip;       // payload [kg]
  double damping;   // D_s [N s]
  bool printed;     // the hub as printed: of first order
} lim_fd_link;

enum { LIM_FD_PAD = 2, LIM_FD_LEAST = 3, LIM_FD_FLOPS = 12 }; // FLOPS: of one inner grid point in one step

typedef struct {
  lim_arena arena; // owns everything below
  lim_fd_link link;
  double dx;                     // spacing [m]
  int first;                     // unknown on which the torque and the inertia of the hub act: 0 or 1
  double *M;                     // masses                                            (n + 1)
  lim_band K;                    // stiffness                                         (n + 1, width 2)
  double h;                      // step [s]
  double *A[5], *B[3];           // bands of the step: A[k][i] goes with y[i + k - 2], B[k][i] with y[i + k - 1]
  double F;                      // of the torque on unknown `first`
  double *now, *before, *oldest; // the last three levels, with LIM_FD_PAD zeros on either side    (n + 1)
} lim_fd;

// The semi-discrete equations M y'' + D y' + K y = f. link->n is at least LIM_FD_LEAST.
lim_code lim_fd_new(lim_fd **out, const lim_fd_link *link, lim_error *err);
void lim_fd_free(lim_fd *s);

// Natural frequencies of the undamped semi-discrete equations [rad/s], rising, the first of the rigid motion.
// omega (n + 1 - first).
lim_code lim_fd_frequencies(double *omega, const lim_fd *s, lim_error *err);

// The largest stable step [s].
lim_code lim_fd_largest_step(double *h, const lim_fd *s, lim_error *err);

// Take a step from now on; the link turns with a speed [rad/s] at its start.
void lim_fd_start(lim_fd *s, double h, double speed);

// One step further with a torque [N m]. Never allocates.
void lim_fd_step(lim_fd *s, double torque);

// Slope at the hub of displacements or their derivatives.
double lim_fd_slope(const lim_fd *s, const double *y);

#endif

// arc.h - one stretch of a trajectory: a polynomial plus a sine. Every profile is made of such stretches, so
// that one evaluation serves all, and position, velocity and acceleration agree by construction. Theory:
// docs/theory/motion.md (1)-(2), (12).
#ifndef LIM_MOTION_ARC_H
#define LIM_MOTION_ARC_H

enum { LIM_ARC_TERMS = 6 };

// Value and its first two derivatives: position, velocity, acceleration of a motion.
typedef struct {
  double value, rate, second;
} lim_sample;

// x(t) = sum c[i] tau^i + a sin(w tau + phi), tau = t - time [s]
typedef struct {
  double time; // at which it begins [s]
  double c[LIM_ARC_TERMS];
  double a, w, phi; // amplitude, [rad/s], [rad]; a = 0: no sine
} lim_arc;

lim_sample lim_arc_at(const lim_arc *p, double tau);
double lim_arc_value(const lim_arc *p, double tau); // of that the value alone

// The k-th derivative, k = 0..6.
double lim_arc_derivative(const lim_arc *p, double tau, int k);

// A bound of the k-th derivative on 0..T.
double lim_arc_bound(const lim_arc *p, double T, int k);

// Where the value turns: the roots of its rate inside 0..T, ascending. Returns how many are in `turn`; it and
// `scratch` have room for lim_arc_turns_capacity numbers.
double lim_arc_turns_capacity(const lim_arc *p, double T);
int lim_arc_turns(double *turn, double *scratch, const lim_arc *p, double T);

// The root of (k-th derivative - level) in lo..hi, where that derivative is monotone and crosses the level.
double lim_arc_solve(const lim_arc *p, int k, double level, double lo, double hi);

#endif

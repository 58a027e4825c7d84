// search.h - damped least squares within the limits of joints, and a choice among many solutions. Theory:
// docs/theory/kinematics.md (5)-(7).
#ifndef LIM_KINEMATICS_SEARCH_H
#define LIM_KINEMATICS_SEARCH_H

#include "kinematics/ik.h"

// Room for a chain of n joints, and what of a goal counts.
typedef struct {
  const lim_chain *c;
  int rows;       // 3: position; 6: pose
  double length;  // of which a rotation by 1 rad counts as much [m]
  double *J;      // (6 n)
  double *A;      // rows, made orthogonal, with their right sides   (6 (n + 6))
  double *H;      // second derivatives                              (n n)
  double *step;   // (n)
  double *trial;  // (n)
  double *before; // (n)
  bool *fixed;    // joints that stay at their limit   (n)
} lim_search;

// How far a pose is from a goal: e (6) is the way to go, world axes; rotations times length.
typedef struct {
  double distance, angle, square; // [m], [rad], |e|^2 of the rows that count
} lim_miss;

lim_miss lim_search_miss(double e[6], const lim_search *x, const lim_place_in_world *at, const lim_goal *goal);

// From q (n) to the least |e| that damped least squares find, into q; `bounded`: within limits (where q is
// before, too). Returns the rounds it took.
int lim_search_reach(lim_miss *left, lim_search *x, double *q, const lim_goal *goal, bool bounded, int most);

// From the least |e| that damped least squares found at q to where it is least: Newton's method, with the
// curvature of the ways that joints make. For goals out of reach, where the other goes ever slower. Returns
// rounds.
int lim_search_refine(lim_miss *left, lim_search *x, double *q, const lim_goal *goal, bool bounded);

// From a solution q along all those that a chain with more joints than rows has, to the one nearest to `rest`
// (n) within limits. settled: it is there, not on the way. Returns rounds.
int lim_search_settle(lim_search *x, double *q, const lim_goal *goal, const double *rest, bool *settled);

#endif

// ik_search.h - joint positions that bring a frame nearest to a goal, by least squares within the limits of
// joints, and a choice among many solutions. Theory: docs/theory/kinematics.md (5)-(7).
#ifndef LIM_KINEMATICS_IK_SEARCH_H
#define LIM_KINEMATICS_IK_SEARCH_H

#include "kinematics/ik.h"
#include "math/damped_least_squares.h"

// Room for a chain of n joints, and what of a goal counts.
typedef struct {
  const lim_chain *c;
  int rows;      // 3: position; 6: pose
  double length; // of which a rotation by 1 rad counts as much [m]
  lim_least_squares solver;
  const lim_goal *goal;      // of the search under way
  double *J;                 // (6 n)
  double *A;                 // rows, made orthogonal, with their right sides        (6 (n + 6))
  double *H;                 // second derivatives                                   (n n)
  double *before;            // (n)
  double *low, *high, *unit; // limits of joints; what counts as a change by 1       (n)
} lim_ik_search;

// Memory from the arena; false: there is none.
bool lim_ik_search_allocate(lim_ik_search *x, lim_arena *arena, const lim_chain *c, int rows);

// How far a pose is from a goal: e (6) is what is left to go, world axes; rotations times length.
typedef struct {
  double distance, angle, square; // [m], [rad], |e|^2 of the rows that count
} lim_miss;

lim_miss lim_ik_search_miss(double e[6], const lim_ik_search *x, const lim_world_pose *at,
                            const lim_goal *goal);

// From q (n) to the least |e| that damped least squares find, into q; `bounded`: within limits (where q is
// before, too). Returns the rounds it took.
int lim_ik_search_reach(lim_miss *left, lim_ik_search *x, double *q, const lim_goal *goal, bool bounded,
                        int max);

// From the least |e| that damped least squares found at q to where it is least: Newton's method, with the
// curvature of the paths that joints make. For goals out of reach, where the other goes ever slower. Returns
// rounds.
int lim_ik_search_refine(lim_miss *left, lim_ik_search *x, double *q, const lim_goal *goal, bool bounded);

// From a solution q along all those that a chain with more joints than rows has, to the one nearest to `rest`
// (n) within limits. settled: it is there, not on the way to it. Returns rounds.
int lim_ik_search_settle(lim_ik_search *x, double *q, const lim_goal *goal, const double *rest, bool *settled);

#endif

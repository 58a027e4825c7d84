// ik_search.h - joint positions that bring a frame nearest to a goal, by least squares within the limits of
// joints, and a choice among many solutions. Theory: docs/theory/kinematics.md (5)-(7).
#ifndef LIM_KINEMATICS_IK_SEARCH_H
#define LIM_KINEMATICS_IK_SEARCH_H

#include "kinematics/freedoms.h"
#include "kinematics/ik.h"
#include "math/damped_least_squares.h"

#define LIM_IK_CUTOFF 1e-6 // singular values below this share of the largest count as 0

// Room for a chain of n joints, and what of a goal counts.
typedef struct {
  const lim_chain *c;
  int frame;     // rows of the goal: 3, position; 6, pose
  int rows;      // those and the loops' of a closed chain
  double length; // of which a rotation by 1 rad counts as much [m]
  lim_least_squares solver;
  const lim_goal *goal;      // of the search under way
  lim_closed_chain closed;   // of a closed chain
  lim_freedoms freedoms;     // the same
  lim_least_squares along;   // postures in which a closed chain stays closed        (frame x n)
  const double *limits[2];   // of the search under way along these; NULL: none
  double *e, *there;         // what is left                                         (rows)
  double *J;                 // (6 n)
  double *A;                 // rows, made orthogonal, with their right sides        (rows (n + rows))
  double *square;            // of them                                              (rows)
  double *H;                 // second derivatives                                   (n n)
  double *before;            // (n)
  double *low, *high, *unit; // limits of joints; what counts as a change by 1       (n)
} lim_ik_search;

// Memory from the arena; false: there is none.
bool lim_ik_search_allocate(lim_ik_search *x, lim_arena *arena, const lim_chain *c, int rows);

// How far a posture is from a goal: e (rows) is what is left to go, world axes; rotations times length.
typedef struct {
  double distance, angle; // [m], [rad]
  double gap;             // the most that a row of the loops is open
  double square;          // |e|^2 of the rows that count
} lim_miss;

lim_miss lim_ik_search_miss(double *e, lim_ik_search *x, const double *q, const lim_goal *goal);

// What joints take off e at q: J (rows x n by columns).
void lim_ik_search_columns(lim_ik_search *x, double *J, const double *q);

// From q (n) to the least |e| that damped least squares find, into q; `bounded`: within limits (where q is
// before, too). Returns the rounds it took.
int lim_ik_search_reach(lim_miss *left, lim_ik_search *x, double *q, const lim_goal *goal, bool bounded,
                        int max);

// From the least |e| that damped least squares found at q to where it is least: Newton's method, with the
// curvature of the paths that joints make. For goals out of reach, where the other goes ever slower. Of a
// closed chain: the least among postures in which it is closed (square infinite: none was found). Returns
// rounds.
int lim_ik_search_refine(lim_miss *left, lim_ik_search *x, double *q, const lim_goal *goal, bool bounded);

// From a solution q along all those that a chain with more joints than rows has, to the one nearest to `rest`
// (n) within limits. settled: it is there, not on the way to it. Returns rounds.
int lim_ik_search_settle(lim_ik_search *x, double *q, const lim_goal *goal, const double *rest, bool *settled);

#endif

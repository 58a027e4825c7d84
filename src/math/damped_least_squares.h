// damped_least_squares.h - x of least norm that brings A x nearest to b, and Levenberg's method for what is not
// linear in x. Theory: docs/theory/kinematics.md (5).
#ifndef LIM_MATH_DAMPED_LEAST_SQUARES_H
#define LIM_MATH_DAMPED_LEAST_SQUARES_H

#include "base/arena.h"

#include <stdbool.h>

// Room for n unknowns and their rows. A caller may use fewer unknowns than there is room for.
typedef struct {
  int rows, n;
  double cutoff;  // singular values below this share of the largest count as 0
  double *J;      // column k: what unknown k does to the rows                      (n x rows)
  double *A;      // rows of J, made orthogonal, with the right side behind each    (rows x (n + 1))
  double *square; // of singular values                                             (rows)
  double *step;   // the solution                                                   (n)
  double *trial;  // (n)
  double *e;      // (2 rows)
  bool *fixed;    // unknowns that do not change                                    (n)
} lim_least_squares;

// Memory from the arena; false: there is none.
bool lim_least_squares_allocate(lim_least_squares *x, lim_arena *arena, int rows, int n, double cutoff);

// step := the x of least norm among those with the least |J x - b|^2, b (rows); fixed unknowns stay 0. Returns
// the rank of J.
int lim_least_squares_solve(lim_least_squares *x, const double *b);

// What is to become 0: e (rows) as a function of x (n).
typedef struct {
  void *of;                                              // first argument of the functions
  double (*miss)(void *of, double *e, const double *x);  // e at x; returns |e|^2
  void (*columns)(void *of, double *J, const double *x); // what x takes off e: -de/dx_k    (n x rows)
  const double *low, *high;                              // limits of x   (n); NULL: none
  const double *unit;                                    // in which changes of x are measured (n); NULL: 1
  double leap;                                           // largest change of a step
  double done;                                           // |e|^2 that is as good as 0
  double rounding;                                       // |e|^2 at which a step that does not help is the last
  int rounds;                                            // at most
} lim_least_squares_problem;

// From x (n), which is within its limits, to the least |e| that damped least squares find, into x; |e|^2 into
// *left. Unknowns that would leave their limits wait there. Returns the rounds it took. Never allocates.
int lim_least_squares_reach(double *left, lim_least_squares *room, double *x,
                            const lim_least_squares_problem *problem);

// Parts of it, for other methods at x, with e there and J: unknowns at a limit against which e pushes them are
// fixed; and trial := x + step, not farther than a leap, within limits: returns the largest change.
void lim_least_squares_fix(lim_least_squares *room, const lim_least_squares_problem *problem, const double *e,
                           const double *x);
double lim_least_squares_move(lim_least_squares *room, const lim_least_squares_problem *problem,
                              const double *x);

#endif

// coupling.h - couplings of joints: rows of constraints that are linear in joint coordinates, after those of
// loops. Constant once built. Theory: docs/theory/loops.md.
#ifndef LIM_ARM_COUPLING_H
#define LIM_ARM_COUPLING_H

#include "arm/loop.h"

// Sum of factor x coordinate - offset = 0.
struct lim_joint_coupling {
  const char *name;
  const lim_coupling *from;
  int row;        // of the arm's rows
  int count;      // joints
  int *q;         // their coordinates   (count)
  double *factor; // (count)
  double offset;
};

// The row and its derivatives at q, v, a; v, a NULL: 0. What is rounding of its terms is 0.
lim_row_state lim_coupling_evaluate(const lim_joint_coupling *c, const double *q, const double *v,
                                    const double *a);

// What all couplings put on a joint, of their multipliers (of all rows of the arm).
double lim_couplings_effort(const lim_arm *s, int coordinate, const double *lambda);

// Of the model, into s, once its loops are there; s->row has room for them.
lim_code lim_couplings_build(lim_arm *s, lim_error *err);

// All couplings solved for one joint each: x[pivot] = rest - sum of C x, the others' coordinates x.
typedef struct {
  int *pivot; // a coordinate; -1: the row follows from the others, or none of its joints may be one (ncoupling)
  double *C;  // 0 at all pivots but 1 at its own   (ncoupling x n by rows)
  double *rest; // offsets                            (ncoupling)
} lim_coupling_form;

// Which coordinates become pivots: those preferred most, of equal ones the last in its coupling; below 0: none.
// Memory from the arena; false: there is none.
bool lim_couplings_solve(lim_coupling_form *out, lim_arena *arena, const lim_arm *s, const int *prefer);

// Put the pivots of x (n) where the others want them; rates: offsets count as 0.
void lim_couplings_follow(double *x, const lim_coupling_form *f, const lim_arm *s, bool rates);

// What couplings give to the joints that follow by them, of arms without loops.
typedef struct {
  int count;
  int *follower, *row, *pivot; // coordinates, the rows of their couplings, of LU   (count)
  double *LU, *x;              // of factors at the followers, transposed           (count x count), (count)
} lim_coupling_reactions;

// Memory from the arena; false: there is none.
bool lim_coupling_reactions_start(lim_coupling_reactions *out, lim_arena *arena, const lim_arm *s);

// Add to the multipliers lambda (of all rows of the arm) what gives each follower its effort of r (n).
void lim_coupling_reactions_add(double *lambda, lim_coupling_reactions *x, const double *r);

#endif

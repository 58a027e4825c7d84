// closed_chain.h - a frame of an arm with loops: joints that loops couple with those on the way to it, rows
// that stay 0, postures in which they do. Theory: docs/theory/kinematics.md, "Closed chains".
#ifndef LIM_KINEMATICS_CLOSED_CHAIN_H
#define LIM_KINEMATICS_CLOSED_CHAIN_H

#include "arm/loop.h"
#include "kinematics/chain.h"
#include "math/damped_least_squares.h"

#define LIM_LOOP_CLOSED 1e-11 // gaps below this are none [m, sine of an angle]

// Which joints a chain is made of (nbody), from those on the way to a frame, by loops that couple them with
// others; and the rows of these loops (nrow). held (links.count) as of lim_chain_new.
lim_code lim_closed_chain_join(bool *joined, bool *row, const lim_arm *s, const double *q, const bool *held,
                               lim_error *err);

// Room in which a closed chain is evaluated, one per thread; the chain stays as it is.
typedef struct {
  const lim_chain *c;
  double *q, *unit;         // coordinates of the arm; 0 between uses                   (s->n)
  lim_world_motion *body;   // (s->nbody)
  lim_row_state *row;       // (s->nrow)
  double *J;                // of the frame, then of rows                               ((6 + rows) x n)
  double *low, *high;       // limits for one closing                                   (n)
  double *unit_of;          // what counts as 1 of each joint                           (n)
  lim_least_squares solver; // of the rows                                              (rows x n)
} lim_closed_chain;

// Memory from the arena; false: there is none.
bool lim_closed_chain_allocate(lim_closed_chain *x, lim_arena *arena, const lim_chain *c);

// At q (n): the pose of the frame and the rows' values (rows; NULL: not asked for).
void lim_closed_chain_pose(lim_world_pose *out, double *gap, lim_closed_chain *x, const double *q);

// x->J: what speed 1 of each joint alone does to the frame (velocity, angular velocity) and to the rows. By
// columns of 6 + rows.
void lim_closed_chain_columns(lim_closed_chain *x, const double *q);

// q (n) := the posture next to it in which the loops are closed; joints stay within low and high (n). False:
// there is none that way, and q is as near as it gets.
bool lim_closed_chain_close(lim_closed_chain *x, double *q, const double *low, const double *high);

// The same by the joints that follow from the others alone, which stay where they are.
bool lim_closed_chain_follow(lim_closed_chain *x, double *q);

#endif

// loop.h - closures of kinematic chains: rows of constraints between two places of the arm, and behind them
// those of couplings. Constant once built. Theory: docs/theory/loops.md.
#ifndef LIM_ARM_LOOP_H
#define LIM_ARM_LOOP_H

#include "arm/kinematics.h"

// How a row follows from places p, axes R of the two frames; each is 0 in a closed chain.
typedef enum {
  LIM_ROW_POINT, // a . (p1 - p2), a in world axes
  LIM_ROW_DOT,   // (R1 a) . (R2 b)
  LIM_ROW_SLIDE, // (R1 a) . (p2 - p1)
  LIM_ROW_RAIL,  // (R2 a) . (p1 - p2); of a rail that bends the second frame is its point beside the first
  LIM_ROW_JOINTS // a linear relation of joint coordinates: coupling.h
} lim_row_kind;

struct lim_loop_row {
  lim_row_kind kind;
  int loop; // or the coupling
  double a[3], b[3];
};

struct lim_closure {
  const char *name;
  const lim_loop *from;
  lim_site site[2];
  const lim_rail *rail; // that bends, on which the first frame stays: the second is its last body; NULL: none
  int first, count;     // its rows
};

// What rows of loops count in least squares beside those of frames: where a frame is out of reach, it is the
// frame that is left behind, and the loops stay closed to 1e-4 of that way.
#define LIM_LOOP_WEIGHT 100.0

// A row and its two derivatives in time.
typedef struct {
  double value, rate, second;
} lim_row_state;
lim_row_state lim_row_evaluate(const lim_loop_row *row, const lim_world_motion *first,
                               const lim_world_motion *second);

// Motions of the two frames of a loop from those of the bodies. v and a may be NULL.
void lim_loop_ends(lim_world_motion at[2], const lim_arm *s, const lim_closure *c, const lim_world_motion *body,
                   const double *q, const double *v, const double *a);

// Force and moment of a loop on its first frame, about it, world axes, from its multipliers (of all rows).
void lim_loop_wrench(double force[3], double moment[3], const lim_arm *s, int loop, const double *lambda,
                     const lim_world_motion *first, const lim_world_motion *second);

// All rows of a system from the motions of its bodies. row (nrow)
void lim_loops_evaluate(lim_row_state *row, const lim_arm *s, const lim_world_motion *body, const double *q,
                        const double *v, const double *a);

// Loops and couplings of the model, into s, once its bodies are there.
lim_code lim_loops_build(lim_arm *s, lim_error *err);

#endif

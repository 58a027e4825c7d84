// loop.h - closures of kinematic chains: rows of constraints between two places of the arm. Constant once
// built. Theory: docs/theory/loops.md.
#ifndef LIM_SYSTEM_LOOP_H
#define LIM_SYSTEM_LOOP_H

#include "system/kinematics.h"

// How a row follows from places p, axes R of the two frames; each is 0 in a closed chain.
typedef enum {
  LIM_ROW_POINT, // a . (p1 - p2), a in world axes
  LIM_ROW_DOT,   // (R1 a) . (R2 b)
  LIM_ROW_SLIDE  // (R1 a) . (p2 - p1)
} lim_row_kind;

struct lim_loop_row {
  lim_row_kind kind;
  int loop;
  double a[3], b[3];
};

struct lim_closure {
  const char *name;
  const lim_loop *from;
  lim_site site[2];
  int first, count; // its rows
};

// A row and its two derivatives in time.
typedef struct {
  double value, rate, second;
} lim_row_state;
lim_row_state lim_row_look(const lim_loop_row *row, const lim_motion_in_world *first,
                           const lim_motion_in_world *second);

// Force and moment of a loop on its first frame, about it, world axes, from its multipliers (of all rows).
void lim_loop_wrench(double force[3], double moment[3], const lim_system *s, int loop, const double *lambda,
                     const lim_motion_in_world *first, const lim_motion_in_world *second);

// All rows of a system from the motions of its bodies. row (nrow)
void lim_loops_look(lim_row_state *row, const lim_system *s, const lim_motion_in_world *body, const double *q,
                    const double *v, const double *a);

// Of the model, into s, once its bodies are there. Then close the configuration: joints that are driven stay,
// the others are adjusted (s->start). Fails (LIM_BAD_INPUT at the loop) where it cannot be closed.
lim_code lim_loops_build(lim_system *s, lim_error *err);

// Close the loops at q, with speeds v (n), by the joints that follow from the others: where commanded joints
// are not where the configuration has them.
lim_code lim_loops_close(const lim_system *s, double *q, double *v, lim_error *err);

// Rates of the joints `index` (m), into v (n), that keep the loops closed while all others are as v has them.
// False: out of memory.
bool lim_loops_follow(double *v, const lim_system *s, const double *q, const int *index, int m);

#endif

// feedback.h - controllers and blocks about a state: gains between motions, states and efforts. Inside
// src/analysis only. Theory: docs/theory/control.md (11).
#ifndef LIM_ANALYSIS_VIBRATION_FEEDBACK_H
#define LIM_ANALYSIS_VIBRATION_FEEDBACK_H

#include "integrate/equations.h"

// Efforts on the coordinates Q = - K q - D v + F x, states x' = E q + G v + A x.
typedef struct {
  int nx;
  double *K, *D; // (n x n by columns)
  double *F;     // (n x nx by columns)
  double *E, *G; // (nx x n by columns)
  double *A;     // (nx x nx by columns)
} lim_feedback;

// Whether a drive is fed by more than gains on its own motion: an integral, blocks that measure the arm, the
// arm.
bool lim_feedback_needed(const lim_inputs *inputs, const lim_joint_drive *d);

typedef struct {
  const bool *held;    // drives at work                                          (nbody)
  const double *q, *v; // state about which, and that of e's controllers          (n)
  bool weightless;     // gravity is left out, in controllers that know the arm too
} lim_feedback_about;

// By central differences; states that do not act on the drives are left out. Sampled controllers are taken as
// continuous; sampled blocks are refused. Memory from the arena.
lim_code lim_feedback_start(lim_feedback *x, lim_arena *arena, lim_equations *e,
                            const lim_feedback_about *about, lim_error *err);

#endif

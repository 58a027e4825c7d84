// predictor.h - accelerations at the end of a step, guessed from those at the ends of the steps before it.
// Theory: docs/theory/simulation.md (4b).
#ifndef LIM_INTEGRATE_PREDICTOR_H
#define LIM_INTEGRATE_PREDICTOR_H

#include "base/arena.h"

#include <stdbool.h>

enum { LIM_PREDICTOR_PAST = 3 };

typedef struct {
  int n;
  int count;                        // of what is known
  int order;                        // of the polynomial that was best in the last step; below count
  double t[LIM_PREDICTOR_PAST];     // newest first
  double *past[LIM_PREDICTOR_PAST]; // (n each)
} lim_predictor;

bool lim_predictor_allocate(lim_predictor *p, lim_arena *arena, int n); // false: out of memory

// What lies before a jump says nothing about what comes after it.
void lim_predictor_forget(lim_predictor *p);

// Forget what came out after t: a step is taken anew.
void lim_predictor_rewind(lim_predictor *p, double t);

// x (n) at t; something must be known.
void lim_predictor_guess(double *x, const lim_predictor *p, double t);

// Take what came out at t, later than all that is known. weight (n) of the entries in a comparison of the
// polynomials, of which the best is taken next.
void lim_predictor_take(lim_predictor *p, double t, const double *x, const double *weight);

#endif

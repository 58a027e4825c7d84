// anderson.h - Anderson's acceleration of a fixed-point iteration x := x + g(x). Theory:
// docs/theory/simulation.md (8).
#ifndef LIM_MATH_ANDERSON_H
#define LIM_MATH_ANDERSON_H

#include "base/arena.h"

#include <stdbool.h>

enum { LIM_ANDERSON_DEPTH = 5 };

// The last few differences of x and g. Start an iteration with count = 0.
typedef struct {
  int n, count;    // unknowns, iterations so far
  double *dx, *dg; // differences, oldest overwritten first   (n x DEPTH)
  double *x, *g;   // of the last iteration                   (n)
} lim_anderson;

bool lim_anderson_allocate(lim_anderson *a, lim_arena *arena, int n); // false: out of memory

// x (n) := the next iterate, from x and the correction g (n) there; weight (n) makes unknowns comparable.
void lim_anderson_next(double *x, lim_anderson *a, const double *g, const double *weight);

#endif

// shared_friction.h - how contacts that stick share what they hold, where their rows follow from each other: a
// block on four feet. Theory: docs/theory/contact.md (9).
#ifndef LIM_INTEGRATE_SHARED_FRICTION_H
#define LIM_INTEGRATE_SHARED_FRICTION_H

#include "integrate/equations.h"

typedef struct {
  int *row;      // rows of contacts that follow from others                          (rows)
  double *C;     // the others in them: row = sum of C x the others'                  (rows x nrow)
  double *A, *b; // normal equations                                                  (rows x rows), (rows)
  double *bound; // what each row can hold; 0: it is not one that sticks              (nrow)
  int *pivot;    // (rows)
} lim_shared_friction;

// False: out of memory.
bool lim_shared_friction_start(lim_shared_friction *x, lim_arena *arena, const lim_equations *e);

// Of all multipliers that do the same on the arm, those with the least sum of lambda^2/bound over contacts that
// stick: where that is all that counts, in proportion to what they can hold. By the last factor; moment: of all
// contacts.
void lim_shared_friction_spread(lim_equations *e, lim_shared_friction *x, const lim_contact_moment *moment);

#endif

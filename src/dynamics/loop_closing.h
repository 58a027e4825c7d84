// loop_closing.h - loops closed by the joints that follow from the others. Theory: docs/theory/loops.md.
#ifndef LIM_DYNAMICS_LOOP_CLOSING_H
#define LIM_DYNAMICS_LOOP_CLOSING_H

#include "arm/loop.h"

// Close the configuration of an arm: joints that are driven stay, the others are adjusted (s->start,
// s->passive). Fails (LIM_BAD_INPUT at the loop) where it cannot be closed.
lim_code lim_loops_start(lim_arm *s, lim_error *err);

// Close the loops at q, with speeds v (n), by the joints that follow from the others: where commanded joints
// are not where the configuration has them.
lim_code lim_loops_close(const lim_arm *s, double *q, double *v, lim_error *err);

// Rates of the joints `index` (m), into v (n), that keep loops closed and couplings while all others are as v
// has them; *open: the largest rate at which one of them opens all the same. False: out of memory.
bool lim_loops_follow(double *v, double *open, const lim_arm *s, const double *q, const int *index, int m);

#endif

// implicit.h - one step of the Newmark family with Newton's iteration, shared by newmark.c and
// generalized_alpha.c.
#ifndef LIM_INTEGRATE_IMPLICIT_H
#define LIM_INTEGRATE_IMPLICIT_H

#include "integrate/state.h"

// Parameters: alpha_m, alpha_f, beta, gamma. Theory: docs/theory/simulation.md (1)-(6).
typedef struct {
  double am, af, beta, gamma;
} lim_implicit;

// A jump changes accelerations by what the change of forces makes of the mass alone. To find them anew from all
// forces would let the rounding of stiff ones in.
// Efforts and forces at the end of the step, where the iteration left them to be found.
void lim_implicit_show(lim_state *f);
lim_code lim_implicit_recentred(lim_state *f, lim_error *err);
void lim_implicit_pause(lim_state *f);
lim_code lim_implicit_restart(lim_state *f, lim_error *err);

// One step of length *h, whose error, into f->error, is at most `limit`: shorter where it has to be, and then
// *h is what was taken. Steps that do not converge are halved, to no less than `shortest`.
lim_code lim_implicit_step(lim_state *f, double *h, double shortest, double limit, lim_implicit p,
                           lim_error *err);

// Advance by one step; where it does not converge by more, of 1/1024 of it at least. By steps of its own with
// `step: auto`.
lim_code lim_implicit_advance(lim_state *f, double to, lim_implicit p, lim_error *err);

#endif

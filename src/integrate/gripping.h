// gripping.h - parts that a simulation grips and lets go: what happens to speeds and to the energy balance.
// Theory: docs/theory/programs.md (18)-(21).
#ifndef LIM_INTEGRATE_GRIPPING_H
#define LIM_INTEGRATE_GRIPPING_H

#include "integrate/state.h"
#include "program/result.h"

typedef struct lim_gripping lim_gripping;

// s: the arm of the flow, rigid: the same with rigid links. *out is NULL where nothing is gripped. Parts
// gripped at t = 0 are held from the start.
lim_code lim_gripping_new(lim_gripping **out, lim_arm *s, lim_arm *rigid, lim_state *motion_state,
                          lim_error *err);
void lim_gripping_free(lim_gripping *g); // before the systems

// Do what is due at the flow's time. The flow is at a jump, and is restarted after it.
lim_code lim_gripping_turn(lim_gripping *g, lim_error *err);

#endif

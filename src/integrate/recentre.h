// recentre.h - orientations of ball joints kept away from the singularity of their turns: between steps the
// motion is written anew about where they are (arm/ball.h). Theory: docs/theory/joints.md (5), (6).
#ifndef LIM_INTEGRATE_RECENTRE_H
#define LIM_INTEGRATE_RECENTRE_H

#include "integrate/state.h"

// Whether a ball joint has turned so far that the motion should be written anew.
bool lim_state_is_far(const lim_state *f);

// Write it anew where that is so: f, the arms of its run (f->arms), what the method keeps. Of mode linear f is
// the rigid motion, and `deviation` that about it; else NULL. Never allocates.
lim_code lim_state_recentre(lim_state *f, const lim_integrator *method, lim_state *deviation,
                            const lim_integrator *its_method, lim_error *err);

#endif

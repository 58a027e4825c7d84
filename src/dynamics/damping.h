// damping.h - the damping matrices of links and arm. Theory: docs/theory/modes.md (4).
#ifndef LIM_DYNAMICS_DAMPING_H
#define LIM_DYNAMICS_DAMPING_H

#include "arm/tree.h"

// Fill in the dampers of a system whose bodies are there; that of the whole arm in its configuration.
lim_code lim_damping_build(lim_arm *s, lim_error *err);

// The damper of the whole arm with its joints as in q (n), its links undeformed. Nothing to do where there is
// none, or where it was built there.
lim_code lim_damping_at(lim_arm *s, const double *q, lim_error *err);

// The same along a motion (damping.update): lim_damping_renew allocates nothing. *out is NULL where there is
// nothing to follow; until the first lim_damping_renew the arm has no damper.
typedef struct lim_arm_damping lim_arm_damping;
lim_code lim_damping_follow(lim_arm_damping **out, lim_arm *s, lim_error *err);
lim_code lim_damping_renew(lim_arm_damping *d, const double *q, lim_error *err);
void lim_damping_leave(lim_arm_damping *d);

#endif

// chain_couplings.h - couplings of a chain's joints. Inside src/kinematics only.
#ifndef LIM_KINEMATICS_CHAIN_COUPLINGS_H
#define LIM_KINEMATICS_CHAIN_COUPLINGS_H

#include "kinematics/chain.h"

// Take the joints that follow from those of a chain that is otherwise complete: its follower, moving. x (s->n):
// where the joints beside the chain stand; held: see lim_chain_new.
lim_code lim_chain_couple(lim_chain *c, const lim_arm *s, const double *x, const bool *held, lim_error *err);

#endif

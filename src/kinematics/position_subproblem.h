// position_subproblem.h - three joints of any kind that put a point somewhere, in closed form. Theory:
// docs/theory/kinematics.md (8)-(14).
#ifndef LIM_KINEMATICS_POSITION_SUBPROBLEM_H
#define LIM_KINEMATICS_POSITION_SUBPROBLEM_H

#include "kinematics/chain.h"

enum { LIM_PLACINGS = 16 };

// All q with exp(S0 q0) exp(S1 q1) exp(S2 q2) c = w: candidates, up to rounding and to what a slip of the point
// by 1e-6 of size changes, some of them twice or not solutions at all: the caller corrects and checks. Where a
// joint does not matter it is as in near (3). Returns how many.
int lim_position_subproblem(double q[LIM_PLACINGS][3], const lim_chain_joint joint[3], const double c[3],
                            const double w[3], const double near[3], double size);

#endif

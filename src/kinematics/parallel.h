// parallel.h - six joints of which the second to the fourth move in parallel planes, and the last two axes
// meet: most arms that work beside people. Theory: docs/theory/kinematics.md (17)-(19).
#ifndef LIM_KINEMATICS_PARALLEL_H
#define LIM_KINEMATICS_PARALLEL_H

#include "kinematics/chain.h"

enum { LIM_PARALLELS = 4 * 16 };

// Whether a chain of six is one of these; c: where the last two axes meet, all joints at 0. meet: axes that
// pass at this distance meet, sines below meet/size are 0.
bool lim_parallel_suits(double c[3], const lim_chain *chain, double meet);

// All q that move space, from all joints at 0, by x -> turn x + shift: candidates, as of
// lim_position_subproblem. Where a joint does not matter it is as in near (6). Returns how many.
int lim_parallel(double q[LIM_PARALLELS][6], const lim_chain *chain, const double c[3], const double turn[9],
                 const double shift[3], const double near[6]);

#endif

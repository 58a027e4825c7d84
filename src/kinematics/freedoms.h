// freedoms.h - the motions that loops leave to a closed chain in one posture: what its frame does with them,
// and what its independent joints do to the frame. Theory: docs/theory/kinematics.md (20)-(23).
#ifndef LIM_KINEMATICS_FREEDOMS_H
#define LIM_KINEMATICS_FREEDOMS_H

#include "kinematics/closed_chain.h"

typedef struct {
  const lim_chain *c;
  int independent; // joints that do not follow others
  int count;       // directions in which the loops stay closed
  double *G;       // rows of the loops                                    (rows x n)
  double *N;       // those directions, orthonormal, joints in their units       (n x n by columns)
  double *F;       // velocity of the frame along each, turns times that size                (6 x n by columns)
  double *A;       // scratch                                              (n x (n + 6))
  double *square;  // (n)
  double *scratch; // of the null space
  lim_least_squares solver; // speeds of independent joints along each direction             (independent x n)
} lim_freedoms;

// Memory from the arena; false: there is none.
bool lim_freedoms_allocate(lim_freedoms *x, lim_arena *arena, const lim_chain *c);

// Directions at the closed posture q (n). False: they could not be found.
bool lim_freedoms_at(lim_freedoms *x, lim_closed_chain *room, const double *q);

// In how many directions the frame can move: of its origin, or (turns) of origin and axes together. Those that
// take more than 1e4 times the speed of joints do not count.
int lim_freedoms_of_frame(lim_freedoms *x, bool turns);

// Whether the frame can move while the independent joints stand still, or almost.
bool lim_freedoms_give_way(lim_freedoms *x);

// J (6 x n by columns): velocity and angular velocity of the frame at speed 1 of each independent joint, the
// other independent ones at rest; 0 for joints that follow.
void lim_freedoms_jacobian(double *J, lim_freedoms *x);

#endif

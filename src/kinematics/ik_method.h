// ik_method.h - what a solver of inverse kinematics is made of: which closed form suits its chain, and room for
// it all. Theory: docs/theory/kinematics.md.
#ifndef LIM_KINEMATICS_IK_METHOD_H
#define LIM_KINEMATICS_IK_METHOD_H

#include "kinematics/ik_search.h"

enum { LIM_SOLVER_FOUND = 64 }; // solutions that are kept

struct lim_ik {
  lim_arena arena;
  const lim_chain *c;
  lim_goal_kind kind;
  lim_ik_method method;
  lim_ik_rest rest;
  double tolerance, angle;
  int nplace, nturn, nvirtual; // joints that place a point, and that turn about it; a slide across a planar arm
  lim_chain_joint kernel[3];   // those that place, the virtual one first
  double point[3];             // all joints at 0
  lim_chain place;             // the first nplace joints and that point
  lim_ik_search whole, part;   // of the chain, of place
  double *aim;                 // posture that is preferred            (n)
  double *start, *trial;       // (n)
  double *found;               // solutions, the nearest first   (LIM_SOLVER_FOUND x n)
  int nfound;
  int rank; // of a search: directions in which the joints move what counts of the frame, in general
};

// Whether what is left to a goal is within the tolerance.
bool lim_solver_good(const lim_ik *ik, const lim_miss *m);

// The joint that is farthest beyond its limits; -1: none is.
int lim_solver_beyond(const lim_ik *ik, const double *q);

#endif

// posture.h - an arm whose joints stand wherever they are told, its links bent by gravity and loads: poses, and
// joint positions that make up for the sag. Theory: docs/theory/kinematics.md, "Bent arms".
#ifndef LIM_ANALYSIS_POSTURE_H
#define LIM_ANALYSIS_POSTURE_H

#include "analysis/arm.h"
#include "kinematics/ik.h"

typedef struct {
  lim_arena arena; // owns held
  lim_model *held; // the model with joints that nothing but their posture moves
  lim_arm arm;     // of it
} lim_posture;

// directory: of the model file, for tables. End with lim_posture_end, also after a failure. The model must
// outlive it.
lim_code lim_posture_start(lim_posture *p, const lim_model *model, const char *directory, lim_error *err);
void lim_posture_end(lim_posture *p);

// q (arm.s->n): bends the links to equilibrium under gravity and loads at t = 0; joints stay. Closed chains:
// passive joints follow.
lim_code lim_posture_settle(double *q, lim_posture *p, lim_error *err);

// From joints (of chain c, which any system of the model made) to those that put the bent arm's frame at a
// goal: the links are bent, the joints solved with links of that shape, and so on until nothing changes. held
// as of lim_chain_new. distance and angle: tolerances of the goal.
lim_code lim_posture_reach(lim_ik_outcome *out, double *joints, lim_posture *p, const lim_chain *c,
                           const char *frame, const bool *held, lim_goal_kind kind, const lim_goal *goal,
                           double distance, double angle, lim_error *err);

#endif

// sag_ik.h - an arm whose joints stand wherever they are told, its links bent by gravity and loads: poses, and
// joint positions that make up for the sag. Theory: docs/theory/kinematics.md, "Bent arms".
#ifndef LIM_ANALYSIS_STATICS_SAG_IK_H
#define LIM_ANALYSIS_STATICS_SAG_IK_H

#include "analysis/statics/rest.h"
#include "kinematics/ik.h"

typedef struct {
  lim_arena arena; // owns held
  lim_model *held; // the model with joints that nothing but their posture moves
  lim_rest arm;    // of it
} lim_sag_ik;

// directory: of the model file, for tables. End with lim_sag_ik_end, also after a failure. The model must
// outlive it.
lim_code lim_sag_ik_start(lim_sag_ik *p, const lim_model *model, const char *directory, lim_error *err);
void lim_sag_ik_end(lim_sag_ik *p);

// q (arm.s->n): bends the links to equilibrium under gravity and loads at t = 0; joints stay. Closed chains:
// passive joints follow.
lim_code lim_sag_ik_settle(double *q, lim_sag_ik *p, lim_error *err);

// From joints (of chain c, which any system of the model made) to those that put the bent arm's frame at a
// goal: the links are bent, the joints solved with links of that shape, and so on until nothing changes. held
// as of lim_chain_new. distance and angle: tolerances of the goal.
lim_code lim_sag_ik_reach(lim_ik_outcome *out, double *joints, lim_sag_ik *p, const lim_chain *c,
                          const char *frame, const bool *held, lim_goal_kind kind, const lim_goal *goal,
                          double distance, double angle, lim_error *err);

#endif

// sag_ik.c - equilibrium in a posture, and inverse kinematics around it. Theory: docs/theory/kinematics.md,
// "Bent arms".
#include "analysis/statics/sag_ik.h"
#include "path/assembly.h"

#include "analysis/statics/equilibrium.h"
#include "analysis/warnings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Drives keep the mass of their motors; nothing else of them counts where joints are given. Free joints are
// held at rest.
static lim_code hold(lim_sag_ik *p, const lim_model *model, lim_error *err) {
  p->held = lim_arena_allocate(&p->arena, sizeof *p->held);
  lim_drive *drive = lim_arena_array(&p->arena, (size_t)model->drives.count, sizeof *drive);
  if (!p->held || !drive) return lim_no_memory(err);
  *p->held = *model;
  for (int i = 0; i < model->drives.count; i++) {
    drive[i] = model->drives.item[i];
    drive[i].gear = (lim_gear){.stiffness = NAN};
    drive[i].control = (lim_control){.kp = NAN};
    drive[i].effort = drive[i].torque = (lim_signal){.rigid = false};
    if (drive[i].type != LIM_DRIVE_MOTOR) drive[i].type = LIM_DRIVE_FREE;
  }
  p->held->drives.item = drive;
  p->held->motion.count = 0;
  p->held->solver.release.none = true;
  return LIM_OK;
}

// Joints as the model itself starts, and those that follow by loops: its drives, motions and lines have a say
// in both.
static lim_code stand(lim_sag_ik *p, const lim_model *model, lim_error *err) {
  lim_arm *own = NULL, *s = p->arm.s;
  lim_code code = lim_arm_new(&own, model, true, err);
  double *q = code == LIM_OK ? malloc((2 * (size_t)own->n + 1) * sizeof *q) : NULL;
  if (code == LIM_OK && !q) code = lim_no_memory(err);
  if (code == LIM_OK) lim_arm_start(q, q + own->n, own);
  for (int i = 0; code == LIM_OK && i < model->links.count; i++) {
    int from = own->bodies[own->first_body[i]].q, to = s->bodies[s->first_body[i]].q;
    if (from >= 0 && to >= 0) p->arm.q[to] = q[from];
    if (from >= 0 && to >= 0 && s->passive) s->passive[to] = own->passive[from];
  }
  free(q);
  lim_arm_free(own);
  return code;
}

lim_code lim_sag_ik_start(lim_sag_ik *p, const lim_model *model, const char *directory, lim_error *err) {
  *p = (lim_sag_ik){.held = NULL};
  lim_code code = hold(p, model, err);
  if (code == LIM_OK) code = lim_rest_start(&p->arm, p->held, directory, err);
  return code == LIM_OK ? stand(p, model, err) : code;
}

void lim_sag_ik_end(lim_sag_ik *p) {
  lim_rest_end(&p->arm);
  lim_arena_free(&p->arena);
}

lim_code lim_sag_ik_settle(double *q, lim_sag_ik *p, lim_error *err) {
  return lim_equilibrium(q, p->arm.e, 0, err);
}

// One round: bend the links, solve with links of that shape from joints, which change by *change at most.
static lim_code correct(lim_ik_outcome *out, double *change, double *joints, double *q, lim_sag_ik *p,
                        const lim_site *site, const bool *held, lim_goal_kind kind, const lim_goal *goal,
                        lim_error *err) {
  lim_chain *c = NULL;
  lim_ik *ik = NULL;
  lim_code code = lim_sag_ik_settle(q, p, err);
  if (code == LIM_OK) code = lim_chain_new(&c, p->arm.s, site, q, held, err);
  if (code == LIM_OK) code = lim_ik_new(&ik, c, kind, err);
  *change = 0;
  if (code == LIM_OK) {
    *out = lim_ik_near(ik, joints, goal, c->start);
    for (int k = 0; k < c->n; k++) *change = fmax(*change, fabs(joints[k] - c->start[k]));
    lim_ik_outcome before = lim_ik_evaluate(ik, goal, c->start); // with the shape that belongs to it
    out->distance = before.distance;
    out->angle = before.angle;
  }
  lim_ik_free(ik);
  lim_chain_free(c);
  return code;
}

lim_code lim_sag_ik_reach(lim_ik_outcome *out, double *joints, lim_sag_ik *p, const lim_chain *c,
                          const char *frame, const bool *held, lim_goal_kind kind, const lim_goal *goal,
                          double distance, double angle, lim_error *err) {
  enum { ROUNDS = 50 };
  const lim_arm *s = p->arm.s;
  const lim_site *site = lim_chain_frame(s, frame);
  double *q = malloc(((size_t)s->n + 1) * sizeof *q), change = INFINITY;
  lim_code code = q && site ? LIM_OK : lim_no_memory(err);
  if (code == LIM_OK) memcpy(q, p->arm.q, (size_t)s->n * sizeof *q);
  *out = (lim_ik_outcome){.beyond = -1};
  for (int round = 0; round < ROUNDS && code == LIM_OK; round++) {
    lim_chain_put(q, s, c, joints);
    code = correct(out, &change, joints, q, p, site, held, kind, goal, err);
    if (!out->reached || (out->distance <= distance && out->angle <= angle)) break;
  }
  out->reached = out->reached && out->distance <= distance && out->angle <= angle;
  if (code == LIM_OK && out->reached) code = lim_warn_of_turns(err, NAN, s, q);
  free(q);
  return code;
}

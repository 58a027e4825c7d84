// reach.c - kinematics for the user's own program: the functions lim_kin_* of limber.h.
#include "kinematics/ik.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

struct lim_kin {
  lim_system *s;
  lim_chain *c;
  lim_ik *pose, *position; // solvers of goals with and without axes
  double *J;               // (6 n)
};

static lim_code unknown_frame(const lim_system *s, const char *frame, lim_error *err) {
  lim_nearest near = lim_nearest_start(frame);
  for (int i = 0; i < s->nsite; i++) lim_nearest_try(&near, s->site[i].name);
  if (near.best)
    return LIM_FAIL(err, LIM_BAD_INPUT, "unknown frame '%.60s'; did you mean '%s'?", frame, near.best);
  return LIM_FAIL(err, LIM_BAD_INPUT, "unknown frame '%.60s'; a link has LINK.base and LINK.tip", frame);
}

static lim_code fill(lim_kin *r, const lim_model *model, const char *frame, lim_error *err) {
  lim_code code = lim_system_new_floating(&r->s, model, true, err);
  if (code != LIM_OK) return code;
  const lim_site *site = lim_chain_frame(r->s, frame);
  if (!site) return unknown_frame(r->s, frame, err);
  code = lim_chain_new(&r->c, r->s, site, NULL, NULL, err);
  if (code == LIM_OK) code = lim_ik_new(&r->pose, r->c, LIM_GOAL_POSE, err);
  if (code == LIM_OK) code = lim_ik_new(&r->position, r->c, LIM_GOAL_POSITION, err);
  if (code != LIM_OK) return code;
  r->J = calloc(6 * (size_t)r->c->n + 1, sizeof *r->J);
  return r->J ? LIM_OK : LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
}

lim_code lim_kin_new(lim_kin **out, const lim_model *model, const char *frame, lim_error *err) {
  *out = NULL;
  lim_kin *r = calloc(1, sizeof *r);
  if (!r) return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  lim_code code = fill(r, model, frame, err);
  if (code == LIM_OK)
    *out = r;
  else
    lim_kin_free(r);
  return code;
}

void lim_kin_free(lim_kin *r) {
  if (!r) return;
  lim_ik_free(r->pose);
  lim_ik_free(r->position);
  lim_chain_free(r->c);
  lim_system_free(r->s);
  free(r->J);
  free(r);
}

int lim_kin_joints(const lim_kin *r) { return r->c->n; }
const char *lim_kin_joint_name(const lim_kin *r, int joint) {
  return joint >= 0 && joint < r->c->n ? r->c->joint[joint].name : NULL;
}

void lim_kin_start(const lim_kin *r, double *q) { memcpy(q, r->c->start, (size_t)r->c->n * sizeof *q); }

void lim_kin_pose(lim_kin *r, const double *q, double position[3], double R[9], double *J) {
  lim_place_in_world at;
  lim_chain_jacobian(&at, J ? J : r->J, r->c, q);
  if (position) memcpy(position, at.p, sizeof at.p);
  if (R) memcpy(R, at.R, sizeof at.R);
}

static lim_goal goal_of(const double position[3], const double R[9]) {
  lim_goal g = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  memcpy(g.position, position, sizeof g.position);
  if (R) memcpy(g.R, R, sizeof g.R);
  return g;
}

int lim_kin_near(lim_kin *r, double *q, const double position[3], const double R[9], const double *near,
                 double *distance, double *angle) {
  lim_goal g = goal_of(position, R);
  lim_ik_outcome out = lim_ik_near(R ? r->pose : r->position, q, &g, near);
  if (distance) *distance = out.distance;
  if (angle) *angle = out.angle;
  return out.reached;
}

int lim_kin_all(lim_kin *r, double *q, int room, const double position[3], const double R[9],
                const double *near) {
  lim_goal g = goal_of(position, R);
  return lim_ik_all(R ? r->pose : r->position, q, room, NULL, &g, near);
}

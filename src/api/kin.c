// kin.c - kinematics for the user's own program: the functions lim_kin_* of limber.h.
#include "kinematics/ik.h"
#include "path/assembly.h"

#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct lim_kin {
  lim_arm *s;
  lim_chain *c;
  lim_ik *pose, *position; // solvers of goals with and without axes
  double *q;               // (n)
};

static lim_code unknown_frame(const lim_arm *s, const char *frame, lim_error *err) {
  lim_choice choice = lim_arm_sites(s, frame);
  return LIM_FAIL(err, LIM_BAD_INPUT, "unknown frame '%.60s'%s", frame,
                  lim_choice_say(&choice, "there are", LIM_CHOICE_ALL));
}

static lim_code fill(lim_kin *r, const lim_model *model, const char *frame, lim_error *err) {
  lim_code code = lim_arm_new(&r->s, model, true, err);
  if (code != LIM_OK) return code;
  const lim_site *site = lim_chain_frame(r->s, frame);
  if (!site) return unknown_frame(r->s, frame, err);
  code = lim_chain_new(&r->c, r->s, site, NULL, NULL, err);
  if (code == LIM_OK) code = lim_ik_new(&r->pose, r->c, LIM_GOAL_POSE, err);
  if (code == LIM_OK) code = lim_ik_new(&r->position, r->c, LIM_GOAL_POSITION, err);
  if (code != LIM_OK) return code;
  r->q = calloc((size_t)r->c->n + 1, sizeof *r->q);
  return r->q ? LIM_OK : lim_no_memory(err);
}

lim_code lim_kin_new(lim_kin **out, const lim_model *model, const char *frame, lim_error *err) {
  if (out) *out = NULL;
  if (!out || !model || !frame) return LIM_FAIL(err, LIM_BAD_INPUT, "out, model and frame must not be NULL");
  lim_kin *r = calloc(1, sizeof *r);
  if (!r) return lim_no_memory(err);
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
  lim_arm_free(r->s);
  free(r->q);
  free(r);
}

int lim_kin_joints(const lim_kin *r) { return r ? r->c->n : 0; }
const char *lim_kin_joint_name(const lim_kin *r, int joint) {
  return joint >= 0 && joint < lim_kin_joints(r) ? r->c->joint[joint].name : NULL;
}

int lim_kin_joint_follows(const lim_kin *r, int joint) {
  return joint >= 0 && joint < lim_kin_joints(r) && r->c->joint[joint].follows;
}

void lim_kin_start(const lim_kin *r, double *q) {
  if (r && q) memcpy(q, r->c->start, (size_t)r->c->n * sizeof *q);
}

static void fill_nan(double *x, int n) {
  for (int i = 0; x && i < n; i++) x[i] = NAN;
}

void lim_kin_pose(lim_kin *r, const double *q, double position[3], double R[9], double *J) {
  lim_world_pose at;
  bool given = r && q;
  if (given) memcpy(r->q, q, (size_t)r->c->n * sizeof *q);
  if (!given || !lim_ik_close(r->pose, r->q)) {
    fill_nan(position, 3);
    fill_nan(R, 9);
    fill_nan(J, 6 * lim_kin_joints(r));
    return;
  }
  lim_ik_pose(&at, J, r->pose, r->q);
  if (position) memcpy(position, at.p, sizeof at.p);
  if (R) memcpy(R, at.R, sizeof at.R);
}

static bool all_finite(const double *x, int n) {
  const double large = 1e100; // squares of more than this overflow on the way
  for (int i = 0; i < n; i++)
    if (!(fabs(x[i]) < large)) return false;
  return true;
}

// R^T R = 1 and det R = 1, as far as rounded input goes.
static bool is_rotation(const double R[9]) {
  const double coarse = 1e-3;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) {
      double dot = R[i] * R[k] + R[3 + i] * R[3 + k] + R[6 + i] * R[6 + k];
      if (!(fabs(dot - (i == k)) < coarse)) return false;
    }
  return R[0] * (R[4] * R[8] - R[5] * R[7]) + R[1] * (R[5] * R[6] - R[3] * R[8]) +
             R[2] * (R[3] * R[7] - R[4] * R[6]) >
         0;
}

// Whether there is something to look for.
static bool is_request(const lim_kin *r, const double *position, const double *R, const double *near) {
  return r && position && near && all_finite(position, 3) && all_finite(near, r->c->n) &&
         (!R || is_rotation(R));
}

static lim_goal goal_of(const double position[3], const double R[9]) {
  lim_goal g = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  memcpy(g.position, position, sizeof g.position);
  if (R) memcpy(g.R, R, sizeof g.R);
  return g;
}

int lim_kin_near(lim_kin *r, double *q, const double position[3], const double R[9], const double *near,
                 double *distance, double *angle) {
  if (!q || !is_request(r, position, R, near)) {
    if (r && q && near) memmove(q, near, (size_t)r->c->n * sizeof *q);
    fill_nan(distance, 1);
    fill_nan(angle, 1);
    return 0;
  }
  lim_goal g = goal_of(position, R);
  lim_ik_outcome out = lim_ik_near(R ? r->pose : r->position, q, &g, near);
  if (distance) *distance = out.distance;
  if (angle) *angle = out.angle;
  return out.reached;
}

int lim_kin_all(lim_kin *r, double *q, int capacity, const double position[3], const double R[9],
                const double *near) {
  if (capacity < 0 || (capacity > 0 && !q) || !is_request(r, position, R, near)) return -1;
  lim_goal g = goal_of(position, R);
  return lim_ik_all(R ? r->pose : r->position, q, capacity, NULL, &g, near);
}

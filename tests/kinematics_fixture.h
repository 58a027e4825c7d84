// kinematics_fixture.h - an arm of a test, its solver, and poses by the path that does not know screws.
#ifndef LIM_TESTS_KINEMATICS_FIXTURE_H
#define LIM_TESTS_KINEMATICS_FIXTURE_H

#include "arm/kinematics.h"
#include "fixture.h"
#include "kinematics/ik.h"
#include "math/rotation.h"
#include "math/rotation_vector.h"
#include "path/assembly.h"

enum { MOST_SOLUTIONS = 64 };

typedef struct {
  lim_model *m;
  lim_arm *s;
  const lim_site *site;
  lim_chain *c;
  lim_ik *ik;
  double *q; // of the system (n)
  lim_world_motion *body;
  double *solution; // (MOST_SOLUTIONS x n)
} arm;

static inline void arm_take(arm *a, const char *frame, lim_goal_kind kind, bool rigid, const bool *held) {
  lim_error err = {0};
  lim_code code = lim_arm_new(&a->s, a->m, rigid, &err);
  print_notes(&err);
  assert_int_equal(code, LIM_OK);
  a->site = lim_chain_frame(a->s, frame);
  assert_non_null(a->site);
  a->q = calloc(2 * (size_t)a->s->n, sizeof *a->q);
  a->body = calloc((size_t)a->s->nbody, sizeof *a->body);
  lim_arm_start(a->q, a->q + a->s->n, a->s);
  assert_int_equal(lim_chain_new(&a->c, a->s, a->site, NULL, held, &err), LIM_OK);
  assert_int_equal(lim_ik_new(&a->ik, a->c, kind, &err), LIM_OK);
  a->solution = calloc(MOST_SOLUTIONS * (size_t)a->c->n, sizeof *a->solution);
}

static inline arm arm_of(const char *text, const char *frame, lim_goal_kind kind) {
  arm a = {.m = parse(text)};
  arm_take(&a, frame, kind, true, NULL);
  return a;
}

static inline arm arm_load(const char *path, const char *frame, lim_goal_kind kind) {
  arm a = {0};
  lim_error err = {0};
  lim_code code = lim_model_load(&a.m, path, NULL, 0, &err);
  print_notes(&err);
  assert_int_equal(code, LIM_OK);
  arm_take(&a, frame, kind, true, NULL);
  return a;
}

static inline void arm_free(arm *a) {
  lim_ik_free(a->ik);
  lim_chain_free(a->c);
  lim_arm_free(a->s);
  lim_model_free(a->m);
  free(a->q);
  free(a->body);
  free(a->solution);
}

// The frame's pose by the kinematics of the system.
static inline lim_world_motion arm_pose(arm *a, const double *q) {
  for (int k = 0; k < a->c->n; k++) a->q[a->s->bodies[a->c->joint[k].body].q] = q[k];
  lim_kinematics(a->body, a->s, a->q, NULL, NULL);
  return lim_kinematics_site(a->s, a->site, &a->body[a->site->body], a->q, NULL, NULL);
}

static inline lim_goal arm_goal(arm *a, const double *q) {
  lim_world_motion at = arm_pose(a, q);
  lim_goal g;
  memcpy(g.position, at.p, sizeof g.position);
  memcpy(g.R, at.R, sizeof g.R);
  return g;
}

// What is left to a goal, by that path.
static inline void arm_left(double *distance, double *angle, arm *a, const lim_goal *g, const double *q) {
  lim_world_motion at = arm_pose(a, q);
  double way[3], turn[9], back[9], t[3];
  for (int i = 0; i < 3; i++) way[i] = g->position[i] - at.p[i];
  for (int i = 0; i < 9; i++) back[i] = at.R[3 * (i % 3) + i / 3];
  lim_mat3_product(turn, g->R, back);
  lim_rotation_vector(t, turn);
  *distance = sqrt(lim_dot(way, way));
  *angle = sqrt(lim_dot(t, t));
}

// Largest difference of joints, whole turns apart.
static inline double arm_apart(const arm *a, const double *x, const double *y) {
  double max = 0;
  for (int k = 0; k < a->c->n; k++) {
    double way = x[k] - y[k];
    max = fmax(max, fabs(a->c->joint[k].slides ? way : remainder(way, 2 * M_PI)));
  }
  return max;
}

// Joints anywhere within their limits, or within `reach`.
static inline void arm_random(const arm *a, double *q, double reach, unsigned *seed) {
  for (int k = 0; k < a->c->n; k++) {
    double low = fmax(a->c->joint[k].low, -reach), high = fmin(a->c->joint[k].high, reach);
    q[k] = low + (high - low) * (noise(seed) + 1) / 2;
  }
}

#endif

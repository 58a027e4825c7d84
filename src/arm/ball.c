// ball.c - orientations of free and spherical joints. Theory: docs/theory/joints.md (1)-(5).
#include "arm/ball.h"

#include "arm/pose.h"
#include "math/rotation.h"

#include <math.h>
#include <stdlib.h>

// --- three turns: R = Rx(a) Ry(b) Rz(c) ---

// Axes of the turns in the axes that they end in, and what these axes change in time at the rates v.   (2), (3)
typedef struct {
  double axis[3][3];
  double bias[3]; // sum of rate times change of axis
} turn_axes;

static turn_axes axes_of(const double angle[3], const double v[3]) {
  const double sb = sin(angle[1]), cb = cos(angle[1]), sc = sin(angle[2]), cc = cos(angle[2]);
  turn_axes x = {.axis = {{cb * cc, -cb * sc, sb}, {sc, cc, 0}, {0, 0, 1}}};
  const double first[3] = {-v[1] * sb * cc - v[2] * cb * sc, v[1] * sb * sc - v[2] * cb * cc, v[1] * cb};
  const double second[3] = {v[2] * cc, -v[2] * sc, 0};
  for (int i = 0; i < 3; i++) x.bias[i] = v[0] * first[i] + v[1] * second[i];
  return x;
}

// Sum of rates times axes.
static void combine(double out[3], const turn_axes *x, const double v[3]) {
  for (int i = 0; i < 3; i++) out[i] = v[0] * x->axis[0][i] + v[1] * x->axis[1][i] + v[2] * x->axis[2][i];
}

// Rates with a given sum.   (4)
static void resolve(double v[3], const double angle[3], const double w[3]) {
  const double sb = sin(angle[1]), cb = cos(angle[1]), sc = sin(angle[2]), cc = cos(angle[2]);
  v[0] = (w[0] * cc - w[1] * sc) / cb;
  v[1] = w[0] * sc + w[1] * cc;
  v[2] = w[2] - v[0] * sb;
}

static void turns_of(double angle[3], const double R[9]) {
  angle[0] = atan2(-R[5], R[8]);
  angle[1] = atan2(R[2], hypot(R[0], R[1]));
  angle[2] = atan2(-R[1], R[0]);
}

static void pick(double out[3], const lim_ball *b, const double *x) {
  for (int i = 0; i < 3; i++) out[i] = b->turn[i] < 0 ? 0 : x[b->turn[i]];
}

static void put(double *x, const lim_ball *b, const double in[3]) {
  for (int i = 0; i < 3; i++) x[b->turn[i]] = in[i];
}

// --- orientation ---

void lim_ball_centre(double quaternion[4], const lim_ball *b, const double *q) {
  double angle[3], turn[4];
  pick(angle, b, q);
  memcpy(quaternion, b->quaternion, sizeof b->quaternion);
  for (int i = 0; i < 3; i++) {
    lim_quaternion_axis(turn, i, angle[i]);
    lim_quaternion_turn(quaternion, turn);
  }
}

void lim_ball_orientation(double R[9], const lim_ball *b, const double *q) {
  double now[4];
  lim_ball_centre(now, b, q);
  lim_rotation_quaternion(R, now);
}

void lim_ball_velocity(double w[3], const lim_ball *b, const double *q, const double *v) {
  double angle[3], rate[3];
  pick(angle, b, q);
  pick(rate, b, v);
  const turn_axes x = axes_of(angle, rate);
  combine(w, &x, rate);
}

bool lim_ball_is_far(const lim_ball *b, const double *q) {
  static const double FAR = 0.8;        // [rad] of the second turn, whose cosine is what the others divide by
  static const double ROUND = 2 * M_PI; // of the others: errors are measured by the largest angle
  if (!lim_ball_is_whole(b)) return false;
  return fabs(q[b->turn[1]]) > FAR || fabs(q[b->turn[0]]) > ROUND || fabs(q[b->turn[2]]) > ROUND;
}

void lim_ball_rewrite(const lim_ball *b, const double quaternion[4], double *q, double *v, double *const *a,
                      int count) {
  double angle[3], rate[3], second[3], w[3], dw[3], relative[4], R[9];
  if (!lim_ball_is_whole(b)) return;
  pick(angle, b, q);
  pick(rate, b, v);
  const turn_axes old = axes_of(angle, rate);
  combine(w, &old, rate);
  for (int i = 0; i < 4; i++) relative[i] = i == 0 ? quaternion[0] : -quaternion[i];
  double now[4];
  lim_ball_centre(now, b, q);
  lim_quaternion_turn(relative, now);
  lim_rotation_quaternion(R, relative);
  turns_of(angle, R);
  resolve(rate, angle, w);
  const turn_axes new = axes_of(angle, rate);
  put(q, b, angle);
  put(v, b, rate);
  for (int k = 0; k < count; k++) {
    pick(second, b, a[k]);
    combine(dw, &old, second);
    for (int i = 0; i < 3; i++) dw[i] += old.bias[i] - new.bias[i];
    resolve(second, angle, dw);
    put(a[k], b, second);
  }
}

void lim_ball_set(lim_arm *own, int ball, const double quaternion[4]) {
  lim_ball *b = &own->ball[ball];
  double R[9];
  memcpy(b->quaternion, quaternion, sizeof b->quaternion);
  lim_rotation_quaternion(R, quaternion);
  lim_mat3_product(own->bodies[b->body].on.Rc, b->origin, R);
}

// --- building ---

// What the configuration says of a joint stays in the plane of the model, whose normal in the joint's frame is
// n.
static lim_code check_plane(const lim_joint_state *x, const double quaternion[4], const double n[3],
                            const double speed[3], lim_error *err) {
  double R[9], turned[3], spin[3];
  lim_rotation_quaternion(R, quaternion);
  lim_rotate(turned, R, n);
  lim_cross(spin, n, x->angular_velocity);
  const char *what = fabs(lim_dot(x->position, n)) > 1e-12 ? "position"
                     : fabs(lim_dot(speed, n)) > 1e-12     ? "velocity"
                     : fabs(lim_dot(turned, n) - 1) > 1e-9 ? "orientation"
                     : sqrt(lim_dot(spin, spin)) > 1e-12   ? "angular_velocity"
                                                           : NULL;
  if (!what) return LIM_OK;
  return lim_tree_error(err, x->head.node, "joint '%s': its %s leads out of the model's plane", x->head.name,
                        what);
}

static int coordinate_of(const lim_arm *s, int link) { return s->bodies[s->first_body[link]].q; }

static lim_code build(lim_arm *s, int link, const lim_world_pose *pose, lim_error *err) {
  const lim_model *m = s->model;
  lim_ball *b = &s->ball[s->nball];
  const int whole = link + 2, first = lim_first_part(m, link);
  const lim_joint_state *state = lim_pose_state(m, whole);
  *b = (lim_ball){.link = whole, .body = s->first_body[link], .shift = {-1, -1, -1}};
  for (int i = 0; i < 3; i++) {
    b->turn[i] = coordinate_of(s, link + i);
    if (first < link) b->shift[i] = coordinate_of(s, first + i);
  }
  if (first < link && state) lim_rotate_back(b->speed, pose[first].R, state->velocity);
  memcpy(b->origin, s->bodies[b->body].on.Rc, sizeof b->origin);
  double quaternion[4], n[3];
  lim_pose_ball(quaternion, m, whole);
  lim_ball_set(s, s->nball++, quaternion);
  if (m->planar == LIM_SPATIAL) return LIM_OK;
  // axes of the joint's frame: those of the link, turned back
  double R[9], link_normal[3];
  lim_rotation_quaternion(R, quaternion);
  lim_rotate_back(link_normal, pose[whole].R, lim_plane_normal(m->planar));
  lim_rotate(n, R, link_normal);
  if (fmax(fabs(n[0]), fmax(fabs(n[1]), fabs(n[2]))) < 1 - 1e-9)
    return lim_tree_error(err, m->links.item[whole].joint.head.node,
                          "joint '%s': the plane of the model is not one of its frame's own planes",
                          m->links.item[whole].joint.whole);
  return state ? check_plane(state, quaternion, n, b->speed, err) : LIM_OK;
}

lim_code lim_balls_build(lim_arm *s, lim_error *err) {
  const lim_model *m = s->model;
  int count = 0;
  for (int i = 0; i < m->links.count; i++) count += lim_joint_begins_ball(&m->links.item[i].joint);
  s->ball = lim_arena_array(&s->arena, (size_t)count, sizeof *s->ball);
  lim_world_pose *pose = lim_arena_array(&s->arena, (size_t)m->links.count, sizeof *pose);
  if (!s->ball || !pose) return lim_no_memory(err);
  lim_pose_links(pose, m);
  lim_code code = LIM_OK;
  for (int i = 0; i < m->links.count && code == LIM_OK; i++)
    if (lim_joint_begins_ball(&m->links.item[i].joint)) code = build(s, i, pose, err);
  return code;
}

void lim_balls_start(double *v, const lim_arm *s) {
  for (int i = 0; i < s->nball; i++)
    for (int k = 0; k < 3; k++)
      if (s->ball[i].shift[k] >= 0) v[s->ball[i].shift[k]] = s->ball[i].speed[k];
}

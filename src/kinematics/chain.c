// chain.c - screws of the joints before a frame; poses and Jacobians. Theory: docs/theory/kinematics.md
// (1)-(4).
#include "kinematics/chain.h"

#include "math/rotation.h"
#include "math/rows.h"
#include "system/kinematics.h"

#include <math.h>
#include <stdlib.h>

static lim_code no_memory(lim_error *err) { return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory"); }

// --- set-up ---

// Of a beam that slides through its joint the tip goes along, what hangs on the guide stays.
static bool slides_along(const lim_system *s, const lim_site *at) {
  return !s->member[at->body].slide || (at->section.slide && at->section.place > 0);
}

// Whether the joint of the body that carries a site may move it. Freedoms of a floating base are no joints that
// could be told where to be.
static bool moves(const lim_system *s, const lim_site *at, const bool *held) {
  int link = s->member[at->body].link;
  return s->member[at->body].q >= 0 && s->model->links.item[link].joint.type != LIM_FREE &&
         !(held && held[link]) && slides_along(s, at);
}

// From a site on a body to that on which the body hangs.
static const lim_site *next(const lim_system *s, const lim_site *at) { return &s->member[at->body].on; }

static int count_joints(const lim_system *s, const lim_site *site, const bool *held) {
  int n = 0;
  for (const lim_site *at = site; at->body >= 0; at = next(s, at)) n += moves(s, at, held);
  return n;
}

// Joints that loops move would not stay where a solution puts them; places between the guide and the tip of a
// beam that slides move by part of its way.
static lim_code check(const lim_system *s, const lim_site *site, const bool *held, lim_error *err) {
  for (const lim_site *at = site; at->body >= 0; at = next(s, at)) {
    const lim_member *b = &s->member[at->body];
    const char *name = s->model->links.item[b->link].joint.head.name;
    if (!moves(s, at, held)) continue;
    if (s->passive && s->passive[b->q])
      return LIM_FAIL(
          err, LIM_BAD_INPUT,
          "joint '%s' follows others by a loop; inverse kinematics cannot treat that in this version", name);
    if (b->slide && at->section.place < 1)
      return LIM_FAIL(
          err, LIM_BAD_INPUT,
          "the frame lies between guide and tip of the beam that slides through joint '%s'; inverse "
          "kinematics cannot treat that in this version",
          name);
  }
  return LIM_OK;
}

static void take_joint(lim_chain_joint *j, const lim_system *s, int body, const lim_motion_in_world *at) {
  const lim_member *b = &s->member[body];
  const lim_joint *from = &s->model->links.item[b->link].joint;
  *j = (lim_chain_joint){
      .name = from->head.name, .link = b->link, .body = body, .slides = b->type == LIM_PRISMATIC};
  lim_rotate(j->k, at->R, b->axis);
  memcpy(j->o, at->p, sizeof j->o);
  bool limited = from->limits.head.node && !isnan(from->limits.position[0]);
  j->low = limited ? from->limits.position[0] : -INFINITY;
  j->high = limited ? from->limits.position[1] : INFINITY;
  if (!b->slide) return;
  j->low = fmax(j->low, 0); // a sliding beam stays in its guide
  j->high = fmin(j->high, b->slide->length);
}

static void measure(lim_chain *c) {
  for (int i = 0; i < c->n; i++) {
    const double *a = c->joint[i].o, *b = i + 1 < c->n ? c->joint[i + 1].o : c->p;
    double way[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    c->size += sqrt(lim_dot(way, way));
  }
  if (!(c->size > 0)) c->size = 1; // joints in one place: any length will do
}

// A sliding beam has no shape at 0: all behind it is brought back from where it stands.
static void bring_back(lim_chain *c, int joint) {
  const double *k = c->joint[joint].k, way = c->start[joint];
  for (int i = joint + 1; i < c->n; i++)
    for (int m = 0; m < 3; m++) c->joint[i].o[m] -= way * k[m];
  for (int m = 0; m < 3; m++) c->p[m] -= way * k[m];
}

static void fill(lim_chain *c, const lim_system *s, const lim_site *site, double *q, const bool *held,
                 lim_motion_in_world *body) {
  int k = c->n;
  for (const lim_site *at = site; at->body >= 0; at = next(s, at)) {
    if (!moves(s, at, held)) continue;
    const lim_member *b = &s->member[at->body];
    c->joint[--k].body = at->body;
    c->start[k] = q[b->q];
    if (!b->slide) q[b->q] = 0;
  }
  lim_kinematics(body, s, q, NULL, NULL);
  for (int i = 0; i < c->n; i++) take_joint(&c->joint[i], s, c->joint[i].body, &body[c->joint[i].body]);
  lim_motion_in_world frame =
      lim_kinematics_site(s, site, site->body < 0 ? NULL : &body[site->body], q, NULL, NULL);
  memcpy(c->R, frame.R, sizeof c->R);
  memcpy(c->p, frame.p, sizeof c->p);
  for (int i = 0; i < c->n; i++)
    if (s->member[c->joint[i].body].slide) bring_back(c, i);
  measure(c);
}

lim_code lim_chain_new(lim_chain **out, const lim_system *s, const lim_site *site, const double *q,
                       const bool *held, lim_error *err) {
  *out = NULL;
  lim_code code = check(s, site, held, err);
  if (code != LIM_OK) return code;
  size_t n = (size_t)count_joints(s, site, held);
  if (n > LIM_CHAIN_MOST)
    return LIM_FAIL(err, LIM_BAD_INPUT, "%zu joints move the frame, at most %d can be treated", n,
                    LIM_CHAIN_MOST);
  lim_chain *c = calloc(1, sizeof *c);
  double *room = calloc(2 * (size_t)s->n + 1, sizeof *room);
  lim_motion_in_world *at = calloc((size_t)s->nbody, sizeof *at);
  if (c) {
    c->n = (int)n;
    c->joint = calloc(n + 1, sizeof *c->joint);
    c->start = calloc(n + 1, sizeof *c->start);
  }
  if (!c || !room || !at || !c->joint || !c->start) {
    code = no_memory(err);
  } else {
    lim_system_start(room, room + s->n, s);
    if (q) memcpy(room, q, (size_t)s->n * sizeof *q);
    fill(c, s, site, room, held, at);
    *out = c;
    c = NULL;
  }
  lim_chain_free(c);
  free(room);
  free(at);
  return code;
}

void lim_chain_free(lim_chain *c) {
  if (!c) return;
  free(c->joint);
  free(c->start);
  free(c);
}

const lim_site *lim_chain_frame(const lim_system *s, const char *name) {
  for (int i = 0; i < s->nsite; i++)
    if (!strcmp(s->site[i].name, name)) return &s->site[i].site;
  return NULL;
}

int lim_chain_joint_of(const lim_chain *c, const char *name) {
  for (int i = 0; i < c->n; i++)
    if (!strcmp(c->joint[i].name, name)) return i;
  return -1;
}

bool lim_axes_parallel(const double a[3], const double b[3], double sine) {
  double c[3];
  lim_cross(c, a, b);
  return lim_dot(c, c) < sine * sine;
}

double lim_axes_crossing(double at[3], const lim_chain_joint *a, const lim_chain_joint *b) {
  double w[3] = {b->o[0] - a->o[0], b->o[1] - a->o[1], b->o[2] - a->o[2]}, normal[3];
  double c = lim_dot(a->k, b->k), s = (lim_dot(w, a->k) - c * lim_dot(w, b->k)) / (1 - c * c);
  for (int i = 0; i < 3; i++) at[i] = a->o[i] + s * a->k[i];
  lim_cross(normal, a->k, b->k);
  return fabs(lim_dot(normal, w)) / sqrt(lim_dot(normal, normal));
}

// --- poses ---

// (R, p) := (R, p) exp(S q)
static void screw(double R[9], double p[3], const lim_chain_joint *j, double q) {
  double step[3], turn[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, moved[3];
  if (j->slides) {
    for (int i = 0; i < 3; i++) step[i] = q * j->k[i];
  } else {
    lim_rotation_axis(turn, j->k, q);
    lim_rotate(moved, turn, j->o);
    for (int i = 0; i < 3; i++) step[i] = j->o[i] - moved[i];
  }
  lim_frame_move(R, p, step, turn);
}

void lim_chain_pose(lim_place_in_world *out, const lim_chain *c, const double *q) {
  *out = (lim_place_in_world){.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  for (int i = 0; i < c->n; i++) screw(out->R, out->p, &c->joint[i], q[i]);
  lim_frame_move(out->R, out->p, c->p, c->R);
}

void lim_chain_jacobian(lim_place_in_world *out, double *J, const lim_chain *c, const double *q) {
  double point[LIM_CHAIN_MOST][3];
  *out = (lim_place_in_world){.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  for (int i = 0; i < c->n; i++) {
    lim_rotate(J + 6 * i + 3, out->R, c->joint[i].k);
    lim_rotate(point[i], out->R, c->joint[i].o);
    for (int k = 0; k < 3; k++) point[i][k] += out->p[k];
    screw(out->R, out->p, &c->joint[i], q[i]);
  }
  lim_frame_move(out->R, out->p, c->p, c->R);
  for (int i = 0; i < c->n; i++) {
    double *column = J + 6 * i, arm[3];
    if (c->joint[i].slides) {
      memcpy(column, column + 3, 3 * sizeof *column);
      memset(column + 3, 0, 3 * sizeof *column);
      continue;
    }
    for (int k = 0; k < 3; k++) arm[k] = out->p[k] - point[i][k];
    lim_cross(column, column + 3, arm);
  }
}

void lim_chain_singular_values(double out[6], const double *J, int n, double length) {
  double A[6 * LIM_CHAIN_MOST], square[6];
  for (int i = 0; i < 6; i++)
    for (int k = 0; k < n; k++) A[i * n + k] = (i < 3 ? 1 : length) * J[6 * k + i];
  lim_rows_orthogonal(A, square, 6, n, n);
  for (int i = 0; i < 6; i++) { // sorted as they are put in
    int k = i;
    for (; k > 0 && out[k - 1] < sqrt(square[i]); k--) out[k] = out[k - 1];
    out[k] = sqrt(square[i]);
  }
  for (int i = n; i < 6; i++) out[i] = 0;
}

// --- by all coordinates ---

// What coordinates first .. first + count make of a section of their body, carried to the frame.
static void section_columns(double *J, const lim_system *s, const lim_site *site,
                            const lim_place_in_world *body, const double *q, const double p[3], double *unit,
                            int first, int count) {
  lim_motion_in_world still = {.R = {0}};
  memcpy(still.R, body->R, sizeof still.R);
  memcpy(still.p, body->p, sizeof still.p);
  for (int k = first; k < first + count; k++) {
    unit[k] = 1;
    lim_motion_in_world at = lim_kinematics_site(s, site, &still, q, unit, NULL);
    unit[k] = 0;
    double arm[3] = {p[0] - at.p[0], p[1] - at.p[1], p[2] - at.p[2]};
    lim_cross(J + 6 * k, at.w, arm);
    for (int i = 0; i < 3; i++) {
      J[6 * k + i] += at.v[i];
      J[6 * k + 3 + i] = at.w[i];
    }
  }
}

static void joint_column(double *column, const lim_member *b, const lim_place_in_world *at, const double p[3]) {
  double axis[3], arm[3] = {p[0] - at->p[0], p[1] - at->p[1], p[2] - at->p[2]};
  lim_rotate(axis, at->R, b->axis);
  memset(column, 0, 6 * sizeof *column);
  memcpy(column + (b->type == LIM_PRISMATIC ? 0 : 3), axis, sizeof axis);
  if (b->type != LIM_PRISMATIC) lim_cross(column, axis, arm);
}

void lim_frame_jacobian(lim_place_in_world *out, double *J, const lim_system *s, const lim_site *site,
                        const double *q, lim_motion_in_world *body, double *unit) {
  lim_kinematics(body, s, q, NULL, NULL);
  lim_motion_in_world frame =
      lim_kinematics_site(s, site, site->body < 0 ? NULL : &body[site->body], q, NULL, NULL);
  memcpy(out->R, frame.R, sizeof out->R);
  memcpy(out->p, frame.p, sizeof out->p);
  memset(J, 0, 6 * (size_t)s->n * sizeof *J);
  for (const lim_site *at = site; at->body >= 0; at = &s->member[at->body].on) {
    const lim_member *b = &s->member[at->body];
    lim_place_in_world place;
    memcpy(place.R, body[at->body].R, sizeof place.R);
    memcpy(place.p, body[at->body].p, sizeof place.p);
    section_columns(J, s, at, &place, q, out->p, unit, b->e + at->section.first, at->section.count);
    if (b->slide) section_columns(J, s, at, &place, q, out->p, unit, b->q, 1);
    if (b->q >= 0 && !b->slide) joint_column(J + 6 * b->q, b, &place, out->p);
  }
}

// chain.c - screws of the joints before a frame; poses and Jacobians. Theory: docs/theory/kinematics.md
// (1)-(4).
#include "kinematics/chain.h"

#include "arm/coupling.h"
#include "arm/kinematics.h"
#include "kinematics/chain_couplings.h"
#include "kinematics/closed_chain.h"
#include "math/rotation.h"
#include "math/rows.h"

#include <math.h>
#include <stdlib.h>

// --- set-up ---

// An inner joint moves what is not at the body's frame: of a beam that slides the tip goes along, what hangs on
// the guide stays.
static bool goes_along(const lim_arm *s, const lim_site *at) {
  return !s->bodies[at->body].inner || at->section.back;
}

// Whether the joint of the body that carries a site may move it. Freedoms of free and spherical joints cannot
// be told where to be.
static bool moves(const lim_arm *s, const lim_site *at, const bool *held) {
  int link = s->bodies[at->body].link;
  return s->bodies[at->body].q >= 0 && !lim_joint_in_ball(&s->model->links.item[link].joint) &&
         !(held && held[link]) && goes_along(s, at);
}

// From a site on a body to that on which the body hangs.
static const lim_site *next(const lim_arm *s, const lim_site *at) { return &s->bodies[at->body].on; }

// Joints on the way to a site, into joined (nbody).
static void mark_way(bool *joined, const lim_arm *s, const lim_site *site, const bool *held) {
  for (const lim_site *at = site; at->body >= 0; at = next(s, at)) joined[at->body] = moves(s, at, held);
}

// Locations between the guide and the tip of a beam that slides move by a part of it.
static lim_code check(const lim_arm *s, const lim_site *site, const bool *held, lim_error *err) {
  for (const lim_site *at = site; at->body >= 0; at = next(s, at)) {
    const lim_arm_body *b = &s->bodies[at->body];
    if (moves(s, at, held) && b->inner && at->section.place < 1)
      return LIM_FAIL(
          err, LIM_BAD_INPUT,
          "the frame lies between guide and tip of the beam that slides through joint '%s'; inverse "
          "kinematics cannot treat that in this version",
          s->model->links.item[b->link].joint.head.name);
  }
  return LIM_OK;
}

static void take_joint(lim_chain_joint *j, const lim_arm *s, int body, const lim_world_motion *at) {
  const lim_arm_body *b = &s->bodies[body];
  const lim_joint *from = &s->model->links.item[b->link].joint;
  *j = (lim_chain_joint){.name = from->head.name, .link = b->link, .body = body, .slides = b->screw.slides};
  lim_rotate(j->k, at->R, b->screw.slides ? b->screw.along : b->screw.about);
  memcpy(j->o, at->p, sizeof j->o);
  j->screw = (lim_screw){.slides = j->slides, .turns = !j->slides};
  memcpy(j->slides ? j->screw.along : j->screw.about, j->k, sizeof j->k);
  bool limited = from->limits.head.node && !isnan(from->limits.position[0]);
  j->low = fmax(limited ? from->limits.position[0] : -INFINITY, b->range[0]);
  j->high = fmin(limited ? from->limits.position[1] : INFINITY, b->range[1]);
}

// The way from joint to joint, and on to the frame.
static void measure(lim_chain *c, const lim_arm *s, const lim_site *site) {
  const double *b = c->p;
  for (const lim_site *at = site; at->body >= 0; at = next(s, at)) {
    int k;
    for (k = c->n - 1; k >= 0 && c->joint[k].body != at->body;) k--;
    if (k < 0) continue;
    const double *a = c->joint[k].o, step[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    c->size += sqrt(lim_dot(step, step));
    b = a;
  }
  if (!(c->size > 0)) c->size = 1; // joints in one place: any length will do
}

// A body with an inner joint has no shape at 0: all behind it is brought back from where it stands.
static void bring_back(lim_chain *c, int joint) {
  const double *k = c->joint[joint].k, out = c->start[joint];
  for (int i = joint + 1; i < c->n; i++)
    for (int m = 0; m < 3; m++) c->joint[i].o[m] -= out * k[m];
  for (int m = 0; m < 3; m++) c->p[m] -= out * k[m];
}

// Whether couplings count the turns of a joint.
static bool is_coupled(const lim_arm *s, int coordinate) {
  for (int i = 0; i < s->ncoupling; i++)
    for (int k = 0; k < s->coupling[i].count; k++)
      if (s->coupling[i].q[k] == coordinate) return true;
  return false;
}

static int joint_at(const lim_chain *c, const lim_arm *s, int coordinate) {
  int k = c->n - 1;
  while (k >= 0 && s->bodies[c->joint[k].body].q != coordinate) k--;
  return k;
}

// In a coupling of a closed chain every joint moves as far as its factor wants beside the others.
static void share_units(lim_chain *c, const lim_arm *s, const lim_joint_coupling *x) {
  double most = 0;
  for (int i = 0; i < x->count; i++) {
    const int k = joint_at(c, s, x->q[i]);
    if (k >= 0) most = fmax(most, fabs(x->factor[i]) * c->joint[k].unit);
  }
  for (int i = 0; i < x->count; i++) {
    const int k = joint_at(c, s, x->q[i]);
    if (k >= 0 && x->factor[i] != 0) c->joint[k].unit = most / fabs(x->factor[i]);
  }
}

static void set_units(lim_chain *c, const lim_arm *s) {
  for (int k = 0; k < c->n; k++) c->joint[k].unit = c->joint[k].slides ? c->size : 1;
  for (int round = 0; round < s->ncoupling && c->s; round++) // one gear behind the other
    for (int i = 0; i < s->ncoupling; i++) share_units(c, s, &s->coupling[i]);
}

static void fill(lim_chain *c, const lim_arm *s, const lim_site *site, double *q, const bool *joined,
                 lim_world_motion *body) {
  int k = 0;
  for (int i = 0; i < s->nbody; i++) {
    const lim_arm_body *b = &s->bodies[i];
    if (!joined[i]) continue;
    c->joint[k].body = i;
    c->start[k++] = q[b->q];
    if (!b->inner && !c->s) q[b->q] = 0;
  }
  lim_kinematics(body, s, q, NULL, NULL);
  for (int i = 0; i < c->n; i++) {
    const int coordinate = s->bodies[c->joint[i].body].q;
    take_joint(&c->joint[i], s, c->joint[i].body, &body[c->joint[i].body]);
    if (!c->s) continue;
    c->joint[i].follows =
        s->passive[coordinate] || lim_joint_in_ball(&s->model->links.item[c->joint[i].link].joint);
    c->joint[i].leads = is_coupled(s, coordinate);
  }
  lim_world_motion frame = lim_kinematics_at(s, site, body, q, NULL, NULL);
  memcpy(c->R, frame.R, sizeof c->R);
  memcpy(c->p, frame.p, sizeof c->p);
  for (int i = 0; i < c->n && !c->s; i++)
    if (s->bodies[c->joint[i].body].inner) bring_back(c, i);
  measure(c, s, site);
  set_units(c, s);
}

static int count(const bool *x, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) sum += x[i];
  return sum;
}

// Joints and rows that loops couple with those marked. Where couplings do alone, the chain stays open, and the
// joints that they move are taken from it (chain_couplings.h).
static lim_code join_loops(bool *joined, bool *row, const lim_arm *s, const lim_site *site, const double *q,
                           const bool *held, lim_error *err) {
  bool closed = false;
  lim_code code = lim_closed_chain_join(joined, row, s, q, held, err);
  for (int i = 0; i < s->nrow; i++) closed = closed || (row[i] && s->row[i].kind != LIM_ROW_JOINTS);
  if (code != LIM_OK || closed) return code;
  memset(joined, 0, (size_t)s->nbody * sizeof *joined);
  memset(row, 0, (size_t)s->nrow * sizeof *row);
  mark_way(joined, s, site, held);
  return LIM_OK;
}

// A chain of the joints and rows that are marked.
static lim_code allocate(lim_chain **out, const lim_arm *s, const lim_site *site, const double *q,
                         const bool *joined, const bool *row, lim_error *err) {
  size_t n = (size_t)count(joined, s->nbody), rows = (size_t)count(row, s->nrow);
  if (n > LIM_CHAIN_MOST)
    return LIM_FAIL(err, LIM_BAD_INPUT, "%zu joints move the frame, at most %d can be treated", n,
                    LIM_CHAIN_MOST);
  lim_chain *c = *out = calloc(1, sizeof *c);
  if (!c) return lim_no_memory(err);
  *c = (lim_chain){.n = (int)n, .rows = (int)rows, .s = rows ? s : NULL, .site = *site};
  c->joint = calloc(n + 1, sizeof *c->joint);
  c->start = calloc(n + 1, sizeof *c->start);
  c->shape = calloc((size_t)s->n + 1, sizeof *c->shape);
  c->row = calloc(rows + 1, sizeof *c->row);
  if (!c->joint || !c->start || !c->shape || !c->row) return lim_no_memory(err);
  memcpy(c->shape, q, (size_t)s->n * sizeof *q);
  for (int i = 0, k = 0; i < s->nrow; i++)
    if (row[i]) c->row[k++] = i;
  return LIM_OK;
}

lim_code lim_chain_new(lim_chain **out, const lim_arm *s, const lim_site *site, const double *q,
                       const bool *held, lim_error *err) {
  *out = NULL;
  lim_code code = check(s, site, held, err);
  if (code != LIM_OK) return code;
  lim_chain *c = NULL;
  double *scratch = calloc(2 * (size_t)s->n + 1, sizeof *scratch);
  lim_world_motion *at = calloc((size_t)s->nbody, sizeof *at);
  bool *joined = calloc((size_t)s->nbody + (size_t)s->nrow + 1, sizeof *joined), *row = joined + s->nbody;
  code = scratch && at && joined ? LIM_OK : lim_no_memory(err);
  if (code == LIM_OK) {
    lim_arm_start(scratch, scratch + s->n, s);
    if (q) memcpy(scratch, q, (size_t)s->n * sizeof *q);
    mark_way(joined, s, site, held);
    if (s->nloop) code = join_loops(joined, row, s, site, scratch, held, err);
  }
  if (code == LIM_OK) code = allocate(&c, s, site, scratch, joined, row, err);
  if (code == LIM_OK) fill(c, s, site, scratch, joined, at);
  if (code == LIM_OK && s->ncoupling && !c->s) code = lim_chain_couple(c, s, c->shape, held, err);
  if (code == LIM_OK) {
    *out = c;
    c = NULL;
  }
  lim_chain_free(c);
  free(scratch);
  free(at);
  free(joined);
  return code;
}

void lim_chain_free(lim_chain *c) {
  if (!c) return;
  if (c->follower) free(c->follower[0].by);
  free(c->follower);
  free(c->moving);
  free(c->joint);
  free(c->start);
  free(c->shape);
  free(c->row);
  free(c);
}

const lim_site *lim_chain_frame(const lim_arm *s, const char *name) {
  const lim_named_site *site = lim_arm_find_site(s, name);
  return site ? &site->site : NULL;
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

// Joints that move the frame, and where they are at q.
static int count_of(const lim_chain *c) { return c->moving ? c->nmoving : c->n; }

static const lim_chain_joint *moving_of(const lim_chain *c) { return c->moving ? c->moving : c->joint; }

static double position_of(const lim_chain *c, int i, const double *q) {
  if (!c->moving) return q[i];
  const int number = c->moving[i].number;
  return number >= 0 ? q[number] : lim_chain_follow(c, ~number, q);
}

// From joint to joint. J NULL: the pose alone; else column i is the point of joint i, then its axis.
static void follow(lim_world_pose *out, double *J, const lim_chain *c, const double *q) {
  const double origin[3] = {0}, *before = origin;
  *out = (lim_world_pose){.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  for (int i = 0; i < count_of(c); i++) {
    const lim_chain_joint *j = &moving_of(c)[i];
    const double step[3] = {j->o[0] - before[0], j->o[1] - before[1], j->o[2] - before[2]};
    lim_frame_shift(out->R, out->p, step);
    if (J) {
      memcpy(J + 6 * i, out->p, sizeof out->p);
      lim_rotate(J + 6 * i + 3, out->R, j->k);
    }
    lim_screw_move(out->R, out->p, &j->screw, position_of(c, i, q));
    before = j->o;
  }
  const double step[3] = {c->p[0] - before[0], c->p[1] - before[1], c->p[2] - before[2]};
  lim_frame_move(out->R, out->p, step, c->R);
}

void lim_chain_pose(lim_world_pose *out, const lim_chain *c, const double *q) { follow(out, NULL, c, q); }

// J (6 x n) from columns by all joints that move the frame: those that follow go with the ones they follow.
static void gather(double *J, const lim_chain *c, const double *columns) {
  memset(J, 0, 6 * (size_t)c->n * sizeof *J);
  for (int i = 0; i < c->nmoving; i++)
    for (int k = 0; k < c->n; k++) {
      const int number = c->moving[i].number;
      const double part = number >= 0 ? number == k : c->follower[~number].by[k];
      for (int m = 0; m < 6; m++) J[6 * k + m] += part * columns[6 * i + m];
    }
}

void lim_chain_jacobian(lim_world_pose *out, double *J, const lim_chain *c, const double *q) {
  double all[6 * LIM_CHAIN_MOST], *columns = c->moving ? all : J;
  follow(out, columns, c, q);
  for (int i = 0; i < count_of(c); i++) {
    double *column = columns + 6 * i, *axis = column + 3;
    const double arm[3] = {out->p[0] - column[0], out->p[1] - column[1], out->p[2] - column[2]};
    if (moving_of(c)[i].slides) {
      memcpy(column, axis, 3 * sizeof *axis);
      memset(axis, 0, 3 * sizeof *axis);
    } else {
      lim_cross(column, axis, arm);
    }
  }
  if (c->moving) gather(J, c, columns);
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
static void section_columns(double *J, const lim_arm *s, const lim_site *site, const lim_world_pose *body,
                            const double *q, const double p[3], double *unit, int first, int count) {
  lim_world_motion still = {.R = {0}};
  memcpy(still.R, body->R, sizeof still.R);
  memcpy(still.p, body->p, sizeof still.p);
  for (int k = first; k < first + count; k++) {
    unit[k] = 1;
    lim_world_motion at = lim_kinematics_site(s, site, &still, q, unit, NULL);
    unit[k] = 0;
    double arm[3] = {p[0] - at.p[0], p[1] - at.p[1], p[2] - at.p[2]};
    lim_cross(J + 6 * k, at.w, arm);
    for (int i = 0; i < 3; i++) {
      J[6 * k + i] += at.v[i];
      J[6 * k + 3 + i] = at.w[i];
    }
  }
}

static void joint_column(double *column, const lim_arm_body *b, const lim_world_pose *at, const double p[3]) {
  double turned[3], arm[3] = {p[0] - at->p[0], p[1] - at->p[1], p[2] - at->p[2]};
  lim_rotate(column, at->R, b->screw.along);
  lim_rotate(column + 3, at->R, b->screw.about);
  lim_cross(turned, column + 3, arm);
  for (int i = 0; i < 3; i++) column[i] += turned[i];
}

void lim_frame_jacobian(lim_world_pose *out, double *J, const lim_arm *s, const lim_site *site, const double *q,
                        lim_world_motion *body, double *unit) {
  lim_kinematics(body, s, q, NULL, NULL);
  lim_world_motion frame = lim_kinematics_at(s, site, body, q, NULL, NULL);
  memcpy(out->R, frame.R, sizeof out->R);
  memcpy(out->p, frame.p, sizeof out->p);
  memset(J, 0, 6 * (size_t)s->n * sizeof *J);
  for (const lim_site *at = site; at->body >= 0; at = &s->bodies[at->body].on) {
    const lim_arm_body *b = &s->bodies[at->body];
    lim_world_pose pose;
    memcpy(pose.R, body[at->body].R, sizeof pose.R);
    memcpy(pose.p, body[at->body].p, sizeof pose.p);
    section_columns(J, s, at, &pose, q, out->p, unit, b->e + at->section.first, at->section.count);
    if (b->inner) section_columns(J, s, at, &pose, q, out->p, unit, b->q, 1);
    if (b->q >= 0 && !b->inner) joint_column(J + 6 * b->q, b, &pose, out->p);
  }
}

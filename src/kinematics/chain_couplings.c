// chain_couplings.c - joints of a chain that couplings make follow others. Theory: docs/theory/kinematics.md.
#include "kinematics/chain_couplings.h"

#include "arm/coupling.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Which coordinates may follow: those beside the chain first, none that is held.
static void prefer_beside(int *prefer, const lim_chain *c, const lim_arm *s, const bool *held) {
  for (int k = 0; k < s->n; k++) prefer[k] = -1;
  for (int i = 0; i < s->nbody; i++)
    if (s->bodies[i].q >= 0 && !(held && held[s->bodies[i].link])) prefer[s->bodies[i].q] = 1;
  for (int i = 0; i < c->n; i++) prefer[s->bodies[c->joint[i].body].q] = 0;
}

static int body_of(const lim_arm *s, int coordinate) {
  for (int i = 0; i < s->nbody; i++)
    if (s->bodies[i].q == coordinate) return i;
  return -1;
}

// Number of a coordinate among the joints of the chain; -1: it is none of them.
static int number_of(const lim_chain *c, const lim_arm *s, int coordinate) {
  for (int i = 0; i < c->n; i++)
    if (s->bodies[c->joint[i].body].q == coordinate) return i;
  return -1;
}

static int follower_of(const lim_coupling_form *f, const lim_arm *s, int coordinate) {
  int number = 0;
  for (int i = 0; i < s->ncoupling; i++) {
    if (f->pivot[i] == coordinate) return number;
    number += f->pivot[i] >= 0;
  }
  return -1;
}

// All joints of the chain become those that move the frame; those that follow are taken from its own.
static void part_joints(lim_chain *c, const lim_arm *s, const lim_coupling_form *f) {
  int kept = 0;
  memcpy(c->moving, c->joint, (size_t)c->n * sizeof *c->moving);
  c->nmoving = c->n;
  for (int i = 0; i < c->nmoving; i++) {
    const int follows = follower_of(f, s, s->bodies[c->moving[i].body].q);
    c->moving[i].number = follows < 0 ? kept : ~follows;
    if (follows >= 0) continue;
    c->start[kept] = c->start[i];
    c->joint[kept++] = c->moving[i];
  }
  c->n = kept;
}

// x (n): where the joints beside the chain stand.
static void take_follower(lim_chain *c, const lim_arm *s, const lim_coupling_form *f, int row,
                          const double *x) {
  lim_chain_follower *to = &c->follower[c->nfollower++];
  const int body = body_of(s, f->pivot[row]);
  const lim_joint *from = &s->model->links.item[s->bodies[body].link].joint;
  to->joint = (lim_chain_joint){.name = from->head.name,
                                .link = s->bodies[body].link,
                                .body = body,
                                .slides = s->bodies[body].screw.slides};
  to->offset = f->rest[row];
  for (int k = 0; k < s->n; k++) {
    const double part = f->C[(size_t)row * (size_t)s->n + (size_t)k];
    const int number = number_of(c, s, k);
    if (k == f->pivot[row] || part == 0) continue;
    if (number < 0) {
      to->offset -= part * x[k];
      continue;
    }
    to->by[number] = -part;
    to->moves = true;
    c->joint[number].leads = true;
  }
}

// Limits of a joint that follows become those of the one that it follows.
static lim_code pass_limits(lim_chain *c, const lim_arm *s, const lim_chain_follower *x, lim_error *err) {
  const lim_arm_body *b = &s->bodies[x->joint.body];
  const double *limits = s->model->links.item[x->joint.link].joint.limits.position;
  const bool limited = s->model->links.item[x->joint.link].joint.limits.head.node && !isnan(limits[0]);
  const double low = fmax(limited ? limits[0] : -INFINITY, b->range[0]),
               high = fmin(limited ? limits[1] : INFINITY, b->range[1]);
  int leaders = 0, last = -1;
  for (int k = 0; k < c->n; k++) leaders += x->by[k] != 0 && (last = k) >= 0;
  if (leaders == 0 || (isinf(low) && isinf(high))) return LIM_OK;
  if (leaders > 1)
    return LIM_FAIL(
        err, LIM_BAD_INPUT,
        "joint '%s' has limits and follows several joints by couplings; inverse kinematics cannot treat "
        "that in this version",
        x->joint.name);
  const double at[2] = {(low - x->offset) / x->by[last], (high - x->offset) / x->by[last]};
  lim_chain_joint *j = &c->joint[last];
  j->low = fmax(j->low, fmin(at[0], at[1]));
  j->high = fmin(j->high, fmax(at[0], at[1]));
  return LIM_OK;
}

lim_code lim_chain_couple(lim_chain *c, const lim_arm *s, const double *x, const bool *held, lim_error *err) {
  lim_arena arena = {0};
  lim_coupling_form f;
  int *prefer = lim_arena_array(&arena, (size_t)s->n, sizeof *prefer);
  const size_t rows = (size_t)s->ncoupling, n = (size_t)c->n;
  c->moving = calloc(n + 1, sizeof *c->moving);
  c->follower = calloc(rows, sizeof *c->follower);
  double *by = calloc(rows * (n + 1), sizeof *by);
  lim_code code = prefer && c->moving && c->follower && by ? LIM_OK : lim_no_memory(err);
  if (c->follower)
    c->follower[0].by = by; // freed with the chain
  else
    free(by);
  if (code == LIM_OK) prefer_beside(prefer, c, s, held);
  if (code == LIM_OK && !lim_couplings_solve(&f, &arena, s, prefer)) code = lim_no_memory(err);
  if (code == LIM_OK) part_joints(c, s, &f);
  for (int i = 0; i < s->ncoupling && code == LIM_OK; i++) {
    if (f.pivot[i] < 0) continue;
    c->follower[c->nfollower].by = by + (size_t)c->nfollower * n;
    take_follower(c, s, &f, i, x);
    code = pass_limits(c, s, &c->follower[c->nfollower - 1], err);
  }
  lim_arena_free(&arena);
  return code;
}

double lim_chain_follow(const lim_chain *c, int follower, const double *q) {
  const lim_chain_follower *x = &c->follower[follower];
  double sum = x->offset;
  for (int k = 0; k < c->n; k++) sum += x->by[k] * q[k];
  return sum;
}

void lim_chain_put(double *x, const lim_arm *s, const lim_chain *c, const double *q) {
  for (int k = 0; k < c->n; k++) x[s->bodies[c->joint[k].body].q] = q[k];
  for (int k = 0; k < c->nfollower; k++) x[s->bodies[c->follower[k].joint.body].q] = lim_chain_follow(c, k, q);
}

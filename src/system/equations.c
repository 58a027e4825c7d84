// equations.c - drives and loads joined to the recursion. Theory: docs/theory/dynamics.md.
#include "system/equations.h"

#include <stdlib.h>
#include <string.h>

void lim_equations_prescribe(const lim_equations *e, double t, lim_side side, double *q, double *v, double *a) {
  for (int i = 0; i < e->s->nbody; i++) {
    int k = e->s->member[i].q;
    if (k < 0 || !e->given[k]) continue;
    lim_sample x = lim_actuation_sample(e->act->drive[i].motion, t, side);
    if (q) q[k] = x.value;
    if (v) v[k] = x.rate;
    if (a) a[k] = x.second;
  }
}

// Efforts of the arm with rigid links along the commanded motion, into rr.
static void rigid_efforts(lim_equations *e, double t, lim_side side) {
  for (int i = 0; i < e->s->nbody; i++) {
    int k = e->rigid_q[i];
    if (k < 0) continue;
    e->rv[k] = e->ra[k] = 0;
    if (!e->act->drive[i].motion) continue;
    lim_sample x = lim_actuation_sample(e->act->drive[i].motion, t, side);
    e->rq[k] = x.value;
    e->rv[k] = x.rate;
    e->ra[k] = x.second;
  }
  lim_rec_residual(e->rr, e->rigid_w, e->rq, e->rv, e->ra);
}

static double drive_effort(const lim_equations *e, int body, double t, lim_side side, double q, double v) {
  const lim_joint_drive *d = &e->act->drive[body];
  if (d->type == LIM_DRIVE_EFFORT)
    return d->rigid ? e->rr[e->rigid_q[body]] : lim_actuation_sample(d->effort, t, side).value;
  if (d->type != LIM_DRIVE_SERVO) return 0;
  lim_sample x = lim_actuation_sample(d->motion, t, side);
  return d->stiffness * (x.value - q) + d->damping * (x.rate - v);
}

void lim_equations_residual(double *r, lim_equations *e, double t, lim_side side, const double *q,
                            const double *v, const double *a) {
  lim_actuation_loads(e->wrench, e->act, t, side);
  lim_rec_apply(e->w, e->wrench, e->act->nload);
  lim_rec_residual(r, e->w, q, v, a);
  if (e->rigid) rigid_efforts(e, t, side);
  for (int i = 0; i < e->s->nbody; i++) {
    int k = e->s->member[i].q;
    if (k < 0) continue;
    double extra = (side == LIM_BEFORE ? e->extra_before : e->extra)[k];
    e->tau[k] = e->given[k] ? r[k] : drive_effort(e, i, t, side, q[k], v[k]) + extra;
    if (!e->given[k]) r[k] -= e->tau[k];
  }
}

void lim_equations_lock(lim_equations *e) {
  for (int i = 0; i < e->s->nbody; i++)
    lim_rec_lock(e->w, i, e->s->member[i].q >= 0 && e->given[e->s->member[i].q]);
}

static const char *coordinate_name(const lim_system *s, int k) {
  for (int i = 0; i < s->nbody; i++) {
    const lim_link *link = &s->model->links.item[s->member[i].link];
    if (k == s->member[i].q) return link->joint.head.name;
    if (k >= s->member[i].e && k < s->member[i].e + s->member[i].body->n) return link->head.name;
  }
  return "?";
}

lim_code lim_equations_factor(lim_equations *e, const double *q, lim_step_matrix c, lim_error *err) {
  for (int i = 0; i < e->s->nbody; i++) {
    int k = e->s->member[i].q;
    const lim_joint_drive *d = &e->act->drive[i];
    if (k >= 0) e->joint[k] = d->type == LIM_DRIVE_SERVO ? c.D * d->damping + c.K * d->stiffness : 0;
  }
  int bad = lim_rec_factor(e->w, q, c, e->joint);
  if (bad < 0) return LIM_OK;
  return LIM_FAIL(
      err, LIM_FAILED,
      "'%s' moves without mass: its acceleration cannot be found; give the link a mass, or fix its joint",
      coordinate_name(e->s, bad));
}

lim_code lim_equations_accelerate(double *a, double *r, lim_equations *e, double t, lim_side side,
                                  const double *q, const double *v, lim_error *err) {
  for (int i = 0; i < e->s->n; i++)
    if (!e->given[i]) a[i] = 0;
  lim_equations_residual(r, e, t, side, q, v, a);
  lim_code code = lim_equations_factor(e, q, (lim_step_matrix){.M = 1}, err);
  if (code != LIM_OK) return code;
  lim_rec_solve(r, e->w);
  for (int i = 0; i < e->s->n; i++)
    if (!e->given[i]) a[i] = -r[i];
  return LIM_OK;
}

static bool wants_rigid(const lim_system *s, const lim_actuation *act) {
  for (int i = 0; i < s->nbody; i++)
    if (act->drive[i].rigid) return true;
  return false;
}

// Coordinates of the joints in the rigid system, which has the same links but other bodies.
static lim_code pair_with_rigid(lim_equations *e, const lim_system *rigid, lim_error *err) {
  size_t n = (size_t)rigid->n;
  e->rigid_w = lim_rec_work_new(rigid);
  e->rq = lim_arena_array(&e->arena, 4 * n, sizeof *e->rq);
  e->rigid_q = lim_arena_array(&e->arena, (size_t)e->s->nbody, sizeof *e->rigid_q);
  if (!e->rigid_w || !e->rq || !e->rigid_q) return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  e->rv = e->rq + n;
  e->ra = e->rv + n;
  e->rr = e->ra + n;
  lim_system_start(e->rq, e->rv, rigid);
  for (int i = 0; i < e->s->nbody; i++)
    e->rigid_q[i] = e->s->member[i].q < 0 ? -1 : rigid->member[rigid->first_body[e->s->member[i].link]].q;
  e->rigid = rigid;
  return LIM_OK;
}

lim_code lim_equations_new(lim_equations **out, const lim_system *s, const lim_actuation *act,
                           const lim_system *rigid, lim_error *err) {
  *out = NULL;
  lim_equations *e = calloc(1, sizeof *e);
  if (!e) return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  size_t n = (size_t)s->n;
  e->s = s;
  e->act = act;
  e->w = lim_rec_work_new(s);
  e->wrench = lim_arena_array(&e->arena, (size_t)act->nload, sizeof *e->wrench);
  e->given = lim_arena_array(&e->arena, n, sizeof *e->given);
  e->joint = lim_arena_array(&e->arena, n, sizeof *e->joint);
  e->tau = lim_arena_array(&e->arena, n, sizeof *e->tau);
  e->extra = lim_arena_array(&e->arena, n, sizeof *e->extra);
  e->extra_before = lim_arena_array(&e->arena, n, sizeof *e->extra_before);
  lim_code code = e->w && e->wrench && e->given && e->joint && e->tau && e->extra && e->extra_before
                      ? LIM_OK
                      : LIM_NO_MEMORY;
  if (code != LIM_OK) lim_error_add(err, code, NULL, 0, 0, "out of memory");
  for (int i = 0; code == LIM_OK && i < s->nbody; i++)
    if (s->member[i].q >= 0 && act->drive[i].type == LIM_DRIVE_PRESCRIBED) e->given[s->member[i].q] = true;
  if (code == LIM_OK) lim_equations_lock(e);
  if (code == LIM_OK && wants_rigid(s, act)) code = pair_with_rigid(e, rigid, err);
  if (code == LIM_OK)
    *out = e;
  else
    lim_equations_free(e);
  return code;
}

void lim_equations_free(lim_equations *e) {
  if (!e) return;
  lim_rec_work_free(e->w);
  lim_rec_work_free(e->rigid_w);
  lim_arena_free(&e->arena);
  free(e);
}

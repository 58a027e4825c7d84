// flow.c - equations of motion of a flow: nonlinear, or to first order about a rigid motion.
// Theory: docs/theory/simulation.md.
#include "analysis/flow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- linearisation about the rigid motion ---

void lim_flow_about(lim_flow *f) {
  const lim_system *s = f->e->s, *rigid = f->about->e->s;
  double *q = f->ref, *v = q + f->n, *a = v + f->n;
  for (int i = 0; i < s->nbody; i++) {
    int k = s->member[i].q;
    if (k < 0) continue;
    int j = rigid->member[rigid->first_body[s->member[i].link]].q;
    const int both[2] = {k, s->member[i].m}; // the gear is at ease
    for (int c = 0; c < 2 && both[c] >= 0; c++) {
      q[both[c]] = f->about->q[j];
      v[both[c]] = f->about->v[j];
      a[both[c]] = f->about->a[j];
    }
  }
}

// q and v with the rigid motion   (2 n)
static const double *whole_motion(lim_flow *f, const double *q, const double *v) {
  double *whole = f->k[2]; // of rk4, which does not come here
  for (int k = 0; k < f->n; k++) {
    whole[k] = f->ref[k] + q[k];
    whole[f->n + k] = f->ref[f->n + k] + v[k];
  }
  return whole;
}

void lim_flow_rates(lim_flow *f, lim_side side) {
  if (!f->ns) return;
  const double *whole = f->about ? whole_motion(f, f->q, f->v) : NULL;
  lim_equations_rates(f->e, f->t, side, whole ? whole : f->q, whole ? whole + f->n : f->v);
}

// Drives to first order: those that follow a command pull the deviation back (their laws are linear, so that
// the whole motion may be put in); efforts are those of the rigid motion. Gears of the rigid motion are at
// ease.
static void linear_drives(double *r, lim_flow *f, double t, lim_side side, const double *q, const double *v) {
  lim_equations *e = f->e;
  const double *whole = whole_motion(f, q, v);
  lim_equations_drive(e, t, side, whole, whole + f->n);
  const lim_system *rigid = f->about->e->s;
  for (int i = 0; i < e->s->nbody; i++) {
    const lim_member *b = &e->s->member[i];
    if (b->q < 0) continue;
    const lim_drive_answer *a = &e->answer[i];
    int ground = rigid->member[rigid->first_body[b->link]].q;
    bool effort = e->act->drive[i].type == LIM_DRIVE_EFFORT;
    r[b->q] -= effort ? f->about->e->tau[ground] : a->joint;
    if (b->m >= 0) {
      r[b->m] -= a->motor;
      e->tau[b->m] = e->prescribed[b->m] ? r[b->m] : e->act->drive[i].ratio * a->torque;
    }
    if (effort) e->tau[b->q] = f->about->e->tau[ground];
    if (e->prescribed[b->q]) e->tau[b->q] = r[b->q];
  }
}

static void linear_residual(double *r, lim_flow *f, double t, lim_side side, const double *q, const double *v,
                            const double *a) {
  int n = f->n;
  lim_dual *x = f->dx;
  for (int i = 0; i < n; i++) {
    x[i] = (lim_dual){f->ref[i], q[i]};
    x[n + i] = (lim_dual){f->ref[n + i], v[i]};
    x[2 * n + i] = (lim_dual){f->ref[2 * n + i], a[i]};
  }
  lim_actuation_loads(f->e->wrench, f->e->act, t, side, f->e->control.signal);
  lim_bonds_lengths(f->e->length, &f->e->act->bonds, t, side == LIM_BEFORE);
  lim_dual_apply(f->dual, f->e->wrench, f->e->act->nload);
  for (int i = 0; i < f->e->s->nrow; i++) f->dl[i] = (lim_dual){f->about->e->lambda[i], f->e->lambda[i]};
  lim_dual_residual(x + 3 * n, f->dual, x, x + n, x + 2 * n);
  for (int i = 0; i < n; i++) r[i] = x[3 * n + i].x + x[3 * n + i].d;
  linear_drives(r, f, t, side, q, v);
}

// --- both kinds ---

void lim_flow_residual(double *r, lim_flow *f, double t, lim_side side, const double *q, const double *v,
                       const double *a) {
  if (f->about)
    linear_residual(r, f, t, side, q, v, a);
  else
    lim_equations_residual(r, f->e, t, side, q, v, a);
}

lim_code lim_flow_factor(lim_flow *f, const double *q, lim_step_matrix c, lim_error *err) {
  if (f->about) { // poses of the rigid motion; the value of its residual does not matter here
    lim_rec_residual(f->An, f->e->w, f->ref, f->ref + f->n, f->ref + 2 * f->n);
    q = f->ref;
  }
  return lim_equations_factor(f->e, q, c, err);
}

void lim_flow_prescribe(const lim_flow *f, double t, lim_side side, double *q, double *v, double *a) {
  if (!f->about) {
    lim_equations_prescribe(f->e, t, side, q, v, a);
    return;
  }
  for (int i = 0; i < f->n; i++) {
    if (!f->e->given[i]) continue;
    if (q) q[i] = 0;
    if (v) v[i] = 0;
    if (a) a[i] = 0;
  }
}

// In mode linear the rows are those of the rigid motion: G times the deviation, and its derivatives.
static const double *times_rows(lim_flow *f, const double *x, double k) {
  lim_equations *e = f->e;
  for (int i = 0; i < e->s->nrow; i++) {
    e->opening[i] = 0;
    for (int j = 0; j < f->n; j++) e->opening[i] += k * e->G[(size_t)i * (size_t)f->n + (size_t)j] * x[j];
  }
  return e->opening;
}

const double *lim_flow_openings(lim_flow *f, const double *q, const double *v, const double *a) {
  return f->about ? times_rows(f, a, 1) : lim_equations_openings(f->e, q, v, a);
}

const double *lim_flow_gaps(lim_flow *f, const double *q, double k) {
  lim_equations *e = f->e;
  if (f->about) return times_rows(f, q, k);
  lim_equations_rows(e, q, NULL, NULL);
  for (int i = 0; i < e->s->nrow; i++) e->opening[i] = k * e->row[i].value;
  return e->opening;
}

lim_code lim_flow_accelerate(lim_flow *f, lim_side side, lim_error *err) {
  if (f->about) lim_flow_about(f);
  for (int i = 0; i < f->n; i++) f->a[i] = 0;
  lim_flow_prescribe(f, f->t, side, NULL, NULL, f->a);
  lim_flow_residual(f->r, f, f->t, side, f->q, f->v, f->a);
  lim_code code = lim_flow_factor(f, f->q, (lim_step_matrix){.M = 1}, err);
  if (code != LIM_OK) return code;
  lim_equations_solve(f->r, f->e, lim_flow_openings(f, f->q, f->v, f->a), -1);
  for (int i = 0; i < f->n; i++)
    if (!f->e->given[i]) f->a[i] = -f->r[i];
  lim_flow_residual(f->r, f, f->t, side, f->q, f->v, f->a); // efforts that go with these accelerations
  f->iterations++;
  return LIM_OK;
}

void lim_flow_power(double *power, lim_flow *f, const double *q, const double *v, const double *r) {
  lim_powers p = lim_equations_power(f->e, f->body, q, v, r);
  memcpy(power, p.power, sizeof p.power);
}

// --- set-up ---

// A motion below these sizes is rounding: 1e-5 rad or m of a joint, 1e-7 of its length of a body's deformation.
static double smallest_scale(const lim_member *m) {
  double largest = m->shapes && m->shapes->index ? 1 : 0; // displacement by a unit of a coordinate
  for (int i = 0; m->shapes && !m->shapes->index && i < m->shapes->ndof * m->shapes->n; i++)
    if (i % m->shapes->ndof % 6 < 3) largest = fmax(largest, fabs(m->shapes->Phi[i]));
  for (int i = 0; m->slide && i < m->slide->ndof * m->slide->n; i++)
    largest = fmax(largest, fabs(m->slide->Phi[i]));
  return largest > 0 ? 1e-7 * m->mesh->length / largest : 0;
}

static void make_groups(lim_flow *f) {
  const lim_system *s = f->e->s;
  f->ngroup = 2 + s->nbody;
  f->scale[0] = f->scale[1] = 1e-5;
  for (int i = 0; i < s->nbody; i++) {
    const lim_member *m = &s->member[i];
    if (m->q >= 0) f->group[m->q] = m->type == LIM_PRISMATIC;
    if (m->m >= 0) f->group[m->m] = m->type == LIM_PRISMATIC;
    for (int k = 0; k < m->body->n; k++) f->group[m->e + k] = 2 + i;
    f->scale[2 + i] = smallest_scale(m);
  }
}

static bool take(lim_flow *f) {
  size_t n = (size_t)f->n, groups = 2 + (size_t)f->e->s->nbody;
  double **vector[] = {&f->q, &f->v, &f->a, &f->A, &f->b, &f->r, &f->qn, &f->vn, &f->an, &f->An};
  for (size_t i = 0; i < sizeof vector / sizeof *vector; i++)
    if (!(*vector[i] = lim_arena_array(&f->arena, (size_t)f->unknowns, sizeof(double)))) return false;
  for (int i = 0; i < 4; i++)
    if (!(f->k[i] = lim_arena_array(&f->arena, 2 * n + LIM_POWERS + (size_t)f->ns, sizeof(double))))
      return false;
  f->scale = lim_arena_array(&f->arena, groups, sizeof *f->scale);
  f->group = lim_arena_array(&f->arena, n, sizeof *f->group);
  f->dx = lim_arena_array(&f->arena, 4 * n, sizeof *f->dx);
  f->dl = lim_arena_array(&f->arena, (size_t)f->e->s->nrow, sizeof *f->dl);
  f->ref = lim_arena_array(&f->arena, 3 * n, sizeof *f->ref);
  f->body = lim_arena_array(&f->arena, (size_t)f->e->s->nbody, sizeof *f->body);
  f->weight = lim_arena_array(&f->arena, (size_t)f->unknowns, sizeof *f->weight);
  f->x = lim_arena_array(&f->arena, (size_t)f->ns, sizeof *f->x);
  return f->x && f->scale && f->group && f->dx && f->dl && f->ref && f->body && f->weight &&
         lim_anderson_take(&f->anderson, &f->arena, f->unknowns);
}

lim_code lim_flow_new(lim_flow **out, lim_equations *e, const lim_flow *about, double tolerance,
                      lim_error *err) {
  lim_flow *f = *out = calloc(1, sizeof *f);
  if (!f) return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  f->e = e;
  f->n = e->s->n;
  f->ns = e->ns;
  f->unknowns = f->n + e->s->nrow;
  f->about = about;
  f->tolerance = tolerance;
  f->step = e->s->model->solver.step;
  f->by_energy = e->s->model->solver.criterion == 1;
  if (about) f->dual = lim_dual_work_new(e->s);
  bool bound = !f->dual || lim_dual_bind(f->dual, e->act->bonds.bond, e->length, e->act->bonds.count);
  if (!take(f) || (about && !f->dual) || !bound) {
    lim_flow_free(f);
    *out = NULL;
    return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  }
  if (f->dual) {
    lim_dual_close(f->dual, f->dl);
    lim_dual_slacken(f->dual);
  }
  make_groups(f);
  if (about) return LIM_OK; // no deviation to begin with
  lim_system_start(f->q, f->v, e->s);
  lim_equations_prescribe(e, 0, LIM_AFTER, f->q, f->v, f->a);
  return e->s->nrow ? lim_loops_close(e->s, f->q, f->v, err) : LIM_OK;
}

void lim_flow_free(lim_flow *f) {
  if (!f) return;
  lim_dual_work_free(f->dual);
  lim_arena_free(&f->arena);
  free(f);
}

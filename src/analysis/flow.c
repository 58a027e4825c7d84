// flow.c - equations of motion of a flow: nonlinear, or to first order about a rigid motion.
// Theory: docs/theory/simulation.md.
#include "analysis/flow.h"

#include "math/rotation.h"

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
    q[k] = f->about->q[j];
    v[k] = f->about->v[j];
    a[k] = f->about->a[j];
  }
}

// Drives to first order: servos pull the deviation back; efforts are those of the rigid motion.
static void linear_drives(double *r, lim_flow *f, double t, lim_side side, const double *q, const double *v) {
  lim_equations *e = f->e;
  for (int i = 0; i < e->s->nbody; i++) {
    int k = e->s->member[i].q;
    if (k < 0) continue;
    const lim_joint_drive *d = &e->act->drive[i];
    const lim_system *rigid = f->about->e->s;
    double effort = f->about->e->tau[rigid->member[rigid->first_body[e->s->member[i].link]].q];
    if (d->type == LIM_DRIVE_SERVO) { // the rigid motion follows the command exactly
      lim_sample x = lim_actuation_sample(d->motion, t, side);
      effort = d->stiffness * (x.value - f->ref[k] - q[k]) + d->damping * (x.rate - f->ref[f->n + k] - v[k]);
    }
    e->tau[k] = e->given[k] ? r[k] : d->type == LIM_DRIVE_FREE ? 0 : effort;
    if (!e->given[k]) r[k] -= e->tau[k];
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
  lim_actuation_loads(f->e->wrench, f->e->act, t, side);
  lim_dual_apply(f->dual, f->e->wrench, f->e->act->nload);
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

lim_code lim_flow_accelerate(lim_flow *f, lim_side side, lim_error *err) {
  if (f->about) lim_flow_about(f);
  for (int i = 0; i < f->n; i++) f->a[i] = 0;
  lim_flow_prescribe(f, f->t, side, NULL, NULL, f->a);
  lim_flow_residual(f->r, f, f->t, side, f->q, f->v, f->a);
  lim_code code = lim_flow_factor(f, f->q, (lim_step_matrix){.M = 1}, err);
  if (code != LIM_OK) return code;
  lim_rec_solve(f->r, f->e->w);
  for (int i = 0; i < f->n; i++)
    if (!f->e->given[i]) f->a[i] = -f->r[i];
  lim_flow_residual(f->r, f, f->t, side, f->q, f->v, f->a); // efforts that go with these accelerations
  f->iterations++;
  return LIM_OK;
}

// --- power ---

// A wrench in world axes: those that follow their section are written in its axes, R Rc'.
static void world_wrench(double force[3], double moment[3], const lim_wrench *w, const double R[9]) {
  double section[9];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) section[3 * i + j] = lim_dot(R + 3 * i, w->site.Rc + 3 * j);
  memcpy(force, w->force, 3 * sizeof *force);
  memcpy(moment, w->moment, 3 * sizeof *moment);
  if (!w->follows) return;
  lim_rotate(force, section, w->force);
  lim_rotate(moment, section, w->moment);
}

// Rate of the section's rotation vector and of its body: what an applied moment works on.
static void section_spin(double w[3], const lim_system *s, const lim_site *site,
                         const lim_motion_in_world *body, const double *v) {
  const lim_section_motion *x = &site->section;
  const double *rate = v + s->member[site->body].e + x->first;
  double local[3] = {0};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < x->count; j++) local[i] += x->N[(3 + i) * x->count + j] * rate[j];
  lim_rotate(w, body->R, local);
  for (int i = 0; i < 3; i++) w[i] += body->w[i];
}

static double load_power(lim_flow *f, const double *q, const double *v) {
  const lim_equations *e = f->e;
  double power = 0, force[3], moment[3], w_section[3];
  lim_kinematics(f->body, e->s, q, v, NULL);
  for (int i = 0; i < e->act->nload; i++) {
    const lim_wrench *w = &e->wrench[i];
    if (w->site.body < 0) continue;
    lim_motion_in_world m = lim_kinematics_site(e->s, &w->site, &f->body[w->site.body], q, v, NULL);
    world_wrench(force, moment, w, m.R);
    section_spin(w_section, e->s, &w->site, &f->body[w->site.body], v);
    power += lim_dot(force, m.v) + lim_dot(moment, w_section);
  }
  return power;
}

static double damper_power(const lim_system *s, const double *v) {
  double power = 0;
  for (int k = 0; k < s->ndamper; k++) {
    const lim_sparse *D = &s->damper[k].D;
    const double *x = v + s->damper[k].first;
    for (int i = 0; i < D->n; i++)
      for (int j = D->start[i]; j < D->start[i + 1]; j++) power += x[i] * D->value[j] * x[D->column[j]];
  }
  return power;
}

void lim_flow_power(double *work, double *dissipated, lim_flow *f, double t, lim_side side, const double *q,
                    const double *v) {
  const lim_equations *e = f->e;
  *work = e->act->nload ? load_power(f, q, v) : 0;
  *dissipated = damper_power(e->s, v);
  for (int i = 0; i < e->s->nbody; i++) {
    int k = e->s->member[i].q;
    if (k < 0) continue;
    const lim_joint_drive *d = &e->act->drive[i];
    if (d->type != LIM_DRIVE_SERVO) {
      *work += e->tau[k] * v[k];
      continue;
    }
    double rate = lim_actuation_sample(d->motion, t, side).rate; // the command moves the servo's far end
    *work += e->tau[k] * rate;
    *dissipated += d->damping * (rate - v[k]) * (rate - v[k]);
  }
}

// --- set-up ---

// A motion below these sizes is rounding: 1e-5 rad or m of a joint, 1e-7 of its length of a body's deformation.
static double smallest_scale(const lim_member *m) {
  double largest = m->shapes && m->shapes->index ? 1 : 0; // displacement by a unit of a coordinate
  for (int i = 0; m->shapes && !m->shapes->index && i < m->shapes->ndof * m->shapes->n; i++)
    if (i % m->shapes->ndof % 6 < 3) largest = fmax(largest, fabs(m->shapes->Phi[i]));
  return largest > 0 ? 1e-7 * m->mesh->length / largest : 0;
}

static void make_groups(lim_flow *f) {
  const lim_system *s = f->e->s;
  f->ngroup = 2 + s->nbody;
  f->scale[0] = f->scale[1] = 1e-5;
  for (int i = 0; i < s->nbody; i++) {
    const lim_member *m = &s->member[i];
    if (m->q >= 0) f->group[m->q] = m->type == LIM_PRISMATIC;
    for (int k = 0; k < m->body->n; k++) f->group[m->e + k] = 2 + i;
    f->scale[2 + i] = smallest_scale(m);
  }
}

static bool take(lim_flow *f) {
  size_t n = (size_t)f->n, groups = 2 + (size_t)f->e->s->nbody;
  double **vector[] = {&f->q, &f->v, &f->a, &f->A, &f->b, &f->r, &f->qn, &f->vn, &f->an, &f->An};
  for (size_t i = 0; i < sizeof vector / sizeof *vector; i++)
    if (!(*vector[i] = lim_arena_array(&f->arena, n, sizeof(double)))) return false;
  for (int i = 0; i < 4; i++)
    if (!(f->k[i] = lim_arena_array(&f->arena, 2 * n + 2, sizeof(double)))) return false;
  f->scale = lim_arena_array(&f->arena, groups, sizeof *f->scale);
  f->group = lim_arena_array(&f->arena, n, sizeof *f->group);
  f->dx = lim_arena_array(&f->arena, 4 * n, sizeof *f->dx);
  f->ref = lim_arena_array(&f->arena, 3 * n, sizeof *f->ref);
  f->body = lim_arena_array(&f->arena, (size_t)f->e->s->nbody, sizeof *f->body);
  f->weight = lim_arena_array(&f->arena, n, sizeof *f->weight);
  return f->scale && f->group && f->dx && f->ref && f->body && f->weight &&
         lim_anderson_take(&f->anderson, &f->arena, f->n);
}

lim_code lim_flow_new(lim_flow **out, lim_equations *e, const lim_flow *about, double tolerance,
                      lim_error *err) {
  lim_flow *f = *out = calloc(1, sizeof *f);
  if (!f) return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  f->e = e;
  f->n = e->s->n;
  f->about = about;
  f->tolerance = tolerance;
  f->step = e->s->model->solver.step;
  f->by_energy = e->s->model->solver.criterion == 1;
  if (about) f->dual = lim_dual_work_new(e->s);
  if (!take(f) || (about && !f->dual)) {
    lim_flow_free(f);
    *out = NULL;
    return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  }
  make_groups(f);
  if (about) return LIM_OK; // no deviation to begin with
  lim_system_start(f->q, f->v, e->s);
  lim_equations_prescribe(e, 0, LIM_AFTER, f->q, f->v, f->a);
  return LIM_OK;
}

void lim_flow_free(lim_flow *f) {
  if (!f) return;
  lim_dual_work_free(f->dual);
  lim_arena_free(&f->arena);
  free(f);
}

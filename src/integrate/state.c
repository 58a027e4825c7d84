// state.c - equations of motion of a flow: nonlinear, or to first order about a rigid motion.
// Theory: docs/theory/simulation.md.
#include "integrate/state.h"

#include "arm/body/kind.h"
#include "dynamics/loop_closing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- linearisation about the rigid motion ---

void lim_state_about(lim_state *f) {
  const lim_arm *s = f->e->s, *rigid = f->about->e->s;
  double *q = f->ref, *v = q + f->n, *a = v + f->n;
  for (int i = 0; i < s->nbody; i++) {
    int k = s->bodies[i].q;
    if (k < 0) continue;
    int j = lim_arm_same_freedom(rigid, s, i);
    const int both[2] = {k, s->bodies[i].m}; // the gear is at ease
    for (int c = 0; c < 2 && both[c] >= 0; c++) {
      q[both[c]] = f->about->q[j];
      v[both[c]] = f->about->v[j];
      a[both[c]] = f->about->a[j];
    }
  }
}

// q and v with the rigid motion   (2 n)
static const double *whole_motion(lim_state *f, const double *q, const double *v) {
  double *whole = f->k[2]; // of rk4, which does not come here
  for (int k = 0; k < f->n; k++) {
    whole[k] = f->ref[k] + q[k];
    whole[f->n + k] = f->ref[f->n + k] + v[k];
  }
  return whole;
}

void lim_state_rates(lim_state *f, lim_side side) {
  if (!f->ns) return;
  const double *whole = f->about ? whole_motion(f, f->q, f->v) : NULL;
  lim_equations_rates(f->e, f->t, side, whole ? whole : f->q, whole ? whole + f->n : f->v);
}

static void keep_answers(lim_drive_answer *to, const lim_equations *e) {
  memcpy(to, e->answer, (size_t)e->s->nbody * sizeof *to);
}

// base + (beside - base) d: laws of drives are linear here.
static double between(double base, double perturbed, double d) { return base + d * (perturbed - base); }

// Drives at the whole motion. A deviation of nanometres beside a joint's metres would drown in rounding, and
// stiff gears would shake the arm with it: efforts are found at a deviation of order 1 and scaled down.
static void drive_whole(lim_state *f, double t, lim_side side, const double *q, const double *v) {
  lim_equations *e = f->e;
  double largest = 0, *whole = f->k[2], *const speed = whole + f->n; // of rk4, which does not come here
  lim_drive_answer *base = f->slope, *perturbed = base + e->s->nbody;
  for (int i = 0; i < e->s->nbody; i++) {
    const int both[2] = {e->s->bodies[i].q, e->s->bodies[i].m};
    for (int c = 0; c < 2; c++)
      if (both[c] >= 0) largest = fmax(largest, fmax(fabs(q[both[c]]), fabs(v[both[c]])));
  }
  const bool sharpen = largest > 0 && largest < 1;
  for (int i = 0; i < f->n && sharpen; i++) {
    whole[i] = f->ref[i] + q[i] / largest;
    speed[i] = f->ref[f->n + i] + v[i] / largest;
  }
  if (sharpen) {
    lim_equations_drive(e, t, side, f->ref, f->ref + f->n);
    keep_answers(base, e);
    lim_equations_drive(e, t, side, whole, speed);
    keep_answers(perturbed, e);
  }
  whole_motion(f, q, v);
  lim_equations_drive(e, t, side, whole, speed);
  for (int i = 0; i < e->s->nbody && sharpen; i++) {
    lim_drive_answer *a = &e->answer[i];
    if (e->s->bodies[i].q < 0) continue;
    a->joint = between(base[i].joint, perturbed[i].joint, largest);
    a->motor = between(base[i].motor, perturbed[i].motor, largest);
    a->effort = between(base[i].effort, perturbed[i].effort, largest);
    a->gear = between(base[i].gear, perturbed[i].gear, largest);
    a->torque = between(base[i].torque, perturbed[i].torque, largest);
    e->tau[e->s->bodies[i].q] = a->effort;
  }
}

// Drives to first order: those that follow a command pull the deviation back (their laws are linear, so that
// the whole motion may be put in); efforts are those of the rigid motion. Gears of the rigid motion are at
// ease.
static void linear_drives(double *r, lim_state *f, double t, lim_side side, const double *q, const double *v) {
  lim_equations *e = f->e;
  drive_whole(f, t, side, q, v);
  const lim_arm *rigid = f->about->e->s;
  for (int i = 0; i < e->s->nbody; i++) {
    const lim_arm_body *b = &e->s->bodies[i];
    if (b->q < 0) continue;
    const lim_drive_answer *a = &e->answer[i];
    int reference_state = lim_arm_same_freedom(rigid, e->s, i);
    bool effort = e->inputs->drive[i].type == LIM_DRIVE_EFFORT;
    r[b->q] -= effort ? f->about->e->tau[reference_state] : a->joint;
    if (b->m >= 0) {
      r[b->m] -= a->motor;
      e->tau[b->m] = e->prescribed[b->m] ? r[b->m] : e->inputs->drive[i].ratio * a->torque;
    }
    if (effort) e->tau[b->q] = f->about->e->tau[reference_state];
    if (e->prescribed[b->q]) e->tau[b->q] = r[b->q];
  }
}

// Mode conventional: forces of the rigid motion, which the derivatives do not bring along.
static void add_rigid(double *r, lim_state *f) {
  double *rigid = f->k[3]; // of rk4, which does not come here
  lim_rec_apply(f->e->w, f->e->wrench, f->e->inputs->nload);
  lim_rec_close(f->e->w, f->about->e->lambda); // of couplings
  lim_rec_residual(rigid, f->e->w, f->ref, f->ref + f->n, f->ref + 2 * f->n);
  lim_rec_close(f->e->w, f->e->lambda);
  for (int i = 0; i < f->n; i++) r[i] = rigid[i] + f->dx[3 * f->n + i].d;
}

static void linear_residual(double *r, lim_state *f, double t, lim_side side, const double *q, const double *v,
                            const double *a) {
  int n = f->n;
  lim_dual *x = f->dx;
  for (int i = 0; i < n; i++) {
    x[i] = (lim_dual){f->ref[i], q[i]};
    x[n + i] = (lim_dual){f->ref[n + i], v[i]};
    x[2 * n + i] = (lim_dual){f->ref[2 * n + i], a[i]};
  }
  lim_inputs_loads(f->e->wrench, f->e->inputs, t, side, f->e->control.signal);
  lim_springs_lengths(f->e->length, &f->e->inputs->spring_elements, t, side == LIM_BEFORE);
  lim_dual_apply(f->dual, f->e->wrench, f->e->inputs->nload);
  for (int i = 0; i < f->e->nrow; i++) f->dl[i] = (lim_dual){f->about->e->lambda[i], f->e->lambda[i]};
  lim_dual_residual(x + 3 * n, f->dual, x, x + n, x + 2 * n);
  for (int i = 0; i < n; i++) r[i] = x[3 * n + i].x + x[3 * n + i].d;
  if (f->truncated) add_rigid(r, f);
  linear_drives(r, f, t, side, q, v);
}

// --- both kinds ---

void lim_state_residual(double *r, lim_state *f, double t, lim_side side, const double *q, const double *v,
                        const double *a) {
  if (f->about)
    linear_residual(r, f, t, side, q, v, a);
  else
    lim_equations_residual(r, f->e, t, side, q, v, a);
}

// The rigid motion, its links stretched as the tension that the forces of that motion r (n) need: dynamics.md
// (15).
static const double *stretched(lim_state *f, const double *r) {
  double *q = f->k[3]; // of rk4, which does not come here
  memcpy(q, f->ref, (size_t)f->n * sizeof *q);
  for (int i = 0; i < f->e->s->nbody; i++) {
    const lim_body *b = f->e->s->bodies[i].body;
    double tension = 0, *eta = q + f->e->s->bodies[i].e;
    const double *missing = r + f->e->s->bodies[i].e;
    for (int k = b->nstretch - 1; k >= 0; k--) {
      int end = b->axial_stretch[k].end[1];
      if (end < 0) continue;
      tension -= missing[end];
      eta[end] = tension / b->axial_stretch[k].stiffness; // by how much; summed up below
    }
    for (int k = 0; k < b->nstretch; k++)
      if (b->axial_stretch[k].end[0] >= 0 && b->axial_stretch[k].end[1] >= 0)
        eta[b->axial_stretch[k].end[1]] += eta[b->axial_stretch[k].end[0]];
  }
  return q;
}

// About a rigid motion: at its pose, with the tension of its links where that leaves the matrix definite.
lim_code lim_state_factor(lim_state *f, const double *q, lim_step_matrix c, lim_error *err) {
  if (!f->about) return lim_equations_factor(f->e, q, c, err);
  lim_rec_apply(f->e->w, f->e->wrench, f->e->inputs->nload);
  lim_rec_residual(f->An, f->e->w, f->ref, f->ref + f->n, f->ref + 2 * f->n);
  if (c.K != 0 && lim_equations_factor(f->e, stretched(f, f->An), c, NULL) == LIM_OK) return LIM_OK;
  return lim_equations_factor(f->e, f->ref, c, err);
}

void lim_state_prescribe(const lim_state *f, double t, lim_side side, double *q, double *v, double *a) {
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
static const double *times_rows(lim_state *f, const double *x, double k) {
  lim_equations *e = f->e;
  for (int i = 0; i < e->nrow; i++) {
    e->opening[i] = 0;
    for (int j = 0; j < f->n; j++) e->opening[i] += k * e->G[(size_t)i * (size_t)f->n + (size_t)j] * x[j];
  }
  return e->opening;
}

const double *lim_state_openings(lim_state *f, const double *q, const double *v, const double *a) {
  return f->about ? times_rows(f, a, 1) : lim_equations_openings(f->e, q, v, a);
}

const double *lim_state_gaps(lim_state *f, const double *q, double k) {
  lim_equations *e = f->e;
  if (f->about) return times_rows(f, q, k);
  lim_equations_rows(e, q, NULL, NULL);
  for (int i = 0; i < e->nrow; i++) e->opening[i] = k * e->row[i].value;
  return e->opening;
}

lim_code lim_state_accelerate(lim_state *f, lim_side side, lim_error *err) {
  if (f->about) lim_state_about(f);
  for (int i = 0; i < f->n; i++) f->a[i] = 0;
  lim_state_prescribe(f, f->t, side, NULL, NULL, f->a);
  lim_state_residual(f->r, f, f->t, side, f->q, f->v, f->a);
  lim_code code = lim_state_factor(f, f->q, (lim_step_matrix){.M = 1}, err);
  if (code != LIM_OK) return code;
  lim_equations_solve(f->r, f->e, lim_state_openings(f, f->q, f->v, f->a), -1);
  for (int i = 0; i < f->n; i++)
    if (!f->e->given[i]) f->a[i] = -f->r[i];
  lim_state_residual(f->r, f, f->t, side, f->q, f->v, f->a); // efforts that go with these accelerations
  f->iterations++;
  return LIM_OK;
}

void lim_state_power(double *power, lim_state *f, const double *q, const double *v, const double *r) {
  lim_powers p = lim_equations_power(f->e, f->body, q, v, r);
  memcpy(power, p.power, sizeof p.power);
}

// --- set-up ---

// A motion below these sizes is rounding: 1e-5 rad or m of a joint, 1e-7 of its length of a body's deformation.
static double smallest_scale(const lim_arm_body *m) {
  double largest = m->kind->unit(m);
  return largest > 0 ? 1e-7 * m->line->length / largest : 0;
}

static void make_groups(lim_state *f) {
  const lim_arm *s = f->e->s;
  f->ngroup = 2 + s->nbody;
  f->scale[0] = f->scale[1] = 1e-5;
  for (int i = 0; i < s->nbody; i++) {
    const lim_arm_body *m = &s->bodies[i];
    if (m->q >= 0) f->group[m->q] = m->screw.slides;
    if (m->m >= 0) f->group[m->m] = m->screw.slides;
    for (int k = 0; k < m->body->n; k++) f->group[m->e + k] = 2 + i;
    f->scale[2 + i] = smallest_scale(m);
  }
  for (int k = 0; k < f->n; k++) {
    if (k == 0 || f->group[k] != f->group[k - 1])
      f->run[f->nrun++] = (lim_state_run){.first = k, .group = f->group[k]};
    f->run[f->nrun - 1].count++;
  }
}

static bool allocate(lim_state *f) {
  size_t n = (size_t)f->n, groups = 2 + (size_t)f->e->s->nbody;
  double **vector[] = {&f->q, &f->v, &f->a, &f->A, &f->b, &f->r, &f->qn, &f->vn, &f->an, &f->An};
  for (size_t i = 0; i < sizeof vector / sizeof *vector; i++)
    if (!(*vector[i] = lim_arena_array(&f->arena, (size_t)f->unknowns, sizeof(double)))) return false;
  for (int i = 0; i < 4; i++)
    if (!(f->k[i] = lim_arena_array(&f->arena, 2 * n + LIM_POWERS + (size_t)f->ns, sizeof(double))))
      return false;
  f->scale = lim_arena_array(&f->arena, 2 * groups, sizeof *f->scale);
  f->group = lim_arena_array(&f->arena, n, sizeof *f->group);
  f->base = lim_arena_array(&f->arena, 2 * n, sizeof *f->base);
  f->run = lim_arena_array(&f->arena, n, sizeof *f->run);
  f->dx = lim_arena_array(&f->arena, 4 * n, sizeof *f->dx);
  f->dl = lim_arena_array(&f->arena, (size_t)f->e->nrow, sizeof *f->dl);
  f->ref = lim_arena_array(&f->arena, 3 * n, sizeof *f->ref);
  f->slope = lim_arena_array(&f->arena, 2 * (size_t)f->e->s->nbody, sizeof *f->slope);
  f->body = lim_arena_array(&f->arena, (size_t)f->e->s->nbody, sizeof *f->body);
  f->weight = lim_arena_array(&f->arena, (size_t)f->unknowns, sizeof *f->weight);
  f->x = lim_arena_array(&f->arena, (size_t)f->ns, sizeof *f->x);
  f->trial = f->scale ? f->scale + groups : NULL;
  return f->x && f->scale && f->group && f->base && f->run && f->dx && f->dl && f->ref && f->slope && f->body &&
         f->weight && lim_anderson_allocate(&f->anderson, &f->arena, f->unknowns) &&
         lim_predictor_allocate(&f->newton.predictor, &f->arena, f->unknowns);
}

static bool varies(const lim_arm *s) {
  for (int i = 0; i < s->nbody; i++)
    if (s->bodies[i].kind->varies) return true;
  return false;
}

static bool flexible(const lim_arm *s) {
  for (int i = 0; i < s->nbody; i++)
    if (s->bodies[i].body->n > 0) return true;
  return false;
}

lim_code lim_state_new(lim_state **out, lim_equations *e, const lim_state *about, double tolerance,
                       lim_error *err) {
  lim_state *f = *out = calloc(1, sizeof *f);
  if (!f) return lim_no_memory(err);
  f->e = e;
  f->n = e->s->n;
  f->ns = e->ns;
  f->unknowns = f->n + e->nrow;
  f->about = about;
  const bool adapts = lim_method_controls(&e->s->model->solver) && !about;
  f->tolerance = isnan(tolerance) || adapts ? LIM_TOLERANCE : tolerance;
  f->step = e->s->model->solver.step;
  f->guarded = !about && flexible(e->s);
  f->by_energy = e->s->model->solver.criterion == 1;
  f->by_estimate = (isnan(tolerance) || adapts) && !f->by_energy;
  if (about) f->dual = lim_dual_work_new(e->s);
  if (about && !varies(e->s)) f->energy_balance = lim_dual_work_new(e->s);
  bool bound = !f->dual || lim_equations_bind_dual(f->dual, e);
  if (!allocate(f) || (about && (!f->dual || (!f->energy_balance && !varies(e->s)))) || !bound) {
    lim_state_free(f);
    *out = NULL;
    return lim_no_memory(err);
  }
  if (f->dual) {
    lim_dual_close(f->dual, f->dl);
    lim_dual_slacken(f->dual);
    f->truncated = e->s->model->solver.mode == LIM_MODE_CONVENTIONAL;
    if (f->truncated) lim_dual_truncated(f->dual);
  }
  make_groups(f);
  if (about) return LIM_OK; // no deviation to begin with
  lim_arm_start(f->q, f->v, e->s);
  lim_equations_prescribe(e, 0, LIM_AFTER, f->q, f->v, f->a);
  return e->s->nrow ? lim_loops_close(e->s, f->q, f->v, err) : LIM_OK;
}

void lim_state_free(lim_state *f) {
  if (!f) return;
  lim_dual_work_free(f->dual);
  lim_dual_work_free(f->energy_balance);
  lim_arena_free(&f->arena);
  free(f);
}

// design.c - gains from the effective inertia of each joint. Theory: docs/theory/control.md (10), drives.md
// (2).
#include "analysis/design.h"

#include "analysis/inertia.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOMENTS = 1001 }; // along a motion

typedef struct {
  lim_actuation *act;
  lim_equations *e;
  double *q, *scratch; // (n), (4 n)
} design;

// Commanded joints, and their motors, go where they are told to be.
lim_code lim_design_place(double *q, lim_equations *e, double t, double *scratch, lim_error *err) {
  const lim_system *s = e->s;
  for (int i = 0; i < s->nbody; i++) {
    const lim_course *c = e->act->drive[i].motion;
    const int both[2] = {s->member[i].q, s->member[i].m};
    for (int k = 0; k < 2; k++)
      if (c && both[k] >= 0) q[both[k]] = lim_actuation_sample(c, t, LIM_AFTER).value;
  }
  if (!s->nrow) return LIM_OK;
  double *zero = scratch, *r = scratch + s->n;
  memset(zero, 0, (size_t)s->n * sizeof *zero);
  lim_equations_residual(r, e, t, LIM_AFTER, q, zero, zero);
  lim_code code = lim_equations_factor(e, q, (lim_step_matrix){.M = 1}, err);
  for (int i = 0; i < 4 && code == LIM_OK; i++) lim_equations_project(e, q, NULL);
  return code;
}

static bool needs_inertia(const lim_control_law *x) {
  return x->kind &&
         (x->bandwidth > 0 || x->acceleration != 0 || x->integral_time > 0 || x->kind->asks == LIM_ARM_EFFORT);
}

// --- along the motion ---

// When all motions are over, or the run is.
static lim_code end_of_motion(double *end, const lim_actuation *act, int body, lim_error *err) {
  const lim_model *m = act->s->model;
  *end = 0;
  for (int i = 0; i < act->s->nbody; i++)
    if (act->drive[i].motion) *end = fmax(*end, act->drive[i].motion->end);
  if (!isnan(m->solver.duration)) *end = fmin(*end, m->solver.duration);
  if (isfinite(*end)) return LIM_OK;
  const lim_drive *from = lim_model_drive(m, act->s->member[body].link);
  return lim_tree_error(err, from->control.head.node,
                        "drive '%s': the motion has no end, and solver.duration is missing: over which time "
                        "shall the inertia be looked for?",
                        from->head.name);
}

static lim_code inertia_at(double *J, const design *x, int body, double t, lim_error *err) {
  double arm, rotor, ratio = x->act->drive[body].ratio;
  lim_code code = lim_design_place(x->q, x->e, t, x->scratch, err);
  if (code == LIM_OK) code = lim_inertia_at(&arm, &rotor, x->e->s, body, x->q, x->e->w, x->scratch);
  if (code == LIM_OK) *J = rotor + arm / (ratio * ratio);
  return code;
}

static lim_code design_along(const design *x, int body, lim_error *err) {
  lim_joint_drive *d = &x->act->drive[body];
  double end, most = 0, *t = malloc(2 * MOMENTS * sizeof *t), *J = t ? t + MOMENTS : NULL;
  lim_code code = t ? end_of_motion(&end, x->act, body, err) : LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  for (int i = 0; i < MOMENTS && code == LIM_OK; i++) {
    t[i] = end > 0 ? end * i / (MOMENTS - 1) : i;
    code = inertia_at(&J[i], x, body, t[i], err);
    if (code == LIM_OK) most = fmax(most, J[i]);
  }
  if (code == LIM_OK) lim_control_design(&d->law, d->law.gains == LIM_GAINS_MAXIMUM ? most : J[0], d->ratio);
  if (code == LIM_OK && d->law.gains == LIM_GAINS_SCHEDULED)
    code = lim_curve_through(&d->law.schedule, t, J, MOMENTS, err);
  free(t);
  return code;
}

// --- all ---

static lim_code design_one(const design *x, int body, lim_error *err) {
  lim_joint_drive *d = &x->act->drive[body];
  double arm, rotor;
  if (!needs_inertia(&d->law)) return LIM_OK;
  if (d->law.bandwidth > 0 && d->law.gains != LIM_GAINS_INITIAL) return design_along(x, body, err);
  lim_code code = lim_inertia_at(&arm, &rotor, x->e->s, body, x->q, x->e->w, x->scratch);
  if (code == LIM_OK) lim_drive_design(d, arm, rotor);
  return code;
}

lim_code lim_design_gains(lim_actuation *act, lim_equations *e, lim_error *err) {
  const lim_system *s = e->s;
  bool any = false;
  for (int i = 0; i < s->nbody; i++) any = any || needs_inertia(&act->drive[i].law);
  if (!any) return LIM_OK;
  size_t n = (size_t)s->n;
  double *q = calloc(6 * n + 1, sizeof *q);
  if (!q) return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  lim_code code = LIM_OK;
  for (int i = 0; i < s->nbody && code == LIM_OK; i++) {
    lim_system_start(q, q + n, s);
    code = design_one(&(design){act, e, q, q + 2 * n}, i, err);
  }
  free(q);
  return code;
}

// gain_design.c - gains from the effective inertia of each joint. Theory: docs/theory/control.md (10),
// drives.md (2).
#include "analysis/gain_design.h"

#include "dynamics/loop_closing.h"

#include "analysis/inertia.h"
#include "path/assembly.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOMENTS = 1001 }; // along a motion

typedef struct {
  lim_inputs *inputs;
  lim_equations *e;
  double *q, *v, *scratch; // (n), (n), (4 n)
} design;

// Commanded joints, and their motors, go where they are told to be.
lim_code lim_gain_design_place(double *q, lim_equations *e, double t, double *scratch, lim_error *err) {
  const lim_arm *s = e->s;
  for (int i = 0; i < s->nbody; i++) {
    const lim_trajectory *c = e->inputs->drive[i].motion;
    const int both[2] = {s->bodies[i].q, s->bodies[i].m};
    for (int k = 0; k < 2; k++)
      if (c && both[k] >= 0) q[both[k]] = lim_inputs_sample(c, t, LIM_AFTER).value;
  }
  bool follows = false; // some joint; else loops are closed by how links bend
  for (int k = 0; k < s->n && s->nrow; k++) follows = follows || s->passive[k];
  if (!follows) return LIM_OK;
  memset(scratch, 0, (size_t)s->n * sizeof *scratch);
  return lim_loops_close(s, q, scratch, err); // by the joints that follow: links keep their shape
}

static bool needs_inertia(const lim_control_law *x) {
  return x->kind &&
         (x->bandwidth > 0 || x->acceleration != 0 || x->integral_time > 0 || x->kind->asks == LIM_ARM_EFFORT);
}

// --- along the motion ---

// When all motions are over, however long the run is; of a motion without end, when the run is over.
static lim_code end_of_motion(double *end, const lim_inputs *inputs, int body, lim_error *err) {
  const lim_model *m = inputs->s->model;
  *end = 0;
  for (int i = 0; i < inputs->s->nbody; i++)
    if (inputs->drive[i].motion) *end = fmax(*end, inputs->drive[i].motion->end);
  if (!isfinite(*end) && !isnan(m->solver.duration)) *end = m->solver.duration;
  if (isfinite(*end)) return LIM_OK;
  const lim_drive *from = lim_model_drive(m, inputs->s->bodies[body].link);
  return lim_tree_error(err, from->control.head.node,
                        "drive '%s': the motion has no end, and solver.duration is missing: over which time "
                        "shall the inertia be looked for?",
                        from->head.name);
}

static lim_code inertia_at(double *J, const design *x, int body, double t, lim_error *err) {
  double arm, rotor, ratio = x->inputs->drive[body].ratio;
  lim_code code = lim_gain_design_place(x->q, x->e, t, x->scratch, err);
  if (code == LIM_OK) code = lim_inertia_at(&arm, &rotor, x->e->s, body, x->q, x->e->w, x->scratch);
  if (code == LIM_OK) *J = rotor + arm / (ratio * ratio);
  return code;
}

// Its maximum over the motion, or its value at the start and how it goes on.
static lim_code find_along(lim_design_inertia *out, lim_arena *arena, const design *x, int body,
                           lim_error *err) {
  const bool scheduled = x->inputs->drive[body].law.gains == LIM_GAINS_SCHEDULED;
  double end, max = 0, *t = lim_arena_array(arena, 2 * MOMENTS, sizeof *t), *J = t ? t + MOMENTS : NULL;
  lim_code code = t ? end_of_motion(&end, x->inputs, body, err) : lim_no_memory(err);
  for (int i = 0; i < MOMENTS && code == LIM_OK; i++) {
    t[i] = end > 0 ? end * i / (MOMENTS - 1) : i;
    code = inertia_at(&J[i], x, body, t[i], err);
    if (code == LIM_OK) max = fmax(max, J[i]);
  }
  if (code != LIM_OK) return code;
  *out = scheduled ? (lim_design_inertia){J[0], MOMENTS, t, J} : (lim_design_inertia){.value = max};
  return LIM_OK;
}

// --- one controller ---

// The inertia for which a controller that needs one is designed.
static lim_code find(lim_design_inertia *out, lim_arena *arena, const design *x, int body, lim_error *err) {
  const lim_joint_drive *d = &x->inputs->drive[body];
  double arm, rotor;
  lim_arm_start(x->q, x->v, x->e->s);
  if (d->law.bandwidth > 0 && d->law.gains != LIM_GAINS_INITIAL) return find_along(out, arena, x, body, err);
  lim_code code = lim_inertia_at(&arm, &rotor, x->e->s, body, x->q, x->e->w, x->scratch);
  if (code == LIM_OK) *out = (lim_design_inertia){.value = rotor + arm / (d->ratio * d->ratio)};
  return code;
}

static lim_code apply(lim_joint_drive *d, const lim_design_inertia *J, lim_error *err) {
  lim_control_design(&d->law, J->value, d->ratio);
  return J->moments ? lim_curve_through(&d->law.schedule, J->time, J->along, J->moments, err) : LIM_OK;
}

// What the model knows already is taken from there.
static lim_code design_one(const design *x, int body, lim_error *err) {
  const lim_drive *from = lim_model_drive(x->e->s->model, x->e->s->bodies[body].link);
  if (from->control.designed) return apply(&x->inputs->drive[body], from->control.designed, err);
  lim_arena arena = {0};
  lim_design_inertia J;
  lim_code code = find(&J, &arena, x, body, err);
  if (code == LIM_OK) code = apply(&x->inputs->drive[body], &J, err);
  lim_arena_free(&arena);
  return code;
}

// --- all ---

static bool any_needs_inertia(const lim_inputs *inputs) {
  for (int i = 0; i < inputs->s->nbody; i++)
    if (needs_inertia(&inputs->drive[i].law)) return true;
  return false;
}

// False: out of memory. free() its q.
static bool begin(design *x, lim_inputs *inputs, lim_equations *e) {
  const size_t n = (size_t)e->s->n;
  double *q = calloc(6 * n + 1, sizeof *q);
  *x = (design){inputs, e, q, q ? q + n : NULL, q ? q + 2 * n : NULL};
  return q != NULL;
}

lim_code lim_gain_design(lim_inputs *inputs, lim_equations *e, lim_error *err) {
  design x;
  if (!any_needs_inertia(inputs)) return LIM_OK;
  lim_code code = begin(&x, inputs, e) ? LIM_OK : lim_no_memory(err);
  for (int i = 0; i < e->s->nbody && code == LIM_OK; i++)
    if (needs_inertia(&inputs->drive[i].law)) code = design_one(&x, i, err);
  free(x.q);
  return code;
}

// --- of a model ---

static lim_drive *drive_of(lim_drive *list, const lim_model *m, int link) {
  return list + (lim_model_drive(m, link) - m->drives.item);
}

// Into a list of drives in the model's arena, which becomes the model's.
static lim_code find_all(lim_model *m, lim_inputs *inputs, lim_equations *e, lim_error *err) {
  design x = {.q = NULL};
  lim_drive *list = lim_arena_array(&m->arena, (size_t)m->drives.count, sizeof *list);
  lim_code code = list && begin(&x, inputs, e) ? LIM_OK : lim_no_memory(err);
  if (code == LIM_OK) memcpy(list, m->drives.item, (size_t)m->drives.count * sizeof *list);
  for (int i = 0; i < e->s->nbody && code == LIM_OK; i++) {
    if (!needs_inertia(&inputs->drive[i].law)) continue;
    lim_design_inertia *J = lim_arena_allocate(&m->arena, sizeof *J);
    code = J ? find(J, &m->arena, &x, i, err) : lim_no_memory(err);
    drive_of(list, m, e->s->bodies[i].link)->control.designed = J;
  }
  if (code == LIM_OK) m->drives.item = list;
  free(x.q);
  return code;
}

static bool has_controller(const lim_model *m) {
  for (int i = 0; i < m->drives.count; i++)
    if (m->drives.item[i].control.head.node) return true;
  return false;
}

lim_code lim_gain_design_model(lim_model *m, const char *directory, lim_error *err) {
  if (!has_controller(m)) return LIM_OK;
  const lim_model built = *m; // which the arm points to
  lim_arm *s = NULL, *rigid = NULL;
  lim_inputs *inputs = NULL;
  lim_equations *e = NULL;
  lim_code code = lim_arm_new(&s, &built, m->solver.mode == LIM_MODE_RIGID, err);
  if (code == LIM_OK) code = lim_inputs_new(&inputs, s, directory, err);
  if (code == LIM_OK && any_needs_inertia(inputs)) {
    code = lim_arm_new(&rigid, &built, true, err);
    if (code == LIM_OK) code = lim_equations_new(&e, s, inputs, rigid, err);
    if (code == LIM_OK) code = find_all(m, inputs, e, err);
  }
  lim_equations_free(e);
  lim_inputs_free(inputs);
  lim_arm_free(rigid);
  lim_arm_free(s);
  return code;
}

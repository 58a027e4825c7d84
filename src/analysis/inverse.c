// inverse.c - a nonlinear simulation with all commanded joints prescribed, and the same with rigid links.
// Theory: docs/theory/statics.md (8).
#include "analysis/inverse.h"

#include "base/grow.h"
#include "integrate/state.h"
#include "path/assembly.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  lim_inverse *out;
  lim_model model; // the commanded joints prescribed
  const lim_simulate_hooks *hooks;
  size_t capacity; // of the series
  bool rigid;      // the second run, with rigid links
  int nrigid;      // its moments so far
} inversion;

// --- the model ---

static const lim_node *place_of(const lim_model *m) {
  return m->solver.head.node ? m->solver.head.node : m->head.node;
}

// Efforts of small motions of the links alone are none of the whole arm.
static lim_code check_method(const lim_model *m, lim_error *err) {
  const lim_integrator *method = lim_integrator_of(m->solver.method);
  if (!method->about) return LIM_OK;
  return lim_tree_error(err, lim_tree_get(m->solver.head.node, "method"),
                        "solver: inverse needs another method than %s, such as generalized-alpha",
                        method->row.word);
}

// Drives of joints that have a motion follow it exactly; friction, motors and gears stay.
static lim_code prescribe(lim_model *out, const lim_model *m, const lim_arm *s, lim_arena *arena,
                          lim_error *err) {
  *out = *m;
  out->solver.mode = LIM_MODE_NONLINEAR;
  out->drives.count = 0;
  out->drives.item = lim_arena_array(arena, (size_t)m->drives.count, sizeof *out->drives.item);
  if (!out->drives.item) return lim_no_memory(err);
  for (int i = 0; i < m->drives.count; i++) {
    lim_drive *d = &out->drives.item[out->drives.count++];
    *d = m->drives.item[i];
    if (!lim_arm_commands(s, d->joint)) continue;
    if (d->type != LIM_DRIVE_MOTOR) d->type = LIM_DRIVE_PRESCRIBED;
    d->control.head.node = NULL;
    d->torque = (lim_signal){.rigid = false};
  }
  return LIM_OK;
}

static lim_code list_joints(lim_inverse *out, const lim_model *m, const lim_arm *s, lim_error *err) {
  out->joints.item = lim_arena_array(&out->arena, (size_t)m->links.count, sizeof *out->joints.item);
  if (!out->joints.item) return lim_no_memory(err);
  for (int i = 0; i < m->links.count; i++) {
    const lim_joint *j = &m->links.item[i].joint;
    if (lim_arm_commands(s, i))
      out->joints.item[out->joints.count++] =
          (lim_inverse_joint){.name = j->head.name,
                              .slides = lim_joint_is_linear(j),
                              .motor = lim_model_drive(m, i) && lim_model_drive(m, i)->type == LIM_DRIVE_MOTOR};
  }
  if (out->joints.count == 0)
    return lim_tree_error(err, place_of(m), "no joint has a motion: which motion shall they make?");
  return LIM_OK;
}

// --- records ---

static bool widen(double **series, size_t capacity) { return lim_grow_to(series, capacity, sizeof **series); }

static bool make_room(inversion *x) {
  lim_inverse *out = x->out;
  if ((size_t)out->n < x->capacity) return true;
  const size_t capacity = lim_grow_capacity(x->capacity, (size_t)out->n + 1);
  bool good = widen(&out->time, capacity);
  for (int i = 0; i < out->joints.count && good; i++)
    good = widen(&out->joints.item[i].effort, capacity) && widen(&out->joints.item[i].rigid, capacity) &&
           (!out->joints.item[i].motor || widen(&out->joints.item[i].torque, capacity));
  if (good) x->capacity = capacity;
  return good;
}

// Motors that shall give more than they can.
static void see_motor(lim_inverse_joint *j, const lim_snapshot *m, int body, double torque) {
  const lim_arm_body *b = &m->system->bodies[body];
  const lim_joint_drive *d = &m->equations->inputs->drive[body];
  const double max = lim_drive_most(d, torque, d->ratio * m->v[b->m >= 0 ? b->m : b->q]);
  if (!(fabs(torque) > max + 1e-9 * (1 + max))) return;
  if (!j->beyond.exceeded) j->beyond = (lim_excess){true, m->t, 0};
  if (fabs(torque) - max > fabs(j->beyond.worst) - j->max || j->beyond.worst == 0) {
    j->beyond.worst = torque;
    j->max = max;
  }
}

static void warn_of_motors(const lim_inverse *x, lim_error *err) {
  for (int i = 0; i < x->joints.count; i++) {
    const lim_inverse_joint *j = &x->joints.item[i];
    if (j->beyond.exceeded)
      lim_warn(err, j->beyond.first, j->name,
               "joint '%.80s' needs more than its motor can give: it comes to %.4g N m on its shaft, where the "
               "motor gives %.4g N m at most",
               j->name, j->beyond.worst, j->max);
  }
}

// Both runs record the same moments.
static lim_code record(void *user, const lim_snapshot *m, lim_error *err) {
  inversion *x = user;
  lim_inverse *out = x->out;
  if (x->rigid && x->nrigid == out->n) return LIM_OK;
  if (!x->rigid && !make_room(x)) return lim_no_memory(err);
  int at = x->rigid ? x->nrigid++ : out->n++;
  out->time[at] = m->t;
  for (int link = 0, i = 0; link < x->model.links.count; link++) {
    if (!lim_arm_commands(m->system, link)) continue;
    lim_inverse_joint *j = &out->joints.item[i++];
    int body = m->system->first_body[link];
    (x->rigid ? j->rigid : j->effort)[at] = lim_snapshot_effort(m, link);
    if (!j->motor || x->rigid) continue;
    j->torque[at] = lim_equations_torque(m->equations, body, m->v);
    see_motor(j, m, body, j->torque[at]);
  }
  return LIM_OK;
}

static void progress(void *user, double t, double duration) {
  const lim_simulate_hooks *h = ((inversion *)user)->hooks;
  h->progress(h->user, t, duration);
}

// --- sizes ---

// Of a - b, b may be NULL; the mean by trapezoids over the times.
static lim_effort_size size_of(const double *time, const double *a, const double *b, int n) {
  lim_effort_size s = {0};
  double before = 0;
  for (int i = 0; i < n; i++) {
    double x = a[i] - (b ? b[i] : 0);
    s.peak = fmax(s.peak, fabs(x));
    if (i > 0) s.rms += (time[i] - time[i - 1]) * (x * x + before * before) / 2;
    before = x;
  }
  s.rms = n > 1 ? sqrt(s.rms / (time[n - 1] - time[0])) : s.peak;
  return s;
}

static void measure(lim_inverse *out) {
  for (int i = 0; i < out->joints.count; i++) {
    lim_inverse_joint *j = &out->joints.item[i];
    j->of_effort = size_of(out->time, j->effort, NULL, out->n);
    j->of_rigid = size_of(out->time, j->rigid, NULL, out->n);
    if (j->motor) j->of_torque = size_of(out->time, j->torque, NULL, out->n);
    j->of_difference = size_of(out->time, j->effort, j->rigid, out->n);
  }
}

// --- run ---

static lim_code run(inversion *x, const char *directory, lim_error *err) {
  lim_simulate_hooks hooks = {.record = record, .user = x};
  if (x->hooks && x->hooks->progress) hooks.progress = progress;
  if (x->hooks) hooks.stop = x->hooks->stop;
  lim_code code = lim_simulate(&x->out->run, &x->model, directory, &hooks, err);
  if (code != LIM_OK) return code;
  lim_run rigid;
  x->rigid = true;
  x->model.solver.mode = LIM_MODE_RIGID;
  hooks.progress = NULL; // soon done
  hooks.quiet = true;
  code = lim_simulate(&rigid, &x->model, directory, &hooks, err);
  if (x->nrigid < x->out->n) x->out->n = x->nrigid; // interrupted
  return code;
}

lim_code lim_inverse_new(lim_inverse **out, const lim_model *model, const char *directory,
                         const lim_simulate_hooks *hooks, lim_error *err) {
  *out = NULL;
  inversion x = {.out = calloc(1, sizeof *x.out), .hooks = hooks};
  if (!x.out) return lim_no_memory(err);
  lim_arm *s = NULL; // which joints are commanded
  lim_code code = check_method(model, err);
  if (code != LIM_OK) {
    lim_inverse_free(x.out);
    return code;
  }
  code = lim_arm_new(&s, model, true, err);
  if (code == LIM_OK) code = prescribe(&x.model, model, s, &x.out->arena, err);
  if (code == LIM_OK) code = list_joints(x.out, model, s, err);
  lim_arm_free(s);
  if (code == LIM_OK) code = run(&x, directory, err);
  if (code == LIM_OK) {
    measure(x.out);
    warn_of_motors(x.out, err);
    *out = x.out;
  } else {
    lim_inverse_free(x.out);
  }
  return code;
}

void lim_inverse_free(lim_inverse *x) {
  if (!x) return;
  free(x->time);
  for (int i = 0; i < x->joints.count; i++) {
    free(x->joints.item[i].effort);
    free(x->joints.item[i].rigid);
    free(x->joints.item[i].torque);
  }
  lim_arena_free(&x->arena);
  free(x);
}

// modal_newmark.c - small vibrations about the motion of the rigid arm in a few modes, frozen per interval of
// the trajectory at its middle: the method of the parallelogram study. Theory: docs/theory/simulation.md.
#include "analysis/vibration/frequency_track.h"
#include "arm/body/kind.h"
#include "arm/coupling.h"
#include "dynamics/mass_matrix.h"
#include "integrate/integrators.h"
#include "math/eigen/eigen.h"
#include "math/lapack.h"
#include "math/null_space.h"
#include "math/rotation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double BETA = 0.25, GAMMA = 0.5;

typedef struct {
  lim_frequency_track *modes;
  int count;            // modes
  int interval;         // whose modes these are; -1: none yet
  double length, end;   // of an interval, of the trajectory [s]
  double *y, *dy, *ddy; // modal coordinates                    (count)
  double *omega;        // [rad/s]                              (count)
  double *C, *A, *b;    // damping between modes, matrix of a step, its right side   (count^2), (count)
  int *pivot;           // (count)
  double *D;            // damping of all coordinates           (n x n)
  lim_world_motion *then, *now,
      *turning;            // bodies of the undeformed arm when the modes were frozen, now; scratch (nbody)
  double *reference;       // coordinates of the undeformed arm at the frozen moment     (n)
  double *shape;           // the modes as the arm stands now      (n x count)
  double *nodes;           // scratch                              (2 ndof)
  double *kept;            // of the rigid motion, while modes of another moment are found   (rigid n)
  double *M, *scratch, *r; // (n x n), (4 n), (n)
  double *sum[3];          // displacements, speeds, accelerations at the frozen moment   (n)
  lim_coupling_reactions reactions;
} frozen;

static void finish(lim_state *f) {
  frozen *x = f->own;
  if (!x) return;
  lim_frequency_track_free(x->modes);
  free(x->y);
  free(x->M);
  free(x->pivot);
  free(x->then);
  free(x->shape);
  free(x);
  f->own = NULL;
}

// --- modes ---

static double trajectory_end(const lim_state *f) {
  const lim_inputs *inputs = f->e->inputs;
  double last = inputs->nbreak ? inputs->breaks[inputs->nbreak - 1] : 0,
         duration = f->e->s->model->solver.duration;
  return last > 0 ? fmin(last, duration) : duration;
}

static lim_code open(lim_state *f, lim_error *err) {
  const lim_solver *solver = &f->e->s->model->solver;
  frozen *x = f->own = calloc(1, sizeof *x);
  if (!x) return lim_no_memory(err);
  size_t n = (size_t)f->n, count = (size_t)solver->modes;
  x->count = solver->modes;
  x->interval = -1;
  x->end = trajectory_end(f);
  x->length = x->end / solver->intervals;
  x->y = calloc(5 * count + 2 * count * count + (size_t)f->about->n, sizeof *x->y);
  x->pivot = calloc(count + 1, sizeof *x->pivot);
  x->M = calloc(2 * n * n + 8 * n, sizeof *x->M);
  size_t ndof = 0, nb = (size_t)f->e->s->nbody;
  for (size_t i = 0; i < nb; i++)
    if ((size_t)f->e->s->bodies[i].mesh->ndof > ndof) ndof = (size_t)f->e->s->bodies[i].mesh->ndof;
  x->then = calloc(3 * nb + 1, sizeof *x->then);
  x->shape = calloc(n * count + 2 * ndof + n + 1, sizeof *x->shape);
  if (!x->then || !x->shape) return lim_no_memory(err);
  x->now = x->then + nb;
  x->turning = x->now + nb;
  x->nodes = x->shape + n * count;
  x->reference = x->nodes + 2 * ndof;
  lim_code code = x->y && x->M && x->pivot ? lim_frequency_track_new(&x->modes, f->e->s, x->count, err)
                                           : lim_no_memory(err);
  if (code != LIM_OK) return code;
  x->dy = x->y + count;
  x->ddy = x->dy + count;
  x->omega = x->ddy + count;
  x->b = x->omega + count;
  x->C = x->b + count;
  x->A = x->C + count * count;
  x->kept = x->A + count * count;
  x->D = x->M + n * n;
  x->scratch = x->D + n * n;
  x->r = x->scratch + 4 * n;
  x->sum[0] = x->r + n;
  x->sum[1] = x->sum[0] + n;
  x->sum[2] = x->sum[1] + n;
  return lim_coupling_reactions_start(&x->reactions, &f->arena, f->e->s) ? LIM_OK : lim_no_memory(err);
}

// The rigid arm in the middle of the interval: commanded joints where they will be, pins accordingly.
static lim_code look_ahead(lim_state *f, double t, lim_error *err) {
  lim_state *reference_state = (lim_state *)f->about;
  lim_equations *e = reference_state->e;
  lim_equations_prescribe(e, t, LIM_BEFORE, reference_state->q, NULL, NULL);
  if (!e->s->nrow) return LIM_OK;
  memset(reference_state->an, 0, (size_t)reference_state->n * sizeof *reference_state->an);
  lim_equations_residual(reference_state->r, e, t, LIM_BEFORE, reference_state->q, reference_state->an,
                         reference_state->an);
  lim_code code = lim_equations_factor(e, reference_state->q, (lim_step_matrix){.M = 1}, err);
  for (int i = 0; i < 4 && code == LIM_OK; i++) lim_equations_project(e, reference_state->q, NULL);
  return code;
}

// C (count x count) = shape' D shape: of the dampers and of drives; the ratios of the arm's modes are those of
// the modes that are frozen.
static void damp(lim_state *f) {
  frozen *x = f->own;
  const lim_arm *s = f->e->s;
  size_t n = (size_t)f->n;
  int m = x->count;
  const lim_damping *whole = &s->model->damping;
  memset(x->D, 0, n * n * sizeof *x->D);
  for (int d = 0; d < s->ndamper; d++) {
    if (whole->ratio.count && d == s->arm_damper) continue;
    const lim_sparse *D = &s->damper[d].D;
    size_t first = (size_t)s->damper[d].first;
    for (int i = 0; i < D->n; i++)
      for (int k = D->start[i]; k < D->start[i + 1]; k++)
        x->D[(first + (size_t)D->column[k]) * n + first + (size_t)i] += D->value[k];
  }
  for (int i = 0; i < s->nbody; i++) {
    const lim_strain_damper *d = s->bodies[i].strain_damper;
    size_t first = (size_t)s->bodies[i].e;
    for (int k = 0; d && k < d->Q.n; k++)
      for (int c = d->Q.start[k]; c < d->Q.start[k + 1]; c++)
        x->D[(first + (size_t)d->Q.column[c]) * n + first + (size_t)k] -= d->Q.value[c];
  }
  lim_equations_matrix(x->D, s, x->modes->answer, true);
  lim_project(x->C, x->D, x->modes->shape, f->n, m, x->shape);
  for (int k = 0, group = 0; k < m; k++) {
    double w = x->omega[k];
    if (!lim_eigen_same(x->omega[group] * x->omega[group], w * w)) group = k;
    x->C[k * (m + 1)] += 2 * lim_damping_ratio(whole, group) * w;
  }
}

// Sum of row k of C times y.
static double damper_of(const frozen *x, int k, const double *y) {
  double sum = 0;
  for (int j = 0; j < x->count; j++) sum += x->C[j * x->count + k] * y[j];
  return sum;
}

// --- fields of displacement that stay as they are in the world while the arm turns on ---

// Of one body with a full basis: u = R'(Rf uf + t x (Rf - R) X), f: frozen, t: rotation of its frame in the
// world.
static void turn_body(double *out, const double *in, const lim_arm_body *b, const lim_world_motion *then,
                      const lim_world_motion *now, const double t[3], double *nodes) {
  double *u = nodes, *v = nodes + b->mesh->ndof;
  lim_basis_matrix_expand(u, b->shapes, in);
  for (int k = 0; k < b->mesh->nnode; k++) {
    double X[3] = {b->mesh->x[k], 0, 0}, a[3], r[3], arm[3], swing[3], turned[3];
    lim_rotate(a, then->R, X);
    lim_rotate(r, now->R, X);
    for (int i = 0; i < 3; i++) arm[i] = a[i] - r[i];
    lim_cross(swing, t, arm);
    lim_rotate(a, then->R, u + 6 * k);
    for (int i = 0; i < 3; i++) a[i] += swing[i];
    lim_rotate_back(v + 6 * k, now->R, a);
    lim_rotate(turned, then->R, u + 6 * k + 3);
    lim_rotate_back(v + 6 * k + 3, now->R, turned);
  }
  for (int j = 0; j < b->body->n; j++) out[j] = v[b->shapes->index[j]];
}

// out: coordinates, as the arm stands now, of the displacements that `in` had at the frozen moment.
static void turn(double *out, const lim_state *f, const double *in) {
  const frozen *x = f->own;
  const lim_arm *s = f->e->s;
  memcpy(out, in, (size_t)f->n * sizeof *out);
  lim_kinematics(x->turning, s, x->reference, in, NULL);
  for (int i = 0; i < s->nbody; i++) {
    const lim_arm_body *b = &s->bodies[i];
    if (b->shapes->index)
      turn_body(out + b->e, in + b->e, b, &x->then[i], &x->now[i], x->turning[i].w, x->nodes);
  }
}

// y = shape' M q: what the modes can show of it.
static void decompose(double *y, const lim_state *f, const double *q) {
  const frozen *x = f->own;
  size_t n = (size_t)f->n;
  for (int k = 0; k < x->count; k++) {
    const double *shape = x->modes->shape + (size_t)k * n;
    y[k] = 0;
    for (size_t j = 0; j < n; j++)
      for (size_t i = 0; i < n; i++) y[k] += shape[i] * x->M[j * n + i] * q[j];
  }
}

static lim_code freeze(lim_state *f, int interval, lim_error *err) {
  frozen *x = f->own;
  lim_state *reference_state = (lim_state *)f->about;
  double t = fmin((interval + 0.5) * x->length, x->end);
  memcpy(x->kept, reference_state->q, (size_t)reference_state->n * sizeof *x->kept);
  lim_code code = look_ahead(f, t, err);
  lim_state_about(f);
  lim_kinematics(x->now, f->e->s, f->ref, NULL, NULL);
  if (x->interval >= 0) { // displacements, speeds and accelerations as they are in the world
    turn(f->qn, f, x->sum[0]);
    turn(f->vn, f, x->sum[1]);
    turn(f->an, f, x->sum[2]);
  }
  memcpy(x->then, x->now, (size_t)f->e->s->nbody * sizeof *x->then);
  memcpy(x->reference, f->ref, (size_t)f->n * sizeof *x->reference);
  if (code == LIM_OK) code = lim_frequency_track_evaluate(x->modes, f->e, f->ref, err);
  if (code == LIM_OK) lim_assemble_mass(x->M, x->modes->w, f->e->s, x->modes->q, x->scratch);
  memcpy(reference_state->q, x->kept, (size_t)reference_state->n * sizeof *x->kept);
  lim_state_about(f);
  if (code != LIM_OK) return code;
  for (int k = 0; k < x->count; k++) {
    double frequency = x->modes->frequency[k];
    x->omega[k] = isnan(frequency) ? 0 : 2 * M_PI * frequency; // fewer modes: nothing moves in the others
  }
  damp(f);
  decompose(x->y, f, f->qn);
  decompose(x->dy, f, f->vn);
  decompose(x->ddy, f, f->an);
  x->interval = interval;
  return LIM_OK;
}

// --- time ---

// What the rigid motion does to the modes at time t; in r.
static void push(double *r, lim_state *f, double t, lim_side side) {
  frozen *x = f->own;
  lim_kinematics(x->now, f->e->s, f->ref, NULL, NULL);
  for (int k = 0; k < x->count; k++)
    turn(x->shape + (size_t)k * (size_t)f->n, f, x->modes->shape + (size_t)k * (size_t)f->n);
  memset(x->scratch, 0, 3 * (size_t)f->n * sizeof *x->scratch);
  memset(f->e->lambda, 0, (size_t)f->e->s->nrow * sizeof *f->e->lambda);
  lim_state_residual(r, f, t, side, x->scratch, x->scratch, x->scratch);
}

static double load_of(const lim_state *f, int k, const double *r) {
  const frozen *x = f->own;
  const double *shape = x->shape + (size_t)k * (size_t)f->n;
  double sum = 0;
  for (int i = 0; i < f->n; i++) sum -= shape[i] * r[i];
  return sum;
}

static void add_up(double *to, const lim_state *f, const double *shape, const double *y) {
  const frozen *x = f->own;
  for (int i = 0; i < f->n; i++) {
    to[i] = 0;
    for (int k = 0; k < x->count; k++) to[i] += shape[(size_t)k * (size_t)f->n + (size_t)i] * y[k];
  }
}

static void compose(lim_state *f) {
  frozen *x = f->own;
  add_up(f->q, f, x->shape, x->y);
  add_up(f->v, f, x->shape, x->dy);
  add_up(f->a, f, x->shape, x->ddy);
  add_up(x->sum[0], f, x->modes->shape, x->y);
  add_up(x->sum[1], f, x->modes->shape, x->dy);
  add_up(x->sum[2], f, x->modes->shape, x->ddy);
}

// Accelerations of the modes from their state.
static void balance(lim_state *f, lim_side side) {
  frozen *x = f->own;
  push(x->r, f, f->t, side);
  for (int k = 0; k < x->count; k++)
    x->ddy[k] = load_of(f, k, x->r) - damper_of(x, k, x->dy) - x->omega[k] * x->omega[k] * x->y[k];
}

// Efforts of the drives, with deformations as the links have them: fields that stay in the world while a link
// turns on would stretch it.
static void find_efforts(lim_state *f, lim_side side) {
  frozen *x = f->own;
  memset(f->e->lambda, 0, (size_t)f->e->s->nrow * sizeof *f->e->lambda);
  lim_state_residual(f->r, f, f->t, side, x->sum[0], x->sum[1], x->sum[2]);
  if (!f->e->s->ncoupling || f->e->s->nloop) return;
  lim_coupling_reactions_add(f->e->lambda, &x->reactions, f->r); // what joints that follow need
  lim_state_residual(f->r, f, f->t, side, x->sum[0], x->sum[1], x->sum[2]);
}

static lim_code restart(lim_state *f, lim_error *err) {
  lim_code code = f->own ? LIM_OK : open(f, err);
  if (code != LIM_OK) return code;
  lim_state_about(f);
  frozen *x = f->own;
  bool first = x->interval < 0;
  if (first) code = freeze(f, 0, err);
  if (code != LIM_OK) return code;
  balance(f, LIM_AFTER);
  if (first && f->e->s->model->solver.start == 1) // at rest under what acts: y = load/omega^2
    for (int k = 0; k < x->count; k++)
      x->y[k] = x->omega[k] > 0 ? load_of(f, k, x->r) / (x->omega[k] * x->omega[k]) : 0;
  if (first) balance(f, LIM_AFTER);
  compose(f);
  f->started = true;
  find_efforts(f, LIM_AFTER);
  return LIM_OK;
}

static lim_code advance(lim_state *f, double to, lim_error *err) {
  frozen *x = f->own;
  double h = to - f->t, middle = f->t + h / 2;
  int interval = middle >= x->end ? (int)(x->end / x->length) : (int)(middle / x->length);
  if (interval != x->interval) {
    lim_code code = freeze(f, interval, err);
    if (code != LIM_OK) return code;
  }
  f->t = to;
  lim_state_about(f);
  push(x->r, f, to, LIM_BEFORE);
  int m = x->count;
  for (int k = 0; k < m; k++) { // predicted
    x->y[k] += h * x->dy[k] + h * h * (0.5 - BETA) * x->ddy[k];
    x->dy[k] += h * (1 - GAMMA) * x->ddy[k];
  }
  for (int k = 0; k < m; k++) {
    double w2 = x->omega[k] * x->omega[k];
    x->b[k] = load_of(f, k, x->r) - damper_of(x, k, x->dy) - w2 * x->y[k];
    for (int j = 0; j < m; j++)
      x->A[j * m + k] = h * GAMMA * x->C[j * m + k] + (j == k ? 1 + h * h * BETA * w2 : 0);
  }
  if (lim_dgesv(m, 1, x->A, m, x->pivot, x->b, m))
    return LIM_FAIL(err, LIM_FAILED, "at t = %g s the step of %g s has no solution", to, h);
  for (int k = 0; k < m; k++) { // corrected
    x->ddy[k] = x->b[k];
    x->y[k] += h * h * BETA * x->b[k];
    x->dy[k] += h * GAMMA * x->b[k];
  }
  compose(f);
  f->steps++;
  f->iterations++;
  find_efforts(f, LIM_BEFORE);
  return LIM_OK;
}

// Ball joints have other coordinates now, in which q, v and a are: modes of these.
static lim_code recentred(lim_state *f, lim_error *err) {
  frozen *x = f->own;
  const int interval = x->interval;
  memcpy(f->qn, f->q, (size_t)f->n * sizeof *f->qn);
  memcpy(f->vn, f->v, (size_t)f->n * sizeof *f->vn);
  x->interval = -1; // nothing of modes before
  lim_code code = freeze(f, interval, err);
  if (code == LIM_OK) decompose(x->ddy, f, f->a);
  return code;
}

// Modes of a body that varies change with its joint, and no displacement stays where it is in the world.
static lim_code fits(const lim_model *m, lim_error *err) {
  for (int i = 0; i < m->links.count; i++) {
    const char *varies = lim_link_varies(m, i);
    if (varies)
      return lim_tree_error(err, m->links.item[i].head.node,
                            "link '%s' %s, which modal-newmark cannot treat; simulate with mode linear",
                            m->links.item[i].head.name, varies);
  }
  if (m->solver.mode == LIM_MODE_NONLINEAR || m->solver.mode == LIM_MODE_LINEAR) return LIM_OK;
  return lim_method_refuse(m, err, "modal-newmark gives small vibrations about the motion: mode linear");
}

static const lim_key own[] = {
    {"intervals", &lim_count, offsetof(lim_solver, intervals), "intervals of frozen matrices",
     .range = "1..100000", .preset = "10"},
    {"modes", &lim_count, offsetof(lim_solver, modes), "modes kept", .range = "1..1000", .preset = "10"},
    {0}};

const lim_integrator lim_integrator_modal_newmark = {
    .row = {.word = "modal-newmark",
            .help = "modes of matrices that are frozen on intervals, about the rigid motion",
            .own = own,
            .check = lim_check_no_auto},
    .restart = restart,
    .advance = advance,
    .recentred = recentred,
    .finish = finish,
    .frozen = true,
    .about = &lim_integrator_generalized_alpha,
    .fits = fits};

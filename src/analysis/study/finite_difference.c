// finite_difference.c - a simulation by the scheme of Tokhi 1995: steps on its own grid of times; displacements
// as deviations from the link at rest. Theory: docs/theory/finite-difference.md.
#include "analysis/study/fd_link.h"
#include "integrate/integrators.h"
#include "math/rotation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  lim_fd *scheme;
  long k;      // now of the scheme is at t = k step
  double *y;   // displacements, their speeds or accelerations       (n + 1)
  double h;    // step [s]
  bool before; // what acts is that before a jump
} grid;

static void finish(lim_state *f) {
  grid *x = f->own;
  if (!x) return;
  lim_fd_free(x->scheme);
  free(x->y);
  free(x);
  f->own = NULL;
}

// --- torque ---

static double torque_at(const lim_state *f, double t) {
  lim_state *reference_state = (lim_state *)f->about;
  const lim_joint_drive *d = &reference_state->e->inputs->drive[0];
  if (d->rigid) {
    lim_equations_drive(reference_state->e, t, LIM_AFTER, reference_state->q, reference_state->v);
    return reference_state->e->tau[reference_state->e->s->bodies[0].q];
  }
  return d->type == LIM_DRIVE_EFFORT && d->effort ? lim_trajectory_at(d->effort, t).value : 0;
}

// As printed: what acts from the beginning of the step on. Else the mean over half a step to either side, so
// that jumps count as what they are; nothing acts before the start.
static double torque(const lim_state *f, double t) {
  const grid *x = f->own;
  double slack = 1e-9 * x->h, from = fmax(t - x->h / 2, 0), to = t + x->h / 2, sum = 0;
  if (x->scheme->link.printed) return torque_at(f, t + slack);
  while (from < to - slack) {
    double next = fmin(to, lim_inputs_next_break(f->e->inputs, from + slack));
    sum += (next - from) * torque_at(f, (from + next) / 2);
    from = next;
  }
  return sum / x->h;
}

// --- set-up ---

static lim_code check_step(const lim_fd *s, double h, lim_error *err) {
  double largest = 0;
  lim_code code = lim_fd_largest_step(&largest, s, err);
  if (code != LIM_OK || h <= largest) return code;
  double shown = largest * (1 - 5e-5); // rounded down: the step named is stable itself
  return LIM_FAIL(err, LIM_FAILED,
                  "solver: step is %g s; finite-difference with %d elements is stable up to %.4g s", h,
                  s->link.n, shown);
}

static lim_code open(lim_state *f, lim_error *err) {
  lim_state *reference_state = (lim_state *)f->about;
  lim_fd_link link;
  lim_code code = lim_fd_link_of(&link, f->e->s, err);
  if (code != LIM_OK) return code;
  grid *x = f->own = calloc(1, sizeof *x);
  if (!x) return lim_no_memory(err);
  x->h = f->step;
  x->y = calloc((size_t)link.n + 1, sizeof *x->y);
  code = x->y ? lim_fd_new(&x->scheme, &link, err) : lim_no_memory(err);
  if (code == LIM_OK) code = check_step(x->scheme, x->h, err);
  if (code != LIM_OK) return code;
  double *speed = &reference_state->v[reference_state->e->s->bodies[0].q];
  lim_fd_start(x->scheme, x->h, *speed);
  *speed = 0; // the speed belongs to the deviation
  return LIM_OK;
}

// --- time ---

// One level further than t, so that speeds and accelerations at t are central differences.
static void march(lim_state *f, double t) {
  grid *x = f->own;
  while ((double)(x->k - 1) * x->h < t - 1e-9 * x->h) {
    lim_fd_step(x->scheme, torque(f, (double)x->k * x->h));
    x->k++;
    f->steps++;
    f->iterations++;
  }
}

static lim_code restart(lim_state *f, lim_error *err) {
  lim_code code = f->own ? LIM_OK : open(f, err);
  if (code != LIM_OK) return code;
  march(f, f->t);
  f->started = true;
  ((grid *)f->own)->before = false;
  return LIM_OK;
}

static lim_code advance(lim_state *f, double to, lim_error *err) {
  (void)err;
  march(f, to);
  f->t = to;
  ((grid *)f->own)->before = true;
  return LIM_OK;
}

// --- what is seen ---

// Slope at grid point i: a central difference; at the tip with a curvature that falls to 0 there.
static double slope(const grid *x, const double *y, int i) {
  int n = x->scheme->link.n;
  double before = i == 1 ? 0 : y[i - 1];
  if (i < n) return (y[i + 1] - before) / (2 * x->scheme->dx);
  return (y[n] - y[n - 1] + (y[n] - 2 * y[n - 1] + y[n - 2]) / 6) / x->scheme->dx;
}

// Joint and nodes of the finite elements on the same grid: rotation about the axis, displacement along
// axis x beam.
static void to_coordinates(double *q, const lim_state *f, const double *y) {
  const grid *x = f->own;
  const lim_arm_body *b = &f->e->s->bodies[0];
  double along[3], hub = lim_fd_slope(x->scheme, y);
  lim_cross(along, b->screw.about, (double[3]){1, 0, 0});
  memset(q, 0, (size_t)f->n * sizeof *q);
  q[b->q] = hub;
  for (int j = 0; j < b->body->n; j++) {
    int node = b->shapes->index[j] / 6, k = b->shapes->index[j] % 6;
    q[b->e + j] = k < 3 ? along[k] * (y[node] - node * x->scheme->dx * hub)
                        : b->screw.about[k - 3] * (slope(x, y, node) - hub);
  }
}

// A parabola through the three levels, at t.
static void between(grid *x, double t, int derivative) {
  const lim_fd *s = x->scheme;
  double p = t / x->h - (double)(x->k - 1);
  for (int i = s->first; i <= s->link.n; i++) {
    double half = (s->now[i] - s->oldest[i]) / 2, second = s->now[i] - 2 * s->before[i] + s->oldest[i];
    double value[3] = {s->before[i] + p * half + p * p / 2 * second, (half + p * second) / x->h,
                       second / (x->h * x->h)};
    x->y[i] = value[derivative];
  }
}

static void show(lim_state *f) {
  lim_state *reference_state = (lim_state *)f->about;
  grid *x = f->own;
  double *to[3] = {f->q, f->v, f->a};
  lim_side side = x->before ? LIM_BEFORE : LIM_AFTER;
  for (int k = 0; k < 3; k++) {
    between(x, f->t, k);
    to_coordinates(to[k], f, x->y);
  }
  lim_equations_residual(reference_state->r, reference_state->e, f->t, side, reference_state->q,
                         reference_state->v, reference_state->a); // its efforts
  lim_state_about(f);
  lim_state_residual(f->r, f, f->t, side, f->q, f->v, f->a); // efforts
}

// --- the arm under it, which does not move ---

static lim_code rest_restart(lim_state *f, lim_error *err) {
  (void)err;
  memset(f->a, 0, (size_t)f->n * sizeof *f->a);
  f->started = true;
  return LIM_OK;
}

static lim_code rest_advance(lim_state *f, double to, lim_error *err) {
  (void)err;
  f->t = to;
  return LIM_OK;
}

static const lim_integrator at_rest = {
    .row = {.word = "at rest"}, .restart = rest_restart, .advance = rest_advance};

// --- the method ---

static lim_code fits(const lim_model *m, lim_error *err) {
  if (m->solver.mode == LIM_MODE_NONLINEAR || m->solver.mode == LIM_MODE_LINEAR) return LIM_OK;
  return lim_method_refuse(m, err, "finite-difference gives small motions of a flexible link: mode linear");
}

static const lim_key own[] = {{"hub", &lim_words, offsetof(lim_solver, hub), "scheme at the hub",
                               .words = "second-order|printed", .preset = "second-order"},
                              {0}};

static const lim_unused_key unused[] = {
    {"tolerance", LIM_IN_ALL_MODES, 0,
     ": finite-difference does not iterate: its error follows from step and elements"},
    {"criterion", LIM_IN_ALL_MODES, 0, NULL},
    {"start", LIM_IN_ALL_MODES, offsetof(lim_solver, start),
     ": finite-difference knows no loads that bend the link at rest"},
    {"stiffening", LIM_IN_ALL_MODES, offsetof(lim_solver, stiffening),
     ": finite-difference is of first order in the deflections"},
    {0}};

const lim_integrator lim_integrator_finite_difference = {
    .row = {.word = "finite-difference",
            .help = "differences in time and along one link, about the arm at rest",
            .own = own,
            .check = lim_check_no_auto},
    .restart = restart,
    .advance = advance,
    .show = show,
    .finish = finish,
    .grid = true,
    .about = &at_rest,
    .fits = fits,
    .unused = unused};

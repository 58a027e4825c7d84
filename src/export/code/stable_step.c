// stable_step.c - a step with which the explicit method of generated code is stable: from the eigenvalues of
// the code's own equations at the start, tried out in a short run. Theory: docs/theory/generate.md.
#include "export/code/stable_step.h"

#include "export/code/evaluate.h"
#include "math/lapack.h"

#include <complex.h>
#include <math.h>

// Parts of the limit: what is kept, what is chosen.
static const double KEPT = 0.95, CHOSEN = 0.8;

enum { TRIAL_STEPS = 200 };

// --- eigenvalues ---

typedef struct {
  int count;
  double *re, *im; // (count)
} spectrum;

// df/dy (ny x ny by columns), by central differences.
static bool jacobian(double *J, lim_evaluator *c) {
  double *f = lim_arena_array(&c->arena, 2 * (size_t)c->ny + 1, sizeof *f);
  if (!f) return false;
  for (int j = 0; j < c->ny; j++) {
    double size, *y = lim_evaluator_state(c, j, &size), at = *y, h = 1e-4 * size;
    *y = at + h;
    bool good = lim_evaluator_run(f, c);
    *y = at - h;
    good = good && lim_evaluator_run(f + c->ny, c);
    *y = at;
    if (!good) return false;
    for (int i = 0; i < c->ny; i++) J[(size_t)j * (size_t)c->ny + (size_t)i] = (f[i] - f[c->ny + i]) / (2 * h);
  }
  return true;
}

static bool eigenvalues(spectrum *s, lim_evaluator *c) {
  const int n = c->ny;
  double *J = lim_arena_array(&c->arena, (size_t)n * (size_t)n + 1, sizeof *J);
  s->re = lim_arena_array(&c->arena, (size_t)n + 1, sizeof *s->re);
  s->im = lim_arena_array(&c->arena, (size_t)n + 1, sizeof *s->im);
  if (!J || !s->re || !s->im || !jacobian(J, c)) return false;
  for (int i = 0; i < n * n; i++)
    if (!isfinite(J[i])) return false;
  s->count = n;
  return n == 0 || lim_dgeev(n, J, n, s->re, s->im, NULL, 1) == 0;
}

// Whether the classical Runge-Kutta method lets nothing grow that does not grow by itself.
static bool stable(const spectrum *s, double h) {
  for (int i = 0; i < s->count; i++) {
    double complex z = h * (fmin(s->re[i], 0) + s->im[i] * I);
    double complex R = 1 + z * (1 + z / 2 * (1 + z / 3 * (1 + z / 4)));
    if (!(cabs(R) <= 1 + 1e-9)) return false;
  }
  return true;
}

static double fastest(const spectrum *s) {
  double max = 0;
  for (int i = 0; i < s->count; i++) max = fmax(max, hypot(s->re[i], s->im[i]));
  return max;
}

// The next shorter one of 5, 2 and 1 times a power of ten.
static double shorter(double h) {
  const double power = pow(10, floor(log10(h) + 1e-9)), digit = h / power;
  return digit > 5 + 1e-6 ? 5 * power : digit > 2 + 1e-6 ? 2 * power : digit > 1 + 1e-6 ? power : power / 2;
}

// --- trial ---

// Whether the library, which takes the same steps, comes through the first of them.
static bool comes_through(const lim_generated *g, const char *directory, double h) {
  lim_session *s = NULL;
  lim_model model = *g->model;
  model.solver.step = h;
  model.solver.method = lim_method_number("rk4");
  bool good = lim_session_new(&s, &model, directory, NULL) == LIM_OK && lim_session_restart(s, NULL) == LIM_OK;
  for (int k = 0; k < TRIAL_STEPS && good; k++) {
    const double t = s->motion_state->t, jump = lim_session_next(s, t + 1e-9 * h);
    good = lim_session_advance(s, fmin(t + h, jump), NULL) == LIM_OK;
    if (good && jump <= t + h) good = lim_session_restart(s, NULL) == LIM_OK;
    for (int i = 0; i < s->s->n && good; i++)
      good = isfinite(s->motion_state->q[i]) && isfinite(s->motion_state->v[i]);
  }
  lim_session_free(s);
  return good;
}

static lim_code choose(lim_generated *g, const spectrum *s, const char *directory, lim_error *err) {
  const double given = g->step;
  if (stable(s, given / KEPT)) return LIM_OK;
  double h = given;
  while (h > 1e-12 && !stable(s, h / CHOSEN)) h = shorter(h);
  for (int k = 0; k < 6 && !comes_through(g, directory, h); k++) h = shorter(h);
  g->step = h;
  lim_warn(err, NAN, NULL,
           "the Runge-Kutta method of the code is unstable with the step of %g s (the fastest motion of the "
           "model has %.3g "
           "rad/s): %g s is its default instead",
           given, fastest(s), h);
  return LIM_OK;
}

lim_code lim_generated_stabilise(lim_generated *g, const char *directory, lim_error *err) {
  lim_evaluator c = {0};
  spectrum s = {0};
  lim_code result = lim_evaluator_new(&c, g, err);
  if (result == LIM_OK) {
    lim_evaluator_start(&c);
    if (eigenvalues(&s, &c))
      result = choose(g, &s, directory, err);
    else
      lim_warn(err, NAN, NULL, "whether the code is stable with a step of %g s could not be found", g->step);
  }
  lim_arena_free(&c.arena);
  return result;
}

// fd_fixture.h - the aluminium manipulator of Tokhi 1995 in its loadings: runs that keep y(L), the scheme
// itself, exact frequencies.
#ifndef FD_FIXTURE_H
#define FD_FIXTURE_H

#include "fixture.h"

#include "analysis/simulation/simulate.h"
#include "analysis/study/fd_scheme.h"
#include "kind_numbers.h"
#include "verification/table_fixture.h"

#define MANIPULATOR "models/aluminium-manipulator.yaml"
#define SEED004     "Tokhi 1995, recomputed"

static const double LENGTH = 0.96, RHO_A = 0.164858, EI = 3.686604;

typedef struct {
  const char *name;
  double hub, payload; // [kg m^2], [kg]
} loading;

enum { LOADINGS = 3, MAX_SET = 16 };
static const loading LOADING[LOADINGS] = {
    {"none", 0, 0}, {"hub inertia", 5.86e-4, 0}, {"hub inertia and 10 g", 5.86e-4, 0.01}};

// A run of the model: y(L) at every record. The engine's tip goes along an arc: L x angle stands for y(L)
// there.
typedef struct {
  double *t, *y;
  int count, capacity;
  double scale; // largest |y|
} motion;

static inline lim_code keep_moment(void *user, const lim_snapshot *m, lim_error *err) {
  (void)err;
  motion *x = user;
  lim_world_motion tip = lim_snapshot_site(m, &m->system->site[0].site);
  bool straight = m->system->model->solver.method == LIM_METHOD_finite_difference;
  if (x->count == x->capacity) {
    x->capacity = 2 * x->capacity + 1024;
    x->t = realloc(x->t, (size_t)x->capacity * sizeof *x->t);
    x->y = realloc(x->y, (size_t)x->capacity * sizeof *x->y);
    if (!x->t || !x->y) abort();
  }
  x->t[x->count] = m->t;
  x->y[x->count] = straight ? tip.p[1] : LENGTH * atan2(tip.p[1], tip.p[0]);
  x->scale = fmax(x->scale, fabs(x->y[x->count++]));
  return LIM_OK;
}

static inline void motion_free(motion *x) {
  free(x->t);
  free(x->y);
}

static inline lim_model *manipulator(const loading *l, const char *const *set) {
  char text[2][96];
  const char *all[MAX_SET];
  int n = 0;
  snprintf(text[0], sizeof text[0], "links.arm.masses.hub.inertia=[0, 0, %.17g]", l->hub);
  snprintf(text[1], sizeof text[1], "links.arm.masses.payload.mass=%.17g", l->payload);
  all[n++] = text[0];
  all[n++] = text[1];
  for (int i = 0; set && set[i] && n < MAX_SET; i++) all[n++] = set[i];
  lim_model *m = NULL;
  lim_error err = {0};
  if (lim_model_load(&m, MANIPULATOR, all, n, &err) != LIM_OK) {
    print_notes(&err);
    fail_msg("the model cannot be read");
  }
  return m;
}

// Overrides up to the first NULL.
static inline motion motion_of(const loading *l, const char *const *set) {
  lim_model *m = manipulator(l, set);
  motion x = {0};
  lim_run run;
  lim_error err = {0};
  lim_simulate_hooks hooks = {.record = keep_moment, .user = &x};
  if (lim_simulate(&run, m, "models", &hooks, &err) != LIM_OK) {
    print_notes(&err);
    fail_msg("the simulation failed");
  }
  lim_model_free(m);
  return x;
}

// y(L) at a time that was recorded [m].
static inline double tip_at(const motion *x, double t) {
  for (int i = 0; i < x->count; i++)
    if (fabs(x->t[i] - t) < 1e-9) return x->y[i];
  fail_msg("nothing was recorded at %g s", t);
  return NAN;
}

static inline lim_fd *scheme_of(const loading *l, int n, bool printed, double damping) {
  lim_fd_link link = {.n = n,
                      .length = LENGTH,
                      .mass = RHO_A,
                      .stiffness = EI,
                      .hub = l->hub,
                      .tip = l->payload,
                      .damping = damping,
                      .printed = printed};
  lim_fd *s = NULL;
  assert_int_equal(lim_fd_new(&s, &link, NULL), LIM_OK);
  return s;
}

// Frequencies of the semi-discrete scheme, modes 1 to 3 [Hz].
static inline void scheme_frequencies(double hertz[3], const loading *l, int n, bool printed) {
  lim_fd *s = scheme_of(l, n, printed, 0);
  double *omega = calloc((size_t)n + 1, sizeof *omega);
  assert_non_null(omega);
  assert_int_equal(lim_fd_frequencies(omega, s, NULL), LIM_OK);
  assert_true(omega[0] == 0);
  for (int k = 0; k < 3; k++) hertz[k] = omega[k + 1] / (2 * M_PI);
  free(omega);
  lim_fd_free(s);
}

// --- the continuous link ---

// v = A cos + B sin - A cosh + D sinh of b x/L has v(0) = 0. At the root EI v'' = -I_h omega^2 v', which gives
// A; at the tip v'' = 0 and EI v''' = -M_p omega^2 v. The determinant of B and D:
static inline double characteristic(double b, const loading *l) {
  double a = l->hub / (RHO_A * LENGTH * LENGTH * LENGTH) * b * b * b / 2, mu = l->payload / (RHO_A * LENGTH);
  double c = cos(b), s = sin(b), C = cosh(b), S = sinh(b);
  double v[2] = {a * (c - C) + s, a * (c - C) + S};
  double moment[2] = {-a * (c + C) - s, -a * (c + C) + S};
  double shear[2] = {a * (s - S) - c + mu * b * v[0], a * (s - S) + C + mu * b * v[1]};
  return (moment[0] * shear[1] - moment[1] * shear[0]) / C;
}

// Modes 1 to 3 [Hz].
static inline void exact_frequencies(double hertz[3], const loading *l) {
  int found = 0;
  for (double b = 1; found < 3 && b < 30; b += 1e-2) {
    double low = b, high = b + 1e-2, at_low = characteristic(low, l);
    if (at_low * characteristic(high, l) > 0) continue;
    for (int i = 0; i < 60; i++) {
      double middle = (low + high) / 2;
      if (characteristic(middle, l) * at_low > 0)
        low = middle;
      else
        high = middle;
    }
    hertz[found++] = low * low / (LENGTH * LENGTH) * sqrt(EI / RHO_A) / (2 * M_PI);
  }
  assert_int_equal(found, 3);
}

#endif

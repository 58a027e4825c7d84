// own_steps.c - what CVODE and IDA share: marching by steps of their own, output between them, and the matrix
// of a step by the recursion. Theory: docs/theory/simulation.md (5c)-(5f).
#include "integrate/sundials/own_steps.h"

#include "arm/ball.h"

#include "integrate/integrators.h"
#include "math/lu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PATIENCE = 10000 }; // steps

static double *put(double *to, const double *from, int n) {
  if (n) memcpy(to, from, (size_t)n * sizeof *to);
  return to + n;
}

void lim_own_steps_say_nothing(int code, const char *module, const char *function, char *text, void *user) {
  (void)code, (void)module, (void)function, (void)text, (void)user;
}

// --- state ---

lim_side lim_own_steps_take(lim_own_steps *s, double t, const double *y) {
  lim_state *f = s->motion_state;
  const lim_side side = t >= s->stop ? LIM_BEFORE : LIM_AFTER; // a jump may wait at the end
  put(f->qn, y, f->n);
  put(f->vn, y + f->n, f->n);
  put((double *)f->e->state, y + 2 * f->n + LIM_POWERS, f->ns);
  lim_state_prescribe(f, t, side, f->qn, f->vn, f->an);
  return side;
}

static void load_state(lim_own_steps *s) {
  const lim_state *f = s->motion_state;
  N_VConst(0, s->y);
  double *y = N_VGetArrayPointer(s->y);
  y = put(y, f->q, f->n);
  y = put(y, f->v, f->n);
  y = put(y, f->energy_integrals, LIM_POWERS);
  put(y, (const double *)f->e->state, f->ns);
  s->t = s->mark = f->t;
  s->last = 0;
  s->count = 0;
  s->stop = fmax(f->horizon, f->t);
}

// Absolute tolerances: a small part of what a radian, a metre, a bent link and a joule are. Loops are closed up
// to rounding, which no step can mend. Multipliers follow from the rest, with rounding over the step in them:
// they do not count.
static void set_floor(lim_own_steps *s) {
  const lim_state *f = s->motion_state;
  const double rounding = f->e->nrow ? 1e-13 : 0;
  double *x = s->floor;
  for (int i = 0; i < s->size; i++) x[i] = 1e10;
  for (int i = 0; i < f->n; i++) {
    double size = f->group[i] < 2 ? 1 : 1e-2;
    x[i] = fmax(1e-3 * s->tolerance, rounding) * size;
    x[f->n + i] = fmax(1e-2 * s->tolerance, 10 * rounding) * size;
  }
  for (int i = 0; i < LIM_POWERS; i++) x[2 * f->n + i] = 1e-3 * s->tolerance;
  for (int i = 0; i < f->ns; i++) {
    const bool bristles = i < 3 * f->e->s->nbody && i % 3 < 2; // m
    x[2 * f->n + LIM_POWERS + i] = (bristles ? 1e-6 : 1e-3) * s->tolerance;
  }
}

int lim_own_steps_weigh(N_Vector y, N_Vector w, void *user) {
  lim_own_steps *s = user;
  const lim_state *f = s->motion_state;
  const double *x = N_VGetArrayPointer(y);
  for (int i = 0; i < 2 * f->n; i++) {
    double *max = &s->max[(i < f->n ? 0 : f->ngroup) + f->group[i % f->n]];
    *max = fmax(*max, fabs(x[i]));
  }
  for (int i = 0; i < s->size; i++) {
    double size = fabs(x[i]);
    if (i < 2 * f->n) size = s->max[(i < f->n ? 0 : f->ngroup) + f->group[i % f->n]];
    s->w[i] = 1 / (s->tolerance * size + s->floor[i]);
    if (!isfinite(size)) return -1;
  }
  put(N_VGetArrayPointer(w), s->w, s->size);
  return 0;
}

// --- the matrix of a step ---

// Far above rounding, far below curvature: a millionth of the state.
double lim_own_steps_increment(const lim_own_steps *s) { return 1e-6 / s->tolerance; }

// Size of a motion along dq, dv, dx in terms of the tolerances.
static double motion_size(const lim_own_steps *s) {
  const lim_state *f = s->motion_state;
  double sum = 0;
  for (int i = 0; i < f->n; i++) {
    double q = s->dq[i] * s->w[i], v = s->dv[i] * s->w[f->n + i];
    sum += q * q + v * v;
  }
  for (int i = 0; i < f->ns; i++) {
    double x = s->dx[i] * s->w[2 * f->n + LIM_POWERS + i];
    sum += x * x;
  }
  return sqrt(sum / s->size);
}

// The base moved by e along dq, dv, dx.
static void move(lim_own_steps *s, double e) {
  lim_state *f = s->motion_state;
  double *x = (double *)f->e->state;
  for (int i = 0; i < f->n; i++) {
    bool given = f->e->given[i];
    f->qn[i] = s->q[i] + (given ? 0 : e * s->dq[i]);
    f->vn[i] = s->v[i] + (given ? 0 : e * s->dv[i]);
  }
  for (int i = 0; i < f->ns; i++) x[i] = s->x[i] + e * s->dx[i];
  put(f->e->lambda, s->lambda, f->e->nrow);
}

// Derivatives of the rates of states by the states, one by one.
static void differentiate_rates(lim_own_steps *s, double t, lim_side side, double step) {
  lim_state *f = s->motion_state;
  const int n = f->ns;
  const double *w = s->w + 2 * f->n + LIM_POWERS;
  double *x = (double *)f->e->state, *rate = (double *)f->e->rate;
  for (int j = 0; j < n; j++) {
    double h = lim_own_steps_increment(s) / w[j];
    x[j] = s->x[j] + h;
    lim_equations_rates(f->e, t, side, s->q, s->v);
    for (int i = 0; i < n; i++) s->J[i * n + j] = (i == j) - step * (rate[i] - s->rate[i]) / h;
    x[j] = s->x[j];
  }
  lim_lu_factor(s->J, s->pivot, n);
}

bool lim_own_steps_linearise(lim_own_steps *s, double t, const double *y, double g, bool second) {
  lim_state *f = s->motion_state;
  lim_equations *e = f->e;
  const lim_side side = s->side = lim_own_steps_take(s, t, y);
  s->base = t;
  put(s->q, f->qn, f->n);
  put(s->v, f->vn, f->n);
  put(s->x, (const double *)e->state, f->ns);
  lim_equations_swap(e);
  lim_equations_residual(s->r, e, t, side, s->q, s->v, s->a);
  put(s->lambda, e->lambda, e->nrow);
  lim_state_power(s->power, f, s->q, s->v, s->r);
  bool good = lim_equations_factor(e, s->q, (lim_step_matrix){1, g, g * g}, NULL) == LIM_OK;
  lim_equations_swap(e);
  lim_equations_rows(e, s->q, s->v, second ? s->a : NULL);
  for (int k = 0; k < e->nrow; k++) s->gap[k] = second ? e->row[k].second : e->row[k].rate;
  if (!f->ns || !good) return good;
  lim_equations_rates(e, t, side, s->q, s->v);
  put(s->rate, (const double *)e->rate, f->ns);
  differentiate_rates(s, t, side, g);
  return true;
}

void lim_own_steps_forces(lim_own_steps *s, bool second) {
  lim_state *f = s->motion_state;
  lim_equations *e = f->e;
  double size = motion_size(s), h = size > 0 ? lim_own_steps_increment(s) / size : 1;
  move(s, h);
  lim_equations_residual(s->g, e, s->base, s->side, f->qn, f->vn, s->a);
  for (int i = 0; i < f->n; i++) s->g[i] = (s->g[i] - s->r[i]) / h;
  lim_equations_rows(e, f->qn, f->vn, second ? s->a : NULL);
  for (int k = 0; k < e->nrow; k++) s->c[k] = ((second ? e->row[k].second : e->row[k].rate) - s->gap[k]) / h;
}

void lim_own_steps_states(lim_own_steps *s, double step, bool motion) {
  lim_state *f = s->motion_state;
  if (!f->ns) return;
  if (motion) {
    const double *rate = (const double *)f->e->rate;
    put(s->z, s->dx, f->ns);
    memset(s->dx, 0, (size_t)f->ns * sizeof *s->dx);
    double size = motion_size(s), h = size > 0 ? lim_own_steps_increment(s) / size : 1;
    move(s, h);
    lim_equations_rates(f->e, s->base, s->side, f->qn, f->vn);
    for (int i = 0; i < f->ns; i++) s->dx[i] = s->z[i] + step * (rate[i] - s->rate[i]) / h;
  }
  lim_lu_solve(s->dx, s->J, s->pivot, f->ns);
}

void lim_own_steps_powers(double *energy_integrals, lim_own_steps *s, double step) {
  lim_state *f = s->motion_state;
  double size = motion_size(s), h = size > 0 ? lim_own_steps_increment(s) / size : 1, power[LIM_POWERS];
  move(s, h);
  for (int i = 0; i < f->n; i++) f->an[i] = s->a[i] + (f->e->given[i] ? 0 : h * s->da[i]);
  lim_equations_residual(s->g, f->e, s->base, s->side, f->qn, f->vn, f->an);
  lim_state_power(power, f, f->qn, f->vn, s->g);
  for (int i = 0; i < LIM_POWERS; i++) energy_integrals[i] += step * (power[i] - s->power[i]) / h;
}

// In the metric of M alone light parts that are stiff would give way, and swing.
bool lim_own_steps_close(lim_own_steps *s, double *q, double *v) {
  lim_equations_swap(s->motion_state->e);
  const bool good = lim_equations_project(s->motion_state->e, q, v);
  lim_equations_swap(s->motion_state->e);
  return good;
}

// --- order ---

// Steps of order 5 must resolve the fastest vibration, about three to its radian; those of order 2 are stable
// however long, but a swing of the motion itself takes tolerance^(-1/3) of them. A run is taken to have some
// five swings. The order that needs fewer.   (5f)
static int best_order(double fastest, double tolerance, double duration) {
  return fastest * duration > 30 / cbrt(tolerance) ? 2 : 5;
}

// Root of the largest eigenvalue of M^-1 K at the present state, by iteration from a motion of everything.
static double fastest(lim_own_steps *s) {
  enum { ROUNDS = 12 };
  const lim_state *f = s->motion_state;
  double growth = 0;
  memcpy(s->a, f->a, (size_t)f->n * sizeof *s->a);
  if (!lim_own_steps_linearise(s, f->t, N_VGetArrayPointer(s->y), 0, true)) return 0;
  memset(s->dv, 0, (size_t)f->n * sizeof *s->dv);
  memset(s->dx, 0, (size_t)f->ns * sizeof *s->dx);
  for (int i = 0; i < f->n; i++) s->dq[i] = f->e->given[i] ? 0 : 1 + 0.5 * sin(i);
  for (int k = 0; k < ROUNDS; k++) {
    double before = 0, after = 0;
    lim_own_steps_forces(s, true);
    lim_equations_swap(f->e);
    lim_equations_solve(s->g, f->e, s->c, 0);
    lim_equations_swap(f->e);
    for (int i = 0; i < f->n; i++) {
      before = fmax(before, fabs(s->dq[i]));
      after = fmax(after, fabs(s->g[i]));
    }
    if (!(after > 0) || !isfinite(after)) return growth;
    growth = fmax(growth, sqrt(after / before));
    for (int i = 0; i < f->n; i++) s->dq[i] = s->g[i] / after;
  }
  return growth;
}

// --- set-up ---

double lim_own_steps_longest(const lim_own_steps *s) {
  enum { STEPS = 300 }; // of a run at least
  const double duration = s->motion_state->e->s->model->solver.duration;
  return s->motion_state->watched && duration > 0 ? duration / STEPS : 0;
}

static bool allocate(lim_own_steps *s) {
  const lim_state *f = s->motion_state;
  const size_t n = (size_t)f->n, m = (size_t)f->e->nrow, ns = (size_t)f->ns;
  double **vector[] = {&s->q,  &s->v, &s->a, &s->r, &s->dq,   &s->dv,
                       &s->da, &s->g, &s->z, &s->x, &s->rate, &s->dx};
  for (size_t i = 0; i < sizeof vector / sizeof *vector; i++)
    if (!(*vector[i] = lim_arena_array(&s->arena, n + ns, sizeof(double)))) return false;
  s->gap = lim_arena_array(&s->arena, m, sizeof *s->gap);
  s->lambda = lim_arena_array(&s->arena, m, sizeof *s->lambda);
  s->held = lim_arena_array(&s->arena, m, sizeof *s->held);
  s->c = lim_arena_array(&s->arena, m, sizeof *s->c);
  s->d = lim_arena_array(&s->arena, m, sizeof *s->d);
  s->floor = lim_arena_array(&s->arena, (size_t)s->size, sizeof *s->floor);
  s->w = lim_arena_array(&s->arena, (size_t)s->size, sizeof *s->w);
  s->max = lim_arena_array(&s->arena, 2 * (size_t)f->ngroup, sizeof *s->max);
  if (!s->floor || !s->w || !s->max) return false;
  s->J = lim_arena_array(&s->arena, ns * ns, sizeof *s->J);
  s->pivot = lim_arena_array(&s->arena, ns, sizeof *s->pivot);
  return s->gap && s->lambda && s->held && s->c && s->d && s->J && s->pivot;
}

static bool open_session(lim_state *f, const lim_own_kind *kind) {
  lim_own_steps *s = f->own = calloc(1, sizeof *s);
  if (!s || SUNContext_Create(NULL, &s->context)) return false;
  s->kind = kind;
  s->motion_state = f;
  s->tolerance = fmax(0.1 * f->tolerance, 1e-14); // of one step: errors add up
  s->size = 2 * f->n + LIM_POWERS + f->ns + kind->extra * f->e->nrow;
  s->y = N_VNew_Serial(s->size, s->context);
  s->dy = N_VNew_Serial(s->size, s->context);
  s->about = N_VNew_Serial(s->size, s->context);
  if (!allocate(s) || !s->y || !s->dy || !s->about || !lim_equations_spare(f->e)) return false;
  enum { DIRECTIONS = 20 };
  s->solver = SUNLinSol_SPGMR(s->y, SUN_PREC_LEFT, DIRECTIONS, s->context);
  if (!s->solver) return false;
  load_state(s);
  set_floor(s);
  if (lim_own_steps_weigh(s->y, s->dy, s)) return false;
  const double duration = f->e->s->model->solver.duration;
  s->order = best_order(fastest(s), s->tolerance, duration > 0 ? duration : 1e3 * f->step);
  return lim_state_accelerate(f, LIM_AFTER, NULL) == LIM_OK &&
         kind->open(s); // the equations were tried elsewhere
}

void lim_own_steps_finish(lim_state *f) {
  lim_own_steps *s = f->own;
  if (!s) return;
  if (s->memory) s->kind->close(s);
  if (s->solver) SUNLinSolFree(s->solver);
  if (s->y) N_VDestroy(s->y);
  if (s->dy) N_VDestroy(s->dy);
  if (s->about) N_VDestroy(s->about);
  lim_arena_free(&s->arena);
  SUNContext_Free(&s->context);
  free(s);
  f->own = NULL;
}

lim_code lim_own_steps_restart(lim_state *f, const lim_own_kind *kind, lim_error *err) {
  lim_code code = lim_state_accelerate(f, LIM_AFTER, err);
  if (code != LIM_OK) return code;
  if (!f->own)
    return open_session(f, kind) ? LIM_OK
                                 : LIM_FAIL(err, LIM_FAILED, "%s could not be set up", kind->method->row.word);
  load_state(f->own);
  return kind->again(f->own) ? LIM_FAIL(err, LIM_FAILED, "%s could not be restarted", kind->method->row.word)
                             : LIM_OK;
}

// --- marching ---

// What the last step's error is largest in, for messages.
static const char *worst(lim_own_steps *s) {
  const lim_state *f = s->motion_state;
  N_Vector x = N_VClone(s->y);
  if (!x) return "?";
  N_VConst(0, x);
  s->kind->errors(s, x);
  const double *error = N_VGetArrayPointer(x);
  double max = 0;
  int at = 0;
  for (int i = 0; i < 2 * f->n + LIM_POWERS + f->ns; i++) {
    double size = fabs(error[i]) * s->w[i];
    if (!(size > max)) continue;
    max = size;
    at = i;
  }
  N_VDestroy(x);
  if (at < 2 * f->n) return lim_equations_owner(f->e->s, at % f->n);
  return at < 2 * f->n + LIM_POWERS ? "energy balance" : "state of a drive or controller";
}

static lim_code give_up(lim_own_steps *s, int flag, lim_error *err) {
  char *text = (char *)s->kind->text(flag);
  s->motion_state->advice = "try another tolerance, or generalized-alpha";
  lim_error_add(err, LIM_FAILED, NULL, 0, 0,
                "at t = %g s %s gives up (%s) after a step of %.2g s; its error is largest in '%s'", s->t,
                s->kind->method->row.word, text ? text : "?", s->last, worst(s));
  free(text);
  return LIM_FAILED;
}

// Steps far shorter than the usual one: whoever knows why is asked, once.
static lim_code look_at_pace(lim_own_steps *s, double covered, lim_error *err) {
  enum { SHORT = 20 };
  lim_state *f = s->motion_state;
  if (s->looked || !f->slows || covered > PATIENCE * f->step / SHORT) return LIM_OK;
  s->looked = true;
  return f->slows(f, s->t, covered / PATIENCE, err);
}

// Whether time stands still: steps of which a usual one would take a hundred million.
static lim_code check_pace(lim_own_steps *s, lim_error *err) {
  if (++s->count < PATIENCE) return LIM_OK;
  const double covered = s->t - s->mark;
  s->count = 0;
  s->mark = s->t;
  if (covered > 1e-8 * PATIENCE * s->motion_state->step) return look_at_pace(s, covered, err);
  s->motion_state->advice = "try a larger tolerance, or generalized-alpha";
  return LIM_FAIL(
      err, LIM_FAILED,
      "at t = %g s the steps of %s stay at %.2g s because of '%s', which is too stiff or too fast for "
      "the tolerance %.2g",
      s->t, s->kind->method->row.word, covered / PATIENCE, worst(s), s->motion_state->tolerance);
}

static lim_code step(lim_own_steps *s, lim_error *err) {
  const double before = s->t;
  const int flag = s->kind->step(s);
  if (lim_state_stopped(s->motion_state)) return LIM_FAILED;
  if (flag < 0) return give_up(s, flag, err);
  s->last = s->t - before;
  s->motion_state->steps++;
  return check_pace(s, err);
}

// The state at `to`, which is within the last step.
static lim_code show(lim_own_steps *s, double to, lim_error *err) {
  lim_state *f = s->motion_state;
  if (s->last > 0 && s->kind->look(s, fmin(to, s->t)))
    return LIM_FAIL(err, LIM_FAILED, "at t = %g s %s has no state", to, s->kind->method->row.word);
  const double *y = N_VGetArrayPointer(s->y);
  put(f->q, y, f->n);
  put(f->v, y + f->n, f->n);
  put(f->energy_integrals, y + 2 * f->n, LIM_POWERS);
  put((double *)f->e->state, y + 2 * f->n + LIM_POWERS, f->ns);
  f->t = to;
  lim_state_prescribe(f, to, LIM_BEFORE, f->q, f->v, f->a);
  if (f->e->nrow && s->last > 0) lim_own_steps_close(s, f->q, f->v); // the end is interpolated
  return lim_state_accelerate(f, LIM_BEFORE, err);
}

// Far beyond any arm, where the run is about to end: no more steps.
static bool runs_away(const lim_own_steps *s) {
  const double *y = N_VGetArrayPointer(s->y);
  for (int i = 0; i < 2 * s->motion_state->n; i++)
    if (!(fabs(y[i]) <= LIM_STATE_MAX)) return true;
  return false;
}

// A ball joint has come so far that the motion has to be written anew, from the end of this step on.
static bool turns_far(const lim_own_steps *s) {
  const lim_arm *arm = s->motion_state->e->s;
  for (int i = 0; i < arm->nball; i++)
    if (lim_ball_is_far(&arm->ball[i], N_VGetArrayPointer(s->y))) return true;
  return false;
}

lim_code lim_own_steps_advance(lim_state *f, double to, lim_error *err) {
  lim_own_steps *s = f->own;
  lim_code code = LIM_OK;
  s->stop = fmax(f->horizon, to);
  const double nothing = 4e-16 * fabs(to); // as after a change of friction just before: it would be refused
  if (f->watched && f->t < s->t) to = fmin(to, s->t); // what is located lies within one step
  while (code == LIM_OK && s->t < to - nothing) {
    code = step(s, err);
    if (f->watched || (code == LIM_OK && (runs_away(s) || turns_far(s)))) to = fmin(to, s->t);
  }
  return code == LIM_OK ? show(s, to, err) : code;
}

const lim_unused_key lim_own_steps_unused[] = {
    {"criterion", LIM_IN_ALL_MODES, 0, NULL},
    {"method", LIM_IN_MODE(LIM_MODE_QUASI_STATIC), 0, LIM_SHAPES_ARE_SOLVED},
    {0}};

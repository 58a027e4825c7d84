// step_control.c - steps by their error. The flow holds the state that is looked at; the ends of the last step
// are kept here. Theory: docs/theory/simulation.md (4e)-(4g).
#include "integrate/step_control.h"

#include "integrate/integrators.h"
#include "model/words.h"

#include <math.h>
#include <string.h>

// A step after a jump against the one before it, the first against the usual one; by how much a step may grow,
// and must, lest each step needs a factor of its own. The shortest, against the longest so far.
static const double FIRST = 0.1, GROWTH = 2, WORTH = 1.5, SHORTEST = 1e-9;

// One end of a step.
typedef struct {
  double t;
  double *q, *v, *a;    // (n), a with the multipliers of loops
  double *state, *rate; // of drives and controllers                        (ns)
  double energy_integrals[LIM_POWERS], power[LIM_POWERS];
} end;

struct lim_step_control {
  double tolerance;
  double h;       // what to try next [s]
  double longest; // so far [s]
  end from, to;
};

// --- ends ---

static void copy(double *to, const double *from, int n) { memcpy(to, from, (size_t)n * sizeof *to); }

static void store(end *x, const lim_state *f) {
  x->t = f->t;
  copy(x->q, f->q, f->n);
  copy(x->v, f->v, f->n);
  copy(x->a, f->a, f->n);
  copy(x->a + f->n, f->e->lambda, f->e->s->nrow);
  if (f->ns) copy(x->state, (const double *)f->e->state, f->ns);
  if (f->ns) copy(x->rate, (const double *)f->e->rate, f->ns);
  copy(x->energy_integrals, f->energy_integrals, LIM_POWERS);
  copy(x->power, f->k[0], LIM_POWERS);
}

static void load(lim_state *f, const end *x) {
  f->t = x->t;
  copy(f->q, x->q, f->n);
  copy(f->v, x->v, f->n);
  copy(f->a, x->a, f->n);
  copy(f->e->lambda, x->a + f->n, f->e->s->nrow);
  if (f->ns) copy((double *)f->e->state, x->state, f->ns);
  if (f->ns) copy((double *)f->e->rate, x->rate, f->ns);
  copy(f->energy_integrals, x->energy_integrals, LIM_POWERS);
  copy(f->k[0], x->power, LIM_POWERS);
}

static void swap_ends(struct lim_step_control *c) {
  const end from = c->from;
  c->from = c->to;
  c->to = from;
}

// --- between the ends ---

// Factors of value, rate and second derivative at both ends of a unit interval in the polynomial of fifth order
// at s, and in its first two derivatives.   (4f)
typedef struct {
  double from[3], to[3];
} hermite;

static void quintic(hermite h[3], double s) {
  const double s2 = s * s, s3 = s2 * s, s4 = s3 * s, s5 = s4 * s;
  h[0] =
      (hermite){{1 - 10 * s3 + 15 * s4 - 6 * s5, s - 6 * s3 + 8 * s4 - 3 * s5, (s2 - 3 * s3 + 3 * s4 - s5) / 2},
                {10 * s3 - 15 * s4 + 6 * s5, -4 * s3 + 7 * s4 - 3 * s5, (s3 - 2 * s4 + s5) / 2}};
  h[1] = (hermite){
      {-30 * s2 + 60 * s3 - 30 * s4, 1 - 18 * s2 + 32 * s3 - 15 * s4, (2 * s - 9 * s2 + 12 * s3 - 5 * s4) / 2},
      {30 * s2 - 60 * s3 + 30 * s4, -12 * s2 + 28 * s3 - 15 * s4, (3 * s2 - 8 * s3 + 5 * s4) / 2}};
  h[2] = (hermite){
      {-60 * s + 180 * s2 - 120 * s3, -36 * s + 96 * s2 - 60 * s3, (2 - 18 * s + 36 * s2 - 20 * s3) / 2},
      {60 * s - 180 * s2 + 120 * s3, -24 * s + 84 * s2 - 60 * s3, (6 * s - 24 * s2 + 20 * s3) / 2}};
}

static double between(const hermite *x, const end *from, const end *to, int i, double h) {
  return x->from[0] * from->q[i] + x->to[0] * to->q[i] + h * (x->from[1] * from->v[i] + x->to[1] * to->v[i]) +
         h * h * (x->from[2] * from->a[i] + x->to[2] * to->a[i]);
}

// Values with their rates at both ends, by the polynomial of third order.   (4g)
static double cubic(double x0, double rate0, double x1, double rate1, double h, double s) {
  const double s2 = s * s, s3 = s2 * s;
  return (1 - 3 * s2 + 2 * s3) * x0 + (3 * s2 - 2 * s3) * x1 +
         h * ((s - 2 * s2 + s3) * rate0 + (s3 - s2) * rate1);
}

// The state at t, within the last step.
static void look(lim_state *f, double t) {
  const struct lim_step_control *c = f->control;
  const end *from = &c->from, *to = &c->to;
  if (t >= to->t) {
    load(f, to);
    f->t = t;
    return;
  }
  const double h = to->t - from->t, s = (t - from->t) / h;
  hermite x[3];
  quintic(x, s);
  for (int i = 0; i < f->n; i++) {
    f->q[i] = between(&x[0], from, to, i, h);
    f->v[i] = between(&x[1], from, to, i, h) / h;
    f->a[i] = between(&x[2], from, to, i, h) / (h * h);
  }
  for (int i = 0; i < f->e->s->nrow; i++) f->e->lambda[i] = (1 - s) * from->a[f->n + i] + s * to->a[f->n + i];
  double *state = (double *)f->e->state;
  for (int i = 0; i < f->ns; i++)
    state[i] = cubic(from->state[i], from->rate[i], to->state[i], to->rate[i], h, s);
  for (int i = 0; i < LIM_POWERS; i++) {
    f->energy_integrals[i] =
        cubic(from->energy_integrals[i], from->power[i], to->energy_integrals[i], to->power[i], h, s);
    f->k[0][i] = (1 - s) * from->power[i] + s * to->power[i];
  }
  f->t = t;
  lim_state_prescribe(f, t, LIM_BEFORE, f->q, f->v, f->a);
  if (f->e->s->nrow) lim_equations_project(f->e, f->q, f->v);
  lim_state_rates(f, LIM_BEFORE);
  f->newton.exact = false;
}

// --- steps ---

// What to try next: what the error of the last step allows, as it grows with the third power of the step. (4e)
static double next_step(const struct lim_step_control *c, double h, double error) {
  const double factor = error > 0 ? 0.8 * cbrt(c->tolerance / error) : GROWTH;
  return factor < 1 || factor > WORTH ? h * fmin(fmax(factor, 0.3), GROWTH) : h;
}

// The next step, not beyond the horizon; two equal ones rather than a short rest.
static lim_code step(lim_state *f, lim_implicit p, double stop, lim_error *err) {
  struct lim_step_control *c = f->control;
  const double left = stop - c->to.t;
  double h = c->h >= 0.999 * left ? left : c->h > left / 2 ? left / 2 : c->h;
  const double tried = h;
  load(f, &c->to);
  swap_ends(c);
  f->step = h;
  lim_code code = lim_implicit_step(f, &h, SHORTEST * c->longest, c->tolerance, p, err);
  if (code != LIM_OK) return code;
  if (h == left) f->t = stop;
  store(&c->to, f);
  const double next = next_step(c, h, f->error);
  c->h = tried < c->h && h == tried ? fmax(c->h, next) : next; // a step cut by the horizon says little
  c->longest = fmax(c->longest, h);
  return LIM_OK;
}

lim_code lim_step_control_advance(lim_state *f, double to, lim_implicit p, lim_error *err) {
  struct lim_step_control *c = f->control;
  const double stop = fmax(f->horizon, to), nothing = 4e-16 * fabs(to);
  lim_code code = LIM_OK;
  if (f->watched && f->t < c->to.t) to = fmin(to, c->to.t); // what is located lies within one step
  while (code == LIM_OK && c->to.t < to - nothing) {
    if (lim_state_stopped(f)) return LIM_FAILED;
    code = step(f, p, stop, err);
    if (f->watched) to = fmin(to, c->to.t);
  }
  if (code == LIM_OK) look(f, to);
  return code;
}

void lim_step_control_restart(lim_state *f) {
  struct lim_step_control *c = f->control;
  store(&c->to, f);
  c->h *= FIRST;
}

// --- set-up ---

static bool allocate(end *x, lim_state *f) {
  double **vector[] = {&x->q, &x->v, &x->a};
  for (int i = 0; i < 3; i++)
    if (!(*vector[i] = lim_arena_array(&f->arena, (size_t)f->unknowns, sizeof(double)))) return false;
  x->state = lim_arena_array(&f->arena, (size_t)f->ns, sizeof *x->state);
  x->rate = lim_arena_array(&f->arena, (size_t)f->ns, sizeof *x->rate);
  return x->state && x->rate;
}

lim_code lim_step_control_new(lim_state *f, double tolerance, lim_error *err) {
  struct lim_step_control *c = lim_arena_allocate(&f->arena, sizeof *c);
  if (!c || !allocate(&c->from, f) || !allocate(&c->to, f)) return lim_no_memory(err);
  c->tolerance = tolerance;
  c->h = c->longest = f->step;
  f->control = c;
  return LIM_OK;
}

// --- what the model may ask ---

static void refuse_auto(lim_resolver *v, const lim_solver *s, const char *why, const char *what) {
  lim_resolve_error(v, &s->head, "step", "solver: step is auto, but %s %s; give a step, as 1 ms", what, why);
}

void lim_check_no_auto(lim_resolver *v, const void *solver) {
  const lim_solver *s = solver;
  if (s->adaptive) refuse_auto(v, s, "takes steps of one length", lim_method_row(s->method)->word);
}

void lim_check_auto_mode(lim_resolver *v, const lim_solver *s) {
  char mode[LIM_WORD];
  if (!s->adaptive || s->mode == LIM_MODE_NONLINEAR || s->mode == LIM_MODE_RIGID) return;
  lim_word_at(mode, "solver.mode", s->mode);
  refuse_auto(v, s, "follows a rigid motion step by step", mode);
}

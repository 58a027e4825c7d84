// step_control.c - steps by their error. The flow holds the state that is looked at; the ends of the last step
// are kept here. Theory: docs/theory/simulation.md (4e)-(4g).
#include "integrate/step_control.h"

#include "arm/ball.h"
#include "integrate/integrators.h"
#include "integrate/recentre.h"
#include "model/words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// The first step, and the one after a jump or a break of a profile, against the usual one, and the most of the
// time until the next: a force that begins from nothing must be felt before steps grow. By how much a step may
// grow, and must, lest each step needs a factor of its own. The shortest, against the usual one: in closed
// chains rounding of what they close, over the square of the step, counts among the accelerations. Where the
// acceleration has a peak the error of a step vanishes for a moment: what earlier steps said fades from step to
// step.
static const double SHORTEST_CLOSED = 1e-3, FIRST = 0.1, PART = 0.25, GROWTH = 2, WORTH = 1.5, SHORTEST = 1e-5,
                    FADES = 0.85;

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
  double usual;   // [s]
  bool fresh;     // no step has been taken since the last jump
  double measure; // of errors: that of a step of 1 s
  end from, to;
};

// --- ends ---

static void copy(double *to, const double *from, int n) { memcpy(to, from, (size_t)n * sizeof *to); }

static void store(end *x, const lim_state *f) {
  x->t = f->t;
  copy(x->q, f->q, f->n);
  copy(x->v, f->v, f->n);
  copy(x->a, f->a, f->n);
  copy(x->a + f->n, f->e->lambda, f->e->nrow);
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
  copy(f->e->lambda, x->a + f->n, f->e->nrow);
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

// Values with their rates at both ends, by the polynomial of third order.   (4g)
static double cubic(double x0, double rate0, double x1, double rate1, double h, double s) {
  const double s2 = s * s, s3 = s2 * s;
  return (1 - 3 * s2 + 2 * s3) * x0 + (3 * s2 - 2 * s3) * x1 +
         h * ((s - 2 * s2 + s3) * rate0 + (s3 - s2) * rate1);
}

// The state at t, within the last step. Each from its own values and rates: the second derivative of a
// polynomial through positions would have the error of the step, of third order, over the square of the step.
static void look(lim_state *f, double t) {
  const struct lim_step_control *c = f->control;
  const end *from = &c->from, *to = &c->to;
  f->newton.exact = false; // the last residual may be of another time
  if (t >= to->t) {
    load(f, to);
    f->t = t;
    return;
  }
  const double h = to->t - from->t, s = (t - from->t) / h;
  for (int i = 0; i < f->n; i++) {
    f->q[i] = cubic(from->q[i], from->v[i], to->q[i], to->v[i], h, s);
    f->v[i] = cubic(from->v[i], from->a[i], to->v[i], to->a[i], h, s);
    f->a[i] = (1 - s) * from->a[i] + s * to->a[i];
  }
  for (int i = 0; i < f->e->nrow; i++) f->e->lambda[i] = (1 - s) * from->a[f->n + i] + s * to->a[f->n + i];
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
  if (f->e->nrow) lim_equations_project(f->e, f->q, f->v);
  lim_state_rates(f, LIM_BEFORE);
}

// --- steps ---

// What to try next: what the errors of the last steps allow, which grow with the third power of the step. (4e)
static double next_step(struct lim_step_control *c, double h, double error) {
  c->measure = fmax(error / (h * h * h), FADES * c->measure);
  const double factor = c->measure > 0 ? 0.8 * cbrt(c->tolerance / c->measure) / h : GROWTH;
  return factor < 1 || factor > WORTH ? h * fmin(fmax(factor, 0.3), GROWTH) : h;
}

// The next step, not beyond the horizon; two equal ones rather than a short rest.
static lim_code step(lim_state *f, lim_implicit p, double stop, lim_error *err) {
  struct lim_step_control *c = f->control;
  const double left = stop - c->to.t, shortest = (f->e->nrow ? SHORTEST_CLOSED : SHORTEST) * c->usual;
  if (c->fresh) c->h = fmin(c->h, PART * left);
  c->fresh = false;
  double h = c->h >= 0.999 * left ? left : c->h > left / 2 ? left / 2 : c->h;
  const double tried = h;
  load(f, &c->to);
  swap_ends(c);
  f->step = h;
  lim_code code = lim_implicit_step(f, &h, shortest, c->tolerance, p, err);
  if (code != LIM_OK) return code;
  if (h == left) f->t = stop;
  store(&c->to, f);
  const double next = next_step(c, h, f->error);
  c->h = fmax(shortest,
              tried < c->h && h == tried ? fmax(c->h, next) : next); // a step cut by the horizon says little
  return LIM_OK;
}

static bool end_is_far(const lim_state *f) {
  const lim_arm *s = f->e->s;
  for (int i = 0; i < s->nball; i++)
    if (lim_ball_is_far(&s->ball[i], f->control->to.q)) return true;
  return false;
}

lim_code lim_step_control_advance(lim_state *f, double to, lim_implicit p, lim_error *err) {
  struct lim_step_control *c = f->control;
  const double stop = fmax(f->horizon, to), nothing = 4e-16 * fabs(to);
  lim_code code = LIM_OK;
  if (f->watched && f->t < c->to.t) to = fmin(to, c->to.t); // what is located lies within one step
  while (code == LIM_OK && c->to.t < to - nothing) {
    if (lim_state_stopped(f)) return LIM_FAILED;
    if (f->t < c->to.t - nothing && end_is_far(f)) { // it is written anew at the end of a step, before the next
      to = c->to.t;
      break;
    }
    code = step(f, p, stop, err);
    if (f->watched || lim_state_is_far(f)) to = fmin(to, c->to.t);
  }
  if (code == LIM_OK) look(f, to);
  return code;
}

void lim_step_control_rewrite(lim_state *f, const lim_ball *b, const double quaternion[4]) {
  end *from = &f->control->from, *to = &f->control->to;
  double *const of_from[] = {from->a}, *const of_to[] = {to->a, f->A, f->b}; // A and b are of the end
  lim_ball_rewrite(b, quaternion, from->q, from->v, of_from, 1);
  lim_ball_rewrite(b, quaternion, to->q, to->v, of_to, 3);
}

double lim_step_control_end(const lim_state *f) { return f->control->to.t; }

void lim_step_control_restart(lim_state *f) {
  struct lim_step_control *c = f->control;
  store(&c->to, f);
  c->h = FIRST * fmin(c->h, c->usual);
  c->measure = 0;
  c->fresh = true;
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
  c->h = c->usual = f->step;
  f->control = c;
  return LIM_OK;
}

// --- what the model may ask ---

static void refuse_auto(lim_resolver *v, const lim_solver *s, const char *why, const char *what) {
  lim_resolve_error(v, &s->head, "step", "step is auto, but %s %s; give a step, as 1 ms", what, why);
}

void lim_check_no_auto(lim_resolver *v, const void *solver) {
  const lim_solver *s = solver;
  if (s->adaptive) refuse_auto(v, s, "takes steps of one length", lim_method_row(s->method)->word);
}

void lim_check_auto_mode(lim_resolver *v, const lim_solver *s) {
  char mode[LIM_WORD];
  if (!s->adaptive || s->mode == LIM_MODE_NONLINEAR || s->mode == LIM_MODE_RIGID) return;
  lim_word_at(mode, "solver.mode", s->mode);
  char what[LIM_WORD + 8];
  snprintf(what, sizeof what, "mode %s", mode);
  refuse_auto(v, s, "follows a rigid motion step by step", what);
}

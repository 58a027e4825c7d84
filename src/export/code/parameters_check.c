// parameters_check.c - code with kept numbers against code that was written for other values of them.
#include "export/code/generate.h"

#include "base/error.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double ROUNDING = 1e-7, BESIDE = 1e-10; // of an output's own size, of the largest beside it

// What differs: nothing where what is NULL.
typedef struct {
  const char *what;
  double by; // of its size
} finding;

// --- functions ---

static double value_of(const lim_expr *x, int i) { return lim_graph_value(x[i]); }

// The sample at which the other code was written, as inputs of a plan. The caller frees input[0].
static bool take_sample(const double *input[LIM_IN_ARRAYS], const lim_symbolic *x, const double *p) {
  const int n = x->n;
  double *to = calloc(3 * (size_t)n + (size_t)(x->ninput + x->nstate) + 1, sizeof *to);
  if (!to) return false;
  double *v = to + n, *a = v + n, *u = a + n, *s = u + x->ninput;
  for (int i = 0; i < n; i++) to[i] = value_of(x->q, i), v[i] = value_of(x->v, i), a[i] = value_of(x->a, i);
  for (int i = 0; i < x->ninput; i++) u[i] = value_of(x->u, i);
  for (int i = 0; i < x->nstate; i++) s[i] = value_of(x->x, i);
  input[LIM_IN_Q] = to, input[LIM_IN_V] = v, input[LIM_IN_A] = a;
  input[LIM_IN_U] = u, input[LIM_IN_X] = s, input[LIM_IN_P] = p;
  return true;
}

static double worst_of(const double *mine, const lim_expr *other, int n) {
  double largest = 0, worst = 0;
  for (int i = 0; i < n; i++) largest = fmax(largest, fabs(value_of(other, i)));
  for (int i = 0; i < n; i++) {
    double difference = fabs(mine[i] - value_of(other, i)), size = fabs(value_of(other, i));
    if (!(difference <= ROUNDING * size + BESIDE * largest))
      worst = fmax(worst, difference / fmax(size, BESIDE * largest));
    if (isnan(difference)) return INFINITY;
  }
  return worst;
}

static lim_code compare_functions(finding *f, const lim_generated *g, const lim_symbolic *other,
                                  const double *p, lim_error *err) {
  const double *input[LIM_IN_ARRAYS] = {0};
  lim_code code = take_sample(input, other, p) ? LIM_OK : lim_no_memory(err);
  for (int k = 0; k < LIM_FUNCTIONS && code == LIM_OK && !f->what; k++) {
    const int count = g->written->count[k];
    if (!g->tape[k] || count != other->count[k]) {
      if (count != other->count[k]) *f = (finding){lim_symbolic_name(k), INFINITY};
      continue;
    }
    double *out = calloc((size_t)count + (size_t)g->tape[k]->count + 1, sizeof *out);
    if (!out) code = lim_no_memory(err);
    if (out) {
      lim_tape_evaluate(out, g->tape[k], input, out + count);
      double worst = worst_of(out, other->out[k], count);
      if (worst > 0) *f = (finding){lim_symbolic_name(k), worst};
    }
    free(out);
  }
  free((void *)input[0]);
  return code;
}

// --- what the model has by itself ---

static bool same_number(double a, double b) { return a == b || fabs(a - b) <= 1e-9 * (fabs(a) + fabs(b)); }

static bool same_course(const lim_trajectory *a, const lim_trajectory *b, double until) {
  if (!a || !b) return a == b;
  for (int i = 0; i <= 32; i++) {
    lim_sample x = lim_trajectory_at(a, until * i / 32), y = lim_trajectory_at(b, until * i / 32);
    if (!same_number(x.value, y.value) || !same_number(x.rate, y.rate)) return false;
  }
  return true;
}

static bool same_inputs(const lim_symbolic *a, const lim_symbolic *b) {
  const lim_inputs *x = a->session->inputs, *y = b->session->inputs;
  const double duration = a->session->model->solver.duration;
  if (a->ninput != b->ninput || a->nstate != b->nstate || x->nbreak != y->nbreak) return false;
  for (int i = 0; i < x->nbreak; i++)
    if (!same_number(x->breaks[i], y->breaks[i])) return false;
  for (int i = 0; i < a->ninput; i++)
    if (!same_number(a->input[i].constant, b->input[i].constant) ||
        !same_course(a->input[i].trajectory, b->input[i].trajectory, isnan(duration) ? 1 : duration))
      return false;
  return true;
}

// --- whole ---

static lim_code compare(finding *f, const lim_generated *g, int trial, lim_error *err) {
  double p[LIM_KEEP_MOST] = {0};
  lim_symbolic *other = NULL;
  *f = (finding){0};
  lim_code code = lim_symbolic_new(&other, lim_parameters_trial(g->keep, trial, p), NULL, err);
  if (code == LIM_OK && !same_inputs(g->written, other))
    *f = (finding){"the inputs that the model has by itself", 0};
  if (code == LIM_OK && !f->what) code = compare_functions(f, g, other, p, err);
  lim_symbolic_free(other);
  return code;
}

static lim_code refuse(const lim_generated *g, int trial, const finding *f, lim_error *err) {
  char by[48] = "";
  if (f->by > 0 && isfinite(f->by)) snprintf(by, sizeof by, ", by %.2g of their size", f->by);
  return LIM_FAIL(err, LIM_BAD_INPUT,
                  "'%s'%s cannot be kept: %s would not be those of a model with another value%s",
                  g->keep->path[trial % g->keep->count], trial < g->keep->count ? "" : " and the other numbers",
                  f->what, by);
}

lim_code lim_parameters_verify(const lim_generated *g, lim_error *err) {
  finding all, one;
  const int count = g->keep->count;
  lim_code code = compare(&all, g, count, err);
  if (code != LIM_OK || !all.what) return code;
  for (int i = 0; i < count; i++) {
    code = compare(&one, g, i, err);
    if (code != LIM_OK) return code;
    if (one.what) return refuse(g, i, &one, err);
  }
  return refuse(g, count, &all, err);
}

// evaluate.c - generated code before it is C: its right-hand side in numbers.
#include "export/code/evaluate.h"

#include "math/lapack.h"

#include <math.h>
#include <string.h>

static const double *inputs_of(const lim_evaluator *c, const double *input[LIM_IN_ARRAYS]) {
  input[LIM_IN_Q] = c->q, input[LIM_IN_V] = c->v, input[LIM_IN_A] = c->a;
  input[LIM_IN_U] = c->u, input[LIM_IN_X] = c->x;
  return input[LIM_IN_P] = c->g->keep ? c->g->keep->value : c->u;
}

// a := -(x + Z'y), S y = c - G x, where rows may follow from others.
static bool close_loops(lim_evaluator *c) {
  const int n = c->g->written->n, m = c->g->written->nrow;
  const double *x = c->terms, *G = x + n, *Z = G + m * n, *S = Z + m * n, *rhs = S + m * m;
  int rank;
  memcpy(c->S, S, (size_t)m * (size_t)m * sizeof *S);
  for (int i = 0; i < m; i++) {
    c->pivot[i] = 0;
    c->y[i] = rhs[i];
    for (int k = 0; k < n; k++) c->y[i] -= G[i * n + k] * x[k];
  }
  if (lim_dgelsy(m, m, 1, c->S, m, c->y, m, c->pivot, 1e-9, &rank)) return false;
  for (int k = 0; k < n; k++) {
    c->a[k] = -x[k];
    for (int i = 0; i < m; i++) c->a[k] -= c->y[i] * Z[i * n + k];
  }
  return true;
}

bool lim_evaluator_run(double *f, lim_evaluator *c) {
  const lim_generated *g = c->g;
  const double *input[LIM_IN_ARRAYS] = {0};
  inputs_of(c, input);
  lim_tape_evaluate(g->written->nrow ? c->terms : c->a, g->tape[LIM_OF_ACCELERATIONS], input, c->scratch);
  if (g->written->nrow && !close_loops(c)) return false;
  if (g->tape[LIM_OF_RATES]) lim_tape_evaluate(c->rate, g->tape[LIM_OF_RATES], input, c->scratch);
  for (int i = 0; i < c->nfree; i++) {
    f[i] = c->v[c->coordinate[i]];
    f[c->nfree + i] = c->a[c->coordinate[i]];
  }
  for (int i = 0; i < g->written->nstate; i++) f[2 * c->nfree + i] = c->rate[i];
  return true;
}

double *lim_evaluator_state(lim_evaluator *c, int i, double *size) {
  const int n = c->nfree, k = i < 2 * n ? c->coordinate[i % n] : 0;
  *size = i < n ? c->size.q[k] : i < 2 * n ? c->size.v[k] : c->g->written->state[i - 2 * n].nominal;
  return i < n ? &c->q[k] : i < 2 * n ? &c->v[k] : &c->x[i - 2 * n];
}

// Just after t = 0.
static double input_at_start(const lim_input *in) {
  lim_sample s = {0};
  if (in->from > 0 || in->to <= 0) return 0;
  if (!in->trajectory) return in->constant;
  s = lim_trajectory_at(in->trajectory, 0);
  return in->order == 0 ? s.value : in->order == 1 ? s.rate : s.second;
}

void lim_evaluator_start(lim_evaluator *c) {
  const lim_symbolic *x = c->g->written;
  memcpy(c->q, c->g->session->motion_state->q, (size_t)x->n * sizeof *c->q);
  memcpy(c->v, c->g->session->motion_state->v, (size_t)x->n * sizeof *c->v);
  for (int i = 0; i < x->nstate; i++) c->x[i] = x->state[i].start;
  for (int i = 0; i < x->ninput; i++) c->u[i] = input_at_start(&x->input[i]);
}

lim_code lim_evaluator_new(lim_evaluator *c, const lim_generated *g, lim_error *err) {
  const lim_symbolic *x = g->written;
  const size_t n = (size_t)x->n, m = (size_t)x->nrow;
  size_t steps = (size_t)g->tape[LIM_OF_ACCELERATIONS]->count;
  if (g->tape[LIM_OF_RATES] && (size_t)g->tape[LIM_OF_RATES]->count > steps)
    steps = (size_t)g->tape[LIM_OF_RATES]->count;
  c->g = g;
  c->coordinate = lim_arena_array(&c->arena, n + 1, sizeof *c->coordinate);
  c->pivot = lim_arena_array(&c->arena, m + 1, sizeof *c->pivot);
  double **vector[] = {&c->q, &c->v, &c->a, &c->x, &c->rate, &c->u, &c->terms, &c->scratch, &c->S, &c->y};
  const size_t capacity[] = {
      n,     n,     n, (size_t)x->nstate, (size_t)x->nstate, (size_t)x->ninput, (size_t)lim_symbolic_terms(x),
      steps, m * m, m};
  bool good = c->coordinate && c->pivot;
  for (size_t i = 0; i < sizeof vector / sizeof *vector && good; i++)
    good = (*vector[i] = lim_arena_array(&c->arena, capacity[i] + 1, sizeof **vector[i])) != NULL;
  if (!good) return lim_no_memory(err);
  for (int i = 0; i < x->n; i++)
    if (x->second[i] < 0) c->coordinate[c->nfree++] = i;
  c->ny = 2 * c->nfree + x->nstate;
  return lim_nominals_new(&c->size, g->session, &c->arena, err);
}

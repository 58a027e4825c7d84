// keep.c - how the constants of the bodies depend on numbers that stay adjustable: linearly, c = a + sum b_i
// p_i, found from models with other values of them and checked with one more.
#include "export/keep.h"

#include "base/error.h"
#include "export/boxed.h"
#include "export/tidy.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double FIRST = 1.2347, SECOND = 2.8713, THIRD = 0.7129; // nothing special

double lim_keep_third(void) { return THIRD; }
const lim_session *lim_keep_check(const lim_keep *k) { return k->session[k->count + 1]; }

static lim_code no_memory(lim_error *err) { return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory"); }

// --- changed models ---

static double value_in(const lim_keep *k, int session, int number) {
  return session == k->count + 1 ? THIRD : session == number + 1 ? SECOND : FIRST;
}

static lim_code build(lim_keep *k, int i, const char *file, const char *const *set, int nset,
                      const char *directory, lim_error *err) {
  char text[LIM_KEEP_MOST][192];
  const char **all = malloc((size_t)(nset + k->count) * sizeof *all);
  if (!all) return no_memory(err);
  for (int j = 0; j < nset; j++) all[j] = set[j];
  for (int j = 0; j < k->count; j++) {
    snprintf(text[j], sizeof text[j], "%.150s=%.17g", k->path[j], value_in(k, i, j));
    all[nset + j] = text[j];
  }
  lim_code code = lim_model_load(&k->model[i], file, all, nset + k->count, err);
  if (code == LIM_OK) {
    k->model[i]->solver.method = LIM_RK4;
    k->model[i]->solver.start = 0; // where it starts does not matter here
    code = lim_session_new(&k->session[i], k->model[i], directory, err);
  }
  free(all);
  return code;
}

lim_code lim_keep_new(lim_keep **out, const char *file, const char *const *set, int nset,
                      const char *const *keep, int nkeep, const char *directory, lim_error *err) {
  *out = NULL;
  if (nkeep > LIM_KEEP_MOST) return LIM_FAIL(err, LIM_BAD_INPUT, "more than %d --keep", LIM_KEEP_MOST);
  lim_keep *k = calloc(1, sizeof *k);
  if (!k) return no_memory(err);
  k->count = nkeep;
  for (int i = 0; i < nkeep; i++) k->path[i] = keep[i];
  lim_code code = LIM_OK;
  for (int i = 0; i < nkeep + 2 && code == LIM_OK; i++) code = build(k, i, file, set, nset, directory, err);
  if (code == LIM_OK)
    *out = k;
  else
    lim_keep_free(k);
  return code;
}

void lim_keep_free(lim_keep *k) {
  if (!k) return;
  for (int i = 0; i < LIM_KEEP_MOST + 2; i++) {
    lim_session_free(k->session[i]);
    lim_model_free(k->model[i]);
  }
  free(k);
}

// --- constants of a system, always in the same order ---

typedef struct {
  double **at; // NULL: only count
  int count;
} constants;

static void note(constants *c, double *x, size_t n) {
  for (size_t i = 0; i < n; i++, c->count++)
    if (c->at) c->at[c->count] = x + i;
}

static void note_body(constants *c, lim_body *b) {
  size_t n = (size_t)b->n, band = n * (size_t)(b->width + 1);
  note(c, &b->mass, 1);
  note(c, b->moment, 3);
  note(c, b->inertia, 6);
  note(c, b->first, 3 * n);
  note(c, b->second, 3 * n);
  note(c, b->inertia1, 6 * n);
  note(c, b->M, band);
  note(c, b->K, band);
  for (int k = 0; k < 6; k++) note(c, b->S[k].value, b->S[k].n ? (size_t)b->S[k].start[b->S[k].n] : 0);
  for (int k = 0; k < 3; k++) note(c, b->B[k].value, b->B[k].n ? (size_t)b->B[k].start[b->B[k].n] : 0);
  for (int k = 0; k < b->npoint; k++) note(c, &b->point[k].w, 1);
  size_t bow = (size_t)b->bow.count;
  if (bow == 0) return;
  note(c, b->bow.mass, bow);
  note(c, b->bow.moment, bow);
  note(c, b->bow.square, bow * bow);
  for (int k = 0; k < 3; k++) note(c, b->bow.cross[k], (size_t)b->bow.columns[k] * bow);
}

static void note_all(constants *c, lim_system *s) {
  note(c, s->gravity, 3);
  for (int i = 0; i < s->nbody; i++) note_body(c, s->member[i].body);
}

// Numbers of the arm that stay constants in the code.
static void note_others(constants *c, lim_system *s) {
  for (int i = 0; i < s->nbody; i++) {
    lim_member *m = &s->member[i];
    size_t n = (size_t)m->on.section.count;
    note(c, &m->damping, 1);
    note(c, m->on.c, 3);
    note(c, m->on.section.X, 3);
    note(c, m->on.section.N, 6 * n);
    if (m->drag) note(c, m->drag->F, 6 * (size_t)m->body->n);
    for (int k = 0; k < m->body->npoint; k++) note(c, m->body->point[k].N, 3 * (size_t)m->body->point[k].count);
  }
  for (int i = 0; i < s->nrotor; i++) {
    note(c, &s->rotor[i].inertia, 1);
    note(c, &s->rotor[i].ratio, 1);
  }
  for (int i = 0; i < s->ndamper; i++)
    note(c, s->damper[i].D.value, s->damper[i].D.n ? (size_t)s->damper[i].D.start[s->damper[i].D.n] : 0);
}

static double **list(lim_arena *arena, lim_system *s, int *count, void (*take)(constants *c, lim_system *s)) {
  constants c = {NULL, 0};
  take(&c, s);
  c.at = lim_arena_array(arena, (size_t)c.count + 1, sizeof *c.at);
  c.count = 0;
  if (c.at) take(&c, s);
  *count = c.count;
  return c.at;
}

// --- dependence ---

typedef struct {
  double a, b[LIM_KEEP_MOST];
  bool depends, only; // on anything; on one number
  int number;         // which, where it is one
} dependence;

// False: it is not linear.
static bool find(dependence *d, const lim_keep *k, double **const *at, int entry) {
  if (!at[0] || !at[k->count + 1]) return false;
  double first = *at[0][entry], size = fabs(first);
  *d = (dependence){.a = first, .only = true};
  for (int i = 0; i < k->count; i++) {
    double second = *at[i + 1][entry];
    size = fmax(size, fabs(second));
    if (fabs(second - first) <= 1e-12 * size) continue;
    d->b[i] = (second - first) / (SECOND - FIRST);
    d->a -= d->b[i] * FIRST;
    d->only = !d->depends;
    d->depends = true;
    d->number = i;
  }
  if (fabs(d->a) < 1e-12 * size) d->a = 0;
  double third = d->a;
  for (int i = 0; i < k->count; i++) third += d->b[i] * THIRD;
  return fabs(third - *at[k->count + 1][entry]) <= 1e-10 * fmax(size, fabs(third));
}

static lim_code not_linear(const lim_keep *k, lim_error *err) {
  return LIM_FAIL(
      err, LIM_BAD_INPUT,
      "'%s'%s cannot be kept: the constants of the bodies do not depend on it linearly (masses and inertias "
      "of points, of bodies, and gravity do)",
      k->path[0], k->count > 1 ? ", or another number, or two of them together," : "");
}

// The rest of the arm must be the same.
static lim_code check_others(const lim_keep *k, lim_system *s, lim_system *changed, lim_arena *arena,
                             lim_error *err) {
  int count, other;
  double **a = list(arena, s, &count, note_others), **b = list(arena, changed, &other, note_others);
  if (!a || !b) return no_memory(err);
  if (count != other) return not_linear(k, err);
  for (int i = 0; i < count; i++)
    if (fabs(*a[i] - *b[i]) > 1e-12 * fabs(*a[i])) return not_linear(k, err);
  return LIM_OK;
}

// As somebody wrote it, without what the way here left in the last digits.
static double twelve_digits(double x) {
  char text[40];
  snprintf(text, sizeof text, "%.12g", x);
  return strtod(text, NULL);
}

lim_code lim_keep_constants(lim_keep *k, lim_system *s, lim_graph *g, int array, lim_arena *arena,
                            lim_error *err) {
  int count, other;
  double **mine = list(arena, s, &count, note_all), **at[LIM_KEEP_MOST + 2] = {NULL};
  bool found[LIM_KEEP_MOST] = {false};
  dependence *all = lim_arena_array(arena, (size_t)count + 1, sizeof *all);
  if (!mine || !all) return no_memory(err);
  for (int i = 0; i < k->count + 2; i++) {
    lim_system *tidy = lim_tidy(arena, k->session[i]->s);
    at[i] = tidy ? list(arena, tidy, &other, note_all) : NULL;
    if (!at[i]) return no_memory(err);
    if (other != count) return not_linear(k, err);
    lim_code code = check_others(k, s, tidy, arena, err);
    if (code != LIM_OK) return code;
  }
  for (int e = 0; e < count; e++) {
    if (!find(&all[e], k, at, e)) return not_linear(k, err);
    if (!all[e].depends || !all[e].only || found[all[e].number]) continue;
    k->value[all[e].number] = twelve_digits((*mine[e] - all[e].a) / all[e].b[all[e].number]);
    found[all[e].number] = true;
  }
  for (int i = 0; i < k->count; i++)
    if (!found[i])
      return LIM_FAIL(err, LIM_BAD_INPUT, "'%s' cannot be kept: it is not a constant of the bodies",
                      k->path[i]);
  for (int e = 0; e < count; e++) {
    if (!all[e].depends) continue;
    lim_expr *x = lim_arena_take(arena, sizeof *x);
    if (!x) return no_memory(err);
    *x = lim_graph_constant(all[e].a);
    for (int i = 0; i < k->count; i++)
      if (all[e].b[i] != 0)
        *x = lim_graph_add(*x, lim_graph_scale(all[e].b[i], lim_graph_input(g, array, i, k->value[i])));
    *mine[e] = lim_boxed(x);
  }
  return LIM_OK;
}

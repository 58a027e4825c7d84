// parameters.c - how the constants of the bodies depend on numbers that stay adjustable: linearly, c = a + sum
// b_i p_i, found from models with other values of them and checked with one more.
#include "export/symbolic/parameters.h"

#include "analysis/prepare.h"
#include "base/error.h"
#include "base/units/units.h"
#include "export/graph/nan_box.h"
#include "export/symbolic/clean.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Trial values beside the model's own, which comes first: by this much of it.
static const double FIRST = 0, SECOND = 0.11, THIRD = 0.23;

// What rounding leaves in a constant: of its own size, and of the largest beside it.
static const double NOISE = 1e-11, NOISE_BESIDE = 1e-13;

// --- changed models ---

static int last(const lim_parameters *k) { return 2 * k->count + 1; }

static double trial(const lim_parameters *k, int number, double more) {
  return k->value[number] + more * (k->value[number] != 0 ? k->value[number] : 1);
}

static double value_in(const lim_parameters *k, int session, int number) {
  bool third = session == last(k) || session == k->count + 1 + number;
  return trial(k, number, third ? THIRD : session == number + 1 ? SECOND : FIRST);
}

const lim_session *lim_parameters_trial(const lim_parameters *k, int trial, double *p) {
  for (int i = 0; i < k->count; i++) p[i] = value_in(k, k->count + 1 + trial, i);
  return k->session[k->count + 1 + trial];
}

// The model's own value, in SI units.
static lim_code read_value(double *value, const lim_model *m, const char *path, lim_error *err) {
  const lim_node *node = lim_tree_find(m->head.node, path);
  char *rest = NULL;
  lim_unit unit;
  if (!node)
    return LIM_FAIL(err, LIM_BAD_INPUT, "'%s' cannot be kept: nothing stands there in the model", path);
  if (node->kind == LIM_SCALAR) *value = strtod(node->text, &rest);
  if (!rest || rest == node->text || !isfinite(*value) || !lim_unit_parse(&unit, rest, NULL, 0))
    return lim_tree_error(err, node, "'%s' cannot be kept: it is not a number", path);
  if (rest[strspn(rest, " ")]) *value *= unit.factor;
  return LIM_OK;
}

// A number may have several paths.
static lim_code check_twice(const lim_parameters *k, const lim_model *m, int i, lim_error *err) {
  for (int j = 0; j < i; j++) {
    if (lim_tree_find(m->head.node, k->path[i]) != lim_tree_find(m->head.node, k->path[j])) continue;
    const bool same = !strcmp(k->path[i], k->path[j]);
    return LIM_FAIL(err, LIM_BAD_INPUT, "--keep names '%.150s' twice%s%.150s%s", k->path[j],
                    same ? "" : ", the second time as '", same ? "" : k->path[i], same ? "" : "'");
  }
  return LIM_OK;
}

static lim_code read_values(lim_parameters *k, const char *file, const lim_model_setup *setup, lim_error *err) {
  lim_model *m = NULL;
  lim_code code = lim_model_load_with(&m, file, setup, err);
  for (int i = 0; i < k->count && code == LIM_OK; i++) {
    code = read_value(&k->value[i], m, k->path[i], err);
    if (code == LIM_OK) code = check_twice(k, m, i, err);
  }
  lim_model_free(m);
  return code;
}

static lim_code build(lim_parameters *k, int i, const char *file, const lim_model_setup *setup,
                      const char *directory, lim_error *err) {
  char text[LIM_KEEP_MOST][192];
  const int nset = setup->nset;
  const char **all = malloc((size_t)(nset + k->count) * sizeof *all);
  if (!all) return lim_no_memory(err);
  for (int j = 0; j < nset; j++) all[j] = setup->set[j];
  for (int j = 0; j < k->count; j++) {
    snprintf(text[j], sizeof text[j], "%.150s=%.17g", k->path[j], value_in(k, i, j));
    all[nset + j] = text[j];
  }
  lim_model_setup changed = *setup;
  changed.set = all;
  changed.nset = nset + k->count;
  lim_code code = lim_model_load_with(&k->model[i], file, &changed, err);
  if (code == LIM_OK) {
    k->model[i]->solver.method = lim_method_number("rk4");
    k->model[i]->solver.start = 0; // where it starts does not matter here
    code = lim_prepare_model(k->model[i], directory, err);
    if (code == LIM_OK) code = lim_session_new(&k->session[i], k->model[i], directory, err);
    if (code == LIM_OK) code = lim_session_restart(k->session[i], err);
  }
  free(all);
  if (code != LIM_OK && code != LIM_NO_MEMORY)
    LIM_FAIL(err, code, "'%s'%s cannot be kept: the model does not hold with a value beside its own",
             k->path[0], k->count > 1 ? ", or another number," : "");
  return code;
}

lim_code lim_parameters_new(lim_parameters **out, const char *file, const lim_model_setup *setup,
                            const char *const *keep, int nkeep, const char *directory, lim_error *err) {
  *out = NULL;
  if (nkeep > LIM_KEEP_MOST) return LIM_FAIL(err, LIM_BAD_INPUT, "more than %d --keep", LIM_KEEP_MOST);
  lim_parameters *k = calloc(1, sizeof *k);
  if (!k) return lim_no_memory(err);
  k->count = nkeep;
  for (int i = 0; i < nkeep; i++) k->path[i] = keep[i];
  lim_code code = read_values(k, file, setup, err);
  for (int i = 0; i <= last(k) && code == LIM_OK; i++) code = build(k, i, file, setup, directory, err);
  if (code == LIM_OK)
    *out = k;
  else
    lim_parameters_free(k);
  return code;
}

void lim_parameters_free(lim_parameters *k) {
  if (!k) return;
  for (int i = 0; i < 2 * LIM_KEEP_MOST + 2; i++) {
    lim_session_free(k->session[i]);
    lim_model_free(k->model[i]);
  }
  free(k);
}

// --- constants of a system, always in the same order ---

typedef struct {
  double *at;
  double perturbed; // the largest of its array
} constant;

typedef struct {
  constant *item; // NULL: only count
  int count;
} constants;

static void note(constants *c, double *x, size_t n) {
  double max = 0;
  for (size_t i = 0; i < n; i++) max = fmax(max, fabs(x[i]));
  for (size_t i = 0; i < n; i++, c->count++)
    if (c->item) c->item[c->count] = (constant){x + i, max};
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
  for (int k = 0; k < b->nstretch; k++) {
    note(c, &b->axial_stretch[k].stiffness, 1);
    note(c, &b->axial_stretch[k].w, 1);
  }
  size_t foreshortening = (size_t)b->foreshortening.count;
  if (foreshortening == 0) return;
  note(c, b->foreshortening.mass, foreshortening);
  note(c, b->foreshortening.moment, foreshortening);
  note(c, b->foreshortening.square, foreshortening * foreshortening);
  for (int k = 0; k < 3; k++)
    note(c, b->foreshortening.cross[k], (size_t)b->foreshortening.columns[k] * foreshortening);
}

static void note_all(constants *c, lim_arm *s) {
  note(c, s->gravity, 3);
  for (int i = 0; i < s->nbody; i++) note_body(c, s->bodies[i].body);
}

// Numbers of the arm that stay constants in the code.
static void note_others(constants *c, lim_arm *s) {
  for (int i = 0; i < s->nbody; i++) {
    lim_arm_body *m = &s->bodies[i];
    size_t n = (size_t)m->on.section.count;
    note(c, &m->damping, 1);
    note(c, m->on.c, 3);
    note(c, m->on.section.X, 3);
    note(c, m->on.section.N, 6 * n);
    if (m->strain_damper) note(c, m->strain_damper->F, 6 * (size_t)m->body->n);
    for (int k = 0; k < m->body->npoint; k++) note(c, m->body->point[k].N, 3 * (size_t)m->body->point[k].count);
  }
  for (int i = 0; i < s->nrotor; i++) {
    note(c, &s->rotor[i].inertia, 1);
    note(c, &s->rotor[i].ratio, 1);
  }
  for (int i = 0; i < s->ndamper; i++)
    note(c, s->damper[i].D.value, s->damper[i].D.n ? (size_t)s->damper[i].D.start[s->damper[i].D.n] : 0);
}

static constant *list(lim_arena *arena, lim_arm *s, int *count, void (*take)(constants *c, lim_arm *s)) {
  constants c = {NULL, 0};
  take(&c, s);
  c.item = lim_arena_array(arena, (size_t)c.count + 1, sizeof *c.item);
  c.count = 0;
  if (c.item) take(&c, s);
  *count = c.count;
  return c.item;
}

// --- dependence ---

typedef struct {
  double a, b[LIM_KEEP_MOST];
  bool depends;
} dependence;

static double noise(double x, const constant *c) { return NOISE * fabs(x) + NOISE_BESIDE * c->perturbed; }

static lim_code not_linear(const lim_parameters *k, int number, lim_error *err) {
  static const char *const why =
      "the constants of the bodies do not depend on it linearly (masses and inertias of "
      "points, of bodies, and gravity do)";
  if (number < k->count) return LIM_FAIL(err, LIM_BAD_INPUT, "'%s' cannot be kept: %s", k->path[number], why);
  return LIM_FAIL(err, LIM_BAD_INPUT,
                  "'%s' and the other numbers cannot be kept together: their effects multiply", k->path[0]);
}

// Of the lists that list_all has made: all are there.
static constant entry_in(constant *const *at, int session, int entry) {
  static double nothing = NAN;
  return at[session] ? at[session][entry] : (constant){.at = &nothing};
}

// How a constant depends on the numbers; at: it in all sessions. The trial at which it is not linear; -1: none.
static int find(dependence *d, const lim_parameters *k, const constant *mine, constant *const *at, int entry) {
  const constant start = entry_in(at, 0, entry);
  double first = *start.at, own;
  *d = (dependence){.a = first};
  for (int i = 0; i < k->count; i++) {
    const constant moved = entry_in(at, i + 1, entry);
    double second = *moved.at, step = trial(k, i, SECOND) - trial(k, i, FIRST);
    if (fabs(second - first) <= noise(first, &moved)) continue;
    d->b[i] = (second - first) / step;
    d->a -= d->b[i] * trial(k, i, FIRST);
    d->depends = true;
  }
  if (fabs(d->a) < noise(first, &start)) d->a = 0;
  for (int t = 0; t <= k->count; t++) {
    const constant third = entry_in(at, k->count + 1 + t, entry);
    double x = d->a;
    for (int i = 0; i < k->count; i++) x += d->b[i] * value_in(k, k->count + 1 + t, i);
    if (!(fabs(x - *third.at) <= 10 * noise(x, &third))) return t;
  }
  own = d->a;
  for (int i = 0; i < k->count; i++) own += d->b[i] * k->value[i];
  return fabs(own - *mine->at) <= 10 * noise(own, mine) ? -1 : 0;
}

// The rest of the arm must be the same.
static bool same_others(lim_arm *s, lim_arm *changed, lim_arena *arena) {
  int count, other;
  constant *a = list(arena, s, &count, note_others), *b = list(arena, changed, &other, note_others);
  if (!a || !b || count != other) return false;
  for (int i = 0; i < count; i++)
    if (fabs(*a[i].at - *b[i].at) > noise(*a[i].at, &a[i])) return false;
  return true;
}

// Which number a session is the first to change.
static int number_of(const lim_parameters *k, int session) {
  return session == 0 || session == last(k) ? 0 : (session - 1) % k->count;
}

// The constants of every session.
static lim_code list_all(constant **at, lim_parameters *k, lim_arm *s, int count, lim_arena *arena,
                         lim_error *err) {
  for (int i = 0; i <= last(k); i++) {
    int other;
    lim_arm *clean = lim_clean(arena, k->session[i]->s);
    at[i] = clean ? list(arena, clean, &other, note_all) : NULL;
    if (!at[i]) return lim_no_memory(err);
    if (other != count || !same_others(s, clean, arena)) return not_linear(k, number_of(k, i), err);
  }
  return LIM_OK;
}

static lim_code check_effect(const lim_parameters *k, int number, const dependence *all, int count,
                             lim_error *err) {
  for (int e = 0; e < count; e++)
    if (all[e].b[number] != 0) return LIM_OK;
  return LIM_FAIL(err, LIM_BAD_INPUT, "'%s' cannot be kept: it is not a constant of the bodies",
                  k->path[number]);
}

static bool replace(constant *mine, const dependence *d, const lim_parameters *k, lim_graph *g, int array,
                    lim_arena *arena) {
  lim_expr *x = lim_arena_allocate(arena, sizeof *x);
  if (!x) return false;
  *x = lim_graph_constant(d->a);
  for (int i = 0; i < k->count; i++)
    if (d->b[i] != 0)
      *x = lim_graph_add(*x, lim_graph_scale(d->b[i], lim_graph_input(g, array, i, k->value[i])));
  *mine->at = lim_nan_box(x);
  return true;
}

lim_code lim_parameters_constants(lim_parameters *k, lim_arm *s, lim_graph *g, int array, lim_arena *arena,
                                  lim_error *err) {
  int count;
  constant *mine = list(arena, s, &count, note_all), *at[2 * LIM_KEEP_MOST + 2] = {NULL};
  dependence *all = lim_arena_array(arena, (size_t)count + 1, sizeof *all);
  if (!mine || !all) return lim_no_memory(err);
  lim_code code = list_all(at, k, s, count, arena, err);
  for (int e = 0; e < count && code == LIM_OK; e++) {
    int bad = find(&all[e], k, &mine[e], at, e);
    if (bad >= 0) code = not_linear(k, bad, err);
  }
  for (int i = 0; i < k->count && code == LIM_OK; i++) code = check_effect(k, i, all, count, err);
  for (int e = 0; e < count && code == LIM_OK; e++)
    if (all[e].depends && !replace(&mine[e], &all[e], k, g, array, arena)) code = lim_no_memory(err);
  return code;
}

// damping.c - damping by modal ratios or Rayleigh factors. Theory: docs/theory/modes.md (4).
//
// A ratio damps every mode of the bare, unsplit link: D = sum of 2 zeta omega (M x)(M x)' over its modes x. The
// link is taken out of the arm, clamped and without its masses, and its matrices come from a system of its own.
#include "dynamics/damping.h"

#include "arm/body/kind.h"
#include "arm/strain_rate_damping.h"
#include "dynamics/mass_matrix.h"
#include "math/blas.h"
#include "math/eigen/eigen.h"
#include "math/lapack.h"
#include "math/null_space.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- D of an arm, or of a link as an arm of its own ---

// The matrices of a source at a configuration, and room for the modes of n of its coordinates.
typedef struct {
  lim_arena arena;
  const lim_arm *source;
  lim_rec_work *w;
  lim_eigen_work *eigen;
  const int *index; // the coordinates, ascending              (n)
  const bool *pin;  // of closed chains; NULL: none            (n)
  int n;
  double *M, *K, *scratch;    // (N x N), (N x N), (4 N)
  double *G, *g;              // rows of loops (rows x N), of the coordinates (rows x n)
  double *lambda, *x, *Mx;    // (n), (n x n), (n)
  double *closed, *workspace; // of closed chains                 (5 n^2), lim_null_space_size
} damping_work;

static void end_work(damping_work *d) {
  lim_rec_work_free(d->w);
  lim_eigen_work_free(d->eigen);
  lim_arena_free(&d->arena);
}

// index and pin stay the caller's. End with end_work, also after a failure.
static lim_code start_work(damping_work *d, const lim_arm *source, const int *index, const bool *pin, int n,
                           lim_error *err) {
  size_t N = (size_t)source->n, rows = (size_t)source->nrow, own = (size_t)n;
  *d = (damping_work){.source = source, .index = index, .pin = pin, .n = n};
  d->w = lim_rec_work_new(source);
  d->eigen = lim_eigen_work_new(n);
  d->M = lim_arena_array(&d->arena, 2 * N * N + 4 * N, sizeof *d->M);
  d->G = lim_arena_array(&d->arena, rows * (N + own), sizeof *d->G);
  d->x = lim_arena_array(&d->arena, own * own + 2 * own, sizeof *d->x);
  d->closed = lim_arena_array(&d->arena, rows ? 5 * own * own : 0, sizeof *d->closed);
  d->workspace = lim_arena_array(&d->arena, rows ? lim_null_space_size((int)rows, n) : 0, sizeof *d->workspace);
  if (!d->w || !d->eigen || !d->M || !d->G || !d->x || !d->closed || !d->workspace) return lim_no_memory(err);
  d->K = d->M + N * N;
  d->scratch = d->K + N * N;
  d->g = d->G + rows * N;
  d->lambda = d->x + own * own;
  d->Mx = d->lambda + own;
  return LIM_OK;
}

// Of an arm whose loops stay closed: modes x = N z, with their lambda, and for each the forces (into x) on the
// deformations alone, 0 on pins, that do on every motion N c of the arm what M x does: pins also take part in
// its gross motion, which must not be damped.
static lim_code closed_modes(damping_work *d, lim_eigen_count *count, lim_error *err) {
  int n = d->n, left;
  size_t square = (size_t)n * (size_t)n;
  double *N = d->closed, *k = N + square, *m = k + square, *z = m + square, *P = z + square;
  *count = (lim_eigen_count){0};
  if (!lim_null_space_in(N, &left, d->g, d->source->nrow, n, d->workspace))
    return LIM_FAIL(err, LIM_FAILED, "damping: the rows of the loops are not finite");
  if (left == 0) return LIM_OK;
  lim_project(k, d->K, N, n, left, z);
  lim_project(m, d->M, N, n, left, z);
  lim_code code = lim_eigen_lowest_in(d->lambda, z, count, d->eigen, k, m, left, left, err);
  if (code != LIM_OK) return code;
  for (int c = 0; c < left; c++)
    for (int r = 0; r < n; r++)
      if (d->pin[r]) N[c * n + r] = 0;
  lim_blas(cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, left, left, n, 1, N, n, N, n, 0, P, left));
  lim_blas(cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, left, count->found, left, 1, m, left, z, left,
                       0, k, left));
  if (lim_dposv(left, count->found, P, left, k, left)) {
    count->found = 0; // a motion without deformation: there is nothing to damp it by
    return LIM_OK;
  }
  lim_blas(cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, count->found, left, 1, N, n, k, left, 0,
                       d->x, n));
  return LIM_OK;
}

// D += 2 sum zeta omega (M x)(M x)'. Modes of one frequency, whose directions are anybody's choice, have the
// ratio of the first of them; modes without stiffness do not count.
static lim_code add_ratios(double *D, damping_work *w, const lim_damping *d, lim_error *err) {
  int n = w->n, rigid = 0, group = 0;
  bool closed = w->source->nrow > 0;
  lim_eigen_count count;
  lim_code code = closed ? closed_modes(w, &count, err)
                         : lim_eigen_lowest_in(w->lambda, w->x, &count, w->eigen, w->K, w->M, n, n, err);
  for (int k = 0; code == LIM_OK && k < count.found; k++) {
    const double *x = w->x + (size_t)k * (size_t)n, *y = closed ? x : w->Mx;
    if (!(w->lambda[k] > 0)) {
      rigid = group = k + 1;
      continue;
    }
    if (!lim_eigen_same(w->lambda[group], w->lambda[k])) group = k;
    if (!closed) lim_blas(cblas_dgemv(CblasColMajor, CblasNoTrans, n, n, 1, w->M, n, x, 1, 0, w->Mx, 1));
    double factor = 2 * lim_damping_ratio(d, group - rigid) * sqrt(w->lambda[k]);
    lim_blas(cblas_dger(CblasColMajor, n, n, factor, y, 1, y, 1, D, n));
  }
  return code;
}

// D (n x n) at q = 2 sum zeta omega (M x)(M x)' + mass M + stiffness K.   (4)
static lim_code damping_of(double *D, damping_work *w, const lim_damping *d, const double *q, lim_error *err) {
  const lim_arm *s = w->source;
  size_t N = (size_t)s->n, rows = (size_t)s->nrow;
  int n = w->n;
  lim_assemble_mass(w->M, w->w, s, q, w->scratch);
  if (rows) lim_rec_loop_rows(w->G, w->w, q);
  for (size_t k = 0; k < rows; k++)
    for (int i = 0; i < n; i++) w->g[k * (size_t)n + (size_t)i] = w->G[k * N + (size_t)w->index[i]];
  lim_assemble_stiffness(w->K, s, q);
  double a = d->mass > 0 ? d->mass : 0, b = d->stiffness > 0 ? d->stiffness : 0; // NaN where not given
  for (int j = 0; j < n; j++) // packed in place: index ascends
    for (int i = 0; i < n; i++) {
      size_t from = (size_t)w->index[j] * N + (size_t)w->index[i], to = (size_t)j * (size_t)n + (size_t)i;
      w->M[to] = w->M[from];
      w->K[to] = w->K[from];
      D[to] = a * w->M[to] + b * w->K[to];
    }
  return d->ratio.count ? add_ratios(D, w, d, err) : LIM_OK;
}

// --- links ---

// The dense D (n x n) as rows of nonzeros.
static lim_code add_damper(lim_arm *s, int first, const double *D, int n, lim_error *err) {
  lim_damper *d = &s->damper[s->ndamper];
  *d = (lim_damper){.first = first};
  if (!lim_sparse_of(&d->D, &s->arena, D, n)) return lim_no_memory(err);
  s->ndamper++;
  return LIM_OK;
}

// The segments of a link as a chain of their own, clamped and without masses; bodies are new, all else is
// borrowed.
static lim_code bare_chain(lim_arm *chain, const lim_arm *s, int link, lim_error *err) {
  int first = s->first_body[link], count = s->last_body[link] - first + 1;
  lim_link bare = s->model->links.item[link];
  bare.masses.count = 0;
  *chain = (lim_arm){.nbody = 0};
  chain->bodies = lim_arena_array(&chain->arena, (size_t)count, sizeof *chain->bodies);
  chain->parent = lim_arena_array(&chain->arena, (size_t)count, sizeof *chain->parent);
  if (!chain->bodies || !chain->parent) return lim_no_memory(err);
  for (int k = 0; k < count; k++) {
    lim_arm_body *m = &chain->bodies[k];
    *m = s->bodies[first + k];
    m->screw = m->moves = (lim_screw){.slides = false};
    m->q = m->m = m->rotor = -1;
    m->strain_damper = NULL;
    m->on.body = chain->parent[k] = k - 1;
    if (k == 0) m->on = (lim_site){.body = -1, .Rc = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    lim_code code = m->kind->loaded(&m->body, &s->bodies[first + k], &bare, false, err);
    if (code != LIM_OK) return code;
    chain->nbody++;
    m->e = chain->n;
    chain->n += m->body->n;
  }
  return LIM_OK;
}

static lim_code damp_link(lim_arm *s, int link, lim_error *err) {
  const lim_damping *d = &s->model->links.item[link].damping;
  int n = 0;
  for (int i = s->first_body[link]; i <= s->last_body[link]; i++) n += s->bodies[i].body->n;
  if (!lim_damping_given(d) || n == 0) return LIM_OK;
  lim_arm chain;
  damping_work w = {.n = 0};
  lim_arena arena = {0};
  size_t own = (size_t)n;
  lim_code code = bare_chain(&chain, s, link, err);
  double *D = lim_arena_array(&arena, own * own + own, sizeof *D), *q = D ? D + own * own : NULL;
  int *index = lim_arena_array(&arena, own, sizeof *index);
  if (code == LIM_OK && (!D || !index)) code = lim_no_memory(err);
  for (int i = 0; code == LIM_OK && i < n; i++) index[i] = i;
  if (code == LIM_OK) code = start_work(&w, &chain, index, NULL, n, err);
  if (code == LIM_OK) code = damping_of(D, &w, d, q, err);
  if (code == LIM_OK) code = add_damper(s, s->bodies[s->first_body[link]].e, D, n, err);
  end_work(&w);
  lim_arena_free(&arena);
  for (int k = 0; k < chain.nbody; k++) lim_body_free(chain.bodies[k].body);
  lim_arena_free(&chain.arena);
  return code;
}

// --- the whole arm ---

struct lim_arm_damping {
  lim_arena arena;
  lim_arm *s;
  damping_work work;
  int n, *index;  // deformations, and pins of closed chains   (n)
  bool *pin;      // (n)
  double *D, *at; // (n x n), (s->n)
};

static void choose_coordinates(lim_arm_damping *d) {
  const lim_arm *s = d->s;
  for (int i = 0; i < s->nbody; i++) {
    int joint = s->bodies[i].q;
    if (joint >= 0 && s->passive && s->passive[joint]) {
      d->pin[d->n] = true;
      d->index[d->n++] = joint;
    }
    for (int k = 0; k < s->bodies[i].body->n; k++) d->index[d->n++] = s->bodies[i].e + k;
  }
}

void lim_damping_leave(lim_arm_damping *d) {
  if (!d) return;
  end_work(&d->work);
  lim_arena_free(&d->arena);
  free(d);
}

static lim_code start_arm(lim_arm_damping **out, lim_arm *s, lim_error *err) {
  lim_arm_damping *d = *out = calloc(1, sizeof *d);
  size_t N = (size_t)s->n;
  if (!d) return lim_no_memory(err);
  d->s = s;
  d->index = lim_arena_array(&d->arena, N, sizeof *d->index);
  d->pin = lim_arena_array(&d->arena, N, sizeof *d->pin);
  d->D = lim_arena_array(&d->arena, N * N + N, sizeof *d->D);
  d->at = d->D ? d->D + N * N : NULL;
  lim_code code = d->index && d->pin && d->D ? LIM_OK : lim_no_memory(err);
  if (code == LIM_OK) choose_coordinates(d);
  if (code == LIM_OK) code = start_work(&d->work, s, d->index, d->pin, d->n, err);
  if (code == LIM_OK) return LIM_OK;
  lim_damping_leave(d);
  *out = NULL;
  return code;
}

// Joints as in q, links undeformed. False: the damper was built there, with the bodies of now.
static bool place(lim_arm_damping *d, const double *q) {
  const lim_arm *s = d->s;
  bool moved = false;
  memcpy(d->at, q, (size_t)s->n * sizeof *q);
  for (int i = 0; i < s->nbody; i++) {
    for (int k = 0; k < s->bodies[i].body->n; k++) d->at[s->bodies[i].e + k] = 0;
    moved = moved || s->damped_with[i] != s->bodies[i].body;
  }
  return moved || memcmp(d->at, s->damped_at, (size_t)s->n * sizeof *q) != 0;
}

// D of where it was placed.
static lim_code evaluate(lim_arm_damping *d, lim_error *err) {
  lim_arm *s = d->s;
  lim_code code = damping_of(d->D, &d->work, &s->model->damping, d->at, err);
  if (code != LIM_OK) return code;
  memcpy(s->damped_at, d->at, (size_t)s->n * sizeof *d->at);
  for (int i = 0; i < s->nbody; i++) s->damped_with[i] = s->bodies[i].body;
  return LIM_OK;
}

// Rows over all pairs of deformations: room for any D.
static lim_code allocate_rows(lim_arm_damping *d, lim_error *err) {
  lim_arm *s = d->s;
  lim_sparse *D = &s->damper[s->arm_damper].D;
  int own = 0, count = 0;
  for (int i = 0; i < d->n; i++) own += !d->pin[i];
  *D = (lim_sparse){.n = s->n, .start = lim_arena_array(&s->arena, (size_t)s->n + 1, sizeof *D->start)};
  D->column = lim_arena_array(&s->arena, (size_t)own * (size_t)own, sizeof *D->column);
  D->value = lim_arena_array(&s->arena, (size_t)own * (size_t)own, sizeof *D->value);
  if (!D->start || !D->column || !D->value) return lim_no_memory(err);
  for (int row = 0, i = 0; row < s->n; row++) {
    bool there = i < d->n && d->index[i] == row;
    for (int j = 0; there && !d->pin[i] && j < d->n; j++)
      if (!d->pin[j]) D->column[count++] = d->index[j];
    i += there;
    D->start[row + 1] = count;
  }
  return LIM_OK;
}

static void fill_rows(const lim_arm_damping *d) {
  double *value = d->s->damper[d->s->arm_damper].D.value;
  for (int i = 0; i < d->n; i++)
    for (int j = 0; !d->pin[i] && j < d->n; j++)
      if (!d->pin[j]) *value++ = d->D[j * d->n + i];
}

lim_code lim_damping_renew(lim_arm_damping *d, const double *q, lim_error *err) {
  if (!place(d, q)) return LIM_OK;
  lim_code code = evaluate(d, err);
  if (code == LIM_OK) fill_rows(d);
  return code;
}

lim_code lim_damping_follow(lim_arm_damping **out, lim_arm *s, lim_error *err) {
  *out = NULL;
  if (s->arm_damper < 0 || !(s->model->damping.update > 0)) return LIM_OK;
  lim_code code = start_arm(out, s, err);
  if (code == LIM_OK) code = allocate_rows(*out, err);
  if (code == LIM_OK) s->damped_with[0] = NULL; // what was built is not in these rows
  return code;
}

lim_code lim_damping_at(lim_arm *s, const double *q, lim_error *err) {
  if (s->arm_damper < 0) return LIM_OK;
  lim_arm_damping *d;
  size_t N = (size_t)s->n;
  lim_code code = start_arm(&d, s, err);
  if (code != LIM_OK) return code;
  if (place(d, q)) {
    double *all = lim_arena_array(&d->arena, N * N, sizeof *all);
    code = all ? evaluate(d, err) : lim_no_memory(err);
    for (int j = 0; code == LIM_OK && j < d->n; j++)
      for (int i = 0; i < d->n; i++)
        if (!d->pin[i] && !d->pin[j]) all[(size_t)d->index[j] * N + (size_t)d->index[i]] = d->D[j * d->n + i];
    if (code == LIM_OK && !lim_sparse_of(&s->damper[s->arm_damper].D, &s->arena, all, s->n))
      code = lim_no_memory(err);
  }
  lim_damping_leave(d);
  return code;
}

// Modes of the whole arm, joints locked but for pins of closed chains, in its configuration.
static lim_code damp_arm(lim_arm *s, lim_error *err) {
  size_t n = (size_t)s->n;
  bool any = false;
  for (int i = 0; i < s->nbody; i++) any = any || s->bodies[i].body->n;
  if (!any) return LIM_OK;
  s->damped_at = lim_arena_array(&s->arena, 3 * n, sizeof *s->damped_at);
  s->damped_with = lim_arena_array(&s->arena, (size_t)s->nbody, sizeof *s->damped_with);
  if (!s->damped_at || !s->damped_with) return lim_no_memory(err);
  double *q = s->damped_at + n;
  lim_arm_start(q, q + n, s);
  s->arm_damper = s->ndamper;
  s->damper[s->ndamper++] = (lim_damper){.first = 0};
  return lim_damping_at(s, q, err);
}

// --- all ---

lim_code lim_damping_build(lim_arm *s, lim_error *err) {
  const lim_model *m = s->model;
  s->arm_damper = -1;
  s->damper = lim_arena_array(&s->arena, (size_t)m->links.count + 1, sizeof *s->damper);
  lim_code code = s->damper ? LIM_OK : lim_no_memory(err);
  for (int i = 0; i < m->links.count && code == LIM_OK; i++) {
    const lim_damping *d = &m->links.item[i].damping;
    double strain_rate =
        d->head.node ? d->strain_rate : m->damping.strain_rate; // the arm's, unless the link has its own
    if (s->bodies[s->first_body[i]].formulation == LIM_FLOATING_FRAME) code = damp_link(s, i, err);
    if (code == LIM_OK && strain_rate > 0) code = lim_strain_damper_build(s, i, strain_rate, err);
    double part = m->links.item[i].damping.stiffness;
    for (int k = s->first_body[i]; k <= s->last_body[i]; k++) s->bodies[k].damping = part > 0 ? part : 0;
  }
  if (code == LIM_OK && lim_damping_given(&m->damping)) code = damp_arm(s, err);
  return code;
}

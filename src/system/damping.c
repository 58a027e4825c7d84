// damping.c - damping by modal ratios or Rayleigh factors. Theory: docs/theory/dynamics.md.
//
// A ratio damps every mode of the bare, unsplit link: D = sum of 2 zeta omega (M x)(M x)' over its modes x. The
// link is taken out of the arm, clamped and without its masses, and its matrices come from a system of its own.
#include "system/damping.h"

#include "math/eigen.h"
#include "math/null_space.h"
#include "system/assemble.h"
#include "system/drag.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Of an arm whose loops G (rows x n by rows) stay closed: modes x = N z, with their lambda, and for each the
// forces y (n x n) on the deformations alone, 0 on pins, that do on every motion N c of the arm what M x does:
// pins also take part in its gross motion, which must not be damped. scratch (5 n^2).
static lim_code closed_modes(double *lambda, double *y, lim_eigen_count *count, const double *K,
                             const double *M, const double *G, const bool *pin, int rows, int n,
                             double *scratch, lim_error *err) {
  size_t square = (size_t)n * (size_t)n;
  double *N = scratch, *k = N + square, *m = k + square, *z = m + square, *P = z + square;
  int left;
  lim_code code = lim_null_space(N, &left, G, rows, n, err);
  *count = (lim_eigen_count){0};
  if (code != LIM_OK || left == 0) return code;
  lim_project(k, K, N, n, left, z);
  lim_project(m, M, N, n, left, z);
  code = lim_eigen_lowest(lambda, z, count, k, m, left, left, err);
  if (code != LIM_OK) return code;
  for (int c = 0; c < left; c++)
    for (int r = 0; r < n; r++)
      if (pin[r]) N[c * n + r] = 0;
  cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, left, left, n, 1, N, n, N, n, 0, P, left);
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, left, count->found, left, 1, m, left, z, left, 0, k,
              left);
  if (LAPACKE_dposv(LAPACK_COL_MAJOR, 'L', left, count->found, P, left, k, left)) {
    count->found = 0; // a motion without deformation: there is nothing to damp it by
    return LIM_OK;
  }
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, count->found, left, 1, N, n, k, left, 0, y, n);
  return LIM_OK;
}

// D (n x n) = 2 zeta sum omega (M x)(M x)' + mass M + stiffness K. G (rows x n) and pins (n): of closed chains.
static lim_code matrix(double *D, const lim_damping *d, const double *M, const double *K, const double *G,
                       const bool *pin, int rows, int n, lim_error *err) {
  size_t square = (size_t)n * (size_t)n;
  double zeta = d->ratio > 0 ? d->ratio : 0, a = d->mass > 0 ? d->mass : 0,
         b = d->stiffness > 0 ? d->stiffness : 0;
  for (size_t i = 0; i < square; i++) D[i] = a * M[i] + b * K[i];
  if (zeta == 0) return LIM_OK;
  double *x = malloc((square + 2 * (size_t)n + (rows ? 5 * square : 0)) * sizeof *x),
         *lambda = x ? x + square : NULL, *Mx = x ? lambda + n : NULL;
  if (!x) return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  lim_eigen_count count;
  lim_code code = rows ? closed_modes(lambda, x, &count, K, M, G, pin, rows, n, Mx + n, err)
                       : lim_eigen_lowest(lambda, x, &count, K, M, n, n, err);
  for (int k = 0; code == LIM_OK && k < count.found; k++) {
    for (int i = 0; i < n; i++) {
      Mx[i] = rows ? x[k * n + i] : 0;
      for (int j = 0; j < n && !rows; j++) Mx[i] += M[j * n + i] * x[k * n + j];
    }
    double factor = 2 * zeta * sqrt(fmax(lambda[k], 0));
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++) D[j * n + i] += factor * Mx[i] * Mx[j];
  }
  free(x);
  return code;
}

// The dense D (n x n) as rows of nonzeros.
static lim_code add_damper(lim_system *s, int first, const double *D, int n, lim_error *err) {
  lim_damper *d = &s->damper[s->ndamper];
  *d = (lim_damper){.first = first};
  if (!lim_sparse_of(&d->D, &s->arena, D, n)) return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  s->ndamper++;
  return LIM_OK;
}

// D of the rows and columns `index` (n) of a source's matrices at q; D (n x n).
static lim_code damping_of(double *D, const lim_damping *d, const lim_system *source, const double *q,
                           const int *index, const bool *pin, int n, lim_error *err) {
  size_t N = (size_t)source->n, square = N * N;
  size_t rows = (size_t)source->nrow;
  double *M = calloc(2 * square + 4 * N + 2 * rows * N, sizeof *M), *K = M ? M + square : NULL,
         *G = M ? K + square + 4 * N : NULL;
  lim_rec_work *w = lim_rec_work_new(source);
  lim_code code = M && w ? LIM_OK : LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  if (code == LIM_OK) {
    lim_assemble_mass(M, w, source, q, K + square);
    if (rows) lim_rec_loop_rows(G, w, q);
    for (size_t k = 0; k < rows; k++)
      for (int i = 0; i < n; i++) G[rows * N + k * (size_t)n + (size_t)i] = G[k * N + (size_t)index[i]];
    lim_assemble_stiffness(K, source, q);
    for (int j = 0; j < n; j++) // packed in place: index ascends
      for (int i = 0; i < n; i++) {
        M[j * n + i] = M[(size_t)index[j] * N + (size_t)index[i]];
        K[j * n + i] = K[(size_t)index[j] * N + (size_t)index[i]];
      }
    code = matrix(D, d, M, K, rows ? G + rows * N : NULL, pin, source->nrow, n, err);
  }
  lim_rec_work_free(w);
  free(M);
  return code;
}

static bool given(const lim_damping *d) { return d->ratio > 0 || d->mass > 0 || d->stiffness > 0; }

// The segments of a link as a chain of their own, clamped and without masses; bodies are new, all else is
// borrowed.
static lim_code bare_chain(lim_system *chain, const lim_system *s, int link, lim_error *err) {
  int first = s->first_body[link], count = s->last_body[link] - first + 1;
  lim_link bare = s->model->links.item[link];
  bare.masses.count = 0;
  *chain = (lim_system){.nbody = 0};
  chain->member = lim_arena_array(&chain->arena, (size_t)count, sizeof *chain->member);
  chain->parent = lim_arena_array(&chain->arena, (size_t)count, sizeof *chain->parent);
  if (!chain->member || !chain->parent) return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  for (int k = 0; k < count; k++) {
    lim_member *m = &chain->member[k];
    *m = s->member[first + k];
    m->type = LIM_FIXED;
    m->q = m->m = m->rotor = -1;
    m->drag = NULL;
    m->on.body = chain->parent[k] = k - 1;
    if (k == 0) m->on = (lim_site){.body = -1, .Rc = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    lim_code code = lim_body_flexible(&m->body, &bare, m->mesh, m->shapes, m->start, false, err);
    if (code != LIM_OK) return code;
    chain->nbody++;
    m->e = chain->n;
    chain->n += m->body->n;
  }
  return LIM_OK;
}

static lim_code damp_link(lim_system *s, int link, lim_error *err) {
  const lim_damping *d = &s->model->links.item[link].damping;
  int n = 0;
  for (int i = s->first_body[link]; i <= s->last_body[link]; i++) n += s->member[i].body->n;
  if (!given(d) || n == 0) return LIM_OK;
  lim_system chain;
  lim_code code = bare_chain(&chain, s, link, err);
  double *D = calloc((size_t)n * (size_t)n + (size_t)n, sizeof *D), *q = D ? D + (size_t)n * (size_t)n : NULL;
  int *index = malloc((size_t)n * sizeof *index);
  if (code == LIM_OK && (!D || !index)) code = LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  for (int i = 0; code == LIM_OK && i < n; i++) index[i] = i;
  if (code == LIM_OK) code = damping_of(D, d, &chain, q, index, NULL, n, err);
  if (code == LIM_OK) code = add_damper(s, s->member[s->first_body[link]].e, D, n, err);
  free(D);
  free(index);
  for (int k = 0; k < chain.nbody; k++) lim_body_free(chain.member[k].body);
  lim_arena_free(&chain.arena);
  return code;
}

// Modes of the whole arm, joints locked but for pins of closed chains, in its configuration at t = 0.
static lim_code damp_arm(lim_system *s, lim_error *err) {
  const lim_damping *d = &s->model->damping;
  size_t N = (size_t)s->n;
  int n = 0, *index = malloc((N + 1) * sizeof *index);
  bool *pin = calloc(N + 1, sizeof *pin);
  double *D = calloc(2 * N * N + 2 * N + 1, sizeof *D), *all = D ? D + N * N : NULL;
  lim_code code = index && D && pin ? LIM_OK : LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  if (code == LIM_OK) {
    for (int i = 0; i < s->nbody; i++) {
      int joint = s->member[i].q;
      if (joint >= 0 && s->passive && s->passive[joint]) {
        pin[n] = true;
        index[n++] = joint;
      }
      for (int k = 0; k < s->member[i].body->n; k++) index[n++] = s->member[i].e + k;
    }
    double *q = all + N * N;
    lim_system_start(q, q + N, s);
    code = n ? damping_of(D, d, s, q, index, pin, n, err) : LIM_OK;
  }
  for (int j = 0; code == LIM_OK && j < n; j++)
    for (int i = 0; i < n; i++)
      if (!pin[i] && !pin[j]) all[(size_t)index[j] * N + (size_t)index[i]] = D[j * n + i];
  if (code == LIM_OK && n) code = add_damper(s, 0, all, s->n, err);
  free(index);
  free(pin);
  free(D);
  return code;
}

lim_code lim_damping_build(lim_system *s, lim_error *err) {
  const lim_model *m = s->model;
  s->damper = lim_arena_array(&s->arena, (size_t)m->links.count + 1, sizeof *s->damper);
  lim_code code = s->damper ? LIM_OK : LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  for (int i = 0; i < m->links.count && code == LIM_OK; i++) {
    const lim_damping *d = &m->links.item[i].damping;
    double drag =
        d->head.node ? d->strain_rate : m->damping.strain_rate; // the arm's, unless the link has its own
    if (m->links.item[i].beam.head.node && !s->member[s->first_body[i]].slide) code = damp_link(s, i, err);
    if (code == LIM_OK && drag > 0) code = lim_drag_build(s, i, drag, err);
    double part = m->links.item[i].damping.stiffness;
    for (int k = s->first_body[i]; k <= s->last_body[i]; k++) s->member[k].damping = part > 0 ? part : 0;
  }
  if (code == LIM_OK && given(&m->damping)) code = damp_arm(s, err);
  return code;
}

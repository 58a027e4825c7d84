// krylov.c - the lowest modes of large symmetric matrices by Lanczos' method in blocks: V spans r, A^-1 M r,
// (A^-1 M)^2 r, ... of several vectors r at once, T = V'M A^-1 M V. A block finds modes of equal frequencies,
// of which one vector alone sees a single one; and solutions for a block cost little more than for one vector.
#include "math/blas.h"
#include "math/lapack.h"
#include "math/sparse/inside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 8 }; // more than the six rigid motions of a free part

// What is left of a mode beside it; of a vector that depends on those before.
static const double CONVERGED = 1e-12, DEPENDENT = 1e-10;

typedef struct {
  const lim_sparse_pencil *p;
  int most, m, first; // vectors at most, so far, of those before the last block
  double *V;          // V'M V = 1                            (n x most)
  double *T;          // upper triangle                       (most x most)
  double *W, *MW;     // the next block, and M times it       (n x BLOCK)
  double *C;          // its parts along V                    (most x BLOCK)
  double R[BLOCK * BLOCK];
  int width;         // vectors of the next block
  double *Y, *theta; // vectors and values of T               (m x m), (m)
} space;

static bool allocate(space *s) {
  const size_t n = (size_t)s->p->n, most = (size_t)s->most;
  s->V = malloc(n * most * sizeof *s->V);
  s->W = malloc(2 * n * BLOCK * sizeof *s->W);
  s->T = calloc(2 * most * most + (BLOCK + 1) * most, sizeof *s->T);
  if (!s->V || !s->W || !s->T) return false;
  s->MW = s->W + n * BLOCK;
  s->Y = s->T + most * most;
  s->C = s->Y + most * most;
  s->theta = s->C + most * BLOCK;
  return true;
}

static double *column(double *A, int rows, int j) { return A + (size_t)rows * (size_t)j; }

// W -= V C with C = V'M W; MW is M W after it.
static void clear(space *s) {
  const int n = s->p->n;
  if (s->m) {
    lim_blas(cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, s->m, s->width, n, 1, s->V, n, s->MW, n, 0,
                         s->C, s->most));
    lim_blas(cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, s->width, s->m, -1, s->V, n, s->C,
                         s->most, 1, s->W, n));
  }
  lim_symmetric_times(s->MW, s->p->M, s->W, s->width);
}

// W = Q R, Q'M Q = 1, by Gram and Schmidt; vectors that depend on others go. least: what vectors may be small
// as (width). Q takes the place of W.
static void orthonormalise(space *s, double *R, const double *least) {
  const int n = s->p->n, width = s->width;
  int kept = 0;
  memset(R, 0, BLOCK * BLOCK * sizeof *R);
  for (int j = 0; j < width; j++) {
    double *w = column(s->W, n, j), *Mw = column(s->MW, n, j);
    for (int i = 0; i < kept; i++) {
      const double r = R[j * BLOCK + i] = lim_blas_dot(n, column(s->W, n, i), Mw);
      lim_blas(cblas_daxpy(n, -r, column(s->W, n, i), 1, w, 1));
      lim_blas(cblas_daxpy(n, -r, column(s->MW, n, i), 1, Mw, 1));
    }
    const double size = sqrt(fmax(lim_blas_dot(n, w, Mw), 0));
    if (!(size > least[j])) continue;
    R[j * BLOCK + kept] = size;
    double *q = column(s->W, n, kept), *Mq = column(s->MW, n, kept++);
    for (int i = 0; i < n; i++) {
      q[i] = w[i] / size;
      Mq[i] = Mw[i] / size;
    }
  }
  s->width = kept;
}

// The block made orthonormal to V and in itself, twice; T of the last block where there is one.
static void orthogonalise(space *s) {
  const int n = s->p->n;
  double least[BLOCK], again[BLOCK * BLOCK];
  lim_symmetric_times(s->MW, s->p->M, s->W, s->width);
  for (int j = 0; j < s->width; j++)
    least[j] = DEPENDENT * sqrt(fmax(lim_blas_dot(n, column(s->W, n, j), column(s->MW, n, j)), 0));
  clear(s);
  for (int j = s->first; j < s->m; j++)
    for (int i = 0; i <= j; i++)
      s->T[(size_t)j * (size_t)s->most + (size_t)i] = s->C[(j - s->first) * s->most + i];
  orthonormalise(s, s->R, least);
  clear(s);
  memset(least, 0, sizeof least);
  orthonormalise(s, again, least);
}

static void append(space *s) {
  memcpy(column(s->V, s->p->n, s->m), s->W, (size_t)s->p->n * (size_t)s->width * sizeof *s->V);
  s->first = s->m;
  s->m += s->width;
}

static lim_code start(space *s, lim_error *err) {
  unsigned seed = 1;
  s->width = BLOCK;
  for (size_t i = 0; i < (size_t)s->p->n * BLOCK; i++) {
    seed = seed * 1664525u + 1013904223u;
    s->W[i] = (double)(seed >> 8) / (1 << 24) - 0.5;
  }
  lim_symmetric_times(s->MW, s->p->M, s->W, BLOCK);
  lim_code code = lim_sparse_invert(s->p, s->W, s->MW, BLOCK, err);
  if (code != LIM_OK) return code;
  orthogonalise(s);
  append(s);
  return LIM_OK;
}

// The next block, not yet in V.
static lim_code go_on(space *s, lim_error *err) {
  s->width = s->m - s->first;
  lim_symmetric_times(s->MW, s->p->M, column(s->V, s->p->n, s->first), s->width);
  lim_code code = lim_sparse_invert(s->p, s->W, s->MW, s->width, err);
  if (code == LIM_OK) orthogonalise(s);
  return code;
}

// Whether the wanted modes lie in V: |R y| of the last block, as A^-1 M V y = V T y + Q R y.
static lim_code judge(bool *good, space *s, lim_error *err) {
  const int m = s->m, last = s->m - s->first;
  for (int j = 0; j < m; j++)
    for (int i = j; i < m; i++)
      s->Y[(size_t)j * (size_t)m + (size_t)i] = s->T[(size_t)i * (size_t)s->most + (size_t)j];
  *good = false;
  lim_code code =
      lim_lapack_code(lim_dsyev(m, s->Y, m, s->theta), "modes of a large matrix cannot be found", err);
  if (code != LIM_OK) return code;
  *good = m >= s->p->count;
  for (int k = 0; *good && k < s->p->count; k++) {
    const double *y = s->Y + (size_t)(m - 1 - k) * (size_t)m + s->first;
    double square = 0;
    for (int i = 0; i < s->width; i++) {
      double sum = 0;
      for (int j = 0; j < last; j++) sum += s->R[j * BLOCK + i] * y[j];
      square += sum * sum;
    }
    *good = sqrt(square) <= CONVERGED * s->theta[m - 1 - k];
  }
  return LIM_OK;
}

static lim_code search(space *s, bool *found, lim_error *err) {
  lim_code code = start(s, err);
  for (*found = false; code == LIM_OK && s->m > s->first;) {
    code = go_on(s, err);
    if (code == LIM_OK && s->m >= s->p->count) code = judge(found, s, err);
    if (code != LIM_OK || *found || s->m + s->width > s->most) return code;
    append(s);
  }
  return code;
}

// Modes of V y, or of all of V where there is nothing beyond it.
static lim_code finish(double *lambda, double *x, const space *s, bool all, lim_error *err) {
  const int n = s->p->n, m = s->m, width = all ? m : s->p->count;
  double *F = malloc((size_t)n * (size_t)(width + 1) * sizeof *F);
  if (!F) return lim_no_memory(err);
  if (!all)
    lim_blas(cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, width, m, 1, s->V, n,
                         s->Y + (size_t)(m - width) * (size_t)m, m, 0, x, n));
  lim_symmetric_times(F, s->p->M, all ? s->V : x, width);
  lim_code code = lim_sparse_subspace(lambda, x, s->p, F, width, err);
  free(F);
  return code;
}

lim_code lim_sparse_krylov(double *lambda, double *x, bool *done, const lim_sparse_pencil *p, lim_error *err) {
  space s = {.p = p, .most = 5 * p->count + 100};
  bool found = false;
  if (s.most > p->n) s.most = p->n;
  *done = false;
  lim_code code = allocate(&s) ? search(&s, &found, err) : lim_no_memory(err);
  const bool all = !found && s.m == s.first; // a block came out empty
  if (code == LIM_OK && (found || all)) {
    code = finish(lambda, x, &s, all, err);
    *done = true;
  }
  free(s.V);
  free(s.W);
  free(s.T);
  return code;
}

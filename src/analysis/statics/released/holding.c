// holding.c - the softest motions of released joints by inverse iteration from these joints' own directions.
// Theory: docs/theory/statics.md, "Released joints".
#include "analysis/statics/released/holding.h"

#include "math/blas.h"
#include "math/eigen/eigen.h"
#include "math/lapack.h"
#include "math/null_space.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// Rounding, far below what holds anything: of the terms of x'K x, of weights, of springs.
static const double TERMS = 1e-12, WEIGHTS = 1e-10, SPRINGS = 1e-13;
static const double LOST = 1e-8; // of a motion: what is left follows from the others
enum { ROUNDS = 3 };

typedef struct {
  int n, k;                 // motions that loops leave, vectors
  double *K, *M, *A;        // (n x n)
  double *Z, *Y;            // (n x k)
  double *small, *unit, *y; // (k x k)
  int *pivot;               // (n)
} problem;

static bool allocate(problem *p, int m, lim_arena *arena) {
  size_t n = (size_t)p->n, k = (size_t)p->k, all = (size_t)m;
  size_t work = all * n > n * k ? all * n : n * k; // of projections
  p->K = lim_arena_array(arena, 3 * n * n + n * k + work + 3 * k * k, sizeof *p->K);
  p->pivot = lim_arena_array(arena, n, sizeof *p->pivot);
  if (!p->K || !p->pivot) return false;
  p->M = p->K + n * n;
  p->A = p->M + n * n;
  p->Z = p->A + n * n;
  p->small = p->Z + n * k;
  p->unit = p->small + k * k;
  p->y = p->unit + k * k;
  p->Y = p->y + k * k;
  return true;
}

static void start(problem *p, const lim_holding_of_what *of) {
  size_t n = (size_t)p->n, m = (size_t)of->m;
  if (of->N) {
    lim_project(p->K, of->K, of->N, of->m, p->n, p->Y);
    lim_project(p->M, of->M, of->N, of->m, p->n, p->Y);
  } else {
    memcpy(p->K, of->K, n * n * sizeof *p->K);
    memcpy(p->M, of->M, n * n * sizeof *p->M);
  }
  for (size_t i = 0; i < n * n; i++) p->A[i] = p->K[i] + of->shift * p->M[i];
  for (int j = 0; j < p->k; j++)
    for (size_t i = 0; i < n; i++)
      p->Z[(size_t)j * n + i] = of->N ? of->N[i * m + (size_t)of->joint[j]] : i == (size_t)of->joint[j];
}

static void times(double *out, const double *A, const double *x, int n) {
  lim_blas(cblas_dsymv(CblasColMajor, CblasLower, n, 1, A, n, x, 1, 0, out, 1));
}

// z'M z = 1 and 0 between different z; those that follow from others go.
static void orthogonalise(problem *p) {
  size_t n = (size_t)p->n;
  int kept = 0;
  for (int j = 0; j < p->k; j++) {
    double *z = p->Z + (size_t)kept * n, *Mz = p->Y, before, left;
    memmove(z, p->Z + (size_t)j * n, n * sizeof *z);
    times(Mz, p->M, z, p->n);
    before = left = lim_blas_dot(p->n, z, Mz);
    for (int round = 0; round < 2; round++) { // twice is enough
      for (int i = 0; i < kept; i++) {
        const double *other = p->Z + (size_t)i * n;
        lim_blas(cblas_daxpy(p->n, -lim_blas_dot(p->n, other, Mz), other, 1, z, 1));
        times(Mz, p->M, z, p->n);
      }
      left = lim_blas_dot(p->n, z, Mz);
    }
    if (!(left > LOST * LOST * before) || !(left > 0)) continue;
    lim_blas(cblas_dscal(p->n, 1 / sqrt(left), z, 1));
    kept++;
  }
  p->k = kept;
}

// Z = (K + shift M)^-1 M Z
static bool iterate(problem *p) {
  size_t n = (size_t)p->n;
  for (int j = 0; j < p->k; j++) {
    double *z = p->Z + (size_t)j * n;
    times(p->Y, p->M, z, p->n);
    memcpy(z, p->Y, n * sizeof *z);
  }
  return lim_dgetrs(p->n, p->k, p->A, p->n, p->pivot, p->Z, p->n) == 0;
}

// K in the vectors, which become motions of their own: first those with the least lambda.
static lim_code rotate(lim_holding *out, problem *p, lim_error *err) {
  size_t n = (size_t)p->n, k = (size_t)p->k;
  lim_eigen_count found;
  lim_project(p->small, p->K, p->Z, p->n, p->k, p->Y);
  for (size_t j = 0; j < k; j++)
    for (size_t i = 0; i < k; i++) {
      p->unit[j * k + i] = i == j;
      if (i < j) p->small[j * k + i] = p->small[i * k + j] = (p->small[j * k + i] + p->small[i * k + j]) / 2;
    }
  lim_code code = lim_eigen_lowest(out->lambda, p->y, &found, p->small, p->unit, p->k, p->k, err);
  if (code != LIM_OK) return code;
  p->k = out->count = found.found;
  lim_blas(cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, p->n, p->k, (int)k, 1, p->Z, p->n, p->y,
                       (int)k, 0, p->Y, p->n));
  memcpy(p->Z, p->Y, n * (size_t)p->k * sizeof *p->Z);
  return LIM_OK;
}

// x'K x and the sum of its terms' sizes.
static double quotient(double *terms, const problem *p, const double *z) {
  double sum = *terms = 0;
  for (int j = 0; j < p->n; j++)
    for (int i = 0; i < p->n; i++) {
      const double term = z[i] * p->K[(size_t)j * (size_t)p->n + (size_t)i] * z[j];
      sum += term;
      *terms += fabs(term);
    }
  return sum;
}

static void judge(lim_holding *out, const problem *p, const lim_holding_of_what *of) {
  for (int k = 0; k < out->count; k++) {
    double extent = 0, terms;
    for (int j = 0; j < of->njoint; j++)
      extent = fmax(extent, fabs(out->x[(size_t)k * (size_t)of->m + (size_t)of->joint[j]]) / of->unit[j]);
    out->lambda[k] = quotient(&terms, p, p->Z + (size_t)k * (size_t)p->n);
    out->weight[k] = of->weight * extent * extent;
    const double noise = TERMS * terms + WEIGHTS * out->weight[k] + SPRINGS * of->springs * extent * extent;
    out->hold[k] = fabs(out->lambda[k]) <= noise ? LIM_NEUTRAL : out->lambda[k] < 0 ? LIM_UNSTABLE : LIM_HELD;
    out->neutral += out->hold[k] == LIM_NEUTRAL;
    out->unstable += out->hold[k] == LIM_UNSTABLE;
  }
}

static bool take(lim_holding *out, lim_arena *arena, size_t m, size_t k) {
  out->lambda = lim_arena_array(arena, 2 * k, sizeof *out->lambda);
  out->x = lim_arena_array(arena, m * k, sizeof *out->x);
  out->hold = lim_arena_array(arena, k, sizeof *out->hold);
  if (out->lambda) out->weight = out->lambda + k;
  return out->lambda && out->x && out->hold;
}

lim_code lim_holding_of(lim_holding *out, const lim_holding_of_what *of, lim_arena *arena, lim_error *err) {
  problem p = {.n = of->free, .k = of->njoint};
  lim_arena own = {0};
  *out = (lim_holding){.m = of->m};
  if (p.n == 0 || p.k == 0) return LIM_OK;
  lim_code code =
      take(out, arena, (size_t)of->m, (size_t)p.k) && allocate(&p, of->m, &own) ? LIM_OK : lim_no_memory(err);
  if (code == LIM_OK) start(&p, of);
  bool good = code == LIM_OK && lim_dgetrf(p.n, p.A, p.n, p.pivot) == 0;
  for (int i = 0; i < ROUNDS && good && code == LIM_OK; i++) {
    good = iterate(&p);
    orthogonalise(&p);
    if (good && p.k > 0) code = rotate(out, &p, err);
  }
  if (code == LIM_OK && !good)
    code = LIM_FAIL(err, LIM_FAILED, "a released joint has neither mass nor stiffness");
  if (code == LIM_OK && p.k > 0) {
    int m = of->m, n = p.n;
    if (of->N)
      lim_blas(
          cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, m, p.k, n, 1, of->N, m, p.Z, n, 0, out->x, m));
    else
      memcpy(out->x, p.Z, (size_t)n * (size_t)p.k * sizeof *out->x);
    judge(out, &p, of);
  }
  lim_arena_free(&own);
  return code;
}

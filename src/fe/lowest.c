// lowest.c - the lowest modes of a large system.
#include "fe/lowest.h"

#include "base/arena.h"
#include "math/blas.h"
#include "math/eigen/eigen.h"
#include "math/null_space.h"

#include <string.h>

enum { DENSE = 250 }; // unknowns up to which dense matrices are quicker than they are worth a thought

static void fill(double *A, const lim_symmetric *S) {
  const size_t n = (size_t)S->n;
  for (int i = 0; i < S->n; i++)
    for (long k = S->start[i]; k < S->start[i + 1]; k++)
      A[(size_t)i * n + (size_t)S->column[k]] = A[(size_t)S->column[k] * n + (size_t)i] = S->value[k];
}

// Modes of what constraints leave: x = N z.
static lim_code constrained(double *lambda, double *x, lim_eigen_count *out, lim_arena *arena, double *K,
                            double *M, const lim_fe_pencil *p, int count, lim_error *err) {
  const size_t n = (size_t)p->K->n;
  int left = 0;
  double *N = lim_arena_array(arena, n * n, sizeof *N), *z = lim_arena_array(arena, n * n, sizeof *z);
  double *C = lim_arena_array(arena, (size_t)p->nc * n, sizeof *C);
  if (!N || !z || !C) return lim_no_memory(err);
  for (int k = 0; k < p->nc; k++)
    memcpy(C + (size_t)k * n, p->C + (size_t)k * (size_t)p->inner, (size_t)p->inner * sizeof *C);
  lim_code code = lim_null_space(N, &left, C, p->nc, p->K->n, err);
  if (code != LIM_OK) return code;
  lim_project(K, K, N, p->K->n, left, z);
  lim_project(M, M, N, p->K->n, left, z);
  code = lim_eigen_lowest(lambda, z, out, K, M, left, count < left ? count : left, err);
  if (code == LIM_OK && out->found)
    lim_blas(cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, p->K->n, out->found, left, 1, N, p->K->n, z,
                         left, 0, x, p->K->n));
  return code;
}

static lim_code dense(double *lambda, double *x, int *found, const lim_fe_pencil *p, int count,
                      lim_error *err) {
  const size_t n = (size_t)p->K->n;
  lim_arena arena = {0};
  lim_eigen_count out = {0};
  double *K = lim_arena_array(&arena, n * n, sizeof *K), *M = lim_arena_array(&arena, n * n, sizeof *M);
  lim_code code = K && M ? LIM_OK : lim_no_memory(err);
  if (code == LIM_OK) {
    fill(K, p->K);
    fill(M, p->M);
    code = p->nc ? constrained(lambda, x, &out, &arena, K, M, p, count, err)
                 : lim_eigen_lowest(lambda, x, &out, K, M, p->K->n, count, err);
  }
  *found = out.found;
  lim_arena_free(&arena);
  return code;
}

bool lim_fe_lowest_is_dense(int n, int count) { return n <= DENSE || 3 * count >= n; }

lim_code lim_fe_lowest(double *lambda, double *x, int *found, const lim_fe_pencil *p, int count,
                       lim_error *err) {
  *found = 0;
  if (count <= 0) return LIM_OK;
  if (lim_fe_lowest_is_dense(p->K->n, count)) return dense(lambda, x, found, p, count, err);
  lim_code code = lim_sparse_modes(lambda, x, p->factor, p->sigma, p->M, count, err);
  *found = code == LIM_OK ? count : 0;
  return code;
}

// sparse_fixture.h - large symmetric matrices for tests: from dense ones, chains, membranes.
#ifndef LIM_TESTS_SPARSE_FIXTURE_H
#define LIM_TESTS_SPARSE_FIXTURE_H

#include "fixture.h"
#include "math/sparse/factor.h"

static inline void expect_near(double value, double expected, double tolerance) {
  if (!(fabs(value - expected) <= tolerance)) fail_msg("%.16g instead of %.16g", value, expected);
}

static inline lim_symmetric symmetric_new(int n, long room) {
  lim_symmetric A = {n, calloc((size_t)n + 1, sizeof *A.start), calloc((size_t)room + 1, sizeof *A.column),
                     calloc((size_t)room + 1, sizeof *A.value)};
  assert_true(A.start && A.column && A.value);
  return A;
}

static inline void symmetric_free(lim_symmetric *A) {
  free(A->start);
  free(A->column);
  free(A->value);
}

// The next entry of row i: rows and columns must come in their order.
static inline void put(lim_symmetric *A, int i, int j, double value) {
  long k = A->start[i + 1];
  A->column[k] = j;
  A->value[k] = value;
  for (int row = i; row < A->n; row++) A->start[row + 1] = k + 1;
}

static inline lim_symmetric sparse_of(const double *D, int n) {
  lim_symmetric A = symmetric_new(n, (long)n * n);
  for (int i = 0; i < n; i++)
    for (int j = i; j < n; j++)
      if (D[j * n + i] != 0) put(&A, i, j, D[j * n + i]);
  return A;
}

static inline void dense_of(double *D, const lim_symmetric *A) {
  memset(D, 0, (size_t)A->n * (size_t)A->n * sizeof *D);
  for (int i = 0; i < A->n; i++)
    for (long k = A->start[i]; k < A->start[i + 1]; k++)
      D[A->column[k] * A->n + i] = D[i * A->n + A->column[k]] = A->value[k];
}

// width x height points between fixed edges, each held by its four neighbours: eigenvalues
// 4 - 2 cos(i pi/(width + 1)) - 2 cos(j pi/(height + 1)). height 1: a chain, 2 - 2 cos(i pi/(width + 1)).
static inline lim_symmetric membrane(int width, int height) {
  lim_symmetric A = symmetric_new(width * height, 3L * width * height);
  for (int i = 0; i < A.n; i++) {
    put(&A, i, i, height > 1 ? 4 : 2);
    if (i % width != width - 1) put(&A, i, i + 1, -1);
    if (i + width < A.n) put(&A, i, i + width, -1);
  }
  return A;
}

static inline lim_symmetric diagonal(int n, double value) {
  lim_symmetric A = symmetric_new(n, n);
  for (int i = 0; i < n; i++) put(&A, i, i, value);
  return A;
}

static inline lim_factor *factored(const lim_symmetric *A) {
  lim_factor *f = NULL;
  lim_error err = {0};
  lim_code code = lim_factor_new(&f, A, &err);
  print_notes(&err);
  lim_error_clear(&err);
  assert_int_equal(code, LIM_OK);
  return f;
}

#endif

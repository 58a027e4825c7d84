// null_space.c - by a QR factorisation of G' with pivots: the last columns of Q.
#include "math/null_space.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

lim_code lim_null_space(double *N, int *free_count, const double *G, int rows, int n, lim_error *err) {
  size_t size = (size_t)n, m = (size_t)rows, wide = m > size ? m : size;
  double *A = calloc(size * wide + size + m, sizeof *A), *tau = A ? A + size * wide : NULL;
  int *pivot = calloc(m + 1, sizeof *pivot), rank = 0, least = rows < n ? rows : n;
  bool good = A && pivot;
  if (good) {
    for (size_t i = 0; i < m; i++) { // rows of length 1, so that metres and radians count alike
      double length = 0;
      for (size_t j = 0; j < size; j++) length = fmax(length, fabs(G[i * size + j]));
      for (size_t j = 0; j < size; j++) A[i * size + j] = length > 0 ? G[i * size + j] / length : 0;
    }
    good = LAPACKE_dgeqp3(LAPACK_COL_MAJOR, n, rows, A, n, pivot, tau) == 0;
  }
  if (good) {
    while (rank < least && fabs(A[(size_t)rank * (size + 1)]) > 1e-9 * fabs(A[0])) rank++;
    good = LAPACKE_dorgqr(LAPACK_COL_MAJOR, n, n, rank, A, n, tau) == 0;
  }
  if (good) {
    *free_count = n - rank;
    memcpy(N, A + (size_t)rank * size, (size_t)(n - rank) * size * sizeof *N);
  }
  free(A);
  free(pivot);
  return good ? LIM_OK : LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
}

void lim_project(double *C, const double *A, const double *N, int n, int m, double *scratch) {
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, m, n, 1, A, n, N, n, 0, scratch, n);
  cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, m, m, n, 1, N, n, scratch, n, 0, C, m);
}

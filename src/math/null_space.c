// null_space.c - by a QR factorisation of G' with pivots: the last columns of Q.
#include "math/null_space.h"

#include "math/blas.h"
#include "math/lapack.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

size_t lim_null_space_size(int rows, int n) {
  size_t size = (size_t)n, m = (size_t)rows, wide = m > size ? m : size;
  return size * wide + size + 2 * m + 64 * (size + m + 1);
}

// Least sizes of work and more: blocks of 64.
bool lim_null_space_in(double *N, int *free_count, const double *G, int rows, int n, double *scratch) {
  size_t size = (size_t)n, m = (size_t)rows, wide = m > size ? m : size;
  double *A = scratch, *tau = A + size * wide, *work = tau + size + 2 * m;
  int *pivot = (int *)(tau + size + m), rank = 0, min = rows < n ? rows : n, nwork = 64 * (n + rows + 1);
  for (size_t i = 0; i < m; i++) { // rows of length 1, so that metres and radians count alike
    double length = 0;
    pivot[i] = 0;
    for (size_t j = 0; j < size; j++) length = fmax(length, fabs(G[i * size + j]));
    for (size_t j = 0; j < size; j++) A[i * size + j] = length > 0 ? G[i * size + j] / length : 0;
  }
  if (lim_dgeqp3(n, rows, A, n, pivot, tau, work, nwork)) return false;
  while (rank < min && fabs(A[(size_t)rank * (size + 1)]) > 1e-9 * fabs(A[0])) rank++;
  if (lim_dorgqr(n, n, rank, A, n, tau, work, nwork)) return false;
  *free_count = n - rank;
  memcpy(N, A + (size_t)rank * size, (size_t)(n - rank) * size * sizeof *N);
  return true;
}

lim_code lim_null_space(double *N, int *free_count, const double *G, int rows, int n, lim_error *err) {
  double *scratch = calloc(lim_null_space_size(rows, n), sizeof *scratch);
  bool good = scratch && lim_null_space_in(N, free_count, G, rows, n, scratch);
  free(scratch);
  return good ? LIM_OK : lim_no_memory(err);
}

void lim_project(double *C, const double *A, const double *N, int n, int m, double *scratch) {
  lim_blas(cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, m, n, 1, A, n, N, n, 0, scratch, n));
  lim_blas(cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, m, m, n, 1, N, n, scratch, n, 0, C, m));
}

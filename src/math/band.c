// band.c - symmetric band matrices over BLAS and LAPACK. Storage: band.h.
#include "math/band.h"

#include "math/blas.h"
#include "math/lapack.h"

#include <stdlib.h>
#include <string.h>

static size_t entries(lim_band b) { return (size_t)b.n * (size_t)(b.width + 1); }

// Address of entry (i, j), i >= j.
static double *entry(lim_band b, int i, int j) { return b.a + (i - j) + (size_t)j * (size_t)(b.width + 1); }

lim_band lim_band_new(lim_arena *arena, int n, int width) {
  lim_band b = {n, width, NULL};
  b.a = lim_arena_array(arena, entries(b), sizeof *b.a);
  return b;
}

void lim_band_zero(lim_band b) { memset(b.a, 0, entries(b) * sizeof *b.a); }

void lim_band_copy(lim_band to, lim_band from) { memcpy(to.a, from.a, entries(to) * sizeof *to.a); }

void lim_band_sum(lim_band to, double alpha, lim_band b) {
  lim_blas(cblas_daxpy((int)entries(to), alpha, b.a, 1, to.a, 1));
}

double lim_band_get(lim_band b, int i, int j) {
  if (abs(i - j) > b.width) return 0;
  return i >= j ? *entry(b, i, j) : *entry(b, j, i);
}

void lim_band_add(lim_band b, int i, int j, double x) {
  double *e = i >= j ? entry(b, i, j) : entry(b, j, i);
  *e += x;
}

void lim_band_add_block(lim_band b, int first, const double *block, int k) {
  for (int j = 0; j < k; j++)
    for (int i = j; i < k; i++) *entry(b, first + i, first + j) += block[i * k + j];
}

void lim_band_times(double *y, double alpha, lim_band b, const double *x, double beta) {
  lim_blas(cblas_dsbmv(CblasColMajor, CblasLower, b.n, b.width, alpha, b.a, b.width + 1, x, 1, beta, y, 1));
}

double lim_band_product(lim_band b, const double *x, const double *y) {
  double sum = 0;
  for (int j = 0; j < b.n; j++) {
    sum += x[j] * *entry(b, j, j) * y[j];
    for (int i = j + 1; i < b.n && i <= j + b.width; i++) sum += *entry(b, i, j) * (x[i] * y[j] + x[j] * y[i]);
  }
  return sum;
}

lim_band lim_band_tail(lim_band b, int first) {
  return (lim_band){b.n - first, b.width, entry(b, first, first)};
}

void lim_band_dense(double *out, lim_band b) {
  for (int j = 0; j < b.n; j++)
    for (int i = 0; i < b.n; i++) out[(size_t)j * (size_t)b.n + (size_t)i] = lim_band_get(b, i, j);
}

void lim_band_gather(double *out, lim_band b, const int *index, int k) {
  for (int j = 0; j < k; j++)
    for (int i = 0; i < k; i++) out[(size_t)j * (size_t)k + (size_t)i] = lim_band_get(b, index[i], index[j]);
}

lim_code lim_band_factor(lim_band b, lim_error *err) {
  if (b.n == 0) return LIM_OK;
  int info = lim_dpbtrf(b.n, b.width, b.a, b.width + 1);
  if (info == 0) return LIM_OK;
  return LIM_FAIL(err, LIM_FAILED, "matrix is not positive definite at row %d of %d", info, b.n);
}

void lim_band_solve(lim_band factor, double *x, int count) {
  if (factor.n == 0) return;
  lim_dpbtrs(factor.n, factor.width, count, factor.a, factor.width + 1, x, factor.n);
}

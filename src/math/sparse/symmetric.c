// symmetric.c - products with large symmetric matrices. No call of BLAS: the same bits on every machine.
#include "math/sparse/symmetric.h"

#include <string.h>

enum { ABREAST = 4 };

// Of columns side by side, each as `times` does it.
static void times_abreast(double *Y, const lim_symmetric *A, const double *X) {
  const size_t n = (size_t)A->n;
  const double *x0 = X, *x1 = X + n, *x2 = X + 2 * n, *x3 = X + 3 * n;
  double *y0 = Y, *y1 = Y + n, *y2 = Y + 2 * n, *y3 = Y + 3 * n;
  memset(Y, 0, ABREAST * n * sizeof *Y);
  for (int i = 0; i < A->n; i++) {
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    for (long k = A->start[i]; k < A->start[i + 1]; k++) {
      const int j = A->column[k];
      const double a = A->value[k];
      s0 += a * x0[j], s1 += a * x1[j], s2 += a * x2[j], s3 += a * x3[j];
      if (j != i) y0[j] += a * x0[i], y1[j] += a * x1[i], y2[j] += a * x2[i], y3[j] += a * x3[i];
    }
    y0[i] += s0, y1[i] += s1, y2[i] += s2, y3[i] += s3;
  }
}

static void times(double *y, const lim_symmetric *A, const double *x) {
  memset(y, 0, (size_t)A->n * sizeof *y);
  for (int i = 0; i < A->n; i++) {
    double sum = 0;
    for (long k = A->start[i]; k < A->start[i + 1]; k++) {
      int j = A->column[k];
      sum += A->value[k] * x[j];
      if (j != i) y[j] += A->value[k] * x[i];
    }
    y[i] += sum;
  }
}

void lim_symmetric_times(double *Y, const lim_symmetric *A, const double *X, int count) {
  size_t n = (size_t)A->n, c = 0;
  for (; c + ABREAST <= (size_t)count; c += ABREAST) times_abreast(Y + c * n, A, X + c * n);
  for (; c < (size_t)count; c++) times(Y + c * n, A, X + c * n);
}

double lim_symmetric_form(const lim_symmetric *A, const double *x, const double *y) {
  double sum = 0;
  for (int i = 0; i < A->n; i++) {
    double upper = 0, lower = 0;
    for (long k = A->start[i]; k < A->start[i + 1]; k++) {
      int j = A->column[k];
      upper += A->value[k] * y[j];
      if (j != i) lower += A->value[k] * x[j];
    }
    sum += x[i] * upper + y[i] * lower;
  }
  return sum;
}

// symmetric.c - products with large symmetric matrices. No call of BLAS: the same bits on every machine.
#include "math/sparse/symmetric.h"

#include <string.h>

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
  size_t n = (size_t)A->n;
  for (size_t c = 0; c < (size_t)count; c++) times(Y + c * n, A, X + c * n);
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

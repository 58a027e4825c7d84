// rows.c - one-sided Jacobi. Accurate for small singular values too, and without memory of its own.
#include "math/rows.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static double product(const double *a, const double *b, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

// Turn two rows until they are orthogonal. False: they were, or the square of one is below `none`: rounding.
static bool turn(double *a, double *b, int n, int width, double none) {
  double aa = product(a, a, n), bb = product(b, b, n), ab = product(a, b, n);
  if (fabs(ab) <= 1e-16 * sqrt(aa) * sqrt(bb) || fmin(aa, bb) <= none) return false;
  double zeta = (bb - aa) / (2 * ab), t = copysign(1, zeta) / (fabs(zeta) + hypot(1, zeta));
  double c = 1 / hypot(1, t), s = c * t;
  for (int i = 0; i < width; i++) {
    double x = a[i], y = b[i];
    a[i] = c * x - s * y;
    b[i] = s * x + c * y;
  }
  return true;
}

void lim_rows_orthogonal(double *A, double *square, int rows, int n, int width) {
  enum { SWEEPS = 30 };
  bool turned = true;
  double none = 0;
  for (int i = 0; i < rows; i++) none += 1e-33 * product(A + i * width, A + i * width, n);
  for (int sweep = 0; sweep < SWEEPS && turned; sweep++) {
    turned = false;
    for (int i = 0; i < rows; i++)
      for (int j = i + 1; j < rows; j++) turned = turn(A + i * width, A + j * width, n, width, none) || turned;
  }
  for (int i = 0; i < rows; i++) square[i] = product(A + i * width, A + i * width, n);
}

int lim_rows_solve(double *x, const double *A, const double *square, int rows, int n, double damping,
                   double cutoff) {
  double max = 0;
  int rank = 0;
  for (int i = 0; i < rows; i++) max = fmax(max, square[i]);
  memset(x, 0, (size_t)n * sizeof *x);
  for (int i = 0; i < rows; i++) {
    const double *row = A + i * (n + 1);
    if (square[i] <= cutoff * cutoff * max) continue;
    rank++;
    double factor = row[n] / (square[i] + damping);
    for (int k = 0; k < n; k++) x[k] += factor * row[k];
  }
  return rank;
}

void lim_rows_take_off(double *d, const double *A, const double *square, int rows, int n, int width,
                       double cutoff) {
  double max = 0;
  for (int i = 0; i < rows; i++) max = fmax(max, square[i]);
  for (int i = 0; i < rows; i++) {
    const double *row = A + i * width;
    if (square[i] <= cutoff * cutoff * max) continue;
    double part = product(row, d, n) / square[i];
    for (int k = 0; k < n; k++) d[k] -= part * row[k];
  }
}

// roots.c - Aberth's iteration: Newton's for all roots at once, each pushed away from the others.
#include "math/roots.h"

#include <math.h>

// Value and derivative, Horner.
static void evaluate(double complex *f, double complex *df, const double complex *c, int n, double complex z) {
  *f = c[n];
  *df = 0;
  for (int i = n - 1; i >= 0; i--) {
    *df = *df * z + *f;
    *f = *f * z + c[i];
  }
}

// One correction of root i; returns its size relative to the root.
static double correct(double complex *z, int i, const double complex *c, int n) {
  double complex f, df, push = 0;
  evaluate(&f, &df, c, n, z[i]);
  if (f == 0) return 0;
  for (int j = 0; j < n; j++)
    if (j != i && z[j] != z[i]) push += 1 / (z[i] - z[j]);
  double complex divisor = df - f * push;
  double complex step = divisor != 0 ? f / divisor : 1e-3 * (1 + cabs(z[i]));
  z[i] -= step;
  return cabs(step) / (cabs(z[i]) + 1e-300);
}

static double largest_of(const double complex *c, int degree) {
  double max = 0;
  for (int i = 0; i <= degree; i++) max = fmax(max, cabs(c[i]));
  return max;
}

int lim_roots(double complex *z, const double complex *c, int degree) {
  enum { ROUNDS = 80 };
  double max = largest_of(c, degree);
  if (!(max > 0) || !isfinite(max)) return -1;
  int n = degree;
  while (n > 0 && cabs(c[n]) <= 1e-14 * max) n--;
  if (n == 0) return 0;
  double radius = 0; // all roots lie within twice of this (Fujiwara)
  for (int i = 0; i < n; i++) radius = fmax(radius, pow(cabs(c[i] / c[n]), 1.0 / (n - i)));
  for (int i = 0; i < n; i++) z[i] = radius * cexp(I * (2 * M_PI * i / n + 0.4));
  for (int round = 0; round < ROUNDS && radius > 0; round++) {
    double change = 0;
    for (int i = 0; i < n; i++) change = fmax(change, correct(z, i, c, n));
    if (change < 1e-15) break;
  }
  return n;
}

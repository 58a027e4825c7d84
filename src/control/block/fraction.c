// fraction.c - transfer functions: a fraction of polynomials in s as first-order states.
// Theory: docs/theory/control.md (2)-(4).
//
// In the time of the poles' mean size w, s = w S, so that states have the size of the input:
//   x1' = w (u - sum ai xi), xi' = w x(i-1), y = b0 u + sum (bi - b0 ai) xi
#include "control/block/kinds.h"

#include <math.h>

// The geometric mean of the poles' sizes; of those that are not 0 a bound.
static double pace(const double *den, int n) {
  double w = pow(fabs(den[n] / den[0]), 1.0 / n);
  for (int i = 1; i < n && !(w > 0); i++) w = fmax(w, pow(fabs(den[i] / den[0]), 1.0 / i));
  return w > 0 ? w : 1;
}

lim_code lim_fraction_prepare(lim_block_instance *b, const double *num, const double *den, int count,
                              const lim_block_setup *s, lim_error *err) {
  const int n = count - 1;
  lim_code code = lim_block_numbers(b, 2 + 2 * n, s, err);
  if (code != LIM_OK) return code;
  double *w = b->p, *through = b->p + 1, *a = b->p + 2, *c = a + n, scale = 1;
  b->nx = n;
  *w = n ? pace(den, n) : 1;
  *through = num[0] / den[0];
  b->direct = *through != 0;
  for (int i = 1; i <= n; i++) {
    scale *= *w;
    a[i - 1] = den[i] / den[0] / scale;
    c[i - 1] = num[i] / den[0] / scale - *through * a[i - 1];
  }
  return LIM_OK;
}

double lim_fraction_output(const lim_block_instance *b, double t, bool before, const double *u, const double *x,
                           const double *z) {
  (void)t, (void)before, (void)z;
  const double *c = b->p + 2 + b->nx;
  double y = b->direct ? b->p[1] * u[0] : 0;
  for (int i = 0; i < b->nx; i++) y += c[i] * x[i];
  return y;
}

void lim_fraction_rates(double *rate, const lim_block_instance *b, const double *u, const double *x) {
  const double w = b->p[0], *a = b->p + 2;
  double first = u[0];
  for (int i = 0; i < b->nx; i++) first -= a[i] * x[i];
  for (int i = b->nx - 1; i > 0; i--) rate[i] = w * x[i - 1];
  if (b->nx) rate[0] = w * first;
}

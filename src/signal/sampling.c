// sampling.c - even times: checked, or made by cubics between the recorded ones.
#include "signal/sampling.h"

#include <math.h>
#include <stdlib.h>

static const double SAME = 1e-3; // of a step: times are even
static const double GAP = 10;    // steps

void lim_samples_even_free(lim_samples_even *s) {
  free(s->value);
  s->value = NULL;
}

static lim_code check(const double *t, const double *x, long rows, lim_error *err) {
  for (long i = 0; i < rows; i++) {
    if (!isfinite(t[i])) return LIM_FAIL(err, LIM_BAD_INPUT, "the time of row %ld is not a number", i + 1);
    if (!isfinite(x[i])) return LIM_FAIL(err, LIM_BAD_INPUT, "the value at t = %g s is not a number", t[i]);
    if (i && t[i] < t[i - 1])
      return LIM_FAIL(err, LIM_BAD_INPUT, "times must not fall, but %g s follows %g s", t[i], t[i - 1]);
  }
  return LIM_OK;
}

static bool is_even(const double *t, long n) {
  const double step = (t[n - 1] - t[0]) / (double)(n - 1);
  for (long i = 1; i < n; i++)
    if (!(fabs(t[i] - t[0] - (double)i * step) <= SAME * step)) return false;
  return true;
}

// Slope of the parabola through a point and its neighbours; of the straight line at the ends.
static double slope(const double *t, const double *x, long i, long n) {
  const long a = i > 0 ? i - 1 : 0, c = i < n - 1 ? i + 1 : i;
  if (a == i || c == i) return (x[c] - x[a]) / (t[c] - t[a]);
  const double h = t[i] - t[a], k = t[c] - t[i];
  return ((x[i] - x[a]) / h * k + (x[c] - x[i]) / k * h) / (h + k);
}

// Cubic of Hermite between points i and i + 1, s of the way.
static double between(const double *t, const double *x, long i, long n, double s) {
  const double h = t[i + 1] - t[i], a = h * slope(t, x, i, n), b = h * slope(t, x, i + 1, n),
               d = x[i + 1] - x[i];
  return x[i] + s * (a + s * (3 * d - 2 * a - b + s * (a + b - 2 * d)));
}

static lim_code resample(lim_samples_even *out, const double *t, const double *x, long n, lim_error *err) {
  double widest = 0;
  for (long i = 1; i < n; i++) widest = fmax(widest, t[i] - t[i - 1]);
  if (widest > GAP * out->step)
    return LIM_FAIL(
        err, LIM_BAD_INPUT,
        "times are too uneven for a spectrum: a gap of %g s among steps of %g s; choose a range without it",
        widest, out->step);
  long k = 0;
  for (long i = 0; i < n; i++) {
    const double at = t[0] + (double)i * out->step;
    while (k < n - 2 && t[k + 1] <= at) k++;
    out->value[i] = between(t, x, k, n, fmin((at - t[k]) / (t[k + 1] - t[k]), 1));
  }
  out->resampled = true;
  return LIM_OK;
}

// t, x (rows) without all but the last of equal times.
static long without_repeats(double *tt, double *xx, const double *t, const double *x, long rows) {
  long n = 0;
  for (long i = 0; i < rows; i++) {
    if (n && tt[n - 1] == t[i]) n--;
    tt[n] = t[i];
    xx[n++] = x[i];
  }
  return n;
}

lim_code lim_samples_even_out(lim_samples_even *out, const double *t, const double *x, long rows,
                              lim_error *err) {
  *out = (lim_samples_even){.count = 0};
  lim_code code = check(t, x, rows, err);
  if (code != LIM_OK) return code;
  double *scratch = calloc(2 * (size_t)rows + 1, sizeof *scratch);
  out->value = calloc((size_t)rows + 1, sizeof *out->value);
  if (!scratch || !out->value) {
    free(scratch);
    return lim_no_memory(err);
  }
  double *tt = scratch, *xx = scratch + rows;
  long n = without_repeats(tt, xx, t, x, rows);
  if (n > 3 && !is_even(tt, n) && is_even(tt, n - 1) && tt[n - 1] - tt[n - 2] < tt[n - 2] - tt[n - 3]) n--;
  out->count = n;
  out->start = n ? tt[0] : 0;
  out->step = n > 1 ? (tt[n - 1] - tt[0]) / (double)(n - 1) : 0;
  if (n < 2 || is_even(tt, n))
    for (long i = 0; i < n; i++) out->value[i] = xx[i];
  else
    code = resample(out, tt, xx, n, err);
  free(scratch);
  return code;
}

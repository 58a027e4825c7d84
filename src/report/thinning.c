// thinning.c - thinning that keeps extremes.
#include "report/thinning.h"

#include <math.h>
#include <string.h>

long lim_thin_rows(long rows, long max) { return rows <= max ? rows : max; }

// First row of interval k of n, which share all rows but the first and the last.
static long start_of(long k, long n, long rows) { return 1 + (long)((long long)k * (rows - 2) / n); }

// Rows of the smallest and the largest of x[from] .. x[to - 1]; `from` where all are NaN.
static void extremes(long row[2], const double *x, long from, long to) {
  row[0] = row[1] = from;
  for (long i = from; i < to; i++) {
    if (isnan(x[i])) continue;
    if (isnan(x[row[0]]) || x[i] < x[row[0]]) row[0] = i;
    if (isnan(x[row[1]]) || x[i] > x[row[1]]) row[1] = i;
  }
}

void lim_thin_values(double *out, const double *x, long rows, long kept) {
  long n = (kept - 2) / 2;
  if (kept == rows) {
    if (rows) memcpy(out, x, (size_t)rows * sizeof *out);
    return;
  }
  out[0] = x[0];
  for (long k = 0; k < n; k++) {
    long row[2];
    extremes(row, x, start_of(k, n, rows), start_of(k + 1, n, rows));
    int low = row[0] <= row[1] ? 0 : 1; // what comes first
    out[1 + 2 * k] = x[row[low]];
    out[2 + 2 * k] = x[row[1 - low]];
  }
  out[kept - 1] = x[rows - 1];
}

void lim_thin_times(double *out, const double *t, long rows, long kept) {
  long n = (kept - 2) / 2;
  if (kept == rows) {
    if (rows) memcpy(out, t, (size_t)rows * sizeof *out);
    return;
  }
  out[0] = t[0];
  for (long k = 0; k < n; k++) {
    long from = start_of(k, n, rows), to = start_of(k + 1, n, rows);
    out[1 + 2 * k] = t[from];
    out[2 + 2 * k] = t[to - 1];
  }
  out[kept - 1] = t[rows - 1];
}

long lim_thin_pick(long i, long kept, long count) {
  if (kept >= count || kept < 2) return i;
  return (long)(((long long)i * (count - 1) + (kept - 1) / 2) / (kept - 1));
}

// repeated.c - modes of one frequency: which of their combinations are shown. Theory: docs/theory/modes.md.
#include "analysis/vibration/repeated.h"

#include <math.h>
#include <string.h>

// Frequencies that differ by less of themselves are one: a change of stiffness that small turns their modes.
static const double SAME = 1e-6;
static const double TIE = 1e-6; // coordinates that move as far as the farthest: the first is taken

// Rates (moving x m) of the coordinates that m modes z move.
static void rates_of(double *rate, const lim_vibration *x, const double *z, int m) {
  const size_t N = (size_t)x->N, moving = (size_t)x->moving;
  if (!x->basis) memcpy(rate, z, N * (size_t)m * sizeof *rate);
  for (size_t k = 0; x->basis && k < (size_t)m; k++) {
    double *out = rate + k * moving;
    memset(out, 0, moving * sizeof *out);
    for (size_t j = 0; j < N; j++)
      for (size_t i = 0; i < moving; i++) out[i] += x->basis[j * moving + i] * z[k * N + j];
  }
}

// The coordinate that combinations of m modes can move farthest.
static int farthest(const double *rate, int moving, int m) {
  double most = 0;
  int at = 0;
  for (int i = 0; i < moving; i++) {
    double sum = 0;
    for (int k = 0; k < m; k++)
      sum += rate[(size_t)k * (size_t)moving + (size_t)i] * rate[(size_t)k * (size_t)moving + (size_t)i];
    if (sum <= most * (1 + TIE)) continue;
    most = sum;
    at = i;
  }
  return at;
}

// Columns (rows x m) combined by the reflection I - 2 u u'.
static void reflect(double *column, int rows, const double *u, int m) {
  for (int i = 0; i < rows; i++) {
    double sum = 0;
    for (int k = 0; k < m; k++) sum += u[k] * column[(size_t)k * (size_t)rows + (size_t)i];
    for (int k = 0; k < m; k++) column[(size_t)k * (size_t)rows + (size_t)i] -= 2 * sum * u[k];
  }
}

// The unit vector u whose reflection takes row `at` of the rates to its first column; false: it is there.
static bool reflection(double *u, const double *rate, int moving, int m, int at) {
  double sum = 0, size = 0;
  for (int k = 0; k < m; k++) {
    u[k] = rate[(size_t)k * (size_t)moving + (size_t)at];
    sum += u[k] * u[k];
  }
  u[0] += copysign(sqrt(sum), u[0]);
  for (int k = 0; k < m; k++) size += u[k] * u[k];
  if (size == 0) return false;
  for (int k = 0; k < m; k++) u[k] /= sqrt(size);
  return true;
}

// One group of m modes; rate (moving x m) and u (m) are scratch.
static void settle(double *z, const lim_vibration *x, int m, double *rate, double *u) {
  rates_of(rate, x, z, m);
  for (int k = 0; k < m - 1; k++) {
    double *rest = rate + (size_t)k * (size_t)x->moving;
    int at = farthest(rest, x->moving, m - k);
    if (!reflection(u, rest, x->moving, m - k, at)) continue;
    reflect(rest, x->moving, u, m - k);
    reflect(z + (size_t)k * (size_t)x->N, x->N, u, m - k);
  }
}

lim_code lim_repeated_modes(double *z, lim_vibration *x, const double *lambda, int n, lim_error *err) {
  lim_arena scratch = {0};
  lim_code code = LIM_OK;
  for (int first = 0, next; code == LIM_OK && first < n; first = next) {
    next = first + 1; // frequencies go with the roots of lambda
    while (next < n && lambda[first] > 0 && lambda[next] - lambda[next - 1] <= 2 * SAME * lambda[next]) next++;
    int m = next - first;
    if (m == 1) continue;
    double *rate = lim_arena_array(&scratch, (size_t)x->moving * (size_t)m, sizeof *rate);
    double *u = lim_arena_array(&scratch, (size_t)m, sizeof *u);
    if (rate && u)
      settle(z + (size_t)first * (size_t)x->N, x, m, rate, u);
    else
      code = lim_no_memory(err);
  }
  lim_arena_free(&scratch);
  return code;
}

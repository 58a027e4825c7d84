// anderson.c - of all steps within the span of the last differences, the one whose correction would be
// smallest.
#include "math/anderson.h"

#include "math/packed.h"

#include <string.h>

bool lim_anderson_allocate(lim_anderson *a, lim_arena *arena, int n) {
  size_t size = (size_t)n;
  *a = (lim_anderson){.n = n};
  a->dx = lim_arena_array(arena, size * LIM_ANDERSON_DEPTH, sizeof *a->dx);
  a->dg = lim_arena_array(arena, size * LIM_ANDERSON_DEPTH, sizeof *a->dg);
  a->x = lim_arena_array(arena, size, sizeof *a->x);
  a->g = lim_arena_array(arena, size, sizeof *a->g);
  return a->dx && a->dg && a->x && a->g;
}

// Least squares |g - dG c| by the normal equations of m columns, pivot by pivot; a column that adds nothing
// gets 0.
static void least_squares(double *c, const lim_anderson *a, const double *g, const double *weight, int m) {
  double A[LIM_ANDERSON_DEPTH][LIM_ANDERSON_DEPTH + 1];
  for (int i = 0; i < m; i++) {
    const double *gi = a->dg + (size_t)i * (size_t)a->n;
    for (int j = 0; j <= i; j++)
      A[i][j] = A[j][i] = lim_packed_product(gi, a->dg + (size_t)j * (size_t)a->n, weight, a->n);
    A[i][m] = lim_packed_product(gi, g, weight, a->n);
  }
  double diagonal[LIM_ANDERSON_DEPTH];
  for (int i = 0; i < m; i++) diagonal[i] = A[i][i];
  for (int k = 0; k < m; k++) {
    bool usable = A[k][k] > 1e-10 * diagonal[k];
    for (int i = 0; i < m; i++) {
      if (i == k) continue;
      double factor = usable ? A[i][k] / A[k][k] : 0;
      for (int j = k; j <= m; j++) A[i][j] -= factor * A[k][j];
      if (!usable) A[i][k] = 0;
    }
    if (!usable) { // drop the column
      for (int j = 0; j <= m; j++) A[k][j] = 0;
      A[k][k] = 1;
    }
  }
  for (int k = 0; k < m; k++) c[k] = A[k][m] / A[k][k];
}

void lim_anderson_next(double *x, lim_anderson *a, const double *g, const double *weight) {
  size_t n = (size_t)a->n;
  int m = a->count < LIM_ANDERSON_DEPTH ? a->count : LIM_ANDERSON_DEPTH;
  if (a->count) {
    const size_t slot = (size_t)((a->count - 1) % LIM_ANDERSON_DEPTH) * n;
    lim_packed_axpy(a->dx + slot, x, -1, a->x, a->n);
    lim_packed_axpy(a->dg + slot, g, -1, a->g, a->n);
  }
  memcpy(a->x, x, n * sizeof *x);
  memcpy(a->g, g, n * sizeof *g);
  a->count++;
  double c[LIM_ANDERSON_DEPTH] = {0};
  if (m) least_squares(c, a, g, weight, m);
  lim_packed_axpy(x, x, 1, g, a->n);
  for (int k = 0; k < m; k++)
    lim_packed_sum3(x, 1, x, -c[k], a->dx + (size_t)k * n, -c[k], a->dg + (size_t)k * n, a->n);
}

// sparse.c - matrices by rows of their nonzero entries.
#include "body/sparse.h"

#include <math.h>

// A: entry (i, j) at i down + j along.
static bool gather(lim_sparse *out, lim_arena *arena, const double *A, int rows, int columns, int down,
                   int along) {
  double largest = 0;
  int count = 0;
  for (int i = 0; i < rows * columns; i++) largest = fmax(largest, fabs(A[i]));
  for (int i = 0; i < rows * columns; i++) count += fabs(A[i]) > 1e-15 * largest;
  *out = (lim_sparse){.n = rows, .start = lim_arena_array(arena, (size_t)rows + 1, sizeof *out->start)};
  out->column = lim_arena_array(arena, (size_t)count, sizeof *out->column);
  out->value = lim_arena_array(arena, (size_t)count, sizeof *out->value);
  if (!out->start || !out->column || !out->value) return false;
  count = 0;
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < columns; j++) {
      const double x = A[i * down + j * along];
      if (!(fabs(x) > 1e-15 * largest)) continue;
      out->column[count] = j;
      out->value[count++] = x;
    }
    out->start[i + 1] = count;
  }
  return true;
}

bool lim_sparse_of(lim_sparse *out, lim_arena *arena, const double *A, int n) {
  return gather(out, arena, A, n, n, 1, n);
}

bool lim_sparse_rows(lim_sparse *out, lim_arena *arena, const double *A, int rows, int columns) {
  return gather(out, arena, A, rows, columns, columns, 1);
}

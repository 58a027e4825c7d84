// sparse.h - matrices by rows of their nonzero entries.
#ifndef LIM_BODY_SPARSE_H
#define LIM_BODY_SPARSE_H

#include "base/arena.h"

#include <stdbool.h>

typedef struct {
  int n;         // rows
  int *start;    // of each row in column and value    (n + 1)
  int *column;   // (start[n])
  double *value; // (start[n])
} lim_sparse;

// Rows of the nonzeros of A (n x n by columns): what is above 1e-15 of its largest. False: out of memory.
bool lim_sparse_of(lim_sparse *out, lim_arena *arena, const double *A, int n);

// The same of A (rows x columns by rows).
bool lim_sparse_rows(lim_sparse *out, lim_arena *arena, const double *A, int rows, int columns);

#endif

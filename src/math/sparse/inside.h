// inside.h - what files of math/sparse share: the lock, and what is called while it is held.
#ifndef LIM_MATH_SPARSE_INSIDE_H
#define LIM_MATH_SPARSE_INSIDE_H

#include "math/sparse/factor.h"

#include <stdbool.h>

// One lock for MUMPS and ARPACK, which keep numbers of their own between calls; BLAS, which they call, has one
// thread meanwhile.
void lim_sparse_lock(void);
void lim_sparse_unlock(void);

int lim_factor_rows(const lim_factor *f);

// With the lock.
lim_code lim_factor_solve_locked(lim_factor *f, double *x, int count, lim_error *err);

// Modes of the pencil A = K - sigma M, M.
typedef struct {
  lim_factor *factor; // of A, perhaps bordered
  const lim_symmetric *M;
  double sigma;
  int n, rows;    // of M, of the factor
  int count;      // modes asked for
  double *padded; // right-hand sides of the factor    (rows x LIM_SPARSE_BLOCK)
} lim_sparse_pencil;

enum { LIM_SPARSE_BLOCK = 32 }; // right-hand sides that are solved at once

// Y (n x count) = A^-1 B where the constraints hold; Y may be B.
lim_code lim_sparse_invert(const lim_sparse_pencil *p, double *Y, const double *B, int count, lim_error *err);

// The modes within A^-1 F, F (n x width): all there are where M = F F', or those in the space of X where F = M
// X and X'M X = 1.
lim_code lim_sparse_subspace(double *lambda, double *x, const lim_sparse_pencil *p, const double *F, int width,
                             lim_error *err);

// The modes by Lanczos' method in blocks; *done: false where they are not found in as many vectors as it may
// have.
lim_code lim_sparse_krylov(double *lambda, double *x, bool *done, const lim_sparse_pencil *p, lim_error *err);

#endif

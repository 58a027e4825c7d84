// band.h - symmetric band matrices: what the elements of a beam assemble to.
//
// Storage is LAPACK's lower band: entry (i, j), j <= i <= j + width, stands at a[i - j + j (width + 1)].
#ifndef LIM_MATH_BAND_H
#define LIM_MATH_BAND_H

#include "base/arena.h"
#include "base/error.h"

typedef struct {
  int n;     // rows
  int width; // entries below the diagonal
  double *a; // (n columns of width + 1)
} lim_band;

// A zero matrix; a is NULL when memory is out.
lim_band lim_band_new(lim_arena *arena, int n, int width);

void lim_band_zero(lim_band b);
void lim_band_copy(lim_band to, lim_band from);           // equal n and width
void lim_band_sum(lim_band to, double alpha, lim_band b); // to += alpha b; equal n and width
double lim_band_get(lim_band b, int i, int j);            // 0 outside the band
void lim_band_add(lim_band b, int i, int j, double x);    // entry (i, j) and its mirror; |i - j| <= width

// Add the symmetric k x k block at rows and columns first .. first + k - 1, k <= width + 1.
void lim_band_add_block(lim_band b, int first, const double *block, int k);

// y = alpha B x + beta y
void lim_band_times(double *y, double alpha, lim_band b, const double *x, double beta);

// x' B y
double lim_band_product(lim_band b, const double *x, const double *y);

// The matrix without its first rows and columns: a view, nothing is copied. A link clamped at its first node
// is the tail from coordinate 6.
lim_band lim_band_tail(lim_band b, int first);

// Dense copies: the whole matrix (n x n), or the rows and columns listed in index (k x k).
void lim_band_dense(double *out, lim_band b);
void lim_band_gather(double *out, lim_band b, const int *index, int k);

// Cholesky factor in place, then solutions of B X = F in place, X (n x count) by columns. Fails when B is not
// positive definite.
lim_code lim_band_factor(lim_band b, lim_error *err);
void lim_band_solve(lim_band factor, double *x, int count);

#endif

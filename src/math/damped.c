// damped.c - the quadratic eigenvalue problem in modal coordinates, as a first-order one of twice the size.
// Theory: docs/theory/modes.md (6), (9).
#include "math/damped.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>

// A = [0 1; -diag(lambda) -C], its eigenvalues re + i im and right vectors V, by columns.
typedef struct {
  int n;
  double *A, *V, *re, *im;
} problem;

static int by_omega(const void *a, const void *b) {
  double x = ((const lim_damped *)a)->omega, y = ((const lim_damped *)b)->omega;
  return (x > y) - (x < y);
}

// The largest of the first n entries of vector k; of a complex one, which takes two columns, by size.
static int largest_entry(const problem *p, int k) {
  const double *re = p->V + (size_t)k * 2 * (size_t)p->n, *im = p->im[k] != 0 ? re + 2 * (size_t)p->n : NULL;
  int best = 0;
  double most = -1;
  for (int i = 0; i < p->n; i++) {
    double size = im ? hypot(re[i], im[i]) : fabs(re[i]);
    if (size > most) {
      most = size;
      best = i;
    }
  }
  return best;
}

// Below n rows of [0 1]: -K and -C; K (n x n), or the diagonal lambda where it is NULL.
static void fill_matrix(problem *p, const double *lambda, const double *K, const double *C) {
  size_t n = (size_t)p->n;
  for (size_t j = 0; j < n; j++) {
    p->A[(j + n) * 2 * n + j] = 1;
    if (!K) p->A[j * 2 * n + n + j] = -lambda[j];
    for (size_t i = 0; i < n; i++) {
      if (K) p->A[j * 2 * n + n + i] = -K[j * n + i];
      p->A[(j + n) * 2 * n + n + i] = -C[j * n + i];
    }
  }
}

// One mode per complex pair; real eigenvalues wait in `real` (omega holds the eigenvalue) to be paired.
static int gather(lim_damped *out, lim_damped *real, const problem *p) {
  int found = 0, reals = 0;
  for (int k = 0; k < 2 * p->n; k++) {
    double size = hypot(p->re[k], p->im[k]);
    if (p->im[k] > 0) out[found++] = (lim_damped){size, size > 0 ? -p->re[k] / size : 0, largest_entry(p, k)};
    if (p->im[k] == 0) real[reals++] = (lim_damped){p->re[k], 0, largest_entry(p, k)};
  }
  qsort(real, (size_t)reals, sizeof *real, by_omega);
  for (int i = 0; i + 1 < reals; i += 2) {
    double a = real[i].omega, b = real[i + 1].omega, omega = a * b > 0 ? sqrt(a * b) : 0;
    out[found++] = (lim_damped){omega, omega > 0 ? -(a + b) / (2 * omega) : 0, real[i + 1].most};
  }
  return found;
}

// --- any K and C ---

// Eigenvalues come with rounding of about 1e-16 of the largest; a double 0 has its root.
static const double ZERO = 1e-7, GROWS = 1e-10;

// Real eigenvalues, ascending: each that grows leaves with the one that decays like it (s = +-sigma); the rest
// is paired with its neighbour. Returns how many grow.
static int pair_reals(lim_damped *out, int *found, const lim_damped *real, int reals) {
  int first = 0, last = reals, grow = 0;
  while (last > first && real[last - 1].omega > 0) {
    last--;
    grow++;
    if (first < last && real[first].omega < 0) first++;
  }
  for (int i = first; i + 1 < last; i += 2) {
    double a = real[i].omega, b = real[i + 1].omega, omega = sqrt(a * b);
    out[(*found)++] = (lim_damped){omega, -(a + b) / (2 * omega), real[i + 1].most};
  }
  return grow;
}

static void sort_out(lim_damped *out, lim_general_count *count, lim_damped *real, const problem *p) {
  int reals = 0, zeros = 0;
  double largest = 0;
  for (int k = 0; k < 2 * p->n; k++) largest = fmax(largest, hypot(p->re[k], p->im[k]));
  for (int k = 0; k < 2 * p->n; k++) {
    double size = hypot(p->re[k], p->im[k]), re = p->re[k];
    if (size <= ZERO * largest)
      zeros++;
    else if (p->im[k] == 0)
      real[reals++] = (lim_damped){re, 0, largest_entry(p, k)};
    else if (p->im[k] > 0 && re > ZERO * size + GROWS * largest)
      count->unstable++;
    else if (p->im[k] > 0)
      out[count->found++] = (lim_damped){size, -re / size, largest_entry(p, k)};
  }
  count->rigid = (zeros + 1) / 2;
  qsort(real, (size_t)reals, sizeof *real, by_omega);
  count->unstable += pair_reals(out, &count->found, real, reals);
  qsort(out, (size_t)count->found, sizeof *out, by_omega);
}

// --- interface ---

// Solve, then gather modes: of the general problem where count is not NULL.
static lim_code solve(lim_damped *out, lim_general_count *count, const double *lambda, const double *K,
                      const double *C, int n, lim_error *err) {
  if (n == 0) return LIM_OK;
  size_t n2 = 2 * (size_t)n;
  double *room = calloc(2 * n2 * n2 + 2 * n2, sizeof *room);
  lim_damped *real = calloc(n2, sizeof *real);
  lim_code code = room && real ? LIM_OK : LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  if (code == LIM_OK) {
    problem p = {n, room, room + n2 * n2, room + 2 * n2 * n2, room + 2 * n2 * n2 + n2};
    fill_matrix(&p, lambda, K, C);
    if (LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'V', 2 * n, p.A, 2 * n, p.re, p.im, NULL, 1, p.V, 2 * n))
      code = LIM_FAIL(err, LIM_FAILED, "the damped modes did not converge");
    else if (count)
      sort_out(out, count, real, &p);
    else
      qsort(out, (size_t)gather(out, real, &p), sizeof *out, by_omega);
  }
  free(real);
  free(room);
  return code;
}

lim_code lim_damped_modes(lim_damped *out, const double *lambda, const double *C, int n, lim_error *err) {
  return solve(out, NULL, lambda, NULL, C, n, err);
}

lim_code lim_general_modes(lim_damped *out, lim_general_count *count, const double *K, const double *C, int n,
                           lim_error *err) {
  *count = (lim_general_count){0};
  return solve(out, count, NULL, K, C, n, err);
}

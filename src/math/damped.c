// damped.c - the quadratic eigenvalue problem in modal coordinates, as a first-order one of twice the size.
// Theory: docs/theory/modes.md (8), (9).
#include "math/damped.h"

#include <lapacke.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// A = [0 1; -diag(lambda) -C], its eigenvalues re + i im and right vectors V, by columns. With states of first
// order [0 1 0; -K -C F; E G A].
typedef struct {
  int n, size; // size: 2 n and the states
  double *A, *V, *re, *im;
} problem;

static int by_omega(const void *a, const void *b) {
  double x = ((const lim_damped *)a)->omega, y = ((const lim_damped *)b)->omega;
  return (x > y) - (x < y);
}

// The largest of the first n entries of vector k; of a complex one, which takes two columns, by size.
static int largest_entry(const problem *p, int k) {
  const double *re = p->V + (size_t)k * (size_t)p->size, *im = re + p->size;
  int best = 0;
  double most = -1;
  for (int i = 0; i < p->n; i++) {
    double size = p->im[k] != 0 ? hypot(re[i], im[i]) : fabs(re[i]);
    if (size > most) {
      most = size;
      best = i;
    }
  }
  return best;
}

// Below n rows of [0 1]: -diag(lambda) and -C.
static void fill_diagonal(problem *p, const double *lambda, const double *C) {
  size_t n = (size_t)p->n;
  for (size_t j = 0; j < n; j++) {
    p->A[(j + n) * 2 * n + j] = 1;
    p->A[j * 2 * n + n + j] = -lambda[j];
    for (size_t i = 0; i < n; i++) p->A[(j + n) * 2 * n + n + i] = -C[j * n + i];
  }
}

// The same with -K, and states.
static void fill_general(problem *p, const double *K, const double *C, const lim_damped_states *y) {
  const size_t n = (size_t)p->n, size = (size_t)p->size, states = size - 2 * n;
  for (size_t j = 0; j < n; j++) {
    p->A[(j + n) * size + j] = 1;
    for (size_t i = 0; i < n; i++) {
      p->A[j * size + n + i] = -K[j * n + i];
      p->A[(j + n) * size + n + i] = -C[j * n + i];
    }
    for (size_t i = 0; i < states; i++) {
      p->A[j * size + 2 * n + i] = y->E[j * states + i];
      p->A[(j + n) * size + 2 * n + i] = y->G[j * states + i];
    }
  }
  for (size_t j = 0; j < states; j++) {
    for (size_t i = 0; i < n; i++) p->A[(2 * n + j) * size + n + i] = y->F[j * n + i];
    for (size_t i = 0; i < states; i++) p->A[(2 * n + j) * size + 2 * n + i] = y->A[j * states + i];
  }
}

// Move the partner of real[i] behind it: the one in which the same coordinate moves most, which is right
// wherever damping does not couple the modes; else its neighbour in size stays.
static void bring_partner(lim_damped *real, int i, int reals) {
  for (int k = i + 1; k < reals; k++) {
    if (real[k].most != real[i].most) continue;
    lim_damped partner = real[k];
    memmove(&real[i + 2], &real[i + 1], (size_t)(k - i - 1) * sizeof *real);
    real[i + 1] = partner;
    return;
  }
}

// One mode per complex pair; real eigenvalues wait in `real` (omega holds the eigenvalue) to be paired.
static int gather(lim_damped *out, lim_damped *real, const problem *p) {
  int found = 0, reals = 0;
  for (int k = 0; k < p->size; k++) {
    double size = hypot(p->re[k], p->im[k]);
    if (p->im[k] > 0) out[found++] = (lim_damped){size, size > 0 ? -p->re[k] / size : 0, largest_entry(p, k)};
    if (p->im[k] == 0) real[reals++] = (lim_damped){p->re[k], 0, largest_entry(p, k)};
  }
  qsort(real, (size_t)reals, sizeof *real, by_omega);
  for (int i = 0; i + 1 < reals; i += 2) {
    bring_partner(real, i, reals);
    double a = real[i].omega, b = real[i + 1].omega, omega = a * b > 0 ? sqrt(a * b) : 0;
    out[found++] = (lim_damped){omega, omega > 0 ? -(a + b) / (2 * omega) : 0, real[i + 1].most};
  }
  return found;
}

// --- any K and C ---

// Eigenvalues come with rounding of about 1e-16 of the largest; a double 0 has its root.
static const double ZERO = 1e-6, GROWS = 1e-10;

// Whether eigenvalue k is among the `most` smallest, and no more than rounding.
static bool is_zero(const problem *p, int k, int most, double largest) {
  double size = hypot(p->re[k], p->im[k]);
  int smaller = 0;
  for (int i = 0; i < p->size; i++) smaller += hypot(p->re[i], p->im[i]) < size;
  return smaller < most && size <= ZERO * largest;
}

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
  int reals = 0, zeros = 0, most = 2 * count->rigid;
  double largest = 0;
  for (int k = 0; k < p->size; k++) largest = fmax(largest, hypot(p->re[k], p->im[k]));
  for (int k = 0; k < p->size; k++) {
    double size = hypot(p->re[k], p->im[k]), re = p->re[k];
    if (is_zero(p, k, most, largest))
      zeros++;
    else if (p->im[k] == 0)
      real[reals++] = (lim_damped){re, 0, largest_entry(p, k)};
    else if (p->im[k] > 0 && re > 1e-7 * size + GROWS * largest)
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

static lim_code start(problem *p, lim_damped **real, int n, int states, lim_error *err) {
  size_t n2 = 2 * (size_t)n + (size_t)states;
  double *room = calloc(2 * n2 * n2 + 2 * n2, sizeof *room);
  *real = calloc(n2, sizeof **real);
  if (!room || !*real) {
    free(room);
    free(*real);
    return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  }
  *p = (problem){n, (int)n2, room, room + n2 * n2, room + 2 * n2 * n2, room + 2 * n2 * n2 + n2};
  return LIM_OK;
}

static lim_code eigenvalues(problem *p, lim_error *err) {
  int n2 = p->size;
  if (LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'V', n2, p->A, n2, p->re, p->im, NULL, 1, p->V, n2))
    return LIM_FAIL(err, LIM_FAILED, "the damped modes did not converge");
  return LIM_OK;
}

lim_code lim_damped_modes(lim_damped *out, const double *lambda, const double *C, int n, lim_error *err) {
  problem p;
  lim_damped *real;
  if (n == 0) return LIM_OK;
  lim_code code = start(&p, &real, n, 0, err);
  if (code != LIM_OK) return code;
  fill_diagonal(&p, lambda, C);
  code = eigenvalues(&p, err);
  if (code == LIM_OK) qsort(out, (size_t)gather(out, real, &p), sizeof *out, by_omega);
  free(real);
  free(p.A);
  return code;
}

lim_code lim_general_modes(lim_damped *out, lim_general_count *count, const double *K, const double *C, int n,
                           int rigid, const lim_damped_states *states, lim_error *err) {
  problem p;
  lim_damped *real;
  *count = (lim_general_count){.rigid = rigid};
  if (n == 0) return LIM_OK;
  lim_code code = start(&p, &real, n, states ? states->n : 0, err);
  if (code != LIM_OK) return code;
  fill_general(&p, K, C, states);
  code = eigenvalues(&p, err);
  if (code == LIM_OK) sort_out(out, count, real, &p);
  free(real);
  free(p.A);
  return code;
}

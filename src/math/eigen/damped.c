// damped.c - the quadratic eigenvalue problem in modal coordinates, as a first-order one of twice the size.
// Theory: docs/theory/modes.md (8), (9).
#include "math/eigen/damped.h"

#include "math/lapack.h"

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
  double max = -1;
  for (int i = 0; i < p->n; i++) {
    double size = p->im[k] != 0 ? hypot(re[i], im[i]) : fabs(re[i]);
    if (size > max) {
      max = size;
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

// Two eigenvalues that are one come with an error of the root of rounding.
static const double CRITICAL = 1e-6;

// A complex pair.
static lim_damped swinging(const problem *p, int k) {
  double size = hypot(p->re[k], p->im[k]), zeta = size > 0 ? -p->re[k] / size : 0;
  if (fabs(p->im[k]) <= CRITICAL * size) zeta = copysign(1, zeta);
  return (lim_damped){size, zeta, largest_entry(p, k), false};
}

// The double of a real value among those after it: the same number, in which the same coordinate moves most.
static int double_of(const lim_damped *real, int i, int reals) {
  for (int k = i + 1; k < reals && real[k].omega - real[i].omega <= CRITICAL * fabs(real[i].omega); k++)
    if (real[k].max == real[i].max) return k;
  return -1;
}

// Decaying real values, ascending (omega holds the eigenvalue): critically damped pairs, and single ones.
static int add_reals(lim_damped *out, lim_damped *real, int reals) {
  int found = 0;
  for (int i = 0; i < reals; i++) {
    int twin = double_of(real, i, reals);
    double omega = -real[i].omega;
    if (twin >= 0) {
      omega = sqrt(real[i].omega * real[twin].omega);
      memmove(&real[twin], &real[twin + 1], (size_t)(--reals - twin) * sizeof *real);
    }
    out[found++] = (lim_damped){omega, 1, real[i].max, twin < 0};
  }
  return found;
}

// One mode per complex pair, then the real eigenvalues.
static int gather(lim_damped *out, lim_damped *real, const problem *p) {
  int found = 0, reals = 0;
  for (int k = 0; k < p->size; k++) {
    if (p->im[k] > 0) out[found++] = swinging(p, k);
    if (p->im[k] == 0) real[reals++] = (lim_damped){p->re[k], 0, largest_entry(p, k), true};
  }
  qsort(real, (size_t)reals, sizeof *real, by_omega);
  return found + add_reals(out + found, real, reals);
}

// --- any K and C ---

// Eigenvalues come with rounding of about 1e-16 of the largest; a double 0 has its root.
static const double ZERO = 1e-6, GROWS = 1e-10;

// Whether eigenvalue k is among the `most` smallest, and no more than rounding.
static bool is_zero(const problem *p, int k, int max, double largest) {
  double size = hypot(p->re[k], p->im[k]);
  int smaller = 0;
  for (int i = 0; i < p->size; i++) smaller += hypot(p->re[i], p->im[i]) < size;
  return smaller < max && size <= ZERO * largest;
}

// One more that grows.
static void add_growing(lim_general_count *count, double growth, double swing, int most) {
  count->unstable++;
  if (!(growth > count->growth)) return;
  count->growth = growth;
  count->swing = swing;
  count->most = most;
}

// Real eigenvalues, ascending, become those that decay: each that grows leaves with the one that decays most
// like it (s = +-sigma).
static void part_reals(lim_general_count *count, lim_damped *real, int *reals) {
  while (*reals > 0 && real[*reals - 1].omega > 0) {
    double sigma = real[--*reals].omega;
    int like = -1;
    add_growing(count, sigma, 0, real[*reals].max);
    for (int i = 0; i < *reals && real[i].omega < 0; i++)
      if (like < 0 || fabs(real[i].omega + sigma) < fabs(real[like].omega + sigma)) like = i;
    if (like >= 0) memmove(&real[like], &real[like + 1], (size_t)(--*reals - like) * sizeof *real);
  }
}

static void sort_out(lim_damped *out, lim_general_count *count, lim_damped *real, const problem *p) {
  int reals = 0, zeros = 0, max = 2 * count->rigid;
  double largest = 0;
  for (int k = 0; k < p->size; k++) largest = fmax(largest, hypot(p->re[k], p->im[k]));
  for (int k = 0; k < p->size; k++) {
    double size = hypot(p->re[k], p->im[k]), re = p->re[k];
    if (is_zero(p, k, max, largest))
      zeros++;
    else if (p->im[k] == 0)
      real[reals++] = (lim_damped){re, 0, largest_entry(p, k), true};
    else if (p->im[k] > 0 && re > 1e-7 * size + GROWS * largest)
      add_growing(count, re, p->im[k], largest_entry(p, k));
    else if (p->im[k] > 0)
      out[count->found++] = swinging(p, k);
  }
  count->rigid = (zeros + 1) / 2;
  qsort(real, (size_t)reals, sizeof *real, by_omega);
  part_reals(count, real, &reals);
  count->found += add_reals(out + count->found, real, reals);
}

// --- equal frequencies ---

// Modes that agree to this share are equal up to rounding.
static const double EQUAL = 1e-9;

static int by_most(const void *a, const void *b) {
  const lim_damped *x = a, *y = b;
  return (x->max > y->max) - (x->max < y->max);
}

static bool same(double a, double b, double scale) { return fabs(a - b) <= EQUAL * scale; }

// Modes equal in all may come as any mixture of theirs: each gets a coordinate of its own among those of the
// same stiffness, K with `stride` between the entries of its diagonal.
static void share_coordinates(lim_damped *group, int count, const double *K, int stride, int n) {
  int first = group[0].max, next = 0, alike = 0;
  for (int i = 0; i < count; i++) {
    if (!same(group[i].zeta, group[0].zeta, 1) || group[i].decays != group[0].decays) return;
    if (group[i].max < first) first = group[i].max;
  }
  double k = K[(size_t)first * (size_t)stride];
  for (int i = 0; i < n; i++) alike += same(K[(size_t)i * (size_t)stride], k, fabs(k));
  if (alike != count) return;
  for (int i = 0; i < n; i++)
    if (same(K[(size_t)i * (size_t)stride], k, fabs(k))) group[next++].max = i;
}

// Ascending by omega, and equal ones in the order of their coordinates: rounding decides nothing.
static void put_in_order(lim_damped *out, int found, const double *K, int stride, int n) {
  qsort(out, (size_t)found, sizeof *out, by_omega);
  for (int first = 0, last; first < found; first = last) {
    last = first + 1;
    while (last < found && same(out[last].omega, out[last - 1].omega, out[last].omega)) last++;
    if (last - first == 1) continue;
    share_coordinates(out + first, last - first, K, stride, n);
    qsort(out + first, (size_t)(last - first), sizeof *out, by_most);
  }
}

// --- interface ---

static lim_code start(problem *p, lim_damped **real, int n, int states, lim_error *err) {
  size_t n2 = 2 * (size_t)n + (size_t)states;
  double *scratch = calloc(2 * n2 * n2 + 2 * n2, sizeof *scratch);
  *real = calloc(n2, sizeof **real);
  if (!scratch || !*real) {
    free(scratch);
    free(*real);
    return lim_no_memory(err);
  }
  *p = (problem){n, (int)n2, scratch, scratch + n2 * n2, scratch + 2 * n2 * n2, scratch + 2 * n2 * n2 + n2};
  return LIM_OK;
}

static lim_code eigenvalues(problem *p, lim_error *err) {
  int n2 = p->size;
  return lim_lapack_code(lim_dgeev(n2, p->A, n2, p->re, p->im, p->V, n2), "the damped modes did not converge",
                         err);
}

lim_code lim_damped_modes(lim_damped *out, int *found, const double *lambda, const double *C, int n,
                          lim_error *err) {
  problem p;
  lim_damped *real;
  *found = 0;
  if (n == 0) return LIM_OK;
  lim_code code = start(&p, &real, n, 0, err);
  if (code != LIM_OK) return code;
  fill_diagonal(&p, lambda, C);
  code = eigenvalues(&p, err);
  if (code == LIM_OK) *found = gather(out, real, &p);
  put_in_order(out, *found, lambda, 1, n);
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
  put_in_order(out, count->found, K, n + 1, n);
  free(real);
  free(p.A);
  return code;
}

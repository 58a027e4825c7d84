// eigen.c - the lowest modes of K x = lambda M x. Theory: docs/theory/beam.md (31)-(35).
//
// The problem is turned round and shifted, M x = mu (K + sigma M) x with mu = 1/(lambda + sigma), so that the
// lowest modes are the largest mu. With the factors K + sigma M = L L' and M = G G' it is the singular value
// problem of C = L^-1 G: mu = s^2, x = L^-T u/s. Working on C instead of C C' squares nothing: a spread of 1e6
// between the frequencies costs 6 digits of the highest mode, not 12, and none of the lowest.
#include "math/eigen/eigen.h"

#include "base/arena.h"
#include "math/blas.h"
#include "math/lapack.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// A pivot of the Cholesky factor below this part of its diagonal entry counts as zero.
static const double PIVOT = 1e-12;
// Singular values that agree to this share are equal; coordinates that move equally far, by mass, tie.
static const double EQUAL = 1e-10, TIE = 1e-6;

typedef struct {
  int n, rank; // coordinates, rank of M
  const double *K, *M;
  double sigma;       // shift [1/s^2]
  double *L;          // Cholesky factor of K + sigma M                     (n x n)
  double *G;          // M = G G'                                           (n x rank)
  double *C, *U, *VT; // L^-1 G, its left and right singular vectors        (n x n each)
  double *s;          // singular values, descending                        (n)
  double *lambda;     // of the modes, ascending                            (n)
  double *work;       // of LAPACK                                          (nwork)
  int nwork, *whole;  // the same                                           (8 n)
  int *order;         // of the pivots                                      (n)
} problem;

struct lim_eigen_work {
  lim_arena arena;
  problem p;
};

static bool allocate(problem *p, lim_arena *arena) {
  size_t n = (size_t)p->n;
  double **matrix[] = {&p->L, &p->G, &p->C, &p->U, &p->VT};
  for (size_t k = 0; k < sizeof matrix / sizeof *matrix; k++)
    if (!(*matrix[k] = lim_arena_array(arena, n * n, sizeof(double)))) return false;
  double best = 0; // what dgesdd would like, which is no less than what smaller problems need
  lim_dgesdd('S', p->n, p->n, NULL, p->n, NULL, NULL, p->n, NULL, p->n, &best, -1, NULL);
  p->nwork = (int)fmax(best, 4.0 * p->n * p->n + 7.0 * p->n);
  p->work = lim_arena_array(arena, (size_t)p->nwork, sizeof *p->work);
  p->order = lim_arena_array(arena, 9 * n, sizeof *p->order);
  p->s = lim_arena_array(arena, 2 * n, sizeof *p->s);
  if (!p->work || !p->order || !p->s) return false;
  p->whole = p->order + n;
  p->lambda = p->s + n;
  return true;
}

// sqrt(M_ii), 1 where there is no mass: scaling makes the rank independent of units.
static double scale(const problem *p, int i) {
  double m = p->M[(size_t)i * (size_t)(p->n + 1)];
  return m > 0 ? sqrt(m) : 1;
}

// Pivoted Cholesky of the scaled M; undoing scaling and order of rows gives G. Uses U as scratch.
static bool factor_mass(problem *p) {
  int n = p->n, *order = p->order;
  double *A = p->U;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) A[j * n + i] = p->M[j * n + i] / (scale(p, i) * scale(p, j));
  for (int i = 0; i < n * n; i++)
    if (!isfinite(A[i])) return false;
  if (lim_dpstrf(n, A, n, order, &p->rank, -1, p->work) < 0) return false;
  memset(p->G, 0, (size_t)n * (size_t)n * sizeof *p->G);
  for (int j = 0; j < p->rank; j++)
    for (int i = j; i < n; i++) {
      int row = order[i] - 1;
      p->G[j * n + row] = A[j * n + i] * scale(p, row);
    }
  return true;
}

// L L' = K + sigma M; false if it is not safely positive definite.
static bool factor_shifted(problem *p, double sigma) {
  int n = p->n;
  p->sigma = sigma;
  for (int i = 0; i < n * n; i++) p->L[i] = p->K[i] + sigma * p->M[i];
  if (lim_dpotrf(n, p->L, n) != 0) return false;
  for (int i = 0; i < n; i++) {
    double pivot = p->L[i * n + i], entry = p->K[i * n + i] + sigma * p->M[i * n + i];
    if (!(pivot * pivot > PIVOT * entry)) return false;
  }
  return true;
}

// C = L^-1 G = U S V'; only S unless vectors are wanted.
static bool decompose(problem *p, bool vectors) {
  int n = p->n, r = p->rank;
  memcpy(p->C, p->G, (size_t)n * (size_t)r * sizeof *p->C);
  lim_blas(
      cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, n, r, 1, p->L, n, p->C, n));
  for (int i = 0; i < n * r; i++)
    if (!isfinite(p->C[i])) return false;
  return lim_dgesdd(vectors ? 'S' : 'N', n, r, p->C, n, p->s, p->U, n, p->VT, r, p->work, p->nwork, p->whole) ==
         0;
}

static double lambda_of(const problem *p, int k) { return 1 / (p->s[k] * p->s[k]) - p->sigma; }

// The smallest shift that makes K + sigma M safely definite: 0, or from rounding level upwards.
static bool first_shift(problem *p) {
  if (factor_shifted(p, 0)) return true;
  double top = 0; // largest K_ii/M_ii, a lower bound of the highest lambda
  for (int i = 0; i < p->n; i++) {
    double k = fabs(p->K[i * (p->n + 1)]), m = p->M[i * (p->n + 1)];
    if (m > 0) top = fmax(top, k / m);
  }
  double sigma = top > 0 ? 1e-14 * top : 1;
  for (int i = 0; i < 12; i++, sigma *= 100)
    if (factor_shifted(p, sigma)) return true;
  return false;
}

// A shift near the lowest elastic lambda is best conditioned without cancellation. Modes above sigma are
// elastic for certain, for rounding errors are far below sigma.
static bool better_shift(problem *p) {
  if (p->sigma == 0) return true;
  if (!decompose(p, false)) return false;
  double first = p->sigma, best = first;
  for (int k = p->rank - 1; k >= 0; k--) {
    double lambda = lambda_of(p, k);
    if (lambda > first && isfinite(lambda)) best = lambda;
  }
  return factor_shifted(p, best) || factor_shifted(p, first);
}

// lambda of mode k with x'M x = 1: 0 where what is left of x'K x is rounding   (34), (35), else the more exact
// of the Rayleigh quotient, with an error of epsilon times the sum of its terms' sizes, and s^-2 - sigma.
static double exact_lambda(const problem *p, const double *x, int k) {
  double sum = 0, magnitude = 0;
  for (int j = 0; j < p->n; j++)
    for (int i = 0; i < p->n; i++) {
      double term = x[i] * p->K[j * p->n + i] * x[j];
      sum += term;
      magnitude += fabs(term);
    }
  if (fabs(sum) <= LIM_EIGEN_RIGID * magnitude || fabs(sum) <= LIM_EIGEN_NOISE * p->sigma) return 0;
  return magnitude < p->sigma ? sum : lambda_of(p, k);
}

// Move mode k down to its place among the modes below it, already ascending.
static void sink(double *lambda, double *x, int n, int k) {
  for (; k > 0 && lambda[k] < lambda[k - 1]; k--) {
    double higher = lambda[k - 1];
    lambda[k - 1] = lambda[k];
    lambda[k] = higher;
    lim_blas(cblas_dswap(n, x + (size_t)k * (size_t)n, 1, x + (size_t)(k - 1) * (size_t)n, 1));
  }
}

// Scale x to x'M x = 1; C, no longer needed, holds M x.
static void normalise(const problem *p, double *x) {
  lim_blas(cblas_dsymv(CblasColMajor, CblasLower, p->n, 1, p->M, p->n, x, 1, 0, p->C, 1));
  lim_blas(cblas_dscal(p->n, 1 / sqrt(lim_blas_dot(p->n, x, p->C)), x, 1));
}

// Singular values that are rounding have no finite lambda.
static int finite_modes(const problem *p) {
  int k = 0;
  while (k < p->rank && p->s[k] > p->n * DBL_EPSILON * p->s[0]) k++;
  return k;
}

// --- modes of equal frequency ---

// How many modes to take so that none beyond has the singular value of the last.
static int whole_groups(const problem *p, int count, int finite) {
  while (count < finite && count > 0 && p->s[count - 1] - p->s[count] <= 2 * EQUAL * p->s[count]) count++;
  return count;
}

// Whether mode k has the lambda of the one before, up to rounding: s is known to epsilon of the largest.
static bool equal(const problem *p, int k) {
  double size = fabs(p->lambda[k]), share = EQUAL;
  if (size > p->sigma) share = fmax(share, 4 * p->n * DBL_EPSILON * p->s[0] * sqrt(size + p->sigma));
  return p->lambda[k] - p->lambda[k - 1] <= share * size;
}

// The coordinate that moves most in the modes first .. last - 1 together, by mass; the first of those that tie.
static int leader(const problem *p, int first, int last) {
  int n = p->n, best = 0;
  double max = 0;
  for (int i = 0; i < n; i++) {
    double size = 0;
    for (int k = first; k < last; k++) size += p->U[k * n + i] * p->U[k * n + i];
    size *= fabs(p->M[i * (n + 1)]);
    if (size > max * (1 + TIE)) {
      max = size;
      best = i;
    }
  }
  return best;
}

// Turn modes k and j in their plane so that coordinate i moves in k only.
static void turn(const problem *p, int k, int j, int i) {
  int n = p->n;
  double *x = p->U + (size_t)k * (size_t)n, *y = p->U + (size_t)j * (size_t)n, length = hypot(x[i], y[i]);
  double c = length > 0 ? x[i] / length : 1, s = length > 0 ? y[i] / length : 0;
  for (int l = 0; l < n; l++) {
    double along = c * x[l] + s * y[l], across = c * y[l] - s * x[l];
    x[l] = along;
    y[l] = across;
  }
}

// Rounding would choose among the mixtures of modes first .. last - 1, which are all modes. Chosen are those of
// which the first has all motion of the coordinate that moves most, in the positive direction, and so on with
// the others.
static void settle(const problem *p, int first, int last) {
  for (int k = first; k < last; k++) {
    int i = leader(p, k, last);
    for (int j = k + 1; j < last; j++) turn(p, k, j, i);
    double *x = p->U + (size_t)k * (size_t)p->n;
    if (x[i] < 0)
      for (int l = 0; l < p->n; l++) x[l] = -x[l];
    p->lambda[k] = p->lambda[first];
  }
}

// --- all modes ---

// Modes from the singular vectors: x = L^-T u, then normalised.
static void collect(problem *p, double *lambda, double *x, lim_eigen_count *out) {
  int n = p->n, count = whole_groups(p, out->found, finite_modes(p));
  lim_blas(cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasTrans, CblasNonUnit, n, count, 1, p->L, n,
                       p->U, n));
  for (int k = 0; k < count; k++) {
    double *mode = p->U + (size_t)k * (size_t)n;
    normalise(p, mode);
    p->lambda[k] = exact_lambda(p, mode, k);
    sink(p->lambda, p->U, n, k);
  }
  for (int first = 0, last; first < count; first = last) {
    for (last = first + 1; last < count && equal(p, last);) last++;
    settle(p, first, last);
  }
  for (int k = 0; k < out->found; k++) {
    lambda[k] = p->lambda[k];
    out->rigid += lambda[k] == 0;
  }
  if (x) memcpy(x, p->U, (size_t)n * (size_t)out->found * sizeof *x);
}

static lim_code solve(problem *p, lim_error *err) {
  if (!factor_mass(p)) return LIM_FAIL(err, LIM_FAILED, "modes: the mass matrix is not finite");
  if (!first_shift(p))
    return LIM_FAIL(err, LIM_FAILED,
                    "modes: some motion has neither stiffness nor mass, or the matrices are not finite");
  if (p->rank == 0) return LIM_OK;
  if (!better_shift(p) || !decompose(p, true))
    return LIM_FAIL(err, LIM_FAILED, "modes: no convergence of the singular values");
  return LIM_OK;
}

bool lim_eigen_same(double a, double b) { return fabs(a - b) <= 1e-6 * fmax(fabs(a), fabs(b)); }

lim_eigen_work *lim_eigen_work_new(int n) {
  lim_eigen_work *w = calloc(1, sizeof *w);
  if (!w) return NULL;
  w->p.n = n;
  if (allocate(&w->p, &w->arena)) return w;
  lim_eigen_work_free(w);
  return NULL;
}

void lim_eigen_work_free(lim_eigen_work *w) {
  if (!w) return;
  lim_arena_free(&w->arena);
  free(w);
}

lim_code lim_eigen_lowest_in(double *lambda, double *x, lim_eigen_count *out, lim_eigen_work *w,
                             const double *K, const double *M, int n, int count, lim_error *err) {
  *out = (lim_eigen_count){0, 0};
  if (n == 0 || count <= 0) return LIM_OK;
  problem p = w->p;
  p.n = n;
  p.K = K;
  p.M = M;
  lim_code code = solve(&p, err);
  if (code != LIM_OK) return code;
  int finite = finite_modes(&p);
  out->found = count < finite ? count : finite;
  collect(&p, lambda, x, out);
  return LIM_OK;
}

lim_code lim_eigen_lowest(double *lambda, double *x, lim_eigen_count *out, const double *K, const double *M,
                          int n, int count, lim_error *err) {
  *out = (lim_eigen_count){0, 0};
  if (n == 0 || count <= 0) return LIM_OK;
  lim_eigen_work *w = lim_eigen_work_new(n);
  if (!w) return lim_no_memory(err);
  lim_code code = lim_eigen_lowest_in(lambda, x, out, w, K, M, n, count, err);
  lim_eigen_work_free(w);
  return code;
}

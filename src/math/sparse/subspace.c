// subspace.c - modes of K x = lambda M x within a space of few vectors. With A = K - sigma M and
// A^-1 M x = theta x, theta = 1/(lambda - sigma): T = F'A^-1 F has the vectors w, and the modes are A^-1 F w.
#include "math/blas.h"
#include "math/lapack.h"
#include "math/sparse/inside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// theta below this part of the largest are rounding; a residual above that part of M x is no mode; entries of x
// that differ by less are equally large.
static const double ROUNDING = 1e-14, RESIDUAL = 1e-6, TIE = 1e-6;

typedef struct {
  const lim_sparse_pencil *p;
  const double *F; // (n x width)
  int width;
  double *Y;     // A^-1 F                    (n x width)
  double *T;     // F'Y, then its vectors     (width x width)
  double *theta; // ascending                 (width)
  double *force; // F w of a mode             (n)
  double *mass;  // M x of it                 (n)
} space;

lim_code lim_sparse_invert(const lim_sparse_pencil *p, double *Y, const double *B, int count, lim_error *err) {
  size_t n = (size_t)p->n, rows = (size_t)p->rows;
  for (int c = 0; c < count; c += LIM_SPARSE_BLOCK) {
    int now = count - c < LIM_SPARSE_BLOCK ? count - c : LIM_SPARSE_BLOCK;
    memset(p->padded, 0, rows * (size_t)now * sizeof *p->padded);
    for (int k = 0; k < now; k++) memcpy(p->padded + (size_t)k * rows, B + (size_t)(c + k) * n, n * sizeof *B);
    lim_code code = lim_factor_solve_locked(p->factor, p->padded, now, err);
    if (code != LIM_OK) return code;
    for (int k = 0; k < now; k++) memcpy(Y + (size_t)(c + k) * n, p->padded + (size_t)k * rows, n * sizeof *Y);
  }
  return LIM_OK;
}

static double *allocate(space *s) {
  size_t n = (size_t)s->p->n, m = (size_t)s->width;
  s->Y = malloc((n * m + m * m + m + 2 * n) * sizeof *s->Y);
  s->T = s->Y + n * m;
  s->theta = s->T + m * m;
  s->force = s->theta + m;
  s->mass = s->force + n;
  return s->Y;
}

static lim_code reduce(space *s, lim_error *err) {
  int n = s->p->n, m = s->width;
  lim_code code = lim_sparse_invert(s->p, s->Y, s->F, m, err);
  if (code != LIM_OK) return code;
  lim_blas(cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, m, m, n, 1, s->F, n, s->Y, n, 0, s->T, m));
  for (int j = 0; j < m; j++)
    for (int i = j; i < m; i++) s->T[j * m + i] = (s->T[j * m + i] + s->T[i * m + j]) / 2;
  return lim_lapack_code(lim_dsyev(m, s->T, m, s->theta), "modes of a large matrix cannot be found", err);
}

// Modes above sigma.
static int there(const space *s) {
  double largest = s->theta[s->width - 1];
  int count = 0;
  while (count < s->width && s->theta[s->width - 1 - count] > ROUNDING * largest) count++;
  return count;
}

static double size(const double *x, int n) { return sqrt(lim_blas_dot(n, x, x)); }

// The largest entry is positive; of several, the first.
static void scale(double *x, double factor, int n) {
  double most = 0;
  int first = 0;
  for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
  while (first < n - 1 && fabs(x[first]) < (1 - TIE) * most) first++;
  if (x[first] < 0) factor = -factor;
  for (int i = 0; i < n; i++) x[i] *= factor;
}

// With A x = F w, (x'F w)/(x'M x) is Rayleigh's quotient and F w - rho M x the residual.
static lim_code mode(double *lambda, double *x, space *s, int which, lim_error *err) {
  int n = s->p->n, m = s->width;
  const double *w = s->T + (size_t)(m - 1 - which) * (size_t)m;
  lim_blas(cblas_dgemv(CblasColMajor, CblasNoTrans, n, m, 1, s->Y, n, w, 1, 0, x, 1));
  lim_blas(cblas_dgemv(CblasColMajor, CblasNoTrans, n, m, 1, s->F, n, w, 1, 0, s->force, 1));
  lim_symmetric_times(s->mass, s->p->M, x, 1);
  double square = lim_blas_dot(n, x, s->mass), rho = lim_blas_dot(n, x, s->force) / square;
  double whole = size(s->force, n);
  lim_blas(cblas_daxpy(n, -rho, s->mass, 1, s->force, 1));
  double left = size(s->force, n);
  if (!(square > 0) || !(left <= RESIDUAL * whole))
    return LIM_FAIL(err, LIM_FAILED, "mode %d of a large matrix is inaccurate: a residual of %.2g is left",
                    which + 1, left / whole);
  *lambda = s->p->sigma + rho;
  scale(x, 1 / sqrt(square), n);
  return LIM_OK;
}

// Modes that are almost equal may have come in the other order.
static void ascend(double *lambda, double *x, double *spare, int n, int count) {
  size_t bytes = (size_t)n * sizeof *x;
  for (int k = 1; k < count; k++)
    for (int i = k; i > 0 && lambda[i] < lambda[i - 1]; i--) {
      double *a = x + (size_t)(i - 1) * (size_t)n, *b = a + n, keep = lambda[i];
      lambda[i] = lambda[i - 1];
      lambda[i - 1] = keep;
      memcpy(spare, a, bytes);
      memcpy(a, b, bytes);
      memcpy(b, spare, bytes);
    }
}

static lim_code solve(double *lambda, double *x, space *s, lim_error *err) {
  int n = s->p->n, count = s->p->count;
  lim_code code = reduce(s, err);
  if (code != LIM_OK) return code;
  if (there(s) < count)
    return LIM_FAIL(err, LIM_FAILED, "%d modes of a large matrix are wanted, and there are %d", count,
                    there(s));
  for (int k = 0; k < count && code == LIM_OK; k++)
    code = mode(lambda + k, x + (size_t)k * (size_t)n, s, k, err);
  if (code == LIM_OK) ascend(lambda, x, s->mass, n, count);
  return code;
}

lim_code lim_sparse_subspace(double *lambda, double *x, const lim_sparse_pencil *p, const double *F, int width,
                             lim_error *err) {
  space s = {.p = p, .F = F, .width = width};
  if (width == 0) return LIM_FAIL(err, LIM_FAILED, "modes of a large matrix are wanted, and it has no mass");
  if (!allocate(&s)) return lim_no_memory(err);
  lim_code code = solve(lambda, x, &s, err);
  free(s.Y);
  return code;
}

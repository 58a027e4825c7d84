// krylov.c - Arnoldi's process, and what follows from its Hessenberg matrix. Theory: docs/theory/statics.md,
// "Stability".
#include "math/eigen/krylov.h"

#include "math/blas.h"
#include "math/lapack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// V (n x most + 1), orthonormal; A V = V H, H (most + 1 x most) upper Hessenberg.
typedef struct {
  lim_linear_map *A, *B;
  void *context;
  int n, max, count; // count: columns of H so far
  double *V, *H;
  double *Bw, *c; // (n), (most + 1)
} process;

static bool start(process *p) {
  size_t n = (size_t)p->n, m = (size_t)p->max + 1;
  p->V = calloc(n * m + m * m + n + m, sizeof *p->V);
  if (!p->V) return false;
  p->H = p->V + n * m;
  p->Bw = p->H + m * m;
  p->c = p->Bw + n;
  return true;
}

static double *column(const process *p, int k) { return p->V + (size_t)k * (size_t)p->n; }
static double *entry(const process *p, int i, int k) {
  return p->H + (size_t)k * (size_t)(p->max + 1) + (size_t)i;
}

// Size of w; Bw becomes B w.
static double size_of(process *p, const double *w) {
  if (p->B)
    p->B(p->Bw, w, p->context);
  else
    memcpy(p->Bw, w, (size_t)p->n * sizeof *w);
  return sqrt(fmax(0, lim_blas_dot(p->n, w, p->Bw)));
}

static void scale(process *p, int k, double size) { lim_blas(cblas_dscal(p->n, 1 / size, column(p, k), 1)); }

// One more column, orthogonalised twice. False: the space is exhausted.
static bool extend(process *p) {
  int k = p->count++;
  double *w = column(p, k + 1);
  p->A(w, column(p, k), p->context);
  double size = size_of(p, w), before = size;
  for (int pass = 0; pass < 2; pass++) {
    lim_blas(cblas_dgemv(CblasColMajor, CblasTrans, p->n, k + 1, 1, p->V, p->n, p->Bw, 1, 0, p->c, 1));
    lim_blas(cblas_dgemv(CblasColMajor, CblasNoTrans, p->n, k + 1, -1, p->V, p->n, p->c, 1, 1, w, 1));
    for (int i = 0; i <= k; i++) *entry(p, i, k) += p->c[i];
    size = size_of(p, w);
  }
  if (!(size > 1e-13 * before)) return false;
  *entry(p, k + 1, k) = size;
  scale(p, k + 1, size);
  return true;
}

// --- A x = b ---

// The last column by the rotations so far, g (most + 1) by a new one: H becomes triangular, and what is left of
// g is the residual.
static void rotate(process *p, double *turn, double *g) {
  int k = p->count - 1;
  for (int i = 0; i < k; i++)
    lim_blas(cblas_drot(1, entry(p, i, k), 1, entry(p, i + 1, k), 1, turn[2 * i], turn[2 * i + 1]));
  lim_blas(cblas_drotg(entry(p, k, k), entry(p, k + 1, k), &turn[2 * k], &turn[2 * k + 1]));
  *entry(p, k + 1, k) = 0;
  lim_blas(cblas_drot(1, &g[k], 1, &g[k + 1], 1, turn[2 * k], turn[2 * k + 1]));
}

lim_code lim_gmres(double *x, double *left, lim_linear_map *A, void *context, const double *b, int n, int max,
                   double tolerance, lim_error *err) {
  process p = {.A = A, .context = context, .n = n, .max = max < n ? max : n};
  double *turn = calloc(3 * (size_t)p.max + 1, sizeof *turn), *g = turn ? turn + 2 * p.max : NULL;
  lim_code code = turn && start(&p) ? LIM_OK : lim_no_memory(err);
  memset(x, 0, (size_t)n * sizeof *x);
  *left = 0;
  double size = sqrt(lim_blas_dot(n, b, b));
  if (code == LIM_OK && size > 0) {
    memcpy(p.V, b, (size_t)n * sizeof *b);
    scale(&p, 0, size);
    g[0] = size;
    bool more = true;
    do {
      more = extend(&p);
      rotate(&p, turn, g);
    } while (more && p.count < p.max && fabs(g[p.count]) > tolerance * size);
    *left = fabs(g[p.count]) / size;
    lim_blas(cblas_dtrsv(CblasColMajor, CblasUpper, CblasNoTrans, CblasNonUnit, p.count, p.H, p.max + 1, g, 1));
    lim_blas(cblas_dgemv(CblasColMajor, CblasNoTrans, n, p.count, 1, p.V, n, g, 1, 0, x, 1));
  }
  free(p.V);
  free(turn);
  return code;
}

// --- eigenvalues ---

// Numbers without a pattern, the same each time.
static void favour_none(double *x, int n) {
  unsigned long long state = 88172645463325252ULL;
  for (int i = 0; i < n; i++) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    x[i] = (double)(state >> 11) * 0x1p-53 - 0.5;
  }
}

static int by_size(const void *a, const void *b) {
  const lim_ritz *x = a, *y = b;
  double d = hypot(y->re, y->im) - hypot(x->re, x->im);
  return d < 0 ? -1 : d > 0 ? 1 : (x->im < y->im) - (x->im > y->im);
}

// Of H (count x count); `rest` is what follows below it.
static lim_code eigenvalues(lim_ritz *out, const process *p, double rest, lim_error *err) {
  int k = p->count;
  size_t square = (size_t)k * (size_t)k;
  double *H = malloc((2 * square + 2 * (size_t)k + 1) * sizeof *H);
  if (!H) return lim_no_memory(err);
  double *Y = H + square, *re = Y + square, *im = re + k;
  for (int j = 0; j < k; j++)
    for (int i = 0; i < k; i++) H[j * k + i] = *entry(p, i, j);
  int failed = lim_dgeev(k, H, k, re, im, Y, k);
  for (int i = 0; i < k && !failed; i++) {
    double last = im[i] == 0  ? fabs(Y[i * k + k - 1])
                  : im[i] > 0 ? hypot(Y[i * k + k - 1], Y[(i + 1) * k + k - 1])
                              : hypot(Y[(i - 1) * k + k - 1], Y[i * k + k - 1]);
    out[i] = (lim_ritz){re[i], im[i], rest * last / hypot(re[i], im[i])};
  }
  if (!failed) qsort(out, (size_t)k, sizeof *out, by_size);
  free(H);
  return lim_lapack_code(failed, "the eigenvalues did not converge", err);
}

lim_code lim_arnoldi(lim_ritz *out, int *found, lim_linear_map *A, lim_linear_map *B, void *context, int n,
                     int max, lim_error *err) {
  process p = {.A = A, .B = B, .context = context, .n = n, .max = max < n ? max : n};
  *found = 0;
  if (n == 0) return LIM_OK;
  if (!start(&p)) return lim_no_memory(err);
  favour_none(column(&p, 1), n);
  A(p.V, column(&p, 1), context); // within what A sees
  double size = size_of(&p, p.V);
  lim_code code = LIM_OK;
  if (size > 0 && isfinite(size)) {
    bool more = true;
    scale(&p, 0, size);
    while (more && p.count < p.max) more = extend(&p);
    code = eigenvalues(out, &p, more ? *entry(&p, p.count, p.count - 1) : 0, err);
    if (code == LIM_OK) *found = p.count;
  }
  free(p.V);
  return code;
}

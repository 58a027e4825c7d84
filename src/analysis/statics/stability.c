// stability.c - M z'' + A z = 0: divergence and flutter, by the lowest eigenvalues. Theory:
// docs/theory/statics.md, "Stability".
#include "analysis/statics/stability.h"

#include "math/blas.h"
#include "math/eigen/krylov.h"
#include "math/lapack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PRODUCTS = 80 }; // of which a quarter or so are found to all digits
static const double FOUND = 1e-8,
                    ROUNDING = 1e-7; // residual of an eigenvalue; s that is no more than a split pair

bool lim_stability_definite(bool *odd, const double *A, int n, double *scratch) {
  size_t m = (size_t)n;
  double largest = 0, difference = 0;
  for (size_t j = 0; j < m; j++)
    for (size_t i = 0; i < m; i++) {
      double a = A[j * m + i], b = A[i * m + j];
      largest = fmax(largest, fabs(a));
      difference = fmax(difference, fabs(a - b));
      scratch[j * m + i] = (a + b) / 2;
    }
  *odd = difference > 1e-9 * largest;
  return lim_dpotrf(n, scratch, n) == 0;
}

typedef struct {
  int n;
  double *LU;
  const double *M;
  int *pivot;
} pencil;

static void mass_times(double *y, const double *x, void *context) {
  const pencil *p = context;
  lim_blas(cblas_dsymv(CblasColMajor, CblasLower, p->n, 1, p->M, p->n, x, 1, 0, y, 1));
}

// A^-1 M
static void inverse_times(double *y, const double *x, void *context) {
  const pencil *p = context;
  mass_times(y, x, context);
  lim_dgetrs(p->n, 1, p->LU, p->n, p->pivot, y, p->n);
}

// mu = -1/s^2 of A^-1 M.
static void judge(lim_stability *out, const lim_ritz *mu, int found) {
  for (int i = 0; i < found; i++) {
    if (!(mu[i].error < FOUND)) continue;
    bool swings = fabs(mu[i].im) > ROUNDING * fabs(mu[i].re);
    if (mu[i].re < 0 && !swings) {
      out->slow = out->slow || i == 0; // the largest of all
      out->diverges = true;
    }
    if (!swings) continue;
    double size = hypot(mu[i].re, mu[i].im), phase = atan2(fabs(mu[i].im), mu[i].re); // of -s^2, turned round
    double ratio = sin(phase / 2);                                                    // Re s/|s|
    if (ratio <= fmax(ROUNDING, out->ratio)) continue;
    out->ratio = ratio;
    out->frequency = cos(phase / 2) / sqrt(size) / (2 * M_PI);
  }
}

static bool is_negative(const pencil *p) {
  bool negative = false;
  for (int i = 0; i < p->n; i++)
    if ((p->LU[(size_t)i * (size_t)(p->n + 1)] < 0) != (p->pivot[i] != i + 1)) negative = !negative;
  return negative;
}

lim_code lim_stability_of(lim_stability *out, double *A, const double *M, int n, lim_error *err) {
  *out = (lim_stability){false};
  pencil p = {n, A, M, malloc(((size_t)n + 1) * sizeof *p.pivot)};
  lim_ritz mu[PRODUCTS];
  int found = 0;
  lim_code code = p.pivot ? LIM_OK : lim_no_memory(err);
  if (code == LIM_OK) out->slow = lim_dgetrf(n, A, n, p.pivot) != 0;
  out->diverges = out->slow; // neutral
  if (code == LIM_OK && !out->slow) {
    out->passed_zero = is_negative(&p);
    code = lim_arnoldi(mu, &found, inverse_times, mass_times, &p, n, PRODUCTS, err);
  }
  if (code == LIM_OK) judge(out, mu, found);
  free(p.pivot);
  return code;
}

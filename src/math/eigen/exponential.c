// exponential.c - scaling and squaring with the diagonal Pade approximant of degree 13 (Higham 2005). Theory:
// docs/theory/control.md (14).
#include "math/eigen/exponential.h"

#include "math/blas.h"
#include "math/lapack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The norm up to which the approximant is exact to rounding.
static const double LARGEST = 5.371920351148152;

static const double b[14] = {64764752532480000,
                             32382376266240000,
                             7771770303897600,
                             1187353796428800,
                             129060195264000,
                             10559470521600,
                             670442572800,
                             33522128640,
                             1323241920,
                             40840800,
                             960960,
                             16380,
                             182,
                             1};

typedef struct {
  int n;
  size_t square;
  double *A, *A2, *A4, *A6, *U, *V, *W; // (n x n each)
  int *pivot;
} capacity;

static void times(double *C, const double *A, const double *B, int n) {
  lim_blas(cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, A, n, B, n, 0, C, n));
}

// C = c6 A6 + c4 A4 + c2 A2 + c0
static void polynomial(double *C, const capacity *r, double c6, double c4, double c2, double c0) {
  for (size_t i = 0; i < r->square; i++) C[i] = c6 * r->A6[i] + c4 * r->A4[i] + c2 * r->A2[i];
  for (int i = 0; i < r->n; i++) C[(size_t)i * (size_t)(r->n + 1)] += c0;
}

// U odd, V even part: exp A = (V - U)^-1 (V + U).
static void parts(capacity *r) {
  times(r->A2, r->A, r->A, r->n);
  times(r->A4, r->A2, r->A2, r->n);
  times(r->A6, r->A4, r->A2, r->n);
  polynomial(r->W, r, b[13], b[11], b[9], 0);
  times(r->V, r->A6, r->W, r->n);
  polynomial(r->W, r, b[7], b[5], b[3], b[1]);
  for (size_t i = 0; i < r->square; i++) r->W[i] += r->V[i];
  times(r->U, r->A, r->W, r->n);
  polynomial(r->W, r, b[12], b[10], b[8], 0);
  times(r->V, r->A6, r->W, r->n);
  polynomial(r->W, r, b[6], b[4], b[2], b[0]);
  for (size_t i = 0; i < r->square; i++) r->V[i] += r->W[i];
}

static double norm(const double *A, int n) {
  double largest = 0;
  for (int j = 0; j < n; j++) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += fabs(A[(size_t)j * (size_t)n + (size_t)i]);
    largest = fmax(largest, sum);
  }
  return largest;
}

static lim_code evaluate(double *E, capacity *r, const double *A, double t, lim_error *err) {
  const double size = norm(A, r->n) * fabs(t);
  if (!isfinite(size)) return LIM_FAIL(err, LIM_FAILED, "a matrix is not finite");
  const int squarings = size > LARGEST ? (int)ceil(log2(size / LARGEST)) : 0;
  for (size_t i = 0; i < r->square; i++) r->A[i] = ldexp(A[i] * t, -squarings);
  parts(r);
  for (size_t i = 0; i < r->square; i++) {
    E[i] = r->V[i] + r->U[i];
    r->W[i] = r->V[i] - r->U[i];
  }
  if (lim_dgesv(r->n, r->n, r->W, r->n, r->pivot, E, r->n))
    return LIM_FAIL(err, LIM_FAILED, "the exponential of a matrix does not exist to rounding");
  for (int k = 0; k < squarings; k++) {
    memcpy(r->W, E, r->square * sizeof *E);
    times(E, r->W, r->W, r->n);
  }
  return LIM_OK;
}

lim_code lim_exponential(double *E, const double *A, double t, int n, lim_error *err) {
  if (n == 0) return LIM_OK;
  const size_t square = (size_t)n * (size_t)n;
  double *x = calloc(7 * square, sizeof *x);
  int *pivot = calloc((size_t)n, sizeof *pivot);
  capacity r = {n, square, x, NULL, NULL, NULL, NULL, NULL, NULL, pivot};
  lim_code code = x && pivot ? LIM_OK : lim_no_memory(err);
  if (code == LIM_OK) {
    double **matrix[] = {&r.A2, &r.A4, &r.A6, &r.U, &r.V, &r.W};
    for (size_t i = 0; i < 6; i++) *matrix[i] = x + (i + 1) * square;
    code = evaluate(E, &r, A, t, err);
  }
  free(x);
  free(pivot);
  return code;
}

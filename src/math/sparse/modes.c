// modes.c - the lowest modes of large symmetric matrices: a space of vectors, in which subspace.c finds them,
// by blocks (krylov.c), or ARPACK's where these would be too many. Where few freedoms have mass, M = F F' gives
// the space at once.
#include "math/lapack.h"
#include "math/sparse/arpack_calls.h"
#include "math/sparse/inside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 1000 }; // ARPACK's restarts
// Residual that it leaves, of theta = 1/(lambda - sigma). Rounding would let it search for long for less, and a
// step is still to come that refines the modes.
static const double TOLERANCE = 1e-11;

// --- few freedoms with mass ---

static int with_mass(int *row, const lim_symmetric *M) {
  int count = 0;
  memset(row, 0, (size_t)M->n * sizeof *row);
  for (int i = 0; i < M->n; i++)
    for (long k = M->start[i]; k < M->start[i + 1]; k++)
      if (M->value[k] != 0) row[i] = row[M->column[k]] = 1;
  for (int i = 0; i < M->n; i++)
    if (row[i]) row[count++] = i;
  return count;
}

// Row i of M, of those with mass: D (width x width), scaled to a diagonal of 1; what they were scaled by.
static void gather(double *D, double *scale, const lim_symmetric *M, const int *row, int width) {
  for (int j = 0; j < width; j++)
    for (long k = M->start[row[j]]; k < M->start[row[j] + 1]; k++) {
      int i = j;
      while (i < width - 1 && row[i] < M->column[k]) i++;
      if (row[i] == M->column[k]) D[j * width + i] = M->value[k];
    }
  for (int i = 0; i < width; i++) scale[i] = D[i * width + i] > 0 ? sqrt(D[i * width + i]) : 1;
  for (int j = 0; j < width; j++)
    for (int i = j; i < width; i++) D[j * width + i] /= scale[i] * scale[j];
}

// F (n x rank) of a pivoted Cholesky factor.
static lim_code root(double *F, int *rank, double *D, const lim_symmetric *M, const int *row, int width,
                     lim_error *err) {
  double *scale = calloc((size_t)width, 3 * sizeof *scale);
  int *order = calloc((size_t)width, sizeof *order);
  lim_code code = scale && order ? LIM_OK : lim_no_memory(err);
  if (code == LIM_OK) {
    gather(D, scale, M, row, width);
    if (lim_dpstrf(width, D, width, order, rank, -1, scale + width) < 0)
      code = LIM_FAIL(err, LIM_FAILED, "the mass matrix has entries that are not finite");
  }
  for (int j = 0; code == LIM_OK && j < *rank; j++)
    for (int i = j; i < width; i++) {
      int at = order[i] - 1;
      F[(size_t)j * (size_t)M->n + (size_t)row[at]] = D[j * width + i] * scale[at];
    }
  free(scale);
  free(order);
  return code;
}

static lim_code by_root(double *lambda, double *x, const lim_sparse_pencil *p, const int *row, int width,
                        lim_error *err) {
  size_t n = (size_t)p->n, m = (size_t)width;
  if (width == 0) return lim_sparse_subspace(lambda, x, p, NULL, 0, err);
  double *F = calloc(n * m + m * m, sizeof *F);
  if (!F) return lim_no_memory(err);
  int rank = 0;
  lim_code code = root(F, &rank, F + n * m, p->M, row, width, err);
  if (code == LIM_OK) code = lim_sparse_subspace(lambda, x, p, F, rank, err);
  free(F);
  return code;
}

// --- ARPACK ---

// Names as in ARPACK's manual.
typedef struct {
  const lim_sparse_pencil *p;
  int ncv, lworkl, iparam[11], ipntr[11], info;
  double *resid, *v;     // (n), (n x ncv)
  double *workd, *workl; // (3 n), (lworkl)
  double *d;             // (count)
  int *select;           // (ncv)
  unsigned seed;
} search;

static const char *const bmat = "G", *const above = "LA"; // K x = lambda M x; 1/(lambda - sigma) largest

static lim_code allocate(search *s, lim_error *err) {
  size_t n = (size_t)s->p->n, m = (size_t)s->ncv;
  s->lworkl = s->ncv * (s->ncv + 8);
  s->v = calloc(n * (m + 4) + m * (m + 8) + m, sizeof *s->v);
  s->select = calloc(m, sizeof *s->select);
  if (!s->v || !s->select) return lim_no_memory(err);
  s->resid = s->v + n * m;
  s->workd = s->resid + n;
  s->workl = s->workd + 3 * n;
  s->d = s->workl + s->lworkl;
  return LIM_OK;
}

static void draw(double *x, int n, unsigned *seed) {
  for (int i = 0; i < n; i++) {
    *seed = *seed * 1664525u + 1013904223u;
    x[i] = (double)(*seed >> 8) / (1 << 24) - 0.5;
  }
}

// ARPACK begins, and begins anew where a space is exhausted, with a vector x of its own lots, whose sequence
// goes on from call to call: ours begins with each search.
static lim_code answer(search *s, int ido, lim_error *err) {
  double *x = s->workd + s->ipntr[0] - 1, *y = s->workd + s->ipntr[1] - 1;
  if (ido == -1) draw(x, s->p->n, &s->seed);
  if (ido == 1) return lim_sparse_invert(s->p, y, s->workd + s->ipntr[2] - 1, 1, err);
  lim_symmetric_times(y, s->p->M, x, 1);
  return ido == 2 ? LIM_OK : lim_sparse_invert(s->p, y, y, 1, err);
}

static lim_code iterate(search *s, lim_error *err) {
  int ido = 0, n = s->p->n;
  s->info = 1; // it begins with resid
  s->iparam[0] = 1;
  s->iparam[2] = ROUNDS;
  s->iparam[6] = 3; // shift and invert
  draw(s->resid, n, &s->seed);
  for (;;) {
    dsaupd_c(&ido, bmat, n, above, s->p->count, TOLERANCE, s->resid, s->ncv, s->v, n, s->iparam, s->ipntr,
             s->workd, s->workl, s->lworkl, &s->info);
    if (ido != 1 && ido != -1 && ido != 2) return LIM_OK;
    lim_code code = answer(s, ido, err);
    if (code != LIM_OK) return code;
  }
}

// *width vectors v that hold the modes: those that have converged, or the whole space where it is exhausted.
static lim_code collect(search *s, int *width, lim_error *err) {
  int n = s->p->n, found = s->iparam[4];
  *width = found;
  if (s->info == -9999) return LIM_OK;
  if (s->info < 0) return LIM_FAIL(err, LIM_FAILED, "ARPACK finds no modes: error %d", s->info);
  if (found < s->p->count)
    return LIM_FAIL(err, LIM_FAILED, "%d of %d modes of a large matrix were found", found, s->p->count);
  dseupd_c(1, "A", s->select, s->d, s->v, n, s->p->sigma, bmat, n, above, s->p->count, TOLERANCE, s->resid,
           s->ncv, s->v, n, s->iparam, s->ipntr, s->workd, s->workl, s->lworkl, &s->info);
  *width = s->p->count;
  return s->info == 0 ? LIM_OK : LIM_FAIL(err, LIM_FAILED, "ARPACK finds no modes: error %d", s->info);
}

static lim_code finish(double *lambda, double *x, const search *s, int width, lim_error *err) {
  double *F = malloc((size_t)s->p->n * (size_t)(width + 1) * sizeof *F);
  if (!F) return lim_no_memory(err);
  lim_symmetric_times(F, s->p->M, s->v, width);
  lim_code code = lim_sparse_subspace(lambda, x, s->p, F, width, err);
  free(F);
  return code;
}

static lim_code by_search(double *lambda, double *x, const lim_sparse_pencil *p, int ncv, lim_error *err) {
  search s = {.p = p, .ncv = ncv, .seed = 1};
  int width = 0;
  lim_code code = allocate(&s, err);
  if (code == LIM_OK) code = iterate(&s, err);
  if (code == LIM_OK) code = collect(&s, &width, err);
  if (code == LIM_OK) code = finish(lambda, x, &s, width, err);
  free(s.v);
  free(s.select);
  return code;
}

// --- both ---

static lim_code find(double *lambda, double *x, const lim_sparse_pencil *p, lim_error *err) {
  int ncv = p->count > 18 ? 2 * p->count + 1 : p->count + 20;
  int *row = malloc((size_t)p->n * sizeof *row);
  if (!row) return lim_no_memory(err);
  int width = with_mass(row, p->M);
  bool done = width <= ncv;
  lim_code code = done ? by_root(lambda, x, p, row, width, err) : lim_sparse_krylov(lambda, x, &done, p, err);
  if (code == LIM_OK && !done) code = by_search(lambda, x, p, ncv, err);
  free(row);
  return code;
}

static lim_code check(const lim_factor *factor, const lim_symmetric *M, int count, lim_error *err) {
  if (count < 0 || 2 * (long)count >= M->n)
    return LIM_FAIL(err, LIM_BAD_INPUT, "%d modes of a matrix of %d rows: must be fewer than half", count,
                    M->n);
  if (lim_factor_rows(factor) < M->n)
    return LIM_FAIL(err, LIM_BAD_INPUT, "a factor of %d rows and a mass matrix of %d", lim_factor_rows(factor),
                    M->n);
  return lim_arpack_load(err);
}

lim_code lim_sparse_modes(double *lambda, double *x, lim_factor *factor, double sigma, const lim_symmetric *M,
                          int count, lim_error *err) {
  if (count == 0) return LIM_OK;
  lim_code code = check(factor, M, count, err);
  if (code != LIM_OK) return code;
  lim_sparse_pencil p = {factor, M, sigma, M->n, lim_factor_rows(factor), count};
  p.padded = malloc((size_t)p.rows * LIM_SPARSE_BLOCK * sizeof *p.padded);
  if (!p.padded) return lim_no_memory(err);
  lim_sparse_lock();
  code = find(lambda, x, &p, err);
  lim_sparse_unlock();
  free(p.padded);
  return code;
}

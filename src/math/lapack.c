// lapack.c - calls of LAPACK as Fortran offers it: arguments by address, lengths of texts at the end.
#include "math/lapack.h"

#include "math/blas.h"

#include <stdbool.h>
#include <stdlib.h>

typedef size_t length; // of a text

void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *ipiv, int *info);
void dgetrs_(const char *trans, const int *n, const int *nrhs, const double *a, const int *lda, const int *ipiv,
             double *b, const int *ldb, int *info, length);
void dgesv_(const int *n, const int *nrhs, double *a, const int *lda, int *ipiv, double *b, const int *ldb,
            int *info);
void dgecon_(const char *norm, const int *n, const double *a, const int *lda, const double *anorm,
             double *rcond, double *work, int *iwork, int *info, length);
void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info, length);
void dposv_(const char *uplo, const int *n, const int *nrhs, double *a, const int *lda, double *b,
            const int *ldb, int *info, length);
void dpbtrf_(const char *uplo, const int *n, const int *kd, double *ab, const int *ldab, int *info, length);
void dpbtrs_(const char *uplo, const int *n, const int *kd, const int *nrhs, const double *ab, const int *ldab,
             double *b, const int *ldb, int *info, length);
void dgelsy_(const int *m, const int *n, const int *nrhs, double *a, const int *lda, double *b, const int *ldb,
             int *jpvt, const double *rcond, int *rank, double *work, const int *lwork, int *info);
void dgeqp3_(const int *m, const int *n, double *a, const int *lda, int *jpvt, double *tau, double *work,
             const int *lwork, int *info);
void dorgqr_(const int *m, const int *n, const int *k, double *a, const int *lda, const double *tau,
             double *work, const int *lwork, int *info);
void dpstrf_(const char *uplo, const int *n, double *a, const int *lda, int *piv, int *rank, const double *tol,
             double *work, int *info, length);
void dgesdd_(const char *jobz, const int *m, const int *n, double *a, const int *lda, double *s, double *u,
             const int *ldu, double *vt, const int *ldvt, double *work, const int *lwork, int *iwork, int *info,
             length);
void dgbbrd_(const char *vect, const int *m, const int *n, const int *ncc, const int *kl, const int *ku,
             double *ab, const int *ldab, double *d, double *e, double *q, const int *ldq, double *pt,
             const int *ldpt, double *c, const int *ldc, double *work, int *info, length);
void dbdsqr_(const char *uplo, const int *n, const int *ncvt, const int *nru, const int *ncc, double *d,
             double *e, double *vt, const int *ldvt, double *u, const int *ldu, double *c, const int *ldc,
             double *work, int *info, length);
void dgeev_(const char *jobvl, const char *jobvr, const int *n, double *a, const int *lda, double *wr,
            double *wi, double *vl, const int *ldvl, double *vr, const int *ldvr, double *work,
            const int *lwork, int *info, length, length);
void dsyev_(const char *jobz, const char *uplo, const int *n, double *a, const int *lda, double *w,
            double *work, const int *lwork, int *info, length, length);

static const int one = 1;

lim_code lim_lapack_code(int info, const char *text, lim_error *err) {
  if (info == 0) return LIM_OK;
  return info == LIM_LAPACK_MEMORY ? lim_no_memory(err) : LIM_FAIL(err, LIM_FAILED, "%s", text);
}

// --- what LAPACK leaves to its caller ---

// LAPACK loops for long, or for ever, over numbers that are none.
static bool is_number(const double *x, int rows, int columns, int ld) {
  for (int j = 0; j < columns; j++)
    for (int i = 0; i < rows; i++)
      if (x[(size_t)j * (size_t)ld + (size_t)i] != x[(size_t)j * (size_t)ld + (size_t)i]) return false;
  return true;
}

static bool is_number_below(const double *A, int n, int lda) {
  for (int j = 0; j < n; j++)
    if (!is_number(A + (size_t)j * (size_t)lda + j, n - j, 1, lda)) return false;
  return true;
}

static double *take(double count) { return malloc((size_t)(count > 1 ? count : 1) * sizeof(double)); }

// --- equations ---

int lim_dgetrf(int n, double *A, int lda, int *pivot) {
  int info = -1;
  if (is_number(A, n, n, lda)) lim_blas(dgetrf_(&n, &n, A, &lda, pivot, &info));
  return info;
}

int lim_dgetrs(int n, int count, const double *LU, int lda, const int *pivot, double *b, int ldb) {
  int info = -1;
  if (is_number(LU, n, n, lda) && is_number(b, n, count, ldb))
    lim_blas(dgetrs_("N", &n, &count, LU, &lda, pivot, b, &ldb, &info, 1));
  return info;
}

int lim_dgesv(int n, int count, double *A, int lda, int *pivot, double *b, int ldb) {
  int info = -1;
  if (is_number(A, n, n, lda) && is_number(b, n, count, ldb))
    lim_blas(dgesv_(&n, &count, A, &lda, pivot, b, &ldb, &info));
  return info;
}

int lim_dgecon(int n, const double *LU, int lda, double norm, double *reciprocal) {
  int info = -1;
  if (!is_number(LU, n, n, lda) || norm != norm) return info;
  double *work = take(4.0 * n);
  int *whole = malloc(((size_t)n + 1) * sizeof *whole);
  if (work && whole)
    lim_blas(dgecon_("1", &n, LU, &lda, &norm, reciprocal, work, whole, &info, 1));
  else
    info = LIM_LAPACK_MEMORY;
  free(work);
  free(whole);
  return info;
}

int lim_dpotrf(int n, double *A, int lda) {
  int info = -1;
  if (is_number_below(A, n, lda)) lim_blas(dpotrf_("L", &n, A, &lda, &info, 1));
  return info;
}

int lim_dposv(int n, int count, double *A, int lda, double *b, int ldb) {
  int info = -1;
  if (is_number_below(A, n, lda) && is_number(b, n, count, ldb))
    lim_blas(dposv_("L", &n, &count, A, &lda, b, &ldb, &info, 1));
  return info;
}

int lim_dpbtrf(int n, int width, double *A, int lda) {
  int info;
  lim_blas(dpbtrf_("L", &n, &width, A, &lda, &info, 1));
  return info;
}

int lim_dpbtrs(int n, int width, int count, const double *L, int lda, double *b, int ldb) {
  int info;
  lim_blas(dpbtrs_("L", &n, &width, &count, L, &lda, b, &ldb, &info, 1));
  return info;
}

int lim_dgelsy(int rows, int columns, int count, double *A, int lda, double *b, int ldb, int *pivot,
               double least, int *rank) {
  int info = -1, ask = -1, tall = rows > columns ? rows : columns;
  double best;
  if (!is_number(A, rows, columns, lda) || !is_number(b, tall, count, ldb)) return info;
  lim_blas(dgelsy_(&rows, &columns, &count, A, &lda, b, &ldb, pivot, &least, rank, &best, &ask, &info));
  if (info != 0) return info;
  double *work = take(best);
  if (!work) return LIM_LAPACK_MEMORY;
  ask = (int)best;
  lim_blas(dgelsy_(&rows, &columns, &count, A, &lda, b, &ldb, pivot, &least, rank, work, &ask, &info));
  free(work);
  return info;
}

// --- factors ---

int lim_dgeqp3(int rows, int columns, double *A, int lda, int *pivot, double *tau, double *work, int nwork) {
  int info;
  lim_blas(dgeqp3_(&rows, &columns, A, &lda, pivot, tau, work, &nwork, &info));
  return info;
}

int lim_dorgqr(int rows, int columns, int count, double *A, int lda, const double *tau, double *work,
               int nwork) {
  int info;
  lim_blas(dorgqr_(&rows, &columns, &count, A, &lda, tau, work, &nwork, &info));
  return info;
}

int lim_dpstrf(int n, double *A, int lda, int *order, int *rank, double least, double *work) {
  int info;
  lim_blas(dpstrf_("L", &n, A, &lda, order, rank, &least, work, &info, 1));
  return info;
}

// --- singular values and eigenvalues ---

int lim_dgesdd(char job, int rows, int columns, double *A, int lda, double *s, double *U, int ldu, double *VT,
               int ldvt, double *work, int nwork, int *whole) {
  int info;
  lim_blas(dgesdd_(&job, &rows, &columns, A, &lda, s, U, &ldu, VT, &ldvt, work, &nwork, whole, &info, 1));
  return info;
}

int lim_dgbbrd(int rows, int columns, int below, int above, double *A, int lda, double *diagonal,
               double *upper) {
  const int count = 0;
  int info = -1;
  double none = 0;
  if (!is_number(A, below + above + 1, columns, lda)) return info;
  double *work = take(2.0 * (rows > columns ? rows : columns));
  if (!work) return LIM_LAPACK_MEMORY;
  lim_blas(dgbbrd_("N", &rows, &columns, &count, &below, &above, A, &lda, diagonal, upper, &none, &one, &none,
                   &one, &none, &one, work, &info, 1));
  free(work);
  return info;
}

int lim_dbdsqr(int n, double *diagonal, double *upper) {
  const int count = 0;
  int info = -1;
  double none = 0;
  if (!is_number(diagonal, n, 1, n) || !is_number(upper, n - 1, 1, n)) return info;
  double *work = take(4.0 * n);
  if (!work) return LIM_LAPACK_MEMORY;
  lim_blas(dbdsqr_("U", &n, &count, &count, &count, diagonal, upper, &none, &one, &none, &one, &none, &one,
                   work, &info, 1));
  free(work);
  return info;
}

int lim_dsyev(int n, double *A, int lda, double *lambda) {
  int info = -1, ask = -1;
  double best;
  if (!is_number(A, n, n, lda)) return info;
  lim_blas(dsyev_("V", "L", &n, A, &lda, lambda, &best, &ask, &info, 1, 1));
  if (info != 0) return info;
  double *work = take(best);
  if (!work) return LIM_LAPACK_MEMORY;
  ask = (int)best;
  lim_blas(dsyev_("V", "L", &n, A, &lda, lambda, work, &ask, &info, 1, 1));
  free(work);
  return info;
}

int lim_dgeev(int n, double *A, int lda, double *re, double *im, double *V, int ldv) {
  const char *job = V ? "V" : "N";
  int info = -1, ask = -1;
  double best;
  if (!is_number(A, n, n, lda)) return info;
  lim_blas(dgeev_("N", job, &n, A, &lda, re, im, NULL, &one, V, &ldv, &best, &ask, &info, 1, 1));
  if (info != 0) return info;
  double *work = take(best);
  if (!work) return LIM_LAPACK_MEMORY;
  ask = (int)best;
  lim_blas(dgeev_("N", job, &n, A, &lda, re, im, NULL, &one, V, &ldv, work, &ask, &info, 1, 1));
  free(work);
  return info;
}

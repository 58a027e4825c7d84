// lapack.h - what limber calls of LAPACK: by columns, on one thread (blas.h), under LAPACK's names and in the
// order of its arguments, without those that limber never needs and without work space where it is taken here.
//
// They return LAPACK's info: 0 where all went well, less where an argument is wrong or a number is none (NaN),
// more where the matrix has no answer; LIM_LAPACK_MEMORY where no work space is left.
#ifndef LIM_MATH_LAPACK_H
#define LIM_MATH_LAPACK_H

#include "base/error.h"

enum { LIM_LAPACK_MEMORY = -1010 };

// Of an info: LIM_OK, LIM_NO_MEMORY, or LIM_FAILED with this text.
lim_code lim_lapack_code(int info, const char *text, lim_error *err);

// Equations A x = b: general, positive definite, of least squares and least norm.
int lim_dgetrf(int n, double *A, int lda, int *pivot);
int lim_dgetrs(int n, int count, const double *LU, int lda, const int *pivot, double *b, int ldb);
int lim_dgesv(int n, int count, double *A, int lda, int *pivot, double *b, int ldb);
int lim_dgecon(int n, const double *LU, int lda, double norm, double *reciprocal); // of norm 1
int lim_dpotrf(int n, double *A, int lda);                                         // lower triangles
int lim_dposv(int n, int count, double *A, int lda, double *b, int ldb);
int lim_dpbtrf(int n, int width, double *A, int lda);
int lim_dpbtrs(int n, int width, int count, const double *L, int lda, double *b, int ldb);
int lim_dgelsy(int rows, int columns, int count, double *A, int lda, double *b, int ldb, int *pivot,
               double least, int *rank);

// Factors; work space is the caller's.
int lim_dgeqp3(int rows, int columns, double *A, int lda, int *pivot, double *tau, double *work, int nwork);
int lim_dorgqr(int rows, int columns, int count, double *A, int lda, const double *tau, double *work,
               int nwork);
int lim_dpstrf(int n, double *A, int lda, int *order, int *rank, double least, double *work);

// Singular values: of a full matrix (job 'S': with vectors, 'N': without), of a band by a bidiagonal matrix.
int lim_dgesdd(char job, int rows, int columns, double *A, int lda, double *s, double *U, int ldu, double *VT,
               int ldvt, double *work, int nwork, int *whole);
int lim_dgbbrd(int rows, int columns, int below, int above, double *A, int lda, double *diagonal,
               double *upper);
int lim_dbdsqr(int n, double *diagonal, double *upper);

// Eigenvalues re + i im, and vectors on the right where V is not NULL.
int lim_dsyev(int n, double *A, int lda, double *lambda); // symmetric: ascending, A becomes the vectors
int lim_dgeev(int n, double *A, int lda, double *re, double *im, double *V, int ldv);

#endif

// factor.c - A = L D L' of a large symmetric matrix, by MUMPS. The order of elimination is PORD's: Scotch's
// depends on the number of processors and on what it has ordered before, and with it the last digits would.
#include "math/sparse/factor.h"

#include "math/blas.h"
#include "math/sparse/inside.h"
#include "math/sparse/mumps_calls.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

enum { START = -1, END = -2, ANALYSE = 1, FACTOR = 2, SOLVE = 3 }; // MUMPS' jobs
enum {
  GENERAL_SYMMETRIC = 2,
  HOST_WORKS = 1,
  WORLD = -987654,
  DEGREE = 0,
  PORD = 4,
  ROOM = 30,
  ROOM_MAX = 2000
};
// MUMPS' words for memory that is out, and for room that it had not foreseen.
enum { NO_REAL = -5, NO_INTEGER = -7, NO_MEMORY = -13, FEW_INTEGERS = -8, FEW_REALS = -9 };

// Of the largest entry of the matrix that MUMPS has scaled: rows that elimination leaves this small are 0.
// Beams fixed at one end have rows of 1e-11 where they are 4000 elements long; rounding leaves up to 1e-10 of
// the rows of a long beam that nothing holds, which are then found in part.
static const double null_row = 1e-12;

struct lim_factor {
  DMUMPS_STRUC_C id;
  int n, negative, null;
  int *row; // with pivots that are 0 (null)
};

// Both belong to the process, as MUMPS' and ARPACK's own variables do.
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

void lim_sparse_lock(void) {
  pthread_mutex_lock(&guard);
  lim_blas_enter();
}

void lim_sparse_unlock(void) {
  lim_blas_leave();
  pthread_mutex_unlock(&guard);
}

static int call(DMUMPS_STRUC_C *id, int job) {
  id->job = job;
  dmumps_c(id);
  return id->infog[0];
}

static lim_code refused(const DMUMPS_STRUC_C *id, lim_error *err) {
  int said = id->infog[0];
  if (said == NO_REAL || said == NO_INTEGER || said == NO_MEMORY) return lim_no_memory(err);
  return LIM_FAIL(err, LIM_FAILED, "a matrix of %d rows cannot be factored: MUMPS gives up with error %d (%d)",
                  id->n, said, id->infog[1]);
}

// Numbers as in MUMPS' manual, from 1.
static void set(DMUMPS_STRUC_C *id, int number, int value) { id->icntl[number - 1] = value; }

// PORD ends the process where all rows are coupled to all others, MUMPS' pairs of rows taken as one: small and
// full matrices are ordered by minimum degree.
static int ordering(const lim_symmetric *A) {
  double n = A->n;
  return n < 300 || (double)A->start[A->n] > n * n / 20 ? DEGREE : PORD;
}

static lim_code start(DMUMPS_STRUC_C *id, lim_error *err) {
  id->sym = GENERAL_SYMMETRIC;
  id->par = HOST_WORKS;
  id->comm_fortran = WORLD;
  if (call(id, START) < 0) return refused(id, err);
  for (int stream = 1; stream <= 3; stream++) set(id, stream, -1);
  set(id, 4, 0);  // and nothing is printed
  set(id, 13, 1); // all pivots are counted
  set(id, 14, ROOM);
  set(id, 24, 1); // rows that are 0 are found
  set(id, 27, LIM_SPARSE_BLOCK);
  id->cntl[3 - 1] = null_row;
  return LIM_OK;
}

// Entries as MUMPS wants them, which the caller frees. A matrix without any gets a 0.
static lim_code fill(DMUMPS_STRUC_C *id, const lim_symmetric *A, lim_error *err) {
  size_t count = (size_t)A->start[A->n], size = count ? count : 1;
  id->n = A->n;
  id->nnz = (MUMPS_INT8)size;
  set(id, 7, ordering(A));
  id->irn = malloc(size * sizeof *id->irn);
  id->jcn = malloc(size * sizeof *id->jcn);
  id->a = malloc(size * sizeof *id->a);
  if (!id->irn || !id->jcn || !id->a) return lim_no_memory(err);
  id->irn[0] = id->jcn[0] = 1;
  id->a[0] = 0;
  for (int i = 0; i < A->n; i++)
    for (long k = A->start[i]; k < A->start[i + 1]; k++) {
      if (!isfinite(A->value[k]))
        return LIM_FAIL(err, LIM_FAILED,
                        "a matrix of %d rows cannot be factored: row %d has an entry that is %g", A->n, i,
                        A->value[k]);
      id->irn[k] = i + 1;
      id->jcn[k] = A->column[k] + 1;
      id->a[k] = A->value[k];
    }
  return LIM_OK;
}

static void forget_entries(DMUMPS_STRUC_C *id) {
  free(id->irn);
  free(id->jcn);
  free(id->a);
  id->irn = id->jcn = NULL;
  id->a = NULL;
}

// Pivots that are delayed take more room than the analysis foresees.
static lim_code eliminate(DMUMPS_STRUC_C *id, lim_error *err) {
  if (call(id, ANALYSE) < 0) return refused(id, err);
  int said = call(id, FACTOR);
  for (int room = 4 * ROOM; (said == FEW_INTEGERS || said == FEW_REALS) && room <= ROOM_MAX; room *= 4) {
    set(id, 14, room);
    said = call(id, FACTOR);
  }
  return said < 0 ? refused(id, err) : LIM_OK;
}

static int by_row(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static lim_code note_pivots(lim_factor *f, lim_error *err) {
  f->negative = f->id.infog[12 - 1];
  f->null = f->id.infog[28 - 1];
  if (f->null == 0) return LIM_OK;
  f->row = malloc((size_t)f->null * sizeof *f->row);
  if (!f->row) return lim_no_memory(err);
  for (int i = 0; i < f->null; i++) f->row[i] = f->id.pivnul_list[i] - 1;
  qsort(f->row, (size_t)f->null, sizeof *f->row, by_row);
  return LIM_OK;
}

static lim_code make(lim_factor *f, const lim_symmetric *A, lim_error *err) {
  lim_code code = start(&f->id, err);
  if (code == LIM_OK) code = fill(&f->id, A, err);
  if (code == LIM_OK) code = eliminate(&f->id, err);
  if (code == LIM_OK) code = note_pivots(f, err);
  forget_entries(&f->id);
  return code;
}

lim_code lim_factor_new(lim_factor **out, const lim_symmetric *A, lim_error *err) {
  *out = NULL;
  lim_code code = lim_mumps_load(err);
  if (code) return code;
  lim_factor *f = calloc(1, sizeof *f);
  if (!f) return lim_no_memory(err);
  f->n = A->n;
  lim_sparse_lock();
  if (A->n > 0) code = make(f, A, err);
  lim_sparse_unlock();
  if (code == LIM_OK)
    *out = f;
  else
    lim_factor_free(f);
  return code;
}

void lim_factor_free(lim_factor *f) {
  if (!f) return;
  lim_sparse_lock();
  if (f->n > 0) call(&f->id, END);
  lim_sparse_unlock();
  free(f->row);
  free(f);
}

int lim_factor_rows(const lim_factor *f) { return f->n; }
int lim_factor_negative(const lim_factor *f) { return f->negative; }
int lim_factor_null(const lim_factor *f) { return f->null; }
int lim_factor_null_row(const lim_factor *f, int i) { return f->row[i]; }

lim_code lim_factor_solve_locked(lim_factor *f, double *x, int count, lim_error *err) {
  if (f->n == 0) return LIM_OK;
  f->id.lrhs = f->n;
  for (int c = 0; c < count; c += LIM_SPARSE_BLOCK) {
    f->id.nrhs = count - c < LIM_SPARSE_BLOCK ? count - c : LIM_SPARSE_BLOCK;
    f->id.rhs = x + (size_t)c * (size_t)f->n;
    if (call(&f->id, SOLVE) < 0) return refused(&f->id, err);
  }
  return LIM_OK;
}

lim_code lim_factor_solve(lim_factor *f, double *x, int count, lim_error *err) {
  lim_sparse_lock();
  lim_code code = lim_factor_solve_locked(f, x, count, err);
  lim_sparse_unlock();
  return code;
}

// blas.c - one thread for BLAS and LAPACK while limber calls them.
#include "math/blas.h"

#include <pthread.h>

// The number of threads belongs to the process, and so does what is needed to put it back.
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static int under_way, found; // calls, and the number of threads before them

void lim_blas_enter(void) {
  pthread_mutex_lock(&guard);
  if (under_way++ == 0) {
    found = openblas_get_num_threads();
    if (found != 1) openblas_set_num_threads(1);
  }
  pthread_mutex_unlock(&guard);
}

void lim_blas_leave(void) {
  pthread_mutex_lock(&guard);
  if (--under_way == 0 && found != 1) openblas_set_num_threads(found);
  pthread_mutex_unlock(&guard);
}

void lim_blas_one_thread(void) { openblas_set_num_threads(1); }

double lim_blas_dot(int n, const double *x, const double *y) {
  lim_blas_enter();
  double sum = cblas_ddot(n, x, 1, y, 1);
  lim_blas_leave();
  return sum;
}

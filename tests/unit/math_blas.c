// math_blas.c - BLAS and LAPACK on one thread, whatever the process has set; what it has set is put back.
#include "fixture.h"

#include "math/blas.h"
#include "math/eigen/eigen.h"
#include "math/lapack.h"

#include <pthread.h>

enum { N = 150, COUNT = 20 };

// K of a chain of springs with a little of everything, M = diag(1 .. 2): far from round numbers.
static void fill_matrices(double *K, double *M) {
  for (int j = 0; j < N; j++)
    for (int i = 0; i < N; i++) {
      K[j * N + i] = 1 / (1 + (i - j) * (i - j) / 3.0) + (i == j ? 1 + i * i / 7.0 : 0);
      M[j * N + i] = i == j ? 1 + i / (double)N : 0.3 / (N + abs(i - j));
    }
}

static void modes(double *lambda, double *x) {
  double *K = malloc(2 * N * N * sizeof *K), *M = K + N * N;
  lim_eigen_count count;
  assert_non_null(K);
  fill_matrices(K, M);
  assert_int_equal(lim_eigen_lowest(lambda, x, &count, K, M, N, COUNT, NULL), LIM_OK);
  assert_int_equal(count.found, COUNT);
  free(K);
}

static void results_do_not_depend_on_the_number_of_threads(void **state) {
  (void)state;
  static double lambda[2][COUNT], x[2][N * COUNT];
  for (int i = 0; i < 2; i++) {
    openblas_set_num_threads(1 + i);
    modes(lambda[i], x[i]);
    assert_int_equal(openblas_get_num_threads(), 1 + i);
  }
  assert_memory_equal(lambda[0], lambda[1], sizeof lambda[0]);
  assert_memory_equal(x[0], x[1], sizeof x[0]);
}

static void number_of_threads_is_put_back_also_after_a_failure(void **state) {
  (void)state;
  double A[4] = {1, 2, 2, 1}, B[4] = {4, 2, 2, 4};
  openblas_set_num_threads(2);
  assert_true(lim_dpotrf(2, A, 2) > 0);
  assert_int_equal(openblas_get_num_threads(), 2);
  assert_int_equal(lim_dpotrf(2, B, 2), 0);
  assert_int_equal(openblas_get_num_threads(), 2);
  lim_blas(cblas_dscal(4, 2, B, 1));
  assert_int_equal(openblas_get_num_threads(), 2);
}

static void *calls(void *user) {
  int *other = user;
  for (int i = 0; i < 2000; i++) {
    lim_blas_enter();
    *other += openblas_get_num_threads() != 1;
    lim_blas_enter();
    lim_blas_leave();
    *other += openblas_get_num_threads() != 1;
    lim_blas_leave();
  }
  return NULL;
}

static void calls_of_several_threads_share_one_and_the_last_puts_back(void **state) {
  (void)state;
  pthread_t thread[4];
  int other[4] = {0};
  openblas_set_num_threads(2);
  for (int i = 0; i < 4; i++) assert_int_equal(pthread_create(&thread[i], NULL, calls, &other[i]), 0);
  for (int i = 0; i < 4; i++) pthread_join(thread[i], NULL);
  for (int i = 0; i < 4; i++) assert_int_equal(other[i], 0);
  assert_int_equal(openblas_get_num_threads(), 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(results_do_not_depend_on_the_number_of_threads),
      cmocka_unit_test(number_of_threads_is_put_back_also_after_a_failure),
      cmocka_unit_test(calls_of_several_threads_share_one_and_the_last_puts_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

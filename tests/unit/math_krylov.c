// math_krylov.c - tests of linear systems and eigenvalues by products: against what the matrix was made of.
#include "fixture.h"

#include "math/eigen/krylov.h"

enum { N = 40 };

typedef struct {
  double A[N * N]; // by rows
} matrix;

static void times(double *y, const double *x, void *context) {
  const matrix *m = context;
  for (int i = 0; i < N; i++) {
    y[i] = 0;
    for (int j = 0; j < N; j++) y[i] += m->A[i * N + j] * x[j];
  }
}

// Weights of an inner product in which the matrix below is symmetric.
static double weight(int i) { return 1 + 0.5 * sin(i); }
static void weigh(double *y, const double *x, void *context) {
  (void)context;
  for (int i = 0; i < N; i++) y[i] = weight(i) * x[i];
}

// 1 on the diagonal but for a few entries, among them one that is negative; off it a little.
static void mostly_one(matrix *m) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) m->A[i * N + j] = (i == j) + (abs(i - j) == 1 ? 1e-3 : 0) / weight(i);
  m->A[0] = 100;
  m->A[3 * N + 3] = -20;
}

static void system_is_solved_to_tolerance(void **state) {
  (void)state;
  matrix m;
  double x[N], b[N], exact[N], left;
  lim_error err = {0};
  mostly_one(&m);
  for (int i = 0; i < N; i++) exact[i] = cos(3 * i);
  times(b, exact, &m);
  assert_int_equal(lim_gmres(x, &left, times, &m, b, N, 30, 1e-12, &err), LIM_OK);
  assert_true(left <= 1e-12);
  for (int i = 0; i < N; i++) assert_true(fabs(x[i] - exact[i]) < 1e-10);
}

static void too_few_products_say_what_is_left(void **state) {
  (void)state;
  matrix m;
  double x[N], b[N], left;
  lim_error err = {0};
  mostly_one(&m);
  for (int i = 0; i < N; i++) b[i] = 1;
  assert_int_equal(lim_gmres(x, &left, times, &m, b, N, 2, 1e-12, &err), LIM_OK);
  assert_true(left > 1e-6 && left < 1);
  for (int i = 0; i < N; i++) b[i] = 0;
  assert_int_equal(lim_gmres(x, &left, times, &m, b, N, 2, 1e-12, &err), LIM_OK);
  assert_true(left == 0 && x[5] == 0);
}

static void largest_eigenvalues_are_found(void **state) {
  (void)state;
  matrix m;
  lim_ritz found[20];
  lim_error err = {0};
  mostly_one(&m);
  for (int k = 0; k < 2; k++) {
    int count = 0;
    assert_int_equal(lim_arnoldi(found, &count, times, k ? weigh : NULL, &m, N, 20, &err), LIM_OK);
    assert_true(count >= 2 && found[0].error < 1e-10 && found[1].error < 1e-10);
    assert_true(fabs(found[0].re - 100) < 1e-4 && fabs(found[0].im) < 1e-9);
    assert_true(fabs(found[1].re + 20) < 1e-4);
  }
}

static void rotation_has_complex_eigenvalues(void **state) {
  (void)state;
  matrix m = {{0}};
  lim_ritz found[N];
  int count = 0;
  lim_error err = {0};
  for (int i = 0; i < N; i += 2) {
    double size = i == 0 ? 5 : 1;
    m.A[i * N + i] = m.A[(i + 1) * N + i + 1] = 0.6 * size;
    m.A[i * N + i + 1] = -0.8 * size;
    m.A[(i + 1) * N + i] = 0.8 * size;
  }
  assert_int_equal(lim_arnoldi(found, &count, times, NULL, &m, N, N, &err), LIM_OK);
  assert_int_equal(count, 4); // two different pairs
  assert_true(fabs(found[0].re - 3) < 1e-9 && fabs(found[0].im - 4) < 1e-9 && fabs(found[1].im + 4) < 1e-9);
  assert_true(fabs(found[2].re - 0.6) < 1e-9 && fabs(found[2].im - 0.8) < 1e-9);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(system_is_solved_to_tolerance),
      cmocka_unit_test(too_few_products_say_what_is_left),
      cmocka_unit_test(largest_eigenvalues_are_found),
      cmocka_unit_test(rotation_has_complex_eigenvalues),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

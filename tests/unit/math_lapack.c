// math_lapack.c - calls of LAPACK: answers known in closed form, numbers that are none, no memory for work
// space.
#include "math/lapack.h"

#include "fixture.h"

#include "memory_fixture.h"

enum { N = 6 };

static void assert_near(double x, double expected) {
  if (!(fabs(x - expected) < 1e-14)) fail_msg("%.17g, expected %.17g", x, expected);
}

// Second differences: 2 on the diagonal, -1 beside it; eigenvalues 2 - 2 cos(k pi/(N + 1)).
static void fill_chain(double A[N * N]) {
  for (int j = 0; j < N; j++)
    for (int i = 0; i < N; i++) A[j * N + i] = i == j ? 2 : abs(i - j) == 1 ? -1 : 0;
}

static void chain_forces(double b[N]) { // on a chain of which node i has moved by i + 1
  for (int i = 0; i < N; i++) b[i] = i == N - 1 ? N + 1 : 0;
}

static void equations_of_a_chain_have_their_solution(void **state) {
  (void)state;
  double A[N * N], band[2 * N], b[N];
  int pivot[N];
  fill_chain(A), chain_forces(b);
  assert_int_equal(lim_dgesv(N, 1, A, N, pivot, b, N), 0);
  for (int i = 0; i < N; i++) assert_near(b[i], i + 1);
  fill_chain(A), chain_forces(b);
  assert_int_equal(lim_dgetrf(N, A, N, pivot), 0);
  assert_int_equal(lim_dgetrs(N, 1, A, N, pivot, b, N), 0);
  for (int i = 0; i < N; i++) assert_near(b[i], i + 1);
  fill_chain(A), chain_forces(b);
  assert_int_equal(lim_dposv(N, 1, A, N, b, N), 0);
  for (int i = 0; i < N; i++) assert_near(b[i], i + 1);
  for (int i = 0; i < N; i++) band[2 * i] = 2, band[2 * i + 1] = -1;
  chain_forces(b);
  assert_int_equal(lim_dpbtrf(N, 1, band, 2), 0);
  assert_int_equal(lim_dpbtrs(N, 1, 1, band, 2, b, N), 0);
  for (int i = 0; i < N; i++) assert_near(b[i], i + 1);
}

static void least_squares_have_the_least_norm(void **state) {
  (void)state;
  double A[2] = {3, 4}, b[2] = {5, 0}; // 3 x + 4 y = 5
  int rank, pivot[2] = {0, 0};
  assert_int_equal(lim_dgelsy(1, 2, 1, A, 1, b, 2, pivot, 1e-10, &rank), 0);
  assert_int_equal(rank, 1);
  assert_near(b[0], 0.6);
  assert_near(b[1], 0.8);
}

static void rotation_has_the_eigenvalues_of_its_angle(void **state) {
  (void)state;
  double A[4] = {0.6, 0.8, -0.8, 0.6}, B[4], re[2], im[2], V[4];
  memcpy(B, A, sizeof A);
  assert_int_equal(lim_dgeev(2, A, 2, re, im, V, 2), 0);
  assert_near(re[0], 0.6);
  assert_near(im[0], 0.8); // (1, -i) of e^(i angle)
  assert_near(V[0] * V[0] + V[1] * V[1], 0.5);
  assert_near(V[2] * V[2] + V[3] * V[3], 0.5);
  assert_int_equal(lim_dgeev(2, B, 2, re, im, NULL, 1), 0);
  assert_near(fabs(im[1]), 0.8);
}

// Of a chain, of which the lower triangle is enough.
static void chain_has_its_frequencies(void **state) {
  (void)state;
  double A[N * N], lambda[N];
  fill_chain(A);
  for (int j = 1; j < N; j++) A[j * (N + 1) - 1] = 9;
  assert_int_equal(lim_dsyev(N, A, N, lambda), 0);
  for (int k = 0; k < N; k++) {
    double angle = M_PI * (k + 1) / (N + 1);
    assert_near(lambda[k], 2 - 2 * cos(angle));
    assert_near(A[k * N + 1] / A[k * N], 2 * cos(angle)); // of sin(2 angle) and sin(angle)
  }
}

// Differences of neighbours: singular values 2 sin(k pi/(2 (N + 1))), by a band and by the full matrix.
static void differences_have_their_singular_values(void **state) {
  (void)state;
  double band[3 * (N + 1)] = {0}, full[N * (N + 1)] = {0}, value[N], above[N], s[N], work[512];
  int whole[8 * N];
  for (int j = 0; j <= N; j++) band[3 * j + 1] = j < N ? 1 : 0, band[3 * j] = j > 0 ? -1 : 0;
  for (int i = 0; i < N; i++) full[i * N + i] = 1, full[(i + 1) * N + i] = -1;
  assert_int_equal(lim_dgbbrd(N, N + 1, 1, 1, band, 3, value, above), 0);
  assert_int_equal(lim_dbdsqr(N, value, above), 0);
  assert_int_equal(lim_dgesdd('N', N, N + 1, full, N, s, NULL, 1, NULL, 1, work, 512, whole), 0);
  for (int k = 0; k < N; k++) {
    const double expected = 2 * sin((N - k) * 3.14159265358979323846 / (2 * (N + 1)));
    assert_near(value[k], expected);
    assert_near(s[k], expected);
  }
}

static void condition_of_a_diagonal_is_its_ratio(void **state) {
  (void)state;
  double A[9] = {4, 0, 0, 0, 2, 0, 0, 0, 1}, reciprocal;
  int pivot[3];
  assert_int_equal(lim_dgetrf(3, A, 3, pivot), 0);
  assert_int_equal(lim_dgecon(3, A, 3, 4, &reciprocal), 0);
  assert_near(reciprocal, 0.25);
}

// Each of those that take work space, on matrices of one number.
static int call(int which, double number) {
  double A[3] = {number, number, number}, b = 1, x = 1, y = 0;
  int rank, pivot = 0;
  switch (which) {
  case 0: return lim_dgelsy(1, 1, 1, A, 1, &b, 1, &pivot, 1e-10, &rank);
  case 1: return lim_dgeev(1, A, 1, &x, &y, NULL, 1);
  case 2: return lim_dgecon(1, A, 1, 1, &x);
  case 3: return lim_dgbbrd(1, 1, 0, 0, A, 1, &x, &y);
  case 4: return lim_dbdsqr(1, A, &y);
  case 5: return lim_dsyev(1, A, 1, &x);
  case 6: return lim_dgesv(1, 1, A, 1, &pivot, &b, 1);
  case 7: return lim_dgetrf(1, A, 1, &pivot);
  case 8: return lim_dpotrf(1, A, 1);
  default: return lim_dposv(1, 1, A, 1, &b, 1);
  }
}

static void numbers_that_are_none_are_refused(void **state) {
  (void)state;
  failing = 0;
  for (int which = 0; which < 10; which++) {
    assert_int_equal(call(which, 2), 0);
    assert_true(call(which, NAN) < 0);
  }
}

static void missing_work_space_is_told(void **state) {
  (void)state;
  lim_error err = {0};
  for (int which = 0; which < 6; which++) {
    fail_call(1);
    assert_int_equal(call(which, 2), LIM_LAPACK_MEMORY);
    assert_int_equal(live, 0);
  }
  failing = 0;
  assert_int_equal(lim_lapack_code(LIM_LAPACK_MEMORY, "no answer", &err), LIM_NO_MEMORY);
  assert_int_equal(lim_lapack_code(3, "no answer", &err), LIM_FAILED);
  assert_string_equal(err.note[1].text, "no answer");
  assert_int_equal(lim_lapack_code(0, "no answer", &err), LIM_OK);
  lim_error_clear(&err);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equations_of_a_chain_have_their_solution),
      cmocka_unit_test(least_squares_have_the_least_norm),
      cmocka_unit_test(rotation_has_the_eigenvalues_of_its_angle),
      cmocka_unit_test(chain_has_its_frequencies),
      cmocka_unit_test(differences_have_their_singular_values),
      cmocka_unit_test(condition_of_a_diagonal_is_its_ratio),
      cmocka_unit_test(numbers_that_are_none_are_refused),
      cmocka_unit_test(missing_work_space_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

// math_rows.c - rows made orthogonal, against LAPACK's singular values.
#include "fixture.h"

#include "math/lapack.h"
#include "math/rows.h"

enum { ROWS = 6, N = 8, WIDTH = N + 1 };

static double product(const double *a, const double *b, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

static int descending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x < y) - (x > y);
}

static void rows_are_orthogonal_with_the_singular_values_of_lapack(void **state) {
  (void)state;
  unsigned seed = 5;
  for (int trial = 0; trial < 200; trial++) {
    double A[ROWS * WIDTH], B[ROWS * N], square[ROWS], s[ROWS], work[256];
    int whole[8 * ROWS];
    fill(A, ROWS * WIDTH, 1, &seed);
    if (trial % 3 == 0)
      for (int k = 0; k < WIDTH; k++) A[5 * WIDTH + k] = 1e-9 * A[5 * WIDTH + k] + A[k] - 2 * A[WIDTH + k];
    for (int i = 0; i < ROWS; i++) memcpy(B + i * N, A + i * WIDTH, N * sizeof *B);
    assert_int_equal(lim_dgesdd('N', N, ROWS, B, N, s, NULL, 1, NULL, 1, work, 256, whole), 0);
    double before = 0, after = 0;
    for (int i = 0; i < ROWS; i++) before += pow(A[i * WIDTH + N], 2);
    lim_rows_orthogonal(A, square, ROWS, N, WIDTH);
    for (int i = 0; i < ROWS; i++)
      for (int k = 0; k < i; k++)
        assert_true(fabs(product(A + i * WIDTH, A + k * WIDTH, N)) <= 1e-15 * sqrt(square[i] * square[k]));
    for (int i = 0; i < ROWS; i++) after += pow(A[i * WIDTH + N], 2);
    assert_true(fabs(after - before) < 1e-13 * before); // the right side was only turned
    qsort(square, ROWS, sizeof *square, descending);
    for (int i = 0; i < ROWS; i++) assert_true(fabs(sqrt(square[i]) - s[i]) < 1e-14 * s[0]);
  }
}

static void zero_rows_stay(void **state) {
  (void)state;
  double A[3 * 3] = {0, 0, 0, 3, 4, 0, 0, 0, 0}, square[3];
  lim_rows_orthogonal(A, square, 3, 3, 3);
  assert_true(square[0] + square[1] + square[2] == 25);
}

// What is taken off leaves nothing along the rows, and no more than their part was there.
static void parts_along_rows_are_taken_off(void **state) {
  (void)state;
  unsigned seed = 7;
  double A[3 * N], before[3 * N], square[3], d[N], whole[N];
  fill(A, 3 * N, 1, &seed);
  fill(d, N, 1, &seed);
  memcpy(before, A, sizeof A);
  memcpy(whole, d, sizeof d);
  lim_rows_orthogonal(A, square, 3, N, N);
  lim_rows_take_off(d, A, square, 3, N, N, 1e-9);
  for (int i = 0; i < 3; i++) assert_true(fabs(product(before + i * N, d, N)) < 1e-14);
  double rest = product(d, d, N);
  assert_true(rest > 0 && fabs(product(d, whole, N) - rest) < 1e-14); // a projection
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parts_along_rows_are_taken_off),
      cmocka_unit_test(rows_are_orthogonal_with_the_singular_values_of_lapack),
      cmocka_unit_test(zero_rows_stay),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

// math_null_space.c - tests of null spaces: dimension, orthonormal, what rows forbid; rows of other units, rows
// that follow from others, none, and more than coordinates.
#include "fixture.h"

#include "math/null_space.h"

// The basis of G (rows x n): checked against its definition; the number of free directions.
static int basis_of(const double *G, int rows, int n) {
  double *N = calloc((size_t)n * (size_t)n + 1, sizeof *N);
  int count = -1;
  lim_error err = {0};
  assert_int_equal(lim_null_space(N, &count, G, rows, n, &err), LIM_OK);
  for (int a = 0; a < count; a++) {
    for (int b = 0; b <= a; b++) {
      double dot = 0;
      for (int i = 0; i < n; i++) dot += N[a * n + i] * N[b * n + i];
      assert_true(fabs(dot - (a == b)) < 1e-12);
    }
    for (int k = 0; k < rows; k++) {
      double along = 0, size = 0;
      for (int i = 0; i < n; i++) {
        along += G[k * n + i] * N[a * n + i];
        size = fmax(size, fabs(G[k * n + i]));
      }
      assert_true(fabs(along) <= 1e-12 * size);
    }
  }
  free(N);
  return count;
}

static void independent_rows_take_one_direction_each(void **state) {
  (void)state;
  double G[4 * 9];
  unsigned seed = 3;
  fill(G, 36, 1, &seed);
  for (int rows = 1; rows <= 4; rows++) assert_int_equal(basis_of(G, rows, 9), 9 - rows);
}

static void rows_of_other_units_count_alike(void **state) {
  (void)state;
  double G[3 * 6];
  unsigned seed = 5;
  fill(G, 18, 1, &seed);
  for (int i = 0; i < 6; i++) {
    G[i] *= 1e-7;
    G[6 + i] *= 1e6;
  }
  assert_int_equal(basis_of(G, 3, 6), 3);
}

static void rows_that_follow_from_others_are_found(void **state) {
  (void)state;
  double G[5 * 7];
  unsigned seed = 7;
  fill(G, 21, 1, &seed);
  for (int i = 0; i < 7; i++) {
    G[21 + i] = 3 * G[i] - 2 * G[7 + i];
    G[28 + i] = 1e-3 * G[14 + i] + G[21 + i];
  }
  assert_int_equal(basis_of(G, 5, 7), 4);
}

static void empty_rows_take_nothing(void **state) {
  (void)state;
  double G[2 * 3] = {0};
  assert_int_equal(basis_of(G, 2, 3), 3);
  G[4] = 1;
  assert_int_equal(basis_of(G, 2, 3), 2);
  assert_int_equal(basis_of(G, 0, 3), 3);
}

static void more_rows_than_coordinates_leave_nothing(void **state) {
  (void)state;
  double G[6 * 3];
  unsigned seed = 11;
  fill(G, 18, 1, &seed);
  assert_int_equal(basis_of(G, 6, 3), 0);
  for (int k = 0; k < 6; k++) // all in one plane
    G[3 * k + 2] = G[3 * k] + G[3 * k + 1];
  assert_int_equal(basis_of(G, 6, 3), 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(independent_rows_take_one_direction_each),
      cmocka_unit_test(rows_of_other_units_count_alike),
      cmocka_unit_test(rows_that_follow_from_others_are_found),
      cmocka_unit_test(empty_rows_take_nothing),
      cmocka_unit_test(more_rows_than_coordinates_leave_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

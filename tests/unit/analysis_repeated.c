// analysis_repeated.c - modes of one frequency: what is shown does not hang on how an eigenvalue solver mixed
// them.
#include "fixture.h"

#include "analysis/vibration/repeated.h"

enum { N = 5, MODES = 3 };

// Orthonormal columns: reflections of the unit vectors; the first two turned by an angle.
static void made(double z[N * MODES], double angle) {
  static const double normal[N] = {0.3, -0.5, 0.2, 0.7, 0.4};
  double size = 0, c = cos(angle), s = sin(angle);
  for (int i = 0; i < N; i++) size += normal[i] * normal[i];
  for (int k = 0; k < MODES; k++)
    for (int i = 0; i < N; i++) z[N * k + i] = (i == k) - 2 * normal[i] * normal[k] / size;
  for (int i = 0; i < N; i++) {
    double a = z[i], b = z[N + i];
    z[i] = c * a - s * b;
    z[N + i] = s * a + c * b;
  }
}

static double dot(const double *a, const double *b) {
  double sum = 0;
  for (int i = 0; i < N; i++) sum += a[i] * b[i];
  return sum;
}

static double apart(const double *a, const double *b) { // up to sign
  double sign = dot(a, b) < 0 ? -1 : 1, worst = 0;
  for (int i = 0; i < N; i++) worst = fmax(worst, fabs(a[i] - sign * b[i]));
  return worst;
}

// Coordinates of loops: the same motions in other independent coordinates.
static void shown(double out[N * MODES], double angle, const double lambda[MODES], double *basis) {
  lim_vibration x = {.N = N, .moving = N, .basis = basis};
  lim_error err = {0};
  made(out, angle);
  assert_int_equal(lim_repeated_modes(out, &x, lambda, MODES, &err), LIM_OK);
}

static void repeated_modes_do_not_hang_on_how_they_were_mixed(void **state) {
  (void)state;
  static const double lambda[MODES] = {1, 1 + 1e-9, 4};
  static double turn[N * N] = {[4] = 1, [5] = 1, [11] = 1, [17] = 1, [23] = 1}; // coordinates in another order
  for (int k = 0; k < 2; k++) {
    double first[N * MODES], other[N * MODES], given[N * MODES];
    shown(first, 0.2, lambda, k ? turn : NULL);
    made(given, 0.2);
    for (double angle = 0.3; angle < 7; angle += 0.37) {
      shown(other, angle, lambda, k ? turn : NULL);
      for (int i = 0; i < MODES; i++) assert_true(apart(first + N * i, other + N * i) < 1e-14);
    }
    for (int i = 0; i < MODES; i++)
      for (int j = 0; j < MODES; j++) assert_true(fabs(dot(first + N * i, first + N * j) - (i == j)) < 1e-14);
    assert_true(apart(first, given) > 1e-3);
    assert_memory_equal(first + N + N, given + N + N, N * sizeof *given);
  }
}

static void modes_of_other_frequencies_stay(void **state) {
  (void)state;
  static const double lambda[MODES] = {1, 1.00001, 4};
  double out[N * MODES], given[N * MODES];
  shown(out, 0.2, lambda, NULL);
  made(given, 0.2);
  assert_memory_equal(out, given, sizeof out);
}

// The farthest coordinate is moved by the first, and rests in the second.
static void first_of_repeated_modes_moves_one_coordinate_most(void **state) {
  (void)state;
  static const double lambda[MODES] = {2, 2, 4};
  double z[N * MODES], most = 0;
  int at = 0;
  shown(z, 1, lambda, NULL);
  for (int i = 0; i < N; i++) {
    double size = hypot(z[i], z[N + i]);
    if (size > most) at = i;
    most = fmax(most, size);
  }
  assert_true(fabs(fabs(z[at]) - most) < 1e-15 && fabs(z[N + at]) < 1e-15);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(repeated_modes_do_not_hang_on_how_they_were_mixed),
      cmocka_unit_test(modes_of_other_frequencies_stay),
      cmocka_unit_test(first_of_repeated_modes_moves_one_coordinate_most),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

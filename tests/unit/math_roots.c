// math_roots.c - roots of polynomials whose roots are known.
#include "fixture.h"

#include "math/roots.h"

// Coefficients of prod (z - root_i), times `factor`.
static void expand(double complex *c, const double complex *root, int n, double complex factor) {
  for (int i = 0; i <= n; i++) c[i] = i == 0 ? factor : 0;
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i >= 0; i--) c[i] = (i > 0 ? c[i - 1] : 0) - root[k] * c[i];
}

// Distance of the farthest root from the found ones.
static double worst(const double complex *root, int n, const double complex *z, int found) {
  double max = 0;
  for (int i = 0; i < n; i++) {
    double min = INFINITY;
    for (int k = 0; k < found; k++) min = fmin(min, cabs(z[k] - root[i]));
    max = fmax(max, min);
  }
  return max;
}

static void random_quartics_give_their_roots(void **state) {
  (void)state;
  unsigned seed = 3;
  for (int trial = 0; trial < 2000; trial++) {
    double complex root[4], c[5], z[4];
    for (int i = 0; i < 4; i++) root[i] = cexp(I * 3 * noise(&seed)) * (trial % 2 ? 1 : 1 + noise(&seed) / 2);
    double apart = INFINITY;
    for (int i = 0; i < 4; i++)
      for (int k = 0; k < i; k++) apart = fmin(apart, cabs(root[i] - root[k]));
    expand(c, root, 4, 2 - 3 * I);
    assert_int_equal(lim_roots(z, c, 4), 4);
    assert_true(worst(root, 4, z, 4) < 1e-13 / apart / apart / apart + 1e-14);
  }
}

static void double_root_is_found_to_the_root_of_rounding(void **state) {
  (void)state;
  const double complex root[4] = {1, 1, -0.5 + I, 2 * I};
  double complex c[5], z[4];
  expand(c, root, 4, 1);
  assert_int_equal(lim_roots(z, c, 4), 4);
  assert_true(worst(root, 4, z, 4) < 1e-7);
}

static void vanishing_leading_coefficients_lower_the_degree(void **state) {
  (void)state;
  double complex z[4];
  assert_int_equal(lim_roots(z, (const double complex[]){-2, 1, 1e-16, 0, 0}, 4), 1);
  assert_true(cabs(z[0] - 2) < 1e-14);
  assert_int_equal(lim_roots(z, (const double complex[]){5, 0, 0}, 2), 0);
  assert_int_equal(lim_roots(z, (const double complex[]){0, 0, 0}, 2), -1);
  assert_int_equal(lim_roots(z, (const double complex[]){0, 0, 3}, 2), 2);
  assert_true(cabs(z[0]) < 1e-14 && cabs(z[1]) < 1e-14);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_quartics_give_their_roots),
      cmocka_unit_test(double_root_is_found_to_the_root_of_rounding),
      cmocka_unit_test(vanishing_leading_coefficients_lower_the_degree),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

// math_packed.c - packed sums against plain ones, for every rest that a length may leave.
#include "fixture.h"

#include "math/packed.h"

enum { MOST = 11 };

static void sums_are_those_of_plain_loops(void **state) {
  (void)state;
  for (int n = 0; n <= MOST; n++) {
    unsigned seed = (unsigned)n + 1;
    double x[MOST + 1], y[MOST + 1], w[MOST + 1], z[MOST + 1], sum = 0, product = 0, max = 0;
    fill(x, n, 1, &seed);
    fill(y, n, 1, &seed);
    fill(w, n, 1, &seed);
    for (int i = 0; i < n; i++) {
      sum += x[i];
      product += w[i] * x[i] * w[i] * y[i];
      max = fmax(max, fabs(x[i]));
    }
    assert_true(fabs(lim_packed_sum(x, n) - sum) < 1e-14);
    assert_true(fabs(lim_packed_product(x, y, w, n) - product) < 1e-14);
    assert_true(lim_packed_max(x, n) == max);
    z[n] = 7; // stays
    lim_packed_axpy(z, x, 3, y, n);
    for (int i = 0; i < n; i++) assert_true(z[i] == x[i] + 3 * y[i]);
    lim_packed_sum3(z, 2, x, -1, y, 4, w, n);
    for (int i = 0; i < n; i++) assert_true(z[i] == 2 * x[i] - y[i] + 4 * w[i]);
    lim_packed_negate(z, n);
    for (int i = 0; i < n; i++) assert_true(z[i] == -(2 * x[i] - y[i] + 4 * w[i]));
    assert_true(z[n] == 7);
  }
}

// What is not finite is found by its sum wherever it stands, and does not hide the largest.
static void sums_show_what_is_not_finite(void **state) {
  (void)state;
  for (int at = 0; at < MOST; at++) {
    double x[MOST];
    for (int i = 0; i < MOST; i++) x[i] = i == at ? (double)NAN : -1.0 - i;
    assert_false(isfinite(lim_packed_sum(x, MOST)));
    assert_true(lim_packed_max(x, MOST) == (at == MOST - 1 ? MOST - 1 : MOST));
    x[at] = -INFINITY;
    assert_false(isfinite(lim_packed_sum(x, MOST)));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sums_are_those_of_plain_loops),
      cmocka_unit_test(sums_show_what_is_not_finite),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

// analysis_holding.c - tests of what holds released joints: a chain of masses and springs, whatever its units.
#include "fixture.h"

#include "analysis/statics/released/holding.h"

// Masses 1, 2, 3 kg in a row; springs between them and to the wall. Unit i of coordinate i.
static lim_holding of_chain(lim_arena *arena, const double spring[4], const double unit[3]) {
  const double mass[3] = {1, 2, 3};
  static const double one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  static const int joint[3] = {0, 1, 2};
  double K[9] = {0}, M[9] = {0}, size[3];
  for (int i = 0; i < 3; i++) {
    size[i] = 1 / unit[i];
    M[4 * i] = mass[i] * unit[i] * unit[i];
    K[4 * i] = (spring[i] + spring[i + 1]) * unit[i] * unit[i];
    if (i < 2) K[3 * i + i + 1] = K[3 * (i + 1) + i] = -spring[i + 1] * unit[i] * unit[i + 1];
  }
  lim_holding h;
  lim_error err = {0};
  const lim_holding_of_what of = {K, M, one, 3, 3, joint, size, 3, 1, 0, 600};
  assert_int_equal(lim_holding_of(&h, &of, arena, &err), LIM_OK);
  return h;
}

static void units_do_not_matter(void **state) {
  (void)state;
  static const double held[4] = {100, 200, 300, 0}, loose[4] = {0, 200, 300, 0},
                      falling[4] = {-10, 200, 300, 0}, soft[4] = {1e-4, 200, 300, 0};
  static const double units[3][3] = {{1, 1, 1}, {1e-6, 1e3, 1}, {1e9, 1e-9, 1e4}};
  double lowest = 0;
  for (int i = 0; i < 3; i++) {
    lim_arena arena = {0};
    lim_holding h = of_chain(&arena, held, units[i]);
    assert_true(h.count == 3 && h.neutral == 0 && h.unstable == 0);
    if (i == 0) lowest = h.lambda[0];
    assert_true(fabs(h.lambda[0] / lowest - 1) < 1e-9);
    h = of_chain(&arena, loose, units[i]);
    assert_true(h.neutral == 1 && h.unstable == 0);
    for (int k = 1; k < 3; k++) assert_true(fabs(h.x[k] * units[i][k] / (h.x[0] * units[i][0]) - 1) < 1e-6);
    h = of_chain(&arena, falling, units[i]);
    assert_true(h.neutral == 0 && h.unstable == 1);
    h = of_chain(&arena, soft, units[i]);
    assert_true(h.neutral == 0 && h.unstable == 0);
    assert_true(fabs(h.lambda[0] / (1e-4 / 6) - 1) < 1e-4);
    lim_arena_free(&arena);
  }
}

// A fourth coordinate without a mass of its own, and stiff, follows: it is no joint.
static void stiff_parts_follow(void **state) {
  (void)state;
  const double K[4] = {1e12, -1e12, -1e12, 1e12 + 5}, M[4] = {1e-3, 0, 0, 2}, one[4] = {1, 0, 0, 1};
  const int joint[1] = {1};
  const double size[1] = {1};
  lim_arena arena = {0};
  lim_holding h;
  lim_error err = {0};
  const lim_holding_of_what of = {K, M, one, 2, 2, joint, size, 1, 1, 0, 5};
  assert_int_equal(lim_holding_of(&h, &of, &arena, &err), LIM_OK);
  assert_true(h.count == 1 && h.neutral == 0 && h.unstable == 0);
  assert_true(fabs(h.lambda[0] / (5 / 2.001) - 1) < 1e-3);
  lim_arena_free(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(units_do_not_matter),
                                     cmocka_unit_test(stiff_parts_follow)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

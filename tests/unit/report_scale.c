// report_scale.c - prefixes of units, ranges, ticks and their labels.
#include "link_fixture.h" // NEAR

#include "report/figure/scale.h"

#include <string.h>

static void check_unit(const char *name, const char *unit, double largest, const char *shown, double factor) {
  lim_shown_unit u = lim_shown_unit_of(name, unit, largest);
  assert_string_equal(u.unit, shown);
  NEAR(u.factor / factor, 1, 1e-12);
}

static void units_get_the_prefix_of_the_largest_number(void **state) {
  (void)state;
  check_unit("tip.error.x", "m", 4.9e-3, "mm", 1e3);
  check_unit("tip.error.x", "m", 1, "m", 1);
  check_unit("tip.error.x", "m", 0.09, "mm", 1e3);
  check_unit("tip.error.x", "m", 0.1, "m", 1);
  check_unit("stress", "Pa", 3e8, "MPa", 1e-6);
  check_unit("effort", "N m", 2.5e3, "kN·m", 1e-3);
  check_unit("a", "m/s^2", 0.02, "mm/s²", 1e3);
  check_unit("t", "s", 4000, "s", 1);
  check_unit("t", "s", 4e-3, "ms", 1e3);
  check_unit("x", "m", 0, "m", 1);
  check_unit("x", "m", 1e-20, "pm", 1e12);
}

static void strains_are_shown_in_microstrain(void **state) {
  (void)state;
  check_unit("upper.root.strain", "-", 1e-4, "µε", 1e6);
  check_unit("energy.strain", "J", 1e-3, "mJ", 1e3);
}

static void units_without_prefix_get_a_power_of_ten(void **state) {
  (void)state;
  check_unit("energy.balance", "-", 5e-8, "10⁻⁹", 1e9);
  check_unit("ratio", "-", 0.5, "", 1);
  check_unit("error", "%", 25, "%", 1);
  check_unit("mass", "kg", 4e-6, "10⁻⁶ kg", 1e6);
  check_unit("area", "m^2", 3e-5, "10⁻⁶ m²", 1e6);
  check_unit("area", "m^2", 0.03, "m²", 1);
  check_unit("I", "m^4", 3e-8, "10⁻⁹ m⁴", 1e9);
}

static void check_ticks(double low, double high, int max, double first, double step, int count) {
  lim_ticks t = lim_ticks_of(&(lim_scale){low, high, false}, max);
  assert_int_equal(t.count, count);
  for (int i = 0; i < count; i++) NEAR(t.at[i], first + i * step, 1e-12 * (fabs(first) + count * step));
}

static void ticks_are_multiples_of_1_2_5(void **state) {
  (void)state;
  check_ticks(0, 4, 9, 0, 0.5, 9);
  check_ticks(0, 1, 6, 0, 0.2, 6);
  check_ticks(-6.2, 2.3, 6, -6, 2, 5);
  check_ticks(0, 3000, 4, 0, 1000, 4);
  check_ticks(1e-7, 9e-7, 8, 1e-7, 1e-7, 9);
  check_ticks(100, 100.3, 4, 100, 0.1, 4);
}

static void ticks_never_overflow_nor_loop(void **state) {
  (void)state;
  const double range[][2] = {{0, 1e300}, {-1e-300, 1e-300}, {1, 1 + 1e-12}, {-1e15, 1e15}, {1e9, 1e9 + 1}};
  for (int i = 0; i < 5; i++)
    for (int max = -1; max < 60; max++) {
      lim_ticks t = lim_ticks_of(&(lim_scale){range[i][0], range[i][1], false}, max);
      assert_in_range(t.count, 0, LIM_SCALE_TICKS);
    }
}

static void check_label(double low, double high, int i, const char *expected) {
  char text[LIM_SCALE_TEXT];
  lim_ticks t = lim_ticks_of(&(lim_scale){low, high, false}, 5);
  lim_tick_text(text, &t, i);
  assert_string_equal(text, expected);
}

static void labels_have_the_decimals_of_the_step(void **state) {
  (void)state;
  check_label(0, 1, 1, "0.2");
  check_label(0, 1, 0, "0.0");
  check_label(-4, 4, 0, "−4");
  check_label(-0.3, 0.3, 0, "−0.2");
  check_label(0, 0.01, 1, "0.002");
  check_label(0, 5e4, 1, "10000");
}

static void logarithmic_ticks_stand_at_decades(void **state) {
  (void)state;
  char text[LIM_SCALE_TEXT];
  lim_ticks t = lim_ticks_of(&(lim_scale){1e-6, 1e2, true}, 9);
  assert_int_equal(t.count, 9);
  NEAR(t.at[0], 1e-6, 1e-15);
  lim_tick_text(text, &t, 0);
  assert_string_equal(text, "10⁻⁶");
  lim_tick_text(text, &t, 6);
  assert_string_equal(text, "1");
  lim_ticks narrow = lim_ticks_of(&(lim_scale){2, 8, true}, 5); // no decade inside: as on a linear scale
  assert_true(narrow.count >= 3 && narrow.decimals >= 0);
}

static void ranges_leave_room_and_are_never_empty(void **state) {
  (void)state;
  lim_scale s = lim_scale_around(0, 10, false, false);
  assert_true(s.low < 0 && s.low > -1 && s.high > 10 && s.high < 11);
  s = lim_scale_around(3, 3, false, true);
  assert_true(s.low < 3 && s.high > 3);
  s = lim_scale_around(0, 0, false, false);
  assert_true(s.low < 0 && s.high > 0);
  s = lim_scale_around(5, 5, true, false);
  assert_true(s.low > 0 && s.low < 5 && s.high > 5);
  NEAR(lim_scale_place(&(lim_scale){1, 100, true}, 10), 0.5, 1e-15);
  NEAR(lim_scale_place(&(lim_scale){-1, 3, false}, 0), 0.25, 1e-15);
}

static void ranges_of_extreme_numbers_have_finite_ticks(void **state) {
  (void)state;
  static const double ends[][2] = {
      {5e-324, 5e-324}, {5e-324, 1.7e308}, {1e-320, 1}, {1.7e308, 1.7e308}, {1, 1e305}};
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
    for (int log = 0; log < 2; log++) {
      lim_scale s = lim_scale_around(log ? ends[i][0] : -ends[i][1], ends[i][1], log, false);
      assert_true(isfinite(s.low) && isfinite(s.high) && s.low < s.high && (!log || s.low > 0));
      lim_ticks t = lim_ticks_of(&s, 6);
      for (int k = 0; k < t.count; k++) assert_true(isfinite(lim_scale_place(&s, t.at[k])));
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(units_get_the_prefix_of_the_largest_number),
      cmocka_unit_test(strains_are_shown_in_microstrain),
      cmocka_unit_test(units_without_prefix_get_a_power_of_ten),
      cmocka_unit_test(ticks_are_multiples_of_1_2_5),
      cmocka_unit_test(ticks_never_overflow_nor_loop),
      cmocka_unit_test(labels_have_the_decimals_of_the_step),
      cmocka_unit_test(logarithmic_ticks_stand_at_decades),
      cmocka_unit_test(ranges_leave_room_and_are_never_empty),
      cmocka_unit_test(ranges_of_extreme_numbers_have_finite_ticks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

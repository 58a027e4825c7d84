// report_thinning.c - thinned channels keep their extremes, their ends and their order.
#include "fixture.h"

#include "report/thinning.h"

enum { ROWS = 10007, MOST = 400 };

static double t[ROWS], x[ROWS], thin_t[MOST], thin_x[MOST];

static void make_rows(void) {
  unsigned seed = 5;
  for (int i = 0; i < ROWS; i++) {
    t[i] = 1e-3 * i;
    x[i] = sin(0.01 * i) + 0.1 * noise(&seed);
  }
}

static void thin(void) {
  long kept = lim_thin_rows(ROWS, MOST);
  assert_int_equal(kept, MOST);
  lim_thin_values(thin_x, x, ROWS, kept);
  lim_thin_times(thin_t, t, ROWS, kept);
}

static void few_rows_are_copied(void **state) {
  (void)state;
  make_rows();
  assert_int_equal(lim_thin_rows(MOST, MOST), MOST);
  lim_thin_values(thin_x, x, MOST, MOST);
  lim_thin_times(thin_t, t, MOST, MOST);
  assert_memory_equal(thin_x, x, sizeof thin_x);
  assert_memory_equal(thin_t, t, sizeof thin_t);
  lim_thin_values(thin_x, x, 0, 0);
}

static void single_peaks_are_kept(void **state) {
  (void)state;
  for (int at = 1; at < ROWS; at += 97) {
    make_rows();
    x[at] = 7;
    x[ROWS - 1 - at] = -9;
    thin();
    double max = -INFINITY, min = INFINITY;
    for (int i = 0; i < MOST; i++) {
      max = fmax(max, thin_x[i]);
      min = fmin(min, thin_x[i]);
    }
    assert_true(max == 7 && min == -9);
  }
}

static void ends_and_order_are_kept(void **state) {
  (void)state;
  make_rows();
  thin();
  assert_true(thin_x[0] == x[0] && thin_x[MOST - 1] == x[ROWS - 1]);
  assert_true(thin_t[0] == t[0] && thin_t[MOST - 1] == t[ROWS - 1]);
  for (int i = 1; i < MOST; i++) assert_true(thin_t[i] > thin_t[i - 1]);
  for (int i = 0; i < ROWS; i++) x[i] = i; // rising: smallest first; falling: largest first
  thin();
  for (int i = 1; i < MOST; i++) assert_true(thin_x[i] > thin_x[i - 1]);
  for (int i = 0; i < ROWS; i++) x[i] = -i;
  thin();
  for (int i = 1; i < MOST; i++) assert_true(thin_x[i] < thin_x[i - 1]);
}

static void nan_stays_a_gap_only_where_all_is_nan(void **state) {
  (void)state;
  make_rows();
  for (int i = 0; i < ROWS; i++)
    if (i % 3 || i > ROWS / 2) x[i] = NAN;
  thin();
  for (int i = 1; i < MOST / 2 - 2; i++) assert_false(isnan(thin_x[i]));
  for (int i = MOST / 2 + 2; i < MOST; i++) assert_true(isnan(thin_x[i]));
}

static void picked_frames_are_even_with_both_ends(void **state) {
  (void)state;
  assert_int_equal(lim_thin_pick(0, 1000, 2001), 0);
  assert_int_equal(lim_thin_pick(999, 1000, 2001), 2000);
  for (long i = 1; i < 1000; i++)
    assert_in_range(lim_thin_pick(i, 1000, 2001) - lim_thin_pick(i - 1, 1000, 2001), 2, 3);
  assert_int_equal(lim_thin_pick(3, 5, 5), 3);
  assert_int_equal(lim_thin_pick(0, 1, 1), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(few_rows_are_copied),
      cmocka_unit_test(single_peaks_are_kept),
      cmocka_unit_test(ends_and_order_are_kept),
      cmocka_unit_test(nan_stays_a_gap_only_where_all_is_nan),
      cmocka_unit_test(picked_frames_are_even_with_both_ends),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

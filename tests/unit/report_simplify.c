// report_simplify.c - curves with fewer points: extremes and ends stay, files stay small.
#include "link_fixture.h" // NEAR

#include "report/figure/simplify.h"

#include <stdlib.h>

enum { MANY = 200000 };

// A slow wave with a fast one on it, and two single peaks. x in 0..80 mm.
static lim_point *noisy(void) {
  lim_point *p = malloc(MANY * sizeof *p);
  for (int i = 0; i < MANY; i++)
    p[i] = (lim_point){80.0 * i / MANY, 20 * sin(i * 1e-4) + 3 * sin(i * 0.9) + (i == 70001 ? 90.0 : 0) -
                                            (i == 150002 ? 70.0 : 0)};
  return p;
}

static void columns_keep_extremes_and_ends(void **state) {
  (void)state;
  lim_point *p = noisy(), first = p[0], last = p[MANY - 1];
  double high = p[70001].y, low = p[150002].y;
  long n = lim_simplify_columns(p, MANY, 0.25);
  assert_in_range(n, 320, 4 * 321);
  double highest = -1e9, lowest = 1e9;
  for (long i = 0; i < n; i++) {
    highest = fmax(highest, p[i].y);
    lowest = fmin(lowest, p[i].y);
    if (i) assert_true(p[i].x >= p[i - 1].x);
  }
  NEAR(highest, high, 0);
  NEAR(lowest, low, 0);
  NEAR(p[0].y, first.y, 0);
  NEAR(p[n - 1].y, last.y, 0);
  free(p);
}

static double distance_to(const lim_point *p, long n, lim_point a) {
  double near = 1e9;
  for (long i = 1; i < n; i++) {
    double dx = p[i].x - p[i - 1].x, dy = p[i].y - p[i - 1].y, square = dx * dx + dy * dy;
    double t = square > 0 ? ((a.x - p[i - 1].x) * dx + (a.y - p[i - 1].y) * dy) / square : 0;
    t = fmin(1, fmax(0, t));
    near = fmin(near, hypot(a.x - p[i - 1].x - t * dx, a.y - p[i - 1].y - t * dy));
  }
  return near;
}

static void path_stays_within_its_tolerance(void **state) {
  (void)state;
  enum { N = 5000 };
  lim_point p[N], all[N];
  for (int i = 0; i < N; i++) // a spiral, so that x rises and falls
    all[i] = p[i] = (lim_point){40 + 30e-4 * i * cos(i * 0.01), 40 + 30e-4 * i * sin(i * 0.01)};
  long n = lim_simplify_path(p, N, 0.025);
  assert_in_range(n, 50, 700);
  for (int i = 0; i < N; i += 7) assert_true(distance_to(p, n, all[i]) <= 0.025);
  NEAR(p[n - 1].x, all[N - 1].x, 0);
}

static void straight_lines_keep_their_ends_only(void **state) {
  (void)state;
  lim_point p[3000];
  for (int i = 0; i < 3000; i++) p[i] = (lim_point){i * 0.01, 2};
  assert_int_equal(lim_simplify_path(p, 3000, 0.02), 2);
  assert_int_equal(lim_simplify_path(p, 2, 0.02), 2);
  assert_int_equal(lim_simplify_path(p, 1, 0.02), 1);
  assert_int_equal(lim_simplify_path(p, 0, 0.02), 0);
  assert_int_equal(lim_simplify_columns(p, 0, 1), 0);
}

static void closed_paths_do_not_vanish(void **state) {
  (void)state;
  lim_point p[5] = {{0, 0}, {10, 0}, {10, 10}, {0, 10}, {0, 0}};
  assert_int_equal(lim_simplify_path(p, 5, 0.02), 5);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(columns_keep_extremes_and_ends),
      cmocka_unit_test(path_stays_within_its_tolerance),
      cmocka_unit_test(straight_lines_keep_their_ends_only),
      cmocka_unit_test(closed_paths_do_not_vanish),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

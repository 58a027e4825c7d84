// motion_curve.c - tests of laws given by tables.
#include "unit/motion_fixture.h"

#include "motion/curve.h"

#include <unistd.h>

typedef struct {
  char folder[64], path[80];
} place;

static int setup_place(void **state) {
  static place p;
  strcpy(p.folder, "/tmp/limber-curve-XXXXXX");
  if (!mkdtemp(p.folder)) return -1;
  snprintf(p.path, sizeof p.path, "%s/f.csv", p.folder);
  *state = &p;
  return 0;
}

static int remove_place(void **state) {
  const place *p = *state;
  unlink(p->path);
  return rmdir(p->folder);
}

static lim_code read_curve(lim_curve **c, const place *p, const char *text, lim_error *err) {
  FILE *file = fopen(p->path, "wb");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
  const lim_law law = {.table = "f.csv"};
  return lim_curve_new(c, &law, p->folder, err);
}

static lim_curve *curve(const place *p, const char *text) {
  lim_curve *c;
  assert_int_equal(read_curve(&c, p, text, NULL), LIM_OK);
  return c;
}

static void refused_curve(const place *p, const char *text, int line, const char *message) {
  lim_curve *c;
  lim_error err = {0};
  assert_int_equal(read_curve(&c, p, text, &err), LIM_BAD_INPUT);
  assert_null(c);
  assert_string_equal(err.note[0].text, message);
  assert_string_equal(err.note[0].file, p->path);
  assert_int_equal(err.note[0].line, line);
  lim_error_clear(&err);
}

static const char bent[] = "deflection [mm], torque [N m]\n-2, -30\n-1, -10\n1, 10\n3, 90\n";

static void curve_between_rows_is_straight(void **state) {
  lim_curve *c = curve(*state, bent);
  const double x[] = {-0.0015, -0.001, 0, 0.0005, 0.001, 0.002}, y[] = {-20, -10, 0, 5, 10, 50};
  const double slope[] = {2e4, 1e4, 1e4, 1e4, 4e4, 4e4}; // at a corner the one to its right
  for (int i = 0; i < 6; i++) {
    const lim_curve_point p = lim_curve_at(c, x[i]);
    assert_near(p.value, y[i], 1e-11);
    assert_near(p.slope, slope[i], 1e-7);
  }
  lim_curve_free(c);
}

static void curve_beyond_its_rows_goes_on_straight(void **state) {
  lim_curve *c = curve(*state, bent);
  assert_near(lim_curve_at(c, 0.005).value, 170, 1e-10);
  assert_near(lim_curve_at(c, -0.003).value, -50, 1e-10);
  assert_near(lim_curve_at(c, -0.003).slope, 2e4, 1e-7);
  lim_curve_free(c);
}

static void curve_integral_begins_at_zero(void **state) {
  lim_curve *c = curve(*state, bent);
  assert_near(lim_curve_at(c, 0).integral, 0, 1e-18);
  assert_near(lim_curve_at(c, 0.001).integral, 0.005, 1e-15);
  assert_near(lim_curve_at(c, -0.001).integral, 0.005, 1e-15);
  assert_near(lim_curve_at(c, 0.003).integral, 0.005 + 0.1, 1e-15);
  assert_near(lim_curve_at(c, 0.005).integral, 0.105 + 0.26, 1e-15);
  assert_near(lim_curve_at(c, -0.003).integral, 0.005 + 0.02 + 0.04, 1e-15);
  lim_curve_free(c);
}

static void curve_apart_from_zero_extends_its_integral_to_it(void **state) {
  lim_curve *c = curve(*state, "1, 5\n2, 7\n4, 7\n"); // before its rows 3 + 2 x
  assert_near(lim_curve_at(c, 0).integral, 0, 1e-14);
  assert_near(lim_curve_at(c, 1).integral, 4, 1e-14);
  assert_near(lim_curve_at(c, 3).integral, 4 + 6 + 7, 1e-14);
  assert_near(lim_curve_at(c, -1).integral, -2, 1e-14);
  lim_curve_free(c);
}

static void curve_integral_is_the_antiderivative_of_its_value(void **state) {
  lim_curve *c = curve(*state, bent);
  unsigned seed = 3;
  for (int i = 0; i < 200; i++) {
    const double x = uniform(&seed, -0.004, 0.006), h = 1e-6;
    const double slope = (lim_curve_at(c, x + h).integral - lim_curve_at(c, x - h).integral) / (2 * h);
    assert_near(slope, lim_curve_at(c, x).value, 0.02); // within h of a corner; else to rounding
  }
  lim_curve_free(c);
}

static void curve_bad_tables_are_refused_at_their_line(void **state) {
  refused_curve(*state, "x, F\n1, 2\n3, 4\n3, 5\n", 4, "the first column must rise, but 3 follows 3");
  refused_curve(*state, "x, F\n1, 2\n", 2, "1 row, must be at least 2");
  refused_curve(*state, "0, 1, 2\n1, 2, 3\n", 1, "3 columns, must be 2: argument, value");
}

static void curve_missing_file_is_named(void **state) {
  const place *p = *state;
  const lim_law law = {.table = "none.csv"};
  lim_curve *c;
  lim_error err = {0};
  assert_int_not_equal(lim_curve_new(&c, &law, p->folder, &err), LIM_OK);
  assert_null(c);
  assert_non_null(strstr(err.note[0].file, "none.csv"));
  lim_error_clear(&err);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(curve_between_rows_is_straight),
      cmocka_unit_test(curve_beyond_its_rows_goes_on_straight),
      cmocka_unit_test(curve_integral_begins_at_zero),
      cmocka_unit_test(curve_apart_from_zero_extends_its_integral_to_it),
      cmocka_unit_test(curve_integral_is_the_antiderivative_of_its_value),
      cmocka_unit_test(curve_bad_tables_are_refused_at_their_line),
      cmocka_unit_test(curve_missing_file_is_named),
  };
  return cmocka_run_group_tests(tests, setup_place, remove_place);
}

// motion_table.c - tests of tables, their files, and splines.
#include "unit/motion_fixture.h"

#include "motion/csv.h"

#include <sys/stat.h>
#include <unistd.h>

// A folder of its own per run, with one file t.csv.
typedef struct {
  char folder[64], path[80];
} place;

static void place_write(const place *p, const char *text) {
  FILE *file = fopen(p->path, "wb");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

static int setup_place(void **state) {
  static place p;
  strcpy(p.folder, "/tmp/limber-table-XXXXXX");
  if (!mkdtemp(p.folder)) return -1;
  snprintf(p.path, sizeof p.path, "%s/t.csv", p.folder);
  *state = &p;
  return 0;
}

static int remove_place(void **state) {
  const place *p = *state;
  unlink(p->path);
  return rmdir(p->folder);
}

static lim_trajectory *table(const place *p, bool motion, const char *text) {
  place_write(p, text);
  return trajectory("{profile: table, file: t.csv}",
                    (lim_trajectory_setup){.motion = motion, .directory = p->folder});
}

// --- files ---

static void csv_reads_comments_header_blanks_and_crlf(void **state) {
  const place *p = *state;
  place_write(p, "\xEF\xBB\xBF# recorded\r\n\r\n t , position \r\n0, 1 # first\r\n \r\n 1.5e0 ,-2\r\n2;3\n");
  lim_csv t;
  lim_error err = {0};
  assert_int_equal(lim_csv_read(&t, p->path, &err), LIM_OK);
  assert_int_equal(t.rows, 3);
  assert_int_equal(t.columns, 2);
  const double expected[] = {0, 1, 1.5, -2, 2, 3};
  for (int i = 0; i < 6; i++) assert_true(t.value[i] == expected[i]);
  assert_int_equal(t.line[1], 6);
  lim_csv_free(&t);
}

static void csv_blanks_separate_too(void **state) {
  const place *p = *state;
  place_write(p, "0\t 1   2\n3 4 5");
  lim_csv t;
  assert_int_equal(lim_csv_read(&t, p->path, NULL), LIM_OK);
  assert_int_equal(t.columns, 3);
  assert_true(t.rows == 2 && t.value[5] == 5);
  lim_csv_free(&t);
}

static void csv_units_in_the_header_convert(void **state) {
  const place *p = *state;
  place_write(p, "t [ms], angle [deg], x [-]\n500, 90, 2\n");
  lim_csv t;
  assert_int_equal(lim_csv_read(&t, p->path, NULL), LIM_OK);
  assert_near(t.value[0], 0.5, 1e-15);
  assert_near(t.value[1], PI / 2, 1e-15);
  assert_near(t.value[2], 2, 0);
  lim_csv_free(&t);
}

// The doubts about a table with this header.
static void csv_doubt(const place *p, const char *header, const char *doubt) {
  char text[256], expected[300];
  lim_csv t;
  lim_error err = {0};
  snprintf(text, sizeof text, "%s\n0, 1, 2, 3\n", header);
  snprintf(expected, sizeof expected, "%s:1: %s", p->path, doubt ? doubt : "");
  place_write(p, text);
  assert_int_equal(lim_csv_read(&t, p->path, &err), LIM_OK);
  assert_int_equal(err.warnings, doubt != NULL);
  if (doubt) assert_string_equal(err.warning[0].text, expected);
  lim_csv_free(&t);
  lim_error_clear(&err);
}

static void csv_units_of_some_columns_only_are_doubted(void **state) {
  const place *p = *state;
  csv_doubt(
      p, "t [ms], position [deg], velocity, acceleration",
      "column 3, 'velocity', has no unit in the header, but column 1 has 'ms': it is taken as SI and radians; "
      "write its unit too ('[-]' for none)");
  csv_doubt(
      p, "t [ms], position, velocity, acceleration",
      "column 2, 'position', has no unit in the header, but column 1 has 'ms': it is taken as SI and radians; "
      "write its unit too ('[-]' for none)");
  csv_doubt(
      p, "stroke, force [kN], a [-], b [-]",
      "column 1, 'stroke', has no unit in the header, but column 2 has 'kN': it is taken as SI and radians; "
      "write its unit too ('[-]' for none)");
  csv_doubt(p, "t, position, velocity, acceleration", NULL);
  csv_doubt(p, "t, position [deg], velocity [deg/s], acceleration [deg/s^2]", NULL);
  csv_doubt(p, "time, a [-], b [1], c [deg]", NULL);
}

static void csv_many_rows_are_kept(void **state) {
  const place *p = *state;
  FILE *file = fopen(p->path, "w");
  for (int i = 0; i < 5000; i++) fprintf(file, "%d,%d\n", i, -i);
  fclose(file);
  lim_csv t;
  assert_int_equal(lim_csv_read(&t, p->path, NULL), LIM_OK);
  assert_int_equal(t.rows, 5000);
  for (int i = 0; i < 5000; i++) assert_true(t.value[2 * i + 1] == -i && t.line[i] == i + 1);
  lim_csv_free(&t);
}

static void csv_wrong(const place *p, const char *text, int line, const char *part) {
  lim_csv t;
  lim_error err = {0};
  place_write(p, text);
  assert_int_equal(lim_csv_read(&t, p->path, &err), LIM_BAD_INPUT);
  assert_null(t.value);
  assert_string_equal(err.note[0].file, p->path);
  assert_int_equal(err.note[0].line, line);
  if (!strstr(err.note[0].text, part)) fail_msg("'%s' does not say '%s'", err.note[0].text, part);
  lim_error_clear(&err);
}

static void csv_wrong_lines_are_named(void **state) {
  const place *p = *state;
  csv_wrong(p, "t,x\n0,1\n1,nan\n", 3, "not a finite number");
  csv_wrong(p, "nan,1\n", 1, "not a finite number");
  csv_wrong(p, "0,1\n1,1e999\n", 2, "not a finite number");
  csv_wrong(p, "0,1\n1,two\n", 2, "'two' is not a number");
  csv_wrong(p, "0,1\nt,x\n", 2, "'t' is not a number");
  csv_wrong(p, "0,1\n1,\n", 2, "column 2 is missing");
  csv_wrong(p, "0,1\n1,2,3\n", 2, "3 columns, must be 2");
  csv_wrong(p, "0,1 deg\n", 1, "a unit stands in the header");
  csv_wrong(p, "t [parsec]\n0\n", 1, "unknown unit 'parsec'");
  csv_wrong(p, "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17\n", 1, "17 columns, must be at most 16");
  csv_wrong(p, "# nothing\n\nt, x\n", 0, "no rows");
  csv_wrong(p, "", 0, "no rows");
}

static void csv_every_wrong_line_is_named(void **state) {
  const place *p = *state;
  lim_csv t;
  lim_error err = {0};
  place_write(p, "0,a\n1,2\nb,3\n");
  assert_int_equal(lim_csv_read(&t, p->path, &err), LIM_BAD_INPUT);
  assert_int_equal(err.count, 2);
  assert_int_equal(err.note[1].line, 3);
  lim_error_clear(&err);
}

// A file that is no table, perhaps a foreign one: little of it is quoted.
static void csv_of_foreign_text_quotes_little(void **state) {
  const place *p = *state;
  lim_csv t;
  lim_error err = {0};
  char text[4000] = "";
  for (int i = 0; i < 40; i++)
    snprintf(text + strlen(text), 90, "user%d:a_secret_that_is_rather_long_%d:and_more\n", i, i);
  place_write(p, text);
  assert_int_equal(lim_csv_read(&t, p->path, &err), LIM_BAD_INPUT);
  assert_true(err.count <= 6);
  assert_non_null(strstr(err.note[err.kept - 1].text, "lines are wrong"));
  for (int i = 0; i < err.kept; i++) assert_null(strstr(err.note[i].text, "_long_"));
  lim_error_clear(&err);
}

static void csv_what_is_no_file_is_refused(void **state) {
  const place *p = *state;
  const char *const path[] = {"/dev/zero", "/nonexistent.csv", p->folder, p->path};
  const char *const why[] = {"is a pipe or device, not a table", "cannot be read: No such file or directory",
                             "is a directory, not a table", "is a pipe or device, not a table"};
  unlink(p->path);
  assert_int_equal(mkfifo(p->path, 0600), 0); // nobody writes to it: nobody waits
  for (int i = 0; i < 4; i++) {
    lim_csv t;
    lim_error err = {0};
    assert_int_equal(lim_csv_read(&t, path[i], &err), LIM_IO);
    assert_int_equal(err.count, 1);
    assert_string_equal(err.note[0].text, why[i]);
    lim_error_clear(&err);
  }
  unlink(p->path);
}

static void csv_what_is_no_text_ends(void **state) {
  const place *p = *state;
  char text[5000];
  memset(text, 1, sizeof text - 1);
  text[sizeof text - 1] = 0;
  csv_wrong(p, text, 1, "or no text");
}

// --- tables ---

static void value_table_is_linear_jumps_and_is_held(void **state) {
  lim_trajectory *c = table(*state, false, "t,value\n1,2\n2,4\n2,-1\n4,-1\n5,0\n");
  const double expected[][2] = {{-9, 2}, {0, 2}, {1.5, 3}, {2, -1}, {3, -1}, {4.25, -0.75}, {5, 0}, {99, 0}};
  for (int i = 0; i < 8; i++) assert_near(lim_trajectory_at(c, expected[i][0]).value, expected[i][1], 1e-15);
  assert_near(lim_trajectory_before(c, 2).value, 4, 1e-15);
  const int order[] = {1, 0, 1, 1};
  assert_int_equal(c->nbreak, 4);
  for (int i = 0; i < 4; i++) assert_int_equal(c->breaks[i].order, order[i]);
  assert_true(c->end == 5);
  lim_trajectory_free(c);
}

// The clamped spline of a cubic that is at rest at both ends is that cubic.
static void motion_table_spline_reproduces_a_cubic(void **state) {
  char text[2000] = "t, position\n";
  for (int i = 0; i <= 7; i++) {
    const double t = i * i / 49.0 * 2;
    snprintf(text + strlen(text), sizeof text - strlen(text), "%.17g, %.17g\n", t, 3 * t * t - t * t * t);
  }
  lim_trajectory *c = table(*state, true, text);
  for (double t = 0; t < 2; t += 0.01) {
    const lim_sample s = lim_trajectory_at(c, t);
    assert_near(s.value, 3 * t * t - t * t * t, 1e-13);
    assert_near(s.rate, 6 * t - 3 * t * t, 1e-12);
    assert_near(s.second, 6 - 6 * t, 1e-10);
  }
  assert_int_equal(c->nbreak, 2);
  lim_trajectory_free(c);
}

static void motion_table_random_spline_is_smooth(void **state) {
  unsigned seed = 5;
  char text[2000] = "";
  double t[20], y[20], now = 0;
  for (int i = 0; i < 20; i++) {
    t[i] = now += uniform(&seed, 0.05, 1);
    y[i] = uniform(&seed, -2, 2);
    snprintf(text + strlen(text), sizeof text - strlen(text), "%.17g, %.17g\n", t[i], y[i]);
  }
  lim_trajectory *c = table(*state, true, text);
  for (int i = 0; i < 20; i++) {
    assert_near(lim_trajectory_at(c, t[i]).value, y[i], 1e-14);
    assert_near(lim_trajectory_before(c, t[i]).value, y[i], 1e-14);
  }
  assert_near(lim_trajectory_at(c, t[0]).rate, 0, 0);
  assert_near(lim_trajectory_before(c, t[19]).rate, 0, 1e-12);
  assert_consistent(c, 0, now + 1, 1e-4);
  assert_smooth(c, 2);
  for (int i = 1; i + 1 < c->nbreak; i++) assert_int_equal(c->breaks[i].order, 3);
  lim_trajectory_free(c);
}

// Rows of a quintic with its derivatives give that quintic back.
static void motion_table_hermite_reproduces_a_quintic(void **state) {
  char text[2000] = "t, position, velocity, acceleration\n";
  lim_trajectory *q = motion_of("{profile: quintic, from: -1, to: 2, duration: 3}");
  for (int i = 0; i <= 5; i++) {
    const lim_sample s = lim_trajectory_at(q, 0.6 * i);
    snprintf(text + strlen(text), sizeof text - strlen(text), "%.17g %.17g %.17g %.17g\n", 0.6 * i, s.value,
             s.rate, s.second);
  }
  lim_trajectory *c = table(*state, true, text);
  for (double t = -1; t < 4; t += 0.0123) {
    const lim_sample a = lim_trajectory_at(c, t), b = lim_trajectory_at(q, t);
    assert_near(a.value, b.value, 1e-13);
    assert_near(a.rate, b.rate, 1e-12);
    assert_near(a.second, b.second, 1e-11);
  }
  assert_smooth(c, 3);
  lim_trajectory_free(c);
  lim_trajectory_free(q);
}

// A repeated t with the same position and velocity is a jump of the acceleration.
static void motion_table_hermite_keeps_jumps_of_acceleration(void **state) {
  lim_trajectory *c = table(*state, true, "0,0,0,2\n1,1,2,2\n1,1,2,-2\n2,2,0,-2\n");
  lim_trajectory *b = motion_of("{profile: bang-bang, from: 0, amplitude: 2, duration: 2}");
  for (double t = 0; t < 3; t += 0.01) {
    assert_near(lim_trajectory_at(c, t).value, lim_trajectory_at(b, t).value, 1e-14);
    assert_near(lim_trajectory_before(c, t).second, lim_trajectory_before(b, t).second, 1e-13);
  }
  assert_int_equal(c->nbreak, 3);
  lim_trajectory_free(b);
  lim_trajectory_free(c);
}

static void table_start_shifts_its_times(void **state) {
  const place *p = *state;
  place_write(p, "-1, 5\n1, 7\n");
  const lim_trajectory_setup setup = {.directory = p->folder};
  lim_trajectory *c = trajectory("{profile: table, file: t.csv, start: 3}", setup);
  assert_near(lim_trajectory_at(c, 3).value, 6, 1e-15);
  lim_trajectory_free(c);
  refused("[{value: 1}, {profile: table, file: t.csv}]", setup, "must not be negative after another");
  place_write(p, "1, 5\n2, 7\n");
  c = trajectory("[{profile: cycloidal, to: 1, duration: 1}, {profile: table, file: t.csv}]", setup);
  assert_near(lim_trajectory_at(c, 1.5).value, 5, 0); // held before its first row
  assert_near(lim_trajectory_at(c, 2.5).value, 6, 1e-15);
  lim_trajectory_free(c);
}

static void wrong_tables_are_refused(void **state) {
  const place *p = *state;
  const lim_trajectory_setup motion = {.motion = true, .directory = p->folder},
                             value = {.directory = p->folder};
  const char *const profile = "{profile: table, file: t.csv}";
  place_write(p, "0,1\n2,1\n1,0\n");
  assert_int_equal(refused(profile, value, "t must not decrease, but 1 follows 2"), 3);
  place_write(p, "t,x\n0,1\n0,2\n");
  assert_int_equal(refused(profile, motion, "t must rise, but 0 follows 0"), 3);
  place_write(p, "0,1,2\n");
  assert_int_equal(refused(profile, motion, "3 columns"), 1);
  place_write(p, "0,1,2,3\n");
  assert_int_equal(refused(profile, value, "4 columns, must be t, value"), 1);
  refused("{profile: table, file: none.csv}", value, "cannot be read");
}

// --- via ---

static void via_two_points_is_the_rest_to_rest_cubic(void **state) {
  (void)state;
  lim_trajectory *c = motion_of("{profile: via, points: [[1, 2], [3, 6]]}");
  assert_near(lim_trajectory_at(c, 0).value, 2, 0);
  assert_near(lim_trajectory_at(c, 2).value, 4, 1e-14);
  assert_near(lim_trajectory_at(c, 2).rate, 3, 1e-14); // 3 D/(2 T)
  assert_near(lim_trajectory_at(c, 5).value, 6, 0);
  lim_trajectory_free(c);
}

static void via_is_smooth_through_its_points(void **state) {
  (void)state;
  lim_trajectory *c = motion_of("{profile: via, start: 1, points: [[0, 0], [1 s, 30 deg], [1.5, -1], [4, 2]]}");
  assert_near(lim_trajectory_at(c, 2).value, PI / 6, 1e-14);
  assert_near(lim_trajectory_at(c, 2.5).value, -1, 1e-14);
  assert_smooth(c, 2);
  assert_consistent(c, 0, 6, 1e-3);
  lim_trajectory_free(c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(csv_reads_comments_header_blanks_and_crlf),
      cmocka_unit_test(csv_blanks_separate_too),
      cmocka_unit_test(csv_units_in_the_header_convert),
      cmocka_unit_test(csv_units_of_some_columns_only_are_doubted),
      cmocka_unit_test(csv_many_rows_are_kept),
      cmocka_unit_test(csv_wrong_lines_are_named),
      cmocka_unit_test(csv_of_foreign_text_quotes_little),
      cmocka_unit_test(csv_every_wrong_line_is_named),
      cmocka_unit_test(csv_what_is_no_file_is_refused),
      cmocka_unit_test(csv_what_is_no_text_ends),
      cmocka_unit_test(value_table_is_linear_jumps_and_is_held),
      cmocka_unit_test(motion_table_spline_reproduces_a_cubic),
      cmocka_unit_test(motion_table_random_spline_is_smooth),
      cmocka_unit_test(motion_table_hermite_reproduces_a_quintic),
      cmocka_unit_test(motion_table_hermite_keeps_jumps_of_acceleration),
      cmocka_unit_test(table_start_shifts_its_times),
      cmocka_unit_test(wrong_tables_are_refused),
      cmocka_unit_test(via_two_points_is_the_rest_to_rest_cubic),
      cmocka_unit_test(via_is_smooth_through_its_points),
  };
  return cmocka_run_group_tests(tests, setup_place, remove_place);
}

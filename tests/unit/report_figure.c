// report_figure.c - figures of hostile data: gaps, one point, no numbers, names that are no text, large tables.
#include "fixture.h"

#include "report/figure/figure.h"

#include <stdlib.h>
#include <string.h>

// A figure of one curve.
static lim_code draw(lim_text *out, const double *x, const double *y, long count, const char *name,
                     lim_figure_format format, lim_error *err) {
  lim_curve curve[] = {{"one", x, y, count, 0, 0}, {name, x, y, count, 1, 1}};
  lim_panel panel = {name, "m", 2, curve};
  lim_figure f = {.width = 88, .title = name, .x_name = name, .x_unit = "s", .count = 1, .panel = &panel};
  return lim_figure_draw(out, &f, format, err);
}

static void every_format_starts_as_it_should_and_repeats(void **state) {
  (void)state;
  static const char *const magic[] = {"<?xml", "\x89PNG\r\n", "%PDF-"};
  const double x[] = {0, 1, 2, 3}, y[] = {0, 1, NAN, 3};
  for (int format = 0; format < 3; format++) {
    lim_text a = {0}, b = {0};
    assert_int_equal(draw(&a, x, y, 4, "tip", (lim_figure_format)format, NULL), LIM_OK);
    assert_int_equal(strncmp(a.text, magic[format], strlen(magic[format])), 0);
    assert_int_equal(draw(&b, x, y, 4, "tip", (lim_figure_format)format, NULL), LIM_OK);
    if (format != LIM_FIGURE_SVG) { // cairo counts the surfaces of a process in the names of an SVG
      assert_int_equal(a.length, b.length);
      assert_memory_equal(a.text, b.text, a.length);
    }
    lim_text_free(&a);
    lim_text_free(&b);
  }
}

static void odd_data_are_drawn(void **state) {
  (void)state;
  const double x[] = {0, 1, 2, 3};
  const double odd[][4] = {{5, NAN, NAN, NAN},    {NAN, 1, NAN, 2},         {0, 0, 0, 0},
                           {1e300, 0, -1e300, 0}, {1e-300, 0, 0, INFINITY}, {1e9, 1e9 + 1e-6, 1e9, 1e9}};
  for (int i = 0; i < 6; i++) {
    lim_text t = {0};
    assert_int_equal(draw(&t, x, odd[i], 4, "y", LIM_FIGURE_SVG, NULL), LIM_OK);
    assert_non_null(strstr(t.text, "</svg>"));
    assert_null(strstr(t.text, "nan"));
    lim_text_free(&t);
  }
}

static void nothing_finite_is_refused(void **state) {
  (void)state;
  const double x[] = {0, 1}, y[] = {NAN, INFINITY};
  lim_text t = {0};
  lim_error err = {0};
  assert_int_equal(draw(&t, x, y, 2, "gap", LIM_FIGURE_SVG, &err), LIM_BAD_INPUT);
  assert_non_null(strstr(err.note[0].text, "'gap' has no finite numbers"));
  lim_error_clear(&err);
  lim_text_free(&t);
}

static void names_may_be_anything(void **state) {
  (void)state;
  const double x[] = {0, 1}, y[] = {0, 1};
  char *endless = calloc(1, 5001);
  memset(endless, 'w', 5000);
  const char *const name[] = {
      "",      "\xff\xfe", "\xe2\x82", "a\nb\tc\x7f", "</svg><script>", endless, "\xed\xa0\x80\xf4\x90\x80\x80",
      "ähm µ", "%s%n"};
  for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
    lim_text t = {0};
    assert_int_equal(draw(&t, x, y, 2, name[i], LIM_FIGURE_SVG, NULL), LIM_OK);
    assert_null(strstr(t.text, "<script"));
    lim_text_free(&t);
  }
  free(endless);
}

static void large_tables_make_small_files(void **state) {
  (void)state;
  enum { MANY = 300000 };
  double *x = malloc(MANY * sizeof *x), *y = malloc(MANY * sizeof *y);
  for (int i = 0; i < MANY; i++) x[i] = i * 1e-4, y[i] = sin(i * 0.7) * cos(i * 1e-4);
  lim_text t = {0};
  assert_int_equal(draw(&t, x, y, MANY, "noise", LIM_FIGURE_SVG, NULL), LIM_OK);
  assert_in_range(t.length, 5000, 120000);
  lim_text_free(&t);
  free(x);
  free(y);
}

static void small_sheets_are_drawn(void **state) {
  (void)state;
  const double x[] = {0, 1e6}, y[] = {-1e-9, 123456.789};
  lim_curve curve = {"a long name for such a sheet", x, y, 2, 0, 0};
  lim_panel panel[12];
  for (int i = 0; i < 12; i++) panel[i] = (lim_panel){"some.channel", "kg", 1, &curve};
  lim_figure f = {
      .width = 20, .height = 20, .x_name = "time of day", .x_unit = "h", .count = 12, .panel = panel};
  lim_text t = {0};
  assert_int_equal(lim_figure_draw(&t, &f, LIM_FIGURE_PNG, NULL), LIM_OK);
  lim_text_free(&t);
}

static void formats_follow_the_end_of_the_name(void **state) {
  (void)state;
  lim_figure_format f;
  assert_true(lim_figure_format_of(&f, "a.b.svg") && f == LIM_FIGURE_SVG);
  assert_true(lim_figure_format_of(&f, "A.PNG") && f == LIM_FIGURE_PNG);
  assert_true(lim_figure_format_of(&f, "x/y.pdf") && f == LIM_FIGURE_PDF);
  assert_false(lim_figure_format_of(&f, "svg"));
  assert_false(lim_figure_format_of(&f, ".svg"));
  assert_false(lim_figure_format_of(&f, "a.jpg"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_format_starts_as_it_should_and_repeats),
      cmocka_unit_test(odd_data_are_drawn),
      cmocka_unit_test(nothing_finite_is_refused),
      cmocka_unit_test(names_may_be_anything),
      cmocka_unit_test(large_tables_make_small_files),
      cmocka_unit_test(small_sheets_are_drawn),
      cmocka_unit_test(formats_follow_the_end_of_the_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

// base_error.c - tests of collected error messages.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"

#include <stdio.h>
#include <string.h>

static void error_add_keeps_place_and_text(void **state) {
  (void)state;
  lim_error err = {0};
  lim_code code = lim_error_add(&err, LIM_BAD_INPUT, "arm.yaml", 3, 7, "link '%s': %d", "upper", 42);
  assert_int_equal(code, LIM_BAD_INPUT);
  assert_int_equal(err.code, LIM_BAD_INPUT);
  assert_int_equal(err.count, 1);
  assert_int_equal(err.kept, 1);
  assert_string_equal(err.note[0].file, "arm.yaml");
  assert_int_equal(err.note[0].line, 3);
  assert_int_equal(err.note[0].column, 7);
  assert_string_equal(err.note[0].text, "link 'upper': 42");
  lim_error_clear(&err);
}

static void error_add_copies_file_name(void **state) {
  (void)state;
  lim_error err = {0};
  char name[] = "arm.yaml";
  lim_error_add(&err, LIM_IO, name, 1, 1, "gone");
  name[0] = 'X';
  assert_string_equal(err.note[0].file, "arm.yaml");
  lim_error_clear(&err);
}

static void error_add_without_error_returns_code(void **state) {
  (void)state;
  assert_int_equal(lim_error_add(NULL, LIM_IO, "f", 1, 1, "lost %d", 1), LIM_IO);
  assert_int_equal(LIM_FAIL(NULL, LIM_NO_MEMORY, "lost"), LIM_NO_MEMORY);
}

static void fail_has_no_place(void **state) {
  (void)state;
  lim_error err = {0};
  assert_int_equal(LIM_FAIL(&err, LIM_FAILED, "no convergence after %d steps", 9), LIM_FAILED);
  assert_null(err.note[0].file);
  assert_int_equal(err.note[0].line, 0);
  assert_int_equal(err.note[0].column, 0);
  assert_string_equal(err.note[0].text, "no convergence after 9 steps");
  lim_error_clear(&err);
}

static void error_several_keep_first_code_and_order(void **state) {
  (void)state;
  lim_error err = {0};
  LIM_FAIL(&err, LIM_IO, "first");
  assert_int_equal(LIM_FAIL(&err, LIM_BAD_INPUT, "second"), LIM_BAD_INPUT);
  LIM_FAIL(&err, LIM_FAILED, "third");
  assert_int_equal(err.code, LIM_IO);
  assert_int_equal(err.count, 3);
  assert_string_equal(err.note[0].text, "first");
  assert_string_equal(err.note[1].text, "second");
  assert_string_equal(err.note[2].text, "third");
  lim_error_clear(&err);
}

static void error_too_many_are_counted_not_kept(void **state) {
  (void)state;
  lim_error err = {0};
  for (int i = 0; i < LIM_NOTES_MAX + 50; i++) LIM_FAIL(&err, LIM_BAD_INPUT, "note %d", i);
  assert_int_equal(err.count, LIM_NOTES_MAX + 50);
  assert_int_equal(err.kept, LIM_NOTES_MAX);
  for (int i = 0; i < LIM_NOTES_MAX; i++) {
    char expected[32];
    snprintf(expected, sizeof expected, "note %d", i);
    assert_string_equal(err.note[i].text, expected);
  }
  lim_error_clear(&err);
}

static void error_long_text_is_cut(void **state) {
  (void)state;
  lim_error err = {0};
  char text[5001];
  memset(text, 'x', sizeof text - 1);
  text[sizeof text - 1] = '\0';
  LIM_FAIL(&err, LIM_BAD_INPUT, "%s", text);
  size_t length = strlen(err.note[0].text);
  assert_true(length >= 1000 && length < 5000);
  assert_memory_equal(err.note[0].text, text, length);
  lim_error_clear(&err);
}

static void error_clear_empties_and_allows_reuse(void **state) {
  (void)state;
  lim_error err = {0};
  LIM_FAIL(&err, LIM_IO, "first");
  lim_error_clear(&err);
  assert_int_equal(err.code, LIM_OK);
  assert_int_equal(err.count, 0);
  assert_int_equal(err.kept, 0);
  assert_null(err.note);
  lim_error_clear(&err);
  LIM_FAIL(&err, LIM_FAILED, "again");
  assert_int_equal(err.code, LIM_FAILED);
  assert_string_equal(err.note[0].text, "again");
  lim_error_clear(&err);
}

static void messages_steer_no_terminal(void **state) {
  (void)state;
  lim_error err = {0};
  lim_error_add(&err, LIM_BAD_INPUT, "a\033[2J.yaml", 1, 1, "value is '%s'", "\033]0;title\a");
  lim_warn(&err, NAN, "j\x9B", "cell '%s'", "\xE2\x80\xAE");
  assert_string_equal(err.note[0].file, "a?[2J.yaml");
  assert_string_equal(err.note[0].text, "value is '?]0;title?'");
  assert_string_equal(err.warning[0].text, "cell '?'");
  assert_string_equal(err.warning[0].place, "j?");
  lim_error_clear(&err);
}

static void warning_is_no_error_and_is_kept_once(void **state) {
  (void)state;
  lim_error err = {0};
  lim_warn(NULL, NAN, NULL, "nobody listens");
  for (int i = 0; i < 3; i++) lim_warn(&err, 0.5, "elbow", "joint '%s' is beyond its limit", "elbow");
  lim_warn(&err, NAN, NULL, "another doubt");
  assert_int_equal(err.code, LIM_OK);
  assert_int_equal(err.count, 0);
  assert_int_equal(err.warnings, 2);
  assert_string_equal(err.warning[0].text, "joint 'elbow' is beyond its limit");
  assert_string_equal(err.warning[0].place, "elbow");
  assert_true(err.warning[0].time == 0.5);
  for (int i = 0; i < 2 * LIM_NOTES_MAX; i++) lim_warn(&err, NAN, NULL, "doubt %d", i);
  assert_int_equal(err.warnings, LIM_NOTES_MAX);
  lim_error_clear(&err);
  assert_int_equal(err.warnings, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(warning_is_no_error_and_is_kept_once),
      cmocka_unit_test(messages_steer_no_terminal),
      cmocka_unit_test(error_add_keeps_place_and_text),
      cmocka_unit_test(error_add_copies_file_name),
      cmocka_unit_test(error_add_without_error_returns_code),
      cmocka_unit_test(fail_has_no_place),
      cmocka_unit_test(error_several_keep_first_code_and_order),
      cmocka_unit_test(error_too_many_are_counted_not_kept),
      cmocka_unit_test(error_long_text_is_cut),
      cmocka_unit_test(error_clear_empties_and_allows_reuse),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

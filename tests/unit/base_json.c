// base_json.c - tests of the JSON writer.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/json.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void expect(lim_text *out, const char *expected) {
  assert_false(out->failed);
  assert_string_equal(out->text, expected);
  lim_text_free(out);
}

static void json_scalar_stands_alone(void **state) {
  (void)state;
  lim_text out = {0};
  lim_json j = lim_json_start(&out);
  lim_json_text(&j, "arm");
  expect(&out, "\"arm\"");
}

static void json_object_is_indented(void **state) {
  (void)state;
  lim_text out = {0};
  lim_json j = lim_json_start(&out);
  lim_json_object(&j);
  lim_json_key(&j, "name");
  lim_json_text(&j, "arm");
  lim_json_key(&j, "link");
  lim_json_object(&j);
  lim_json_key(&j, "length");
  lim_json_number(&j, 0.5);
  lim_json_end(&j, '}');
  lim_json_key(&j, "ok");
  lim_json_bool(&j, true);
  lim_json_end(&j, '}');
  expect(&out, "{\n  \"name\": \"arm\",\n  \"link\": {\n    \"length\": 0.5\n  },\n  \"ok\": true\n}");
}

static void json_list_of_objects_is_indented(void **state) {
  (void)state;
  lim_text out = {0};
  lim_json j = lim_json_start(&out);
  lim_json_list(&j);
  for (int i = 0; i < 2; i++) {
    lim_json_object(&j);
    lim_json_key(&j, "i");
    lim_json_int(&j, i);
    lim_json_end(&j, '}');
  }
  lim_json_bool(&j, false);
  lim_json_end(&j, ']');
  expect(&out, "[\n  {\n    \"i\": 0\n  },\n  {\n    \"i\": 1\n  },\n  false\n]");
}

static void json_empty_brackets_stay_together(void **state) {
  (void)state;
  lim_text out = {0};
  lim_json j = lim_json_start(&out);
  lim_json_list(&j);
  lim_json_object(&j);
  lim_json_end(&j, '}');
  lim_json_list(&j);
  lim_json_end(&j, ']');
  lim_json_numbers(&j, NULL, 0);
  lim_json_end(&j, ']');
  expect(&out, "[\n  {},\n  [],\n  []\n]");
}

static void json_numbers_are_one_line(void **state) {
  (void)state;
  lim_text out = {0};
  lim_json j = lim_json_start(&out);
  lim_json_object(&j);
  lim_json_key(&j, "x");
  lim_json_numbers(&j, (double[]){1, 2, 3}, 3);
  lim_json_key(&j, "y");
  lim_json_int(&j, 4);
  lim_json_end(&j, '}');
  expect(&out, "{\n  \"x\": [1, 2, 3],\n  \"y\": 4\n}");
}

static void json_flat_keeps_all_below_on_the_line(void **state) {
  (void)state;
  lim_text out = {0};
  lim_json j = lim_json_start(&out);
  lim_json_list(&j);
  lim_json_flat(&j);
  lim_json_object(&j);
  lim_json_key(&j, "a");
  lim_json_numbers(&j, (double[]){1, 2}, 2);
  lim_json_key(&j, "b");
  lim_json_int(&j, 3);
  lim_json_end(&j, '}');
  lim_json_int(&j, 4);
  lim_json_end(&j, ']');
  lim_json_list(&j); // after the flat one lines break again
  lim_json_int(&j, 5);
  lim_json_end(&j, ']');
  lim_json_end(&j, ']');
  expect(&out, "[\n  [{\"a\": [1, 2], \"b\": 3}, 4],\n  [\n    5\n  ]\n]");
}

static void expect_text(const char *text, const char *expected) {
  lim_text out = {0};
  lim_json j = lim_json_start(&out);
  lim_json_text(&j, text);
  expect(&out, expected);
}

static void json_text_special_characters_are_escaped(void **state) {
  (void)state;
  expect_text("", "\"\"");
  expect_text("a\"b\\c", "\"a\\\"b\\\\c\"");
  expect_text("a\nb\tc\x01\x1f", "\"a\\u000ab\\u0009c\\u0001\\u001f\"");
  expect_text("</script>", "\"\\u003c/script>\"");
  expect_text("100 %d %s", "\"100 %d %s\"");
}

static void json_text_for_html_has_no_markup(void **state) {
  (void)state;
  lim_text out = {0};
  lim_json j = lim_json_start(&out);
  j.html = true;
  lim_json_flat(&j);
  lim_json_text(&j, "</script><img src=x onerror=alert(1)>&amp;");
  lim_json_raw(&j, "{\"<a>\": [1, \"&\"]}");
  lim_json_end(&j, ']');
  expect(&out, "[\"\\u003c/script\\u003e\\u003cimg src=x onerror=alert(1)\\u003e\\u0026amp;\", "
               "{\"\\u003ca\\u003e\": [1, \"\\u0026\"]}]");
}

static void json_valid_knows_json(void **state) {
  (void)state;
  static const char *const good[] = {"1", " [] ", "{}",
                                     "{\"a\": [1, -2.5e-3, true, null], \"b\": \"\\u00e9\\n\"}"};
  static const char *const bad[] = {"",      "[1,]",    "{\"a\" 1}",   "{a: 1}",   "[1", "01", "nul", "\"a",
                                    "[1] 2", "\"\\x\"", "\"\\u12g4\"", "\"a\nb\"", "-",  "1.", "1e",  "}"};
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) assert_true(lim_json_valid(good[i]));
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) assert_false(lim_json_valid(bad[i]));
  char deep[201];
  memset(deep, '[', 200);
  deep[200] = 0;
  assert_false(lim_json_valid(deep));
}

static void json_text_utf8_is_kept(void **state) {
  (void)state;
  expect_text("µm²", "\"µm²\"");
  expect_text("\xE2\x82\xAC \xF0\x9F\xA4\x96 \xF4\x8F\xBF\xBF",
              "\"\xE2\x82\xAC \xF0\x9F\xA4\x96 \xF4\x8F\xBF\xBF\"");
  expect_text("\xED\x9F\xBF\xEE\x80\x80", "\"\xED\x9F\xBF\xEE\x80\x80\"");
}

static void json_text_invalid_utf8_is_replaced(void **state) {
  (void)state;
  expect_text("a\xFFz", "\"a\\ufffdz\"");
  expect_text("\x80", "\"\\ufffd\"");
  expect_text("\xC2", "\"\\ufffd\"");                                  // cut short by the end
  expect_text("\xE2\x82", "\"\\ufffd\\ufffd\"");                       // likewise
  expect_text("\xF0\x9F\xA4", "\"\\ufffd\\ufffd\\ufffd\"");            // likewise
  expect_text("\xC3(", "\"\\ufffd(\"");                                // cut short by a letter
  expect_text("\xC0\xAF", "\"\\ufffd\\ufffd\"");                       // overlong
  expect_text("\xE0\x9F\xBF", "\"\\ufffd\\ufffd\\ufffd\"");            // overlong
  expect_text("\xF0\x8F\xBF\xBF", "\"\\ufffd\\ufffd\\ufffd\\ufffd\""); // overlong
  expect_text("\xED\xA0\x80", "\"\\ufffd\\ufffd\\ufffd\"");            // surrogate
  expect_text("\xF4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\""); // above U+10FFFF
  expect_text("\xF5\x80\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\"");
}

static void json_key_is_escaped(void **state) {
  (void)state;
  lim_text out = {0};
  lim_json j = lim_json_start(&out);
  lim_json_object(&j);
  lim_json_key(&j, "a\"<");
  lim_json_int(&j, LONG_MIN);
  lim_json_end(&j, '}');
  char expected[64];
  snprintf(expected, sizeof expected, "{\n  \"a\\\"\\u003c\": %ld\n}", LONG_MIN);
  expect(&out, expected);
}

static void expect_number(double x, const char *expected) {
  lim_text out = {0};
  lim_json j = lim_json_start(&out);
  lim_json_number(&j, x);
  expect(&out, expected);
}

static void json_number_is_short(void **state) {
  (void)state;
  expect_number(0, "0");
  expect_number(-1.5, "-1.5");
  expect_number(0.1, "0.1");
  expect_number(0.1 + 0.2, "0.30000000000000004");
  expect_number(1e22, "1e+22");
  expect_number(123456789, "123456789");
  expect_number(1.0 / 3, "0.3333333333333333");
}

static void json_number_not_finite_is_null(void **state) {
  (void)state;
  expect_number(NAN, "null");
  expect_number(INFINITY, "null");
  expect_number(-INFINITY, "null");
}

// A multiplicative walk over all magnitudes, with full mantissas.
static void json_number_reads_back_equal(void **state) {
  (void)state;
  double x = DBL_TRUE_MIN;
  for (int i = 0; i < 5000 && isfinite(x); i++, x *= 1.3456789012345678) {
    lim_text out = {0};
    lim_json j = lim_json_start(&out);
    lim_json_number(&j, i % 2 ? -x : x);
    assert_true(strtod(out.text, NULL) == (i % 2 ? -x : x));
    lim_text_free(&out);
  }
  expect_number(DBL_MAX, "1.7976931348623157e+308");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(json_scalar_stands_alone),
      cmocka_unit_test(json_object_is_indented),
      cmocka_unit_test(json_list_of_objects_is_indented),
      cmocka_unit_test(json_empty_brackets_stay_together),
      cmocka_unit_test(json_numbers_are_one_line),
      cmocka_unit_test(json_flat_keeps_all_below_on_the_line),
      cmocka_unit_test(json_text_special_characters_are_escaped),
      cmocka_unit_test(json_text_for_html_has_no_markup),
      cmocka_unit_test(json_valid_knows_json),
      cmocka_unit_test(json_text_utf8_is_kept),
      cmocka_unit_test(json_text_invalid_utf8_is_replaced),
      cmocka_unit_test(json_key_is_escaped),
      cmocka_unit_test(json_number_is_short),
      cmocka_unit_test(json_number_not_finite_is_null),
      cmocka_unit_test(json_number_reads_back_equal),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

// base_text.c - tests of growing texts, edit distance and the nearest name.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/text.h"

#include <stdio.h>
#include <string.h>
#include <wchar.h>

static void text_unused_is_empty_and_freeable(void **state) {
  (void)state;
  lim_text t = {0};
  assert_null(t.text);
  lim_text_free(&t);
  assert_null(t.text);
}

static void text_add_formats_and_appends(void **state) {
  (void)state;
  lim_text t = {0};
  lim_text_add(&t, "%s=%d", "a", 1);
  lim_text_add(&t, ";%.2f", 2.5);
  assert_string_equal(t.text, "a=1;2.50");
  assert_int_equal(t.length, 8);
  assert_true(t.capacity > t.length);
  assert_false(t.failed);
  lim_text_free(&t);
}

static void text_add_empty_is_terminated(void **state) {
  (void)state;
  lim_text t = {0};
  lim_text_add(&t, "%s", "");
  assert_string_equal(t.text, "");
  lim_text_free(&t);
}

static void text_add_many_pieces_keeps_all(void **state) {
  (void)state;
  lim_text t = {0};
  for (int i = 0; i < 5000; i++) lim_text_add(&t, "%04d", i);
  assert_int_equal(t.length, 20000);
  assert_int_equal(strlen(t.text), 20000);
  for (int i = 0; i < 5000; i += 7) {
    char piece[16], expected[16];
    snprintf(expected, sizeof expected, "%04d", i);
    snprintf(piece, sizeof piece, "%.4s", t.text + 4 * i);
    assert_string_equal(piece, expected);
  }
  lim_text_free(&t);
}

// Every length around a power of two: the terminator must find its room.
static void text_add_any_length_is_terminated(void **state) {
  (void)state;
  for (int n = 0; n < 600; n++) {
    lim_text t = {0};
    lim_text_add(&t, "%*s", n, "");
    lim_text_add(&t, "x");
    assert_int_equal(strlen(t.text), n + 1);
    assert_int_equal(t.text[n], 'x');
    lim_text_free(&t);
  }
}

static void text_add_unprintable_fails_and_stays_failed(void **state) {
  (void)state;
  lim_text t = {0};
  lim_text_add(&t, "kept");
  lim_text_add(&t, "%lc", (wint_t)0x7FFFFFFF); // no character: vsnprintf fails
  assert_true(t.failed);
  lim_text_add(&t, "more");
  assert_true(t.failed);
  assert_string_equal(t.text, "kept");
  lim_text_free(&t);
  assert_false(t.failed);
}

static void distance_of_known_pairs_is_number_of_edits(void **state) {
  (void)state;
  static const struct {
    const char *a, *b;
    int edits;
  } pair[] = {
      {"", "", 0},
      {"", "abc", 3},
      {"length", "length", 0},
      {"lenght", "length", 1},
      {"lngth", "length", 1},
      {"lengthh", "length", 1},
      {"lemgth", "length", 1},
      {"kitten", "sitting", 3},
      {"ab", "ba", 1},
      {"abcd", "badc", 2},
      {"ca", "abc", 3},
      {"Mass", "mass", 1},
      {"abc", "xyz", 3},
      {"a", "", 1},
  };
  for (size_t i = 0; i < sizeof pair / sizeof *pair; i++) {
    assert_int_equal(lim_text_distance(pair[i].a, pair[i].b), pair[i].edits);
    assert_int_equal(lim_text_distance(pair[i].b, pair[i].a), pair[i].edits);
  }
}

static void distance_of_longest_compared_texts_is_exact(void **state) {
  (void)state;
  char a[65] = "", b[65] = "";
  memset(a, 'a', 64);
  memset(b, 'b', 64);
  assert_int_equal(lim_text_distance(a, b), 64);
  assert_int_equal(lim_text_distance(a, ""), 64);
  b[0] = 'a';
  assert_int_equal(lim_text_distance(a, b), 63);
}

static void distance_of_long_texts_is_far_unless_equal(void **state) {
  (void)state;
  static char a[10001], b[10001];
  memset(a, 'a', sizeof a - 1);
  memset(b, 'a', sizeof b - 1);
  assert_int_equal(lim_text_distance(a, b), 0);
  b[5000] = 'b';
  assert_true(lim_text_distance(a, b) > 64);
  assert_true(lim_text_distance("a", b) > 64);
  assert_true(lim_text_distance(b, "a") > 64);
}

static const char *nearest(const char *word) {
  static const char *const key[] = {"length", "mass", "damping", "stiffness", "at", "material"};
  lim_nearest n = lim_nearest_start(word);
  for (size_t i = 0; i < sizeof key / sizeof *key; i++) lim_nearest_try(&n, key[i]);
  return n.best;
}

static void nearest_of_slip_is_the_word_meant(void **state) {
  (void)state;
  assert_string_equal(nearest("lenght"), "length");
  assert_string_equal(nearest("mas"), "mass");
  assert_string_equal(nearest("damp1ing"), "damping");
  assert_string_equal(nearest("stifness"), "stiffness");
  assert_string_equal(nearest("matirial"), "material");
}

static void nearest_of_other_case_is_free(void **state) {
  (void)state;
  assert_string_equal(nearest("MASS"), "mass");
  assert_string_equal(nearest("LENGHT"), "length");
  lim_nearest n = lim_nearest_start("Mass");
  lim_nearest_try(&n, "mass");
  assert_int_equal(n.distance, 0);
}

static void nearest_of_unrelated_word_is_none(void **state) {
  (void)state;
  assert_null(nearest("colour"));
  assert_null(nearest("rigidity"));
  assert_null(nearest("x"));
  assert_null(lim_nearest_start("x").best);
}

// Limits: 1 up to four letters, 2 up to seven, 3 above.
static void nearest_limit_grows_with_length(void **state) {
  (void)state;
  static const struct {
    const char *word, *candidate;
    bool close;
  } pair[] = {
      {"abcd", "abcx", true},         {"abcd", "abxx", false},         {"abcde", "abcxx", true},
      {"abcde", "abxxx", false},      {"abcdefg", "abcdexx", true},    {"abcdefg", "abcdxxx", false},
      {"abcdefgh", "abcdexxx", true}, {"abcdefgh", "abcdxxxx", false},
  };
  for (size_t i = 0; i < sizeof pair / sizeof *pair; i++) {
    lim_nearest n = lim_nearest_start(pair[i].word);
    lim_nearest_try(&n, pair[i].candidate);
    assert_int_equal(n.best != NULL, pair[i].close);
  }
}

static void nearest_of_several_is_the_closest(void **state) {
  (void)state;
  lim_nearest n = lim_nearest_start("position");
  lim_nearest_try(&n, "positron2");
  assert_string_equal(n.best, "positron2");
  lim_nearest_try(&n, "positions");
  assert_string_equal(n.best, "positions");
  lim_nearest_try(&n, "posittion"); // as close: the first stays
  assert_string_equal(n.best, "positions");
  lim_nearest_try(&n, "position");
  assert_string_equal(n.best, "position");
}

static void cleaned(const char *text, const char *expected) {
  char copy[64];
  snprintf(copy, sizeof copy, "%s", text);
  lim_text_clean(copy);
  assert_string_equal(copy, expected);
}

static void clean_text_steers_nothing(void **state) {
  (void)state;
  cleaned("arm µ 臂 🦾", "arm µ 臂 🦾");
  cleaned("a\tb\nc\r", "a b c ");
  cleaned("\033[31mred\a\177", "?[31mred??");
  cleaned("a\xC2\x9B"
          "b",
          "a?b"); // a control sequence in one letter
  cleaned("a\xE2\x80\xAE"
          "b\xE2\x81\xA6"
          "c\xE2\x80\xA8",
          "a?b?c?"); // directions, line separator
  cleaned("\xFF\xE2\x80", "???");
  cleaned("", "");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(clean_text_steers_nothing),
      cmocka_unit_test(text_unused_is_empty_and_freeable),
      cmocka_unit_test(text_add_formats_and_appends),
      cmocka_unit_test(text_add_empty_is_terminated),
      cmocka_unit_test(text_add_many_pieces_keeps_all),
      cmocka_unit_test(text_add_any_length_is_terminated),
      cmocka_unit_test(text_add_unprintable_fails_and_stays_failed),
      cmocka_unit_test(distance_of_known_pairs_is_number_of_edits),
      cmocka_unit_test(distance_of_longest_compared_texts_is_exact),
      cmocka_unit_test(distance_of_long_texts_is_far_unless_equal),
      cmocka_unit_test(nearest_of_slip_is_the_word_meant),
      cmocka_unit_test(nearest_of_other_case_is_free),
      cmocka_unit_test(nearest_of_unrelated_word_is_none),
      cmocka_unit_test(nearest_limit_grows_with_length),
      cmocka_unit_test(nearest_of_several_is_the_closest),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

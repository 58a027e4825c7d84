// Answers: put together by the calls that write JSON, read by key, written with the same bytes.
#include "base/json.h"
#include "base/tree.h"
#include "fixture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// One of everything.
static void put_together(lim_json *j) {
  lim_json_object(j);
  lim_json_key(j, "frames");
  lim_json_object(j);
  lim_json_key(j, "upper.tip");
  lim_json_object(j);
  lim_json_key(j, "position");
  lim_json_numbers(j, (double[]){1, 0.1, -1e-300}, 3);
  lim_json_unit(j, "m");
  lim_json_end(j, '}');
  lim_json_end(j, '}');
  lim_json_key(j, "peak");
  lim_json_object(j);
  lim_json_key(j, "tip.error.y");
  lim_json_number(j, 0.25);
  lim_json_key(j, "a");
  lim_json_number(j, NAN);
  lim_json_end(j, '}');
  lim_json_key(j, "rows");
  lim_json_list(j);
  for (int i = 0; i < 2; i++) {
    lim_json_flat(j);
    for (int k = 0; k < 3; k++) lim_json_int(j, 10 * i + k);
    lim_json_end(j, ']');
  }
  lim_json_end(j, ']');
  lim_json_key(j, "words");
  lim_json_flat(j);
  lim_json_text(j, "one");
  lim_json_text(j, "<\"\xff");
  lim_json_end(j, ']');
  lim_json_key(j, "upright");
  lim_json_list(j); // numbers, one to a line
  lim_json_number(j, 1e15);
  lim_json_int(j, 123456789012345);
  lim_json_end(j, ']');
  lim_json_key(j, "nothing");
  lim_json_numbers(j, NULL, 0);
  lim_json_key(j, "none");
  lim_json_object(j);
  lim_json_end(j, '}');
  lim_json_key(j, "good");
  lim_json_bool(j, true);
  lim_json_end(j, '}');
}

static lim_answer *make(void) {
  lim_tree *t = lim_tree_new();
  assert_non_null(t);
  lim_json j = lim_json_into(t);
  put_together(&j);
  assert_false(t->failed);
  return &t->root;
}

static void answer_is_written_with_the_bytes_of_the_stream(void **state) {
  (void)state;
  lim_text out = {0};
  lim_json j = lim_json_start(&out);
  put_together(&j);
  lim_text_add(&out, "\n");
  lim_answer *a = make();
  assert_string_equal(lim_answer_json(a), out.text);
  lim_answer_free(a);
  lim_text_free(&out);
}

static void entries_are_found_by_path(void **state) {
  (void)state;
  int n;
  lim_answer *a = make();
  assert_float_equal(lim_answer_number(a, "frames.upper.tip.position[1]"), 0.1, 0);
  assert_float_equal(lim_answer_number(a, "frames['upper.tip'].position[0]"), 1, 0);
  assert_float_equal(lim_answer_number(a, "peak[\"tip.error.y\"]"), 0.25, 0);
  assert_float_equal(lim_answer_number(a, "peak.tip.error.y"), 0.25, 0);
  assert_float_equal(lim_answer_number(a, "rows[1][2]"), 12, 0);
  assert_float_equal(lim_answer_number(a, "good"), 1, 0);
  assert_string_equal(lim_answer_text(a, "words[0]"), "one");
  assert_string_equal(lim_answer_unit(a, "frames.upper.tip.position"), "m");
  const double *x = lim_answer_array(a, "rows[1]", &n);
  assert_int_equal(n, 3);
  assert_float_equal(x[2], 12, 0);
  assert_int_equal(lim_answer_kind_of(a, "rows"), LIM_ANSWER_LIST);
  assert_int_equal(lim_answer_kind_of(a, "upright"), LIM_ANSWER_NUMBERS);
  assert_int_equal(lim_answer_kind_of(a, "nothing"), LIM_ANSWER_LIST);
  assert_int_equal(lim_answer_kind_of(a, NULL), LIM_ANSWER_OBJECT);
  assert_int_equal(lim_answer_count(a, ""), 8);
  assert_string_equal(lim_answer_key(a, "peak", 1), "a");
  assert_float_equal(lim_answer_number(lim_answer_item(a, "peak", 0), NULL), 0.25, 0);
  lim_answer_free(a);
}

static void what_is_not_there_is_told(void **state) {
  (void)state;
  lim_answer *a = make();
  static const char *const paths[] = {"x",
                                      "peak.x",
                                      "rows[2]",
                                      "rows[-1]",
                                      "rows[1][3]",
                                      "rows[",
                                      "rows[1",
                                      "peak['tip.error.y",
                                      "frames.upper",
                                      "words[0].x",
                                      "rows[x]",
                                      "[0]",
                                      "."};
  for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
    assert_null(lim_answer_at(a, paths[i]));
    assert_true(isnan(lim_answer_number(a, paths[i])));
    assert_int_equal(lim_answer_kind_of(a, paths[i]), LIM_ANSWER_NONE);
    assert_int_equal(lim_answer_count(a, paths[i]), 0);
  }
  int n = 7;
  assert_null(lim_answer_array(a, "peak", &n));
  assert_int_equal(n, 0);
  assert_null(lim_answer_text(a, "good"));
  assert_true(isnan(lim_answer_number(a, "words[0]")));
  assert_true(isnan(lim_answer_number(a, "peak.a")));
  assert_null(lim_answer_key(a, "rows", 0));
  assert_null(lim_answer_item(a, "upright", 0)); // its numbers are an array
  assert_null(lim_answer_at(NULL, "x"));
  assert_null(lim_answer_json(NULL));
  lim_answer_free(NULL);
  lim_answer_free(a);
}

static void answer_is_written_whole_or_not_at_all(void **state) {
  (void)state;
  lim_error err = {0};
  char path[] = "/tmp/limber_answer_XXXXXX", line[8] = "";
  int fd = mkstemp(path);
  assert_true(fd >= 0);
  close(fd);
  lim_answer *a = make();
  assert_int_equal(lim_answer_write(a, path, &err), LIM_OK);
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  assert_non_null(fgets(line, sizeof line, file));
  assert_string_equal(line, "{\n");
  fclose(file);
  unlink(path);
  assert_int_equal(lim_answer_write(a, "/nowhere/at/all", &err), LIM_IO);
  assert_int_equal(lim_answer_write(a, NULL, &err), LIM_BAD_INPUT);
  lim_error_clear(&err);
  lim_answer_free(a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(answer_is_written_with_the_bytes_of_the_stream),
      cmocka_unit_test(entries_are_found_by_path),
      cmocka_unit_test(what_is_not_there_is_told),
      cmocka_unit_test(answer_is_written_whole_or_not_at_all),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

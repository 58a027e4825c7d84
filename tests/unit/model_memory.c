// model_memory.c - every allocation of reading a model fails once: no crash, no leak, and the code says so.
#include "model_fixture.h"

#include "memory_fixture.h"

typedef lim_code (*reader)(lim_model **out, const char *text, lim_error *err);

static lim_code from_file(lim_model **out, const char *path, lim_error *err) {
  return lim_model_load(out, path, NULL, 0, err);
}

static lim_code from_text(lim_model **out, const char *text, lim_error *err) {
  const char *const set[] = {"links.arm.beam.length=3 m", "solver.step=2 ms"};
  return lim_model_parse(out, text, (long)strlen(text), "test.yaml", set, 2, err);
}

// Let the n-th allocation fail, for all n until none does; `last` is the code then.
static long fail_each(reader read, const char *argument, lim_code last) {
  long n = 1;
  for (bool done = false; !done; n++) {
    lim_error err = {0};
    lim_model *m = NULL;
    fail_call(n);
    lim_code code = read(&m, argument, &err);
    done = calls < n;
    failing = 0;
    assert_int_equal(code == LIM_OK, m != NULL);
    assert_int_equal(code == LIM_OK, err.count == 0);
    assert_true(code == last || (!done && code == LIM_NO_MEMORY));
    lim_model_free(m);
    lim_error_clear(&err);
    assert_int_equal(live, 0);
  }
  return n - 1;
}

static void memory_out_while_loading_is_reported_and_leaks_nothing(void **state) {
  (void)state;
  assert_true(fail_each(from_file, "tests/models/interface.yaml", LIM_OK) > 5);
}

static void memory_out_while_overriding_is_reported_and_leaks_nothing(void **state) {
  (void)state;
  static const char text[] = "limber: 1\n" MATERIALS SECTIONS "links:\n  - {name: arm, " BEAM "}\n";
  assert_true(fail_each(from_text, text, LIM_OK) > 2);
}

static void memory_out_while_collecting_messages_leaks_nothing(void **state) {
  (void)state;
  static const char text[] =
      "limber: 1\nx: 1\nlinks:\n  - {name: arm, parent: bass, beam: {length: -1, colour: red}}\n"
      "drives: {am: {type: servo, gear: 1}}\nsolver: {stp: 1}\n";
  assert_true(fail_each(from_text, text, LIM_BAD_INPUT) > 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(memory_out_while_loading_is_reported_and_leaks_nothing),
      cmocka_unit_test(memory_out_while_overriding_is_reported_and_leaks_nothing),
      cmocka_unit_test(memory_out_while_collecting_messages_leaks_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

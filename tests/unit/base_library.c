// base_library.c - shared libraries that are loaded when they are needed: what they offer, what is said without
// them.
#include "base/library/library.h"

#include "fixture.h"

typedef struct {
  double (*cosine)(double);
  double (*sine)(double);
} table;

static const char *const names[] = {"cos", "sin"}, *const others[] = {"cos", "no_such_function"};

static void table_is_filled_once(void **state) {
  (void)state;
  table t = {0};
  lim_library l = {"the library of functions", "libm.so.6", names, 2, 0, &t, false};
  assert_int_equal(lim_library_load(&l, NULL), LIM_OK);
  assert_true(t.cosine(0) == 1 && t.sine(0) == 0);
  l.file = "no-such-library.so"; // nobody asks any more
  assert_int_equal(lim_library_load(&l, NULL), LIM_OK);
}

extern char **environ;

static void variables_are_those_that_the_program_shares(void **state) {
  (void)state;
  static const char *const name[] = {"environ"};
  char ***found = NULL;
  lim_library l = {"the C library", "libc.so.6", name, 1, 1, &found, false};
  assert_int_equal(lim_library_load(&l, NULL), LIM_OK);
  assert_ptr_equal(found, &environ);
}

static void refused(const char *file, const char *const *symbol, const char *message) {
  table t = {0};
  lim_library l = {"the library of functions", file, symbol, 2, 0, &t, false};
  lim_error err = {0};
  assert_int_equal(lim_library_load(&l, &err), LIM_IO);
  if (!strstr(err.note[0].text, message)) fail_msg("%s", err.note[0].text);
  assert_false(l.loaded);
  lim_error_clear(&err);
}

static void library_or_function_that_is_missing_is_named(void **state) {
  (void)state;
  refused("no-such-library.so", names, "the library of functions cannot be loaded: no-such-library.so");
  refused("libm.so.6", others, "the library of functions cannot be used: libm.so.6 has no no_such_function");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(table_is_filled_once),
      cmocka_unit_test(variables_are_those_that_the_program_shares),
      cmocka_unit_test(library_or_function_that_is_missing_is_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

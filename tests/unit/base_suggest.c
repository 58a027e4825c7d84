// base_suggest.c - tests of what is said about a name that is not there.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/suggest.h"

#include <stdio.h>
#include <string.h>

static lim_choice choice_of(const char *word, const char *const *names) {
  lim_choice c = lim_choice_start(word);
  for (; *names; names++) lim_choice_try(&c, *names);
  return c;
}

static void a_slip_gets_the_name_meant_and_the_list(void **state) {
  (void)state;
  lim_choice c = choice_of("tpi", (const char *const[]){"base", "tip", NULL});
  assert_string_equal(lim_choice_say(&c, "defined:", NULL), "; did you mean 'tip'? defined: base, tip");
  c = choice_of("wrist", (const char *const[]){"base", "tip", NULL});
  assert_string_equal(lim_choice_say(&c, "there are", "all"), "; there are base, tip");
}

static void one_name_is_not_said_twice(void **state) {
  (void)state;
  lim_choice c = choice_of("tpi", (const char *const[]){"tip", NULL});
  assert_string_equal(lim_choice_say(&c, "defined:", NULL), "; did you mean 'tip'?");
  c = choice_of("tpi", (const char *const[]){NULL});
  assert_string_equal(lim_choice_say(&c, "defined:", NULL), "; there is none");
}

// Names may be put together one after the other in the same place.
static void names_are_copied(void **state) {
  (void)state;
  char name[32];
  lim_choice c = lim_choice_start("arm19.tpi");
  for (int i = 0; i < 30; i++) {
    snprintf(name, sizeof name, "arm%d.tip", i);
    lim_choice_try(&c, name);
  }
  const char *text = lim_choice_say(&c, "defined:", LIM_CHOICE_ALL);
  assert_memory_equal(text, "; did you mean 'arm19.tip'? defined: arm0.tip, arm1.tip,", 56);
  assert_non_null(strstr(text, "arm11.tip and 18 more; 'limber check --names' lists all"));
  assert_null(strstr(text, "arm12.tip"));
}

static void long_names_end_the_list_early(void **state) {
  (void)state;
  char name[LIM_CHOICE_NAME];
  lim_choice c = lim_choice_start("x");
  for (int i = 0; i < 5000; i++) {
    memset(name, 'a' + i % 26, sizeof name - 1);
    name[sizeof name - 1] = 0;
    lim_choice_try(&c, name);
  }
  const char *text = lim_choice_say(&c, "defined:", NULL);
  assert_string_equal(text + strlen(text) - 14, " and 4999 more");
}

static void beginnings_are_meant_but_not_listed(void **state) {
  (void)state;
  lim_choice c = lim_choice_start("tpi");
  lim_choice_try(&c, "tip.position");
  lim_choice_also(&c, "tip");
  assert_string_equal(lim_choice_say(&c, "there are", NULL), "; did you mean 'tip'? there are tip.position");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_slip_gets_the_name_meant_and_the_list),
      cmocka_unit_test(one_name_is_not_said_twice),
      cmocka_unit_test(names_are_copied),
      cmocka_unit_test(long_names_end_the_list_early),
      cmocka_unit_test(beginnings_are_meant_but_not_listed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

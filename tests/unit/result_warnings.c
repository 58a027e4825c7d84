// result_warnings.c - what a run warns of.
#include "link_fixture.h"

#include "result/warnings.h"

static int warnings(char text[LIM_WARNINGS][LIM_WARNING_LENGTH], lim_run run) {
  lim_model *m = parse("limber: 1\n" MATERIAL SECTION "links:\n  - {name: arm, " BEAM "}\n");
  m->solver.stiffening = 0;
  int n = lim_run_warnings(text, &run, m);
  lim_model_free(m);
  return n;
}

static void good_run_has_no_warnings(void **state) {
  (void)state;
  char text[LIM_WARNINGS][LIM_WARNING_LENGTH];
  assert_int_equal(warnings(text, (lim_run){.balance_percent_rms = NAN, .bend_link = -1, .pull_link = -1}), 0);
  assert_int_equal(warnings(text, (lim_run){.balance_percent_rms = 0.05, .bend = 0.05, .pull = 0.5}), 0);
}

static void every_limit_has_its_warning(void **state) {
  (void)state;
  char text[LIM_WARNINGS][LIM_WARNING_LENGTH];
  lim_run run = {.balance_percent_rms = 3, .bend = 0.2, .pull = 2};
  assert_int_equal(warnings(text, run), 3);
  assert_non_null(strstr(text[0], "axial forces stiffen or soften link 'arm'"));
  assert_non_null(strstr(text[0], "2 segments"));
  assert_non_null(strstr(text[1], "link 'arm' bends by 20 % of its length"));
  assert_non_null(strstr(text[2], "energy balance is off by 3 %"));
  run.status = LIM_RUN_FAILED; // its error says enough
  assert_int_equal(warnings(text, run), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(good_run_has_no_warnings),
      cmocka_unit_test(every_limit_has_its_warning),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

// analysis_warnings.c - what a run warns of.
#include "link_fixture.h"

#include "analysis/warnings.h"
#include "base/error.h"

static lim_error warnings(lim_run run) {
  lim_error err = {0};
  lim_model *m = parse("limber: 1\n" MATERIAL SECTION "links:\n  - {name: arm, " BEAM "}\n");
  m->solver.stiffening = 0;
  lim_warn_of_run(&err, &run, m);
  lim_model_free(m);
  return err;
}

static void good_run_has_no_warnings(void **state) {
  (void)state;
  lim_error err = warnings((lim_run){.balance_percent_rms = NAN, .bend_link = -1, .pull_link = -1});
  assert_int_equal(err.warnings, 0);
  err = warnings((lim_run){.balance_percent_rms = 0.05, .bend = 0.05, .pull = 0.5});
  assert_int_equal(err.warnings, 0);
}

static void every_limit_has_its_warning(void **state) {
  (void)state;
  lim_error err = warnings((lim_run){.balance_percent_rms = 3, .bend = 0.2, .pull = 2});
  assert_int_equal(err.warnings, 3);
  assert_int_equal(err.count, 0); // no errors
  assert_non_null(strstr(err.warning[0].text, "axial forces stiffen or soften link 'arm'"));
  assert_non_null(strstr(err.warning[0].text, "2 segments"));
  assert_string_equal(err.warning[0].place, "arm");
  assert_true(isnan(err.warning[0].time));
  assert_non_null(strstr(err.warning[1].text, "link 'arm' bends by 20 % of its length"));
  assert_non_null(strstr(err.warning[2].text, "energy balance is off by 3 %"));
  assert_null(err.warning[2].place);
  lim_error_clear(&err);
  assert_int_equal(err.warnings, 0);
}

static void twist_beside_bending_is_told_where_it_matters(void **state) {
  (void)state;
  lim_error err = warnings((lim_run){.balance_percent_rms = NAN, .bend = 0.05, .twist = 0.003});
  assert_int_equal(err.warnings, 1);
  assert_non_null(strstr(err.warning[0].text, "link 'arm' bends and twists at once"));
  assert_non_null(strstr(err.warning[0].text, "about 1 mm per metre"));
  lim_error_clear(&err);
  err = warnings((lim_run){.balance_percent_rms = NAN, .bend = 0.05, .twist = 0.001});
  assert_int_equal(err.warnings, 0);
}

static void failed_run_has_its_error_only(void **state) {
  (void)state;
  lim_error err =
      warnings((lim_run){.balance_percent_rms = 3, .bend = 0.2, .pull = 2, .status = LIM_RUN_FAILED});
  assert_int_equal(err.warnings, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(good_run_has_no_warnings),
      cmocka_unit_test(every_limit_has_its_warning),
      cmocka_unit_test(twist_beside_bending_is_told_where_it_matters),
      cmocka_unit_test(failed_run_has_its_error_only),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

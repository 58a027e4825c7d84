// store_recorder.c - text and summary of recorded moments, and what stays after failures.
#include "analysis/simulation/simulate.h"
#include "store_fixture.h"

static void csv_has_names_units_and_every_moment(void **state) {
  arm x;
  lim_recorder *r = recorder(&x, HUB, in(*state, "a/b").text);
  assert_int_equal(record_three(r, &x, NULL), LIM_OK);
  assert_true(exists(*state, "a/b/channels.csv.part"));
  assert_true(exists(*state, "a/b/result.h5.part"));
  assert_int_equal(lim_recorder_end(r, &DONE, NULL), LIM_OK);
  char *text = content(*state, "a/b/channels.csv");
  char expected[512];
  snprintf(expected, sizeof expected,
           "t [s],hub.position [rad],energy.kinetic [J],energy.balance [-],hub.effort [N m]\n"
           "0,0,0,0,-0.33333333333333331\n0.5,0.25,2,%.17g,-0.33333333333333331\n"
           "1.5,2.25,6,%.17g,-0.33333333333333331\n",
           0.0625 * (1.0 / 6), 0.1875 * (1.0 / 6));
  assert_string_equal(text, expected);
  free(text);
  assert_false(exists(*state, "a/b/channels.csv.part"));
  assert_false(exists(*state, "a/b/result.h5.part"));
  lim_recorder_free(r);
  arm_end(&x);
}

static void summary_has_final_peak_and_time_weighted_rms(void **state) {
  (void)state;
  arm x;
  lim_recorder *r = recorder(&x, HUB, NULL);
  assert_null(lim_recorder_summary(r));
  assert_int_equal(record_three(r, &x, NULL), LIM_OK);
  const lim_summary *s = lim_recorder_summary(r);
  const lim_channels *c = lim_recorder_channels(r);
  int hub = channel_of(c, "hub.position"), balance = channel_of(c, "energy.balance"),
      effort = channel_of(c, "hub.effort");
  NEAR(lim_summary_final(s, hub), 2.25, 1e-15);
  NEAR(lim_summary_peak(s, hub), 2.25, 1e-15);
  double square = 0.5 * (0.25 * 0.25) / 2 + 1.0 * (0.25 * 0.25 + 2.25 * 2.25) / 2;
  NEAR(lim_summary_rms(s, hub), sqrt(square / 1.5), 1e-14);
  NEAR(lim_summary_peak(s, balance), 0.1875 / 6, 1e-14);
  NEAR(lim_summary_peak(s, effort), 1.0 / 3, 1e-15);
  NEAR(lim_summary_final(s, effort), -1.0 / 3, 1e-15);
  NEAR(lim_summary_rms(s, effort), 1.0 / 3, 1e-15);
  NEAR(s->entry[effort].peak_time, 0, 0);
  assert_int_equal(lim_recorder_end(r, &DONE, NULL), LIM_OK);
  lim_recorder_free(r);
  arm_end(&x);
}

static void peak_that_returns_up_to_rounding_keeps_its_first_time(void **state) {
  (void)state;
  static const double value[] = {0, -2, 1, 2 + 1e-15, -2 - 2e-15, 1};
  lim_summary *s = lim_summary_new(1);
  assert_non_null(s);
  for (int i = 0; i < 6; i++) lim_summary_add(s, i, &value[i]);
  NEAR(s->entry[0].peak_time, 1, 0);
  NEAR(lim_summary_peak(s, 0), 2 + 2e-15, 0);
  lim_summary_add(s, 6, &(const double){2.1});
  NEAR(s->entry[0].peak_time, 6, 0);
  lim_summary_free(s);
}

static void json_answer_has_the_keys_of_simulate(void **state) {
  arm x;
  lim_recorder *r = recorder(&x, HUB, *state);
  assert_int_equal(record_three(r, &x, NULL), LIM_OK);
  lim_run run = DONE;
  run.status = LIM_RUN_INTERRUPTED;
  run.balance_percent_rms = NAN;
  assert_int_equal(lim_recorder_end(r, &run, NULL), LIM_OK);
  lim_text out = {0};
  lim_recorder_json(&out, r, &run, NULL);
  char *file = content(*state, "summary.json");
  assert_string_equal(file, out.text);
  const char *const keys[] = {"\"model\": \"turning\"",
                              "\"mode\": \"nonlinear\"",
                              "\"method\": \"generalized-alpha\"",
                              "\"step\": 0.5",
                              "\"duration\": 2",
                              "\"status\": \"interrupted\"",
                              "\"end\": 2",
                              "\"steps\": 4",
                              "\"iterations\": 9",
                              "\"records\": 3",
                              "\"wall_s\": 0.25",
                              "\"energy_balance_percent_rms\": null",
                              "\"final\": {\n    \"hub.position\": 2.25",
                              "\"peak\": {\n    \"hub.position\": 2.25",
                              "\"peak_time\": {\n    \"hub.position\": 1.5",
                              "\"rms\": {\n    \"hub.position\": "};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    if (!strstr(out.text, keys[i])) fail_msg("%s is missing in %s", keys[i], out.text);
  free(file);
  lim_text_free(&out);
  lim_recorder_free(r);
  arm_end(&x);
}

// --- failures ---

static void recorder_freed_without_end_leaves_nothing(void **state) {
  arm x;
  lim_recorder *r = recorder(&x, HUB, *state);
  assert_int_equal(record_three(r, &x, NULL), LIM_OK);
  lim_recorder_free(r);
  const char *const files[] = {"channels.csv", "channels.csv.part", "result.h5", "result.h5.part",
                               "summary.json"};
  for (int i = 0; i < 5; i++) assert_false(exists(*state, files[i]));
  arm_end(&x);
}

static void unknown_channel_makes_no_folder(void **state) {
  arm x;
  lim_recorder *r = recorder(&x, TURNING "outputs: {channels: [hub.pos]}\n", in(*state, "new").text);
  lim_error err = {0};
  assert_int_equal(lim_recorder_record(r, arm_snapshot(&x, 0), &err), LIM_BAD_INPUT);
  assert_int_equal(err.note[0].line, 9);
  assert_int_equal(lim_recorder_end(r, &DONE, NULL), LIM_OK);
  assert_false(exists(*state, "new"));
  lim_text out = {0};
  lim_recorder_json(&out, r, &DONE, NULL); // an answer without channels
  assert_non_null(strstr(out.text, "\"final\": {}"));
  lim_text_free(&out);
  lim_error_clear(&err);
  lim_recorder_free(r);
  arm_end(&x);
}

static void folder_that_cannot_be_made_is_an_error(void **state) {
  fclose(fopen(in(*state, "file").text, "w"));
  arm x;
  lim_recorder *r = recorder(&x, HUB, in(*state, "file/below").text);
  lim_error err = {0};
  assert_int_equal(lim_recorder_record(r, arm_snapshot(&x, 0), &err), LIM_IO);
  assert_string_equal(err.note[0].text, "this folder cannot be made: Not a directory");
  lim_error_clear(&err);
  lim_recorder_free(r);
  arm_end(&x);
}

static void file_that_cannot_be_opened_is_an_error(void **state) {
  mkdir(in(*state, "result.h5.part").text, 0777);
  arm x;
  lim_recorder *r = recorder(&x, HUB, *state);
  lim_error err = {0};
  assert_int_equal(lim_recorder_record(r, arm_snapshot(&x, 0), &err), LIM_IO);
  assert_non_null(strstr(err.note[0].file, "result.h5.part"));
  lim_error_clear(&err);
  lim_recorder_free(r);
  assert_false(exists(*state, "channels.csv.part"));
  arm_end(&x);
}

static void earlier_results_are_replaced(void **state) {
  for (int run = 0; run < 2; run++) {
    arm x;
    lim_recorder *r = recorder(&x, HUB, *state);
    assert_int_equal(record_three(r, &x, NULL), LIM_OK);
    assert_int_equal(lim_recorder_end(r, &DONE, NULL), LIM_OK);
    lim_recorder_free(r);
    arm_end(&x);
  }
  assert_true(exists(*state, "channels.csv") && exists(*state, "result.h5") && exists(*state, "summary.json"));
}

// --- a whole run ---

static void simulation_writes_one_row_per_record(void **state) {
  const char *text = HEAD("[0, -9.81, 0]") "planar: xy\nlinks:\n  - name: arm\n    " BEAM
                                           "\n    gauges: [{name: root, at: 0.1, rate: 1 kHz, bits: 16}]\n"
                                           "solver: {duration: 0.02, step: 1 ms}\noutputs: {every: 2 ms}\n";
  arm x;
  lim_recorder *r = recorder(&x, text, *state);
  const lim_simulate_hooks hooks = {.record = lim_recorder_record, .user = r};
  lim_run run;
  lim_error err = {0};
  if (lim_simulate(&run, x.model, NULL, &hooks, &err) != LIM_OK) fail_msg("%s", err.note[0].text);
  assert_int_equal(lim_recorder_end(r, &run, NULL), LIM_OK);
  assert_int_equal(lim_recorder_summary(r)->moments, 11);
  char *csv = content(*state, "channels.csv");
  int lines = 0;
  for (const char *s = csv; *s; s++) lines += *s == '\n';
  assert_int_equal(lines, 12);
  free(csv);
  int tip = channel_of(lim_recorder_channels(r), "tip.position.y");
  assert_true(lim_summary_final(lim_recorder_summary(r), tip) < 0); // it falls
  lim_recorder_free(r);
  arm_end(&x);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      WITH_DIRECTORY(csv_has_names_units_and_every_moment),
      cmocka_unit_test(summary_has_final_peak_and_time_weighted_rms),
      cmocka_unit_test(peak_that_returns_up_to_rounding_keeps_its_first_time),
      WITH_DIRECTORY(json_answer_has_the_keys_of_simulate),
      WITH_DIRECTORY(recorder_freed_without_end_leaves_nothing),
      WITH_DIRECTORY(unknown_channel_makes_no_folder),
      WITH_DIRECTORY(folder_that_cannot_be_made_is_an_error),
      WITH_DIRECTORY(file_that_cannot_be_opened_is_an_error),
      WITH_DIRECTORY(earlier_results_are_replaced),
      WITH_DIRECTORY(simulation_writes_one_row_per_record),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

// store_memory.c - every allocation of recording fails once: no crash, no leak, and the code says so;
// evaluating channels makes none.
#include "channel_fixture.h"

#include "memory_fixture.h"

#include <unistd.h>

#define ARM                                                                                                    \
  HEAD("[0, 0, 0]")                                                                                            \
  "solver: {duration: 1 s}\nlinks:\n  - name: arm\n    " BEAM                                                  \
  "\n    gauges: [{name: root, at: 0.1, rate: 1 kHz, bits: 12}]\n"                                             \
  "outputs: {channels: [tip.position, tip.error, tip.rotation, arm.position, arm.effort, arm.force, "          \
  "arm.section.0.5,\n"                                                                                         \
  "  arm.root, arm.deflection, energy]}\n"

static lim_code record(arm *x, const char *directory) {
  const lim_recorder_setup setup = {.model = x->model, .directory = directory, .text = ARM};
  const lim_run run = {.status = LIM_RUN_DONE};
  lim_recorder *r = NULL;
  lim_text out = {0};
  lim_error err = {0};
  lim_code code = lim_recorder_new(&r, &setup, &err);
  for (int i = 0; i < 3 && code == LIM_OK; i++) code = lim_recorder_record(r, arm_snapshot(x, 0.5 * i), &err);
  if (r && code == LIM_OK) code = lim_recorder_end(r, &run, &err);
  if (r) lim_recorder_json(&out, r, &run, NULL);
  lim_text_free(&out);
  lim_recorder_free(r);
  lim_error_clear(&err);
  return code;
}

// Let the n-th allocation fail, for all n until none does.
static void fail_each(const char *directory) {
  arm x;
  failing = 0;
  arm_start(&x, ARM);
  for (long n = 1; calls >= failing; n++) {
    fail_call(n);
    lim_code code = record(&x, directory);
    assert_int_equal(live, 0);
    if (calls < n) assert_int_equal(code, LIM_OK);
    assert_true(n < 10000);
  }
  failing = 0;
  arm_end(&x);
}

static void recording_without_files_survives_every_failure(void **state) {
  (void)state;
  fail_each(NULL);
}

static void recording_to_files_survives_every_failure(void **state) {
  (void)state;
  char path[] = "/tmp/limber-test-XXXXXX";
  assert_non_null(mkdtemp(path));
  fail_each(path);
  const char *const files[] = {"channels.csv", "result.h5", "summary.json"};
  for (int i = 0; i < 3; i++) {
    char file[64];
    snprintf(file, sizeof file, "%s/%s", path, files[i]);
    assert_int_equal(unlink(file), 0);
  }
  rmdir(path); // parts may stay where memory was out while files were finished
}

static void residual_vibration_survives_every_failure(void **state) {
  (void)state;
  enum { N = 500 };
  static double t[N], p[3 * N], e[3 * N];
  for (int i = 0; i < N; i++) t[i] = 0.01 * i, p[3 * i] = 1, p[3 * i + 1] = sin(30 * t[i]);
  const lim_tail tail = {.peak = 1, .count = N, .t = t, .position = p, .error = e};
  lim_residual r;
  for (long n = 1; n == 1 || calls >= failing; n++) {
    fail_call(n);
    lim_code code = lim_residual_of(&r, &tail, (lim_settle){0}, NULL);
    assert_int_equal(live, 0);
    assert_int_equal(code, calls < n ? LIM_OK : LIM_NO_MEMORY);
  }
  assert_int_equal(r.nfrequency, 1);
  failing = 0;
}

static void evaluating_channels_makes_no_allocation(void **state) {
  (void)state;
  arm x;
  lim_channels *c;
  double value[64];
  arm_start(&x, ARM);
  assert_int_equal(lim_channels_new(&c, x.s, NULL), LIM_OK);
  const lim_snapshot *m = arm_snapshot(&x, 0);
  calls = 0;
  lim_channels_evaluate(value, c, m);
  assert_int_equal(calls, 0);
  lim_channels_free(c);
  arm_end(&x);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(recording_without_files_survives_every_failure),
      cmocka_unit_test(recording_to_files_survives_every_failure),
      cmocka_unit_test(residual_vibration_survives_every_failure),
      cmocka_unit_test(evaluating_channels_makes_no_allocation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

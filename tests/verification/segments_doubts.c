// segments_doubts.c - what one segment per link leaves out, and that it is told: a frame of two beams at a
// right angle under a force out of its plane, and a blade with a swept end that turns. The truth is that of 32
// segments, which is checked by its own error: it falls to a quarter with twice the segments.
#include "beam_fixture.h"
#include "engine_fixture.h"
#include "unit/analysis_fixture.h"

#include "analysis/simulation/simulate.h"
#include "analysis/warnings.h"

#define FRAME                                                                                                  \
  "limber: 1\ngravity: [0, 0, 0]\nmaterials: {m: {E: 70 GPa, nu: 0.3, rho: 2700}}\n"                           \
  "sections: {s: {shape: circle, diameter: 10 mm}}\nlinks:\n"                                                  \
  "  - {name: one, joint: {type: fixed}, beam: {length: 1, section: s, material: m, segments: %d, elements: "  \
  "16}}\n"                                                                                                     \
  "  - {name: two, joint: {type: fixed, origin: {rpy: [0, 0, 90 deg]}}, beam: {length: 1, section: s, "        \
  "material: m, segments: %d, elements: 16}}\nloads: [{at: tip, force: [0, 0, %g]}]\n"

#define BLADE                                                                                                  \
  "limber: 1\ngravity: [0, 0, 0]\nmaterials: {m: {E: 70 GPa, nu: 0.3, rho: 2700}}\n"                           \
  "sections: {s: {shape: rectangle, y: 40 mm, z: 5 mm}}\nlinks:\n"                                             \
  "  - {name: blade, joint: {axis: [0, 0, 1]}, beam: {length: 0.8, section: s, material: m, segments: %d, "    \
  "elements: 8}}\n"                                                                                            \
  "  - {name: end, joint: {type: fixed, origin: {rpy: [0, 0, 45 deg]}}, beam: {length: 0.2, section: s, "      \
  "material: m, segments: %d, elements: 8}}\n"                                                                 \
  "drives: {blade: {type: prescribed}}\nconfiguration: {blade: {position: 0, velocity: %g}}\nsolver: {start: " \
  "equilibrium}\n"

static bool told(const lim_error *err) {
  for (int i = 0; i < err->warnings && i < LIM_NOTES_MAX; i++)
    if (strstr(err->warning[i].text, "with twice the segments")) return true;
  return false;
}

static double frame_x(bool *doubt, int segments, double force) {
  char text[2000];
  snprintf(text, sizeof text, FRAME, segments, segments, force);
  rest r = {.model = parse(text)};
  lim_error err = {0};
  if (lim_static_new(&r.s, r.model, NULL, &err) != LIM_OK) fail_msg("%s", err.note[0].text);
  *doubt = told(&err);
  lim_error_clear(&err);
  double x = frame_of(r, "tip")->displacement[0];
  rest_free(r);
  return x;
}

static void one_segment_of_a_spatial_frame_is_told(void **state) {
  (void)state;
  bool doubt;
  double truth = frame_x(&doubt, 16, 1), before = 0;
  truth += (truth - frame_x(&doubt, 8, 1)) / 3;
  printf("tip of a frame, sideways: %.5f mm\n", 1000 * truth);
  for (int n = 1; n <= 8; n *= 2) {
    double error = frame_x(&doubt, n, 1) / truth - 1;
    printf("%d segments: %.1f %% off, %s\n", n, 100 * error, doubt ? "told" : "not told");
    assert_int_equal(doubt, n <= 2); // 13 um of 57 mm are left with four
    if (before != 0) assert_true(before / error > 3.8 && before / error < 4.2);
    before = error;
  }
  frame_x(&doubt, 1, 0.05);
  assert_false(doubt); // 2.9 mm: what is left out is 0.5 um
}

static double frequency_of(bool *doubt, int segments, double speed, int mode) {
  char text[2000];
  snprintf(text, sizeof text, BLADE, segments, segments, speed);
  lim_model *m = parse(text);
  lim_modes *x = NULL;
  lim_error err = {0};
  if (lim_modes_new(&x, m, NULL, LIM_JOINTS_DEFAULT, 5, &err) != LIM_OK) fail_msg("%s", err.note[0].text);
  *doubt = told(&err);
  lim_error_clear(&err);
  double f = x->modes.item[mode].frequency;
  lim_modes_free(x);
  lim_model_free(m);
  return f;
}

static void one_segment_of_a_swept_blade_is_told(void **state) {
  (void)state;
  bool doubt[3];
  double f[3];
  for (int k = 0; k < 3; k++) f[k] = frequency_of(&doubt[k], 1 << k, 60, 3);
  printf("fourth frequency of a swept blade: %.3f, %.3f, %.3f Hz with 1, 2, 4 segments\n", f[0], f[1], f[2]);
  assert_true(doubt[0] && !doubt[2]);
  assert_true(f[0] / f[2] > 1.015 && fabs(f[1] / f[2] - 1) < 0.006);
  frequency_of(&doubt[0], 1, 1, 3);
  assert_false(doubt[0]);
}

static lim_code look_away(void *user, const lim_snapshot *m, lim_error *err) {
  (void)user, (void)m, (void)err;
  return LIM_OK;
}

// The same frame let go: bent and twisted by up to twice as much.
static void one_segment_of_a_frame_that_swings_is_told(void **state) {
  (void)state;
  for (int n = 1; n <= 4; n *= 4) {
    char text[2000];
    int length = snprintf(text, sizeof text, FRAME, n, n, 0.5);
    snprintf(text + length, sizeof text - (size_t)length, "solver: {duration: 0.2, step: 2 ms}\n");
    lim_model *m = parse(text);
    lim_error err = {0};
    lim_run run;
    lim_simulate_hooks hooks = {.record = look_away};
    if (lim_simulate(&run, m, NULL, &hooks, &err) != LIM_OK) fail_msg("%s", err.note[0].text);
    lim_warn_of_run(&err, &run, m);
    bool doubt = false;
    for (int i = 0; i < err.warnings; i++) doubt = doubt || strstr(err.warning[i].text, "bends and twists");
    assert_int_equal(doubt, n == 1);
    lim_error_clear(&err);
    lim_model_free(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_segment_of_a_spatial_frame_is_told),
      cmocka_unit_test(one_segment_of_a_swept_blade_is_told),
      cmocka_unit_test(one_segment_of_a_frame_that_swings_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

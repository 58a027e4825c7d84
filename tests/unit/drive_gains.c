// drive_gains.c - tests of gains that are listed: designed for the largest inertia of the whole commanded
// motion, however long the run is, and given ones.
#include "link_fixture.h"

#include "analysis/gain_design.h"
#include "analysis/statics/rest.h"
#include "drive/gains.h"

// Two bars of 0.5 m and 0.2 kg, folded, then stretched: at the shoulder 0.4 kg (1 m)^2/3, with 2500 of ratio.
#define FOLDED                                                                                                 \
  "limber: 1\n" MATERIAL SECTION "links:\n"                                                                    \
  "  - {name: upper, beam: {length: 0.5, section: s, material: m}, basis: {type: rigid}}\n"                    \
  "  - {name: fore, beam: {length: 0.5, section: s, material: m}, basis: {type: rigid}}\n"                     \
  "drives: {upper: {type: motor, motor: {rotor_inertia: 1e-4, ratio: 50}, control: {type: pd, %s}}}\n"         \
  "motion: {upper: {profile: constant, value: 0}, fore: {profile: cycloidal, from: 150 deg, to: 0, duration: " \
  "1}}\nsolver: {duration: %g}\n"

static lim_gain_used gain_of(const char *control, double duration) {
  char text[2000];
  snprintf(text, sizeof text, FOLDED, control, duration);
  lim_model *m = parse(text);
  lim_rest arm;
  lim_gains_used g;
  lim_error err = {0};
  if (lim_rest_start(&arm, m, NULL, &err) != LIM_OK) fail_msg("%s", err.note[0].text);
  assert_true(lim_gains_list(&g, arm.inputs));
  assert_int_equal(g.count, 1);
  lim_gain_used x = g.item[0];
  assert_string_equal(x.joint, "upper");
  free(g.item);
  lim_rest_end(&arm);
  lim_model_free(m);
  x.joint = NULL;
  return x;
}

static void maximum_is_over_the_whole_motion(void **state) {
  (void)state;
  static const double duration[] = {0.1, 1, 5};
  const double whole = 1e-4 + RHO * A * 1.0 / 3 / 2500;
  for (int i = 0; i < 3; i++) {
    lim_gain_used x = gain_of("bandwidth: 20, damping: 1, gains: maximum", duration[i]);
    NEAR(x.inertia, whole, 1e-3); // rotary inertia of the sections
    NEAR(x.kp, 400 * x.inertia * 50, 1e-12);
    NEAR(x.kv, 40 * x.inertia, 1e-12);
    assert_string_equal(x.from, "maximum");
  }
}

static void other_gains_are_told_apart(void **state) {
  (void)state;
  lim_gain_used x = gain_of("bandwidth: 20, damping: 1", 1), y = gain_of("kp: 3, kv: 0.1", 1),
                z = gain_of("bandwidth: 20, damping: 1, gains: scheduled", 1);
  assert_string_equal(x.from, "initial");
  assert_string_equal(y.from, "given");
  assert_string_equal(z.from, "scheduled");
  NEAR(x.inertia, 1e-4 + RHO * A / 8 * (5.0 / 3 - cos(M_PI / 6)) / 2500, 1e-3);
  assert_true(isnan(y.inertia) && y.kp == 3 && y.kv == 0.1);
  NEAR(z.inertia, x.inertia, 1e-9);
}

// The same law, bit for bit, whether the analysis finds the inertia or the model knows it; and in the latter
// case nothing is looked for again: it is the model's word that counts.
static void inertia_that_the_model_knows_is_taken_from_there(void **state) {
  (void)state;
  static const char *const gains[] = {"initial", "maximum", "scheduled"};
  for (int i = 0; i < 3; i++) {
    char control[100], text[2000];
    snprintf(control, sizeof control, "bandwidth: 20, damping: 1, gains: %s", gains[i]);
    snprintf(text, sizeof text, FOLDED, control, 1.0);
    lim_model *m = parse(text);
    lim_rest own, known;
    assert_int_equal(lim_rest_start(&own, m, NULL, NULL), LIM_OK);
    assert_null(m->drives.item[0].control.designed);
    assert_int_equal(lim_gain_design_model(m, NULL, NULL), LIM_OK);
    assert_non_null(m->drives.item[0].control.designed);
    assert_int_equal(lim_rest_start(&known, m, NULL, NULL), LIM_OK);
    const lim_control_law *a = &own.inputs->drive[0].law, *b = &known.inputs->drive[0].law;
    assert_true(a->kp == b->kp && a->kv == b->kv && a->inertia == b->inertia);
    assert_true(!a->schedule == !b->schedule && !a->schedule == (i != 2));
    for (int k = 0; a->schedule && k < 1001; k++)
      assert_true(a->schedule->x[k] == b->schedule->x[k] && a->schedule->y[k] == b->schedule->y[k]);
    lim_rest_end(&known);
    m->drives.item[0].control.designed = &(const lim_design_inertia){.value = 7};
    assert_int_equal(lim_rest_start(&known, m, NULL, NULL), LIM_OK);
    NEAR(known.inputs->drive[0].law.kv, 2 * 20 * 7.0, 1e-14);
    lim_rest_end(&known);
    lim_rest_end(&own);
    lim_model_free(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(maximum_is_over_the_whole_motion),
      cmocka_unit_test(other_gains_are_told_apart),
      cmocka_unit_test(inertia_that_the_model_knows_is_taken_from_there),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

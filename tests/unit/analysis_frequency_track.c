// analysis_frequency_track.c - natural frequencies along a motion: those of modes in the same configuration, as
// channels.
#include "channel_fixture.h"

#include "analysis/simulation/simulate.h"
#include "analysis/vibration/modes.h"

static const char TWO_LINKS[] = HEAD(
    "[0, -9.81, 0]") "planar: xy\nlinks:\n  - name: upper\n    " BEAM "\n  - name: fore\n    " BEAM
                     "\n    masses: [{at: tip, mass: 300 g}]\noutputs: {frequencies: 4, channels: [energy]}\n";

// TWO_LINKS with more lines.
static const char *with(char text[2048], const char *more) {
  snprintf(text, 2048, "%s%s", TWO_LINKS, more);
  return text;
}

static double frequency(const probe *p, int k) {
  char name[32];
  snprintf(name, sizeof name, "frequency.%d", k);
  return get(p, name);
}

// Every frequency of the present moment against modes of the same text.
static void assert_modes(const probe *p, const char *text, int count) {
  lim_model *model = parse(text);
  lim_modes *m;
  assert_int_equal(lim_modes_new(&m, model, NULL, LIM_JOINTS_DEFAULT, count, NULL), LIM_OK);
  assert_int_equal(m->modes.count, count);
  for (int k = 0; k < count; k++) NEAR(frequency(p, k + 1), m->modes.item[k].frequency, 1e-9);
  lim_modes_free(m);
  lim_model_free(model);
}

static void start_matches_modes(const char *drives) {
  char text[2048];
  probe p;
  start(&p, with(text, drives));
  evaluate(&p, 0);
  assert_modes(&p, text, 4);
  end(&p);
}

static void start_matches_modes_however_joints_are_driven(void **state) {
  (void)state;
  start_matches_modes("drives: {upper: {type: prescribed}, fore: {type: prescribed}}\n");
  start_matches_modes("drives: {upper: {type: servo, stiffness: 50}, fore: {type: prescribed}}\n");
  start_matches_modes("drives: {upper: {type: effort, effort: {profile: constant, value: 1}}}\n");
  start_matches_modes("drives: {fore: {type: servo, stiffness: 50}}\nconfiguration: {fore: 70 deg}\n");
  start_matches_modes("");
}

#define LOCKED "drives: {upper: {type: prescribed}, fore: {type: prescribed}}\n"

static void later_moment_matches_modes_there_without_deformation(void **state) {
  (void)state;
  char text[2048];
  probe p;
  start(&p, with(text, LOCKED));
  for (int i = 0; i < p.arm.s->n; i++) {
    p.arm.q[i] = 1e-3 * (i + 1); // deformed and in motion, which must not count
    p.arm.v[i] = 0.1 * i;
  }
  p.arm.q[p.arm.s->bodies[0].q] = 0.3;
  p.arm.q[p.arm.s->bodies[1].q] = 2;
  evaluate(&p, 1);
  assert_modes(&p, with(text, LOCKED "configuration: {upper: 0.3, fore: 2}\n"), 4);
  end(&p);
}

static void rigid_arm_has_those_of_its_servos_then_nan(void **state) {
  (void)state;
  probe p;
  start(&p, HEAD("[0, 0, 0]") "solver: {mode: rigid}\ndrives: {arm: {type: servo, stiffness: 50}}\n"
                              "links:\n  - name: arm\n    body: {mass: 2, com: [0.5, 0, 0]}\n"
                              "  - name: loose\n    body: {mass: 1, inertia: [1, 1, 1]}\n"
                              "outputs: {frequencies: 2}\n");
  evaluate(&p, 0);
  NEAR(frequency(&p, 1), sqrt(50 / (2 * 0.25)) / (2 * M_PI), 1e-12); // the loose body's com is on the axis
  assert_true(isnan(frequency(&p, 2)));
  end(&p);
}

static void arm_without_coordinates_has_none(void **state) {
  (void)state;
  probe p;
  start(&p, HEAD("[0, 0, 0]") "links:\n  - name: post\n    joint: {type: fixed}\n    body: {mass: 1}\n"
                              "outputs: {channels: [frequency.3]}\n");
  evaluate(&p, 0);
  assert_true(isnan(get(&p, "frequency.3")));
  end(&p);
}

// --- along a simulation ---

typedef struct {
  lim_channels *c;
  double first[2]; // frequency.1 at the start and last
  bool begun;
} track;

static lim_code record(void *user, const lim_snapshot *m, lim_error *err) {
  track *x = user;
  double value[MOST];
  lim_code code = x->c ? LIM_OK : lim_channels_new(&x->c, m->system, err);
  if (code != LIM_OK) return code;
  lim_channels_evaluate(value, x->c, m);
  x->first[1] = value[channel_of(x->c, "frequency.1")];
  if (!x->begun) x->first[0] = x->first[1];
  x->begun = true;
  return LIM_OK;
}

static lim_model *flexible_2r(const char *const *set, int count) {
  lim_model *model = NULL;
  lim_error err = {0};
  if (lim_model_load(&model, "models/flexible-2r.yaml", set, count, &err) != LIM_OK)
    fail_msg("%s", err.note[0].text);
  return model;
}

static track run_flexible_2r(void) {
  const char *const set[] = {"outputs={every: 0.5 s, channels: [frequency.1]}", "solver.step=5 ms"};
  lim_model *model = flexible_2r(set, 2);
  track x = {.c = NULL};
  lim_run run;
  lim_error err = {0};
  const lim_simulate_hooks hooks = {.record = record, .user = &x};
  if (lim_simulate(&run, model, "models", &hooks, &err) != LIM_OK) fail_msg("%s", err.note[0].text);
  lim_channels_free(x.c);
  lim_model_free(model);
  return x;
}

static double first_mode_of_flexible_2r(const char *elbow) {
  lim_model *model = flexible_2r(&elbow, 1);
  lim_modes *m;
  assert_int_equal(lim_modes_new(&m, model, "models", LIM_JOINTS_DEFAULT, 1, NULL), LIM_OK);
  double f = m->modes.item[0].frequency;
  lim_modes_free(m);
  lim_model_free(model);
  return f;
}

static void frequency_of_two_link_arm_follows_its_motion(void **state) {
  (void)state;
  track x = run_flexible_2r();
  NEAR(x.first[0], 3.806, 1e-3); // stretched; value and tolerance as in verification/arm_timoshenko_thesis.c
  NEAR(x.first[0], first_mode_of_flexible_2r("motion.elbow.from=0"), 1e-9);
  NEAR(x.first[1], first_mode_of_flexible_2r("motion.elbow.from=60 deg"), 1e-9);
  assert_true(x.first[1] > 1.1 * x.first[0]); // folded: the far mass is nearer to the shoulder
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(start_matches_modes_however_joints_are_driven),
      cmocka_unit_test(later_moment_matches_modes_there_without_deformation),
      cmocka_unit_test(rigid_arm_has_those_of_its_servos_then_nan),
      cmocka_unit_test(arm_without_coordinates_has_none),
      cmocka_unit_test(frequency_of_two_link_arm_follows_its_motion),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

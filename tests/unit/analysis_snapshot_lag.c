// analysis_snapshot_lag.c - the rigid arm where the joints are: what parts it from the reference is lag, what
// parts the arm from it is elastic.
#include "analysis/simulation/simulate.h"
#include "analysis_fixture.h"

typedef struct {
  double lag, deflection; // largest distances of the tip [m]
  double wrong;           // largest difference from what the elastic gear alone gives [m]
} distances;

static double apart(const lim_world_motion *a, const lim_world_motion *b) {
  double d[3] = {a->p[0] - b->p[0], a->p[1] - b->p[1], a->p[2] - b->p[2]};
  return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

static lim_code look(void *user, const lim_snapshot *m, lim_error *err) {
  (void)err;
  distances *d = user;
  lim_world_motion is = lim_snapshot_site(m, &m->system->site[0].site),
                   lagging = lim_snapshot_lagging(m, &m->rigid->site[0].site),
                   told = lim_snapshot_reference(m, &m->rigid->site[0].site);
  const lim_arm_body *b = &m->system->bodies[0];
  double wound = b->m < 0 ? 0 : m->q[b->q] - m->q[b->m], chord = 2 * L * fabs(sin(wound / 2));
  d->lag = fmax(d->lag, apart(&lagging, &told));
  d->deflection = fmax(d->deflection, apart(&is, &lagging));
  d->wrong = fmax(d->wrong, fabs(apart(&is, &lagging) - chord));
  return LIM_OK;
}

static distances of(const char *text) {
  lim_model *m = parse(text);
  distances d = {0};
  lim_run run;
  lim_error err = {0};
  if (lim_simulate(&run, m, NULL, &(lim_simulate_hooks){.record = look, .user = &d, .quiet = true}, &err) !=
      LIM_OK)
    fail_msg("%s", err.note[0].text);
  lim_error_clear(&err);
  lim_model_free(m);
  return d;
}

#define RIGID                                                                                                  \
  "limber: 1\ngravity: [0, 0, 0]\nlinks:\n  - {name: arm, body: {mass: 1, com: [0.25, 0, 0], inertia: [0, "    \
  "0.02, "                                                                                                     \
  "0.02], tip: [0.5, 0, 0]}}\nmotion: {arm: {profile: cycloidal, from: 0, to: 1, duration: 0.5 s}}\n"
#define SOLVER(mode) "solver: {mode: " mode ", duration: 0.6 s, step: 2 ms}\n"

static void rigid_arm_that_lags_is_not_bent(void **state) {
  (void)state;
  distances d = of(RIGID "drives: {arm: {type: servo, stiffness: 40, damping: 2}}\n" SOLVER("nonlinear"));
  assert_true(d.lag > 0.01);
  assert_true(d.deflection < 1e-14);
  distances first = of(RIGID "drives: {arm: {type: servo, stiffness: 40, damping: 2}}\n" SOLVER("linear"));
  NEAR(first.lag / d.lag, 1, 0.1);
  assert_true(first.deflection < 1e-8 * first.lag); // also where places are of first order
}

static void arm_that_follows_its_commands_does_not_lag(void **state) {
  (void)state;
  distances d =
      of(HEAD "links:\n  - {name: arm, beam: {length: 500 mm, section: s, material: m, elements: 3}}\n"
              "motion: {arm: {profile: cycloidal, from: 0, to: 1, duration: 0.1 s}}\n" SOLVER("nonlinear"));
  assert_true(d.lag == 0);
  assert_true(d.deflection > 1e-6);
}

static void elastic_gear_deflects_the_arm_against_its_motor(void **state) {
  (void)state;
  distances d =
      of(RIGID "drives: {arm: {type: motor, motor: {rotor_inertia: 1e-5, ratio: 100}, gear: {stiffness: 200, "
               "damping: 0.1}, control: {type: pd, bandwidth: 20 rad/s}}}\n" SOLVER("nonlinear"));
  assert_true(d.lag > 1e-3);
  assert_true(d.deflection > 1e-4);
  assert_true(d.wrong < 1e-13);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rigid_arm_that_lags_is_not_bent),
      cmocka_unit_test(arm_that_follows_its_commands_does_not_lag),
      cmocka_unit_test(elastic_gear_deflects_the_arm_against_its_motor),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

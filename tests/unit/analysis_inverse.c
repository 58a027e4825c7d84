// analysis_inverse.c - tests of inverse dynamics: a rigid link by hand, stiff links, drives, what is refused.
#include "analysis_fixture.h"

#include "analysis/inverse.h"

static lim_inverse *efforts(lim_model **model, const char *text) {
  lim_inverse *x = NULL;
  lim_error err = {0};
  *model = parse(text);
  if (lim_inverse_new(&x, *model, NULL, NULL, &err) != LIM_OK) fail_msg("%s", err.note[0].text);
  return x;
}

#define BODY                                                                                                   \
  "limber: 1\ngravity: [0, -10, 0]\nlinks:\n  - {name: arm, body: {mass: 3, com: [0.2, 0, 0], inertia: [1, "   \
  "1, 2], tip: [0.5, 0, 0]}}\n"
#define MOVE "motion: {arm: {profile: quintic, from: 0, to: 1, duration: 1 s}}\n"

// tau = I q'' + m g c cos q less the load's moment; q = 10 t^3 - 15 t^4 + 6 t^5.
static void rigid_link_needs_what_newton_says(void **state) {
  (void)state;
  lim_model *m;
  lim_inverse *x =
      efforts(&m, BODY MOVE
              "solver: {duration: 1 s, step: 50 ms}\nloads: [{at: tip, force: [0, 4, 0], from: 0.4 s}]\n");
  assert_int_equal(x->n, 21);
  assert_int_equal(x->joints.count, 1);
  for (int i = 0; i < x->n; i++) {
    double t = x->time[i], q = t * t * t * (10 - 15 * t + 6 * t * t),
           a = 60 * t - 180 * t * t + 120 * t * t * t;
    double effort = (2 + 3 * 0.04) * a + (3 * 10 * 0.2 - (i > 8 ? 4 * 0.5 : 0)) * cos(q);
    NEAR(x->joints.item[0].effort[i], effort, 1e-9);
    NEAR(x->joints.item[0].rigid[i], effort, 1e-9);
  }
  NEAR(x->joints.item[0].of_difference.peak, 0, 1e-9);
  lim_inverse_free(x);
  lim_model_free(m);
}

static void drives_of_commanded_joints_do_not_matter(void **state) {
  (void)state;
  const char *drives[] = {"", "drives: {arm: {type: effort}}\n", "drives: {arm: {type: servo, stiffness: 5}}\n",
                          "drives: {arm: {type: effort, effort: rigid}}\n"};
  double peak[4];
  for (int i = 0; i < 4; i++) {
    lim_model *m;
    char text[1000];
    snprintf(text, sizeof text, BODY MOVE "solver: {duration: 1 s, step: 50 ms, mode: rigid}\n%s", drives[i]);
    lim_inverse *x = efforts(&m, text);
    peak[i] = x->joints.item[0].of_effort.peak;
    assert_true(peak[i] == peak[0]);
    lim_inverse_free(x);
    lim_model_free(m);
  }
}

// Without gravity, which would make an arm vibrate that starts undeformed, however stiff.
static void stiff_arm_needs_what_the_rigid_one_does(void **state) {
  (void)state;
  lim_model *m;
  lim_inverse *x =
      efforts(&m, "limber: 1\ngravity: [0, 0, 0]\nmaterials: {m: {E: 70e13, nu: 0.25, rho: 2000}}\n" SECTION
                  "links:\n  - name: arm\n    " BEAM "\n    basis: {type: craig-bampton, count: 0}\n"
                  "  - name: slide\n    joint: {type: prismatic, axis: [1, 0, 0]}\n    body: {mass: 1}\n"
                  "  - name: hand\n    joint: {type: fixed}\n    body: {mass: 0.5}\n"
                  "motion: {arm: {profile: cycloidal, from: 0, to: 1, duration: 1 s}, slide: {profile: "
                  "cycloidal, from: 0, to: 0.1, duration: 1 s}}\nsolver: {duration: 1 s, step: 5 ms}\n");
  assert_int_equal(x->joints.count, 2);
  assert_true(!x->joints.item[0].slides && x->joints.item[1].slides);
  for (int i = 0; i < 2; i++)
    assert_true(x->joints.item[i].of_difference.rms < 1e-3 * x->joints.item[i].of_effort.rms);
  lim_inverse_free(x);
  lim_model_free(m);
}

static void assert_inverse_refused(const char *text, const char *message) {
  lim_model *m = parse(text);
  lim_inverse *x = NULL;
  lim_error err = {0};
  assert_int_equal(lim_inverse_new(&x, m, NULL, NULL, &err), LIM_BAD_INPUT);
  assert_null(x);
  if (!strstr(err.note[0].text, message)) fail_msg("'%s' lacks '%s'", err.note[0].text, message);
  lim_error_clear(&err);
  lim_model_free(m);
}

static void what_is_missing_is_said(void **state) {
  (void)state;
  assert_inverse_refused(BODY "solver: {duration: 1 s}\n", "no joint has a motion");
  assert_inverse_refused(BODY MOVE, "duration is missing");
}

// The shaft turns the link, the reflected rotor and friction.
static void motor_gives_its_share_of_the_effort(void **state) {
  (void)state;
  lim_model *m;
  lim_inverse *x = efforts(
      &m, BODY MOVE "solver: {duration: 1 s, step: 50 ms}\ndrives: {arm: {type: motor, motor: {ratio: 10, "
                    "mass: 2, rotor_inertia: 0.01}, control: {type: pd, kp: 1, kv: 1}, friction: {viscous: "
                    "0.5}}}\n");
  for (int i = 0; i < x->n; i++) {
    double t = x->time[i], q = t * t * t * (10 - 15 * t + 6 * t * t), v = 30 * t * t * (1 - 2 * t + t * t),
           a = 60 * t - 180 * t * t + 120 * t * t * t;
    double effort = (2 + 3 * 0.04 + 100 * 0.01) * a + 3 * 10 * 0.2 * cos(q) + 0.5 * v;
    NEAR(x->joints.item[0].effort[i], effort, 1e-9);
    NEAR(x->joints.item[0].torque[i], effort / 10, 1e-10);
  }
  lim_inverse_free(x);
  lim_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rigid_link_needs_what_newton_says),
      cmocka_unit_test(drives_of_commanded_joints_do_not_matter),
      cmocka_unit_test(stiff_arm_needs_what_the_rigid_one_does),
      cmocka_unit_test(what_is_missing_is_said),
      cmocka_unit_test(motor_gives_its_share_of_the_effort),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

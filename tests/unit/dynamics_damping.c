// dynamics_damping.c - tests of damping by ratios: of modes one by one, and along a motion.
#include "analysis_fixture.h"

#include "analysis/simulation/session.h"

#include <string.h>

// --- ratios one by one ---

#define TUBE                                                                                                   \
  "limber: 1\ngravity: [0, 0, 0]\nmaterials: {al: {E: 70 GPa, rho: 2700, nu: 0.33}}\n"                         \
  "sections: {flat: {shape: rectangle, y: 12 mm, z: 20 mm}, round: {shape: circle, diameter: 8 mm}}\nlinks:\n"
#define LINK(name, section, more)                                                                              \
  "  - name: " name "\n    joint: {type: fixed}\n    beam: {length: 0.6, material: al, section: " section      \
  ", elements: 4}\n" more

static void ratios_hold_for_one_mode_each_and_the_last_for_all_higher_ones(void **state) {
  (void)state;
  static const double ratio[] = {0.01, 0.03, 0.02};
  static const char *const texts[] = {
      TUBE LINK("arm", "flat", "    damping: {ratio: [0.01, 0.03, 0.02]}\n"),
      TUBE LINK("arm", "flat", "    masses: [{mass: 0.2}]\n") "damping: {ratio: [0.01, 0.03, 0.02]}\n"};
  for (int k = 0; k < 2; k++) {
    vibes v = vibes_of(texts[k], LIM_JOINTS_DEFAULT, 8);
    for (int i = 0; i < 8; i++) NEAR(v.m->modes.item[i].damping, ratio[i < 2 ? i : 2], 1e-8);
    vibes_free(v);
  }
}

// The directions of a pair of modes of one frequency are anybody's choice: both have the ratio of the first.
static void modes_of_one_frequency_have_one_ratio(void **state) {
  (void)state;
  vibes v = vibes_of(TUBE LINK("arm", "round", "    damping: {ratio: [0.01, 0.5, 0.02, 0.5, 0.03]}\n"),
                     LIM_JOINTS_DEFAULT, 6);
  for (int i = 0; i < 6; i++) NEAR(v.m->modes.item[i].damping, 0.01 * (1 + i / 2), 1e-8);
  vibes_free(v);
}

// --- along a motion ---

// One mode, whose mass changes as the rigid fore link folds back.
#define FOLD(motion, damping)                                                                                  \
  TUBE "  - name: upper\n    joint: {name: a, type: fixed}\n    beam: {length: 0.6, material: al, section: "   \
       "flat, elements: 4}\n    basis: {type: modes, count: 1}\n"                                              \
       "  - name: fore\n    joint: {name: b}\n    body: {mass: 0.5, com: [0.4, 0, 0], inertia: [1e-3, 1e-3, "  \
       "1e-3]}\nplanar: xy\n" motion "damping: {" damping "}\nsolver: {duration: 1.5 s, step: 0.5 ms, "        \
       "tolerance: 1e-9}\n"
#define MOVES "motion: {b: {profile: quintic, from: 0, to: 150 deg, duration: 0.5 s}}\n"

static double angular(const char *text, double *ratio) {
  vibes v = vibes_of(text, LIM_JOINTS_LOCKED, 1);
  double omega = 2 * M_PI * hertz(v, 0);
  *ratio = v.m->modes.item[0].damping;
  vibes_free(v);
  return omega;
}

static void march(lim_session *s, double h, double end) {
  lim_error err = {0};
  lim_code code = LIM_OK;
  while (code == LIM_OK && s->motion_state->t < end - 1e-9) {
    double jump = lim_session_next(s, s->motion_state->t + 1e-9),
           to = fmin(fmin(s->motion_state->t + h, end), jump);
    code = lim_session_advance(s, to, &err);
    lim_session_sample(s);
    if (code == LIM_OK && to >= jump - 1e-9) code = lim_session_restart(s, &err);
  }
  if (code != LIM_OK) fail_msg("%s", err.note[0].text);
}

// Square of the amplitude of x'' + 2 zeta w x' + w^2 x = 0.
static double amplitude(const lim_session *s, double w, double zeta) {
  int e = s->s->bodies[0].e;
  double x = s->q[e], y = (s->v[e] + zeta * w * x) / (w * sqrt(1 - zeta * zeta));
  return x * x + y * y;
}

// The ratio with which the arm comes to rest after its motion; *balance: the energy that its books miss, over
// the largest.
static double decay(const char *text, const char *const set[], int n, double w, double *balance) {
  lim_model *m = parse_with(text, set, n);
  lim_session *s = NULL;
  lim_error err = {0};
  double h = m->solver.step, span = 0.3, begin[2], zeta = 0.05;
  if (lim_session_new(&s, m, NULL, &err) != LIM_OK || lim_session_restart(s, &err) != LIM_OK)
    fail_msg("%s", err.note[0].text);
  lim_session_sample(s);
  march(s, h, 0.6);
  int e = s->s->bodies[0].e;
  begin[0] = s->q[e];
  begin[1] = s->v[e];
  march(s, h, 0.6 + span);
  *balance = fabs(s->snapshot.energy_balance.balance) / s->peak;
  for (int i = 0; i < 50; i++) {
    double y = (begin[1] + zeta * w * begin[0]) / (w * sqrt(1 - zeta * zeta));
    zeta = log((begin[0] * begin[0] + y * y) / amplitude(s, w, zeta)) / (2 * w * span);
  }
  lim_session_free(s);
  lim_model_free(m);
  return zeta;
}

// Built once, D stays 2 zeta sqrt(K M0) while the mass becomes M1; built anew, the ratio is that of modes.
static void simulation_decays_with_the_ratio_that_modes_shows(void **state) {
  (void)state;
  double shown, w0 = angular(FOLD("", "ratio: 0.05"), &shown), w1, balance;
  NEAR(shown, 0.05, 1e-9);
  w1 = angular(FOLD("configuration: {b: 150 deg}\n", "ratio: 0.05, update: 0.1 s"), &shown);
  NEAR(shown, 0.05, 1e-9);
  assert_true(w1 / w0 > 1.3);
  static const char *const set[][3] = {
      {"solver.method=newmark", "solver.step=0.2 ms", "solver.mode=nonlinear"},
      {"solver.method=generalized-alpha", "solver.step=0.2 ms", "solver.mode=nonlinear"},
      {"solver.method=rk4", "solver.step=0.5 ms", "solver.mode=nonlinear"},
      {"solver.method=cvode", "solver.step=5 ms", "solver.mode=nonlinear"},
      {"solver.method=ida", "solver.step=5 ms", "solver.mode=nonlinear"},
      {"solver.method=newmark", "solver.step=0.2 ms", "solver.mode=linear"},
  };
  for (int i = 0; i < 6; i++) {
    double once = decay(FOLD(MOVES, "ratio: 0.05"), set[i], 3, w1, &balance);
    printf("%s, %s: once %.6f, expected %.6f;", set[i][0], set[i][2], once, 0.05 * w1 / w0);
    double anew = decay(FOLD(MOVES, "ratio: 0.05, update: 0.1 s"), set[i], 3, w1, &balance);
    printf(" anew %.6f, expected 0.05; energy %.1e\n", anew, balance);
    NEAR(once, 0.05 * w1 / w0, 2e-3);
    NEAR(anew, 0.05, 2e-3);
    if (i < 5) assert_true(balance < (i < 2 ? 1e-4 : 1e-7));
  }
}

// Without `from` and configuration the motion says where the arm is at t = 0.
static void damping_is_built_where_the_motion_begins(void **state) {
  (void)state;
  double shown;
  angular(FOLD("motion: {b: {profile: via, points: [[0, 2], [1, 2.5]]}}\n", "ratio: 0.05"), &shown);
  NEAR(shown, 0.05, 1e-9);
}

// What the session has at the end of its motion is what an arm that stands there has.
static void damping_anew_is_that_of_the_configuration_reached(void **state) {
  (void)state;
  lim_error err = {0};
  lim_model *m = parse(FOLD(MOVES, "ratio: [0.05, 0.02], update: 0.1 s"));
  vibes v = vibes_of(FOLD("configuration: {b: 150 deg}\n", "ratio: [0.05, 0.02]"), LIM_JOINTS_LOCKED, 1);
  lim_session *s = NULL;
  assert_int_equal(lim_session_new(&s, m, NULL, &err), LIM_OK);
  assert_int_equal(lim_session_restart(s, &err), LIM_OK);
  march(s, 1e-3, 0.61);
  const lim_sparse *a = &s->s->damper[s->s->arm_damper].D, *b = &v.m->arm.s->damper[v.m->arm.s->arm_damper].D;
  assert_int_equal(a->start[a->n], b->start[b->n]);
  for (int i = 0; i < a->start[a->n]; i++) NEAR(a->value[i], b->value[i], 1e-12);
  assert_int_equal(s->updates, 7);
  lim_session_free(s);
  vibes_free(v);
  lim_model_free(m);
}

static void modal_newmark_refuses_update(void **state) {
  (void)state;
  lim_error err = {0};
  const char *const set[] = {"solver.method=modal-newmark"};
  lim_model *m = parse_with(FOLD(MOVES, "ratio: 0.05, update: 0.1 s"), set, 1);
  lim_session *s = NULL;
  assert_int_equal(lim_session_new(&s, m, NULL, &err), LIM_BAD_INPUT);
  assert_non_null(strstr(err.note[0].text, "leave out update"));
  lim_error_clear(&err);
  lim_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ratios_hold_for_one_mode_each_and_the_last_for_all_higher_ones),
      cmocka_unit_test(modes_of_one_frequency_have_one_ratio),
      cmocka_unit_test(simulation_decays_with_the_ratio_that_modes_shows),
      cmocka_unit_test(damping_is_built_where_the_motion_begins),
      cmocka_unit_test(damping_anew_is_that_of_the_configuration_reached),
      cmocka_unit_test(modal_newmark_refuses_update),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

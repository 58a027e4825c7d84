// program_shaping.c - input shaping: what is left of the vibration after a move, against the theory of
// impulses.
#include "verification/engine_fixture.h"

#include "analysis/vibration/modes.h"
#include "kind_numbers.h"
#include "motion/shaper.h"

// The link of Tokhi 1995, turned about its hub, in modes; no damping unless a setting gives it.
#define LINK(angle, shape)                                                                                     \
  "limber: 1\ngravity: [0, 0, 0]\nplanar: xy\n"                                                                \
  "materials: {aluminium: {E: 71 GPa, nu: 0.33, rho: 2710}}\n"                                                 \
  "sections: {strip: {shape: rectangle, y: 3.2004 mm, z: 19.008 mm, Iz: 51.924 mm^4}}\n"                       \
  "links:\n"                                                                                                   \
  "  - name: arm\n"                                                                                            \
  "    beam: {length: 960 mm, section: strip, material: aluminium, element: euler-bernoulli}\n"                \
  "    basis: {type: modes, count: 1}\n"                                                                       \
  "motion: {arm: {profile: trapezoidal, to: " angle ", duration: 0.45 s" shape "}}\n"                          \
  "solver: {method: rk4, duration: 4 s, step: 0.5 ms}\n"

enum { MODES = 3 };

typedef struct {
  int n;
  double omega[MODES];
  double from;       // look from here on [s]
  double max[MODES]; // amplitudes
} leftover;

// Amplitudes of the modes of the locked link, whose coordinates they are.
static void watch(void *user, const lim_snapshot *m) {
  leftover *x = user;
  if (m->t < x->from) return;
  for (int i = 0; i < x->n; i++) x->max[i] = fmax(x->max[i], hypot(m->q[1 + i], m->v[1 + i] / x->omega[i]));
}

static lim_shaped_mode mode_of(const char *text, const char *const *set, int k) {
  lim_model *m = model_of(text, set);
  lim_modes *found;
  assert_int_equal(lim_prepare_model(m, NULL, NULL), LIM_OK);
  assert_int_equal(lim_modes_new(&found, m, NULL, LIM_JOINTS_LOCKED, k, NULL), LIM_OK);
  const lim_shaped_mode swing = {found->modes.item[k - 1].frequency, found->modes.item[k - 1].damping};
  lim_modes_free(found);
  lim_model_free(m);
  return swing;
}

static leftover left_after(const char *text, const char *const *set, int n) {
  leftover x = {.n = n, .from = 2.5};
  for (int i = 0; i < n; i++) x.omega[i] = 2 * M_PI * mode_of(text, set, i + 1).frequency;
  observation o = {.watch = watch, .user = &x};
  observe(&o, text, set);
  return x;
}

// A move small enough for the link to be linear, shaped for a frequency beside that of the link.
static void residual_is_that_of_theory(void **state) {
  (void)state;
  const char *const none[] = {NULL};
  const double f = mode_of(LINK("0.01", ""), none, 1).frequency;
  const double plain = left_after(LINK("0.01", ""), none, 1).max[0];
  static const char *const type[] = {"zv", "zvd", "ei"};
  static const double ratio[] = {1, 0.9, 1.1}; // of the link's frequency to that of the shaper
  table_head("residual vibration, of that without shaping; frequency of the link over that of the shaper");
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) {
      char text[2048], what[60];
      const double r = ratio[k], V = 0.05;
      const double theory = i == 0   ? fabs(cos(M_PI / 2 * r))
                            : i == 1 ? pow(cos(M_PI / 2 * r), 2)
                                     : fabs((1 - V) / 2 + (1 + V) / 2 * cos(M_PI * r));
      snprintf(text, sizeof text, LINK("0.01", ", shape: {type: %s, frequency: %.17g}"), type[i], f / r);
      snprintf(what, sizeof what, "%s, %g", type[i], r);
      const double left = left_after(text, none, 1).max[0] / plain;
      if (theory < 1e-9)
        table_bound(what, left, 1e-4, "theory: nothing");
      else
        table_row(what, left, theory, 2e-3, "sum of impulses");
      lim_shaper s;
      assert_int_equal(lim_shaper_make(&s, i, &(lim_shaped_mode){f / r, 0}, 1, V, NULL), LIM_OK);
      assert_true(fabs(lim_shaper_residue(&s, (lim_shaped_mode){f, 0}) - theory) < 1e-12);
    }
}

// The whole turn, with the frequency and damping that `modes` finds.
static void zvd_by_mode_leaves_less_than_one_percent(void **state) {
  (void)state;
  const char *const none[] = {NULL};
  const char *const damped[] = {"links.arm.damping={ratio: 0.02}", NULL};
  table_head("residual vibration of the first mode after 30 deg in 0.45 s");
  const double plain = left_after(LINK("30 deg", ""), none, 1).max[0];
  table_bound("zvd, of that without shaping",
              left_after(LINK("30 deg", ", shape: {mode: 1}"), none, 1).max[0] / plain, 0.01, "issue");
  const double slow = left_after(LINK("30 deg", ""), damped, 1).max[0];
  table_bound("the same with 2 % damping",
              left_after(LINK("30 deg", ", shape: {type: zvd, mode: 1}"), damped, 1).max[0] / slow, 0.01,
              "issue");
}

static void two_modes_are_shaped_at_once(void **state) {
  (void)state;
  const char *const two[] = {"links.arm.basis.count=2", "solver.step=0.2 ms", NULL};
  const leftover plain = left_after(LINK("0.01", ""), two, 2);
  const leftover one = left_after(LINK("0.01", ", shape: {mode: 1}"), two, 2);
  const leftover both = left_after(LINK("0.01", ", shape: [{mode: 1}, {mode: 2}]"), two, 2);
  table_head("residual vibration of two modes, of that without shaping");
  table_bound("first mode, both shaped", both.max[0] / plain.max[0], 1e-3, "theory: nothing");
  table_bound("second mode, both shaped", both.max[1] / plain.max[1], 1e-3, "theory: nothing");
  const double f1 = mode_of(LINK("0.01", ""), two, 1).frequency,
               f2 = mode_of(LINK("0.01", ""), two, 2).frequency;
  table_row("second mode, first shaped", one.max[1] / plain.max[1], pow(cos(M_PI / 2 * f2 / f1), 2), 1e-2,
            "sum of impulses");
}

// A shaped trajectory is the sum of delayed ones, sines and all.
static void shaped_course_is_a_sum(void **state) {
  (void)state;
  const char *const none[] = {NULL};
  lim_model *m = model_of(LINK("1", ""), none);
  static const char *const profile[] = {"trapezoidal", "cycloidal", "quintic", "s-curve"};
  static const int kind[] = {LIM_PROFILE_trapezoidal, LIM_PROFILE_cycloidal, LIM_PROFILE_quintic,
                             LIM_PROFILE_s_curve};
  table_head("shaped courses against sums of delayed ones");
  for (int i = 0; i < 4; i++) {
    lim_profile p = m->motion.item[0].profile.list.item[0];
    p.kind = kind[i];
    const lim_signal signal = {.list = {&p, 1}};
    const lim_trajectory_setup setup = {.motion = true};
    lim_trajectory *plain, *shaped;
    lim_shaper s;
    assert_int_equal(lim_trajectory_new(&plain, &signal, &setup, NULL), LIM_OK);
    lim_shaper_make(&s, LIM_EI, (lim_shaped_mode[]){{2.9, 0.01}, {18, 0.02}}, 2, 0.05, NULL);
    assert_int_equal(lim_trajectory_shaped(&shaped, plain, &s, NULL), LIM_OK);
    double gap[3] = {0}, size[3] = {0};
    for (int k = 0; k <= 5000; k++) {
      const double t = 1.3 * (k + 0.37) / 5000;
      const lim_sample a = lim_trajectory_at(shaped, t);
      lim_sample b = {0};
      for (int j = 0; j < s.n; j++) {
        const lim_sample x = lim_trajectory_at(plain, t - s.time[j]);
        b.value += s.share[j] * x.value;
        b.rate += s.share[j] * x.rate;
        b.second += s.share[j] * x.second;
      }
      const double d[3] = {a.value - b.value, a.rate - b.rate, a.second - b.second},
                   x[3] = {b.value, b.rate, b.second};
      for (int j = 0; j < 3; j++) {
        gap[j] = fmax(gap[j], fabs(d[j]));
        size[j] = fmax(size[j], fabs(x[j]));
      }
    }
    table_bound(profile[i], fmax(gap[0] / size[0], fmax(gap[1] / size[1], gap[2] / size[2])), 1e-7,
                "definition");
    lim_trajectory_free(plain);
    lim_trajectory_free(shaped);
  }
  lim_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(residual_is_that_of_theory),
      cmocka_unit_test(zvd_by_mode_leaves_less_than_one_percent),
      cmocka_unit_test(two_modes_are_shaped_at_once),
      cmocka_unit_test(shaped_course_is_a_sum),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

// body_sliding.c - tests of beams that slide through a guide: shear and rotary inertia, against beams of the
// free length that are clamped.
#include "analysis_fixture.h"

#include "analysis/simulation/simulate.h"

#include <string.h>

#define BAR                                                                                                    \
  "limber: 1\ngravity: [0, 0, 0]\nmaterials: {al: {E: 70 GPa, rho: 2700, nu: 0.33}}\n"                         \
  "sections: {bar: {shape: rectangle, y: 60 mm, z: 40 mm}, rod: {shape: circle, diameter: 5 mm}}\nlinks:\n"
#define SLIDE(section, more)                                                                                   \
  BAR "  - name: arm\n    joint: {type: prismatic, axis: [1, 0, 0], slide: {free_length: beam}}\n    beam: "   \
      "{length: 0.6, material: al, section: " section ", elements: 8" more                                     \
      "}\ndrives: {arm: {type: prescribed}}\nconfiguration: {arm: 0.3}\n"
#define CLAMPED(section, more)                                                                                 \
  BAR "  - name: arm\n    joint: {type: fixed}\n    beam: {length: 0.3, material: al, section: " section       \
      ", elements: 40" more "}\n"

// A stub (l/h = 5), in which shear lowers the fifth frequency by a sixth, and a rod (l/h = 60).
static void held_slide_has_the_frequencies_of_a_timoshenko_cantilever(void **state) {
  (void)state;
  static const char *const texts[][2] = {{SLIDE("bar", ""), CLAMPED("bar", "")},
                                         {SLIDE("rod", ""), CLAMPED("rod", "")}};
  for (int k = 0; k < 2; k++) {
    vibes slide = vibes_of(texts[k][0], LIM_JOINTS_LOCKED, 6),
          plain = vibes_of(texts[k][1], LIM_JOINTS_LOCKED, 6);
    for (int i = 0; i < 6; i++) {
      NEAR(hertz(slide, i), hertz(plain, i), i < 4 ? 1e-4 : 1e-3); // elements of order (kh)^4
    }
    vibes_free(slide);
    vibes_free(plain);
  }
  vibes sheared = vibes_of(SLIDE("bar", ""), LIM_JOINTS_LOCKED, 5),
        slender = vibes_of(SLIDE("bar", ", element: euler-bernoulli"), LIM_JOINTS_LOCKED, 5);
  assert_true(hertz(slender, 4) / hertz(sheared, 4) > 1.15);
  vibes_free(sheared);
  vibes_free(slender);
}

// u = F l^3/(3 EI) + F l/(kappa G A), exactly: cubic fields hold both.
static void held_slide_bends_and_shears_under_a_force_at_its_tip(void **state) {
  (void)state;
  rest a = rest_of(SLIDE("bar", "") "loads: [{at: tip, force: [0, 1000, 500]}]\n"),
       b = rest_of(CLAMPED("bar", "") "loads: [{at: tip, force: [0, 1000, 500]}]\n");
  const double *x = frame_of(a, "tip")->displacement, *y = frame_of(b, "tip")->displacement;
  NEAR(x[1], y[1], 1e-9);
  NEAR(x[2], y[2], 1e-9);
  double modulus = 70e9, h = 0.06, area = 0.06 * 0.04, inertia = 0.04 * h * h * h / 12, l = 0.3;
  double bent = 1000 * l * l * l / (3 * modulus * inertia), shear = x[1] - bent;
  double stiff = modulus / (2 * 1.33) * area;
  assert_true(shear > 1000 * l / stiff && shear < 1000 * l / (0.8 * stiff));
  rest_free(a);
  rest_free(b);
}

// A vibrating stub that is drawn out and in: its books balance with the step, second order.
static void sliding_stub_keeps_its_energy(void **state) {
  (void)state;
  double percent[2];
  for (int k = 0; k < 2; k++) {
    const char *set[] = {k ? "solver.step=0.01 ms" : "solver.step=0.02 ms"};
    lim_model *m = parse_with(
        SLIDE("bar", "") "planar: xy\nmotion: {arm: {profile: quintic, from: 0.3, to: 0.4, duration: 10 ms}}\n"
                         "loads: [{at: tip, force: [0, 2000, 0], to: 1 ms}]\n"
                         "solver: {duration: 10 ms, step: 0.02 ms, method: newmark, tolerance: 1e-9}\n",
        set, 1);
    lim_run run;
    lim_error err = {0};
    const lim_simulate_hooks none = {0};
    if (lim_simulate(&run, m, NULL, &none, &err) != LIM_OK) fail_msg("%s", err.note[0].text);
    percent[k] = run.balance_percent_rms;
    lim_model_free(m);
  }
  printf("balance [%%]: %.3g, with half the step %.3g\n", percent[0], percent[1]);
  assert_true(percent[1] < 1e-3 && percent[0] / percent[1] > 3.5 && percent[0] / percent[1] < 4.5);
}

// What a basis of modes leaves out is said.
static void modes_of_a_stub_are_doubted(void **state) {
  (void)state;
  lim_error err = {0};
  lim_modes *r = NULL;
  const char *const set[] = {"links.arm.basis={type: modes, count: 2}"};
  lim_model *m = parse_with(SLIDE("bar", ""), set, 1);
  assert_int_equal(lim_modes_new(&r, m, NULL, LIM_JOINTS_LOCKED, 2, &err), LIM_OK);
  assert_int_equal(err.warnings, 1);
  assert_non_null(strstr(err.warning[0].text, "2.3 % too high"));
  lim_modes_free(r);
  lim_model_free(m);
  lim_error_clear(&err);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(held_slide_has_the_frequencies_of_a_timoshenko_cantilever),
      cmocka_unit_test(held_slide_bends_and_shears_under_a_force_at_its_tip),
      cmocka_unit_test(sliding_stub_keeps_its_energy),
      cmocka_unit_test(modes_of_a_stub_are_doubted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

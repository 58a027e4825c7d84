// motion_stepper.c - tests of the steps of a stepper motor, and of the turning points and crossings of an arc.
#include "unit/motion_fixture.h"

// Turning points of sin(w t) on a slope: cos(w t) = -1/w, known in closed form.
static void turns_of_sine_on_slope_are_all_found(void **state) {
  (void)state;
  const double w = 40, T = 3;
  const lim_arc p = {.c = {0.3, 1}, .a = 1, .w = w};
  double turn[100], scratch[100];
  assert_true(lim_arc_turns_capacity(&p, T) < 100);
  const int n = lim_arc_turns(turn, scratch, &p, T);
  const double first = acos(-1 / w);
  int k = 0;
  for (int m = 0; m < 100; m++) {
    const double angle = m % 2 ? 2 * PI * (m / 2 + 1) - first : 2 * PI * (m / 2) + first;
    if (angle < w * T) assert_near(turn[k++], angle / w, 1e-14 * T);
  }
  assert_int_equal(n, k);
}

// (t - 0.1)(t - 0.2)(t - 0.5)(t - 0.9) is the rate: four turns.
static void turns_of_polynomial_are_all_found(void **state) {
  (void)state;
  const lim_arc p = {.c = {7, 0.009, -0.163 / 2, 0.89 / 3, -1.7 / 4, 1.0 / 5}};
  double turn[100], scratch[100];
  const double *c = p.c;
  const int n = lim_arc_turns(turn, scratch, &p, 1);
  assert_int_equal(n, 4);
  for (int i = 0; i < n; i++) {
    const double t = turn[i];
    assert_near(c[1] + t * (2 * c[2] + t * (3 * c[3] + t * (4 * c[4] + t * 5 * c[5]))), 0, 1e-16);
  }
}

// 10 steps of 0.1 per unit: 2 pi/(steps_per_turn reduction) = 0.1.
#define STEPS "profile: stepper, steps_per_turn: 31.41592653589793, reduction: 2, "

static int count_order(const lim_trajectory *c, int order) {
  int n = 0;
  for (int i = 0; i < c->nbreak; i++) n += c->breaks[i].order == order;
  return n;
}

static void step_is_a_quintic_from_the_half_step_on(void **state) {
  (void)state;
  lim_trajectory *c =
      motion_of("{" STEPS "rise: 10 ms, of: {profile: trapezoidal, to: 0.1, duration: 2, ramp: 1}}");
  assert_int_equal(c->nbreak, 2); // passes 0.05 at t = 1
  assert_near(c->breaks[0].time, 1, 1e-12);
  assert_near(c->breaks[1].time, 1.01, 1e-12);
  const double u = 0.3;
  assert_near(lim_trajectory_at(c, 1.003).value, 0.1 * (10 * pow(u, 3) - 15 * pow(u, 4) + 6 * pow(u, 5)),
              1e-12);
  assert_near(lim_trajectory_at(c, 1.02).value, 0.1, 1e-15);
  lim_trajectory_free(c);
}

// A constant speed v passes half steps at (k + 1/2) d/v.
static void speed_makes_even_steps_up_to_the_horizon(void **state) {
  (void)state;
  const lim_trajectory_setup setup = {.motion = true, .start = 0.7, .horizon = 2};
  lim_trajectory *c = trajectory("{" STEPS "rise: 1 ms, of: {profile: speed, value: 3}}", setup);
  assert_int_equal(c->nbreak, 2 * 60);
  for (int k = 0; k < 60; k++) {
    assert_near(c->breaks[2 * k].time, (k + 0.5) * 0.1 / 3, 1e-13);
    assert_near(lim_trajectory_at(c, c->breaks[2 * k].time).value, 0.7 + 0.1 * k, 1e-12);
  }
  lim_trajectory_free(c);
  refused("{" STEPS "rise: 1 ms, of: {profile: speed, value: 3}}",
          (lim_trajectory_setup){.motion = true, .horizon = NAN}, "duration of the simulation");
}

static void steps_stay_within_half_a_step_of_a_slow_motion(void **state) {
  (void)state;
  lim_trajectory *of = motion_of("{profile: s-curve, from: 0.33, to: -2.1, start: 0.5, duration: 4}");
  lim_trajectory *c = motion_of(
      "{" STEPS "rise: 0.01 ms, of: {profile: s-curve, from: 0.33, to: -2.1, start: 0.5, duration: 4}}");
  assert_true(lim_trajectory_at(c, 0).value == 0.33);
  for (double t = 0; t < 6; t += 0.00137) {
    const double x = (lim_trajectory_at(c, t).value - 0.33) / 0.1;
    if (distance_to_break(c, t) > 2e-5) assert_near(x, round(x), 1e-12);
    assert_near(lim_trajectory_at(c, t).value, lim_trajectory_at(of, t).value, 0.05 + 1e-4);
  }
  assert_near(lim_trajectory_at(c, 10).value, 0.33 - 2.4, 1e-13);
  lim_trajectory_free(of);
  lim_trajectory_free(c);
}

static void swing_steps_forth_and_back(void **state) {
  (void)state;
  lim_trajectory *c =
      motion_of("{" STEPS "rise: 1 ms, of: {profile: harmonic, amplitude: 0.32, frequency: 1, duration: 3}}");
  assert_int_equal(c->nbreak, 2 * 3 * 12); // three steps out and back, twice in each of three periods
  assert_near(lim_trajectory_at(c, 0.25).value, 0.3, 1e-15);
  assert_near(lim_trajectory_at(c, 1.75).value, -0.3, 1e-15);
  assert_near(lim_trajectory_at(c, 4).value, 0, 0);
  assert_near(c->breaks[0].time, asin(0.05 / 0.32) / (2 * PI), 1e-15);
  lim_trajectory_free(c);
}

static void half_a_step_is_not_made(void **state) {
  (void)state;
  for (int sign = -1; sign <= 1; sign += 2) {
    char text[200];
    snprintf(text, sizeof text, "{" STEPS "rise: 1 ms, of: {profile: cycloidal, from: 0, to: %g, duration: 1}}",
             sign * 0.35);
    lim_trajectory *c = motion_of(text);
    assert_near(lim_trajectory_at(c, 2).value, sign * 0.3, 1e-15);
    lim_trajectory_free(c);
  }
}

static void jump_makes_all_its_steps_at_once(void **state) {
  (void)state;
  lim_trajectory *c = motion_of("{" STEPS "rise: 0.2, of: {value: 1, start: 1}}");
  assert_near(lim_trajectory_at(c, 1).value, 0, 0);
  assert_near(lim_trajectory_at(c, 1.1).value, 0.5, 1e-13);
  assert_near(lim_trajectory_at(c, 1.3).value, 1, 1e-13);
  assert_int_equal(c->nbreak, 2);
  lim_trajectory_free(c);
}

// The Timoshenko thesis: 400 half-steps, 9:1, steps far closer than the rise: the sum stays smooth and follows
// the motion.
static void overlapping_steps_add_up_smoothly(void **state) {
  (void)state;
#define SWEEP "{profile: trapezoidal-acceleration, from: 0, to: 60 deg, duration: 0.5}"
  lim_trajectory *of = motion_of(SWEEP);
  lim_trajectory *c =
      motion_of("{profile: stepper, steps_per_turn: 400, reduction: 9, rise: 10 ms, of: " SWEEP "}");
  assert_smooth(c, 3);
  assert_consistent(c, 0, 0.6, 1e-7);
  assert_near(lim_trajectory_at(c, 1).value, PI / 3, 1e-12);
  assert_true(c->end > 0.45 && c->end < 0.5); // the last half step is passed well before the motion stops
  for (double t = 0.05; t < 0.45; t += 0.001) // the filter delays by half the rise
    assert_near(lim_trajectory_at(c, t + 0.005).value, lim_trajectory_at(of, t).value, 1e-3);
  assert_int_equal(count_order(c, 3), c->nbreak);
  lim_trajectory_free(of);
  lim_trajectory_free(c);
}

static void next_profile_waits_for_the_motion_to_end(void **state) {
  (void)state;
  lim_trajectory *c =
      motion_of("[{" STEPS "rise: 1 ms, of: {profile: cycloidal, from: 0, to: 0.3, duration: 2}},\n"
                " {profile: cycloidal, to: 1, duration: 1}]");
  assert_near(c->end, 3, 1e-12);
  assert_near(lim_trajectory_at(c, 2.5).value, 0.65, 1e-12);
  lim_trajectory_free(c);
}

static void wrong_steppers_are_refused(void **state) {
  (void)state;
  const lim_trajectory_setup setup = {.motion = true, .horizon = 1e9};
  refused("{" STEPS "rise: 1 ms, of: {profile: speed, value: 1}}", setup, "more than 200000 steps");
  refused("{" STEPS "rise: 1 ms, of: {profile: harmonic, amplitude: 1, frequency: 1}}", setup,
          "turns more than");
  refused("{" STEPS "rise: 100, of: {profile: cycloidal, to: 200, duration: 1}}", setup, "fall into one rise");
  refused("{" STEPS "rise: 1, of: {profile: cycloidal, to: 1, duration: 1e-320}}", setup, "1e-50");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(turns_of_sine_on_slope_are_all_found),
      cmocka_unit_test(turns_of_polynomial_are_all_found),
      cmocka_unit_test(step_is_a_quintic_from_the_half_step_on),
      cmocka_unit_test(speed_makes_even_steps_up_to_the_horizon),
      cmocka_unit_test(steps_stay_within_half_a_step_of_a_slow_motion),
      cmocka_unit_test(swing_steps_forth_and_back),
      cmocka_unit_test(half_a_step_is_not_made),
      cmocka_unit_test(jump_makes_all_its_steps_at_once),
      cmocka_unit_test(overlapping_steps_add_up_smoothly),
      cmocka_unit_test(next_profile_waits_for_the_motion_to_end),
      cmocka_unit_test(wrong_steppers_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

// motion_trajectory.c - tests of the profiles and of their sequences.
#include "kind_numbers.h"
#include "unit/motion_fixture.h"

static void at(const lim_trajectory *c, double t, double value, double rate, double second) {
  const lim_sample s = lim_trajectory_at(c, t);
  assert_near(s.value, value, 1e-12 * (1 + fabs(value)));
  assert_near(s.rate, rate, 1e-12 * (1 + fabs(rate)));
  assert_near(s.second, second, 1e-11 * (1 + fabs(second)));
}

// --- strokes ---

// Every stroke, with the lowest derivative that may jump.
static const struct {
  const char *name, *extra;
  int order;
} STROKE[] = {
    {"cycloidal", "", 3},
    {"quintic", "", 3},
    {"trapezoidal", "", 2},
    {"trapezoidal", ", ramp: %g", 2},
    {"trapezoidal-acceleration", "", 3},
    {"trapezoidal-acceleration", ", jerk: %g", 3},
    {"s-curve", "", 3},
    {"s-curve", ", ramp: %g", 3},
    {"s-curve", ", jerk: %g", 3},
    {"bang-bang", "", 2},
};
enum { STROKES = sizeof STROKE / sizeof *STROKE };

static lim_trajectory *random_stroke(int i, unsigned *seed, double *from, double *to, double *start,
                                     double *T) {
  char text[300], extra[60];
  *from = uniform(seed, -3, 3), *to = uniform(seed, -3, 3);
  *start = uniform(seed, 0, 2), *T = uniform(seed, 0.1, 5);
  snprintf(extra, sizeof extra, STROKE[i].extra, *T * uniform(seed, 0.01, 0.16));
  snprintf(text, sizeof text, "{profile: %s, from: %.17g, to: %.17g, start: %.17g, duration: %.17g%s}",
           STROKE[i].name, *from, *to, *start, *T, extra);
  return motion_of(text);
}

static void stroke_random_is_consistent_and_smooth(void **state) {
  (void)state;
  unsigned seed = 1;
  double from, to, start, T;
  for (int i = 0; i < STROKES; i++)
    for (int k = 0; k < 10; k++) {
      lim_trajectory *c = random_stroke(i, &seed, &from, &to, &start, &T);
      assert_consistent(c, start - 0.1 * T, start + 1.1 * T, 5e-4 * T);
      assert_smooth(c, STROKE[i].order);
      lim_trajectory_free(c);
    }
}

static void stroke_ends_are_exact_and_held(void **state) {
  (void)state;
  unsigned seed = 2;
  double from, to, start, T;
  for (int i = 0; i < STROKES; i++) {
    lim_trajectory *c = random_stroke(i, &seed, &from, &to, &start, &T);
    for (double t = -10; t < 0; t += 1) assert_true(lim_trajectory_at(c, start + t).value == from);
    assert_near(c->end, start + T, 1e-14 * (start + T));
    assert_true(lim_trajectory_at(c, c->end).value == to && lim_trajectory_at(c, c->end + 1e9).value == to);
    assert_true(lim_trajectory_at(c, c->end).rate == 0 && lim_trajectory_at(c, -1e9).second == 0);
    assert_near(lim_trajectory_before(c, c->end).value, to, 1e-13);
    lim_trajectory_free(c);
  }
}

// By symmetry every stroke is half done after half its time.
static void stroke_is_point_symmetric(void **state) {
  (void)state;
  unsigned seed = 3;
  double from, to, start, T;
  for (int i = 0; i < STROKES; i++) {
    lim_trajectory *c = random_stroke(i, &seed, &from, &to, &start, &T);
    for (double u = 0; u < 0.5; u += 0.0371)
      assert_near(lim_trajectory_at(c, start + u * T).value +
                      lim_trajectory_before(c, start + (1 - u) * T).value,
                  from + to, 1e-12);
    lim_trajectory_free(c);
  }
}

// The rate integrates to the stroke: Simpson's rule on 0..T, many points.
static void stroke_integral_of_rate_is_the_stroke(void **state) {
  (void)state;
  unsigned seed = 4;
  double from, to, start, T;
  enum { N = 3000 };
  for (int i = 0; i < STROKES; i++) {
    lim_trajectory *c = random_stroke(i, &seed, &from, &to, &start, &T);
    double sum = 0;
    for (int k = 0; k < N; k++)
      for (int p = 0; p < 3; p++)
        sum += (p == 1 ? 4 : 1) * lim_trajectory_at(c, start + (k + 0.5 * p) * T / N).rate * T / N / 6;
    assert_near(sum, to - from, 1e-6);
    lim_trajectory_free(c);
  }
}

static void cycloidal_matches_closed_form(void **state) {
  (void)state;
  lim_trajectory *c = motion_of("{profile: cycloidal, from: 0, to: 60 deg, duration: 2.5 s}");
  const double D = PI / 3, T = 2.5;
  at(c, T / 2, D / 2, 2 * D / T, 0);
  at(c, T / 4, D * (0.25 - 1 / (2 * PI)), D / T, 2 * PI * D / (T * T));
  lim_trajectory_free(c);
}

static void quintic_matches_closed_form(void **state) {
  (void)state;
  lim_trajectory *c = motion_of("{profile: quintic, from: 1, to: 3, start: 1, duration: 2}");
  const double u = 0.3;
  at(c, 1 + 2 * u, 1 + 2 * (10 * pow(u, 3) - 15 * pow(u, 4) + 6 * pow(u, 5)), 30 * u * u * pow(1 - u, 2),
     30 * u * (1 - u) * (1 - 2 * u));
  lim_trajectory_free(c);
}

static void trapezoidal_default_ramp_is_a_third(void **state) {
  (void)state;
  lim_trajectory *c = motion_of("{profile: trapezoidal, to: 2, duration: 3}");
  at(c, 0.5, 0.125, 0.5, 1);
  at(c, 1.5, 1, 1, 0);
  at(c, 2.5, 1.875, 0.5, -1);
  assert_int_equal(c->nbreak, 4);
  for (int i = 0; i < 4; i++) assert_true(c->breaks[i].order == 2 && fabs(c->breaks[i].time - i) < 1e-15);
  assert_near(lim_trajectory_before(c, c->breaks[1].time).second, 1, 1e-15);
  assert_near(lim_trajectory_at(c, c->breaks[1].time).second, 0, 1e-15);
  lim_trajectory_free(c);
}

static void trapezoidal_half_ramps_equal_bang_bang(void **state) {
  (void)state;
  lim_trajectory *a = motion_of("{profile: trapezoidal, to: 2, duration: 3, ramp: 1.5}");
  lim_trajectory *b = motion_of("{profile: bang-bang, to: 2, duration: 3}");
  for (double t = -0.95; t < 4; t += 0.1)
    at(a, t, lim_trajectory_at(b, t).value, lim_trajectory_at(b, t).rate, lim_trajectory_at(b, t).second);
  lim_trajectory_free(a);
  lim_trajectory_free(b);
}

// jerk a/j: three pieces per ramp, defaults ramp = T/3, jerk = ramp/2 (so no constant acceleration).
static void s_curve_pieces_have_the_given_times(void **state) {
  (void)state;
  lim_trajectory *c = motion_of("{profile: s-curve, to: 6, duration: 10, ramp: 4, jerk: 1}");
  at(c, 0.5, 1.0 / 3 * pow(0.5, 3) / 6, 1.0 / 3 * 0.125, 1.0 / 6); // v = 6/(10 - 4) = 1, a = 1/3
  at(c, 2, 1.0 / 3 * (1.0 / 6 + 0.5 + 0.5), 0.5, 1.0 / 3);
  at(c, 5, 3, 1, 0);
  assert_int_equal(c->nbreak, 8);
  lim_trajectory_free(c);
  c = motion_of("{profile: s-curve, to: 6, duration: 9}");
  at(c, 1.5, lim_trajectory_at(c, 1.5).value, 0.5, 2.0 / 3);
  assert_int_equal(c->nbreak, 6);
  lim_trajectory_free(c);
}

static void trapezoidal_acceleration_default_jerk_is_an_eighth(void **state) {
  (void)state;
  lim_trajectory *c = motion_of("{profile: trapezoidal-acceleration, to: 8, duration: 8}");
  lim_trajectory *s = motion_of("{profile: s-curve, to: 8, duration: 8, ramp: 4, jerk: 1}");
  for (double t = 0.05; t < 9; t += 0.1)
    at(c, t, lim_trajectory_at(s, t).value, lim_trajectory_at(s, t).rate, lim_trajectory_at(s, t).second);
  at(c, 4, 4, 2, 0);
  at(c, 2, lim_trajectory_at(c, 2).value, 1, 2.0 / 3); // a = v/(T/2 - jerk) = 2/3
  lim_trajectory_free(c);
  lim_trajectory_free(s);
}

// --- other profiles ---

static void bang_bang_motion_integrates_acceleration(void **state) {
  (void)state;
  lim_trajectory *c = motion_of("{profile: bang-bang, from: 1, amplitude: 2, duration: 4}");
  at(c, 1, 2, 2, 2);
  at(c, 3, 8, 2, -2);
  at(c, 4, 9, 0, 0);
  assert_int_equal(c->nbreak, 3);
  lim_trajectory_free(c);
}

static void bang_bang_effort_is_plus_minus_zero(void **state) {
  (void)state;
  lim_trajectory *c = value_of("{profile: bang-bang, amplitude: 0.1 N m, duration: 0.6 s}");
  const double value[] = {0.1, -0.1, 0};
  for (int i = 0; i < 3; i++) {
    at(c, 0.15 + 0.3 * i, value[i], 0, 0);
    at(c, 0.3 * i, value[i], 0, 0);
    assert_near(lim_trajectory_before(c, c->breaks[i].time).value, i ? value[i - 1] : 0, 0);
    assert_int_equal(c->breaks[i].order, 0);
  }
  assert_near(c->end, 0.6, 1e-15);
  lim_trajectory_free(c);
}

static void harmonic_effort_matches_sine_and_ends(void **state) {
  (void)state;
  lim_trajectory *c =
      value_of("{profile: harmonic, amplitude: 3, frequency: 2 Hz, phase: 0.4, start: 1, duration: 0.9}");
  const double w = 4 * PI, t = 0.37, p = w * t + 0.4;
  at(c, 1 + t, 3 * sin(p), 3 * w * cos(p), -3 * w * w * sin(p));
  at(c, 0.99, 0, 0, 0);
  at(c, 1.9, 0, 0, 0);
  assert_near(lim_trajectory_before(c, 1.9).value, 3 * sin(0.9 * w + 0.4), 1e-12);
  assert_int_equal(c->nbreak, 2);
  lim_trajectory_free(c);
  c = value_of("{profile: harmonic, amplitude: 3, frequency: 2 Hz}");
  assert_true(isinf(c->end));
  assert_consistent(c, -1, 50, 1e-4);
  lim_trajectory_free(c);
}

static void harmonic_motion_swings_about_where_the_joint_stands(void **state) {
  (void)state;
  lim_trajectory_setup setup = {.motion = true, .start = 0.5};
  lim_trajectory *c = trajectory("{profile: harmonic, amplitude: 0.2, frequency: 1, duration: 2}", setup);
  at(c, 0.25, 0.7, 0, -0.2 * 4 * PI * PI);
  assert_smooth(c, 1); // whole periods: only the velocity jumps
  at(c, 2, 0.5, 0, 0);
  lim_trajectory_free(c);
}

static void speed_grows_after_its_ramp(void **state) {
  (void)state;
  lim_trajectory_setup setup = {.motion = true, .start = 1};
  lim_trajectory *c = trajectory("{profile: speed, value: 3, ramp: 2, start: 1}", setup);
  at(c, 0.5, 1, 0, 0);
  at(c, 2, 1 + 3 * (0.25 - 1 / (PI * PI)), 1.5, 3);
  at(c, 5, 1 + 3 + 6, 3, 0);
  assert_true(isinf(c->end));
  assert_smooth(c, 3);
  assert_consistent(c, 0, 6, 1e-3);
  lim_trajectory_free(c);
  c = motion_of("{profile: speed, value: 3}");
  at(c, 2, 6, 3, 0);
  assert_int_equal(c->breaks[0].order, 1);
  lim_trajectory_free(c);
}

static void constant_with_start_is_a_step(void **state) {
  (void)state;
  lim_trajectory *c = value_of("{value: 2, start: 1}");
  assert_int_equal(c->nbreak, 1);
  assert_true(lim_trajectory_before(c, 1).value == 0 && lim_trajectory_at(c, 1).value == 2);
  lim_trajectory_free(c);
  c = value_of("5");
  assert_int_equal(c->nbreak, 0);
  assert_true(lim_trajectory_at(c, -1).value == 5 && lim_trajectory_at(c, 1e6).value == 5 && c->end == 0);
  lim_trajectory_free(c);
}

static void signal_without_profiles_stands_still(void **state) {
  (void)state;
  lim_trajectory *c = NULL;
  const lim_trajectory_setup setup = {.motion = true, .start = 0.3};
  assert_int_equal(lim_trajectory_new(&c, &(lim_signal){0}, &setup, NULL), LIM_OK);
  at(c, -5, 0.3, 0, 0);
  at(c, 5, 0.3, 0, 0);
  assert_int_equal(c->nbreak, 0);
  lim_trajectory_free(c);
}

// --- sequences ---

static void sequence_goes_on_where_the_one_before_ended(void **state) {
  (void)state;
  lim_trajectory_setup setup = {.motion = true, .start = 0.25};
  lim_trajectory *c =
      trajectory("[{profile: cycloidal, to: 1, duration: 2}, {profile: trapezoidal, to: -1, duration: 3},\n"
                 " {profile: quintic, to: 0, start: 7, duration: 1}]",
                 setup);
  assert_true(lim_trajectory_at(c, 0).value == 0.25 && lim_trajectory_at(c, 2).value == 1);
  assert_true(lim_trajectory_at(c, 5).value == -1 && lim_trajectory_at(c, 6.9).value == -1);
  assert_near(lim_trajectory_at(c, 7.5).value, -0.5, 1e-14);
  assert_true(c->end == 8 && lim_trajectory_at(c, 8).value == 0);
  assert_smooth(c, 2);
  lim_trajectory_free(c);
}

static void sequence_own_from_is_a_jump(void **state) {
  (void)state;
  lim_trajectory *c = motion_of(
      "[{profile: cycloidal, to: 1, duration: 2}, {profile: cycloidal, from: 0, to: 1, duration: 2}]");
  assert_true(lim_trajectory_before(c, 2).value > 0.999 && lim_trajectory_at(c, 2).value == 0);
  assert_int_equal(c->breaks[1].order, 0);
  lim_trajectory_free(c);
}

static void sequence_of_speeds_ramps_between_them(void **state) {
  (void)state;
  lim_trajectory *c =
      motion_of("[{profile: speed, value: 2, ramp: 1}, {profile: speed, value: -1, ramp: 1, start: 3},\n"
                " {profile: speed, value: 0, ramp: 2, start: 5}, {profile: cycloidal, to: 0, duration: 1}]");
  assert_smooth(c, 3);
  at(c, 3, 5, 2, 0);
  at(c, 4, 5.5, -1, 0);
  at(c, 7, 3.5, 0, 0);
  assert_near(c->end, 8, 1e-14);
  lim_trajectory_free(c);
}

static void sequence_rounding_of_times_is_forgiven(void **state) {
  (void)state;
  lim_trajectory *c =
      value_of("[{profile: cycloidal, to: 1, start: 0.1, duration: 0.2}, {value: 4, start: 0.3}]");
  assert_true(lim_trajectory_at(c, 0.31).value == 4);
  lim_trajectory_free(c);
}

static void lines_count_up(void **state) {
  (void)state;
  lim_profile p[2] = {{.kind = LIM_PROFILE_quintic, .duration = 1},
                      {.kind = LIM_PROFILE_cycloidal, .duration = 1}};
  lim_node node = {.source = "arm.yaml"};
  for (int i = 0; i < 2; i++) {
    p[i].from = p[i].to = p[i].start = NAN;
    p[i].line.head.node = &node;
  }
  lim_signal signal = {.list = {p, 2}};
  lim_trajectory *c = NULL;
  assert_int_equal(lim_trajectory_new(&c, &signal, &(lim_trajectory_setup){.motion = true}, NULL), LIM_OK);
  assert_near(lim_trajectory_at(c, 0.5).value, 0.5, 1e-15);
  assert_near(lim_trajectory_at(c, 1.5).value, 1.5, 1e-15);
  assert_true(lim_trajectory_at(c, 2).value == 2);
  lim_trajectory_free(c);
}

// --- errors ---

static void wrong_profiles_are_refused_where_they_stand(void **state) {
  (void)state;
  const lim_trajectory_setup motion = {.motion = true}, value = {0};
  assert_int_equal(refused("{profile: bang-bang, to: 1, duration: 1}", value, "needs its 'amplitude'"), 4);
  assert_int_equal(refused("{profile: bang-bang, to: 1, amplitude: 3, duration: 1}", value, "has no 'from'"),
                   4);
  assert_int_equal(refused("{profile: bang-bang, to: 1, amplitude: 3, duration: 1}", motion, "leads to 0.75"),
                   4);
  refused("{profile: cycloidal, to: 1, duration: 1e-320}", motion, "1e-50");
  assert_int_equal(refused("[{profile: cycloidal, to: 1, duration: 2},\n"
                           " {profile: cycloidal, to: 0, start: 1, duration: 2}]",
                           motion, "start is 1 s, but the profile before ends at 2 s"),
                   5);
  assert_int_equal(refused("[{profile: speed, value: 1},\n {profile: cycloidal, to: 0, duration: 2}]", motion,
                           "must give its 'start'"),
                   5);
}

// Profiles that no model file made, but a program.
static void profiles_out_of_range_are_refused(void **state) {
  (void)state;
  const double none = NAN;
  const struct {
    lim_profile p;
    const char *part;
  } wrong[] = {
      {{.kind = LIM_PROFILE_cycloidal, .to = none, .duration = 1}, "needs 'to'"},
      {{.kind = LIM_PROFILE_quintic, .to = 1, .duration = 0}, "duration is 0 s"},
      {{.kind = LIM_PROFILE_trapezoidal, .to = 1, .duration = 1, .ramp = 0.6}, "ramp is 0.6 s"},
      {{.kind = LIM_PROFILE_s_curve, .to = 1, .duration = 1, .ramp = 0.2, .jerk = 0.15},
       "half of the ramp, 0.2 s"},
      {{.kind = LIM_PROFILE_trapezoidal_acceleration, .to = 1, .duration = 1, .jerk = 0.3}, "jerk is 0.3 s"},
      {{.kind = LIM_PROFILE_harmonic, .amplitude = 1, .frequency = -1}, "frequency is -1 Hz"},
      {{.kind = LIM_PROFILE_stepper, .rise = 1, .steps_per_turn = 9, .reduction = 1}, "'of'"},
      {{.kind = LIM_PROFILE_via}, "points must be"},
      {{.kind = LIM_PROFILE_constant, .value = none}, "too large"},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    lim_profile p = wrong[i].p;
    const lim_signal signal = {.list = {&p, 1}};
    lim_trajectory *c;
    lim_error err = {0};
    assert_int_equal(lim_trajectory_new(&c, &signal, &(lim_trajectory_setup){.motion = true}, &err),
                     LIM_BAD_INPUT);
    assert_null(c);
    if (!strstr(err.note[0].text, wrong[i].part)) fail_msg("%s", err.note[0].text);
    lim_error_clear(&err);
  }
}

// A quintic is met by its samples exactly; the jump of its acceleration is a break because it is said to be
// one.
static void course_through_samples_of_a_quintic_is_that_quintic(void **state) {
  (void)state;
  const double c[6] = {0.3, -1, 2, 0.5, -0.7, 0.2}, t[5] = {1, 1.5, 2, 2, 3};
  lim_arc quintic = {.c = {c[0], c[1], c[2], c[3], c[4], c[5]}}, other = quintic;
  lim_sample x[5];
  for (int i = 0; i < 3; i++) x[i] = lim_arc_at(&quintic, t[i] - 1);
  other = (lim_arc){.c = {x[2].value, x[2].rate, -1, 0.4}};
  for (int i = 3; i < 5; i++) x[i] = lim_arc_at(&other, t[i] - 2);
  const lim_samples from = {5, 1, t, x, &(lim_break){2, 2}};
  lim_trajectory *made;
  assert_int_equal(lim_trajectory_through(&made, &from, NULL), LIM_OK);
  for (double u = 1.01; u < 3; u += 0.07) {
    lim_sample e = u < 2 ? lim_arc_at(&quintic, u - 1) : lim_arc_at(&other, u - 2),
               s = lim_trajectory_at(made, u);
    assert_near(s.value, e.value, 1e-13);
    assert_near(s.rate, e.rate, 1e-12);
    assert_near(s.second, e.second, 1e-11);
  }
  assert_near(lim_trajectory_before(made, 2).second, x[2].second, 1e-11);
  assert_near(lim_trajectory_at(made, 2).second, -2, 1e-11);
  assert_near(lim_trajectory_at(made, 0).value, x[0].value, 0);
  assert_near(lim_trajectory_at(made, 9).value, x[4].value, 0);
  assert_int_equal(made->nbreak, 1);
  assert_near(made->end, 3, 0);
  lim_trajectory_free(made);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(course_through_samples_of_a_quintic_is_that_quintic),
      cmocka_unit_test(stroke_random_is_consistent_and_smooth),
      cmocka_unit_test(stroke_ends_are_exact_and_held),
      cmocka_unit_test(stroke_is_point_symmetric),
      cmocka_unit_test(stroke_integral_of_rate_is_the_stroke),
      cmocka_unit_test(cycloidal_matches_closed_form),
      cmocka_unit_test(quintic_matches_closed_form),
      cmocka_unit_test(trapezoidal_default_ramp_is_a_third),
      cmocka_unit_test(trapezoidal_half_ramps_equal_bang_bang),
      cmocka_unit_test(s_curve_pieces_have_the_given_times),
      cmocka_unit_test(trapezoidal_acceleration_default_jerk_is_an_eighth),
      cmocka_unit_test(bang_bang_motion_integrates_acceleration),
      cmocka_unit_test(bang_bang_effort_is_plus_minus_zero),
      cmocka_unit_test(harmonic_effort_matches_sine_and_ends),
      cmocka_unit_test(harmonic_motion_swings_about_where_the_joint_stands),
      cmocka_unit_test(speed_grows_after_its_ramp),
      cmocka_unit_test(constant_with_start_is_a_step),
      cmocka_unit_test(signal_without_profiles_stands_still),
      cmocka_unit_test(sequence_goes_on_where_the_one_before_ended),
      cmocka_unit_test(sequence_own_from_is_a_jump),
      cmocka_unit_test(sequence_of_speeds_ramps_between_them),
      cmocka_unit_test(sequence_rounding_of_times_is_forgiven),
      cmocka_unit_test(lines_count_up),
      cmocka_unit_test(wrong_profiles_are_refused_where_they_stand),
      cmocka_unit_test(profiles_out_of_range_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

// analysis_limits.c - joints beyond their limits, speeds that a prescribed joint cannot have, carriages on
// beams.
#include "fixture.h"

#include "analysis/inverse.h"
#include "analysis/limits.h"
#include "analysis/simulation/session.h"
#include "analysis/simulation/simulate.h"
#include "arm/carriage.h"

#define PI 3.14159265358979323846
#define TWO                                                                                                    \
  "limber: 1\ngravity: [0, -9.81, 0]\nplanar: xy\nlinks:\n"                                                    \
  "  - {name: a, joint: {name: shoulder, limits: {position: [-0.5, 1], velocity: 1.2, effort: 30}},\n"         \
  "     body: {mass: 3, com: [0.5, 0, 0], inertia: [0, 0, 0.1], tip: [1, 0, 0]}}\n"                            \
  "  - {name: b, joint: {limits: {position: [0.1, 1]}}, body: {mass: 1, com: [0.5, 0, 0]}}\n"                  \
  "drives: {b: {type: prescribed}}\nsolver: {duration: 2, step: 1 ms}\n"
#define SWING "motion: {shoulder: {profile: cycloidal, from: 0, to: 90 deg, duration: 2 s}}\n"

static const lim_warning *warning_of(const lim_error *err, const char *part) {
  const lim_warning *found = NULL;
  for (int i = 0; i < err->warnings; i++)
    if (strstr(err->warning[i].text, part)) {
      assert_null(found); // once
      found = &err->warning[i];
    }
  return found;
}

// A cycloid of 90 deg in 2 s has the peak speed pi/2 rad/s; it passes 1 rad where q(t) = 1.
static double passes(double level) {
  double lo = 0, hi = 2;
  for (int i = 0; i < 80; i++) {
    double t = (lo + hi) / 2, q = PI / 2 * (t / 2 - sin(PI * t) / (2 * PI));
    *(q > level ? &hi : &lo) = t;
  }
  return hi;
}

static void motion_beyond_limits_is_found_with_first_time_and_worst_value(void **state) {
  (void)state;
  lim_model *m = parse(TWO SWING);
  lim_error err = {0};
  assert_int_equal(lim_limits_check(m, NULL, &err), LIM_OK);
  assert_int_equal(err.warnings, 3);
  const lim_warning *high = warning_of(&err, "upper position"), *fast = warning_of(&err, "velocity limit"),
                    *low = warning_of(&err, "lower position");
  assert_string_equal(high->place, "shoulder");
  assert_true(fabs(high->time - passes(1)) < 1e-6);
  assert_non_null(strstr(high->text, "limit of 1 rad: it comes to 1.571 rad"));
  assert_true(fabs(fast->time - acos(1 - 2 * 1.2 / (PI / 2)) / PI) < 1e-6); // q' = pi/4 (1 - cos(pi t))
  assert_non_null(strstr(fast->text, "limit of 1.2 rad/s: it comes to 1.571 rad/s"));
  assert_string_equal(low->place, "b");
  lim_error_clear(&err);
  lim_model_free(m);
}

static void motion_after_the_run_and_within_limits_is_not_warned_of(void **state) {
  (void)state;
  static const char *const set[] = {"solver.duration=0.6", "configuration.b=0.5"};
  lim_model *m = parse_with(TWO SWING, set, 2);
  lim_error err = {0};
  assert_int_equal(lim_limits_check(m, NULL, &err), LIM_OK);
  assert_int_equal(err.warnings, 0);
  lim_model_free(m);
}

// Held level the arm's weight asks for 3 x 9.81 x 0.5 + 9.81 x 1.5 = 29.43 N m of the shoulder.
static void run_beyond_limits_is_warned_of_once_per_limit(void **state) {
  (void)state;
  lim_model *m = parse(TWO SWING);
  for (int i = 0; i < 2; i++) {
    lim_error err = {0};
    if (i == 0) {
      lim_run run;
      assert_int_equal(lim_simulate(&run, m, NULL, &(lim_simulate_hooks){.record = NULL}, &err), LIM_OK);
    } else {
      lim_inverse *r;
      assert_int_equal(lim_inverse_new(&r, m, NULL, NULL, &err), LIM_OK);
      lim_inverse_free(r);
    }
    assert_int_equal(err.warnings, 4);
    assert_true(fabs(warning_of(&err, "upper position")->time - passes(1)) < 1e-3);
    assert_true(warning_of(&err, "effort limit of 30 N m")->time > 0);
    lim_error_clear(&err);
  }
  lim_model_free(m);
}

static void speed_that_a_prescribed_joint_does_not_have_is_refused(void **state) {
  (void)state;
  static const char *const set[] = {"configuration.b={position: 0.5, velocity: 3}",
                                    "configuration.shoulder={position: 0, velocity: 1}"};
  for (int i = 0; i < 2; i++) {
    lim_model *m = parse_with(TWO SWING, &set[i], 1);
    lim_error err = {0};
    lim_session *s;
    assert_int_equal(lim_session_new(&s, m, NULL, &err), LIM_BAD_INPUT);
    assert_non_null(
        strstr(err.note[0].text, i ? "its motion begins otherwise, at 0" : "it has no motion: it is held"));
    assert_string_equal(err.note[0].file, i ? "--set configuration.shoulder" : "--set configuration.b");
    lim_error_clear(&err);
    assert_int_equal(lim_limits_check(m, NULL, &err), LIM_OK); // modes take it as a steady spin
    assert_non_null(warning_of(&err, "only modes"));
    lim_error_clear(&err);
    lim_model_free(m);
  }
}

#define RAIL                                                                                                   \
  "limber: 1\nmaterials: {m: {E: 70 GPa, rho: 2700}}\nsections: {s: {shape: rectangle, y: 20 mm, z: 20 mm}}\n" \
  "links:\n  - name: rail\n    joint: {type: fixed}\n    beam: {length: 2, section: s, material: m}\n"

static int carriage_warnings(const char *rest) {
  char text[1000];
  snprintf(text, sizeof text, RAIL "%s", rest);
  lim_model *m = parse(text);
  lim_error err = {0};
  lim_carriage_warn(&err, m);
  int n = err.warnings;
  lim_error_clear(&err);
  lim_model_free(m);
  return n;
}

static void carriage_along_a_flexible_parent_is_warned_of(void **state) {
  (void)state;
#define CAR(at, axis) "  - {name: car, at: " at ", joint: {type: prismatic, axis: " axis "}, body: {mass: 2}}\n"
  assert_int_equal(carriage_warnings(CAR("base", "[1, 0, 0]")), 1);
  assert_int_equal(carriage_warnings(CAR("tip", "[-1, 0, 0]")), 1);
  assert_int_equal(carriage_warnings(CAR("tip", "[1, 0, 0]") "configuration: {car: -0.5}\n"), 1);
  assert_int_equal(carriage_warnings(CAR("tip", "[1, 0, 0]")), 0);  // a telescope goes on beyond the tip
  assert_int_equal(carriage_warnings(CAR("base", "[0, 1, 0]")), 0); // across
  assert_int_equal(carriage_warnings("    basis: rigid\n" CAR("base", "[1, 0, 0]")), 0);
// Between them a rigid link, turned by -90 deg, and a further one, fixed or turning, which turns back.
#define BRACKET(joint)                                                                                         \
  "  - {name: shoe, at: base, joint: {type: fixed, origin: {rpy: [0, 0, -1.5707963267948966]}}}\n"             \
  "  - {name: table, at: base, joint: {" joint "}}\n"
  assert_int_equal(carriage_warnings(BRACKET("type: fixed") CAR("base", "[0, 1, 0]")), 1);
  assert_int_equal(carriage_warnings(BRACKET("type: fixed") CAR("base", "[1, 0, 0]")), 0); // across
  assert_int_equal(carriage_warnings(BRACKET("type: revolute") CAR("base", "[0, 1, 0]")), 1);
  assert_int_equal(
      carriage_warnings(BRACKET("type: revolute") CAR("base", "[1, 0, 0]") "configuration: {table: 90 deg}\n"),
      1);
}

#define STRIP                                                                                                  \
  "limber: 1\ngravity: [0, 0, 0]\nmaterials: {m: {E: 70 GPa, rho: 2700}}\n"                                    \
  "sections: {s: {shape: rectangle, y: 3 mm, z: 30 mm}}\nlinks:\n"                                             \
  "  - {name: arm, joint: {type: prismatic, axis: [1, 0, 0], slide: {free_length: beam}},\n"                   \
  "     beam: {length: 1.5, section: s, material: m, elements: 4}}\nsolver: {duration: 2}\n"

// From rest to rest by 1 m or 2 m in 2 s, by symmetry half of it is done after 1 s.
static void beam_that_slides_out_of_its_guide_is_warned_of(void **state) {
  (void)state;
  static const struct {
    const char *text, *warning;
    double time;
  } cases[] = {
      {STRIP "motion: {arm: {profile: via, points: [[0, 1], [2, 2]]}}\n",
       "joint 'arm' comes to 2 m, but a beam of 1.5 m has 0 to 1.5 m beyond its guide: it leaves it", 1},
      {STRIP "motion: {arm: {profile: via, points: [[0, 1], [2, -1]]}}\n",
       "joint 'arm' comes to -1 m, but a beam of 1.5 m has 0 to 1.5 m beyond its guide: it leaves it", 1},
      {STRIP "motion: {arm: {profile: via, points: [[0, 0.2], [2, 1.5]]}}\n", NULL, 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    lim_model *m = parse(cases[i].text);
    lim_error err = {0};
    assert_int_equal(lim_limits_check(m, NULL, &err), LIM_OK);
    assert_int_equal(err.warnings, cases[i].warning != NULL);
    if (cases[i].warning) assert_string_equal(err.warning[0].text, cases[i].warning);
    if (cases[i].warning) assert_true(fabs(err.warning[0].time - cases[i].time) < 1e-6);
    lim_error_clear(&err);
    lim_model_free(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(motion_beyond_limits_is_found_with_first_time_and_worst_value),
      cmocka_unit_test(motion_after_the_run_and_within_limits_is_not_warned_of),
      cmocka_unit_test(run_beyond_limits_is_warned_of_once_per_limit),
      cmocka_unit_test(speed_that_a_prescribed_joint_does_not_have_is_refused),
      cmocka_unit_test(beam_that_slides_out_of_its_guide_is_warned_of),
      cmocka_unit_test(carriage_along_a_flexible_parent_is_warned_of),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

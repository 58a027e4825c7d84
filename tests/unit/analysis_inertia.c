// analysis_inertia.c - tests of effective inertia: both routes on arms with everything in them, joints that
// slide, elastic gears, moments of a motion, what is refused, memory.
#include "link_fixture.h"

#include "analysis/inertia.h"
#include "memory_fixture.h"
#include "path/assembly.h"

static const lim_inertia_plan MASS = {.route = LIM_ROUTE_MASS, .at = NAN},
                              NODES = {.route = LIM_ROUTE_JACOBIAN, .at = NAN};

static lim_inertia *inertia_of(lim_model *m, const lim_inertia_plan *plan) {
  lim_inertia *x = NULL;
  lim_error err = {0};
  if (lim_inertia_new(&x, m, NULL, plan, &err) != LIM_OK) fail_msg("%s", err.note[0].text);
  return x;
}

static const lim_inertia_joint *joint_of(const lim_inertia *x, const char *name) {
  for (int i = 0; i < x->joints.count; i++)
    if (!strcmp(x->joints.item[i].name, name)) return &x->joints.item[i];
  fail_msg("no joint '%s'", name);
  return NULL;
}

// Joints that turn and slide about tilted axes, a branch, DH rows, offset masses, rotors on every kind of
// carrier: of the own link, of another branch, of the world, simple ones. %s: the basis of beams.
#define EVERYTHING                                                                                             \
  "limber: 1\ngravity: [1, -2, -9.81]\n" MATERIAL SECTION "links:\n"                                           \
  "  - {name: one, joint: {axis: [1, 2, 2]}, basis: {%s}, beam: {length: 0.8, section: s, material: m, "       \
  "elements: 4, segments: 2}, masses: [{at: 0.5, mass: 2, xyz: [0, 0.1, 0.05], inertia: [1, 2, 3, 0.1, 0.2, "  \
  "0.3]}, {at: base, mass: 1, xyz: [0, 0.1, 0]}]}\n"                                                           \
  "  - {name: two, joint: {type: prismatic, axis: [0, 1, 1], origin: {rpy: [0.3, 0.1, 0.2]}}, body: {mass: "   \
  "3, com: [0.1, 0.2, 0.3], inertia: [0.1, 0.2, 0.3, 0.01, 0.02, 0.03], tip: [0.3, 0.1, 0]}, masses: [{at: "   \
  "tip, mass: 0.5}]}\n"                                                                                        \
  "  - {name: three, basis: {%s}, joint: {dh: {a: 0.4, alpha: 0.7, d: 0.1, theta: 0.2}}, beam: {section: s, "  \
  "material: m, elements: 3}}\n"                                                                               \
  "  - {name: four, joint: {dh: {a: 0.2, alpha: 0.4}}, masses: [{at: tip, mass: 1}]}\n"                        \
  "  - {name: side, parent: one, at: middle, joint: {axis: [1, 0, 0]}, body: {mass: 2, com: [0, 0.3, 0]}}\n"   \
  "  - {name: hand, parent: four, joint: {type: fixed}, body: {mass: 0.3, com: [0.1, 0, 0]}}\n"                \
  "frames: [{name: middle, on: one, at: 0.5, xyz: [0, 0.1, 0]}]\n"                                             \
  "configuration: {one: 0.3, two: 0.1, three: -0.4, four: 0.9, side: 0.5}\n"                                   \
  "drives:\n"                                                                                                  \
  "  one: {type: motor, motor: {mass: 3, rotor_inertia: 1e-3, stator_inertia: 0.1, ratio: 50}}\n"              \
  "  two: {type: motor, motor: {mass: 1, rotor_inertia: 1e-3, ratio: 20, radius: 0.1, axis: [1, 0, 1]}}\n"     \
  "  three: {type: motor, motor: {mass: 1, rotor_inertia: 2e-3, ratio: 30, on: four.tip, axis: [0, 1, 1], "    \
  "offset: [0.1, 0, 0]}, gear: {stiffness: 1e4}}\n"                                                            \
  "  four: {type: motor, motor: {mass: 1, rotor_inertia: 3e-3, ratio: -10, rotor: simple}}\n"                  \
  "  side: {type: motor, motor: {rotor_inertia: 0.1, ratio: 5, on: side.tip, axis: [1, 1, 0]}}\n"

static double largest_difference(const char *basis) {
  char text[4000];
  snprintf(text, sizeof text, EVERYTHING, basis, basis);
  lim_model *m = parse(text);
  lim_inertia *a = inertia_of(m, &MASS), *b = inertia_of(m, &NODES);
  double largest = 0;
  assert_int_equal(a->joints.count, 5);
  assert_int_equal(b->joints.count, 5);
  for (int i = 0; i < 5; i++) {
    const lim_inertia_joint *x = &a->joints.item[i], *y = &b->joints.item[i];
    assert_true(x->arm[0] > 0 && x->rotor == y->rotor && x->ratio == y->ratio);
    NEAR(x->joint[0], x->arm[0] + x->ratio * x->ratio * x->rotor, 1e-15);
    NEAR(x->motor_side[0], x->joint[0] / (x->ratio * x->ratio), 1e-14);
    largest = fmax(largest, fabs(y->arm[0] / x->arm[0] - 1));
  }
  lim_inertia_free(a);
  lim_inertia_free(b);
  lim_model_free(m);
  return largest;
}

// Rigid links; flexible ones that are not deformed.
static void routes_agree_to_rounding(void **state) {
  (void)state;
  assert_true(largest_difference("type: rigid") < 1e-13);
  assert_true(largest_difference("type: full") < 1e-13);
  assert_true(largest_difference("type: modes, count: 2") < 1e-13);
}

static void slide_moves_masses_and_radius_sets_its_ratio(void **state) {
  (void)state;
  lim_model *m = parse(
      "limber: 1\nlinks:\n  - {name: rail, joint: {type: prismatic, axis: [1, 0, 0]}, body: {mass: 2, com: "
      "[3, 1, 0], inertia: [9, 9, 9]}}\n  - {name: arm, body: {mass: 1, com: [1, 0, 0], inertia: [0, 0, "
      "0.5]}}\ndrives: {rail: {type: motor, motor: {ratio: 50, radius: 25 mm, rotor_inertia: 1e-4, mass: "
      "7}}, arm: {type: motor, motor: {ratio: 1, mass: 4}}}\n");
  lim_inertia *x = inertia_of(m, &MASS);
  const lim_inertia_joint *j = joint_of(x, "rail");
  assert_true(j->slides && j->motor && !x->along && x->n == 1 && x->time[0] == 0);
  NEAR(j->ratio, 2000, 1e-15);
  NEAR(j->arm[0], 2 + 1 + 4, 1e-14); // its own motor rests
  NEAR(j->joint[0], 7 + 400, 1e-14);
  NEAR(j->motor_side[0], 1e-4 + 7 / 4e6, 1e-14);
  NEAR(joint_of(x, "arm")->joint[0], 1.5, 1e-14);
  assert_true(joint_of(x, "arm")->rotor == 0);
  lim_inertia_free(x);
  lim_model_free(m);
}

#define BODY "  - {name: arm, body: {mass: 3, com: [0.2, 0, 0], inertia: [1, 1, 2], tip: [0.5, 0, 0]}}\n"

static void joint_without_motor_has_no_motor_side(void **state) {
  (void)state;
  lim_model *m = parse("limber: 1\nlinks:\n" BODY);
  lim_inertia *x = inertia_of(m, &MASS);
  const lim_inertia_joint *j = joint_of(x, "arm");
  assert_true(!j->motor && isnan(j->rotor) && isnan(j->ratio) && isnan(j->motor_side[0]));
  NEAR(j->joint[0], 2.12, 1e-14);
  assert_true(j->joint[0] == j->arm[0]);
  lim_inertia_free(x);
  lim_model_free(m);
}

// Slow motion does not feel the gear: motor and joint move together.
static void elastic_gear_has_the_inertia_of_a_rigid_one(void **state) {
  (void)state;
  const char *gear[] = {"", ", gear: {stiffness: 100, backlash: 0.1}"};
  double arm[2], joint[2];
  for (int i = 0; i < 2; i++) {
    char text[600];
    snprintf(text, sizeof text,
             "limber: 1\nlinks:\n" BODY "drives: {arm: {type: motor, motor: {ratio: 9, rotor_inertia: 0.1, on: "
             "arm.tip, axis: [0, 0, 1], mass: 1}%s}}\n",
             gear[i]);
    lim_model *m = parse(text);
    lim_inertia *x = inertia_of(m, &MASS);
    arm[i] = x->joints.item[0].arm[0];
    joint[i] = x->joints.item[0].joint[0];
    lim_inertia_free(x);
    lim_model_free(m);
  }
  NEAR(arm[0], 2.12 + 0.25 + 0.1 * (2 * 9 + 1),
       1e-14); // the rotor turns (9 + 1) times, of which 81 is the gear's
  NEAR(joint[0], 2.12 + 0.25 + 0.1 * 100, 1e-14);
  NEAR(arm[1], arm[0], 1e-14);
  NEAR(joint[1], joint[0], 1e-14);
}

// --- moments ---

#define TWO                                                                                                    \
  "limber: 1\nlinks:\n" BODY "  - {name: fore, body: {mass: 1, com: [0.3, 0, 0]}}\n"                           \
  "motion: {fore: {profile: quintic, from: 0, to: 2, duration: 1 s}}\n"

static double of_arm(double q) { return 2.12 + 0.25 + 0.09 + 2 * 0.5 * 0.3 * cos(q); }

static void motion_gives_one_value_per_record(void **state) {
  (void)state;
  lim_model *m = parse(TWO "solver: {duration: 1.05 s, step: 1 ms}\noutputs: {every: 100 ms}\n");
  lim_inertia *x = inertia_of(m, &MASS);
  assert_true(x->along);
  assert_int_equal(x->n, 12);
  for (int i = 0; i < 12; i++) {
    double t = fmin(i * 0.1, 1.05), s = fmin(t, 1), q = 2 * s * s * s * (10 - 15 * s + 6 * s * s);
    NEAR(x->time[i], t, 1e-14);
    NEAR(joint_of(x, "arm")->joint[i], of_arm(q), 1e-13);
    NEAR(joint_of(x, "fore")->joint[i], 0.09, 1e-13);
  }
  lim_inertia_free(x);
  x = inertia_of(m, &(lim_inertia_plan){.count = 3, .at = NAN});
  assert_int_equal(x->n, 3);
  NEAR(x->time[1], 0.525, 1e-14);
  NEAR(x->time[2], 1.05, 1e-14);
  lim_inertia_free(x);
  x = inertia_of(m, &(lim_inertia_plan){.at = 0.5});
  assert_true(!x->along && x->n == 1 && x->time[0] == 0.5);
  NEAR(joint_of(x, "arm")->joint[0], of_arm(1), 1e-13);
  lim_inertia_free(x);
  lim_model_free(m);
}

static void motion_without_duration_gives_its_start(void **state) {
  (void)state;
  lim_model *m = parse(TWO);
  lim_inertia *x = inertia_of(m, &MASS);
  assert_true(!x->along);
  NEAR(joint_of(x, "arm")->joint[0], of_arm(0), 1e-14);
  lim_inertia_free(x);
  lim_model_free(m);
}

static void assert_inertia_refused(const char *text, int count, const char *message) {
  lim_model *m = parse(text);
  lim_inertia *x = NULL;
  lim_error err = {0};
  assert_int_equal(lim_inertia_new(&x, m, NULL, &(lim_inertia_plan){.count = count, .at = NAN}, &err),
                   LIM_BAD_INPUT);
  assert_null(x);
  if (!strstr(err.note[0].text, message)) fail_msg("'%s' lacks '%s'", err.note[0].text, message);
  assert_true(err.note[0].line > 0);
  lim_error_clear(&err);
  lim_model_free(m);
}

static void what_is_missing_is_said(void **state) {
  (void)state;
  assert_inertia_refused("limber: 1\nlinks:\n" BODY, 5, "no joint has a motion");
  assert_inertia_refused(TWO, 5, "duration is missing");
  assert_inertia_refused(TWO "solver: {duration: 1 s, step: 1e-7}\n", 0, "more than 1e6 moments");
  assert_inertia_refused("limber: 1\nlinks: [{name: a, joint: {type: fixed}, body: {mass: 1}}]\n", 0,
                         "no joint turns or slides");
}

// Two bodies joined by a hinge in the centre of the first float: relative to each other their masses count as
// the reduced mass, and so do the inertias of the two turns.
static void free_base_recoils(void **state) {
  (void)state;
  const double M = 5, B = 0.7, m = 2, c = 0.6, J = 0.3;
  lim_model *model = parse(
      "limber: 1\nlinks:\n  - {name: sat, joint: {type: free}, body: {mass: 5, inertia: [0.7, 0.7, 0.7]}}\n"
      "  - {name: arm, body: {mass: 2, com: [0.6, 0, 0], inertia: [0, 0, 0.3]}}\n");
  lim_inertia *a = inertia_of(model, &MASS);
  const double reduced = M * m / (M + m), own = J + reduced * c * c;
  assert_int_equal(a->joints.count, 1);
  NEAR(joint_of(a, "arm")->joint[0], own * B / (own + B), 1e-12);
  lim_inertia_free(a);
  lim_model_free(model);
}

// --- one joint ---

static void one_joint_needs_no_memory_and_does_not_feel_forces(void **state) {
  (void)state;
  lim_model *m = parse(TWO "frames: [{name: f, on: fore, xyz: [1, 0, 0]}]\n");
  lim_arm *s;
  lim_error err = {0};
  assert_int_equal(lim_arm_new(&s, m, false, &err), LIM_OK);
  lim_rec_work *w = lim_rec_work_new(s);
  double *scratch = calloc(lim_inertia_scratch(s), sizeof *scratch), q[2] = {0.3, 0.7}, arm, rotor;
  lim_world_motion pose[2];
  lim_kinematics(pose, s, q, NULL, NULL);
  lim_wrench force = {.site = s->site[0].site, .force = {1e3, 2e3, 0}};
  lim_rec_apply(w, &force, 1);
  forbidden = true;
  assert_int_equal(lim_inertia_at(&arm, &rotor, s, 0, q, w, scratch), LIM_OK);
  NEAR(arm, of_arm(0.7), 1e-12);
  assert_int_equal(lim_inertia_nodal(&arm, &rotor, s, 0, q, pose, scratch), LIM_OK);
  NEAR(arm, of_arm(0.7), 1e-14);
  assert_true(rotor == 0);
  forbidden = false;
  free(scratch);
  lim_rec_work_free(w);
  lim_arm_free(s);
  lim_model_free(m);
}

static void fixed_joint_has_none(void **state) {
  (void)state;
  lim_model *m = parse("limber: 1\nlinks: [{name: a, joint: {type: fixed}, body: {mass: 1}}]\n");
  lim_arm *s;
  lim_error err = {0};
  assert_int_equal(lim_arm_new(&s, m, false, &err), LIM_OK);
  double arm, rotor;
  assert_int_equal(lim_inertia_at(&arm, &rotor, s, 0, NULL, NULL, NULL), LIM_BAD_INPUT);
  assert_int_equal(lim_inertia_nodal(&arm, &rotor, s, 0, NULL, NULL, NULL), LIM_BAD_INPUT);
  lim_arm_free(s);
  lim_model_free(m);
}

// --- along a motion, in equilibrium ---

// A soft arm whose motor has feed-forward and a limit that its command at speed would exceed: at rest it does
// not.
#define SAGGING                                                                                                \
  "limber: 1\ngravity: [0, 0, -9.81]\n" MATERIAL SECTION "links:\n"                                            \
  "  - {name: upper, joint: {axis: [0, -1, 0]}, beam: {length: 2, section: s, material: m, elements: 4}}\n"    \
  "  - {name: fore, joint: {axis: [0, -1, 0]}, beam: {length: 2, section: s, material: m, elements: 4}}\n"     \
  "drives: {upper: {type: motor, motor: {rotor_inertia: 1e-4, ratio: 100, torque_limit: %s}, control: {type: " \
  "pd, kp: 50, kv: 0.5, feedforward: {torque: 1, velocity: 1}}}}\n"                                            \
  "motion: {upper: {profile: cycloidal, from: 0, to: 90 deg, duration: 1}, fore: {profile: cycloidal, from: "  \
  "0, to: 90 deg, duration: 1}}\nsolver: {duration: 1, step: 0.1, start: equilibrium}\n"

static void equilibria_along_a_motion_are_those_of_its_moments(void **state) {
  (void)state;
  char text[2000];
  snprintf(text, sizeof text, SAGGING, "0.5");
  lim_model *m = parse(text);
  lim_inertia *all = inertia_of(m, &MASS);
  assert_int_equal(all->n, 11);
  for (int i = 0; i < all->n; i += 5) {
    lim_inertia_plan plan = MASS;
    plan.at = all->time[i];
    lim_inertia *one = inertia_of(m, &plan);
    for (int k = 0; k < 2; k++) NEAR(all->joints.item[k].arm[i], one->joints.item[k].arm[0], 1e-10);
    lim_inertia_free(one);
  }
  lim_inertia_free(all);
  lim_model_free(m);
}

// 1.6 kg at 2 m: 31.4 N m, 0.314 N m at the motor.
static void motor_that_cannot_hold_the_arm_is_named(void **state) {
  (void)state;
  char text[2000];
  snprintf(text, sizeof text, SAGGING, "0.1");
  lim_model *m = parse(text);
  lim_inertia *x = NULL;
  lim_error err = {0};
  assert_int_equal(lim_inertia_new(&x, m, NULL, &MASS, &err), LIM_FAILED);
  assert_non_null(strstr(err.note[0].text, "joint 'upper' gives 0.1 N m at most and would need 0.31"));
  lim_error_clear(&err);
  lim_model_free(m);
}

static void out_of_memory_is_reported_and_nothing_leaks(void **state) {
  (void)state;
  lim_model *m = parse(TWO "solver: {duration: 1 s, step: 10 ms}\n");
  lim_code code = LIM_NO_MEMORY;
  for (long n = 1; code != LIM_OK; n++) {
    lim_inertia *x = NULL;
    lim_error err = {0};
    fail_call(n);
    code = lim_inertia_new(&x, m, NULL, &MASS, &err);
    failing = 0;
    if (code != LIM_OK) assert_int_equal(code, LIM_NO_MEMORY);
    assert_true((x != NULL) == (code == LIM_OK));
    lim_inertia_free(x);
    lim_error_clear(&err);
    assert_int_equal(live, 0);
  }
  lim_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(routes_agree_to_rounding),
      cmocka_unit_test(slide_moves_masses_and_radius_sets_its_ratio),
      cmocka_unit_test(joint_without_motor_has_no_motor_side),
      cmocka_unit_test(elastic_gear_has_the_inertia_of_a_rigid_one),
      cmocka_unit_test(motion_gives_one_value_per_record),
      cmocka_unit_test(motion_without_duration_gives_its_start),
      cmocka_unit_test(what_is_missing_is_said),
      cmocka_unit_test(free_base_recoils),
      cmocka_unit_test(one_joint_needs_no_memory_and_does_not_feel_forces),
      cmocka_unit_test(fixed_joint_has_none),
      cmocka_unit_test(out_of_memory_is_reported_and_nothing_leaks),
      cmocka_unit_test(equilibria_along_a_motion_are_those_of_its_moments),
      cmocka_unit_test(motor_that_cannot_hold_the_arm_is_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

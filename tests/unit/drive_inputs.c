// drive_inputs.c - tests of the drives that a model asks for.
#include "fixture.h"

#include "drive/drive.h"
#include "drive/inputs.h"
#include "path/assembly.h"

#include <unistd.h>

#define ARM                                                                                                    \
  "limber: 1\nlinks:\n"                                                                                        \
  "  - {name: arm, joint: {name: a}, body: {mass: 1, inertia: [1, 1, 1]}}\n"                                   \
  "  - {name: sledge, joint: {name: s, type: prismatic}, body: {mass: 1, inertia: [1, 1, 1]}}\n"
#define MOVE "motion: {a: {profile: cycloidal, to: 1, duration: 1}}\n"

typedef struct {
  lim_model *m;
  lim_arm *s;
  lim_inputs *inputs;
} arm;

static lim_code try_arm(arm *x, const char *text, const char *directory, lim_error *err) {
  *x = (arm){.m = parse(text)};
  assert_int_equal(lim_arm_new(&x->s, x->m, false, err), LIM_OK);
  return lim_inputs_new(&x->inputs, x->s, directory, err);
}

static void drop(arm *x) {
  lim_inputs_free(x->inputs);
  lim_arm_free(x->s);
  lim_model_free(x->m);
}

static arm arm_of(const char *text) {
  arm x;
  lim_error err = {0};
  lim_code code = try_arm(&x, text, NULL, &err);
  print_notes(&err);
  lim_error_clear(&err);
  assert_int_equal(code, LIM_OK);
  return x;
}

static void refused(const char *text, const char *directory, int line, const char *message) {
  arm x;
  lim_error err = {0};
  assert_int_not_equal(try_arm(&x, text, directory, &err), LIM_OK);
  assert_null(x.inputs);
  assert_string_equal(err.note[0].text, message);
  assert_int_equal(err.note[0].line, line);
  lim_error_clear(&err);
  drop(&x);
}

static void near(double x, double expected) {
  if (!(fabs(x - expected) <= 1e-14 * fabs(expected))) fail_msg("%.17g, expected %.17g", x, expected);
}

static void motor_values_become_those_of_the_drive(void **state) {
  (void)state;
  arm x = arm_of(ARM "drives: {a: {type: motor, motor: {rotor_inertia: 1e-5, ratio: 50, torque_limit: 2, "
                     "no_load_speed: 300, resistance: 2 ohm,"
                     " inductance: 1 mH, torque_constant: 0.05, voltage_limit: 24 V},"
                     " gear: {stiffness: 1e4, damping: 3, backlash: 1e-3, efficiency: 0.8},"
                     " control: {kp: 4, kv: 0.1, measure: motor}}}\n");
  const lim_joint_drive *d = &x.inputs->drive[0];
  assert_int_equal(d->type, LIM_DRIVE_MOTOR);
  assert_true(d->elastic && d->law.kind && d->law.measure_motor && d->electrical && !d->motor_given);
  near(d->ratio, 50);
  near(d->torque_limit, 2);
  near(d->no_load_speed, 300);
  near(d->inductance, 1e-3);
  near(d->back_emf, 0.05);
  near(d->voltage_limit, 24);
  near(d->gear_stiffness, 1e4);
  near(d->backlash, 1e-3);
  near(d->law.kp, 4);
  near(d->friction[1].share, (1 / 0.8 - 0.8) / 2);
  near(d->friction[0].share, 0);
  assert_non_null(d->motion); // the configuration is the reference
  near(x.inputs->drive[1].efficiency, 1);
  drop(&x);
}

static void motor_of_a_slide_turns_by_ratio_over_radius(void **state) {
  (void)state;
  arm x = arm_of(ARM "drives: {s: {type: motor, motor: {ratio: 60, radius: 20 mm}}}\n");
  near(x.inputs->drive[1].ratio, 3000);
  drop(&x);
}

// What drives the joint, by motion, control and torque.
static void motor_follows_exactly_unless_it_has_a_torque_or_control(void **state) {
  (void)state;
  static const struct {
    const char *rest;
    int type;
    bool given, motion, effort, rigid;
  } row[] = {
      {"}}\n" MOVE, LIM_DRIVE_PRESCRIBED, false, true, false, false},
      {", gear: {stiffness: 1e4}}}\n" MOVE, LIM_DRIVE_MOTOR, true, true, false, false},
      {", gear: {stiffness: 1e4}, torque: 3}}\n" MOVE, LIM_DRIVE_MOTOR, false, true, true, false},
      {", torque: rigid}}\n" MOVE, LIM_DRIVE_MOTOR, false, true, false, true},
      {", control: {bandwidth: 6 rad/s}}}\n" MOVE, LIM_DRIVE_MOTOR, false, true, false, false},
      {", control: {bandwidth: 6 rad/s}, torque: 2}}\n", LIM_DRIVE_MOTOR, false, true, true, false},
      {", torque: 2 N m}}\n", LIM_DRIVE_MOTOR, false, false, true, false},
      {"}}\n", LIM_DRIVE_MOTOR, false, false, false, false},
  };
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    char text[1024];
    snprintf(text, sizeof text, ARM "drives: {a: {type: motor, motor: {rotor_inertia: 1e-5, ratio: 10}%s",
             row[i].rest);
    arm x = arm_of(text);
    const lim_joint_drive *d = &x.inputs->drive[0];
    assert_int_equal(d->type, row[i].type);
    assert_int_equal(d->motor_given, row[i].given);
    assert_int_equal(d->motion != NULL, row[i].motion);
    assert_int_equal(d->effort != NULL, row[i].effort);
    assert_int_equal(d->rigid, row[i].rigid);
    near(d->ratio, 10);
    drop(&x);
  }
}

static void motor_with_negative_ratio_has_a_stable_controller(void **state) {
  (void)state;
  arm x = arm_of(ARM "drives: {a: {type: motor, motor: {ratio: -10}, control: {kp: 4, kv: 0.1}}}\n");
  lim_drive_answer a;
  lim_drive_motion m = {.q = 0.1, .v = 0.2};
  const int slip[2] = {0, 0};
  m.command = lim_drive_command(&x.inputs->drive[0], 0, LIM_AFTER, &m);
  lim_drive_evaluate(&a, &x.inputs->drive[0], 0, LIM_AFTER, &m, slip, &(lim_drive_states){{0}}, 0);
  near(a.joint, -10 * 4 * 0.1 - 100 * 0.1 * 0.2);
  drop(&x);
}

static void friction_on_the_motor_is_that_of_the_rotor(void **state) {
  (void)state;
  arm x = arm_of(ARM "drives: {a: {type: motor, motor: {rotor_inertia: 1e-5, ratio: 10}, gear: {stiffness: 1e4,"
                     " friction: {viscous: 1e-3, coulomb: 0.2, stiction: 0.3, stribeck_speed: 5, on: motor}},"
                     " friction: {law: lugre, coulomb: 4, bristle_stiffness: 1e5, bristle_damping: 10}}}\n");
  const lim_friction_law *f = x.inputs->drive[0].friction;
  near(f[1].viscous, 0.1);
  near(f[1].coulomb, 2);
  near(f[1].stiction, 3);
  near(f[1].stribeck, 0.5);
  assert_false(f[1].bristles);
  assert_true(f[0].bristles);
  near(f[0].coulomb, 4);
  near(f[0].stiction, 4);
  near(f[0].bristle_stiffness, 1e5);
  near(f[0].bristle_damping, 10);
  drop(&x);
}

static void friction_of_a_rigid_gear_adds_on_the_joint(void **state) {
  (void)state;
  arm x = arm_of(ARM "drives: {a: {type: motor, motor: {ratio: -10}, torque: 1,"
                     " gear: {friction: {viscous: 1e-2, coulomb: 0.2, on: motor}},"
                     " friction: {viscous: 3, coulomb: 4, stiction: 6}},"
                     " s: {type: free, friction: {coulomb: 2 N, viscous: 1 N s/m}}}\n");
  const lim_friction_law *f = x.inputs->drive[0].friction;
  near(f[0].viscous, 4);
  near(f[0].coulomb, 6);
  near(f[0].stiction, 8);
  near(f[1].coulomb, 0);
  near(x.inputs->drive[1].friction[0].coulomb, 2);
  drop(&x);
}

static void torque_breaks_are_gathered(void **state) {
  (void)state;
  arm x = arm_of(
      ARM "drives: {a: {type: motor, motor: {}, torque: {profile: bang-bang, amplitude: 1, duration: 0.6}}}\n");
  near(lim_inputs_next_break(x.inputs, 0), 0.3);
  near(lim_inputs_next_break(x.inputs, 0.3), 0.6);
  drop(&x);
}

static void gear_table_is_read_and_checked(void **state) {
  (void)state;
  char folder[] = "/tmp/limber-gear-XXXXXX", path[64];
  static const char *const table[] = {"-1, -5\n1, 5\n", "-1, -5\n0, 1\n1, 5\n", "0, 0\n1, 5\n2, 4\n"};
  static const char text[] = ARM "drives: {a: {type: motor, motor: {rotor_inertia: 1e-5}, gear: {backlash: "
                                 "0.1, torque: {table: g.csv}}}}\n";
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/g.csv", folder);
  for (int i = 0; i < 3; i++) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(table[i], file);
    fclose(file);
    if (i == 0) {
      arm x;
      assert_int_equal(try_arm(&x, text, folder, NULL), LIM_OK);
      near(lim_curve_at(x.inputs->drive[0].gear_curve, 0.4).value, 2);
      assert_true(x.inputs->drive[0].elastic);
      drop(&x);
    }
    if (i == 1)
      refused(text, folder, 5,
              "gear: the torque in table 'g.csv' is 1 without deflection, must be 0 for a gear with backlash");
    if (i == 2) refused(text, folder, 5, "gear: the torque in table 'g.csv' falls from 5 to 4, must not");
  }
  unlink(path);
  rmdir(folder);
}

static void what_cannot_be_followed_is_refused(void **state) {
  (void)state;
  refused(ARM "drives: {a: {type: motor, motor: {}, torque: rigid}}\n", NULL, 5,
          "drive 'a': torque 'rigid' needs a motion of the joint");
  refused(ARM "drives: {a: {type: motor, motor: {rotor_inertia: 1e-5}, gear: {stiffness: 1}}}\n"
              "motion: {a: {profile: speed, value: 1, start: 1}}\n",
          NULL, 6, "motion 'a': the speed jumps at 1 s, which a joint that follows exactly cannot do");
}

// Without an outline the strain of bending is not known, and the axial part alone is not the strain.
static void strain_without_an_outline_is_refused(void **state) {
  (void)state;
  refused("limber: 1\nmaterials: {m: {E: 70 GPa, rho: 2700}}\n"
          "sections: {s: {shape: general, A: 1e-4, Iy: 1e-9, Iz: 1e-9, J: 1e-9, kappa: [1, 1]}}\n"
          "links: [{name: arm, beam: {length: 1, section: s, material: m},\n"
          "  gauges: [{name: g, at: 0.1, face: +y}]}]\n"
          "blocks: [{name: b, type: gain, input: arm.g.strain, gain: 2}]\n",
          NULL, 6, "signal 'arm.g.strain': the outline of the section is not known");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(motor_values_become_those_of_the_drive),
      cmocka_unit_test(motor_of_a_slide_turns_by_ratio_over_radius),
      cmocka_unit_test(motor_follows_exactly_unless_it_has_a_torque_or_control),
      cmocka_unit_test(motor_with_negative_ratio_has_a_stable_controller),
      cmocka_unit_test(friction_on_the_motor_is_that_of_the_rotor),
      cmocka_unit_test(friction_of_a_rigid_gear_adds_on_the_joint),
      cmocka_unit_test(torque_breaks_are_gathered),
      cmocka_unit_test(gear_table_is_read_and_checked),
      cmocka_unit_test(what_cannot_be_followed_is_refused),
      cmocka_unit_test(strain_without_an_outline_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

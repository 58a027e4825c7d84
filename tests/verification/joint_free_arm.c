// joint_free_arm.c - a flexible arm on a free base: what moves in it leaves momentum and energy of the whole
// constant; it moves as the same arm on six single joints, in all modes.
#include "joint_fixture.h"

#define PARTS                                                                                                  \
  "materials: {m: {E: 70 GPa, nu: 0.33, rho: 2700}}\n"                                                         \
  "sections: {bar: {shape: rectangle, y: 8 mm, z: 12 mm}}\n"
#define BASE "    body: {mass: 2, com: [0.02, 0.01, -0.01], inertia: [0.02, 0.03, 0.04], tip: [0.1, 0, 0.05]}\n"

// Two flexible links with modes, the first behind an elastic gear, whose rotor turns; the second is driven.
#define LINKS                                                                                                  \
  "  - name: upper\n    joint: {axis: [0, 1, 0]}\n"                                                            \
  "    beam: {length: 0.5, section: bar, material: m, elements: 4}\n    basis: {type: modes, count: 3}\n"      \
  "  - name: fore\n    joint: {axis: [0, 0.6, 0.8]}\n"                                                         \
  "    beam: {length: 0.4, section: bar, material: m, elements: 4}\n    basis: {type: modes, count: 3}\n"      \
  "    masses: [{at: tip, mass: 0.2, inertia: [1e-4, 2e-4, 3e-4]}]\n"                                          \
  "drives:\n"                                                                                                  \
  "  upper: {type: motor, motor: {mass: 0.3, rotor_inertia: 2e-5, ratio: 20}, gear: {stiffness: 60}}\n"        \
  "  fore: {type: effort, effort: {profile: harmonic, amplitude: 0.3 N m, frequency: 2 Hz}}\n"
#define RUN(more)                                                                                              \
  "solver: {duration: 0.5 s, step: 0.1 ms, method: cvode, tolerance: 1e-10}\n"                                 \
  "outputs: {every: 10 ms, channels: [momentum, energy, tip.position, tip.rotation, tip.velocity, "            \
  "upper.position, upper.motor_position, fore.position, upper.deflection, fore.deflection" more "]}\n"

static const char arm[] =
    "limber: 1\ngravity: [0, 0, 0]\n" PARTS
    "links:\n  - name: hull\n    joint: {name: float, type: free}\n" BASE LINKS "configuration:\n"
    "  float: {position: [0.3, -0.2, 0.5], rpy: [0.4, -0.3, 0.8], velocity: [0.5, -0.4, "
    "0.3], angular_velocity: [0.8, -5, 1.5]}\n"
    "  upper: {position: -0.4, velocity: 1}\n" RUN("");

// The same: three slides along the world's axes, then three turns about the axes of the base.
static const char six[] =
    "limber: 1\ngravity: [0, 0, 0]\n" PARTS "links:\n"
    "  - {name: x, joint: {type: prismatic, axis: [1, 0, 0]}, body: {mass: 0}}\n"
    "  - {name: y, joint: {type: prismatic, axis: [0, 1, 0]}, body: {mass: 0}}\n"
    "  - {name: z, joint: {type: prismatic, axis: [0, 0, 1]}, body: {mass: 0}}\n"
    "  - {name: roll, joint: {axis: [1, 0, 0], origin: {rpy: [0.4, -0.3, 0.8]}}, body: {mass: 0}}\n"
    "  - {name: pitch, joint: {axis: [0, 1, 0]}, body: {mass: 0}}\n"
    "  - name: hull\n    joint: {axis: [0, 0, 1]}\n" BASE LINKS "configuration:\n"
    "  x: {position: 0.3, velocity: 0.5}\n  y: {position: -0.2, velocity: -0.4}\n"
    "  z: {position: 0.5, velocity: 0.3}\n  roll: {position: 0, velocity: 0.8}\n"
    "  pitch: {position: 0, velocity: -5}\n  hull: {position: 0, velocity: 1.5}\n"
    "  upper: {position: -0.4, velocity: 1}\n" RUN(", pitch.position");

// --- momentum and energy ---

// Largest change of linear and angular momentum, over what they are: less than the sum of all m |v|.
static void drift_of(double out[2], const recorded *r) {
  static const char *const names[2] = {"momentum.linear", "momentum.angular"};
  for (int k = 0; k < 2; k++) {
    const double *P[3];
    recorded_vector(P, r, names[k]);
    double size = 0;
    out[k] = 0;
    for (int j = 0; j < 3; j++) {
      size += P[j][0] * P[j][0];
      for (int i = 0; i < r->count; i++) out[k] = fmax(out[k], fabs(P[j][i] - P[j][0]));
    }
    out[k] /= sqrt(size);
  }
}

static void momentum_of_a_free_arm_is_constant(void **state) {
  (void)state;
  static const char *const methods[] = {"solver.method=cvode", "solver.method=ida", "solver.method=rk4"};
  table_head("Flexible arm on a free base, joints at work, 0.5 s: drift of momentum over its value");
  for (int i = 0; i < 3; i++) {
    char what[60];
    double drift[2];
    recorded r = record_run(arm, (const char *[]){methods[i], NULL});
    drift_of(drift, &r);
    snprintf(what, sizeof what, "%s: linear", methods[i] + strlen("solver.method="));
    table_bound(what, drift[0], 1e-9, "no force from outside");
    snprintf(what, sizeof what, "%s: angular", methods[i] + strlen("solver.method="));
    table_bound(what, drift[1], 1e-9, "no moment from outside");
    snprintf(what, sizeof what, "%s: rms energy balance [%%]", methods[i] + strlen("solver.method="));
    table_bound(what, lim_answer_number(r.answer, "energy_balance_percent_rms"), 1e-6, "closed books");
    recorded_free(&r);
  }
}

static void drift_of_momentum_has_the_order_of_the_method(void **state) {
  (void)state;
  static const char *const methods[] = {"solver.method=newmark", "solver.method=generalized-alpha"};
  table_head("The same: drift at 0.2 ms over that at 0.1 ms");
  for (int i = 0; i < 2; i++) {
    double drift[2][2];
    for (int k = 0; k < 2; k++) {
      recorded r = record_run(arm, (const char *[]){methods[i], "solver.tolerance=1e-12",
                                                    k ? "solver.step=0.1 ms" : "solver.step=0.2 ms", NULL});
      drift_of(drift[k], &r);
      recorded_free(&r);
    }
    for (int k = 0; k < 2; k++) {
      char what[60];
      snprintf(what, sizeof what, "%s: %s", methods[i] + strlen("solver.method="), k ? "angular" : "linear");
      table_row(what, drift[0][k] / drift[1][k], 4, 0.1, "second order");
    }
  }
}

// --- six single joints ---

static double largest_difference(const recorded *a, const recorded *b, const char *name) {
  const double *x = recorded_channel(a, name), *y = recorded_channel(b, name);
  double worst = 0, size = 0;
  assert_int_equal(a->count, b->count);
  for (int i = 0; i < a->count; i++) {
    worst = fmax(worst, fabs(x[i] - y[i]));
    size = fmax(size, fabs(x[i]));
  }
  return worst / size;
}

static void free_arm_moves_as_on_six_single_joints(void **state) {
  (void)state;
  static const char *const names[] = {"tip.position.x",       "tip.position.y",     "tip.position.z",
                                      "tip.rotation.x",       "tip.velocity.y",     "upper.position",
                                      "upper.motor_position", "fore.position",      "upper.deflection.z",
                                      "fore.deflection.y",    "momentum.angular.x", "energy.kinetic"};
  recorded a = record_run(arm, NULL), b = record_run(six, NULL);
  table_head("A free joint and six single ones, cvode: largest difference over the largest value");
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    table_bound(names[i], largest_difference(&a, &b, names[i]), 1e-7, "the same arm");
  // the free joint has to write its turns anew on the way, the other must stay off a quarter turn
  const double *pitch = recorded_channel(&b, "pitch.position");
  double far = 0;
  for (int i = 0; i < b.count; i++) far = fmax(far, fabs(pitch[i]));
  printf("pitch of the six joints, at most: %.3g rad\n", far);
  assert_true(far > 0.9 && far < 1.4);
  recorded_free(&a);
  recorded_free(&b);
}

// Newmark's rule errs in other coordinates by other numbers, of the square of the step.
static void other_modes_move_as_on_six_single_joints(void **state) {
  (void)state;
  static const char *const modes[] = {"solver.mode=rigid", "solver.mode=linear", "solver.mode=quasi-static"};
  table_head("The same with newmark, steps of 0.1 ms");
  for (int i = 0; i < 3; i++) {
    static const char *const names[] = {"tip.position.x", "tip.rotation.y", "tip.velocity.z", "fore.position"};
    const char *set[] = {modes[i], "solver.method=newmark", "solver.tolerance=1e-12", NULL};
    recorded a = record_run(arm, set), b = record_run(six, set);
    char what[80];
    double drift[2];
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
      snprintf(what, sizeof what, "%s: %s", modes[i] + strlen("solver.mode="), names[k]);
      table_bound(what, largest_difference(&a, &b, names[k]), 1e-6, "the same arm");
    }
    drift_of(drift, &a);
    snprintf(what, sizeof what, "%s: drift of momentum", modes[i] + strlen("solver.mode="));
    if (i < 2) table_bound(what, fmax(drift[0], drift[1]), 1e-6, "nothing acts from outside");
    snprintf(what, sizeof what, "%s: rms energy balance [%%]", modes[i] + strlen("solver.mode="));
    if (i < 2)
      table_bound(what, lim_answer_number(a.answer, "energy_balance_percent_rms"), 1e-3, "closed books");
    recorded_free(&a);
    recorded_free(&b);
  }
}

// Modes that are frozen in other coordinates are others, the less so the more often they are.
static void frozen_modes_follow_turns_that_are_written_anew(void **state) {
  (void)state;
  const char *set[] = {"solver.method=modal-newmark", "solver.intervals=200", "outputs.every=1 ms", NULL};
  recorded a = record_run(arm, set), b = record_run(six, set);
  table_head("The same with modal-newmark, 200 intervals");
  table_bound("tip.position.x", largest_difference(&a, &b, "tip.position.x"), 1.5e-5, "the same arm");
  table_bound("tip.position.z", largest_difference(&a, &b, "tip.position.z"), 1.5e-5, "the same arm");
  recorded_free(&a);
  recorded_free(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(momentum_of_a_free_arm_is_constant),
      cmocka_unit_test(drift_of_momentum_has_the_order_of_the_method),
      cmocka_unit_test(free_arm_moves_as_on_six_single_joints),
      cmocka_unit_test(other_modes_move_as_on_six_single_joints),
      cmocka_unit_test(frozen_modes_follow_turns_that_are_written_anew),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

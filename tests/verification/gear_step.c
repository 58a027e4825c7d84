// gear_step.c - a motor drives a rigid link through an elastic gear: the step response of two masses in closed
// form, the order of the methods, a gear too stiff to resolve, and the modes of simulation that are expansions.
#include "analysis/vibration/modes.h"

#include "motor_fixture.h"

// Link J about its joint, rotor reflected B = ratio^2 inertia, gear k, d; torque step T0 on the output side.
static const double J = 0.165, B = 0.1, K = 2000, D = 1, T0 = 5;

#define JOINT(gear, drive)                                                                                     \
  RIGID_ARM                                                                                                    \
  "drives: {arm: {type: motor, motor: {rotor_inertia: 1e-5, ratio: 100}, gear: {" gear "}, " drive "}}\n"      \
  "solver: {duration: 0.5 s, step: 0.05 ms, tolerance: 1e-12}\n"                                               \
  "outputs: {every: 10 ms}\n"

static const char step[] = JOINT("stiffness: 2000, damping: 1", "torque: 0.05");

// Both masses: the centre moves as under T0, and their distance x = p - q swings:
//   m x" + D x' + K x = m T0/B, m = J B/(J + B), x(0) = x'(0) = 0.
static void two_masses(double out[2], double t) {
  double m = J * B / (J + B), w0 = sqrt(K / m), z = D / (2 * sqrt(K * m)), w = w0 * sqrt(1 - z * z);
  double x = m * T0 / B / K * (1 - exp(-z * w0 * t) * (cos(w * t) + z * w0 / w * sin(w * t)));
  double centre = T0 * t * t / 2 / (J + B);
  out[0] = centre - B / (J + B) * x;
  out[1] = centre + J / (J + B) * x;
}

typedef struct {
  double worst, gear; // of both angles [rad], of the gear's torque [N m]
} errors;

static void watch(void *user, const lim_snapshot *m) {
  errors *x = user;
  double expected[2], q = m->q[joint_of(m, 0)], p = m->q[rotor_of(m, 0)];
  two_masses(expected, m->t);
  x->worst = fmax(x->worst, fmax(fabs(q - expected[0]), fabs(p - expected[1])));
  double torque = K * (p - q) + D * (m->v[rotor_of(m, 0)] - m->v[joint_of(m, 0)]);
  x->gear = fmax(x->gear, fabs(m->effort[joint_of(m, 0)] - torque));
}

static errors errors_of(lim_run *run, const char *text, const char *const *set) {
  errors x = {0, 0};
  *run = run_text(text, set, watch, &x);
  return x;
}

static void explicit_methods_give_the_two_mass_solution(void **state) {
  (void)state;
  lim_run run;
  table_head("Step of motor torque on an elastic joint: joint and motor angle, largest error in 0.5 s [rad]");
  for (int i = 0; i < EXPLICIT; i++) {
    errors x = errors_of(&run, step, (const char *[]){METHODS[i], NULL});
    table_bound(method_name(METHODS[i]), x.worst, 1e-8, "two masses, closed form");
    table_bound("  effort against gear torque [N m]", x.gear, 1e-9, "K (p - q) + D (p' - q')");
    table_bound("  energy balance [% rms]", run.balance_percent_rms, 1e-6, "the gear's damping in the books");
  }
}

static void implicit_methods_converge_with_the_square_of_the_step(void **state) {
  (void)state;
  static const char *const STEPS[] = {"solver.step=0.5 ms", "solver.step=0.25 ms", "solver.step=0.125 ms"};
  lim_run run;
  table_head("The same: error of one step over that of its half");
  for (int i = EXPLICIT; i < NMETHODS; i++) {
    double worst[3];
    for (int k = 0; k < 3; k++)
      worst[k] = errors_of(&run, step, (const char *[]){METHODS[i], STEPS[k], NULL}).worst;
    for (int k = 0; k < 2; k++) {
      char what[96];
      snprintf(what, sizeof what, "%s, from %s (%.1e rad)", method_name(METHODS[i]), STEPS[k] + 12, worst[k]);
      table_row(what, worst[k] / worst[k + 1], 4, 0.05, "second order");
    }
  }
}

typedef struct {
  double q, p, stretch;
} last;

static void watch_last(void *user, const lim_snapshot *m) {
  last *x = user;
  x->q = m->q[joint_of(m, 0)];
  x->p = m->q[rotor_of(m, 0)];
  x->stretch = fmax(x->stretch, fabs(x->p - x->q));
}

// 1e9 N m/rad: 20 kHz, far above a step of 1 ms.
static void stiff_gear_needs_no_small_steps(void **state) {
  (void)state;
  static const char stiff[] = JOINT("stiffness: 1e9, damping: 100", "torque: 0.05");
  const double rigid = T0 * 0.5 * 0.5 / 2 / (J + B);
  table_head("Gear of 1e9 N m/rad, steps of 1 ms: angle after 0.5 s [rad]");
  for (int i = EXPLICIT; i < NMETHODS; i++) {
    last x = {0, 0, 0};
    lim_run run =
        run_text(stiff, (const char *[]){METHODS[i], "solver.step=1 ms", "solver.tolerance=1e-10", NULL},
                 watch_last, &x);
    printf("%s: %ld steps, %ld iterations\n", method_name(METHODS[i]), run.steps, run.iterations);
    table_row(method_name(METHODS[i]), x.q, rigid, 1e-6, "a rigid gear");
    assert_int_equal(run.steps, 500);
    assert_true(run.iterations <= 4 * run.steps);
    table_bound("  stretch of the gear [rad]", x.stretch, 2 * J * T0 / (J + B) / 1e9 * 1.01,
                "twice static at most");
  }
}

// --- a controller through the gear ---

// kp on the motor's torque from the output, kv on its speed: the linear system of two masses, by its own rk4.
static void controlled(double y[4], double t, double kp, double kv, double target) {
  const double n = 100;
  int steps = 20000;
  double h = t / steps, k[4][4], z[4];
  for (int i = 0; i < 4; i++) y[i] = 0; // q, p, q', p'
  for (int s = 0; s < steps; s++) {
    double sum[4] = {0};
    for (int j = 0; j < 4; j++) {
      for (int i = 0; i < 4; i++) z[i] = y[i] + (j == 0 ? 0 : j == 3 ? h : h / 2) * (j ? k[j - 1][i] : 0);
      double gear = K * (z[1] - z[0]) + D * (z[3] - z[2]);
      k[j][0] = z[2];
      k[j][1] = z[3];
      k[j][2] = gear / J;
      k[j][3] = (n * (kp * (target - z[0]) - kv * n * z[3]) - gear) / B;
      for (int i = 0; i < 4; i++) sum[i] += (j == 0 || j == 3 ? 1 : 2) * k[j][i];
    }
    for (int i = 0; i < 4; i++) y[i] += h / 6 * sum[i];
  }
}

static void controller_acts_through_the_gear(void **state) {
  (void)state;
  static const char text[] =
      JOINT("stiffness: 2000, damping: 1",
            "control: {type: pd, kp: 0.4, kv: 5e-4}") "motion: {arm: {profile: constant, value: "
                                                      "0.2}}\nconfiguration: {arm: 0}\n";
  double y[4];
  controlled(y, 0.5, 0.4, 5e-4, 0.2);
  table_head("PD control of the output through the gear: angles after 0.5 s [rad]");
  for (int i = 0; i < NMETHODS; i++) {
    last x = {0, 0, 0};
    run_text(text, (const char *[]){METHODS[i], "solver.step=0.05 ms", NULL}, watch_last, &x);
    double tolerance = i < EXPLICIT ? 1e-8 : 1e-4;
    char what[64];
    snprintf(what, sizeof what, "%s, joint", method_name(METHODS[i]));
    table_row(what, x.q, y[0], tolerance, "own rk4 of two masses");
    snprintf(what, sizeof what, "%s, motor", method_name(METHODS[i]));
    table_row(what, x.p, y[1], tolerance, "own rk4 of two masses");
  }
}

// --- modes, and the expansions ---

static double frequency(const char *text, const char *const *set, lim_joints joints, int rigid,
                        double *damping) {
  lim_model *m = model_of(text, set);
  lim_modes *x = NULL;
  lim_error err = {0};
  lim_code code = lim_modes_new(&x, m, NULL, joints, 1, &err);
  print_notes(&err);
  assert_int_equal(code, LIM_OK);
  assert_int_equal(x->rigid, rigid);
  double hertz = x->modes.item[0].frequency;
  *damping = x->modes.item[0].damping;
  lim_modes_free(x);
  lim_model_free(m);
  return hertz;
}

static void modes_know_the_gear(void **state) {
  (void)state;
  double m = J * B / (J + B), damping;
  table_head("Natural frequencies of the elastic joint [Hz]");
  table_row("free", frequency(step, NULL, LIM_JOINTS_FREE, 1, &damping), sqrt(K / m) / TURN, 1e-9,
            "two masses");
  table_row("  damping ratio", damping, D / (2 * sqrt(K * m)), 1e-9, "two masses");
  table_row("locked", frequency(step, NULL, LIM_JOINTS_LOCKED, 0, &damping), sqrt(K / J) / TURN, 1e-9,
            "link on the gear, rotor locked");
  table_row("  damping ratio", damping, D / (2 * sqrt(K * J)), 1e-9, "link on the gear");
}

typedef struct {
  double q[51], p[51], tip[51];
  int count;
} small_path;

static void watch_small(void *user, const lim_snapshot *m) {
  small_path *x = user;
  assert_true(x->count < 51);
  x->q[x->count] = m->q[joint_of(m, 0)];
  x->p[x->count] = m->q[rotor_of(m, 0)];
  x->tip[x->count++] = lim_snapshot_site(m, &m->system->site[0].site).p[1];
}

// A flexible link on a controlled motor with an elastic gear, moved by 2 mrad: terms of second order are below
// 1e-5 of it.
static void linear_mode_is_nonlinear_mode_for_small_motion(void **state) {
  (void)state;
  static const char text[] =
      "limber: 1\n"
      "gravity: [0, 0, 0]\n"
      "planar: xy\n"
      "materials: {aluminium: {E: 71 GPa, nu: 0.33, rho: 2700}}\n"
      "sections: {strip: {shape: rectangle, y: 5 mm, z: 40 mm}}\n"
      "links:\n"
      "  - {name: arm, joint: {axis: [0, 0, 1]}, beam: {length: 0.5 m, section: strip, material: aluminium}, "
      "basis: {type: modes, count: 2}, masses: [{at: tip, mass: 0.2}]}\n"
      "drives: {arm: {type: motor, motor: {rotor_inertia: 1e-5, ratio: 100}, gear: {stiffness: 300, damping: "
      "1}, "
      "control: {type: pd, kp: 0.4, kv: 2e-3}}}\n"
      "motion: {arm: {profile: quintic, from: 0, to: 2e-3, duration: 0.2 s}}\n"
      "solver: {duration: 0.5 s, step: 0.2 ms, tolerance: 1e-12}\n"
      "outputs: {every: 10 ms}\n";
  small_path full = {.count = 0}, linear = {.count = 0}, slow = {.count = 0};
  run_text(text, NULL, watch_small, &full);
  run_text(text, (const char *[]){"solver.mode=linear", NULL}, watch_small, &linear);
  run_text(text, (const char *[]){"solver.mode=quasi-static", NULL}, watch_small, &slow);
  double worst[3] = {0, 0, 0}, size = 0;
  for (int i = 0; i < 51; i++) {
    worst[0] = fmax(worst[0], fabs(full.q[i] - linear.q[i]));
    worst[1] = fmax(worst[1], fabs(full.p[i] - linear.p[i]));
    worst[2] = fmax(worst[2], fabs(full.tip[i] - linear.tip[i]));
    size = fmax(size, fabs(full.tip[i]));
  }
  table_head("Elastic gear, controller, flexible link: mode linear against nonlinear, 2 mrad");
  table_bound("joint [rad]", worst[0], 2e-3 * 1e-5, "second order");
  table_bound("motor [rad]", worst[1], 2e-3 * 1e-5, "second order");
  table_bound("tip [m]", worst[2], size * 1e-5, "second order");
  table_row("quasi-static, tip at the end [m]", slow.tip[50], 0.5 * sin(2e-3), 1e-9, "at rest at the command");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(explicit_methods_give_the_two_mass_solution),
      cmocka_unit_test(implicit_methods_converge_with_the_square_of_the_step),
      cmocka_unit_test(stiff_gear_needs_no_small_steps),
      cmocka_unit_test(controller_acts_through_the_gear),
      cmocka_unit_test(modes_know_the_gear),
      cmocka_unit_test(linear_mode_is_nonlinear_mode_for_small_motion),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

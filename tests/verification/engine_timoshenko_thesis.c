// engine_timoshenko_thesis.c - the numbers of the Timoshenko thesis (thesis on flexible arms): rotating link,
// flexible 2R arm, rigid 2R arm, servo compliance; frequencies and sag are in arm_timoshenko_thesis.c. Where
// the thesis prints no data, those are assumed that reproduce what it prints.
#include "engine_fixture.h"

// Chapter IV: links of 1 m; both joints 60 degrees on a cycloid.
static const char flexible[] =
    ROD "links:\n"
        "  - name: upper\n"
        "    joint: {name: shoulder, axis: [0, 0, 1]}\n"
        "    beam: {length: 1 m, section: rod, material: aluminium, elements: 8, element: timoshenko-cubic}\n"
        "  - name: fore\n"
        "    joint: {name: elbow, axis: [0, 0, 1]}\n"
        "    beam: {length: 1 m, section: rod, material: aluminium, elements: 8, element: timoshenko-cubic}\n"
        "motion:\n"
        "  shoulder: {profile: cycloidal, from: 0, to: 60 deg, duration: 2.5 s}\n"
        "  elbow: {profile: cycloidal, from: 0, to: 60 deg, duration: 2.5 s}\n"
        "solver: {duration: 4 s, step: 1 ms}\n";

// 1.0 and 1.5 m of steel tube 100/94 mm, gravity, damping in proportion to K, 5 % at the first mode. The arm is
// held for 2 s, in which it comes to rest under its weight, then moves.
#define HOLD 2.0
static const char stiff[] =
    "limber: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "planar: xy\n"
    "materials: {steel: {E: 207 GPa, nu: 0.3, rho: 7850}}\n"
    "sections: {tube: {shape: tube, outer: 100 mm, inner: 94 mm, kappa: 0.54}}\n"
    "links:\n"
    "  - name: upper\n"
    "    joint: {name: shoulder, axis: [0, 0, 1]}\n"
    "    beam: {length: 1 m, section: tube, material: steel, elements: 8, element: timoshenko-cubic}\n"
    "    damping: {stiffness: 1.0118e-3}\n" // 2 * 0.05 / (2 pi 15.73 Hz)
    "  - name: fore\n"
    "    joint: {name: elbow, axis: [0, 0, 1]}\n"
    "    beam: {length: 1.5 m, section: tube, material: steel, elements: 8, element: timoshenko-cubic}\n"
    "    damping: {stiffness: 1.0118e-3}\n"
    "motion:\n"
    "  shoulder: {profile: trapezoidal, from: -30 deg, to: 30 deg, start: 2 s, duration: 3 s}\n"
    "  elbow: {profile: trapezoidal, from: -60 deg, to: 0 deg, start: 2 s, duration: 3 s}\n"
    "solver: {duration: 6 s, step: 1 ms}\n";

// --- flexible 2R ---

static void flexible_arm_tip_errors_and_torques_match_the_seed(void **state) {
  (void)state;
  static const struct {
    const char *mode, *name;
    double dx, dy;
  } ROWS[] = {{"solver.mode=nonlinear", "nonlinear", 4.89, 5.90},
              {"solver.mode=linear", "linear", 4.893, 5.897},
              {"solver.mode=quasi-static", "quasi-static", 4.33, 5.51}};
  char what[64];
  table_head("Flexible 2R arm, 60 degrees in 2.5 s: largest tip errors [mm], torques [N m]");
  for (int i = 0; i < 3; i++) {
    observation o = {0};
    observe(&o, flexible, (const char *[]){ROWS[i].mode, NULL});
    snprintf(what, sizeof what, "%s |dx|", ROWS[i].name);
    table_row(what, 1e3 * o.error[0], ROWS[i].dx, 0.01, "the Timoshenko thesis, recomputed");
    snprintf(what, sizeof what, "%s |dy|", ROWS[i].name);
    table_row(what, 1e3 * o.error[1], ROWS[i].dy, 0.01, "the Timoshenko thesis, recomputed");
    if (i == 0)
      table_row("base torque, flexible", o.effort[0], 3.733, 0.01, "the Timoshenko thesis, recomputed");
  }
  observation o = {0};
  observe(&o, flexible, (const char *[]){"solver.mode=rigid", NULL});
  table_row("base torque, rigid", o.effort[0], 3.453, 0.01, "the Timoshenko thesis, recomputed");
}

// Deflections of the order of the links: several segments each.
static void fast_flexible_arm_nonlinear_peaks_match_the_seed(void **state) {
  (void)state;
  static const struct {
    const char *shoulder, *elbow, *name;
    double dx, dy;
  } ROWS[] = {{"motion.shoulder.duration=0.5", "motion.elbow.duration=0.5", "0.5 s", 256.9, 233.5},
              {"motion.shoulder.duration=0.35", "motion.elbow.duration=0.35", "0.35 s", 698.6, 442.6}};
  static const char *const segments[][2] = {{"links.upper.beam.segments=2", "links.fore.beam.segments=2"},
                                            {"links.upper.beam.segments=4", "links.fore.beam.segments=4"},
                                            {"links.upper.beam.segments=8", "links.fore.beam.segments=8"}};
  char what[64];
  table_head("Flexible 2R arm, fast: largest tip errors of the nonlinear model [mm]");
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 3; k++) {
      observation o = {0};
      observe(&o, flexible,
              (const char *[]){ROWS[i].shoulder, ROWS[i].elbow, segments[k][0], segments[k][1],
                               "solver.duration=1.5", NULL});
      snprintf(what, sizeof what, "%s, %d segments, |dx|", ROWS[i].name, 2 << k);
      table_row(what, 1e3 * o.error[0], ROWS[i].dx, 0.02, "the Timoshenko thesis, recomputed");
      snprintf(what, sizeof what, "%s, %d segments, |dy|", ROWS[i].name, 2 << k);
      table_row(what, 1e3 * o.error[1], ROWS[i].dy, 0.02, "the Timoshenko thesis, recomputed");
    }
}

// --- rotating link ---

// A step of angular acceleration, slow enough for the deflection to stay along one direction.
static void step_of_angular_acceleration_swings_to_twice_the_quasi_static_value(void **state) {
  (void)state;
  static const char link[] =
      ROD "links:\n"
          "  - name: link\n"
          "    beam: {length: 1 m, section: rod, material: aluminium, elements: 8, element: timoshenko-cubic}\n"
          "    basis: {type: modes, count: 1}\n"
          "motion: {link: {profile: bang-bang, amplitude: 0.01, duration: 10 s}}\n" // 0.01 rad/s^2 for 5 s
          "solver: {duration: 0.5 s, step: 0.05 ms}\n";
  observation still = {0}, one = {0}, full = {0};
  observe(&one, link, NULL);
  observe(&still, link, (const char *[]){"solver.mode=quasi-static", "solver.duration=0.01", NULL});
  table_head("Rotating link, step of angular acceleration: tip against the quasi-static deflection");
  table_row("one mode: largest", one.low[1] / still.error_end[1], 2, 1e-3, "closed form, 1 - cos");
  table_row("one mode: smallest", one.high[1] / still.error_end[1], 0, 1e-3, "closed form, 1 - cos");
  memset(&still, 0, sizeof still);
  observe(&full, link, (const char *[]){"links.link.basis={type: full}", NULL});
  observe(&still, link,
          (const char *[]){"links.link.basis={type: full}", "solver.mode=quasi-static", "solver.duration=0.01",
                           NULL});
  double closed = 11 * 2700 * 350e-6 * 0.01 / (120 * 70e9 * 1e-8); // 11 w0 L^4/(120 EI)
  table_row("full basis: quasi-static over 11 w0 L^4/(120 EI)", -still.error_end[1] / closed, 1, 1e-3,
            "closed form");
  table_row("full basis: largest", full.low[1] / still.error_end[1], 2, 0.02,
            "the Timoshenko thesis (2 % for higher modes)");
}

// --- rigid 2R ---

typedef struct {
  double error[2]; // largest after HOLD
} peaks;

static void watch_peaks(void *user, const lim_snapshot *m) {
  peaks *x = user;
  if (m->t < HOLD - 1e-9) return;
  lim_world_motion tip = lim_snapshot_site(m, &m->system->site[0].site);
  lim_world_motion rigid = lim_snapshot_reference(m, &m->rigid->site[0].site);
  for (int i = 0; i < 2; i++) x->error[i] = fmax(x->error[i], fabs(tip.p[i] - rigid.p[i]));
}

static peaks peaks_of(const char *mode, const char *ramp, const char *duration) {
  char ramps[2][64], durations[2][64];
  static const char *const joint[2] = {"shoulder", "elbow"};
  for (int i = 0; i < 2; i++) {
    snprintf(ramps[i], sizeof ramps[i], "motion.%s.ramp=%s", joint[i], ramp);
    snprintf(durations[i], sizeof durations[i], "motion.%s.duration=%s", joint[i], duration);
  }
  peaks x = {{0}};
  observation o = {.watch = watch_peaks, .user = &x};
  observe(&o, stiff, (const char *[]){mode, ramps[0], ramps[1], durations[0], durations[1], NULL});
  return x;
}

static void rigid_arm_quasi_static_peaks_tend_to_the_linear_ones(void **state) {
  (void)state;
  static const struct {
    const char *ramp, *duration; // ramp, cruise, ramp
    double ratio[2];             // quasi-static over linear
  } ROWS[] = {{"0.3 s", "1 s", {0.68, 0.58}}, {"0.6 s", "2 s", {0.96, 0.97}}, {"1 s", "3 s", {1.00, 1.00}}};
  static const char *const axis[2] = {"|dx|", "|dy|"};
  char what[64];
  table_head("Rigid 2R arm: largest tip errors; ratios are printed with two digits");
  for (int i = 0; i < 3; i++) {
    peaks nonlinear = peaks_of("solver.mode=nonlinear", ROWS[i].ramp, ROWS[i].duration);
    peaks linear = peaks_of("solver.mode=linear", ROWS[i].ramp, ROWS[i].duration);
    peaks still = peaks_of("solver.mode=quasi-static", ROWS[i].ramp, ROWS[i].duration);
    for (int k = 0; k < 2; k++) {
      snprintf(what, sizeof what, "ramps of %s, nonlinear over linear %s", ROWS[i].ramp, axis[k]);
      table_row(what, nonlinear.error[k] / linear.error[k], 1, 2e-3, "the Timoshenko thesis, recomputed");
      snprintf(what, sizeof what, "ramps of %s, quasi-static over linear %s", ROWS[i].ramp, axis[k]);
      table_row(what, still.error[k] / linear.error[k], ROWS[i].ratio[k], 0.01 / ROWS[i].ratio[k],
                "the Timoshenko thesis, recomputed");
    }
  }
}

// --- servo compliance, (2.26)-(2.29) ---

typedef struct {
  double omega, to, worst;
} servo_watch;

// Critically damped: to (1 - (1 + w t) exp(-w t)).
static void watch_servo(void *user, const lim_snapshot *m) {
  servo_watch *x = user;
  double wt = x->omega * m->t, exact = x->to * (1 - (1 + wt) * exp(-wt));
  x->worst = fmax(x->worst, fabs(m->q[m->system->bodies[0].q] - exact));
}

// A rigid link of inertia J0 about its joint, servo by the rule for f0: it swings in critically damped at pi
// f0.
static void servo_by_the_design_rule_is_critically_damped_at_half_the_frequency(void **state) {
  (void)state;
  static const char servo[] = "limber: 1\n"
                              "gravity: [0, 0, 0]\n"
                              "links:\n"
                              "  - {name: arm, joint: {axis: [0, 0, 1]}, body: {mass: 2, com: [0.5, 0, 0], "
                              "inertia: [0, 0.1, 0.1], tip: [1, 0, 0]}}\n"
                              "drives: {arm: {type: servo, frequency: 4 Hz, inertia: 0.6}}\n"
                              "motion: {arm: {profile: constant, value: 0.1}}\n"
                              "configuration: {arm: 0}\n"
                              "solver: {duration: 1 s, step: 1 ms, method: rk4}\n";
  servo_watch x = {.omega = M_PI * 4, .to = 0.1};
  observation o = {.watch = watch_servo, .user = &x};
  observe(&o, servo, NULL);
  double kp = 0.6 * pow(M_PI * 4, 2); // the first effort is k_p times the step
  table_head("Servo by the design rule k_p = J0 (pi f0)^2, k_v = 2 sqrt(J0 k_p)");
  table_row("first effort over the step = k_p [N m/rad]", o.effort[0] / 0.1, kp, 1e-9,
            "the Timoshenko thesis, (2.26)-(2.29)");
  table_bound("largest departure from critical damping [rad]", x.worst, 1e-8, "closed form");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(flexible_arm_tip_errors_and_torques_match_the_seed),
      cmocka_unit_test(fast_flexible_arm_nonlinear_peaks_match_the_seed),
      cmocka_unit_test(step_of_angular_acceleration_swings_to_twice_the_quasi_static_value),
      cmocka_unit_test(rigid_arm_quasi_static_peaks_tend_to_the_linear_ones),
      cmocka_unit_test(servo_by_the_design_rule_is_critically_damped_at_half_the_frequency),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

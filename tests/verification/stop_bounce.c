// stop_bounce.c - joints that run into their end stops: times and rebound speeds against the damped oscillator,
// a pendulum against an integration of its own, orders, books, and a force that never pulls.
#include "recorded_fixture.h"

#include <string.h>

static const char *const METHODS[] = {"solver.method=rk4", "solver.method=cvode", "solver.method=ida",
                                      "solver.method=newmark", "solver.method=generalized-alpha"};
enum { NMETHODS = 5, HIGH = 3 }; // the first are of high order

// --- a block against the damped oscillator ---

static const double M = 2, K = 1e4, V = 1, LIMIT = 0.5;
static const double SECOND_ORDER = 1e4 / 2 * 2e-4 * 2e-4; // (w h)^2 of the step below

#define BLOCK                                                                                                  \
  "limber: 1\n"                                                                                                \
  "gravity: [0, 0, 0]\n"                                                                                       \
  "links:\n"                                                                                                   \
  "  - name: block\n"                                                                                          \
  "    joint: {type: prismatic, axis: [1, 0, 0], limits: {position: [-0.5, 0.5], stop: {stiffness: 1e4}}}\n"   \
  "    body: {mass: 2}\n"                                                                                      \
  "configuration: {block: {position: 0, velocity: 1}}\n"                                                       \
  "solver: {duration: 0.9 s, step: 0.2 ms, tolerance: 1e-12}\n"                                                \
  "outputs: {every: 1 ms, channels: [block, energy]}\n"

// How long it presses, and how fast it leaves: d'' = 0 of d = V/w exp(-a t) sin(w t).
typedef struct {
  double duration, depth, speed;
} bounce;

static bounce oscillator(double damping) {
  const double a = damping / (2 * M), w = sqrt(K / M - a * a);
  bounce b = {.duration = (damping > 0 ? atan2(2 * a * w, a * a - w * w) : M_PI) / w};
  const double decay = V * exp(-a * b.duration), s = sin(w * b.duration), c = cos(w * b.duration);
  b.depth = decay / w * s;
  b.speed = -decay * (c - a / w * s);
  return b;
}

static void follow_block(const char *damping, double c, const char *method, double tolerance) {
  char stop[96], what[96];
  snprintf(stop, sizeof stop, "links.block.joint.limits.stop.damping=%s", damping);
  recorded r = record_run(BLOCK, (const char *[]){stop, method, NULL});
  const double *q = recorded_channel(&r, "block.position"), *v = recorded_channel(&r, "block.velocity"),
               *force = recorded_channel(&r, "block.stop"), *lost = recorded_channel(&r, "energy.dissipated"),
               *balance = recorded_channel(&r, "energy.balance");
  const bounce b = oscillator(c);
  const int end = r.count - 1;
  double pull = 0, worst = 0;
  for (int i = 0; i < r.count; i++) pull = fmax(pull, force[i]);
  for (int i = 0; i < r.count; i++) worst = fmax(worst, fabs(balance[i]));
  snprintf(what, sizeof what, "%s, damping %s: speed", strchr(method, '=') + 1, damping);
  table_row(what, -v[end], b.speed, tolerance, "oscillator");
  table_row("  place", q[end], LIMIT + b.depth - b.speed * (r.t[end] - LIMIT / V - b.duration), tolerance,
            "and straight on");
  if (c > 0) table_row("  energy lost", lost[end], M * (V * V - b.speed * b.speed) / 2, tolerance, "speeds");
  table_bound("  energy balance", worst, 2 * tolerance, "closed books");
  if (pull > 0) fail_msg("the upper stop pulls with %g N", pull);
  recorded_free(&r);
}

static void block_rebounds_as_the_oscillator_says(void **state) {
  (void)state;
  static const struct {
    const char *text;
    double value;
  } C[] = {{"0", 0}, {"20", 20}, {"200", 200}};
  table_head("Block of 2 kg at 1 m/s into a stop of 10 N/mm [m/s, m, J]");
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < NMETHODS; i++)
      follow_block(C[k].text, C[k].value, METHODS[i], i < HIGH ? 1e-7 : 2 * SECOND_ORDER);
}

// Its last step, with half the steps: errors fall as the order says.
static double error_of(const char *method, const char *step) {
  recorded r =
      record_run(BLOCK, (const char *[]){"links.block.joint.limits.stop.damping=20", method, step, NULL});
  const double *v = recorded_channel(&r, "block.velocity");
  const double error = fabs(-v[r.count - 1] - oscillator(20).speed);
  recorded_free(&r);
  return error;
}

static void impacts_keep_the_order_of_the_method(void **state) {
  (void)state;
  table_head("Order of the error of the rebound speed");
  for (int i = 0; i < NMETHODS; i++) {
    const double order = i == 0 ? 4 : 2;
    if (i == 1 || i == 2) continue; // they choose their steps
    const double coarse = error_of(METHODS[i], "solver.step=1 ms"),
                 fine = error_of(METHODS[i], "solver.step=0.5 ms"), found = log2(coarse / fine);
    table_row(strchr(METHODS[i], '=') + 1, found, order, 0.2, "order");
  }
}

// --- a pendulum ---

#define PENDULUM                                                                                               \
  "limber: 1\n"                                                                                                \
  "gravity: [0, -9.81, 0]\n"                                                                                   \
  "links:\n"                                                                                                   \
  "  - name: arm\n"                                                                                            \
  "    joint: {name: hinge, axis: [0, 0, 1], limits: {position: [-0.8, 2], stop: {stiffness: 2000, damping: "  \
  "5}}}\n"                                                                                                     \
  "    body: {mass: 2, com: [0.3, 0, 0], inertia: [0.01, 0.05, 0.05]}\n"                                       \
  "solver: {duration: 3 s, step: 1 ms, tolerance: 1e-12, method: cvode}\n"                                     \
  "outputs: {every: 10 ms, channels: [hinge, energy]}\n"

// Whether the stop presses.
static bool presses(const double x[2]) { return x[0] < -0.8 && 2000 * (-0.8 - x[0]) - 5 * x[1] > 0; }

static double acceleration(const double x[2], bool pressed) {
  const double J = 0.05 + 2 * 0.09, push = pressed ? 2000 * (-0.8 - x[0]) - 5 * x[1] : 0;
  return (-2 * 9.81 * 0.3 * cos(x[0]) + push) / J;
}

static void runge_kutta(double x[2], double h) {
  double k[4][2], at[2];
  static const double part[4] = {0, 0.5, 0.5, 1};
  const bool pressed = presses(x);
  for (int s = 0; s < 4; s++) {
    for (int i = 0; i < 2; i++) at[i] = x[i] + (s ? part[s] * h * k[s - 1][i] : 0);
    k[s][0] = at[1];
    k[s][1] = acceleration(at, pressed);
  }
  for (int i = 0; i < 2; i++) x[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
}

// A step; where the stop begins or ceases to press on the way, two of half its length.
static void go(double x[2], double h) {
  double end[2] = {x[0], x[1]};
  runge_kutta(end, h);
  if (presses(end) == presses(x) || h < 1e-13) {
    memcpy(x, end, sizeof end);
  } else {
    go(x, h / 2);
    go(x, h / 2);
  }
}

static void pendulum_bounces_as_an_integration_of_its_own(void **state) {
  (void)state;
  enum { PER_RECORD = 200 };
  recorded r = record_run(PENDULUM, NULL);
  const double *q = recorded_channel(&r, "hinge.position"), *v = recorded_channel(&r, "hinge.velocity"),
               *force = recorded_channel(&r, "hinge.stop");
  double x[2] = {0, 0}, worst = 0, fastest = 0;
  for (int i = 0; i < r.count; i++) {
    worst = fmax(worst, fabs(q[i] - x[0]));
    fastest = fmax(fastest, fabs(v[i] - x[1]));
    if (force[i] < 0) fail_msg("the lower stop pulls with %g N m", -force[i]);
    for (int k = 0; k < PER_RECORD && i + 1 < r.count; k++) go(x, 0.01 / PER_RECORD);
  }
  table_head("Pendulum that falls on its lower stop, 3 s");
  table_bound("angle [rad]", worst, 1e-7, "integration of its own");
  table_bound("speed [rad/s]", fastest, 1e-6, "integration of its own");
  recorded_free(&r);
}

// --- at rest ---

static void pendulum_rests_on_its_stop(void **state) {
  (void)state;
  lim_model *m =
      parse_with(PENDULUM, (const char *[]){"solver.release=[hinge]", "solver.start=equilibrium"}, 2);
  lim_study *study = NULL;
  lim_answer *rest = NULL, *modes = NULL;
  lim_error err = {0};
  assert_int_equal(lim_study_new(&study, m, &err), LIM_OK);
  assert_int_equal(lim_study_static(&rest, study, NULL, &err), LIM_OK);
  assert_int_equal(lim_study_modes(&modes, study, NULL, &err), LIM_OK);
  double angle = -0.8; // 2000 (-0.8 - angle) = m g l cos(angle)
  for (int i = 0; i < 100; i++) angle = -0.8 - 2 * 9.81 * 0.3 * cos(angle) / 2000;
  const double J = 0.05 + 2 * 0.09, k = 2000 - 2 * 9.81 * 0.3 * sin(angle), w = sqrt(k / J),
               ratio = 5 / (2 * sqrt(k * J));
  table_head("Pendulum at rest on its lower stop");
  table_row("angle [rad]", lim_answer_number(rest, "joints.hinge.position"), angle, 1e-12, "balance");
  table_row("moment of the stop [N m]", lim_answer_number(rest, "joints.hinge.stop"), 2000 * (-0.8 - angle),
            1e-9, "its spring");
  table_row("effort [N m]", lim_answer_number(rest, "joints.hinge.effort"), 0, 1e-9, "the stop bears it");
  table_row("frequency [Hz]", *lim_answer_array(modes, "frequencies_hz", NULL), w / (2 * M_PI), 1e-9,
            "its spring and the weight");
  table_row("damping ratio", *lim_answer_array(modes, "damping_ratios", NULL), ratio, 1e-9, "its damper");
  lim_answer_free(rest);
  lim_answer_free(modes);
  lim_study_free(study);
  lim_model_free(m);
  lim_error_clear(&err);
}

// A joint that is led into its stop needs what that gives back.
static void prescribed_joint_needs_the_force_of_its_stop(void **state) {
  (void)state;
  recorded r =
      record_run(BLOCK "motion: {block: {profile: harmonic, amplitude: 0.51, frequency: 1 Hz}}\n",
                 (const char *[]){"links.block.joint.limits.stop.damping=20",
                                  "configuration.block={position: 0}", "solver.tolerance=1e-10", NULL});
  const double *q = recorded_channel(&r, "block.position"), *v = recorded_channel(&r, "block.velocity"),
               *a = recorded_channel(&r, "block.acceleration"), *effort = recorded_channel(&r, "block.effort"),
               *force = recorded_channel(&r, "block.stop");
  double worst = 0, largest = 0;
  for (int i = 0; i < r.count; i++) {
    const double up = K * (q[i] - 0.5) + 20 * v[i], down = K * (-0.5 - q[i]) - 20 * v[i];
    const double expected = (q[i] < -0.5 ? fmax(0, down) : 0) - (q[i] > 0.5 ? fmax(0, up) : 0);
    worst = fmax(worst, fabs(force[i] - expected) + fabs(M * a[i] - effort[i] - force[i]));
    largest = fmax(largest, fabs(expected));
  }
  table_head("Block that is led 10 mm into its stops [N]");
  table_bound("force and effort, of 100 N", worst, 1e-6, "the law");
  assert_true(largest > 80);
  recorded_free(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(block_rebounds_as_the_oscillator_says),
      cmocka_unit_test(impacts_keep_the_order_of_the_method),
      cmocka_unit_test(pendulum_bounces_as_an_integration_of_its_own),
      cmocka_unit_test(pendulum_rests_on_its_stop),
      cmocka_unit_test(prescribed_joint_needs_the_force_of_its_stop),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

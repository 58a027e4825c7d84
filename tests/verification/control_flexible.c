// control_flexible.c - controllers and blocks on arms that bend: strains that are fed back, mode linear,
// elastic gears in blocks, and what is refused.
#include "analysis/simulation/simulate.h"
#include "analysis/vibration/modes.h"

#include "control_fixture.h"

#define FLEXIBLE                                                                                               \
  "limber: 1\n"                                                                                                \
  "gravity: [0, 0, 0]\n"                                                                                       \
  "planar: xy\n"                                                                                               \
  "materials: {aluminium: {E: 71 GPa, nu: 0.33, rho: 2700}}\n"                                                 \
  "sections: {strip: {shape: rectangle, y: 5 mm, z: 40 mm}}\n"                                                 \
  "links:\n"                                                                                                   \
  "  - {name: arm, joint: {axis: [0, 0, 1]}, beam: {length: 0.5 m, section: strip, material: aluminium}, "     \
  "gauges: [{name: root, at: 0.1, face: +y}, {name: below, at: 0.1, face: -y}], masses: [{at: tip, mass: "     \
  "0.2}]}\n"

// --- strains ---

static void watch_strain(void *user, const lim_snapshot *m) {
  double *x = user;
  x[0] = block_output(m, "upper");
  x[1] = block_output(m, "lower");
}

static void strain_signal_is_that_of_the_gauge(void **state) {
  (void)state;
  static const char text[] =
      FLEXIBLE "drives: {arm: {type: prescribed}}\n"
               "loads: [{at: tip, force: [30, 2, 0]}]\n"
               "blocks: [{name: upper, type: gain, input: arm.root.strain}, {name: lower, type: gain, input: "
               "arm.below.strain}]\n"
               "solver: {duration: 10 ms, step: 1 ms, start: equilibrium}\n";
  const double I = 0.04 * 0.005 * 0.005 * 0.005 / 12, E = 71e9, bend = 2 * 0.45 * 0.0025 / (E * I),
               pull = 30 / (E * 0.04 * 0.005);
  double x[2] = {0};
  table_head("Strain of a cantilever under forces at its tip, as a signal");
  run_text(text, (const char *[]){"loads=[{at: tip, force: [0, 2e-3, 0]}]", NULL}, watch_strain, x);
  table_row("across, half the difference of the faces", (x[1] - x[0]) / 2, 1e-3 * bend, 1e-8,
            "F (L - x) y/(2 E I)");
  run_text(text, (const char *[]){"loads=[{at: tip, force: [30, 0, 0]}]", NULL}, watch_strain, x);
  table_row("along, face +y", x[0], pull, 1e-8, "N/(E A)");
  table_row("along, face -y", x[1], pull, 1e-8, "the same");
}

// Strain fed back to the torque damps the first mode: modes and simulation agree with each other.
static const char damped[] = FLEXIBLE
    "drives: {arm: {type: motor, motor: {rotor_inertia: 1e-4, ratio: 100}, control: {type: block, block: "
    "torque}}}\n"
    "configuration: {arm: 0}\n"
    "motion: {arm: {profile: constant, value: 0.01}}\n"
    "blocks:\n"
    "  - {name: error, type: sum, input: [arm.reference, arm.position], weights: [1, -1]}\n"
    "  - {name: strain, type: lead-lag, input: arm.root.strain, gain: 150, lead: 0.02, lag: 0.002}\n"
    "  - {name: torque, type: sum, input: [error, strain, arm.motor_velocity], weights: [2, -0.1, -4e-3]}\n"
    "solver: {duration: 4 s, step: 0.2 ms, tolerance: 1e-12}\n"
    "outputs: {every: 1 ms}\n";

enum { MOMENTS = 4001 };
typedef struct {
  double t[MOMENTS], tip[MOMENTS];
  int count;
} record;

static void watch_tip(void *user, const lim_snapshot *m) {
  record *x = user;
  assert_true(x->count < MOMENTS);
  x->t[x->count] = m->t;
  x->tip[x->count++] = lim_snapshot_site(m, &m->system->site[0].site).p[1];
}

// Frequency and damping from the zero crossings of the tip about its end, and from the extremes between them.
static void ringing(const record *x, double from, double *frequency, double *damping) {
  const double PI = TURN / 2, rest = 0.5 * sin(0.01);
  double first = NAN, end = NAN, size[200] = {0}, max = 0;
  int half = 0;
  for (int i = 1; i < x->count && half < 200; i++) {
    const double a = x->tip[i - 1] - rest, b = x->tip[i] - rest;
    if (x->t[i] < from) continue;
    max = fmax(max, fabs(b));
    if (a * b > 0) continue;
    end = x->t[i - 1] + 1e-3 * a / (a - b);
    if (isnan(first))
      first = end;
    else
      size[half++] = max;
    max = 0;
  }
  assert_true(half > 4);
  const double decrement = log(size[0] / size[half - 1]) / (half - 1), w = PI * half / (end - first);
  *frequency = w * hypot(1, decrement / PI) / TURN;
  *damping = decrement / hypot(decrement, PI);
}

static void modes_and_simulation_agree_on_blocks(void **state) {
  (void)state;
  static record x;
  x.count = 0;
  double frequency, damping;
  static const char *const one_shape[] = {"links.arm.basis={type: modes, count: 1}", NULL};
  run_text(damped, one_shape, watch_tip, &x);
  ringing(&x, 2, &frequency, &damping); // the slow real pole has died out
  lim_model *m = model_of(damped, one_shape);
  lim_modes *r = NULL;
  lim_error err = {0};
  assert_int_equal(lim_modes_new(&r, m, NULL, LIM_JOINTS_DEFAULT, 8, &err), LIM_OK);
  int best = 0;
  for (int i = 0; i < r->modes.count; i++) {
    printf("mode %d: %g Hz, damping %g\n", i + 1, r->modes.item[i].frequency, r->modes.item[i].damping);
    if (fabs(r->modes.item[i].frequency - frequency) < fabs(r->modes.item[best].frequency - frequency))
      best = i;
  }
  table_head("Strain fed back through a lead-lag block: what the tip does after a step of the command");
  table_row("frequency [Hz]", frequency, r->modes.item[best].frequency, 1e-3, "modes");
  table_row("damping ratio", damping, r->modes.item[best].damping, 0.01, "modes");
  table_row("unstable modes", r->unstable, 0, 0.5, "it rings down");
  x.count = 0;
  double alone[2];
  run_text(damped, (const char *[]){one_shape[0], "blocks.torque.weights=[2, 0, -4e-3]", NULL}, watch_tip, &x);
  ringing(&x, 2, &alone[0], &alone[1]);
  printf("%-52s %16.9g\n", "damping ratio without the strain", alone[1]);
  assert_true(alone[1] < 0.9 * damping);
  lim_modes_free(r);
  lim_model_free(m);
}

// --- mode linear ---

static void linear_mode_has_integrals(void **state) {
  (void)state;
  static const char text[] =
      FLEXIBLE "drives: {arm: {type: motor, motor: {rotor_inertia: 1e-5, ratio: 100}, gear: {stiffness: 300, "
               "damping: 1}, "
               "control: {type: pid, kp: 0.4, kv: 2e-3, ki: 1.5, feedforward: {velocity: 1}}}}\n"
               "loads: [{at: tip, force: [0, 0.02, 0], from: 0.1}]\n"
               "motion: {arm: {profile: quintic, from: 0, to: 2e-3, duration: 0.2 s}}\n"
               "solver: {duration: 0.5 s, step: 0.2 ms, tolerance: 1e-12}\n"
               "outputs: {every: 1 ms}\n";
  static record full, linear;
  full.count = linear.count = 0;
  run_text(text, NULL, watch_tip, &full);
  run_text(text, (const char *[]){"solver.mode=linear", NULL}, watch_tip, &linear);
  double worst = 0, size = 0;
  for (int i = 0; i < full.count; i++) {
    worst = fmax(worst, fabs(full.tip[i] - linear.tip[i]));
    size = fmax(size, fabs(full.tip[i]));
  }
  table_head("PID, elastic gear, flexible link: mode linear against nonlinear, 2 mrad");
  table_bound("tip [m]", worst, size * 1e-5, "second order");
  // a winding is a state, too
  const char *const winding[] = {"drives.arm.motor.resistance=2", "drives.arm.motor.torque_constant=0.05",
                                 "drives.arm.motor.inductance=5e-3", NULL};
  const char *const both[] = {winding[0], winding[1], winding[2], "solver.mode=linear", NULL};
  full.count = linear.count = 0;
  run_text(text, winding, watch_tip, &full);
  run_text(text, both, watch_tip, &linear);
  worst = 0;
  for (int i = 0; i < full.count; i++) worst = fmax(worst, fabs(full.tip[i] - linear.tip[i]));
  table_bound("tip with a winding [m]", worst, size * 1e-5, "second order");
}

// --- what is refused ---

static void refused(const char *text, const char *const *set, const char *expected) {
  lim_model *model = model_of(text, set);
  lim_run run;
  lim_error err = {0};
  assert_int_equal(lim_simulate(&run, model, NULL, &(lim_simulate_hooks){0}, &err), LIM_BAD_INPUT);
  assert_int_equal(err.kept, 1);
  if (!strstr(err.note[0].text, expected)) fail_msg("'%s' instead of '%s'", err.note[0].text, expected);
  printf("%s\n", err.note[0].text);
  lim_error_clear(&err);
  lim_model_free(model);
}

static void expansions_refuse_what_they_cannot_expand(void **state) {
  (void)state;
#define ON_MOTOR(control)                                                                                      \
  FLEXIBLE "drives: {arm: {type: motor, motor: {rotor_inertia: 1e-5, ratio: 100}, control: {" control "}}}\n"  \
           "solver: {duration: 0.1 s}\n"
  static const char *const linear[] = {"solver.mode=linear", NULL}, *const slow[] = {"solver.mode=quasi-static",
                                                                                     NULL};
  refused(ON_MOTOR("kp: 1, kv: 1, limit: 2"), linear, "a controller with a limit cannot be treated");
  refused(ON_MOTOR("kp: 1, kv: 1, rate: 1 kHz"), linear, "a controller with a clock cannot be treated");
  refused(ON_MOTOR("type: computed-torque, bandwidth: 1 rad/s"), linear, "a controller that knows the arm");
  refused(ON_MOTOR("type: pid, kp: 1, kv: 1, ki: 1"), slow, "an integral cannot be treated");
  refused(damped, linear, "a controller with blocks cannot be treated");
}

static void modes_refuse_sampled_blocks(void **state) {
  (void)state;
  static const char text[] =
      FLEXIBLE "drives: {arm: {type: motor, motor: {}, control: {type: block, block: a}}}\n"
               "blocks: [{name: a, type: sample-hold, input: arm.position, rate: 1 kHz}]\n";
  lim_model *m = model_of(text, NULL);
  lim_modes *r = NULL;
  lim_error err = {0};
  assert_int_equal(lim_modes_new(&r, m, NULL, LIM_JOINTS_DEFAULT, 5, &err), LIM_BAD_INPUT);
  assert_non_null(strstr(err.note[0].text, "block 'a' has a clock: modes cannot treat that"));
  lim_error_clear(&err);
  assert_int_equal(lim_modes_new(&r, m, NULL, LIM_JOINTS_LOCKED, 5, &err), LIM_OK);
  lim_modes_free(r);
  lim_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(strain_signal_is_that_of_the_gauge),
      cmocka_unit_test(modes_and_simulation_agree_on_blocks),
      cmocka_unit_test(linear_mode_has_integrals),
      cmocka_unit_test(expansions_refuse_what_they_cannot_expand),
      cmocka_unit_test(modes_refuse_sampled_blocks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

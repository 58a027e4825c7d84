// engine_step_control.c - `step: auto`: errors fall with the tolerance as those of a second-order method do, at
// the ends of steps and between them; jumps, friction and closed chains keep what they have with given steps.
// And what the iteration of implicit methods leaves by default is a small part of the error of the step.
#include "motor_fixture.h"

// --- closed forms ---

// A block of 2 kg on a spring of 200 N/m, let go at 0.1 m: ten swings.
static const char SPRING[] =
    "limber: 1\n"
    "gravity: [0, 0, 0]\n"
    "links: [{name: block, joint: {type: prismatic, axis: [1, 0, 0]}, body: {mass: 2}}]\n"
    "springs: [{name: s, between: [block.base, base], stiffness: 200, length: 0}]\n"
    "configuration: {block: 0.1}\n"
    "solver: {duration: 6.283185307179586 s, step: auto}\n"
    "outputs: {every: 7 ms}\n";

typedef struct {
  double position, velocity, acceleration; // largest errors, relative to the amplitude
} swing_errors;

static void watch_swing(void *user, const lim_snapshot *m) {
  swing_errors *x = user;
  const double amplitude = 0.1, omega = 10, q = amplitude * cos(omega * m->t),
               v = -omega * amplitude * sin(omega * m->t);
  x->position = fmax(x->position, fabs(m->q[0] - q) / amplitude);
  x->velocity = fmax(x->velocity, fabs(m->v[0] - v) / (amplitude * omega));
  x->acceleration = fmax(x->acceleration, fabs(m->a[0] + omega * omega * q) / (amplitude * omega * omega));
}

static void errors_fall_with_the_tolerance(void **state) {
  (void)state;
  static const char *const IMPLICIT[] = {"solver.method=generalized-alpha", "solver.method=newmark"};
  static const char *const TOLERANCE[] = {"solver.tolerance=1e-4", "solver.tolerance=1e-6"};
  const double hundredth = pow(100, 2.0 / 3); // errors go with h^2, those of a step with h^3
  table_head("Block on a spring, ten swings, records every 7 ms: tolerance 1e-4 over 1e-6");
  for (int i = 0; i < 2; i++) {
    swing_errors x[2] = {0};
    lim_run run[2];
    for (int k = 0; k < 2; k++)
      run[k] = run_text(SPRING, (const char *[]){IMPLICIT[i], TOLERANCE[k], NULL}, watch_swing, &x[k]);
    printf("%s: %ld and %ld steps, position %.2e and %.2e\n", method_name(IMPLICIT[i]), run[0].steps,
           run[1].steps, x[0].position, x[1].position);
    table_row("position", x[0].position / x[1].position, hundredth, 0.2, "100^(2/3)");
    table_row("velocity", x[0].velocity / x[1].velocity, hundredth, 0.2, "100^(2/3)");
    table_row("acceleration", x[0].acceleration / x[1].acceleration, hundredth, 0.2, "100^(2/3)");
    table_row("steps", (double)run[1].steps / (double)run[0].steps, pow(100, 1.0 / 3), 0.2, "100^(1/3)");
  }
}

// +3 N for 0.5 s, -3 N for 0.5 s on 2 kg.
static double bang(double t) {
  const double a = 1.5;
  return t < 0.5 ? a * t * t / 2 : a * 0.125 + a * 0.5 * (t - 0.5) - a * (t - 0.5) * (t - 0.5) / 2;
}

static void watch_bang(void *user, const lim_snapshot *m) {
  double *worst = user;
  *worst = fmax(*worst, fabs(m->q[0] - bang(m->t)));
}

static void steps_end_at_jumps(void **state) {
  (void)state;
  static const char TEXT[] =
      "limber: 1\ngravity: [0, 0, 0]\n"
      "links: [{name: block, joint: {type: prismatic, axis: [1, 0, 0]}, body: {mass: 2}}]\n"
      "drives: {block: {type: effort, effort: {profile: bang-bang, amplitude: 3, duration: 1 s}}}\n"
      "solver: {duration: 1 s, step: auto, tolerance: 0.1}\noutputs: {every: 13 ms}\n";
  double worst = 0;
  const lim_run run = run_text(TEXT, NULL, watch_bang, &worst);
  table_head("Bang-bang force on a block: position between long steps [m]");
  table_bound("whatever the tolerance", worst, 1e-13, "parabolas");
  table_bound("steps", (double)run.steps, 40, "two pieces that grow from short ones");
}

// Half a sine of 2.5 ms, a bump of a spline, a hundred swings: each after seconds of rest, on 1 kg.
static void watch_speed(void *user, const lim_snapshot *m) {
  double *speed = user;
  *speed = m->v[0];
}

static void pulses_after_a_rest_are_felt(void **state) {
  (void)state;
  static const struct {
    const char *name, *factor;
    double momentum;
  } ROWS[] = {
      {"half a sine", "{profile: harmonic, amplitude: 5, frequency: 200, start: 5, duration: 0.0025}",
       5 / (200 * 3.14159265358979)},
      {"spline", "{profile: via, points: [[5, 0], [5.01, 100], [5.02, 0]]}", 1},
      {"swings and a half", "{profile: harmonic, amplitude: 5, frequency: 100, start: 5, duration: 1.005}",
       5 / (100 * 3.14159265358979)},
  };
  table_head("Speed that a pulse gives to a mass that rested [m/s]");
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    char text[1024];
    double speed = 0;
    snprintf(text, sizeof text,
             "limber: 1\ngravity: [0, 0, 0]\n"
             "links: [{name: m, joint: {name: x, type: prismatic, axis: [1, 0, 0]}, body: {mass: 1}}]\n"
             "loads: [{at: m.tip, force: [1, 0, 0], factor: %s}]\n"
             "solver: {duration: 10 s, step: auto}\noutputs: {every: 10 ms}\n",
             ROWS[i].factor);
    const lim_run run = run_text(text, NULL, watch_speed, &speed);
    printf("%ld steps\n", run.steps);
    table_row(ROWS[i].name, speed, ROWS[i].momentum, 1e-2, "momentum");
  }
}

// A block pushed by 5 sin(2 pi t) N breaks away at 4 N, slides against 3 N, and comes to rest.
static void watch_rest(void *user, const lim_snapshot *m) {
  double *last = user;
  last[0] = m->q[0];
  last[1] = m->energy_balance.friction_loss;
}

static void friction_is_located_within_steps(void **state) {
  (void)state;
  static const char TEXT[] = BLOCK("type: effort, effort: {profile: harmonic, amplitude: 5, frequency: 1 Hz}",
                                   "coulomb: 3, stiction: 4");
  static const char *const TOLERANCE[] = {"solver.tolerance=1e-7", "solver.tolerance=1e-9"};
  double reference[2], x[2], error[2];
  run_text(TEXT, (const char *[]){"solver.method=cvode", "solver.tolerance=1e-11", "solver.duration=2", NULL},
           watch_rest, reference);
  table_head("Block that sticks and slips under a swinging force: where it is after 2 s");
  for (int k = 0; k < 2; k++) {
    const lim_run run = run_text(
        TEXT, (const char *[]){"solver.step=auto", TOLERANCE[k], "solver.duration=2", NULL}, watch_rest, x);
    error[k] = fabs(x[0] / reference[0] - 1);
    printf("%s: %ld steps, position off by %.1e, loss by %.1e\n", TOLERANCE[k] + 7, run.steps, error[k],
           fabs(x[1] / reference[1] - 1));
  }
  table_row("1e-7 over 1e-9", error[0] / error[1], pow(100, 2.0 / 3), 0.2, "100^(2/3)");
  table_bound("1e-9", error[1], 5e-5, "cvode");
}

// --- arms ---

enum { RECORDS = 512 };

typedef struct {
  int count;
  double tip[RECORDS][3];
} path;

static void watch_path(void *user, const lim_snapshot *m) {
  path *p = user;
  const lim_world_motion x = lim_snapshot_site(m, &m->system->site[0].site);
  if (p->count < RECORDS) memcpy(p->tip[p->count], x.p, sizeof x.p);
  p->count++;
}

// Root mean square distance.
static double apart(const path *a, const path *b) {
  double sum = 0;
  assert_int_equal(a->count, b->count);
  for (int i = 0; i < a->count && i < RECORDS; i++)
    for (int k = 0; k < 3; k++) sum += pow(a->tip[i][k] - b->tip[i][k], 2);
  return sqrt(sum / a->count);
}

static path path_of(const char *file, const char *const *set, lim_run *run) {
  path p = {0};
  lim_model *m = load_with(file, set);
  *run = run_model(m, NULL, watch_path, &p);
  lim_model_free(m);
  return p;
}

static void closed_chain_stays_closed_between_steps(void **state) {
  (void)state;
  lim_run run;
  const char *file = "models/parallelogram.yaml";
  static const char *const duration = "solver.duration=1", *const every = "outputs.every=10 ms";
  const path reference = path_of(file, (const char *[]){"solver.step=0.25 ms", duration, every, NULL}, &run);
  table_head("Parallelogram arm, 1 s: gap of its loop, path of its tip [m]");
  path p = path_of(file, (const char *[]){"solver.step=auto", duration, every, NULL}, &run);
  printf("%ld steps\n", run.steps);
  table_bound("gap", run.gap, 1e-11, "loops hold at records");
  table_bound("path", apart(&p, &reference), 1e-5, "steps of 0.25 ms");
}

// A chain that starts out of balance wants ever shorter steps at tight tolerances: some are as short as they
// get, and the run says so.
static void closed_chain_out_of_balance_ends(void **state) {
  (void)state;
  static const char TEXT[] =
      "limber: 1\ngravity: [0, -9.81, 0]\nplanar: xy\n"
      "materials: {m: {E: 70e9, nu: 0.33, rho: 2700}}\n"
      "sections: {s: {shape: rectangle, y: 5 mm, z: 20 mm}}\n"
      "links:\n"
      "  - {name: crank, body: {mass: 0.2, com: [0.05, 0, 0], inertia: [1e-4, 2e-4, 2e-4], tip: [0.1, 0, 0]}}\n"
      "  - {name: coupler, beam: {length: 0.4, section: s, material: m, elements: 6}}\n"
      "  - {name: rocker, parent: base, joint: {origin: {xyz: [0.35, 0, 0]}}, "
      "body: {mass: 0.3, com: [0.12, 0, 0], inertia: [1e-4, 2e-3, 2e-3], tip: [0.25, 0, 0]}}\n"
      "loops: [{name: pin, between: [coupler.tip, rocker.tip]}]\n"
      "configuration: {crank: 60 deg, coupler: -20 deg, rocker: 90 deg}\n"
      "drives: {crank: {type: effort, effort: 0.1}}\n"
      "solver: {duration: 5 ms, step: auto, tolerance: 1e-7}\n";
  const lim_run run = run_text(TEXT, NULL, NULL, NULL);
  assert_int_equal(run.status, LIM_RUN_DONE);
  assert_true(run.missed > 0 && run.missed < run.steps);
  table_head("Four-bar let go out of balance, 5 ms");
  printf("%ld steps, %ld of them with a larger error\n", run.steps, run.missed);
  table_bound("energy balance [%]", run.balance_percent_rms, 1e-3, "closed books");
}

// What is left by default, against what a tolerance of 1e-12 gives: a small part of what half the step changes.
static void iteration_leaves_a_small_part_of_the_error_of_the_step(void **state) {
  (void)state;
  static const char *const FILES[] = {"strip-two-link", "flexible-2r", "servo-2r", "prototype",
                                      "strip-pendulum"};
  table_head("Path of the tip: left by the iteration, over the error of the step");
  for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++) {
    char file[512], half[64];
    lim_run run, tight_run;
    snprintf(file, sizeof file, "models/%s.yaml", FILES[i]);
    lim_model *m = load_with(file, NULL);
    snprintf(half, sizeof half, "solver.step=%.17g", m->solver.step / 2);
    lim_model_free(m);
    static const char *const duration = "solver.duration=1", *const every = "outputs.every=2 ms",
                             *const tolerance = "solver.tolerance=1e-12";
    const path p = path_of(file, (const char *[]){duration, every, NULL}, &run),
               tight = path_of(file, (const char *[]){duration, every, tolerance, NULL}, &tight_run),
               finer = path_of(file, (const char *[]){duration, every, half, tolerance, NULL}, &tight_run);
    printf("%s: %.2f iterations a step\n", FILES[i], (double)run.iterations / (double)run.steps);
    table_bound(FILES[i], apart(&p, &tight) / (4.0 / 3 * apart(&tight, &finer)), 0.02, "half the step");
  }
}

// Methods with steps of their own take the word, and their tolerance as ever.
static void own_steps_stay_what_they_are(void **state) {
  (void)state;
  lim_run run[2];
  for (int k = 0; k < 2; k++) {
    swing_errors x = {0};
    run[k] = run_text(SPRING,
                      (const char *[]){"solver.method=cvode", "solver.tolerance=1e-6",
                                       k ? "solver.step=auto" : "solver.step=1 ms", NULL},
                      watch_swing, &x);
  }
  assert_int_equal(run[0].steps, run[1].steps);
  assert_int_equal(run[0].iterations, run[1].iterations);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(errors_fall_with_the_tolerance),
      cmocka_unit_test(own_steps_stay_what_they_are),
      cmocka_unit_test(steps_end_at_jumps),
      cmocka_unit_test(pulses_after_a_rest_are_felt),
      cmocka_unit_test(friction_is_located_within_steps),
      cmocka_unit_test(closed_chain_stays_closed_between_steps),
      cmocka_unit_test(closed_chain_out_of_balance_ends),
      cmocka_unit_test(iteration_leaves_a_small_part_of_the_error_of_the_step),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

// Runs that have to end: growth without bound, steps that shrink to nothing, an interruption while a step is
// under way.
#include "analysis_fixture.h"

#include "analysis/simulation/simulate.h"
#include "kind_numbers.h"

#include <signal.h>
#include <string.h>
#include <sys/time.h>

#define ONE                                                                                                    \
  "limber: 1\ngravity: [0, 0, 0]\n"                                                                            \
  "links: [{name: arm, joint: {axis: [0, 0, 1]}, body: {mass: 2, com: [0.25, 0, 0], inertia: [0.001, 0.04, "   \
  "0.04]}}]\n"

// The sign of the damping is wrong.
static const char UNSTABLE[] = ONE "drives: {arm: {type: effort, effort: {block: push}}}\n"
                                   "blocks:\n"
                                   "  - {name: push, type: gain, input: arm.velocity, gain: 20}\n"
                                   "configuration: {arm: {position: 0, velocity: 1}}\n"
                                   "solver: {duration: 2 s, step: 1 ms, tolerance: 1e-6}\n";

// x' = 500 x, and nothing hears of it.
static const char OVERFLOW_BLOCK[] =
    ONE "drives: {arm: {type: effort, effort: 0}}\n"
        "blocks: [{name: runs, type: integrator, input: runs, gain: 500, initial: 1}]\n"
        "outputs: {every: 10 ms, channels: [runs, arm.position]}\n"
        "solver: {duration: 2 s, step: 1 ms, tolerance: 1e-4}\n";

static const char STIFF[] =
    "limber: 1\n"
    "materials: {m: {E: 1e30, rho: 7800}}\n"
    "sections: {s: {shape: rectangle, y: 0.01, z: 0.01}}\n"
    "links:\n"
    "  - {name: a, beam: {length: 1, section: s, material: m, elements: 3}, masses: [{at: tip, mass: 1}]}\n"
    "  - {name: b, joint: {axis: [0, 1, 0]}, beam: {length: 1, section: s, material: m, elements: 3}}\n"
    "solver: {duration: 0.01 s}\n";

#define LINK                                                                                                   \
  "limber: 1\ngravity: [0, 0, 0]\nplanar: xy\n"                                                                \
  "materials: {m: {E: 70e9, nu: 0.3, rho: 2700}}\n"                                                            \
  "sections: {s: {shape: rectangle, y: 0.01, z: 0.03}}\n"                                                      \
  "links: [{name: a, joint: {name: j}, beam: {length: 1, section: s, material: m, elements: 6}}]\n"            \
  "configuration: {j: {position: 0, velocity: 0.01}}\n"

// The torque answers to the tip: bending modes grow.
static const char TIP[] =
    LINK "drives: {j: {type: effort, effort: {block: u}}}\n"
         "blocks: [{name: u, type: sum, input: [tip.position.y, tip.velocity.y], weights: [-200, -20]}]\n"
         "solver: {duration: 5 s, step: 1 ms}\n";

// The same with a torque that answers to the joint: stable, but not with steps of rk4.
static const char STABLE[] =
    LINK "drives: {j: {type: effort, effort: {block: u}}}\n"
         "blocks: [{name: u, type: sum, input: [j.position, j.velocity], weights: [-200, -20]}]\n"
         "solver: {duration: 5 s, step: 1 ms}\n";

// A torque that comes late drives the joint, slowly enough to end as done.
#define LATE(kp, mode)                                                                                         \
  ONE "drives: {arm: {type: motor, motor: {rotor_inertia: 0.01, ratio: 3}, control: {type: pd, kp: " kp        \
      ", kv: 0.5, rate: 100 Hz, delay: 15 ms}}}\n"                                                             \
      "configuration: {arm: {position: 0.001, velocity: 0}}\nmotion: {arm: 0}\n"                               \
      "solver: {duration: 0.3 s, step: 1 ms, mode: " mode "}\n"

// Steps of nanoseconds over minutes.
static const char LONG[] =
    "limber: 1\n"
    "materials: {m: {E: 70e9, nu: 0.3, rho: 2700}}\n"
    "sections: {s: {shape: rectangle, y: 0.01, z: 0.01}}\n"
    "links: [{name: a, joint: {axis: [0, 1, 0]}, beam: {length: 1, section: s, material: m, elements: 12}}]\n"
    "solver: {duration: 600 s, step: 1 s, tolerance: 1e-12}\n";

static const char *const METHODS[] = {"generalized-alpha", "newmark", "rk4", "cvode", "ida"};
enum { NMETHODS = sizeof METHODS / sizeof *METHODS };

static int method_of(const char *name) {
  static const int of[] = {LIM_METHOD_generalized_alpha, LIM_METHOD_newmark, LIM_METHOD_rk4, LIM_METHOD_cvode,
                           LIM_METHOD_ida};
  for (int i = 0; i < NMETHODS; i++)
    if (!strcmp(METHODS[i], name)) return of[i];
  return -1;
}

static lim_run run(const char *text, const char *method, const lim_simulate_hooks *hooks, lim_code *code,
                   lim_error *err) {
  lim_model *m = parse(text);
  lim_run out;
  m->solver.method = method_of(method);
  *code = lim_simulate(&out, m, NULL, hooks, err);
  lim_model_free(m);
  return out;
}

// It fails, and the message holds all of these.
static void fails_with(const char *text, const char *method, const char *one, const char *other) {
  lim_error err = {0};
  lim_code code;
  const lim_run r = run(text, method, &(lim_simulate_hooks){0}, &code, &err);
  assert_int_equal(code, LIM_FAILED);
  assert_int_equal(r.status, LIM_RUN_FAILED);
  const char *said = err.note[0].text;
  if (!strstr(said, "at t = ") || !strstr(said, one) || !strstr(said, other)) fail_msg("%s: %s", method, said);
  lim_error_clear(&err);
}

static void unstable_loop_fails_with_its_time_and_joint(void **state) {
  (void)state;
  for (int i = 0; i < NMETHODS; i++) fails_with(UNSTABLE, METHODS[i], "'arm'", "grows without bound");
  // J v' = 20 v
  for (int i = 0; i < NMETHODS; i++)
    fails_with(UNSTABLE, METHODS[i], "the linearised loop is unstable: its motion (joint) grows",
               "by a factor e each 0.00825 s without swinging");
}

static void block_that_overflows_fails_by_its_name(void **state) {
  (void)state;
  for (int i = 0; i < NMETHODS; i++) fails_with(OVERFLOW_BLOCK, METHODS[i], "'runs'", "grows without bound");
}

// A bending mode that its controller drives is to blame, not the step; without its gain the step is.
static void lost_motions_are_explained(void **state) {
  (void)state;
  static const char *const methods[] = {"generalized-alpha", "newmark"};
  for (int i = 0; i < 2; i++)
    fails_with(TIP, methods[i], "the linearised loop is unstable: its mode at ",
               "Hz (bending y) grows by a factor e each ");
  for (int i = 0; i < 2; i++) // by ever shorter steps, within 10000 of them
    fails_with(TIP, i ? "ida" : "cvode", "the steps of the method are down to ",
               "the linearised loop is unstable: its mode at ");
  fails_with(STABLE, "rk4", "grows without bound; the linearised loop is stable;", "try a smaller step");
}

// How often it is said that the loop is unstable.
static int warnings_of(const char *text, bool quiet) {
  lim_error err = {0};
  lim_code code;
  int count = 0;
  run(text, "generalized-alpha", &(lim_simulate_hooks){.quiet = quiet}, &code, &err);
  assert_int_equal(code, LIM_OK);
  for (int i = 0; i < err.warnings; i++)
    if (strstr(err.warning[i].text,
               "the linearised loop, with its samples and delays, is unstable: its mode at"))
      count++;
  lim_error_clear(&err);
  return count;
}

static void unstable_loops_that_end_as_done_are_told(void **state) {
  (void)state;
  assert_int_equal(warnings_of(LATE("200", "nonlinear"), false), 1);
  assert_int_equal(warnings_of(LATE("200", "rigid"), false), 1);
  assert_int_equal(warnings_of(LATE("200", "nonlinear"), true), 0);
  assert_int_equal(warnings_of(LATE("10", "nonlinear"), false), 0);
}

static void steps_that_stay_short_end_the_run(void **state) {
  (void)state;
  fails_with(STIFF, "cvode", "the steps of cvode stay at", "because of '");
}

static volatile int stop;

static void ring(int signal) {
  (void)signal;
  stop = 1;
}

static void interruption_is_heard_within_a_step(void **state) {
  (void)state;
  static const char *const LONG_STEPS[] = {"cvode", "ida"};
  signal(SIGALRM, ring);
  for (int i = 0; i < 2; i++) {
    const struct itimerval soon = {.it_value = {.tv_usec = 100000}};
    lim_error err = {0};
    lim_code code;
    stop = 0;
    setitimer(ITIMER_REAL, &soon, NULL);
    const lim_run r = run(LONG, LONG_STEPS[i], &(lim_simulate_hooks){.stop = &stop}, &code, &err);
    assert_int_equal(code, LIM_OK);
    assert_int_equal(r.status, LIM_RUN_INTERRUPTED);
    assert_int_equal(err.count, 0);
    if (!(r.wall < 2)) fail_msg("%s took %g s to hear of it", LONG_STEPS[i], r.wall);
    lim_error_clear(&err);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(unstable_loop_fails_with_its_time_and_joint),
      cmocka_unit_test(block_that_overflows_fails_by_its_name),
      cmocka_unit_test(lost_motions_are_explained),
      cmocka_unit_test(unstable_loops_that_end_as_done_are_told),
      cmocka_unit_test(steps_that_stay_short_end_the_run),
      cmocka_unit_test(interruption_is_heard_within_a_step),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

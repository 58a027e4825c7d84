// api_sim.c - a simulation stepped by a program against the one that limber runs itself.
#include "fixture.h"

#include "analysis/simulation/simulate.h"
#include "limber/limber.h"

#include <unistd.h>

static const char arm[] =
    "limber: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "planar: xy\n"
    "materials: {m: {E: 70 GPa, rho: 2700}}\n"
    "sections: {s: {shape: rectangle, y: 5 mm, z: 20 mm}}\n"
    "links:\n"
    "  - {name: a, beam: {length: 0.5, section: s, material: m, elements: 4}}\n"
    "  - {name: b, beam: {length: 0.5, section: s, material: m, elements: 4}}\n"
    "drives:\n"
    "  a: {type: effort, effort: {profile: bang-bang, amplitude: 1 N m, duration: 0.1005}}\n"
    "  b: {type: prescribed}\n"
    "solver: {duration: 0.2, step: 1 ms}\n"
    "outputs: {channels: [tip.position, a.effort]}\n";

static lim_code keep_tip(void *user, const lim_snapshot *m, lim_error *err) {
  (void)err;
  lim_world_motion tip = lim_snapshot_site(m, &m->system->site[0].site);
  memcpy(user, tip.p, sizeof tip.p);
  return LIM_OK;
}

static void stepping_gives_the_same_motion_as_simulate(void **state) {
  (void)state;
  lim_model *model = parse(arm);
  lim_error err = {0};
  double tip[3];
  lim_run run;
  lim_simulate_hooks hooks = {.record = keep_tip, .user = tip};
  assert_int_equal(lim_simulate(&run, model, ".", &hooks, &err), LIM_OK);
  lim_sim *sim;
  assert_int_equal(lim_sim_new(&sim, model, ".", &err), LIM_OK);
  for (int k = 0; k < 200; k++) assert_int_equal(lim_sim_step(sim, 1e-3, &err), LIM_OK);
  assert_true(fabs(lim_sim_time(sim) - 0.2) < 1e-12);
  assert_true(fabs(lim_sim_value(sim, lim_sim_channel(sim, "tip.position.x")) - tip[0]) < 1e-9);
  assert_true(fabs(lim_sim_value(sim, lim_sim_channel(sim, "tip.position.y")) - tip[1]) < 1e-9);
  lim_sim_free(sim);
  lim_model_free(model);
}

// Without other forces, the effort that holds the arm's weight keeps it where it is.
static void effort_of_the_program_moves_the_joint(void **state) {
  (void)state;
  lim_model *model = parse(arm);
  lim_error err = {0};
  lim_sim *sim, *pushed;
  assert_int_equal(lim_sim_new(&sim, model, ".", &err), LIM_OK);
  assert_int_equal(lim_sim_new(&pushed, model, ".", &err), LIM_OK);
  int a = lim_sim_joint(sim, "a");
  assert_int_equal(lim_sim_effort(pushed, a, 2.0, &err), LIM_OK);
  for (int k = 0; k < 20; k++) {
    assert_int_equal(lim_sim_step(sim, 1e-3, &err), LIM_OK);
    assert_int_equal(lim_sim_step(pushed, 1e-3, &err), LIM_OK);
  }
  assert_true(lim_sim_position(pushed, a) > lim_sim_position(sim, a) + 1e-4);
  lim_sim_free(sim);
  lim_sim_free(pushed);
  lim_model_free(model);
}

// Between its samples a rigid joint flies parabolas, whatever the steps; a program that pushes anew at every
// step does not make a controller sample twice.
static void controllers_keep_their_clocks_whatever_the_steps(void **state) {
  (void)state;
  lim_model *model =
      parse("limber: 1\ngravity: [0, 0, 0]\n"
            "links: [{name: a, body: {mass: 1, com: [0.2, 0, 0], inertia: [0.01, 0.01, 0.01]}}]\n"
            "drives: {a: {type: motor, motor: {ratio: 50, rotor_inertia: 1e-5}, control: {type: pid, kp: 0.3, "
            "kv: 1e-3, "
            "ki: 2, rate: 300 Hz, delay: 2 ms}}}\n"
            "configuration: {a: 0}\n"
            "motion: {a: {profile: constant, value: 1}}\n"
            "blocks: [{name: n, type: noise, rate: 170 Hz, deviation: 1}]\n"
            "solver: {duration: 0.2, step: 1 ms}\noutputs: {channels: [a.position, n]}\n");
  lim_error err = {0};
  static const int steps[] = {1000, 200, 13};
  double end[3], noise_then[3];
  for (int i = 0; i < 3; i++) {
    lim_sim *sim;
    assert_int_equal(lim_sim_new(&sim, model, ".", &err), LIM_OK);
    int a = lim_sim_joint(sim, "a");
    for (int k = 0; k < steps[i]; k++) {
      if (i == 1) assert_int_equal(lim_sim_effort(sim, a, k % 2 ? 1e-14 : 2e-14, &err), LIM_OK);
      assert_int_equal(lim_sim_step(sim, 0.2 / steps[i], &err), LIM_OK);
    }
    end[i] = lim_sim_position(sim, a);
    noise_then[i] = lim_sim_value(sim, lim_sim_channel(sim, "n"));
    lim_sim_free(sim);
  }
  assert_true(fabs(end[0]) > 0.1 && noise_then[0] != 0);
  assert_true(fabs(end[1] - end[0]) < 1e-12 && fabs(end[2] - end[0]) < 1e-12);
  assert_true(noise_then[1] == noise_then[0] && noise_then[2] == noise_then[0]);
  lim_model_free(model);
}

// From the state in the middle: where the run itself goes on to, and from there on twice the same.
static void expect_state_is_whole(lim_model *model, double h, int before, int after, double tolerance) {
  lim_error err = {0};
  lim_sim *sim, *other;
  assert_int_equal(lim_sim_new(&sim, model, ".", &err), LIM_OK);
  assert_int_equal(lim_sim_new(&other, model, ".", &err), LIM_OK);
  const size_t size = lim_sim_state_size(sim);
  const int n = lim_sim_channels(sim);
  char *kept = malloc(size), *end[2] = {malloc(size), malloc(size)};
  double *value[3];
  for (int i = 0; i < 3; i++) value[i] = calloc((size_t)n, sizeof **value);
  for (int k = 0; k < before; k++) assert_int_equal(lim_sim_step(sim, h, &err), LIM_OK);
  assert_int_equal(lim_sim_state_get(sim, kept, size, &err), LIM_OK);
  for (int i = 0; i < 3; i++) {
    lim_sim *s = i == 2 ? other : sim;
    if (i > 0) assert_int_equal(lim_sim_state_set(s, kept, size, &err), LIM_OK);
    for (int k = 0; k < after; k++) assert_int_equal(lim_sim_step(s, h, &err), LIM_OK);
    assert_int_equal(lim_sim_values(s, value[i], &err), LIM_OK);
    if (i > 0) assert_int_equal(lim_sim_state_get(s, end[i - 1], size, &err), LIM_OK);
  }
  for (int i = 0; i < n; i++)
    assert_true(fabs(value[1][i] - value[0][i]) <= tolerance * (1 + fabs(value[0][i])));
  assert_memory_equal(value[1], value[2], (size_t)n * sizeof **value);
  assert_memory_equal(end[0], end[1], size);
  for (int i = 0; i < 3; i++) free(value[i]);
  free(kept);
  free(end[0]);
  free(end[1]);
  lim_error_clear(&err);
  lim_sim_free(sim);
  lim_sim_free(other);
  lim_model_free(model);
}

static void state_holds_clocks_and_what_they_hold(void **state) {
  (void)state;
  expect_state_is_whole(
      parse("limber: 1\ngravity: [0, 0, 0]\n"
            "links: [{name: a, body: {mass: 1, com: [0.2, 0, 0], inertia: [0.01, 0.01, 0.01]}}]\n"
            "drives: {a: {type: motor, motor: {ratio: 50, rotor_inertia: 1e-5}, control: {type: pid, kp: 0.3, "
            "kv: 1e-3, ki: 2, rate: 300 Hz, delay: 2 ms}}}\n"
            "configuration: {a: 0}\nmotion: {a: {profile: constant, value: 1}}\n"
            "blocks: [{name: n, type: noise, rate: 170 Hz, deviation: 1}]\n"
            "solver: {duration: 0.2, step: 1 ms}\noutputs: {channels: [a.position, n]}\n"),
      1e-3, 77, 61, 1e-12);
}

static void state_holds_friction_play_and_bending(void **state) {
  (void)state;
  lim_model *model;
  assert_int_equal(lim_model_load(&model, "models/elastic-joint.yaml", NULL, 0, NULL), LIM_OK);
  expect_state_is_whole(model, 1e-3, 300, 200, 1e-6);
  expect_state_is_whole(parse(arm), 1e-3, 60, 60, 1e-7); // over the jump of the effort
}

static void wrong_requests_are_refused(void **state) {
  (void)state;
  lim_model *model = parse(arm);
  lim_error err = {0};
  lim_sim *sim;
  assert_int_equal(lim_sim_new(&sim, model, ".", &err), LIM_OK);
  assert_int_equal(lim_sim_joint(sim, "nobody"), -1);
  assert_int_equal(lim_sim_channel(sim, "nothing"), -1);
  assert_null(lim_sim_channel_name(sim, -1));
  assert_true(isnan(lim_sim_value(sim, 99)));
  assert_int_equal(lim_sim_effort(sim, 99, 1, &err), LIM_BAD_INPUT);
  assert_int_equal(lim_sim_effort(sim, lim_sim_joint(sim, "b"), 1, &err), LIM_BAD_INPUT); // prescribed
  assert_int_equal(lim_sim_effort(sim, lim_sim_joint(sim, "a"), NAN, &err), LIM_BAD_INPUT);
  assert_int_equal(lim_sim_step(sim, 0, &err), LIM_BAD_INPUT);
  assert_int_equal(lim_sim_step(sim, INFINITY, &err), LIM_BAD_INPUT);
  assert_int_equal(err.count, 5);
  lim_error_clear(&err);
  lim_sim_free(sim);
  lim_model_free(model);
}

// Joints are numbered by themselves: coordinates of deformation lie between theirs and cannot be asked for.
static void joints_are_numbered_from_0_and_nothing_else_is_a_joint(void **state) {
  (void)state;
  lim_model *model = parse(arm);
  lim_error err = {0};
  lim_sim *sim;
  assert_int_equal(lim_sim_new(&sim, model, ".", &err), LIM_OK);
  assert_int_equal(lim_sim_joints(sim), 2);
  assert_int_equal(lim_sim_joint(sim, "a"), 0);
  assert_int_equal(lim_sim_joint(sim, "b"), 1);
  assert_string_equal(lim_sim_joint_name(sim, 1), "b");
  assert_true(lim_sim_position(sim, 1) == 0 && lim_sim_velocity(sim, 1) == 0);
  static const int no_joint[] = {-1, 2, 5, 2147483647, -2147483647};
  for (int i = 0; i < 5; i++) {
    assert_true(isnan(lim_sim_position(sim, no_joint[i])) && isnan(lim_sim_velocity(sim, no_joint[i])));
    assert_null(lim_sim_joint_name(sim, no_joint[i]));
    assert_int_equal(lim_sim_effort(sim, no_joint[i], 1, &err), LIM_BAD_INPUT);
  }
  lim_error_clear(&err);
  lim_sim_free(sim);
  lim_model_free(model);
}

static void null_is_refused(void **state) {
  (void)state;
  lim_model *model = parse(arm);
  lim_error err = {0};
  lim_sim *sim;
  assert_int_equal(lim_sim_new(NULL, model, ".", &err), LIM_BAD_INPUT);
  assert_int_equal(lim_sim_new(&sim, NULL, ".", &err), LIM_BAD_INPUT);
  assert_null(sim);
  assert_int_equal(lim_sim_step(NULL, 1e-3, &err), LIM_BAD_INPUT);
  assert_int_equal(lim_sim_effort(NULL, 0, 1, &err), LIM_BAD_INPUT);
  assert_int_equal(lim_sim_joints(NULL), 0);
  assert_int_equal(lim_sim_joint(NULL, "a"), -1);
  assert_int_equal(lim_sim_channel(NULL, "tip.position.x"), -1);
  assert_null(lim_sim_channel_name(NULL, 0));
  assert_true(isnan(lim_sim_time(NULL)) && isnan(lim_sim_value(NULL, 0)) && isnan(lim_sim_position(NULL, 0)));
  assert_int_equal(lim_sim_new(&sim, model, ".", &err), LIM_OK);
  assert_int_equal(lim_sim_joint(sim, NULL), -1);
  assert_int_equal(lim_sim_channel(sim, NULL), -1);
  assert_int_equal(lim_sim_step(sim, 1e-3, &err), LIM_OK);
  assert_int_equal(lim_sim_step(sim, 1e-30, &err), LIM_BAD_INPUT); // lost in rounding
  lim_error_clear(&err);
  lim_error_clear(NULL);
  lim_sim_free(sim);
  lim_sim_free(NULL);
  lim_model_free(model);
}

// A program runs once: a simulation that begins anew does not ask for its file again.
static void program_runs_once_for_all_resets(void **state) {
  (void)state;
  static const char program[] = "wait(0.005)\nmovej{a = 1}\n", folder[] = "/tmp";
  char path[] = "/tmp/limber-sim-XXXXXX.lua", text[600];
  const int file = mkstemps(path, 4);
  assert_true(file >= 0);
  assert_int_equal(write(file, program, sizeof program - 1), sizeof program - 1);
  close(file);
  snprintf(text, sizeof text,
           "limber: 1\nlinks: [{name: a, body: {mass: 1, com: [0.2, 0, 0]}}]\n"
           "drives: {a: {type: prescribed}}\nsolver: {mode: rigid, step: 1 ms}\nprogram: %s\n",
           path);
  const char *const allow[] = {folder};
  const lim_model_setup setup = {.allow = allow, .nallow = 1};
  lim_error err = {0};
  lim_model *model;
  assert_int_equal(lim_model_parse_with(&model, text, (long)strlen(text), "test.yaml", &setup, &err), LIM_OK);
  lim_sim *sim;
  lim_code code = lim_sim_new(&sim, model, NULL, &err);
  print_notes(&err);
  assert_int_equal(code, LIM_OK);
  unlink(path);
  double first = NAN;
  for (int round = 0; round < 2; round++) {
    for (int k = 0; k < 100; k++) assert_int_equal(lim_sim_step(sim, 1e-3, &err), LIM_OK);
    if (round == 0) first = lim_sim_position(sim, 0);
    assert_true(first > 0 && lim_sim_position(sim, 0) == first);
    assert_int_equal(lim_sim_reset(sim, &err), LIM_OK);
  }
  lim_sim_free(sim);
  lim_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stepping_gives_the_same_motion_as_simulate),
      cmocka_unit_test(effort_of_the_program_moves_the_joint),
      cmocka_unit_test(controllers_keep_their_clocks_whatever_the_steps),
      cmocka_unit_test(state_holds_clocks_and_what_they_hold),
      cmocka_unit_test(state_holds_friction_play_and_bending),
      cmocka_unit_test(wrong_requests_are_refused),
      cmocka_unit_test(joints_are_numbered_from_0_and_nothing_else_is_a_joint),
      cmocka_unit_test(null_is_refused),
      cmocka_unit_test(program_runs_once_for_all_resets),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

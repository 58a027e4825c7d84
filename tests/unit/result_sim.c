// result_sim.c - a simulation stepped by a program against the one that limber runs itself.
#include "fixture.h"

#include "analysis/simulate.h"
#include "limber/limber.h"

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

static lim_code keep_tip(void *user, const lim_moment *m, lim_error *err) {
  (void)err;
  lim_motion_in_world tip = lim_moment_site(m, &m->system->site[0].site);
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stepping_gives_the_same_motion_as_simulate),
      cmocka_unit_test(effort_of_the_program_moves_the_joint),
      cmocka_unit_test(controllers_keep_their_clocks_whatever_the_steps),
      cmocka_unit_test(wrong_requests_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

// kinds.c - a kind is one file and one row: a block, a controller, a profile, a shape of section, a body and a
// joint that the library does not have are added beside this file, each with its row in a list of tests/kinds/,
// and used in models. Of the library only the tables of kinds are compiled once more.
#include "fixture.h"

#include "analysis/prepare.h"
#include "analysis/simulation/simulate.h"
#include "analysis/statics/static.h"
#include "analysis/vibration/modes.h"
#include "limber/limber.h"
#include "model/schema.h"

static lim_sim *start(lim_model **model, const char *text) {
  lim_error err = {0};
  lim_sim *sim = NULL;
  *model = parse(text);
  lim_code code = lim_sim_new(&sim, *model, ".", &err);
  print_notes(&err);
  lim_error_clear(&err);
  assert_int_equal(code, LIM_OK);
  return sim;
}

static void finish(lim_sim *sim, lim_model *model) {
  lim_sim_free(sim);
  lim_model_free(model);
}

static void run(lim_sim *sim, int steps) {
  lim_error err = {0};
  for (int k = 0; k < steps; k++) assert_int_equal(lim_sim_step(sim, 1e-3, &err), LIM_OK);
  lim_error_clear(&err);
}

static double value(lim_sim *sim, const char *channel) {
  return lim_sim_value(sim, lim_sim_channel(sim, channel));
}

static void close_to(double x, double expected, double tolerance) {
  if (!(fabs(x - expected) <= tolerance * fabs(expected))) fail_msg("%.15g, expected %.15g", x, expected);
}

#define ARM                                                                                                    \
  "limber: 1\ngravity: [0, 0, 0]\nlinks: [{name: a, body: {mass: 1}}]\nsolver: {duration: 1, step: 1 ms}\n"
#define COSINE "motion: {a: {profile: cosine, from: 0, to: 2, duration: 1, returns: 1}}\n"

static void profile_and_block_of_one_file_each_run(void **state) {
  (void)state;
  lim_model *model;
  lim_sim *sim = start(&model, ARM "drives: {a: {type: prescribed}}\n" COSINE
                                   "blocks: [{name: soft, type: saturation, input: a.position, limit: 0.5}]\n"
                                   "outputs: {channels: [a.position, soft]}\n");
  run(sim, 300);
  const double position = 1 - cos(3 * M_PI * 0.3);
  close_to(value(sim, "a.position"), position, 1e-12);
  close_to(value(sim, "soft"), 0.5 * tanh(position / 0.5), 1e-12);
  finish(sim, model);
}

static void controller_of_one_file_drives_a_motor(void **state) {
  (void)state;
  lim_model *model;
  lim_sim *sim =
      start(&model, "limber: 1\ngravity: [0, 0, 0]\nlinks: [{name: a, body: {inertia: [0.1, 0.1, 0.1]}}]\n"
                    "drives: {a: {type: motor, motor: {ratio: 1}, control: {type: relay, torque: 0.2 N m}}}\n"
                    "configuration: {a: 0}\nmotion: {a: 1}\nsolver: {duration: 1, step: 1 ms}\n"
                    "outputs: {channels: [a.position]}\n");
  run(sim, 100);
  close_to(value(sim, "a.position"), 0.5 * 0.2 / 0.1 * 0.1 * 0.1, 1e-6);
  finish(sim, model);
}

static void section_of_one_file_bends_as_its_second_moment_says(void **state) {
  (void)state;
  const double a = 0.01, b = 0.02, A = M_PI * a * b, I = A * a * a / 4, E = 70e9, G = E / 2.6, F = 100;
  lim_model *model =
      parse("limber: 1\ngravity: [0, 0, 0]\nmaterials: {m: {E: 70 GPa, rho: 2700}}\n"
            "sections: {s: {shape: ellipse, height: 20 mm, width: 40 mm}}\n"
            "links: [{name: a, joint: {type: fixed}, beam: {length: 1, section: s, material: m}}]\n"
            "loads: [{at: tip, force: [0, 100, 0]}]\nsolver: {geometry: linear}\n");
  lim_static *rest;
  lim_error err = {0};
  assert_int_equal(lim_static_new(&rest, model, NULL, &err), LIM_OK);
  close_to(rest->arm.q[rest->arm.s->n - 5], F / (3 * E * I) + F / (0.9 * A * G), 1e-9);
  assert_true(rest->links.item[0].stress > 0.99 * F * a / I);
  lim_error_clear(&err);
  lim_static_free(rest);
  lim_model_free(model);
}

static void element_of_one_file_bends_without_shear(void **state) {
  (void)state;
  const double a = 0.01, I = M_PI * a * a * a * a / 4, E = 70e9, F = 100;
  lim_model *model = parse("limber: 1\ngravity: [0, 0, 0]\nmaterials: {m: {E: 70 GPa, rho: 2700}}\n"
                           "sections: {s: {shape: circle, diameter: 20 mm}}\nlinks:\n"
                           "  - {name: a, joint: {type: fixed}, beam: {length: 1, section: s, material: m, "
                           "element: hermite}}\n"
                           "loads: [{at: tip, force: [0, 100, 0]}]\nsolver: {geometry: linear}\n");
  lim_static *rest;
  lim_error err = {0};
  assert_int_equal(lim_static_new(&rest, model, NULL, &err), LIM_OK);
  close_to(rest->arm.q[rest->arm.s->n - 5], F / (3 * E * I), 1e-9);
  lim_error_clear(&err);
  lim_static_free(rest);
  lim_model_free(model);
}

// Free fall: q = g h^2 (1 + 2 + ... + n).
static void integrator_of_one_file_falls_in_its_own_way(void **state) {
  (void)state;
  lim_model *model;
  lim_sim *sim = start(&model, "limber: 1\nlinks: [{name: a, joint: {type: prismatic}, body: {mass: 1}}]\n"
                               "solver: {method: symplectic-euler, duration: 1, step: 1 ms}\n"
                               "outputs: {channels: [a.position]}\n");
  run(sim, 100);
  close_to(value(sim, "a.position"), -9.81e-6 * 100 * 101 / 2, 1e-12);
  finish(sim, model);
}

// A buffer of 3 kg with another link of 5 kg on it, along which gravity acts from rest on.
static void body_of_one_file_swings_with_what_it_carries(void **state) {
  (void)state;
  const char text[] = "limber: 1\ngravity: [2, 0, 0]\nlinks:\n"
                      "  - {name: buffer, joint: {type: fixed}, body: {mass: 3}}\n"
                      "  - {name: b, joint: {type: fixed}, body: {mass: 5}}\n"
                      "solver: {duration: 1, step: 1 ms}\noutputs: {channels: [tip.position.x]}\n";
  const double stiffness = 48, mass = 8, omega = sqrt(stiffness / mass);
  lim_model *model;
  lim_sim *sim = start(&model, text);
  run(sim, 700);
  close_to(value(sim, "tip.position.x"), 2 * mass / stiffness * (1 - cos(0.7 * omega)), 1e-6);
  lim_modes *modes;
  lim_error err = {0};
  assert_int_equal(lim_modes_new(&modes, model, NULL, LIM_JOINTS_DEFAULT, 1, &err), LIM_OK);
  close_to(modes->modes.item[0].frequency, omega / (2 * M_PI), 1e-9);
  close_to(modes->modes.item[0].shape[6], 1, 1e-12); // its second node, along x
  lim_error_clear(&err);
  lim_modes_free(modes);
  finish(sim, model);
}

// A body that hangs on a cross joint swings about both axes, as on a hinge about each of them.
static void joint_of_one_row_swings_about_its_two_axes(void **state) {
  (void)state;
  const double m = 2, l = 0.3, J[2] = {0.02, 0.025};
  lim_model *model = parse("limber: 1\nlinks:\n"
                           "  - {name: a, joint: {type: cross}, body: {mass: 2, com: [0, 0, -0.3], "
                           "inertia: [0.02, 0.025, 0.01]}}\nsolver: {start: equilibrium}\n");
  lim_modes *modes;
  lim_error err = {0};
  lim_code code = lim_modes_new(&modes, model, NULL, LIM_JOINTS_DEFAULT, 2, &err);
  print_notes(&err);
  assert_int_equal(code, LIM_OK);
  assert_int_equal(modes->modes.count, 2);
  for (int i = 0; i < 2; i++)
    close_to(modes->modes.item[i].frequency, sqrt(m * 9.81 * l / (J[1 - i] + m * l * l)) / (2 * M_PI), 1e-9);
  lim_error_clear(&err);
  lim_modes_free(modes);
  lim_model_free(model);
}

#define BOB(joint)                                                                                             \
  "name: bob, joint: {" joint "}, body: {mass: 2, com: [0, 0, -0.3], inertia: [0.02, 0.025, 0.01], "           \
  "tip: [0, 0.1, -0.6]}"
#define PUSHED                                                                                                 \
  "loads: [{at: bob.tip, force: [1, 0.5, 0]}]\nsolver: {duration: 0.5 s, step: 1 ms, mode: %s}\n"              \
  "outputs: {channels: [tip.position, tip.error]}\n"

static const char ONE[] = "limber: 1\nlinks: [{" BOB("type: cross") "}]\n" PUSHED,
                  TWO[] = "limber: 1\nlinks: [{name: cross, joint: {axis: [1, 0, 0]}, body: {mass: 0}}, {" BOB(
                      "axis: [0, 1, 0]") "}]\n" PUSHED;

static lim_code keep_tip(void *user, const lim_snapshot *m, lim_error *err) {
  (void)err;
  lim_world_motion tip = lim_snapshot_site(m, &m->system->site[0].site);
  memcpy(user, tip.p, sizeof tip.p);
  return LIM_OK;
}

static void end_of(double tip[3], const char *format, const char *mode) {
  char text[1000];
  lim_error err = {0};
  lim_run out;
  snprintf(text, sizeof text, format, mode);
  lim_model *m = parse(text);
  lim_code code = lim_prepare_model(m, NULL, &err);
  if (code == LIM_OK)
    code = lim_simulate(&out, m, NULL, &(lim_simulate_hooks){.record = keep_tip, .user = tip}, &err);
  print_notes(&err);
  assert_int_equal(code, LIM_OK);
  lim_error_clear(&err);
  lim_model_free(m);
}

// The same joint as two hinges, in every mode that moves in time: the rigid motion knows both freedoms.
static void joint_of_one_row_moves_as_two_hinges_in_every_mode(void **state) {
  (void)state;
  static const char *const modes[] = {"nonlinear", "rigid", "linear", "conventional"};
  for (int k = 0; k < 4; k++) {
    double tip[2][3];
    end_of(tip[0], ONE, modes[k]);
    end_of(tip[1], TWO, modes[k]);
    for (int i = 0; i < 3; i++) close_to(tip[0][i], tip[1][i], 1e-9);
  }
}

// And it is where the rigid arm is.
static void joint_of_one_row_leaves_a_rigid_body_without_error(void **state) {
  (void)state;
  char text[1000];
  lim_model *model;
  snprintf(text, sizeof text, ONE, "nonlinear");
  lim_sim *sim = start(&model, text);
  run(sim, 300);
  assert_true(fabs(value(sim, "tip.error.x")) < 1e-12 && fabs(value(sim, "tip.error.z")) < 1e-12);
  finish(sim, model);
}

// A body whose centre of mass lies on the axis of a bolt, which leans: it slides down, and does
// not turn.
static void joint_of_one_row_slides_along_its_axis(void **state) {
  (void)state;
  lim_model *model;
  lim_sim *sim =
      start(&model, "limber: 1\nlinks:\n  - {name: a, joint: {type: bolt, axis: [3, 0, 4]}, body: {mass: 1, "
                    "com: [0.3, 0, 0.4], inertia: [0.1, 0.1, 0.1], tip: [0, 0.5, 0]}}\n"
                    "solver: {duration: 1, step: 1 ms}\noutputs: {channels: [tip.position]}\n");
  run(sim, 100);
  const double slid = -0.5 * 9.81 * 0.8 * 0.1 * 0.1;
  close_to(value(sim, "tip.position.x"), 0.6 * slid, 1e-9);
  close_to(value(sim, "tip.position.y"), 0.5, 1e-9);
  close_to(value(sim, "tip.position.z"), 0.8 * slid, 1e-9);
  finish(sim, model);
}

static void joint_that_cannot_move_in_the_plane_is_refused(void **state) {
  (void)state;
  lim_model *model = parse("limber: 1\nplanar: xy\ngravity: [0, -9.81, 0]\nlinks: [{name: a, joint: {type: "
                           "cross}, body: {mass: 1}}]\n");
  lim_modes *modes;
  lim_error err = {0};
  assert_int_equal(lim_modes_new(&modes, model, NULL, LIM_JOINTS_DEFAULT, 2, &err), LIM_BAD_INPUT);
  assert_string_equal(err.note[0].text,
                      "joint 'a.one': the motion along its axis leads out of the model's plane");
  lim_error_clear(&err);
  lim_model_free(model);
}

static void refused(const char *text, const char *message) {
  lim_error err = {0};
  lim_model *m;
  assert_int_equal(lim_model_parse(&m, text, (long)strlen(text), "test.yaml", NULL, 0, &err), LIM_BAD_INPUT);
  assert_int_equal(err.count, 1);
  assert_string_equal(err.note[0].text, message);
  lim_error_clear(&err);
}

static void kinds_bring_their_words_keys_and_checks(void **state) {
  (void)state;
  refused(ARM "blocks: [{name: soft, type: saturation, input: a.position}]\n",
          "block 'soft': 'limit' is missing; type 'saturation' needs it");
  refused(ARM "blocks: [{name: soft, type: saturation, input: a.position, limit: -1}]\n",
          "block 'soft': limit is -1, must be positive");
  refused(ARM "motion: {a: {profile: cosine, from: 0, duration: 1}}\n",
          "motion 'a': 'to' is missing in profile; profile 'cosine' needs it");
  refused(ARM "motion: {a: {profile: quintic, to: 1, duration: 1, returns: 1}}\n",
          "motion 'a': key 'returns' does not go with profile 'quintic', only with cosine");
  refused("limber: 1\nlinks: [{name: a, joint: {type: cross}, body: {mass: 1}}]\nconfiguration: {a: 1}\n",
          "configuration 'a': joint 'a' has several freedoms; name one of them, as 'a.one'");
  refused(ARM "sections: {s: {shape: ellipse, height: 0, width: 1}}\n",
          "section 's': height is 0 m, must be positive");
}

static void schema_and_reference_show_them(void **state) {
  (void)state;
  lim_text schema = {0}, page = {0};
  lim_schema_json(&schema);
  lim_schema_markdown(&page);
  static const char *const words[] = {"saturation", "relay",   "cosine",  "ellipse",
                                      "cross",      "returns", "hermite", "symplectic-euler"};
  for (int i = 0; i < 8; i++) {
    assert_non_null(strstr(schema.text, words[i]));
    assert_non_null(strstr(page.text, words[i]));
  }
  assert_non_null(strstr(page.text, "| `saturation` | limit tanh(input/limit) |"));
  lim_text_free(&schema);
  lim_text_free(&page);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(profile_and_block_of_one_file_each_run),
      cmocka_unit_test(controller_of_one_file_drives_a_motor),
      cmocka_unit_test(section_of_one_file_bends_as_its_second_moment_says),
      cmocka_unit_test(element_of_one_file_bends_without_shear),
      cmocka_unit_test(integrator_of_one_file_falls_in_its_own_way),
      cmocka_unit_test(body_of_one_file_swings_with_what_it_carries),
      cmocka_unit_test(joint_of_one_row_swings_about_its_two_axes),
      cmocka_unit_test(joint_of_one_row_moves_as_two_hinges_in_every_mode),
      cmocka_unit_test(joint_of_one_row_leaves_a_rigid_body_without_error),
      cmocka_unit_test(joint_of_one_row_slides_along_its_axis),
      cmocka_unit_test(joint_that_cannot_move_in_the_plane_is_refused),
      cmocka_unit_test(kinds_bring_their_words_keys_and_checks),
      cmocka_unit_test(schema_and_reference_show_them),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

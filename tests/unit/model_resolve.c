// model_resolve.c - tests of the model as a whole: indices of names, lengths, places, values that follow from
// others.
#include "model_fixture.h"

static void resolve_parents_default_to_the_link_before(void **state) {
  (void)state;
  lim_model *m = parse("limber: 1\nlinks:\n  - {name: a}\n  - {name: b}\n  - {name: c, parent: a, at: base}\n"
                       "  - {name: d, parent: base}\n  - {name: e}\n");
  const int expected[] = {-1, 0, 0, -1, 3};
  for (int i = 0; i < 5; i++) assert_int_equal(m->links.item[i].parent.index, expected[i]);
  assert_int_equal(m->links.item[1].at.kind, LIM_AT_TIP);
  assert_int_equal(m->links.item[2].at.kind, LIM_AT_BASE);
  lim_model_free(m);
}

static void resolve_tip_of_the_world_is_its_base(void **state) {
  (void)state;
  lim_model *m = parse("limber: 1\nlinks:\n  - {name: a}\n  - {name: b, parent: base, at: tip}\n");
  assert_int_equal(m->links.item[0].at.kind, LIM_AT_BASE);
  assert_int_equal(m->links.item[1].at.kind, LIM_AT_BASE);
  assert_near(m->links.item[1].at.value, 0);
  lim_model_free(m);
}

static void resolve_sections_and_materials_get_their_index(void **state) {
  (void)state;
  lim_model *m = parse("limber: 1\nmaterials: {a: {E: 1, rho: 1}, b: {E: 1, rho: 1}}\n"
                       "sections: {r: {shape: circle, diameter: 1}, s: {shape: circle, diameter: 2}}\n"
                       "links: [{name: l, beam: {length: 1, section: s, material: b}}]\n");
  const lim_beam *b = &m->links.item[0].beam;
  assert_int_equal(b->material.index, 1);
  assert_int_equal(b->pieces.item[0].from.index, 1);
  assert_int_equal(b->pieces.item[0].to.index, 1);
  assert_near(b->pieces.item[0].length, 1);
  lim_model_free(m);
}

static void resolve_shear_modulus_follows_from_poisson(void **state) {
  (void)state;
  lim_model *m = parse(
      RIGID "materials:\n  a: {E: 260, nu: 0.3, rho: 1}\n  b: {E: 260, rho: 1}\n  c: {E: 240, G: 100, rho: 1}\n"
            "  d: {E: 240, nu: 0.3, G: 50, rho: 1}\n  e: {E: 240, G: 5, rho: 1}\n");
  const lim_material *a = m->materials.item;
  assert_near(a[0].G, 100);
  assert_near(a[1].nu, 0.3);
  assert_near(a[1].G, 100);
  assert_true(fabs(a[2].nu - 0.2) < 1e-15);
  assert_near(a[3].nu, 0.3); // both as given
  assert_near(a[3].G, 50);
  assert_near(a[4].nu, 0.5); // fibres: G is far below what an isotropic material has
  assert_near(a[4].G, 5);
  lim_model_free(m);
}

static void resolve_axis_becomes_a_unit_vector(void **state) {
  (void)state;
  lim_model *m = parse("limber: 1\nlinks: [{name: l, joint: {axis: [0, 3, 4]}}]\n");
  assert_vector(m->links.item[0].joint.axis, 0, 0.6, 0.8);
  lim_model_free(m);
}

// --- lengths ---

static const lim_beam *beam_of(lim_model **m, const char *joint, const char *beam) {
  char text[1024];
  snprintf(text, sizeof text,
           "limber: 1\n" MATERIALS
           "sections: {a: {shape: circle, diameter: 1}, b: {shape: circle, diameter: 2}}\n"
           "links: [{name: l, joint: {%s}, beam: {material: alu, %s}}]\n",
           joint, beam);
  *m = parse(text);
  return &(*m)->links.item[0].beam;
}

static void resolve_length_is_a_of_the_dh_row(void **state) {
  (void)state;
  lim_model *m;
  assert_near(beam_of(&m, "dh: {a: 400 mm}", "section: a")->length, 0.4);
  lim_model_free(m);
  assert_near(beam_of(&m, "dh: {a: 400 mm}", "section: a, length: 0.4")->length, 0.4);
  lim_model_free(m);
}

static void resolve_length_is_the_sum_of_the_pieces(void **state) {
  (void)state;
  lim_model *m;
  const lim_beam *b = beam_of(&m, "", "section: [{length: 0.25, section: a}, {length: 0.5, section: b}]");
  assert_near(b->length, 0.75);
  assert_int_equal(b->pieces.item[0].to.index, 0);
  assert_int_equal(b->pieces.item[1].from.index, 1);
  lim_model_free(m);
}

static void resolve_piece_without_length_takes_the_rest(void **state) {
  (void)state;
  lim_model *m;
  const lim_beam *b = beam_of(&m, "", "length: 1, section: [{length: 0.25, section: a}, {section: b}]");
  assert_near(b->pieces.item[1].length, 0.75);
  lim_model_free(m);
}

static void resolve_taper_has_two_sections(void **state) {
  (void)state;
  lim_model *m;
  const lim_beam *b = beam_of(&m, "", "length: 1, section: {from: a, to: b}");
  assert_int_equal(b->pieces.count, 1);
  assert_int_equal(b->pieces.item[0].from.index, 0);
  assert_int_equal(b->pieces.item[0].to.index, 1);
  assert_near(b->pieces.item[0].length, 1);
  lim_model_free(m);
}

// --- places ---

static void resolve_distances_become_fractions(void **state) {
  (void)state;
  lim_model *m = parse("limber: 1\n" MATERIALS SECTIONS "links:\n  - {name: a, " BEAM
                       ", gauges: [{name: g, at: 500 mm}]}\n"
                       "  - {name: b, body: {tip: [3, 4, 0]}, masses: [{at: 1 m, mass: 1}]}\n"
                       "frames: [{name: f, on: a, at: 2 m}]\n");
  assert_near(m->links.item[0].gauges.item[0].at.value, 0.25);
  assert_int_equal(m->links.item[0].gauges.item[0].at.kind, LIM_AT_FRACTION);
  assert_near(m->links.item[1].masses.item[0].at.value, 0.2);
  assert_near(m->frames.item[0].at.value, 1);
  lim_model_free(m);
}

static void resolve_link_hangs_on_a_frame_of_its_parent(void **state) {
  (void)state;
  lim_model *m = parse("limber: 1\nlinks:\n  - {name: a}\n  - {name: b, at: hook}\n"
                       "frames: [{name: eye, on: base}, {name: hook, on: a}]\n");
  assert_int_equal(m->links.item[1].at.kind, LIM_AT_FRAME);
  assert_int_equal(m->links.item[1].at.frame.index, 1);
  lim_model_free(m);
  refuse("limber: 1\nlinks:\n  - {name: a}\n  - {name: b, parent: base, at: hook}\nframes: [{name: hook, on: "
         "a}]\n",
         "link 'b': at is 'hook', must be base, tip or a frame on base");
}

static void resolve_spots_name_links_frames_or_the_world(void **state) {
  (void)state;
  lim_model *m = parse(
      "limber: 1\nlinks:\n  - {name: a}\n  - {name: b}\nframes: [{name: f, on: a}]\nloads:\n"
      "  - {at: base, force: [0, 0, 1]}\n  - {at: tip, force: [0, 0, 1]}\n  - {at: a.tip, force: [0, 0, 1]}\n"
      "  - {at: b.base, force: [0, 0, 1]}\n  - {at: f, force: [0, 0, 1]}\n  - {at: a.f, force: [0, 0, 1]}\n");
  static const struct {
    int link;
    lim_location_kind kind;
    int frame;
  } expected[] = {{-1, LIM_AT_BASE, -1}, {1, LIM_AT_TIP, -1},  {0, LIM_AT_TIP, -1},
                  {1, LIM_AT_BASE, -1},  {0, LIM_AT_FRAME, 0}, {0, LIM_AT_FRAME, 0}};
  for (int i = 0; i < 6; i++) {
    const lim_location *spot = &m->loads.item[i].at;
    assert_int_equal(spot->link, expected[i].link);
    assert_int_equal(spot->kind, expected[i].kind);
    assert_int_equal(spot->frame, expected[i].frame);
  }
  lim_model_free(m);
}

static void resolve_frame_named_tip_wins_over_the_last_link(void **state) {
  (void)state;
  lim_model *m = parse("limber: 1\nlinks:\n  - {name: a}\n  - {name: b}\nframes: [{name: tip, on: a}]\n"
                       "loads: [{at: tip, force: [0, 0, 1]}]\n");
  assert_int_equal(m->loads.item[0].at.link, 0);
  assert_int_equal(m->loads.item[0].at.frame, 0);
  lim_model_free(m);
}

// --- joints ---

static void resolve_joints_go_by_their_name(void **state) {
  (void)state;
  lim_model *m = parse("limber: 1\nlinks:\n  - {name: a, joint: {name: p}}\n  - {name: b}\n"
                       "configuration: {b: 1, p: 2}\ndrives: {p: {type: prescribed}}\nmotion: {b: 1}\n");
  assert_int_equal(m->configuration.item[0].joint, 1);
  assert_int_equal(m->configuration.item[1].joint, 0);
  assert_int_equal(m->drives.item[0].joint, 0);
  assert_int_equal(m->motion.item[0].joint, 1);
  assert_ptr_equal(lim_model_drive(m, 0), &m->drives.item[0]);
  assert_null(lim_model_drive(m, 1));
  lim_model_free(m);
}

static void resolve_motion_of_a_frame_has_no_joint(void **state) {
  (void)state;
  lim_model *m =
      parse(RIGID "frames: [{name: tool, on: arm}]\n"
                  "motion: {tool: {profile: quintic, line: {from: [0, 0, 0], to: [1, 0, 0]}, duration: 1}}\n");
  assert_int_equal(m->motion.item[0].joint, -1);
  assert_int_equal(m->motion.item[0].frame.frame, 0);
  lim_model_free(m);
}

static void resolve_units_fit_the_joint(void **state) {
  (void)state;
  lim_model *m = parse("limber: 1\nlinks:\n  - {name: r}\n  - {name: p, joint: {type: prismatic, limits: "
                       "{position: [0, 1 m], velocity: 1 mm/s, effort: 1 kN}}}\n"
                       "configuration: {r: 90 deg, p: {position: 10 mm, velocity: 1 m/s}}\n"
                       "drives: {r: {type: servo, stiffness: 1 N m/rad}, p: {type: effort, effort: {profile: "
                       "harmonic, amplitude: 1 N, frequency: 1}}}\n"
                       "motion: {p: {profile: speed, value: 1 m/s}}\n");
  assert_near(m->configuration.item[1].position[0], 0.01);
  assert_near(m->links.item[1].joint.limits.velocity, 1e-3);
  assert_near(m->links.item[1].joint.limits.effort, 1e3);
  lim_model_free(m);
}

static void resolve_loop_axis_of_second_frame_defaults_to_first(void **state) {
  (void)state;
  lim_model *m =
      parse("limber: 1\nlinks:\n  - {name: a}\nloops:\n  - {name: l, between: [a.tip, base], axis: [0, 2, 0]}\n"
            "  - {name: k, between: [a.tip, base], axis: [0, 2, 0], axis2: [5, 0, 0]}\n");
  assert_vector(m->loops.item[0].axis, 0, 1, 0);
  assert_vector(m->loops.item[0].axis2, 0, 1, 0);
  assert_vector(m->loops.item[1].axis2, 1, 0, 0);
  lim_model_free(m);
}

static void resolve_configuration_may_differ_where_a_servo_follows(void **state) {
  (void)state;
  static const char rest[] =
      "configuration: {shoulder: 1}\nmotion: {shoulder: {profile: quintic, from: 0, to: 1, duration: 1}}\n";
  char text[512];
  snprintf(text, sizeof text, RIGID "drives: {shoulder: {type: servo, stiffness: 1}}\n%s", rest);
  lim_model_free(parse(text));
  snprintf(text, sizeof text, RIGID "%s", rest);
  refuse(text, "motion 'shoulder': from is 0, must be the joint's configuration, which is 1");
}

// --- one slip, one message ---

static void resolve_wrong_list_is_reported_once(void **state) {
  (void)state;
  static const char link[] = "links: [{name: l, beam: {length: 1, section: rod, material: alu}}]\n";
  char text[512];
  snprintf(text, sizeof text, "limber: 1\nmaterials: 5\n" SECTIONS "%s", link);
  refuse(text, "materials is '5', must be a mapping of names to entries");
  snprintf(text, sizeof text, "limber: 1\n" MATERIALS "sections: []\n%s", link);
  refuse(text, "sections is a list, must be a mapping of names to entries");
}

static void resolve_long_choice_of_names_is_cut(void **state) {
  (void)state;
  char text[4096] = "limber: 1\nmaterials:\n";
  for (int i = 0; i < 60; i++) {
    size_t used = strlen(text);
    snprintf(text + used, sizeof text - used, "  material%02d: {E: 1, rho: 1}\n", i);
  }
  strcat(text, SECTIONS "links: [{name: l, beam: {length: 1, section: rod, material: wood}}]\n");
  lim_error err = {0};
  lim_model *m;
  assert_int_equal(lim_model_parse(&m, text, (long)strlen(text), "test.yaml", NULL, 0, &err), LIM_BAD_INPUT);
  assert_int_equal(err.count, 1);
  size_t n = strlen(err.note[0].text);
  assert_true(n < 350);
  assert_string_equal(err.note[0].text + n - 12, " and 48 more");
  lim_error_clear(&err);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(resolve_parents_default_to_the_link_before),
      cmocka_unit_test(resolve_tip_of_the_world_is_its_base),
      cmocka_unit_test(resolve_sections_and_materials_get_their_index),
      cmocka_unit_test(resolve_shear_modulus_follows_from_poisson),
      cmocka_unit_test(resolve_axis_becomes_a_unit_vector),
      cmocka_unit_test(resolve_length_is_a_of_the_dh_row),
      cmocka_unit_test(resolve_length_is_the_sum_of_the_pieces),
      cmocka_unit_test(resolve_piece_without_length_takes_the_rest),
      cmocka_unit_test(resolve_taper_has_two_sections),
      cmocka_unit_test(resolve_distances_become_fractions),
      cmocka_unit_test(resolve_link_hangs_on_a_frame_of_its_parent),
      cmocka_unit_test(resolve_spots_name_links_frames_or_the_world),
      cmocka_unit_test(resolve_frame_named_tip_wins_over_the_last_link),
      cmocka_unit_test(resolve_joints_go_by_their_name),
      cmocka_unit_test(resolve_motion_of_a_frame_has_no_joint),
      cmocka_unit_test(resolve_units_fit_the_joint),
      cmocka_unit_test(resolve_loop_axis_of_second_frame_defaults_to_first),
      cmocka_unit_test(resolve_configuration_may_differ_where_a_servo_follows),
      cmocka_unit_test(resolve_wrong_list_is_reported_once),
      cmocka_unit_test(resolve_long_choice_of_names_is_cut),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

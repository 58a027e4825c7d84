// model_read.c - tests of how values reach their records: defaults, short forms, units, every kind of profile.
#include "model_fixture.h"

#include "kind_numbers.h"
#include "model/joint.h"

#define PI 3.14159265358979323846

static void read_minimal_model_has_all_defaults(void **state) {
  (void)state;
  lim_model *m = parse("limber: 1\n" MATERIALS SECTIONS "links:\n  - {name: arm, " BEAM "}\n");
  const lim_link *a = &m->links.item[0];
  assert_string_equal(m->title, "model");
  assert_int_equal(m->planar, LIM_SPATIAL);
  assert_vector(m->gravity, 0, 0, -9.81);
  assert_string_equal(a->joint.head.name, "arm");
  assert_int_equal(a->joint.type, lim_joint_type("revolute"));
  assert_vector(a->joint.axis, 0, 0, 1);
  assert_vector(a->joint.origin.xyz, 0, 0, 0);
  assert_true(isnan(a->joint.limits.position[0]) && isnan(a->joint.limits.effort));
  assert_int_equal(a->beam.elements, 10);
  assert_int_equal(a->beam.segments, 1);
  assert_int_equal(a->beam.element, LIM_ELEMENT_timoshenko_cubic);
  assert_int_equal(a->basis.type, LIM_BASIS_FULL);
  assert_true(a->damping.ratio.count == 0 && m->damping.ratio.count == 0);
  assert_int_equal(m->solver.method, LIM_METHOD_generalized_alpha);
  assert_near(m->solver.step, 1e-3);
  assert_true(isnan(m->solver.tolerance) && !m->solver.adaptive); // what it is depends on the method
  assert_int_equal(m->solver.stiffening, 1);
  assert_true(isnan(m->solver.duration) && isnan(m->outputs.every));
  assert_null(m->program);
  lim_model_free(m);
}

static void read_records_not_written_have_no_node(void **state) {
  (void)state;
  lim_model *m = parse(RIGID);
  const lim_link *a = &m->links.item[0];
  assert_null(a->beam.head.node);
  assert_null(a->joint.dh.head.node);
  assert_null(a->joint.origin.head.node);
  assert_null(m->solver.head.node);
  assert_non_null(a->body.head.node);
  assert_null(lim_model_drive(m, 0));
  lim_model_free(m);
}

static void read_units_arrive_in_si(void **state) {
  (void)state;
  lim_model *m =
      parse("limber: 1\n"
            "materials: {a: {E: 71 GPa, nu: 33 %, rho: 2.71 g/cm^3}}\n"
            "sections: {s: {shape: general, A: 350 mm^2, Iy: 1e4 mm^4, Iz: 1 cm^4, J: 2e-8, kappa: 0.9}}\n"
            "links: [{name: l, beam: {length: 50 cm, section: s, material: a}}]\n"
            "gravity: [0, 981 cm/s^2, 0]\n"
            "drives: {l: {type: servo, stiffness: 1 N m/deg, damping: 2 N mm s/rad}}\n");
  assert_near(m->materials.item[0].E, 71e9);
  assert_near(m->materials.item[0].nu, 0.33);
  assert_near(m->materials.item[0].rho, 2710);
  assert_near(m->sections.item[0].A, 350e-6);
  assert_near(m->sections.item[0].Iy, 1e-8);
  assert_near(m->sections.item[0].Iz, 1e-8);
  assert_near(m->links.item[0].beam.length, 0.5);
  assert_vector(m->gravity, 0, 9.81, 0);
  assert_near(m->drives.item[0].stiffness, 180 / PI);
  assert_near(m->drives.item[0].damping, 2e-3);
  lim_model_free(m);
}

static void read_short_forms_stand_for_their_records(void **state) {
  (void)state;
  lim_model *m = parse("limber: 1\n" MATERIALS SECTIONS "links:\n  - {name: arm, " BEAM ", basis: rigid}\n"
                       "configuration: {arm: 90 deg}\n"
                       "drives: {arm: {type: effort, effort: 3 N m}}\n"
                       "motion: {arm: 0.5}\n");
  assert_int_equal(m->links.item[0].basis.type, LIM_BASIS_RIGID);
  assert_int_equal(m->links.item[0].beam.pieces.count, 1);
  assert_string_equal(m->links.item[0].beam.pieces.item[0].from.text, "rod");
  assert_near(m->configuration.item[0].position[0], PI / 2);
  assert_near(m->configuration.item[0].velocity[0], 0);
  assert_int_equal(m->drives.item[0].effort.list.count, 1);
  assert_int_equal(m->drives.item[0].effort.list.item[0].kind, LIM_PROFILE_constant);
  assert_near(m->drives.item[0].effort.list.item[0].value, 3);
  assert_near(m->motion.item[0].profile.list.item[0].value, 0.5);
  lim_model_free(m);
}

static void read_word_rigid_stands_for_an_effort(void **state) {
  (void)state;
  lim_model *m = parse(RIGID "drives: {shoulder: {type: effort, effort: rigid}}\n");
  assert_true(m->drives.item[0].effort.rigid);
  assert_int_equal(m->drives.item[0].effort.list.count, 0);
  lim_model_free(m);
}

static void read_kappa_is_one_number_or_a_pair(void **state) {
  (void)state;
  lim_model *m =
      parse(RIGID "sections:\n  a: {shape: circle, diameter: 1, kappa: 0.8}\n"
                  "  b: {shape: circle, diameter: 1, kappa: [0.4, 0.6]}\n  c: {shape: circle, diameter: 1}\n");
  assert_near(m->sections.item[0].kappa[0], 0.8);
  assert_near(m->sections.item[0].kappa[1], 0.8);
  assert_near(m->sections.item[1].kappa[0], 0.4);
  assert_near(m->sections.item[1].kappa[1], 0.6);
  assert_true(isnan(m->sections.item[2].kappa[0]) && isnan(m->sections.item[2].kappa[1]));
  lim_model_free(m);
}

static void read_inertia_of_three_has_no_products(void **state) {
  (void)state;
  lim_model *m = parse("limber: 1\nlinks:\n  - {name: a, body: {inertia: [1, 2, 3]}}\n"
                       "  - {name: b, body: {inertia: [1, 2, 3, 0.1 kg m^2, 0.2, 0.3]}}\n");
  const double *a = m->links.item[0].body.inertia, *b = m->links.item[1].body.inertia;
  assert_vector(a, 1, 2, 3);
  assert_vector(a + 3, 0, 0, 0);
  assert_vector(b, 1, 2, 3);
  assert_vector(b + 3, 0.1, 0.2, 0.3);
  lim_model_free(m);
}

static void read_flags_are_on_and_off_or_true_and_false(void **state) {
  (void)state;
  static const struct {
    const char *text;
    int on;
  } flags[] = {{"on", 1}, {"off", 0}, {"true", 1}, {"false", 0}};
  for (int i = 0; i < 4; i++) {
    char text[256];
    snprintf(text, sizeof text, RIGID "solver: {stiffening: %s}\n", flags[i].text);
    lim_model *m = parse(text);
    assert_int_equal(m->solver.stiffening, flags[i].on);
    lim_model_free(m);
  }
}

static void read_whole_numbers_may_have_an_exponent(void **state) {
  (void)state;
  lim_model *m = parse("limber: 1.0\n" MATERIALS SECTIONS
                       "links: [{name: a, beam: {length: 1, section: rod, material: alu, elements: 1e1}}]\n");
  assert_int_equal(m->links.item[0].beam.elements, 10);
  lim_model_free(m);
}

static void read_places_are_words_fractions_or_distances(void **state) {
  (void)state;
  lim_model *m = parse("limber: 1\n" MATERIALS SECTIONS "links:\n  - name: arm\n    " BEAM "\n    masses:\n"
                       "      - {at: base}\n      - {at: tip}\n      - {at: 0.25}\n      - {at: 500 mm}\n      "
                       "- {at: 50 %}\n      - {}\n");
  const double expected[] = {0, 1, 0.25, 0.25, 0.5, 1};
  for (int i = 0; i < 6; i++) assert_near(m->links.item[0].masses.item[i].at.value, expected[i]);
  lim_model_free(m);
}

// --- profiles ---

static lim_model *motion(const char *profile) {
  char text[512];
  snprintf(text, sizeof text, RIGID "motion: {shoulder: %s}\n", profile);
  return parse(text);
}

static void read_every_kind_of_profile(void **state) {
  (void)state;
  static const struct {
    const char *text;
    int kind;
  } profiles[] = {
      {"{profile: constant, value: 10 deg}", LIM_PROFILE_constant},
      {"{value: 10 deg}", LIM_PROFILE_constant},
      {"{profile: cycloidal, to: 60 deg, duration: 2 s}", LIM_PROFILE_cycloidal},
      {"{profile: quintic, from: 0, to: 1, start: 100 ms, duration: 2}", LIM_PROFILE_quintic},
      {"{profile: trapezoidal, to: 1, duration: 1, ramp: 0.5}", LIM_PROFILE_trapezoidal},
      {"{profile: trapezoidal-acceleration, to: 1, duration: 1, jerk: 0.25}",
       LIM_PROFILE_trapezoidal_acceleration},
      {"{profile: s-curve, to: 1, duration: 1, ramp: 0.5, jerk: 0.25}", LIM_PROFILE_s_curve},
      {"{profile: bang-bang, amplitude: 5 deg/s^2, duration: 1}", LIM_PROFILE_bang_bang},
      {"{profile: bang-bang, to: 1, duration: 1}", LIM_PROFILE_bang_bang},
      {"{profile: harmonic, amplitude: 1 deg, frequency: 2 Hz, phase: 90 deg}", LIM_PROFILE_harmonic},
      {"{profile: speed, value: 60 rpm, ramp: 1 s}", LIM_PROFILE_speed},
      {"{profile: stepper, steps_per_turn: 200, reduction: 5, rise: 1 ms, of: {profile: cycloidal, to: 1, "
       "duration: 1}}",
       LIM_PROFILE_stepper},
      {"{profile: table, file: course.csv}", LIM_PROFILE_table},
      {"{profile: via, points: [[0, 0], [1 s, 90 deg], [1.5, 0]]}", LIM_PROFILE_via},
  };
  for (size_t i = 0; i < sizeof profiles / sizeof *profiles; i++) {
    lim_model *m = motion(profiles[i].text);
    assert_int_equal(m->motion.item[0].profile.list.count, 1);
    assert_int_equal(m->motion.item[0].profile.list.item[0].kind, profiles[i].kind);
    lim_model_free(m);
  }
}

static void read_profile_values_have_the_units_of_the_signal(void **state) {
  (void)state;
  lim_model *m =
      motion("[{profile: cycloidal, from: 0, to: 180 deg, duration: 2 s}, {profile: speed, value: 60 rpm},"
             " {profile: bang-bang, amplitude: 180 deg/s^2, duration: 1},"
             " {profile: harmonic, amplitude: 1, frequency: 3.14 rad/s},"
             " {profile: via, points: [[0, 0], [100 ms, 90 deg]]}]");
  const lim_profile *p = m->motion.item[0].profile.list.item;
  assert_int_equal(m->motion.item[0].profile.list.count, 5);
  assert_near(p[0].to, PI);
  assert_near(p[0].duration, 2);
  assert_true(isnan(p[0].start) && isnan(p[0].ramp));
  assert_near(p[1].value, 2 * PI);
  assert_near(p[2].amplitude, PI);
  assert_near(p[3].frequency, 3.14 / (2 * PI));
  assert_near(p[3].phase, 0);
  assert_int_equal(p[4].points.count, 4);
  assert_near(p[4].points.item[2], 0.1);
  assert_near(p[4].points.item[3], PI / 2);
  lim_model_free(m);
}

static void read_effort_profile_has_efforts_as_values(void **state) {
  (void)state;
  lim_model *m = parse(
      RIGID
      "drives: {shoulder: {type: effort, effort: {profile: bang-bang, amplitude: 100 N mm, duration: 1}}}\n");
  assert_near(m->drives.item[0].effort.list.item[0].amplitude, 0.1);
  lim_model_free(m);
  m = parse(
      RIGID
      "loads: [{at: arm.tip, force: [1, 0, 0], factor: {profile: harmonic, amplitude: 50 %, frequency: 1}}]\n");
  assert_near(m->loads.item[0].factor.list.item[0].amplitude, 0.5);
  lim_model_free(m);
}

// --- names and messages ---

static void read_names_that_stand_for_places_are_taken_where_they_clash(void **state) {
  (void)state;
  lim_model *m = parse("limber: 1\n" MATERIALS SECTIONS "links:\n  - name: arm\n    " BEAM
                       "\n    masses: [{name: tip, mass: 1}]\n    gauges: [{name: base, at: base}]\n"
                       "frames: [{name: tip, on: arm, at: 0.5}]\n");
  assert_string_equal(m->frames.item[0].head.name, "tip");
  lim_model_free(m);
  refuse("limber: 1\nlinks: [{name: tip}]\n",
         "link 'tip': name is 'tip', which is taken: it stands for a place on every link");
}

static void read_head_says_where_the_entry_stands(void **state) {
  (void)state;
  lim_model *m = parse("limber: 1\n" MATERIALS SECTIONS "links:\n  - name: arm\n    " BEAM
                       "\n    gauges: [{name: root, at: 0}]\nloads: [{at: arm.tip, force: [0, 0, 1]}]\n");
  const lim_link *a = &m->links.item[0];
  assert_string_equal(a->head.where, "link 'arm'");
  assert_string_equal(a->beam.head.where, "link 'arm'");
  assert_string_equal(a->gauges.item[0].head.where, "link 'arm', gauge 'root'");
  assert_string_equal(m->loads.item[0].head.where, "load 1");
  assert_string_equal(m->head.where, "");
  assert_int_equal(a->head.label->line, 5);
  assert_int_equal(m->materials.item[0].head.label->column, 13);
  assert_false(a->head.flawed);
  lim_model_free(m);
}

static void read_without_error_record_refuses_all_the_same(void **state) {
  (void)state;
  static const char *const wrong[] = {"",
                                      "[]",
                                      "limber: 1\n",
                                      RIGID "x: 1\n",
                                      RIGID "solver: {step: -1}\n",
                                      "limber: 1\nlinks: [{name: a, parent: b}]\n",
                                      "limber: 1\nlinks: [{nam: a}]\n",
                                      RIGID "drives: {shoulder: {type: motor}}\n",
                                      RIGID "a: [\n"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    lim_model *m;
    assert_int_equal(lim_model_parse(&m, wrong[i], (long)strlen(wrong[i]), "test.yaml", NULL, 0, NULL),
                     LIM_BAD_INPUT);
    assert_null(m);
  }
}

static void read_messages_follow_the_order_of_the_file(void **state) {
  (void)state;
  static const char text[] =
      "limber: 1\nlinks: [{name: a, parent: b, body: {mass: -1}}]\nsolver: {step: 0, stp: 1}\n";
  lim_error err = {0};
  lim_model *m;
  assert_int_equal(lim_model_parse(&m, text, sizeof text - 1, "test.yaml", NULL, 0, &err), LIM_BAD_INPUT);
  assert_int_equal(err.count, 4);
  for (int i = 1; i < err.kept; i++)
    assert_true(err.note[i - 1].line < err.note[i].line ||
                (err.note[i - 1].line == err.note[i].line && err.note[i - 1].column <= err.note[i].column));
  assert_string_equal(err.note[0].text, "link 'a': parent 'b' is not defined; defined: base, a");
  lim_error_clear(&err);
}

static void read_size_out_of_bounds_is_refused(void **state) {
  (void)state;
  lim_model *m;
  assert_int_equal(lim_model_parse(&m, "", -1, "test.yaml", NULL, 0, NULL), LIM_BAD_INPUT);
  assert_int_equal(lim_model_parse(&m, "", 1L << 40, "test.yaml", NULL, 0, NULL), LIM_BAD_INPUT);
}

static void request_without_text_or_place_is_refused(void **state) {
  (void)state;
  static const char text[] = "limber: 1\nlinks: [{name: a}]\n";
  long size = (long)sizeof text - 1;
  const char *none[] = {NULL};
  lim_model *m;
  lim_error err = {0};
  assert_int_equal(lim_model_parse(&m, NULL, 10, "x", NULL, 0, &err), LIM_BAD_INPUT);
  assert_int_equal(lim_model_parse(&m, text, -5, "x", NULL, 0, &err), LIM_BAD_INPUT);
  assert_int_equal(lim_model_parse(&m, text, size, NULL, NULL, 0, &err), LIM_BAD_INPUT);
  assert_int_equal(lim_model_parse(&m, text, size, "x", NULL, 3, &err), LIM_BAD_INPUT);
  assert_int_equal(lim_model_parse(&m, text, size, "x", none, 1, &err), LIM_BAD_INPUT);
  assert_int_equal(lim_model_parse(&m, text, size, "x", none, -1, &err), LIM_BAD_INPUT);
  assert_null(m);
  assert_int_equal(lim_model_parse(NULL, text, size, "x", NULL, 0, &err), LIM_BAD_INPUT);
  assert_int_equal(lim_model_load(&m, NULL, NULL, 0, &err), LIM_BAD_INPUT);
  assert_int_equal(lim_model_load(NULL, "x", NULL, 0, &err), LIM_BAD_INPUT);
  assert_int_equal(err.count, 9);
  lim_error_clear(&err);
  lim_model_free(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(read_minimal_model_has_all_defaults),
      cmocka_unit_test(read_records_not_written_have_no_node),
      cmocka_unit_test(read_units_arrive_in_si),
      cmocka_unit_test(read_short_forms_stand_for_their_records),
      cmocka_unit_test(read_word_rigid_stands_for_an_effort),
      cmocka_unit_test(read_kappa_is_one_number_or_a_pair),
      cmocka_unit_test(read_inertia_of_three_has_no_products),
      cmocka_unit_test(read_flags_are_on_and_off_or_true_and_false),
      cmocka_unit_test(read_whole_numbers_may_have_an_exponent),
      cmocka_unit_test(read_places_are_words_fractions_or_distances),
      cmocka_unit_test(read_every_kind_of_profile),
      cmocka_unit_test(read_profile_values_have_the_units_of_the_signal),
      cmocka_unit_test(read_effort_profile_has_efforts_as_values),
      cmocka_unit_test(read_names_that_stand_for_places_are_taken_where_they_clash),
      cmocka_unit_test(read_head_says_where_the_entry_stands),
      cmocka_unit_test(read_without_error_record_refuses_all_the_same),
      cmocka_unit_test(read_messages_follow_the_order_of_the_file),
      cmocka_unit_test(read_size_out_of_bounds_is_refused),
      cmocka_unit_test(request_without_text_or_place_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

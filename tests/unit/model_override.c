// model_override.c - tests of --set: which entry it replaces or adds, and where its messages point.
#include "model_fixture.h"

#define ARM "limber: 1\n" MATERIALS SECTIONS "links:\n  - {name: arm, " BEAM "}\n"

static lim_model *set(const char *text, const char *assignment) { return parse_with(text, &assignment, 1); }

static void override_scalar_replaces_it(void **state) {
  (void)state;
  lim_model *m = set(ARM, "links.arm.beam.length=500 mm");
  assert_near(m->links.item[0].beam.length, 0.5);
  lim_model_free(m);
}

static void override_missing_mappings_are_added(void **state) {
  (void)state;
  lim_model *m = set(ARM, "links.arm.joint.limits.effort=5 N m");
  assert_near(m->links.item[0].joint.limits.effort, 5);
  lim_model_free(m);
  m = set(ARM, "solver.step=2 ms");
  assert_near(m->solver.step, 2e-3);
  lim_model_free(m);
}

static void override_value_is_yaml(void **state) {
  (void)state;
  lim_model *m = set(ARM, "gravity=[0, -9.81, 0]");
  assert_vector(m->gravity, 0, -9.81, 0);
  lim_model_free(m);
  m = set(ARM, "links.arm.masses=[{mass: 2 kg, at: 0.5}]");
  assert_int_equal(m->links.item[0].masses.count, 1);
  assert_near(m->links.item[0].masses.item[0].mass, 2);
  lim_model_free(m);
  m = set(ARM, "name=a=b"); // only the first = separates
  assert_string_equal(m->title, "a=b");
  lim_model_free(m);
}

static void override_list_items_go_by_name_place_or_number(void **state) {
  (void)state;
  static const char text[] =
      ARM "loads:\n  - {at: arm.tip, force: [0, 0, 1]}\n  - {name: push, at: tip, force: [0, 0, 1]}\n";
  static const char *const by[] = {"loads.push.force=[3, 0, 0]", "loads.tip.force=[3, 0, 0]",
                                   "loads.1.force=[3, 0, 0]"};
  for (int i = 0; i < 3; i++) {
    lim_model *m = set(text, by[i]);
    assert_vector(m->loads.item[0].force, 0, 0, 1);
    assert_vector(m->loads.item[1].force, 3, 0, 0);
    lim_model_free(m);
  }
  lim_model *m = set(text, "loads.arm.tip.force=[3, 0, 0]"); // a label with a dot
  assert_vector(m->loads.item[0].force, 3, 0, 0);
  lim_model_free(m);
}

static void override_key_with_dot_is_found(void **state) {
  (void)state;
  static const char text[] =
      RIGID "motion: {arm.tip: {profile: quintic, line: {from: [0, 0, 0], to: [1, 0, 0]}, duration: 1}}\n";
  lim_model *m = set(text, "motion.arm.tip.duration=3 s");
  assert_near(m->motion.item[0].profile.list.item[0].duration, 3);
  lim_model_free(m);
}

static void override_later_one_wins(void **state) {
  (void)state;
  const char *const sets[] = {"links.arm.beam.length=1 m", "links.arm.beam.length=3 m"};
  lim_model *m = parse_with(ARM, sets, 2);
  assert_near(m->links.item[0].beam.length, 3);
  lim_model_free(m);
}

static void override_of_one_alias_leaves_the_other(void **state) {
  (void)state;
  lim_model *m = set("limber: 1\nlinks:\n  - {name: a, body: &b {mass: 1}}\n  - {name: b, body: *b}\n",
                     "links.b.body.mass=5");
  assert_near(m->links.item[0].body.mass, 1);
  assert_near(m->links.item[1].body.mass, 5);
  lim_model_free(m);
}

#define DRIVEN                                                                                                 \
  ARM "drives: {arm: {type: motor, motor: {rotor_inertia: 1e-4, ratio: 50}, gear: {stiffness: 2e4}}}\n"

static void override_null_removes_the_entry(void **state) {
  (void)state;
  static const char *const sets[] = {"drives.arm.gear=null", "drives.arm.gear=~", "drives.arm.gear= null "};
  for (int i = 0; i < 3; i++) {
    lim_model *m = set(DRIVEN, sets[i]);
    assert_null(m->drives.item[0].gear.head.node);
    assert_non_null(m->drives.item[0].motor.head.node);
    lim_model_free(m);
  }
  lim_model *m = set(DRIVEN, "drives=null");
  assert_int_equal(m->drives.count, 0);
  lim_model_free(m);
  m = set(DRIVEN, "name='null'"); // in quotes it is a text
  assert_string_equal(m->title, "null");
  lim_model_free(m);
}

static void override_null_removes_items_of_lists(void **state) {
  (void)state;
  static const char text[] = ARM "loads: [{name: a, at: tip, force: [1, 0, 0]}, {at: tip, force: [2, 0, 0]}, "
                                 "{name: c, at: tip, force: [3, 0, 0]}]\n";
  lim_model *m = set(text, "loads.a=null");
  assert_int_equal(m->loads.count, 2);
  assert_vector(m->loads.item[0].force, 2, 0, 0);
  assert_vector(m->loads.item[1].force, 3, 0, 0);
  lim_model_free(m);
  const char *const sets[] = {"loads.1=null", "loads.1=null"}; // what stood behind moves up
  m = parse_with(text, sets, 2);
  assert_int_equal(m->loads.count, 1);
  assert_vector(m->loads.item[0].force, 1, 0, 0);
  lim_model_free(m);
}

static void override_null_of_what_is_not_there_is_refused(void **state) {
  (void)state;
  static const struct {
    const char *set, *message;
  } wrong[] = {
      {"drives.arm.gaer=null", "'arm' has no entry 'gaer' to remove; did you mean 'gear'?"},
      {"drives.arm.control=null", "'arm' has no entry 'control' to remove; it has type, motor, gear"},
      {"drvies.arm=null", "the model has no entry 'drvies' to remove; did you mean 'drives'?"},
      {"links.amr=null", "'links' has no item 'amr'; did you mean 'arm'?"},
      {"limber=null", "'limber' is missing"},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) refuse_with(DRIVEN, wrong[i].set, wrong[i].message);
}

static void override_messages_name_the_override(void **state) {
  (void)state;
  lim_error err = {0};
  lim_model *m;
  const char *const sets[] = {"links.arm.beam.length=-1 m"};
  assert_int_equal(lim_model_parse(&m, ARM, (long)strlen(ARM), "test.yaml", sets, 1, &err), LIM_BAD_INPUT);
  assert_int_equal(err.count, 1);
  assert_string_equal(err.note[0].file, "--set links.arm.beam.length");
  assert_int_equal(err.note[0].line, 0);
  assert_string_equal(err.note[0].text, "link 'arm': length is -1 m, must be positive");
  lim_error_clear(&err);
}

static void override_wrong_paths_are_refused(void **state) {
  (void)state;
  static const struct {
    const char *set, *message;
  } wrong[] = {
      {"", "expected PATH=VALUE, as in links.upper.beam.length='0.5 m'"},
      {"name", "expected PATH=VALUE, as in links.upper.beam.length='0.5 m'"},
      {"=5", "expected PATH=VALUE, as in links.upper.beam.length='0.5 m'"},
      {"name=", "the value is missing; expected PATH=VALUE"},
      {"solver..step=1", "the path has an empty part"},
      {".name=1", "the path has an empty part"},
      {"links.amr.body=1", "'links' has no item 'amr'; did you mean 'arm'?"},
      {"links.-1.body=1", "'links' has no item '-1'; its items are arm"},
      {"links.1.body=1", "'links' has no item '1'; its items are arm"},
      {"links.99999999999999999999.body=1", "'links' has no item '99999999999999999999'; its items are arm"},
      {"limber.x=1", "'limber' is '1' and has no entries"},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) refuse_with(ARM, wrong[i].set, wrong[i].message);
}

static void override_below_added_entry_is_checked_as_written(void **state) {
  (void)state;
  refuse_with(ARM, "gravity.x=1", "gravity is a mapping, must be a list of 3 numbers");
  refuse_with(ARM, "links.arm.beem.length=1", "link 'arm': unknown key 'beem'; did you mean 'beam'?");
}

static void override_unnamed_items_are_counted_in_the_message(void **state) {
  (void)state;
  refuse_with(RIGID "loads: [{at: base, force: [0, 0, 1]}]\n", "loads.push.force=[0, 0, 1]",
              "'loads' has no item 'push'; its 1 items have numbers from 0");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(override_scalar_replaces_it),
      cmocka_unit_test(override_missing_mappings_are_added),
      cmocka_unit_test(override_value_is_yaml),
      cmocka_unit_test(override_list_items_go_by_name_place_or_number),
      cmocka_unit_test(override_key_with_dot_is_found),
      cmocka_unit_test(override_later_one_wins),
      cmocka_unit_test(override_of_one_alias_leaves_the_other),
      cmocka_unit_test(override_null_removes_the_entry),
      cmocka_unit_test(override_null_removes_items_of_lists),
      cmocka_unit_test(override_null_of_what_is_not_there_is_refused),
      cmocka_unit_test(override_messages_name_the_override),
      cmocka_unit_test(override_wrong_paths_are_refused),
      cmocka_unit_test(override_below_added_entry_is_checked_as_written),
      cmocka_unit_test(override_unnamed_items_are_counted_in_the_message),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

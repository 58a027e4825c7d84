// model_joint.c - tests of the kinds of joints: every row is whole, its freedoms are unit screws, and the words
// of the model file are those of the rows.
#include "model_fixture.h"

#include "math/rotation.h"
#include "model/joint.h"
#include "model/kinds.h"

static const double AXIS[3] = {0.6, 0, 0.8};

static void joint_freedoms_are_unit_screws_in_different_directions(void **state) {
  (void)state;
  for (int type = 0; type < lim_joint_kind_count(); type++) {
    const lim_joint_kind *kind = lim_joint_kind_of(&(lim_joint){.type = type});
    const lim_joint joint = {.type = type, .axis = {0.6, 0, 0.8}, .axis2 = {NAN, NAN, NAN}};
    lim_screw screw[LIM_MOST_FREEDOMS];
    for (int i = 0; i < kind->freedoms; i++) {
      screw[i] = (lim_screw){.slides = kind->freedom[i].slides};
      lim_freedom_direction(screw[i].slides ? screw[i].along : screw[i].about, &kind->freedom[i], &joint);
      assert_near(lim_screw_dot(&screw[i], screw[i].along, screw[i].about), 1);
      for (int k = 0; k < i; k++) assert_near(lim_screw_dot(&screw[i], screw[k].along, screw[k].about), 0);
    }
  }
}

static void joint_with_one_freedom_has_its_axis_as_screw(void **state) {
  (void)state;
  const lim_joint turning = {.type = lim_joint_type("revolute"), .axis = {0.6, 0, 0.8}};
  const lim_joint sliding = {.type = lim_joint_type("prismatic"), .axis = {0.6, 0, 0.8}};
  const double force[3] = {1, 2, 3}, moment[3] = {-4, 5, 6};
  const lim_screw turn = lim_joint_screw(&turning), slide = lim_joint_screw(&sliding);
  assert_near(lim_screw_dot(&turn, force, moment), lim_dot(AXIS, moment));
  assert_near(lim_screw_dot(&slide, force, moment), lim_dot(AXIS, force));
  assert_true(lim_joint_is_linear(&sliding) && !lim_joint_is_linear(&turning));
}

static void joint_without_or_with_many_freedoms_is_not_single(void **state) {
  (void)state;
  const lim_joint fixed = {.type = lim_joint_type("fixed")}, afloat = {.type = lim_joint_type("free")};
  assert_false(lim_joint_is_single(&fixed) || lim_joint_is_single(&afloat));
  assert_int_equal(lim_joint_type("hinge"), -1);
}

// What a row takes is a key of the joint's table, which asks the rows.
static void joint_keys_are_those_its_row_takes(void **state) {
  (void)state;
  const lim_table *links = lim_table_key(&lim_root_table, "links", NULL)->table;
  const lim_table *table = lim_table_key(links, "joint", NULL)->table;
  for (int i = 0; lim_joint_word(i); i++) {
    int taken = 0, listed = 0;
    const char *takes = lim_joint_row(i)->takes ? lim_joint_row(i)->takes : "";
    for (const lim_key *key = table->key; key->name; key++)
      if (key->only && lim_key_belongs(table, key, lim_joint_word(i))) taken++;
    for (const char *w = takes; *w; w++) listed += *w != ' ' && (w[1] == ' ' || !w[1]);
    assert_int_equal(taken, listed);
    assert_int_equal(lim_key_index(lim_table_key(table, "type", NULL), lim_joint_word(i)), i);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(joint_freedoms_are_unit_screws_in_different_directions),
      cmocka_unit_test(joint_with_one_freedom_has_its_axis_as_screw),
      cmocka_unit_test(joint_without_or_with_many_freedoms_is_not_single),
      cmocka_unit_test(joint_keys_are_those_its_row_takes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

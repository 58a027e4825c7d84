// model_freedoms.c - tests of joints with several freedoms, taken apart: links that are put in, names,
// directions, limits, configurations, and what users still count.
#include "model_fixture.h"

#include "limber/limber.h"
#include "math/rotation.h"
#include "model/joint.h"

#define HAND "body: {mass: 1, tip: [0, 0, 1]}"

static lim_model *model_of(const char *text) {
  lim_model *m;
  lim_error err = {0};
  lim_code code = lim_model_parse(&m, text, (long)strlen(text), "test.yaml", NULL, 0, &err);
  for (int i = 0; i < err.kept; i++) print_error("%s\n", err.note[i].text);
  assert_int_equal(code, LIM_OK);
  lim_error_clear(&err);
  return m;
}

static void freedoms_are_joints_with_links_between(void **state) {
  (void)state;
  lim_model *m = model_of(
      "limber: 1\nlinks:\n  - {name: arm, " HAND "}\n"
      "  - {name: hand, joint: {name: wrist, type: planar, axis: [1, 0, 0], origin: {xyz: [1, 2, 3]}}, " HAND
      "}\n  - {name: tool, parent: hand, " HAND "}\n");
  static const char *const names[] = {"arm", "wrist.x", "wrist.y", "wrist.turn", "tool"};
  assert_int_equal(m->links.count, 5);
  for (int i = 0; i < 5; i++) {
    const lim_link *a = &m->links.item[i];
    assert_string_equal(a->joint.head.name, names[i]);
    assert_int_equal(a->parent.index, i - 1);
    assert_true(lim_link_is_inserted(a) == (i == 1 || i == 2));
    assert_true((a->joint.origin.xyz[0] == 1) == (i == 1));
    assert_true((a->body.head.node != NULL) == !lim_link_is_inserted(a));
  }
  assert_vector(m->links.item[1].joint.axis, 0, 1, 0); // x is along the axis: y stands in
  assert_vector(m->links.item[2].joint.axis, 0, 0, 1);
  assert_vector(m->links.item[3].joint.axis, 1, 0, 0);
  assert_true(lim_joint_is_linear(&m->links.item[1].joint) && !lim_joint_is_linear(&m->links.item[3].joint));
  assert_int_equal(lim_whole_link(m, 1), 3);
  assert_int_equal(lim_first_part(m, 3), 1);
  lim_model_free(m);
}

static void users_count_what_they_wrote(void **state) {
  (void)state;
  lim_model *m = model_of("limber: 1\nlinks:\n  - {name: sat, joint: {name: afloat, type: free}, " HAND "}\n"
                          "  - {name: arm, " HAND
                          "}\n  - {name: ball, parent: sat, joint: {type: spherical}, " HAND "}\n");
  static const char *const links[] = {"sat", "arm", "ball"}, *const joints[] = {"afloat", "arm", "ball"},
                           *const kinds[] = {"free", "revolute", "spherical"};
  static const int parents[] = {-1, 0, 0};
  assert_int_equal(lim_model_links(m), 3);
  for (int i = 0; i < 3; i++) {
    assert_string_equal(lim_model_link_name(m, i), links[i]);
    assert_string_equal(lim_model_joint_name(m, i), joints[i]);
    assert_string_equal(lim_model_joint_kind(m, i), kinds[i]);
    assert_int_equal(lim_model_link_parent(m, i), parents[i]);
  }
  assert_null(lim_model_link_name(m, 3));
  lim_model_free(m);
}

static void second_axis_is_across_the_first_unless_given(void **state) {
  (void)state;
  static const struct {
    const char *keys;
    double second[3];
  } cases[] = {
      {"axis: [0, 0, 2]", {0, 1, 0}},
      {"axis: [0, 3, 0]", {0, 0, 1}},
      {"axis: [0, 1, 1]", {0, 0.70710678118654752, -0.70710678118654752}},
      {"axis: [1, 0, 0], axis2: [1, 1, 0]", {0.70710678118654752, 0.70710678118654752, 0}},
  };
  for (int i = 0; i < 4; i++) {
    char text[300];
    snprintf(text, sizeof text, "limber: 1\nlinks: [{name: a, joint: {type: universal, %s}, " HAND "}]\n",
             cases[i].keys);
    lim_model *m = model_of(text);
    for (int k = 0; k < 3; k++) assert_near(m->links.item[1].joint.axis[k], cases[i].second[k]);
    lim_model_free(m);
  }
}

static void limits_and_configuration_go_to_their_freedoms(void **state) {
  (void)state;
  lim_model *m = model_of("limber: 1\nlinks:\n  - {name: a, joint: {type: cylindrical, limits: {turn: "
                          "{position: [-10 deg, 1], effort: 3}, "
                          "slide: {velocity: 2 m/s}}}, " HAND
                          "}\nconfiguration: {a: {slide: 10 cm, turn: {position: 0.5, velocity: 2}}}\n"
                          "motion: {a.slide: {profile: cycloidal, from: 0.1, to: 1, duration: 1}}\ndrives: "
                          "{a.turn: {type: servo, stiffness: 1}}\n");
  const lim_joint *slide = &m->links.item[0].joint, *turn = &m->links.item[1].joint;
  assert_near(turn->limits.position[0], -10 * M_PI / 180);
  assert_near(turn->limits.effort, 3);
  assert_near(slide->limits.velocity, 2);
  assert_true(isnan(slide->limits.effort) && isnan(turn->limits.velocity));
  assert_int_equal(m->configuration.count, 2);
  assert_int_equal(m->configuration.item[0].joint, 0);
  assert_near(m->configuration.item[0].position[0], 0.1);
  assert_near(m->configuration.item[1].velocity[0], 2);
  assert_int_equal(m->motion.item[0].joint, 0);
  assert_int_equal(m->drives.item[0].joint, 1);
  lim_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(freedoms_are_joints_with_links_between),
      cmocka_unit_test(users_count_what_they_wrote),
      cmocka_unit_test(second_axis_is_across_the_first_unless_given),
      cmocka_unit_test(limits_and_configuration_go_to_their_freedoms),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

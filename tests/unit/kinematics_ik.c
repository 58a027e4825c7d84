// kinematics_ik.c - solvers: which way suits a chain, memory, names.
#include "kinematics_fixture.h"

#include "memory_fixture.h"

#define LINK(name, length) "  - {name: " name ", body: {mass: 1, tip: [" length ", 0, 0]}}\n"

static lim_ik_method method_of(const char *links, lim_goal_kind kind) {
  char text[2000];
  snprintf(text, sizeof text, "limber: 1\nlinks:\n%s", links);
  arm a = arm_of(text, "tip", kind);
  lim_ik_method m = lim_ik_method_of(a.ik);
  arm_free(&a);
  return m;
}

static void closed_forms_are_chosen_where_there_is_one(void **state) {
  (void)state;
  const char *two = LINK("a", "1") LINK("b", "1"), *three = LINK("a", "1") LINK("b", "1") LINK("c", "1");
  const char *spatial = "  - {name: o, body: {mass: 1, tip: [0, 0, 1]}}\n"
                        "  - {name: p, joint: {axis: [0, 1, 0]}, body: {mass: 1, tip: [0, 0, 1]}}\n"
                        "  - {name: q, joint: {axis: [0, 1, 0]}, body: {mass: 1, tip: [0, 0, 1]}}\n";
  assert_int_equal(method_of(two, LIM_GOAL_POSITION), LIM_IK_PLANAR);
  assert_int_equal(method_of(two, LIM_GOAL_POSE), LIM_IK_SEARCH);
  assert_int_equal(method_of(three, LIM_GOAL_POSE), LIM_IK_PLANAR);
  assert_int_equal(method_of(three, LIM_GOAL_POSITION), LIM_IK_SEARCH); // many solutions
  assert_int_equal(method_of(spatial, LIM_GOAL_POSITION), LIM_IK_POINT);
  assert_int_equal(method_of(spatial, LIM_GOAL_POSE), LIM_IK_SEARCH);
  // axes in one line, or slides along one line, place nothing
  assert_int_equal(method_of("  - {name: a}\n" LINK("b", "1"), LIM_GOAL_POSITION), LIM_IK_SEARCH);
  assert_int_equal(
      method_of("  - {name: a, joint: {type: prismatic}}\n  - {name: b, joint: {type: prismatic}}\n"
                "  - {name: c, joint: {axis: [1, 0, 0]}, body: {mass: 1, tip: [0, 1, 0]}}\n",
                LIM_GOAL_POSITION),
      LIM_IK_SEARCH);
}

// Three slides and a skew wrist, so that every kind of joint and every way is met.
static const char *const texts[] = {
    "limber: 1\nlinks:\n" LINK("a", "1") LINK("b", "1") LINK("c", "0.5"),
    "limber: 1\nlinks:\n" LINK("a", "1") LINK("b", "1")
        LINK("c", "0.5") "  - {name: d, joint: {axis: [0, 1, 0]}, body: {mass: 1, tip: [0.2, 0, 0]}}\n",
};

static void solving_makes_no_allocation(void **state) {
  (void)state;
  for (int i = 0; i < 6; i++) {
    lim_goal_kind kind = i % 2 ? LIM_GOAL_POSITION : LIM_GOAL_POSE;
    arm a = i < 4 ? arm_of(texts[i / 2], "tip", kind) : arm_load("models/six-axis.yaml", "tool", kind);
    double q[8] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6}, x[8], near[8] = {0};
    lim_goal g = arm_goal(&a, q);
    calls = 0;
    forbidden = true;
    lim_ik_outcome out = lim_ik_near(a.ik, x, &g, near);
    lim_ik_all(a.ik, a.solution, MOST_SOLUTIONS, NULL, &g, near);
    g.position[0] += 10;
    lim_ik_outcome gone = lim_ik_near(a.ik, x, &g, near);
    forbidden = false;
    assert_int_equal(calls, 0);
    assert_true(out.reached);
    assert_false(gone.reached);
    arm_free(&a);
  }
}

static void solving_closed_chains_makes_no_allocation(void **state) {
  (void)state;
  arm a = arm_load("models/five-bar.yaml", "pin-point", LIM_GOAL_POSITION);
  lim_goal g = {.position = {0.05, 0.35, 0}};
  double x[4], J[24];
  lim_world_pose at;
  calls = 0;
  forbidden = true;
  lim_ik_outcome out = lim_ik_near(a.ik, x, &g, a.c->start);
  lim_ik_all(a.ik, a.solution, MOST_SOLUTIONS, NULL, &g, a.c->start);
  lim_ik_pose(&at, J, a.ik, x);
  lim_ik_close(a.ik, x);
  g.position[0] += 10;
  lim_ik_outcome gone = lim_ik_near(a.ik, x, &g, a.c->start);
  forbidden = false;
  assert_int_equal(calls, 0);
  assert_true(out.reached && !gone.reached);
  arm_free(&a);
}

static void check_memory(const char *model, const char *frame) {
  arm a = arm_load(model, frame, LIM_GOAL_POSE);
  for (long n = 1;; n++) {
    lim_chain *c = NULL;
    lim_ik *ik = NULL;
    fail_call(n);
    lim_code code = lim_chain_new(&c, a.s, a.site, NULL, NULL, NULL);
    if (code == LIM_OK) code = lim_ik_new(&ik, c, LIM_GOAL_POSE, NULL);
    lim_ik_free(ik);
    lim_chain_free(c);
    assert_int_equal(live, 0);
    if (code == LIM_OK && calls < n) break;
    assert_int_equal(code, LIM_NO_MEMORY);
  }
  fail_call(0);
  arm_free(&a);
}

static void memory_that_is_out_is_said_and_none_is_lost(void **state) {
  (void)state;
  check_memory("models/six-axis.yaml", "tool");
  check_memory("models/five-bar.yaml", "pin-point");
}

static void result_may_be_the_posture_itself(void **state) {
  (void)state;
  arm a = arm_load("models/six-axis.yaml", "tool", LIM_GOAL_POSE);
  const double q[6] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6};
  double x[6] = {0}, y[6], near[6] = {0};
  lim_goal g = arm_goal(&a, q);
  assert_true(lim_ik_near(a.ik, y, &g, near).reached);
  assert_true(lim_ik_near(a.ik, x, &g, x).reached);
  assert_memory_equal(x, y, sizeof x);
  arm_free(&a);
}

static void solutions_beyond_the_room_are_counted(void **state) {
  (void)state;
  arm a = arm_load("models/six-axis.yaml", "tool", LIM_GOAL_POSE);
  const double q[6] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6};
  double x[18], near[6] = {0};
  lim_goal g = arm_goal(&a, q);
  int all = lim_ik_all(a.ik, a.solution, MOST_SOLUTIONS, NULL, &g, near);
  x[12] = 77;
  assert_true(all > 2);
  assert_int_equal(lim_ik_all(a.ik, x, 2, NULL, &g, near), all);
  assert_memory_equal(x, a.solution, 12 * sizeof *x);
  assert_true(x[12] == 77);
  arm_free(&a);
}

static void singularities_have_names(void **state) {
  (void)state;
  char text[96];
  assert_string_equal(lim_ik_singular_name(text, 0), "");
  assert_string_equal(lim_ik_singular_name(text, LIM_SINGULAR_ELBOW), "elbow");
  assert_string_equal(lim_ik_singular_name(text, 15), "wrist and elbow and shoulder and a direction is lost");
  assert_string_equal(lim_ik_singular_name(text, LIM_SINGULAR_HELD), "held joints do not hold it");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(closed_forms_are_chosen_where_there_is_one),
      cmocka_unit_test(solving_makes_no_allocation),
      cmocka_unit_test(solving_closed_chains_makes_no_allocation),
      cmocka_unit_test(memory_that_is_out_is_said_and_none_is_lost),
      cmocka_unit_test(result_may_be_the_posture_itself),
      cmocka_unit_test(solutions_beyond_the_room_are_counted),
      cmocka_unit_test(singularities_have_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

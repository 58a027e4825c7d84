// kinematics_freedoms.c - motions that loops leave: of a linkage with redundant rows, of rods that spin between
// balls, of a mechanism with more freedoms than its frame.
#include "kinematics_fixture.h"

// J against differences of the frame, the loops closed again by the joints that follow.
static double jacobian_error(arm *a, const double *start) {
  const double h = 1e-6;
  int n = a->c->n;
  double *J = calloc(6 * (size_t)n, sizeof *J), *q = calloc((size_t)n, sizeof *q), worst = 0;
  lim_world_pose at[2];
  lim_ik_pose(&at[0], J, a->ik, start);
  for (int k = 0; k < n; k++) {
    if (a->c->joint[k].follows) continue;
    for (int side = 0; side < 2; side++) {
      memcpy(q, start, (size_t)n * sizeof *q);
      q[k] += side ? h : -h;
      assert_true(lim_ik_close(a->ik, q));
      lim_ik_pose(&at[side], NULL, a->ik, q);
    }
    for (int i = 0; i < 3; i++) worst = fmax(worst, fabs((at[1].p[i] - at[0].p[i]) / (2 * h) - J[6 * k + i]));
  }
  free(J);
  free(q);
  return worst;
}

static void linkage_in_space_has_one_freedom(void **state) {
  (void)state;
  arm a = arm_load("models/four-bar.yaml", "coupler.tip", LIM_GOAL_POSITION);
  assert_int_equal(lim_ik_freedoms(a.ik, a.c->start), 1);
  assert_true(jacobian_error(&a, a.c->start) < 1e-9);
  lim_goal g = arm_goal(&a, a.c->start);
  assert_int_equal(lim_ik_evaluate(a.ik, &g, a.c->start).singular, 0);
  arm_free(&a);
}

// A slider on a rod between two balls, which may spin: the spin moves no frame, and is no singularity.
static void rods_that_spin_between_balls_move_nothing(void **state) {
  (void)state;
  arm a =
      arm_of("limber: 1\n"
             "links:\n"
             "  - {name: crank, body: {mass: 1, tip: [0.1, 0, 0]}}\n"
             "  - {name: rod, joint: {name: ball, type: spherical}, body: {mass: 1, tip: [0.3, 0, 0]}}\n"
             "  - {name: slider, parent: base, joint: {name: slide, type: prismatic, axis: [1, 0, 0], origin: "
             "{xyz: [0, 0, 0.05]}}, body: {mass: 1}}\n"
             "loops: [{name: other, type: spherical, between: [rod.tip, slider.base]}]\n"
             "drives: {crank: {type: prescribed}}\n"
             "configuration: {crank: 1, slide: 0.3, ball: {rpy: [0, 0, -1.3]}}\n",
             "slider.base", LIM_GOAL_POSITION);
  assert_int_equal(lim_ik_freedoms(a.ik, a.c->start), 1);
  assert_true(jacobian_error(&a, a.c->start) < 1e-9);
  lim_goal g = arm_goal(&a, a.c->start);
  assert_int_equal(lim_ik_evaluate(a.ik, &g, a.c->start).singular, 0);
  // Crank and rod in line in the plane: the slider is at its dead centre.
  g.position[0] = 0.1 + sqrt(0.09 - 0.0025);
  lim_ik_outcome out = lim_ik_near(a.ik, a.solution, &g, a.c->start);
  assert_true(out.reached);
  assert_int_equal(out.singular, LIM_SINGULAR_OTHER);
  arm_free(&a);
}

// Three joints of a plane move a point in two directions: not a singularity, in an open chain either.
static void planar_arm_with_a_joint_to_spare_is_not_singular(void **state) {
  (void)state;
  arm a = arm_of(
      "limber: 1\nlinks:\n  - {name: a, body: {mass: 1, tip: [1, 0, 0]}}\n"
      "  - {name: b, body: {mass: 1, tip: [1, 0, 0]}}\n  - {name: c, body: {mass: 1, tip: [0.5, 0, 0]}}\n",
      "tip", LIM_GOAL_POSITION);
  const double bent[3] = {0.3, 0.8, -0.4}, straight[3] = {0.3, 0, 0};
  lim_goal g = arm_goal(&a, bent);
  assert_int_equal(lim_ik_evaluate(a.ik, &g, bent).singular, 0);
  assert_int_equal(lim_ik_evaluate(a.ik, &g, straight).singular, LIM_SINGULAR_OTHER);
  assert_int_equal(lim_ik_freedoms(a.ik, bent), 3);
  arm_free(&a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(linkage_in_space_has_one_freedom),
      cmocka_unit_test(rods_that_spin_between_balls_move_nothing),
      cmocka_unit_test(planar_arm_with_a_joint_to_spare_is_not_singular),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

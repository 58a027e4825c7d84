// ik_planar.c - planar arms with two and three joints against the law of cosines, also with a slide, turned out
// of the world's planes, and out of reach; a SCARA arm.
#include "kinematics_fixture.h"
#include "table_fixture.h"

enum { POSES = 20000 };

// The arm lies in a plane of its own: everything hangs on a link that is turned and moved.
#define BASE                                                                                                   \
  "limber: 1\nlinks:\n  - {name: post, joint: {type: fixed, origin: {xyz: [0.1, -0.2, 0.3], rpy: [0.4, -0.7, " \
  "1.1]}}}\n"
#define LINK(name, length) "  - {name: " name ", body: {mass: 1, tip: [" length ", 0, 0]}}\n"

static const char two[] = BASE LINK("a", "0.5") LINK("b", "0.3");
static const char three[] = BASE LINK("a", "0.5") LINK("b", "0.3") LINK("c", "0.2");

// A point of the plane in the world.
static void put(double out[3], double x, double y) {
  double R[9], at[3] = {x, y, 0};
  lim_rotation_rpy(R, (const double[3]){0.4, -0.7, 1.1});
  lim_rotate(out, R, at);
  out[0] += 0.1;
  out[1] -= 0.2;
  out[2] += 0.3;
}

// Both elbows by the law of cosines: q[0], q[1].
static void cosines(double q[2][2], double x, double y, double l1, double l2) {
  double bend = acos((x * x + y * y - l1 * l1 - l2 * l2) / (2 * l1 * l2));
  for (int s = 0; s < 2; s++) {
    q[s][1] = s ? -bend : bend;
    q[s][0] = atan2(y, x) - atan2(l2 * sin(q[s][1]), l1 + l2 * cos(q[s][1]));
  }
}

static double nearest_of(const arm *a, int count, const double *q) {
  double min = INFINITY;
  for (int i = 0; i < count; i++) min = fmin(min, arm_apart(a, a->solution + i * a->c->n, q));
  return min;
}

static void two_joints_match_the_law_of_cosines(void **state) {
  (void)state;
  arm a = arm_of(two, "tip", LIM_GOAL_POSITION);
  assert_int_equal(lim_ik_method_of(a.ik), LIM_IK_PLANAR);
  unsigned seed = 3;
  double worst = 0;
  int both = 0;
  for (int i = 0; i < POSES; i++) {
    double r = 0.5 + 0.29 * noise(&seed), f = 3.14 * noise(&seed), q[2][2], near[2] = {0};
    lim_goal g = {.R = {0}};
    put(g.position, r * cos(f), r * sin(f));
    cosines(q, r * cos(f), r * sin(f), 0.5, 0.3);
    int count = lim_ik_all(a.ik, a.solution, MOST_SOLUTIONS, NULL, &g, near);
    both += count == 2;
    for (int s = 0; s < 2; s++) worst = fmax(worst, nearest_of(&a, count, q[s]));
  }
  table_head("planar 2R");
  table_row("points with two solutions", both, POSES, 0, "two elbows");
  table_bound("largest difference of joints [rad]", worst, 1e-11, "law of cosines");
  arm_free(&a);
}

static void three_joints_match_the_law_of_cosines(void **state) {
  (void)state;
  arm a = arm_of(three, "tip", LIM_GOAL_POSE);
  assert_int_equal(lim_ik_method_of(a.ik), LIM_IK_PLANAR);
  unsigned seed = 5;
  double worst = 0, distance, angle, left = 0;
  int both = 0;
  for (int i = 0; i < POSES; i++) {
    double r = 0.5 + 0.29 * noise(&seed), f = 3.14 * noise(&seed), turned = 3.14 * noise(&seed), q[2][2],
           near[3] = {0};
    double base[9], turn[9];
    lim_goal g;
    put(g.position, r * cos(f) + 0.2 * cos(turned), r * sin(f) + 0.2 * sin(turned));
    lim_rotation_rpy(base, (const double[3]){0.4, -0.7, 1.1});
    lim_rotation_axis(turn, (const double[3]){0, 0, 1}, turned);
    lim_mat3_product(g.R, base, turn);
    cosines(q, r * cos(f), r * sin(f), 0.5, 0.3);
    int count = lim_ik_all(a.ik, a.solution, MOST_SOLUTIONS, NULL, &g, near);
    both += count == 2;
    for (int s = 0; s < 2; s++) {
      double expected[3] = {q[s][0], q[s][1], turned - q[s][0] - q[s][1]};
      worst = fmax(worst, nearest_of(&a, count, expected));
    }
    for (int s = 0; s < count; s++) {
      arm_left(&distance, &angle, &a, &g, a.solution + 3 * s);
      left = fmax(left, fmax(distance, angle));
    }
  }
  table_head("planar 3R");
  table_row("poses with two solutions", both, POSES, 0, "two elbows");
  table_bound("largest difference of joints [rad]", worst, 1e-11, "law of cosines");
  table_bound("largest way left [m, rad]", left, 1e-13, "kinematics of the system");
  arm_free(&a);
}

// Polar and Cartesian arms: what they place follows from their joints at once.
static void slides_of_planar_arms_are_solved(void **state) {
  (void)state;
  static const struct {
    const char *name, *links;
    int solutions;
  } arms[] = {
      {"turn, slide",
       "  - {name: a, joint: {origin: {xyz: [0.1, 0.2, 0]}}}\n  - {name: b, joint: {type: prismatic, axis: [1, "
       "0, 0]}, "
       "body: {mass: 1, tip: [0.2, 0.1, 0]}}\n",
       2},
      {"slide, turn",
       "  - {name: a, joint: {type: prismatic, axis: [1, 0, 0]}}\n  - {name: b, body: {mass: 1, tip: [0.7, "
       "0.1, 0]}}\n",
       2},
      {"slide, slide",
       "  - {name: a, joint: {type: prismatic, axis: [1, 0, 0]}}\n  - {name: b, joint: {type: prismatic, axis: "
       "[0.2, 1, "
       "0]}}\n  - {name: c, body: {mass: 1}}\n",
       1},
  };
  table_head("planar arms with slides");
  for (size_t k = 0; k < sizeof arms / sizeof *arms; k++) {
    char text[1000];
    snprintf(text, sizeof text, BASE "%s", arms[k].links);
    bool pose = k == 2; // two slides and a turn
    arm a = arm_of(text, "tip", pose ? LIM_GOAL_POSE : LIM_GOAL_POSITION);
    assert_int_equal(lim_ik_method_of(a.ik), LIM_IK_PLANAR);
    unsigned seed = 7;
    int found = 0, all = 0;
    for (int i = 0; i < POSES; i++) {
      double q[3], near[3] = {0};
      arm_random(&a, q, 2, &seed);
      lim_goal g = arm_goal(&a, q);
      int count = lim_ik_all(a.ik, a.solution, MOST_SOLUTIONS, NULL, &g, near);
      all += count == arms[k].solutions;
      found += nearest_of(&a, count, q) < 1e-6;
    }
    table_row(arms[k].name, found, POSES, 0, "joints found again");
    table_row(arms[k].name, all, POSES, 0, "number of solutions");
    arm_free(&a);
  }
}

static double left_of(arm *a, double x, double y, double above, lim_ik_outcome *out) {
  double q[3], near[3] = {0.1, 0.2, 0.3}, normal[3], origin[3];
  lim_goal g;
  put(origin, 0, 0);
  put(g.position, x, y);
  double e1[3], e2[3];
  put(e1, 1, 0);
  put(e2, 0, 1);
  for (int i = 0; i < 3; i++) {
    e1[i] -= origin[i];
    e2[i] -= origin[i];
  }
  lim_cross(normal, e1, e2);
  for (int i = 0; i < 3; i++) g.position[i] += above * normal[i];
  *out = lim_ik_near(a->ik, q, &g, near);
  return out->distance;
}

static void points_out_of_reach_leave_the_distance_of_geometry(void **state) {
  (void)state;
  lim_ik_outcome out;
  arm a = arm_of(two, "tip", LIM_GOAL_POSITION);
  table_head("planar 2R of 0.5 and 0.3 m: distance left [m]");
  table_row("too far, at 1.3 m", left_of(&a, 1.3 * cos(2), 1.3 * sin(2), 0, &out), 0.5, 1e-12, "1.3 - 0.8");
  assert_false(out.reached);
  assert_int_equal(out.singular, LIM_SINGULAR_ELBOW);
  assert_int_equal(out.beyond, -1);
  table_row("too near, at 0.05 m", left_of(&a, 0.03, -0.04, 0, &out), 0.15, 1e-12, "0.2 - 0.05");
  assert_false(out.reached);
  table_row("beside the plane by 0.1 m", left_of(&a, 0.4, 0.3, 0.1, &out), 0.1, 1e-12, "0.1");
  assert_false(out.reached);
  table_row("beside and too far", left_of(&a, 0.9, 0, 0.1, &out), hypot(0.1, 0.1), 1e-12, "hypot(0.1, 0.1)");
  table_bound("just within reach", left_of(&a, 0.8 - 1e-9, 0, 0, &out), 1e-11, "0");
  assert_true(out.reached);
  table_bound("stretched", left_of(&a, 0.8, 0, 0, &out), 1e-11, "0");
  assert_true(out.reached);
  assert_int_equal(out.singular, LIM_SINGULAR_ELBOW);
  table_bound("folded", left_of(&a, 0, 0.2, 0, &out), 1e-11, "0");
  assert_true(out.reached);
  assert_int_equal(out.singular, LIM_SINGULAR_ELBOW);
  arm_free(&a);
}

// An elbow that bends from 0 to 90 deg only: no nearer than hypot(0.5, 0.3).
static void limits_leave_the_distance_of_geometry(void **state) {
  (void)state;
  arm a = arm_of(
      "limber: 1\nlinks:\n" LINK("a", "0.5") "  - {name: b, joint: {limits: {position: [0, 90 deg]}}, body: "
                                             "{mass: 1, tip: [0.3, 0, 0]}}\n",
      "tip", LIM_GOAL_POSITION);
  lim_goal g = {.position = {0.24, 0.32, 0}};
  double q[2], near[2] = {0.2, 0.3};
  lim_ik_outcome out = lim_ik_near(a.ik, q, &g, near);
  table_head("planar 2R, elbow from 0 to 90 deg");
  table_row("goal at 0.4 m: distance left [m]", out.distance, hypot(0.5, 0.3) - 0.4, 1e-12,
            "hypot(0.5, 0.3) - 0.4");
  table_row("elbow [rad]", q[1], M_PI / 2, 1e-12, "at its limit");
  assert_false(out.reached);
  assert_int_equal(out.beyond, 1);
  g.position[0] = 0.6;
  g.position[1] = 0.1;
  assert_int_equal(lim_ik_all(a.ik, a.solution, MOST_SOLUTIONS, &out, &g, near), 1); // one elbow of two
  assert_true(a.solution[1] > 0);
  arm_free(&a);
}

// Turn, turn, slide along, turn along: a point and an angle.
static void scara_is_solved_in_closed_form(void **state) {
  (void)state;
  arm a = arm_of(
      "limber: 1\nlinks:\n" LINK("a", "0.4") LINK(
          "b",
          "0.3") "  - {name: c, joint: {type: prismatic, axis: [0, 0, -1], limits: {position: [0, 0.2]}}}\n"
                 "  - {name: d, joint: {axis: [0, 0, -1]}, body: {mass: 1, tip: [0.05, 0, -0.1]}}\n",
      "tip", LIM_GOAL_POSE);
  assert_int_equal(lim_ik_method_of(a.ik), LIM_IK_POINT);
  unsigned seed = 9;
  int found = 0, two_elbows = 0;
  for (int i = 0; i < POSES; i++) {
    double q[4], near[4] = {0};
    arm_random(&a, q, 3.1, &seed);
    lim_goal g = arm_goal(&a, q);
    int count = lim_ik_all(a.ik, a.solution, MOST_SOLUTIONS, NULL, &g, near);
    two_elbows += count == 2;
    found += nearest_of(&a, count, q) < 1e-6;
  }
  table_head("SCARA");
  table_row("joints found again", found, POSES, 0, "all of them");
  table_row("poses with two solutions", two_elbows, POSES, 0, "two elbows");
  lim_goal g = arm_goal(&a, (const double[4]){0.3, 0.5, 0.1, 0});
  double q[4], tilt[9], R[9];
  lim_rotation_axis(tilt, (const double[3]){1, 0, 0}, 0.1);
  lim_mat3_product(R, tilt, g.R);
  memcpy(g.R, R, sizeof R);
  lim_ik_outcome out = lim_ik_near(a.ik, q, &g, (const double[4]){0});
  table_row("tilted goal: angle left [rad]", out.angle, 0.1, 1e-9, "it cannot tilt");
  assert_false(out.reached);
  arm_free(&a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(two_joints_match_the_law_of_cosines),
      cmocka_unit_test(three_joints_match_the_law_of_cosines),
      cmocka_unit_test(slides_of_planar_arms_are_solved),
      cmocka_unit_test(points_out_of_reach_leave_the_distance_of_geometry),
      cmocka_unit_test(limits_leave_the_distance_of_geometry),
      cmocka_unit_test(scara_is_solved_in_closed_form),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

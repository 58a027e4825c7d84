// ik_six_axis.c - arms whose last three axes meet: every pose that they reach is solved in closed form, all solutions
// are there, every one is looked at by a path of its own; goals out of reach are refused with the right distance.
#include "kinematics_fixture.h"
#include "table_fixture.h"

#include <time.h>

typedef struct {
  int poses, solved, returned, most;
  long solutions;
  double distance, angle, nearest; // largest errors; smallest difference of two solutions of a pose
} tally;

static void look_at_all(tally *t, arm *a, const lim_goal *g, const double *q, int count) {
  int n = a->c->n;
  bool back = false;
  for (int i = 0; i < count; i++) {
    double distance, angle;
    const double *x = a->solution + i * n;
    arm_left(&distance, &angle, a, g, x);
    t->distance = fmax(t->distance, distance);
    t->angle = fmax(t->angle, angle);
    back = back || arm_apart(a, x, q) < 1e-5;
    for (int k = 0; k < i; k++) t->nearest = fmin(t->nearest, arm_apart(a, x, a->solution + k * n));
    for (int k = 0; k < n; k++)
      if (x[k] < a->c->joint[k].low - 1e-9 || x[k] > a->c->joint[k].high + 1e-9) fail_msg("beyond a limit");
  }
  t->returned += back;
  t->solutions += count;
  if (count > t->most) t->most = count;
}

// Poses of random joints: all of them solved, the joints among the solutions.
static tally round_trip(arm *a, int poses, double reach) {
  tally t = {.poses = poses, .nearest = INFINITY};
  double q[8], near[8] = {0};
  unsigned seed = 7;
  for (int i = 0; i < poses; i++) {
    arm_random(a, q, reach, &seed);
    lim_goal g = arm_goal(a, q);
    lim_ik_outcome first;
    int count = lim_ik_all(a->ik, a->solution, MOST_SOLUTIONS, &first, &g, near);
    t.solved += first.reached && count > 0;
    look_at_all(&t, a, &g, q, count);
  }
  return t;
}

static void report(const tally *t, const char *what) {
  table_head(what);
  table_row("poses solved", t->solved, t->poses, 0, "all of them");
  table_row("joints found again", t->returned, t->poses, 0, "all of them");
  table_bound("largest distance left [m]", t->distance, 1e-10, "kinematics of the system");
  table_bound("largest angle left [rad]", t->angle, 1e-10, "kinematics of the system");
  table_bound("1/smallest difference of solutions", 1 / t->nearest, 1e6, "distinct");
  printf("%-52s %16.3f, at most %d\n", "solutions per pose", (double)t->solutions / t->poses, t->most);
  assert_in_range(t->most, 1, 8);
}

static void hundred_thousand_poses_of_the_six_axis_arm_are_solved(void **state) {
  (void)state;
  arm a = arm_load("models/six-axis.yaml", "tool", LIM_GOAL_POSE);
  assert_int_equal(lim_ik_method_of(a.ik), LIM_IK_WRIST);
  clock_t start = clock();
  tally t = round_trip(&a, 100000, INFINITY);
  report(&t, "models/six-axis.yaml, within its limits");
  printf("%-52s %16.1f us\n", "time per pose, all solutions, with their check", (double)(clock() - start) / CLOCKS_PER_SEC * 10);
  arm_free(&a);
}

// --- other geometries ---

// Three joints before a wrist with skew axes.
#define WRIST                                                                                                  \
  "  - {name: d, joint: {axis: [1, 0.2, 0], origin: {xyz: [0.3, 0.05, 0.1]}}}\n"                                  \
  "  - {name: e, joint: {axis: [0, 1, 0.3]}}\n"                                                                   \
  "  - {name: f, joint: {axis: [0.9, 0, 0.5]}}\n"                                                                 \
  "frames: [{name: tool, on: f, xyz: [0.02, 0.05, 0.1], rpy: [0.3, 0.2, 0.1]}]\n"
#define SPHERE                                                                                                 \
  "  - {name: d, joint: {axis: [1, 0, 0], origin: {xyz: [0.3, 0.05, 0.1]}}}\n"                                    \
  "  - {name: e, joint: {axis: [0, 1, 0]}}\n"                                                                     \
  "  - {name: f, joint: {axis: [0, 0, 1]}}\n"                                                                     \
  "frames: [{name: tool, on: f, xyz: [0.02, 0.05, 0.1], rpy: [0.3, 0.2, 0.1]}]\n"

typedef struct {
  const char *name, *links;
} geometry;

static const geometry geometries[] = {
    {"skew axes everywhere",
     "  - {name: a, joint: {axis: [0.1, 0.2, 1]}}\n"
     "  - {name: b, joint: {axis: [0.3, 1, 0.4], origin: {xyz: [0.2, 0.1, 0.3]}}}\n"
     "  - {name: c, joint: {axis: [1, 0.5, -0.6], origin: {xyz: [0.4, -0.1, 0.2]}}}\n" WRIST},
    {"first two axes meet, skew wrist",
     "  - {name: a, joint: {axis: [0, 0, 1]}}\n"
     "  - {name: b, joint: {axis: [0, 1, 0.4], origin: {xyz: [0, 0, 0.3]}}}\n"
     "  - {name: c, joint: {axis: [0, 1, 0], origin: {xyz: [0.4, -0.1, 0.2]}}}\n" WRIST},
    {"first two axes parallel",
     "  - {name: a, joint: {axis: [0, 0, 1]}}\n"
     "  - {name: b, joint: {axis: [0, 0, 1], origin: {xyz: [0.5, 0, 0.3]}}}\n"
     "  - {name: c, joint: {axis: [0, 1, 0], origin: {xyz: [0.4, -0.1, 0.2]}}}\n" SPHERE},
    {"first two axes meet almost",
     "  - {name: a, joint: {axis: [0, 0, 1]}}\n"
     "  - {name: b, joint: {axis: [0, 1, 0], origin: {xyz: [3e-6, 0, 0.3]}}}\n"
     "  - {name: c, joint: {axis: [0, 1, 0], origin: {xyz: [0.4, -0.1, 0.2]}}}\n" SPHERE},
    {"turn, turn, slide",
     "  - {name: a, joint: {axis: [0, 0, 1]}}\n"
     "  - {name: b, joint: {axis: [0, 1, 0.2], origin: {xyz: [0.2, 0.1, 0.3]}}}\n"
     "  - {name: c, joint: {type: prismatic, axis: [1, 0.1, 0.3], origin: {xyz: [0.2, 0.1, 0]}}}\n" SPHERE},
    {"turn, slide, turn",
     "  - {name: a, joint: {axis: [0, 0, 1]}}\n"
     "  - {name: b, joint: {type: prismatic, axis: [0.2, 1, 0.6], origin: {xyz: [0.2, 0.1, 0.3]}}}\n"
     "  - {name: c, joint: {axis: [1, 0.1, 0.3], origin: {xyz: [0.2, 0.1, 0]}}}\n" SPHERE},
    {"turn, slide across, turn",
     "  - {name: a, joint: {axis: [0, 0, 1]}}\n"
     "  - {name: b, joint: {type: prismatic, axis: [1, 0, 0], origin: {xyz: [0.2, 0.1, 0.3]}}}\n"
     "  - {name: c, joint: {axis: [0, 1, 0], origin: {xyz: [0.2, 0.1, 0]}}}\n" SPHERE},
    {"slide, turn, turn",
     "  - {name: a, joint: {type: prismatic, axis: [0.3, 0, 1]}}\n"
     "  - {name: b, joint: {axis: [0, 0.4, 1], origin: {xyz: [0.2, 0.1, 0.3]}}}\n"
     "  - {name: c, joint: {axis: [1, 0.1, 0.3], origin: {xyz: [0.2, 0.1, 0]}}}\n" SPHERE},
    {"slide, turn across, turn",
     "  - {name: a, joint: {type: prismatic, axis: [1, 0, 0]}}\n"
     "  - {name: b, joint: {axis: [0, 0, 1], origin: {xyz: [0.2, 0.1, 0.3]}}}\n"
     "  - {name: c, joint: {axis: [0, 1, 0], origin: {xyz: [0.2, 0.1, 0]}}}\n" SPHERE},
    {"cylinder: slide, turn along it, slide",
     "  - {name: a, joint: {type: prismatic, axis: [0, 0, 1]}}\n"
     "  - {name: b, joint: {axis: [0, 0, 1], origin: {xyz: [0.1, 0.1, 0.3]}}}\n"
     "  - {name: c, joint: {type: prismatic, axis: [1, 0, 0], origin: {xyz: [0.2, 0.1, 0]}}}\n" SPHERE},
    {"turn, slide, slide",
     "  - {name: a, joint: {axis: [0, 0.1, 1]}}\n"
     "  - {name: b, joint: {type: prismatic, axis: [0, 0.2, 1], origin: {xyz: [0.1, 0.1, 0.3]}}}\n"
     "  - {name: c, joint: {type: prismatic, axis: [1, 0, 0], origin: {xyz: [0.2, 0.1, 0]}}}\n" SPHERE},
    {"slide, slide, turn",
     "  - {name: a, joint: {type: prismatic, axis: [1, 0.3, 0]}}\n"
     "  - {name: b, joint: {type: prismatic, axis: [0, 0.8, 0.4]}}\n"
     "  - {name: c, joint: {axis: [0, 1, 0.2], origin: {xyz: [0.2, 0.1, 0]}}}\n" SPHERE},
    {"three slides",
     "  - {name: a, joint: {type: prismatic, axis: [1, 0.3, 0]}}\n"
     "  - {name: b, joint: {type: prismatic, axis: [0, 0.8, 0.4]}}\n"
     "  - {name: c, joint: {type: prismatic, axis: [0, 0.2, 1], origin: {xyz: [0.2, 0.1, 0]}}}\n" SPHERE},
};

static void every_kind_of_three_joints_before_a_wrist_is_solved(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof geometries / sizeof *geometries; i++) {
    char text[2000];
    snprintf(text, sizeof text, "limber: 1\nlinks:\n%s", geometries[i].links);
    arm a = arm_of(text, "tool", LIM_GOAL_POSE);
    assert_int_equal(lim_ik_method_of(a.ik), LIM_IK_WRIST);
    tally t = round_trip(&a, 2000, 3.1);
    report(&t, geometries[i].name);
    arm_free(&a);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hundred_thousand_poses_of_the_six_axis_arm_are_solved),
      cmocka_unit_test(every_kind_of_three_joints_before_a_wrist_is_solved),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

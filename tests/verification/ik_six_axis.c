// ik_six_axis.c - arms whose last three axes meet: every pose that they reach is solved in closed form, all
// solutions are there, every one is looked at by a path of its own; goals out of reach are refused with the
// right distance.
#include "base/text.h"
#include "kinematics_fixture.h"
#include "table_fixture.h"

#include <time.h>

typedef struct {
  int poses, solved, returned, max;
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
  if (count > t->max) t->max = count;
}

// Poses of random joints: all of them solved, the joints among the solutions.
static tally round_trip(arm *a, int poses, double reach) {
  tally t = {.poses = poses, .nearest = INFINITY};
  double q[8] = {0}, near[8] = {0};
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
  printf("%-52s %16.3f, at most %d\n", "solutions per pose", (double)t->solutions / t->poses, t->max);
  assert_in_range(t->max, 1, 8);
}

static void hundred_thousand_poses_of_the_six_axis_arm_are_solved(void **state) {
  (void)state;
  arm a = arm_load("models/six-axis.yaml", "tool", LIM_GOAL_POSE);
  assert_int_equal(lim_ik_method_of(a.ik), LIM_IK_WRIST);
  clock_t start = clock();
  tally t = round_trip(&a, 100000, INFINITY);
  report(&t, "models/six-axis.yaml, within its limits");
  printf("%-52s %16.1f us\n", "time per pose, all solutions, with their check",
         (double)(clock() - start) / CLOCKS_PER_SEC * 10);
  arm_free(&a);
}

// --- other geometries ---

// Three joints before a wrist with skew axes.
#define WRIST                                                                                                  \
  "  - {name: d, joint: {axis: [1, 0.2, 0], origin: {xyz: [0.3, 0.05, 0.1]}}}\n"                               \
  "  - {name: e, joint: {axis: [0, 1, 0.3]}}\n"                                                                \
  "  - {name: f, joint: {axis: [0.9, 0, 0.5]}}\n"                                                              \
  "frames: [{name: tool, on: f, xyz: [0.02, 0.05, 0.1], rpy: [0.3, 0.2, 0.1]}]\n"
#define SPHERE                                                                                                 \
  "  - {name: d, joint: {axis: [1, 0, 0], origin: {xyz: [0.3, 0.05, 0.1]}}}\n"                                 \
  "  - {name: e, joint: {axis: [0, 1, 0]}}\n"                                                                  \
  "  - {name: f, joint: {axis: [0, 0, 1]}}\n"                                                                  \
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
    {"slide, turn, turn", "  - {name: a, joint: {type: prismatic, axis: [0.3, 0, 1]}}\n"
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
    {"slide, slide, turn", "  - {name: a, joint: {type: prismatic, axis: [1, 0.3, 0]}}\n"
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

// Axes along, across and askew, joints in one place or apart, slides among the first three: whatever has a
// closed form is solved. Where solutions meet, those found may be away from the joints that made the pose.
static void geometries_at_random_are_solved(void **state) {
  (void)state;
  enum { GEOMETRIES = 200, POSES = 50 };
  static const char *const axis[] = {"[1, 0, 0]",  "[0, 1, 0]", "[0, 0, 1]",
                                     "[0, 0, -1]", "[1, 1, 0]", "[0.3, -0.2, 0.9]"};
  unsigned seed = 5;
  int closed = 0, poses = 0, solved = 0, back = 0;
  for (int g = 0; g < GEOMETRIES; g++) {
    lim_text text = {0};
    lim_text_add(&text, "limber: 1\nlinks:\n");
    for (int k = 0; k < 6; k++) {
      double o[3] = {0};
      for (int i = 0; k < 4 && i < 3; i++) {
        double kind = noise(&seed);
        o[i] = kind < -0.2 ? 0 : kind < 0.3 ? 0.3 : 0.5 * noise(&seed);
      }
      bool slides = noise(&seed) < -0.5 && k < 3;
      int along = (int)fmin(3 * (noise(&seed) + 1), 5);
      lim_text_add(&text, "  - {name: l%d, joint: {type: %s, axis: %s, origin: {xyz: [%g, %g, %g]}}}\n", k,
                   slides ? "prismatic" : "revolute", axis[along], o[0], o[1], o[2]);
    }
    lim_text_add(&text, "frames: [{name: tool, on: l5, xyz: [0.02, 0.05, 0.1], rpy: [0.3, 0.2, 0.1]}]\n");
    arm a = arm_of(text.text, "tool", LIM_GOAL_POSE);
    lim_text_free(&text);
    closed += lim_ik_method_of(a.ik) != LIM_IK_SEARCH;
    for (int i = 0; i < POSES && lim_ik_method_of(a.ik) != LIM_IK_SEARCH; i++) {
      double q[6], near[6] = {0}, min = INFINITY;
      arm_random(&a, q, 3.1, &seed);
      lim_goal goal = arm_goal(&a, q);
      int count = lim_ik_all(a.ik, a.solution, MOST_SOLUTIONS, NULL, &goal, near);
      for (int s = 0; s < count; s++) min = fmin(min, arm_apart(&a, a.solution + 6 * s, q));
      poses++;
      solved += count > 0 && count <= 8;
      back += min < 1e-5 || lim_ik_evaluate(a.ik, &goal, q).singular;
    }
    arm_free(&a);
  }
  table_head("geometries at random");
  printf("%-52s %16d of %d\n", "with a closed form", closed, GEOMETRIES);
  assert_true(closed > GEOMETRIES / 4);
  table_row("poses solved", solved, poses, 0, "all of them");
  table_row("joints found again, or singular", back, poses, 0, "all of them");
}

// Arms as they work beside people: three axes in parallel, no three that meet.
static void arms_with_three_parallel_axes_are_solved(void **state) {
  (void)state;
  static const geometry arms[] = {
      {"parallel axes, wrist with an offset",
       "  - {name: a, joint: {axis: [0, 0, 1]}, body: {mass: 1, tip: [0, 0, 0.09]}}\n"
       "  - {name: b, joint: {axis: [0, 1, 0], origin: {xyz: [0, 0.13, 0]}}, body: {mass: 1, tip: [0.43, 0, "
       "0]}}\n"
       "  - {name: c, joint: {axis: [0, 1, 0], origin: {xyz: [0, -0.12, 0]}}, body: {mass: 1, tip: [0.39, 0, "
       "0]}}\n"
       "  - {name: d, joint: {axis: [0, 1, 0], origin: {xyz: [0, 0.1, 0]}}}\n"
       "  - {name: e, joint: {axis: [0, 0, -1], origin: {xyz: [0, 0.01, 0]}}}\n"
       "  - {name: f, joint: {axis: [0, 1, 0], origin: {xyz: [0, 0, -0.09]}}}\n"
       "frames: [{name: tool, on: f, xyz: [0.02, 0.08, 0.01], rpy: [0.3, 0.2, 0.1]}]\n"},
      {"parallel axes, first and fifth skew",
       "  - {name: a, joint: {axis: [0.2, 0.3, 1]}, body: {mass: 1, tip: [0.1, 0, 0.1]}}\n"
       "  - {name: b, joint: {axis: [0, 1, 0]}, body: {mass: 1, tip: [0.4, 0.05, 0]}}\n"
       "  - {name: c, joint: {axis: [0, -1, 0]}, body: {mass: 1, tip: [0.3, 0, 0.1]}}\n"
       "  - {name: d, joint: {axis: [0, 1, 0]}, body: {mass: 1, tip: [0.1, 0.1, 0]}}\n"
       "  - {name: e, joint: {axis: [0.3, 0.4, 1]}}\n"
       "  - {name: f, joint: {axis: [1, 0.2, 0.3]}}\n"
       "frames: [{name: tool, on: f, xyz: [0.02, 0.05, 0.1], rpy: [0.3, 0.2, 0.1]}]\n"},
      {"turn, slide across, turn and turn in a plane",
       "  - {name: a, joint: {axis: [0, 0, 1]}, body: {mass: 1, tip: [0.1, 0, 0.1]}}\n"
       "  - {name: b, joint: {type: prismatic, axis: [1, 0, 0.5]}, body: {mass: 1, tip: [0.4, 0.05, 0]}}\n"
       "  - {name: c, joint: {axis: [0, 1, 0]}, body: {mass: 1, tip: [0.3, 0, 0.1]}}\n"
       "  - {name: d, joint: {axis: [0, 1, 0]}, body: {mass: 1, tip: [0.1, 0.1, 0]}}\n"
       "  - {name: e, joint: {axis: [0, 0, 1]}}\n"
       "  - {name: f, joint: {axis: [1, 0, 0]}}\n"
       "frames: [{name: tool, on: f, xyz: [0.02, 0.05, 0.1], rpy: [0.3, 0.2, 0.1]}]\n"}};
  for (size_t i = 0; i < sizeof arms / sizeof *arms; i++) {
    char text[2000];
    snprintf(text, sizeof text, "limber: 1\nlinks:\n%s", arms[i].links);
    arm a = arm_of(text, "tool", LIM_GOAL_POSE);
    assert_int_equal(lim_ik_method_of(a.ik), LIM_IK_PARALLEL);
    tally t = round_trip(&a, 5000, 3.1);
    report(&t, arms[i].name);
    arm_free(&a);
  }
}

// --- out of reach, and singular: the arm of models/six-axis.yaml without limits ---

static const double SIDE = 0.15, HEIGHT = 0.45, UPPER = 0.59, AHEAD = 0.647, ABOVE = 0.13;

static arm without_limits(void) {
  static const char *const set[] = {
      "links.turret.joint={name: j1, axis: [0, 0, 1]}", "links.upper.joint={name: j2, axis: [0, 1, 0]}",
      "links.elbow.joint={name: j3, axis: [0, 1, 0]}",  "links.forearm.joint={name: j4, axis: [1, 0, 0]}",
      "links.wrist.joint={name: j5, axis: [0, 1, 0]}",  "links.flange.joint={name: j6, axis: [1, 0, 0]}"};
  arm a = {0};
  assert_int_equal(lim_model_load(&a.m, "models/six-axis.yaml", set, 6, NULL), LIM_OK);
  arm_take(&a, "tool", LIM_GOAL_POSE, true, NULL);
  return a;
}

// Distance of the wrist of a goal from the shell that the wrist can reach: a disc of radius SIDE, with arms of
// UPPER and hypot(AHEAD, ABOVE). The wrist is 0.215 m behind and 0.03 m beside the tool, whose z points ahead.
static double outside(const lim_goal *g) {
  double fore = hypot(AHEAD, ABOVE), w[3], back[3] = {0.03, 0, -0.215};
  lim_rotate(w, g->R, back);
  for (int i = 0; i < 3; i++) w[i] += g->position[i];
  double r = hypot(w[0], w[1]), near = hypot(r - SIDE, w[2] - HEIGHT), far = hypot(r + SIDE, w[2] - HEIGHT);
  if (near > UPPER + fore) return near - UPPER - fore;
  return far < fabs(UPPER - fore) ? fabs(UPPER - fore) - far : 0;
}

static void goals_out_of_reach_are_refused_with_the_distance_of_geometry(void **state) {
  (void)state;
  enum { GOALS = 300 };
  arm a = without_limits();
  unsigned seed = 13;
  int refused = 0, oriented = 0;
  double worst = 0;
  for (int i = 0; i < GOALS; i++) {
    double direction[3], rpy[3], q[6], near[6] = {0};
    lim_goal g;
    fill(direction, 3, 1, &seed);
    fill(rpy, 3, 3.1, &seed);
    double size = sqrt(lim_dot(direction, direction)), far = 2.25 + 0.7 * noise(&seed);
    for (int k = 0; k < 3; k++) g.position[k] = (far < 1.6 ? 1.7 : far) * direction[k] / size;
    g.position[2] += HEIGHT;
    lim_rotation_rpy(g.R, rpy);
    lim_ik_outcome out = lim_ik_near(a.ik, q, &g, near);
    refused += !out.reached;
    oriented += out.angle < 1e-9;
    worst = fmax(worst, fabs(out.distance - outside(&g)));
  }
  table_head("six-axis arm without limits, goals at random places out of reach");
  table_row("refused", refused, GOALS, 0, "all of them");
  table_row("turned as asked", oriented, GOALS, 0, "the wrist turns any way");
  table_bound("largest error of the distance left [m]", worst, 1e-9, "geometry of the wrist");
  arm_free(&a);
}

// A posture, and what it is called.
static void check_singular(arm *a, const char *what, const double q[6], unsigned expected) {
  char text[96], row[80];
  double near[6], x[6], distance, angle;
  lim_goal g = arm_goal(a, q);
  for (int k = 0; k < 6; k++) near[k] = q[k] + 0.02 * (k % 2 ? 1 : -1);
  lim_ik_outcome out = lim_ik_near(a->ik, x, &g, near);
  arm_left(&distance, &angle, a, &g, x);
  snprintf(row, sizeof row, "%s: left [m, rad]", what);
  table_bound(row, fmax(distance, angle), 1e-10, lim_ik_singular_name(text, out.singular));
  assert_true(out.reached);
  assert_int_equal(out.singular, expected);
  int count = lim_ik_all(a->ik, a->solution, MOST_SOLUTIONS, &out, &g, near);
  assert_in_range(count, 1, 8);
  for (int i = 0; i < count; i++) {
    arm_left(&distance, &angle, a, &g, a->solution + 6 * i);
    assert_true(distance < 1e-10 && angle < 1e-10);
  }
}

static void singular_poses_are_solved_and_named(void **state) {
  (void)state;
  arm a = without_limits();
  double fore = hypot(AHEAD, ABOVE), straight = -atan2(AHEAD, ABOVE), over = asin(-SIDE / fore) + straight;
  double up = asin(-SIDE / (UPPER + fore));
  table_head("six-axis arm, singular postures");
  check_singular(&a, "wrist in line", (const double[6]){0.3, 0.2, 0.4, 0.7, 0, -0.4}, LIM_SINGULAR_WRIST);
  check_singular(&a, "elbow stretched", (const double[6]){0.3, 0.2, straight, 0.7, 0.5, -0.4},
                 LIM_SINGULAR_ELBOW);
  check_singular(&a, "elbow folded", (const double[6]){0.3, 0.2, straight + M_PI, 0.7, 0.5, -0.4},
                 LIM_SINGULAR_ELBOW);
  check_singular(&a, "wrist over the first axis", (const double[6]){0.3, 0, over, 0.7, 0.5, -0.4},
                 LIM_SINGULAR_SHOULDER);
  check_singular(&a, "stretched up over the first axis", (const double[6]){0.3, up, straight, 0.7, 0.5, -0.4},
                 LIM_SINGULAR_ELBOW | LIM_SINGULAR_SHOULDER);
  check_singular(&a, "none", (const double[6]){0.3, 0.2, 0.4, 0.7, 0.5, -0.4}, 0);
  arm_free(&a);
}

// What a singular posture leaves open stays where it was.
static void joints_that_do_not_matter_stay(void **state) {
  (void)state;
  arm a = without_limits();
  const double q[6] = {0.3, 0.2, 0.4, 0.7, 0, -0.4}, near[6] = {0.3, 0.2, 0.4, 0.5, 0.1, -0.4};
  double x[6];
  lim_goal g = arm_goal(&a, q);
  assert_true(lim_ik_near(a.ik, x, &g, near).reached);
  table_head("wrist in line, fourth joint at 0.5 before");
  table_row("fourth joint [rad]", x[3], 0.5, 1e-6, "stays");
  table_row("fourth and sixth [rad]", x[3] + x[5], 0.3, 1e-9, "their sum counts");
  arm_free(&a);
}

// Turns are counted on: near 2 pi k it answers near 2 pi k; within limits where there are some.
static void whole_turns_are_those_of_the_posture(void **state) {
  (void)state;
  arm a = without_limits(), b = arm_load("models/six-axis.yaml", "tool", LIM_GOAL_POSE);
  const double q[6] = {0.3, 0.2, 0.4, 0.7, 0.6, -0.4};
  double near[6], x[6];
  lim_goal g = arm_goal(&a, q);
  for (int k = 0; k < 6; k++) near[k] = q[k] + 2 * M_PI * (k - 3);
  assert_true(lim_ik_near(a.ik, x, &g, near).reached);
  for (int k = 0; k < 6; k++) assert_true(fabs(x[k] - near[k]) < 1e-9);
  memcpy(near, q, sizeof q);
  near[5] += 4 * M_PI; // 697 deg, where -23 and 337 deg are within limits
  assert_true(lim_ik_near(b.ik, x, &g, near).reached);
  for (int k = 0; k < 5; k++) assert_true(fabs(x[k] - q[k]) < 1e-9);
  assert_true(fabs(x[5] - (q[5] + 2 * M_PI)) < 1e-9);
  arm_free(&a);
  arm_free(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hundred_thousand_poses_of_the_six_axis_arm_are_solved),
      cmocka_unit_test(every_kind_of_three_joints_before_a_wrist_is_solved),
      cmocka_unit_test(geometries_at_random_are_solved),
      cmocka_unit_test(arms_with_three_parallel_axes_are_solved),
      cmocka_unit_test(goals_out_of_reach_are_refused_with_the_distance_of_geometry),
      cmocka_unit_test(singular_poses_are_solved_and_named),
      cmocka_unit_test(joints_that_do_not_matter_stay),
      cmocka_unit_test(whole_turns_are_those_of_the_posture),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

// ik_search.c - damped least squares: arms without a closed form, arms with more joints than needed, limits,
// the rate of convergence, and the choice that is left.
#include "kinematics/ik_search.h"
#include "kinematics_fixture.h"
#include "table_fixture.h"

// Six joints, no three axes of which meet: offsets at every joint.
static const char general[] =
    "limber: 1\nlinks:\n"
    "  - {name: a, joint: {axis: [0, 0, 1]}, body: {mass: 1, tip: [0.1, 0, 0.4]}}\n"
    "  - {name: b, joint: {axis: [0, 1, 0]}, body: {mass: 1, tip: [0.05, 0.1, 0.5]}}\n"
    "  - {name: c, joint: {axis: [0, 1, 0]}, body: {mass: 1, tip: [0.4, -0.08, 0.05]}}\n"
    "  - {name: d, joint: {axis: [1, 0, 0]}, body: {mass: 1, tip: [0.1, 0.07, 0]}}\n"
    "  - {name: e, joint: {axis: [0, 1, 0]}, body: {mass: 1, tip: [0.09, 0, 0.06]}}\n"
    "  - {name: f, joint: {axis: [1, 0, 0]}, body: {mass: 1, tip: [0.1, 0, 0]}}\n";

// Two slides and six joints that turn, as the arm of FEDEM has, within limits.
#define TURN(name, axis, tip, limit)                                                                           \
  "  - {name: " name ", joint: {axis: " axis ", limits: {position: [-" limit ", " limit                        \
  "]}}, body: {mass: 1, tip: " tip "}}\n"
static const char eight[] =
    "limber: 1\nlinks:\n"
    "  - {name: x, joint: {type: prismatic, axis: [1, 0, 0], limits: {position: [-1, 1]}}}\n"
    "  - {name: z, joint: {type: prismatic, axis: [0, 0, 1], limits: {position: [0, 0.6]}}}\n" TURN(
        "a", "[0, 0, 1]", "[0.1, 0, 0.3]", "2.5") TURN("b", "[0, 1, 0]", "[0, 0, 0.6]", "1.8")
        TURN("c", "[0, 1, 0]", "[0.3, 0, 0]", "2.4") TURN("d", "[1, 0, 0]", "[0.25, 0, 0]", "2.8")
            TURN("e", "[0, 1, 0]", "[0.08, 0, 0]", "2") TURN("f", "[1, 0, 0]", "[0.1, 0, 0.05]", "3");

static void arms_without_closed_form_are_solved(void **state) {
  (void)state;
  enum { POSES = 3000 };
  arm a = arm_of(general, "tip", LIM_GOAL_POSE);
  assert_int_equal(lim_ik_method_of(a.ik), LIM_IK_SEARCH);
  unsigned seed = 3;
  int near_ones = 0, far_ones = 0;
  double worst = 0, distance, angle;
  for (int i = 0; i < POSES; i++) {
    double q[6], near[6], home[6] = {0, 0.3, 0.3, 0, 0.5, 0}, x[6];
    arm_random(&a, q, 3, &seed);
    lim_goal g = arm_goal(&a, q);
    for (int k = 0; k < 6; k++) near[k] = q[k] + 0.1 * noise(&seed);
    near_ones += lim_ik_near(a.ik, x, &g, near).reached;
    arm_left(&distance, &angle, &a, &g, x);
    worst = fmax(worst, fmax(distance, angle));
    far_ones += lim_ik_near(a.ik, x, &g, home).reached;
    arm_left(&distance, &angle, &a, &g, x);
    worst = fmax(worst, fmax(distance, angle));
  }
  table_head("six joints with offsets, poses at random");
  table_row("solved from near", near_ones, POSES, 0, "all of them");
  table_row("solved from one posture for all", far_ones, POSES, 0, "all of them");
  table_bound("largest way left [m, rad]", worst, 1.5e-10, "kinematics of the system");
  arm_free(&a);
}

// Rounds of one step each: the miss is squared by every one of them.
static void damped_least_squares_converge_quadratically(void **state) {
  (void)state;
  arm a = arm_of(general, "tip", LIM_GOAL_POSE);
  const double q[6] = {0.4, 0.3, 0.5, -0.6, 0.8, 0.2};
  lim_goal g = arm_goal(&a, q);
  double x[6], before = NAN, ratio = 0;
  lim_arena arena = {0};
  lim_ik_search s;
  assert_true(lim_ik_search_allocate(&s, &arena, a.c, 6));
  table_head("way left after each round");
  for (int k = 0; k < 6; k++) x[k] = q[k] + 0.1 * (k % 2 ? 1 : -1);
  for (int round = 1; round <= 6; round++) {
    lim_miss left;
    lim_ik_search_reach(&left, &s, x, &g, false, 1);
    double size = sqrt(left.square);
    printf("round %d: %.3e\n", round, size);
    if (size > 1e-14 && before < 0.1) ratio = fmax(ratio, size / (before * before));
    before = size;
  }
  table_bound("way left after six rounds [m]", before, 1e-14, "rounding");
  table_bound("way left over the square of that before [1/m]", ratio, 10, "quadratic");
  lim_arena_free(&arena);
  arm_free(&a);
}

// --- more joints than needed ---

// Whether q is within limits by more than rounding.
static bool allowed(const arm *a, const double *q) {
  for (int k = 0; k < a->c->n; k++)
    if (q[k] < a->c->joint[k].low || q[k] > a->c->joint[k].high) return false;
  return true;
}

static double far(const double *a, const double *b, int n) {
  double sum = 0;
  for (int k = 0; k < n; k++) sum += (a[k] - b[k]) * (a[k] - b[k]);
  return sqrt(sum);
}

static void eight_joints_within_limits_are_solved(void **state) {
  (void)state;
  enum { POSES = 2000 };
  arm a = arm_of(eight, "tip", LIM_GOAL_POSE);
  assert_int_equal(lim_ik_method_of(a.ik), LIM_IK_SEARCH);
  assert_int_equal(a.c->n, 8);
  unsigned seed = 5;
  int solved = 0, within = 0, at_limits = 0;
  double worst = 0, distance, angle;
  for (int i = 0; i < POSES; i++) {
    double q[8], home[8] = {0, 0.3, 0, 0.3, 0.3, 0, 0.5, 0}, x[8];
    arm_random(&a, q, INFINITY, &seed);
    lim_goal g = arm_goal(&a, q);
    solved += lim_ik_near(a.ik, x, &g, home).reached;
    within += allowed(&a, x);
    arm_left(&distance, &angle, &a, &g, x);
    worst = fmax(worst, fmax(distance, angle));
    bool limit = false;
    for (int k = 0; k < 8; k++) limit = limit || x[k] == a.c->joint[k].low || x[k] == a.c->joint[k].high;
    at_limits += limit;
  }
  table_head("two slides and six joints that turn, within limits");
  table_row("solved", solved, POSES, 0, "all of them");
  table_row("within limits", within, POSES, 0, "all of them");
  table_bound("largest way left [m, rad]", worst, 2e-10, "kinematics of the system");
  printf("%-52s %16d\n", "of them with a joint at a limit", at_limits);
  assert_true(at_limits > 0);
  arm_free(&a);
}

// What the nearest of WALKS other solutions about x, made by walking along solutions at random, is nearer to
// ref.
static double gain_about(arm *a, const double *x, const double *ref, const lim_goal *g, unsigned *seed) {
  enum { WALKS = 20 };
  double gain = 0;
  lim_arena arena = {0};
  lim_ik_search s;
  assert_true(lim_ik_search_allocate(&s, &arena, a->c, 6));
  for (int walk = 0; walk < WALKS; walk++) {
    double y[8];
    lim_miss left;
    for (int k = 0; k < 8; k++) y[k] = x[k] + 0.01 * noise(seed);
    lim_ik_search_reach(&left, &s, y, g, true, 100);
    if (left.distance < 1e-12 && left.angle < 1e-12) gain = fmax(gain, far(x, ref, 8) - far(y, ref, 8));
  }
  lim_arena_free(&arena);
  return gain;
}

static void solutions_are_the_nearest_of_their_neighbours(void **state) {
  (void)state;
  enum { POSES = 200, ALL = 10 };
  arm a = arm_of(eight, "tip", LIM_GOAL_POSE);
  unsigned seed = 7;
  int nearer_than_origin = 0, solutions = 0;
  double gain = 0, others = 0;
  for (int i = 0; i < POSES; i++) {
    double q[8], ref[8], x[8];
    arm_random(&a, q, INFINITY, &seed);
    lim_goal g = arm_goal(&a, q);
    for (int k = 0; k < 8; k++) ref[k] = q[k] + 0.05 * noise(&seed);
    assert_true(lim_ik_near(a.ik, x, &g, ref).reached);
    nearer_than_origin += far(x, ref, 8) <= far(q, ref, 8) + 1e-9;
    gain = fmax(gain, gain_about(&a, x, ref, &g, &seed));
    int count = i < ALL ? lim_ik_all(a.ik, a.solution, MOST_SOLUTIONS, NULL, &g, ref) : 0;
    for (int s = 0; s < count; s++) others = fmax(others, gain_about(&a, a.solution + 8 * s, ref, &g, &seed));
    solutions += count;
  }
  table_head("the nearest of many solutions");
  table_row("nearer than the joints that made the pose", nearer_than_origin, POSES, 0,
            "those are a solution too");
  table_bound("what a neighbour gains [rad, m]", gain, 1e-8, "nothing");
  printf("%-52s %16d\n", "solutions listed for ten of them", solutions);
  table_bound("what a neighbour of these gains [rad, m]", others, 1e-8, "nothing");
  arm_free(&a);
}

static void middle_of_limits_is_preferred_when_asked(void **state) {
  (void)state;
  arm a = arm_of(eight, "tip", LIM_GOAL_POSE);
  double near[8] = {-0.9, 0.05, 0, 0.3, 0.3, 0, 0.5, 0}, x[8], y[8], middle[8] = {0, 0.3};
  lim_goal g = arm_goal(&a, (const double[8]){-0.8, 0.1, 0.3, 0.4, 0.5, 0.2, 0.6, 0.1});
  assert_true(lim_ik_near(a.ik, x, &g, near).reached);
  lim_ik_set_rest(a.ik, LIM_REST_MIDDLE);
  assert_true(lim_ik_near(a.ik, y, &g, near).reached);
  table_head("distance from the middle of limits [rad, m]");
  printf("nearest to the posture %.4f, preferring the middle %.4f\n", far(x, middle, 8), far(y, middle, 8));
  assert_true(far(y, middle, 8) < far(x, middle, 8));
  arm_free(&a);
}

// Along x the tip gets as far as the slide and the stretched arm do.
static void eight_joints_out_of_reach_leave_the_distance_of_geometry(void **state) {
  (void)state;
  arm a = arm_of(eight, "tip", LIM_GOAL_POSITION);
  double x[8], near[8] = {0.5, 0.3, 0.1, 1, 0.2, 0, 0, 0};
  // slide 1, shoulder 0.1 beside the first axis, upper arm 0.6, forearm 0.55, then 0.18 ahead and 0.05 beside
  lim_goal g = {.position = {4, 0, 0.6}};
  lim_ik_outcome out = lim_ik_near(a.ik, x, &g, near);
  double expected = 4 - 1 - 0.1 - 0.6 - 0.55 - hypot(0.18, 0.05);
  table_head("eight joints, position only");
  table_row("goal 4 m ahead at the height of the shoulder [m]", out.distance, expected, 1e-9, "stretched");
  assert_false(out.reached);
  arm_free(&a);
}

// Search and closed form of one arm: the same solutions.
static void search_finds_what_the_closed_form_has(void **state) {
  (void)state;
  enum { POSES = 20 };
  arm b = arm_load("models/six-axis.yaml", "tool", LIM_GOAL_POSE);
  unsigned seed = 11;
  int all = 0, found = 0;
  lim_arena arena = {0};
  lim_ik_search w;
  assert_true(lim_ik_search_allocate(&w, &arena, b.c, 6));
  for (int i = 0; i < POSES; i++) {
    double q[6], near[6] = {0};
    arm_random(&b, q, INFINITY, &seed);
    lim_goal g = arm_goal(&b, q);
    int count = lim_ik_all(b.ik, b.solution, MOST_SOLUTIONS, NULL, &g, near);
    for (int s = 0; s < count; s++) { // from a posture beside each
      double x[6];
      lim_miss left;
      for (int k = 0; k < 6; k++) x[k] = b.solution[6 * s + k] + 0.01 * noise(&seed);
      lim_ik_search_reach(&left, &w, x, &g, false, 100);
      all++;
      found += arm_apart(&b, x, b.solution + 6 * s) < 1e-6;
    }
  }
  lim_arena_free(&arena);
  table_head("models/six-axis.yaml, from beside the solutions of the closed form");
  table_row("found again by damped least squares", found, all, 0, "all of them");
  arm_free(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arms_without_closed_form_are_solved),
      cmocka_unit_test(damped_least_squares_converge_quadratically),
      cmocka_unit_test(eight_joints_within_limits_are_solved),
      cmocka_unit_test(solutions_are_the_nearest_of_their_neighbours),
      cmocka_unit_test(middle_of_limits_is_preferred_when_asked),
      cmocka_unit_test(eight_joints_out_of_reach_leave_the_distance_of_geometry),
      cmocka_unit_test(search_finds_what_the_closed_form_has),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

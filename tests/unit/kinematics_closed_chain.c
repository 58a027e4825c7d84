// kinematics_closed_chain.c - which joints and rows make a closed chain, and closing it.
#include "kinematics_fixture.h"

#include "kinematics/closed_chain.h"

// A turntable that carries a four-bar linkage and a swing; a second four-bar linkage beside it.
#define BODY(length) "body: {mass: 1, com: [0.1, 0, 0], inertia: [0.01, 0.01, 0.01], tip: [" length ", 0, 0]}"
#define LINKAGE(name, base)                                                                                    \
  "  - {name: " name "-crank, parent: " base                                                                   \
  ", " BODY("0.1") "}\n"                                                                                       \
                   "  - {name: " name                                                                          \
                   "-coupler, " BODY("0.35") "}\n"                                                             \
                                             "  - {name: " name "-rocker, parent: " base                       \
                                             ", joint: {origin: {xyz: [0.4, 0, 0]}}, " BODY("0.25") "}\n"
static const char TEXT[] =
    "limber: 1\n"
    "links:\n"
    "  - {name: table, joint: {axis: [0, 1, 0]}, body: {mass: 1, inertia: [1, 1, 1]}}\n" LINKAGE("one", "table")
        LINKAGE("two", "base") "  - {name: swing, parent: table, " BODY(
            "0.2") "}\n"
                   "loops:\n"
                   "  - {name: pin-one, type: revolute, between: [one-coupler.tip, one-rocker.tip]}\n"
                   "  - {name: pin-two, type: spherical, between: [two-coupler.tip, two-rocker.tip]}\n"
                   "drives: {one-crank: {type: prescribed}, two-crank: {type: prescribed}}\n"
                   "configuration: {one-crank: 90 deg, one-coupler: -60 deg, one-rocker: 110 deg,\n"
                   "  two-crank: 90 deg, two-coupler: -60 deg, two-rocker: 110 deg, table: 0.3}\n";

static void expect_joints(const char *frame, const char *joints, int rows) {
  arm a = arm_of(TEXT, frame, LIM_GOAL_POSITION);
  char list[200] = "";
  for (int k = 0; k < a.c->n; k++) {
    size_t used = strlen(list);
    snprintf(list + used, sizeof list - used, "%s%s%s", k ? " " : "", a.c->joint[k].name,
             a.c->joint[k].follows ? "*" : "");
  }
  assert_string_equal(list, joints);
  assert_int_equal(a.c->rows, rows);
  assert_true((a.c->s != NULL) == (rows > 0));
  arm_free(&a);
}

// Rows that no joint changes, as those that hold axes parallel which are so anyway, are left out.
static void chain_has_the_joints_that_its_loops_couple(void **state) {
  (void)state;
  expect_joints("one-coupler.tip", "table one-crank one-coupler* one-rocker*", 3);
  expect_joints("one-crank.tip", "table one-crank one-coupler* one-rocker*", 3);
  expect_joints("two-rocker.tip", "two-crank two-coupler* two-rocker*", 2);
  expect_joints("swing.tip", "table swing", 0);
}

static void held_joints_stay_out_of_it(void **state) {
  (void)state;
  bool held[9] = {[1] = true};
  arm a = {.m = parse(TEXT)};
  arm_take(&a, "one-coupler.tip", LIM_GOAL_POSITION, true, held);
  assert_int_equal(a.c->n, 3);
  assert_true(lim_chain_joint_of(a.c, "one-crank") < 0);
  arm_free(&a);
}

static double largest(const double *x, int n) {
  double max = 0;
  for (int i = 0; i < n; i++) max = fmax(max, fabs(x[i]));
  return max;
}

static void closing_moves_joints_little_or_those_that_follow(void **state) {
  (void)state;
  arm a = arm_of(TEXT, "one-coupler.tip", LIM_GOAL_POSITION);
  lim_arena arena = {0};
  lim_closed_chain x;
  lim_world_pose at;
  double q[4], gap[3];
  assert_true(lim_closed_chain_allocate(&x, &arena, a.c));
  lim_closed_chain_pose(&at, gap, &x, a.c->start);
  assert_true(largest(gap, 3) < 1e-11);
  for (int k = 0; k < 4; k++) q[k] = a.c->start[k] + 0.05 * (k - 1.5);
  lim_closed_chain_pose(&at, gap, &x, q);
  assert_true(largest(gap, 3) > 1e-3);
  double crank = q[1];
  assert_true(lim_closed_chain_follow(&x, q));
  assert_true(q[1] == crank);
  lim_closed_chain_pose(&at, gap, &x, q);
  assert_true(largest(gap, 3) < 1e-11);
  const double low[4] = {-9, -9, -9, q[3]}, high[4] = {9, 9, 9, q[3]};
  q[1] += 0.02;
  assert_true(lim_closed_chain_close(&x, q, low, high)); // all joints but the rocker
  assert_true(q[3] == low[3] && q[1] != crank + 0.02);
  const double far[4] = {0, 0, 0, 2};
  memcpy(q, far, sizeof q);
  const double none[4] = {0, 0, 0, 2};
  assert_false(lim_closed_chain_close(&x, q, none, none));
  lim_arena_free(&arena);
  arm_free(&a);
}

static void columns_are_the_derivatives_of_pose_and_rows(void **state) {
  (void)state;
  arm a = arm_of(TEXT, "one-coupler.tip", LIM_GOAL_POSITION);
  lim_arena arena = {0};
  lim_closed_chain x;
  double q[4], gap[2][3], h = 1e-6, worst = 0;
  assert_true(lim_closed_chain_allocate(&x, &arena, a.c));
  for (int k = 0; k < 4; k++) q[k] = a.c->start[k] + 0.05 * k;
  lim_closed_chain_columns(&x, q);
  for (int k = 0; k < 4; k++) {
    lim_world_pose at[2];
    for (int side = 0; side < 2; side++) {
      q[k] += side ? h : -h;
      lim_closed_chain_pose(&at[side], gap[side], &x, q);
      q[k] -= side ? h : -h;
    }
    const double *column = x.J + 9 * k;
    for (int i = 0; i < 3; i++) worst = fmax(worst, fabs((at[1].p[i] - at[0].p[i]) / (2 * h) - column[i]));
    for (int i = 0; i < 3; i++) worst = fmax(worst, fabs((gap[1][i] - gap[0][i]) / (2 * h) - column[6 + i]));
  }
  printf("columns against differences: %.1e\n", worst);
  assert_true(worst < 1e-9);
  lim_arena_free(&arena);
  arm_free(&a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(chain_has_the_joints_that_its_loops_couple),
      cmocka_unit_test(held_joints_stay_out_of_it),
      cmocka_unit_test(closing_moves_joints_little_or_those_that_follow),
      cmocka_unit_test(columns_are_the_derivatives_of_pose_and_rows),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

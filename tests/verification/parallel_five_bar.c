// parallel_five_bar.c - inverse kinematics of a five-bar robot against two circles: angles, speeds, both kinds
// of singularities, limits, goals out of reach; lines and arcs of its tool, by motions and by programs.
#include "kinematics_fixture.h"
#include "loop_fixture.h"
#include "program_fixture.h"

// Motors at x = -half and half; arms and rods [m].
static const double HALF = 0.2, UPPER = 0.2, LOWER = 0.3;

static const char ROBOT[] =
    "limber: 1\n"
    "name: five-bar\n"
    "planar: xy\n"
    "links:\n"
    "  - {name: left-arm, parent: base, joint: {name: left, origin: {xyz: [-0.2, 0, 0]}},\n"
    "     body: {mass: 1, com: [0.1, 0, 0], inertia: [0, 0, 0.01], tip: [0.2, 0, 0]}}\n"
    "  - {name: left-rod, joint: {name: left-elbow}, body: {mass: 1, com: [0.1, 0, 0], inertia: "
    "[0, 0, 0.01], tip: [0.3, 0, 0]}}\n"
    "  - {name: right-arm, parent: base, joint: {name: right, origin: {xyz: [0.2, 0, 0]}},\n"
    "     body: {mass: 1, com: [0.1, 0, 0], inertia: [0, 0, 0.01], tip: [0.2, 0, 0]}}\n"
    "  - {name: right-rod, joint: {name: right-elbow}, body: {mass: 1, com: [0.1, 0, 0], "
    "inertia: [0, 0, 0.01], tip: [0.3, 0, 0]}}\n"
    "tool: left-rod.tip\n"
    "loops: [{name: pin, type: revolute, between: [left-rod.tip, right-rod.tip]}]\n"
    "drives: {left: {type: prescribed}, right: {type: prescribed}}\n"
    "configuration: {left: 100 deg, right: 80 deg, left-elbow: -60 deg, right-elbow: 60 deg}\n";

static const double START[2] = {100 * M_PI / 180, 80 * M_PI / 180};

static double motor(const arm *a, const double *q, int side) {
  return q[lim_chain_joint_of(a->c, side ? "right" : "left")];
}

// Angles of a motor (0: left) that put the tool at p: the arm is off the way to it by the angle between them.
static bool angles(double out[2], int side, double x, double y) {
  double dx = x - (side ? HALF : -HALF), far = hypot(dx, y);
  double cosine = (UPPER * UPPER + far * far - LOWER * LOWER) / (2 * UPPER * far);
  if (fabs(cosine) > 1) return false;
  out[0] = atan2(y, dx) + acos(cosine);
  out[1] = atan2(y, dx) - acos(cosine);
  return true;
}

static lim_goal at(double x, double y) { return (lim_goal){.position = {x, y, 0}}; }

static void angles_are_those_of_two_circles(void **state) {
  (void)state;
  arm a = arm_of(ROBOT, "left-rod.tip", LIM_GOAL_POSITION);
  int places = 0, found = 0;
  double worst = 0, left = 0;
  for (double x = -0.15; x < 0.16; x += 0.05)
    for (double y = 0.12; y < 0.46; y += 0.05) {
      double want[2][2];
      lim_goal g = at(x, y);
      if (!angles(want[0], 0, x, y) || !angles(want[1], 1, x, y)) continue;
      lim_ik_outcome first;
      int count = lim_ik_all(a.ik, a.solution, MOST_SOLUTIONS, &first, &g, a.c->start);
      bool seen[4] = {false};
      for (int s = 0; s < count; s++) {
        int which = 0;
        for (int side = 0; side < 2; side++) {
          double q = motor(&a, a.solution + s * a.c->n, side);
          double off[2] = {fabs(remainder(q - want[side][0], 2 * M_PI)),
                           fabs(remainder(q - want[side][1], 2 * M_PI))};
          which |= (off[1] < off[0]) << side;
          worst = fmax(worst, fmin(off[0], off[1]));
        }
        assert_false(seen[which]);
        seen[which] = true;
        lim_world_motion pose = arm_pose(&a, a.solution + s * a.c->n);
        left = fmax(left, hypot(pose.p[0] - x, pose.p[1] - y));
      }
      places++;
      found += count;
    }
  table_head("Five-bar robot: all angles that put the tool at places of its workspace");
  assert_true(places > 30);
  table_row("postures per place", (double)found / places, 4, 0, "two per motor");
  table_bound("angles [rad]", worst, 1e-10, "two circles");
  table_bound("round trip [m]", left, 1e-10, "kinematics of bodies");
  arm_free(&a);
}

// With the rods along u, v, w (from the elbows to the tool): u_i.(dp - dq_i k x arm_i) = 0.
static void speeds_are_those_of_two_rods(void **state) {
  (void)state;
  arm a = arm_of(ROBOT, "left-rod.tip", LIM_GOAL_POSITION);
  lim_goal g = at(0.08, 0.3);
  lim_world_pose pose;
  double J[6 * 4], worst = 0;
  assert_int_equal(a.c->n, 4);
  assert_true(lim_ik_near(a.ik, a.solution, &g, a.c->start).reached);
  lim_ik_pose(&pose, J, a.ik, a.solution);
  for (int side = 0; side < 2; side++) {
    double q = motor(&a, a.solution, side), ex = UPPER * cos(q), ey = UPPER * sin(q);
    double ux = g.position[0] - (side ? HALF : -HALF) - ex, uy = g.position[1] - ey;
    for (int of = 0; of < 2; of++) {
      const double *v = J + 6 * lim_chain_joint_of(a.c, of ? "right" : "left");
      double own = of == side ? ux * -ey + uy * ex : 0; // of the elbow, along the rod
      worst = fmax(worst, fabs(ux * v[0] + uy * v[1] - own));
    }
  }
  for (int k = 0; k < 4; k++)
    if (a.c->joint[k].follows) assert_true(J[6 * k] == 0 && J[6 * k + 1] == 0);
  table_head("Five-bar robot: speed of the tool per speed of a motor");
  table_bound("along the rods [m^2/s]", worst, 1e-15, "rods keep their length");
  arm_free(&a);
}

static unsigned singular_at(arm *a, double x, double y, const double near[2]) {
  lim_goal g = at(x, y);
  double q[4];
  memcpy(q, a->c->start, sizeof q);
  for (int side = 0; side < 2; side++) q[lim_chain_joint_of(a->c, side ? "right" : "left")] = near[side];
  lim_ik_close(a->ik, q);
  lim_ik_outcome out = lim_ik_near(a->ik, a->solution, &g, q);
  assert_true(out.reached);
  return out.singular;
}

// An arm in line with its rod loses a direction of the tool; rods in line with each other do not hold it.
static void both_kinds_of_singularities_are_told_apart(void **state) {
  (void)state;
  arm a = arm_of(ROBOT, "left-rod.tip", LIM_GOAL_POSITION);
  const double reach = UPPER + LOWER, up = sqrt(reach * reach - HALF * HALF), rods = sqrt(0.03);
  const double near[2] = {119 * M_PI / 180, 61 * M_PI / 180};
  assert_int_equal(singular_at(&a, 0, 0.3, START), 0);
  assert_int_equal(singular_at(&a, 0, up, START), LIM_SINGULAR_OTHER); // both
  assert_int_equal(singular_at(&a, -0.2 + reach * cos(1), reach * sin(1), START),
                   LIM_SINGULAR_OTHER);                                // left
  assert_int_equal(singular_at(&a, 0, rods, near), LIM_SINGULAR_HELD); // rods level
  assert_int_equal(singular_at(&a, 0, rods + 1e-3, near), 0);
  arm_free(&a);
}

static void least_distance_is_found_out_of_reach(void **state) {
  (void)state;
  arm a = arm_of(ROBOT, "left-rod.tip", LIM_GOAL_POSITION);
  const double reach = UPPER + LOWER;
  lim_goal above = at(0, 0.8), aside = at(0.6, 0.5);
  lim_ik_outcome out = lim_ik_near(a.ik, a.solution, &above, a.c->start);
  table_head("Five-bar robot: goals out of reach");
  assert_false(out.reached);
  table_row("between both [m]", out.distance, 0.8 - sqrt(reach * reach - HALF * HALF), 1e-9, "two circles");
  out = lim_ik_near(a.ik, a.solution, &aside, a.c->start);
  assert_false(out.reached);
  table_row("beyond one [m]", out.distance, hypot(0.8, 0.5) - reach, 1e-9, "one circle");
  table_bound("loop open by", out.gap, 1e-11, "");
  arm_free(&a);
}

// Limits of a motor leave other angles; limits of an elbow, which follows, too; and where none is left, one is
// named.
static void limits_of_all_joints_hold(void **state) {
  (void)state;
  char text[2000];
  double want[2];
  lim_goal g = at(0.05, 0.3);
  snprintf(text, sizeof text, "%s", ROBOT);
  char *elbow = strstr(text, "{name: right-elbow}");
  char rest[1000];
  snprintf(rest, sizeof rest, "%s", elbow + strlen("{name: right-elbow}"));
  snprintf(elbow, sizeof text - (size_t)(elbow - text), "{name: right-elbow, limits: {position: [-3, 0]}}%s",
           rest);
  arm a = arm_of(text, "left-rod.tip", LIM_GOAL_POSITION);
  int count = lim_ik_all(a.ik, a.solution, MOST_SOLUTIONS, NULL, &g, a.c->start);
  assert_int_equal(count, 2);
  assert_true(angles(want, 1, 0.05, 0.3));
  for (int s = 0; s < count; s++)
    assert_true(fabs(remainder(motor(&a, a.solution + s * a.c->n, 1) - want[0], 2 * M_PI)) < 1e-10);
  arm_free(&a);
  snprintf(elbow, sizeof text - (size_t)(elbow - text),
           "{name: right-elbow, limits: {position: [-0.1, 0.1]}}%s", rest);
  a = arm_of(text, "left-rod.tip", LIM_GOAL_POSITION);
  lim_ik_outcome out = lim_ik_near(a.ik, a.solution, &g, a.c->start);
  assert_false(out.reached);
  assert_true(out.beyond >= 0 && !strcmp(a.c->joint[out.beyond].name, "right-elbow"));
  assert_true(out.gap < 1e-11 && fabs(a.solution[3]) <= 0.1 + 1e-12);
  arm_free(&a);
}

// Of a held motor: the tool on a curve, its nearest point to a goal; there, what is left is across the curve.
static void held_motors_leave_a_curve(void **state) {
  (void)state;
  const bool held[4] = {false, false, true, false};
  arm a = {.m = parse(ROBOT)};
  arm_take(&a, "left-rod.tip", LIM_GOAL_POSITION, true, held);
  lim_goal g = at(0.1, 0.25);
  lim_world_pose pose;
  double J[6 * 3];
  lim_ik_outcome out = lim_ik_near(a.ik, a.solution, &g, a.c->start);
  assert_int_equal(a.c->n, 3);
  assert_false(out.reached);
  lim_ik_pose(&pose, J, a.ik, a.solution);
  const double *v = J + 6 * lim_chain_joint_of(a.c, "left");
  double across = (g.position[0] - pose.p[0]) * v[0] + (g.position[1] - pose.p[1]) * v[1];
  table_head("Five-bar robot with one motor held");
  table_bound("what is left, along the curve", across / (out.distance * hypot(v[0], v[1])), 1e-6,
              "at right angles");
  arm_free(&a);
}

// --- lines and programs ---

typedef struct {
  double height, off;
  int records;
} level;

static void look_at_height(void *user, const lim_snapshot *m) {
  level *l = user;
  l->off = fmax(l->off, fabs(lim_snapshot_site(m, site_called(m->system, "left-rod.tip")).p[1] - l->height));
  l->records++;
}

static void lines_of_the_tool_are_straight(void **state) {
  (void)state;
  char text[3000];
  level l = {.height = 0.3};
  snprintf(text, sizeof text,
           "%smotion: {left-rod.tip: {line: {from: [-0.15, 0.3, 0], to: [0.15, 0.3, 0]}, profile: quintic, "
           "duration: 0.5 s}}\nsolver: {duration: 0.5 s, step: 1 ms}\noutputs: {every: 1 ms}\n",
           ROBOT);
  watch(parse(text), look_at_height, &l);
  table_head("Five-bar robot with rigid rods: a line of 300 mm");
  assert_true(l.records > 400);
  table_bound("off the line [m]", l.off, 1e-9, "straight");
}

static void look_at_program(void *user, const lim_snapshot *m) {
  level *l = user;
  lim_world_motion tool = lim_snapshot_site(m, site_called(m->system, "left-rod.tip"));
  double line = fabs(tool.p[1] - 0.3), arc = fabs(hypot(tool.p[0], tool.p[1] - 0.3) - 0.1);
  l->off = fmax(l->off, fmin(line, arc));
  l->records++;
}

// From (0.1, 0.3) along a line to (-0.1, 0.3), back along the upper half of a circle.
static void programs_follow_lines_and_arcs(void **state) {
  (void)state;
  lim_model *m = NULL;
  lim_error err = {0};
  char text[3000];
  level l = {0};
  snprintf(text, sizeof text,
           "%ssolver: {duration: 1.5 s, step: 1 ms, method: generalized-alpha}\noutputs: {every: 1 ms}\n",
           ROBOT);
  char *configuration = strstr(text, "configuration");
  double left[2], right[2];
  assert_true(angles(left, 0, 0.1, 0.3) && angles(right, 1, 0.1, 0.3));
  snprintf(configuration, sizeof text - (size_t)(configuration - text),
           "configuration: {left: %.17g, right: %.17g, left-elbow: -60 deg, right-elbow: 60 deg}\n"
           "solver: {duration: 2.5 s, step: 1 ms}\noutputs: {every: 1 ms}\n",
           left[0], right[1]);
  must(plan_text(&m, text,
                 "speed{linear = 0.5}\nmovel{x = -0.1}\nmovec{via = {0, 0.4, 0}, to = {0.1, 0.3, 0}}\n", &err),
       &err, "the program");
  watch(m, look_at_program, &l);
  table_head("Five-bar robot with rigid rods: a line and an arc of a program");
  assert_true(l.records > 2000);
  table_bound("off its way [m]", l.off, 1e-9, "");
}

static void refuses(const char *program, const char *message) {
  lim_model *m = NULL;
  lim_error err = {0};
  assert_int_not_equal(plan_text(&m, ROBOT, program, &err), LIM_OK);
  print_notes(&err);
  assert_non_null(strstr(err.note[0].text, message));
  lim_error_clear(&err);
  lim_model_free(m);
}

static void ways_that_cannot_be_are_refused_with_how_far_they_come(void **state) {
  (void)state;
  refuses("movel{x = 0, y = 0.6}", "movel: the tool cannot follow its way beyond 0.");
  refuses("movel{x = 0, y = 0.6}", "out of reach; 0.142 m are left to its end");
  refuses("movej{left = math.rad(170), right = math.rad(10)}", "movej: after ");
  refuses("movej{left = math.rad(170), right = math.rad(10)}", "loop 'pin' cannot be closed");
  refuses("movel{x = 0.1, y = 0.3, rpy = {0, 0, 0}}", "2 joints move it, and 3 can turn it at will");
  refuses("movej{[\"left-elbow\"] = 0}", "joint 'left-elbow' has no drive that takes a command");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(angles_are_those_of_two_circles),
      cmocka_unit_test(speeds_are_those_of_two_rods),
      cmocka_unit_test(both_kinds_of_singularities_are_told_apart),
      cmocka_unit_test(least_distance_is_found_out_of_reach),
      cmocka_unit_test(limits_of_all_joints_hold),
      cmocka_unit_test(held_motors_leave_a_curve),
      cmocka_unit_test(lines_of_the_tool_are_straight),
      cmocka_unit_test(programs_follow_lines_and_arcs),
      cmocka_unit_test(ways_that_cannot_be_are_refused_with_how_far_they_come),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

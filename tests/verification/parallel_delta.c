// parallel_delta.c - inverse kinematics of a delta robot (models/delta.yaml) against closed forms: the angles
// of each arm by a quadratic, the platform where three spheres meet; and its platform on straight lines.
#include "delta_fixture.h"
#include "kinematics_fixture.h"
#include "loop_fixture.h"

static double of_joint(const arm *a, const double *q, const char *name) {
  int k = lim_chain_joint_of(a->c, name);
  assert_true(k >= 0);
  return q[k];
}

static void motors(double angle[3], const arm *a, const double *q) {
  static const char *const name[3] = {"a", "b", "c"};
  for (int i = 0; i < 3; i++) angle[i] = of_joint(a, q, name[i]);
}

static double distance(const double a[3], const double b[3]) {
  const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
  return sqrt(dot(d, d));
}

typedef struct {
  int poses;
  double angle, round_trip, by_kinematics, gap;
} findings;

// One pose, from the configuration: the elbows stay outwards.
static void look_at_pose(findings *f, arm *a, const double p[3]) {
  lim_goal g = {.position = {p[0], p[1], p[2]}};
  double angle[3], want[2] = {0}, back[3];
  lim_ik_outcome out = lim_ik_near(a->ik, a->solution, &g, a->c->start);
  assert_true(out.reached);
  motors(angle, a, a->solution);
  for (int i = 0; i < 3; i++) {
    assert_true(arm_angles(want, i, p));
    f->angle = fmax(f->angle, fabs(angle[i] - want[0]));
  }
  spheres_meet(back, angle);
  f->round_trip = fmax(f->round_trip, distance(back, p));
  f->by_kinematics = fmax(f->by_kinematics, distance(arm_pose(a, a->solution).p, p));
  f->gap = fmax(f->gap, out.gap);
  f->poses++;
}

static void workspace_poses_round_trip(void **state) {
  (void)state;
  arm a = arm_load(DELTA, "tip", LIM_GOAL_POSITION);
  findings f = {0};
  assert_int_equal(lim_ik_method_of(a.ik), LIM_IK_SEARCH);
  for (double x = -0.24; x < 0.25; x += 0.12)
    for (double y = -0.24; y < 0.25; y += 0.12)
      for (double z = -0.8; z < -0.45; z += 0.1) look_at_pose(&f, &a, (const double[3]){x, y, z});
  table_head("Delta robot: poses of its workspace");
  table_row("poses", f.poses, 100, 0, "5 x 5 x 4");
  table_bound("angles of the motors [rad]", f.angle, 1e-10, "quadratic of each arm");
  table_bound("round trip by three spheres [m]", f.round_trip, 1e-10, "closed form");
  table_bound("round trip by the kinematics of bodies [m]", f.by_kinematics, 1e-10, "lim_kinematics");
  table_bound("loops open by", f.gap, 1e-11, "");
  arm_free(&a);
}

// Every arm has two angles: eight postures of the motors, the platform never turned.
static void all_postures_of_the_motors_are_found(void **state) {
  (void)state;
  arm a = arm_load(DELTA, "tip", LIM_GOAL_POSE);
  lim_goal g = {.position = {0.1, 0.05, -0.6}, .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  int count = lim_ik_all(a.ik, a.solution, MOST_SOLUTIONS, NULL, &g, a.c->start);
  bool seen[8] = {false};
  double worst = 0;
  assert_int_equal(count, 8);
  for (int s = 0; s < count; s++) {
    double angle[3], want[2] = {0};
    int which = 0;
    motors(angle, &a, a.solution + s * a.c->n);
    for (int i = 0; i < 3; i++) {
      assert_true(arm_angles(want, i, g.position));
      double off[2] = {fabs(remainder(angle[i] - want[0], 2 * M_PI)),
                       fabs(remainder(angle[i] - want[1], 2 * M_PI))};
      which |= (off[1] < off[0]) << i;
      worst = fmax(worst, fmin(off[0], off[1]));
    }
    assert_false(seen[which]);
    seen[which] = true;
  }
  table_head("Delta robot: eight postures");
  table_bound("angles of the motors [rad]", worst, 1e-10, "both roots of the quadratic");
  arm_free(&a);
}

// d p / d angle by differences of the spheres' point.
static void jacobian_is_that_of_the_spheres(void **state) {
  (void)state;
  arm a = arm_load(DELTA, "tip", LIM_GOAL_POSITION);
  double *J = calloc(6 * (size_t)a.c->n, sizeof *J), angle[3], worst = 0, turned = 0;
  lim_goal g = {.position = {-0.1, 0.12, -0.68}};
  lim_world_pose at;
  assert_true(lim_ik_near(a.ik, a.solution, &g, a.c->start).reached);
  motors(angle, &a, a.solution);
  lim_ik_pose(&at, J, a.ik, a.solution);
  for (int i = 0; i < 3; i++) {
    const double e = 1e-6;
    double there[2][3], *column = J + 6 * lim_chain_joint_of(a.c, (char[2]){"abc"[i], 0});
    for (int side = 0; side < 2; side++) {
      double moved[3] = {angle[0], angle[1], angle[2]};
      moved[i] += side ? e : -e;
      spheres_meet(there[side], moved);
    }
    for (int k = 0; k < 3; k++) {
      worst = fmax(worst, fabs((there[1][k] - there[0][k]) / (2 * e) - column[k]));
      turned = fmax(turned, fabs(column[3 + k]));
    }
  }
  table_head("Delta robot: speed of the platform per speed of a motor");
  table_bound("difference [m/rad]", worst, 1e-9, "differences of the spheres' point");
  table_bound("turns", turned, 1e-9, "parallel rods");
  assert_int_equal(lim_ik_freedoms(a.ik, a.solution), 3);
  free(J);
  arm_free(&a);
}

// Beyond its reach: as low as the platform gets, all arms and rods are in line with it, and down is lost.
static void least_distance_is_found_out_of_reach(void **state) {
  (void)state;
  arm a = arm_load(DELTA, "tip", LIM_GOAL_POSITION);
  lim_goal g = {.position = {0, 0, -1.5}};
  double lowest = sqrt((UPPER + LOWER) * (UPPER + LOWER) - INSET * INSET);
  lim_ik_outcome out = lim_ik_near(a.ik, a.solution, &g, a.c->start);
  table_head("Delta robot: a goal below its reach");
  assert_false(out.reached);
  table_row("distance left [m]", out.distance, 1.5 - lowest, 1e-9, "arms stretched");
  table_bound("loops open by", out.gap, 1e-11, "a posture of the robot");
  assert_true(out.singular & LIM_SINGULAR_OTHER);
  arm_free(&a);
}

// A platform that cannot turn, told to.
static void turns_that_it_cannot_make_are_left_over(void **state) {
  (void)state;
  arm a = arm_load(DELTA, "tip", LIM_GOAL_POSE);
  const double tilt = 0.2;
  lim_goal g = {.position = {0.1, 0.05, -0.6},
                .R = {1, 0, 0, 0, cos(tilt), -sin(tilt), 0, sin(tilt), cos(tilt)}};
  lim_ik_outcome out = lim_ik_near(a.ik, a.solution, &g, a.c->start);
  table_head("Delta robot: told to tilt by 0.2 rad");
  assert_false(out.reached);
  table_bound("distance left [m]", out.distance, 1e-9, "its place is met");
  table_row("angle left [rad]", out.angle, tilt, 1e-9, "its turn is not");
  arm_free(&a);
}

// --- lines ---

typedef struct {
  double from[3], to[3], off, turned;
  int records;
} line;

static void look_along(void *user, const lim_snapshot *m) {
  line *l = user;
  lim_world_motion tip = lim_snapshot_site(m, site_called(m->system, "tip"));
  double way[3], out[3];
  for (int k = 0; k < 3; k++) {
    way[k] = l->to[k] - l->from[k];
    out[k] = tip.p[k] - l->from[k];
  }
  double part = dot(out, way) / dot(way, way);
  for (int k = 0; k < 3; k++) out[k] -= part * way[k];
  l->off = fmax(l->off, sqrt(dot(out, out)));
  for (int k = 0; k < 9; k++) l->turned = fmax(l->turned, fabs(tip.R[k] - (k % 4 == 0)));
  l->records++;
}

static void lines_of_the_platform_are_straight(void **state) {
  (void)state;
  line l = {.from = {-0.2, -0.1, -0.6}, .to = {0.2, 0.15, -0.7}};
  lim_run run =
      watch(load_with(DELTA, (const char *[]){"solver.mode=rigid", "solver.step=1 ms", "outputs.every=1 ms",
                                              "motion={tip: {line: {from: [-0.2, -0.1, -0.6], to: [0.2, "
                                              "0.15, -0.7]}, profile: cycloidal, duration: 0.3 s}}",
                                              NULL}),
            look_along, &l);
  assert_int_equal(run.status, LIM_RUN_DONE);
  assert_true(l.records > 300);
  table_head("Delta robot with rigid rods: a line of 480 mm in 0.3 s");
  table_bound("off the line [m]", l.off, 1e-9, "straight");
  table_bound("turned", l.turned, 1e-9, "parallel rods");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(workspace_poses_round_trip),
      cmocka_unit_test(all_postures_of_the_motors_are_found),
      cmocka_unit_test(jacobian_is_that_of_the_spheres),
      cmocka_unit_test(least_distance_is_found_out_of_reach),
      cmocka_unit_test(turns_that_it_cannot_make_are_left_over),
      cmocka_unit_test(lines_of_the_platform_are_straight),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

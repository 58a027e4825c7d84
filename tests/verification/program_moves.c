// program/moves.c - moves of robot programs: lines are straight, arcs round, limits kept, times the shortest.
#include "verification/program_fixture.h"

#include "analysis/simulation/simulate.h"
#include "math/rotation.h"
#include "math/rotation_vector.h"

enum { LOOKS = 20000 };

// Largest distance of the tool from the line between its places at two times, and |v|, |a| on it.
typedef struct {
  double off, speed, accel, turn;
} travelled;

static travelled travel(planned *x, double from, double to) {
  const lim_world_motion first = tool_at(x, from), last = tool_at(x, to);
  double d[3], length = 0;
  travelled out = {0};
  for (int i = 0; i < 3; i++) d[i] = last.p[i] - first.p[i];
  length = sqrt(lim_dot(d, d));
  for (int k = 0; k <= LOOKS; k++) {
    const lim_world_motion at = tool_at(x, from + (to - from) * k / LOOKS);
    double e[3], across[3];
    for (int i = 0; i < 3; i++) e[i] = at.p[i] - first.p[i];
    lim_cross(across, e, d);
    out.off = fmax(out.off, sqrt(lim_dot(across, across)) / length);
    if (k == 0 || k == LOOKS) continue;
    out.speed = fmax(out.speed, sqrt(lim_dot(at.v, at.v)));
    out.accel = fmax(out.accel, sqrt(lim_dot(at.a, at.a)));
    out.turn = fmax(out.turn, sqrt(lim_dot(at.w, at.w)));
  }
  return out;
}

// Largest rate and second derivative of a joint.
static lim_sample largest(const planned *x, const char *joint, double from, double to) {
  const lim_trajectory *c = course_of(x, joint);
  lim_sample max = {0};
  for (int k = 0; k <= LOOKS; k++) {
    const lim_sample s = lim_trajectory_at(c, from + (to - from) * k / LOOKS);
    max.rate = fmax(max.rate, fabs(s.rate));
    max.second = fmax(max.second, fabs(s.second));
  }
  return max;
}

static void joint_move_takes_least_time(void **state) {
  (void)state;
  table_head("joint moves: D/v + v/a, or 2 sqrt(D/a)");
  planned x = plan_of(PLANAR, "speed{joint = 2} accel{joint = 4}\n"
                              "movej{a = 2.5, b = 1.1}\n" // a goes 2 rad
                              "movej{a = 2.4}\n");
  const lim_trace *long_one = trace_of(&x, "movej", 0), *short_one = trace_of(&x, "movej", 1);
  table_row("with a stretch of constant speed [s]", long_one->to - long_one->from, 1.5, 1e-4, "");
  table_row("without [s]", short_one->to - short_one->from, 2 * sqrt(0.1 / 4), 1e-4, "");
  const lim_sample max = largest(&x, "a", 0, x.m->plan->end);
  table_row("speed [rad/s]", max.rate, 2, 1e-3, "");
  table_row("acceleration [rad/s^2]", max.second, 4, 1e-3, "");
  assert_true(max.rate <= 2 * (1 + 1e-12) && max.second <= 4 * (1 + 1e-9));
  assert_true(lim_trajectory_at(course_of(&x, "a"), x.m->plan->end).value == 2.4);
  plan_free(x);
  x = plan_of(PLANAR, "movej{a = 1, duration = 3}\nmovel{x = 0.6, y = 0.6, duration = 4}\n");
  table_row("as long as is asked [s]", trace_of(&x, "movej", 0)->to, 3, 1e-12, "");
  table_row("the same of a line [s]", x.m->plan->end, 7, 1e-12, "");
  plan_free(x);
}

static void line_is_straight_and_takes_least_time(void **state) {
  (void)state;
  table_head("lines: of a planar arm with three joints, orientation kept");
  planned x =
      plan_of(PLANAR, "speed{joint = 100, linear = 0.3, angular = 100} accel{joint = 1000, linear = 0.9}\n"
                      "local p = pose()\n"
                      "movel{x = p.x - 0.3, y = p.y + 0.1}\n");
  const lim_trace *t = trace_of(&x, "movel", 0);
  const double D = sqrt(0.1);
  const travelled way = travel(&x, t->from, t->to);
  table_bound("distance from the line [m]", way.off, 1e-9, "");
  table_bound("turn of the tool [rad/s]", way.turn, 1e-8, "");
  table_row("time D/v + v/a [s]", t->to - t->from, D / 0.3 + 0.3 / 0.9, 1e-4, "");
  table_row("speed [m/s]", way.speed, 0.3, 1e-3, "");
  table_row("acceleration [m/s^2]", way.accel, 0.9, 1e-3, "");
  plan_free(x);
}

static void line_keeps_limits_of_joints(void **state) {
  (void)state;
  table_head("lines under limits of joints: 1 rad/s, 3 rad/s^2; the tool could go faster");
  planned x = plan_of(PLANAR, "speed{joint = 1, linear = 10, angular = 100} accel{joint = 3, linear = 100}\n"
                              "local p = pose()\n"
                              "movel{x = p.x - 0.5, y = p.y + 0.2, orientation = 'free'}\n"
                              "movel{x = p.x, y = p.y}\n");
  const double end = x.m->plan->end;
  static const char *const joint[] = {"a", "b", "c"};
  double rate = 0, second = 0;
  for (int i = 0; i < 3; i++) {
    const lim_sample max = largest(&x, joint[i], 0, end);
    rate = fmax(rate, max.rate);
    second = fmax(second, max.second);
  }
  table_row("fastest joint [rad/s]", rate, 1, 1e-2, "");
  table_row("largest acceleration [rad/s^2]", second, 3, 1e-2, "");
  assert_true(rate <= 1 + 1e-7 && second <= 3 * (1 + 1e-6));
  for (int k = 0; k < 2; k++) {
    const lim_trace *t = trace_of(&x, "movel", k);
    table_bound("distance from the line [m]", travel(&x, t->from, t->to).off, 1e-9, "");
  }
  plan_free(x);
}

static void held_joints_stay(void **state) {
  (void)state;
  table_head("hold: of three joints in a plane, one stays where it is while the tool follows a line");
  planned x = plan_of(PLANAR, "hold('c') movel{y = 0.7} hold() movel{x = 0.7}\n");
  const lim_trajectory *held = course_of(&x, "c");
  for (int k = 0; k < 2; k++) {
    const lim_trace *t = trace_of(&x, "movel", k);
    const double from = lim_trajectory_at(held, t->from).value;
    double moved = 0;
    for (int i = 0; i <= 100; i++)
      moved = fmax(moved, fabs(lim_trajectory_at(held, t->from + (t->to - t->from) * i / 100).value - from));
    table_bound("distance from the line [m]", travel(&x, t->from, t->to).off, 1e-9, "");
    if (k == 0) table_bound("  the held joint moves [rad]", moved, 1e-15, "held");
    if (k == 1) assert_true(moved > 0.01);
  }
  plan_free(x);
}

static void line_turns_evenly(void **state) {
  (void)state;
  table_head("turns: of six joints, from one orientation to another about one axis");
  planned x = plan_of(WRISTED, "local p = pose()\n"
                               "movel{x = p.x - 0.1, y = p.y + 0.1, z = p.z + 0.05, rpy = {0.4, -0.2, 1.1}}\n"
                               "movel{rpy = {0.1, 0.3, 0.8}}\n");
  for (int k = 0; k < 2; k++) {
    const lim_trace *t = trace_of(&x, "movel", k);
    const lim_world_motion first = tool_at(&x, t->from), last = tool_at(&x, t->to);
    double back[9], D[9], whole[3], off = 0, max = 0;
    for (int i = 0; i < 9; i++) back[i] = first.R[3 * (i % 3) + i / 3];
    lim_mat3_product(D, last.R, back);
    lim_rotation_vector(whole, D);
    for (int i = 0; i <= 500; i++) { // the turn so far is about the same axis
      const lim_world_motion at = tool_at(&x, t->from + (t->to - t->from) * i / 500);
      double part[3], across[3];
      lim_mat3_product(D, at.R, back);
      lim_rotation_vector(part, D);
      lim_cross(across, part, whole);
      off = fmax(off, sqrt(lim_dot(across, across) / lim_dot(whole, whole)));
      max = fmax(max, sqrt(lim_dot(at.w, at.w)));
    }
    table_bound("turn beside the axis [rad]", off, 1e-9, "");
    if (k == 0) table_bound("distance from the line [m]", travel(&x, t->from, t->to).off, 1e-9, "");
    assert_true(max <= 1 + 1e-3);
  }
  const lim_world_motion end = tool_at(&x, x.m->plan->end);
  double R[9], gap = 0;
  lim_rotation_rpy(R, (double[3]){0.1, 0.3, 0.8});
  for (int i = 0; i < 9; i++) gap = fmax(gap, fabs(R[i] - end.R[i]));
  table_bound("orientation at the end", gap, 1e-9, "");
  plan_free(x);
}

static void arc_is_round(void **state) {
  (void)state;
  table_head("arcs: the circle through three places");
  planned x =
      plan_of(WRISTED, "tool{xyz = {0, 0, 0}} local p = pose()\n"
                       "movec{via = {p.x - 0.05, p.y + 0.05, p.z + 0.02}, to = {p.x - 0.1, p.y, p.z}}\n");
  const lim_trace *t = trace_of(&x, "movec", 0);
  const lim_world_motion first = tool_at(&x, t->from), last = tool_at(&x, t->to);
  // centre and radius by hand: the chord is along x, 0.1 long, and via is above its middle
  const double h = sqrt(0.05 * 0.05 + 0.02 * 0.02), radius = (0.05 * 0.05 + h * h) / (2 * h);
  const double up[3] = {0, 0.05 / h, 0.02 / h};
  double centre[3], off = 0, out = 0, n[3], via = INFINITY;
  for (int i = 0; i < 3; i++) centre[i] = first.p[i] - 0.05 * (i == 0) + (h - radius) * up[i];
  lim_cross(n, (double[3]){1, 0, 0}, up);
  for (int k = 0; k <= LOOKS; k++) {
    const lim_world_motion at = tool_at(&x, t->from + (t->to - t->from) * k / LOOKS);
    double d[3], to_via = 0;
    for (int i = 0; i < 3; i++) {
      d[i] = at.p[i] - centre[i];
      to_via += pow(at.p[i] - (first.p[i] - 0.05 * (i == 0) + h * up[i]), 2);
    }
    off = fmax(off, fabs(sqrt(lim_dot(d, d)) - radius));
    out = fmax(out, fabs(lim_dot(d, n)));
    via = fmin(via, sqrt(to_via));
  }
  table_bound("distance from the circle [m]", off, 1e-9, "");
  table_bound("distance from its plane [m]", out, 1e-9, "");
  table_bound("gap at the end [m]", fabs(last.p[0] - first.p[0] + 0.1), 1e-9, "");
  assert_true(via < 1e-4);
  plan_free(x);
}

// From rest on a circle with |acceleration| <= a: (v^2)' = 2 sqrt(a^2 - v^4/r^2) gives v^2 = a r sin(2 s/r),
// the whole of a across the way from s = pi r/4 on. Half a circle takes (2 K + pi/2) sqrt(r/a), 2 K the
// integral of sin^-1/2 from 0 to pi/2.
static void arc_takes_least_time(void **state) {
  (void)state;
  table_head("half a circle of 0.1 m, 0.9 m/s^2 in any direction");
  planned x =
      plan_of(PLANAR, "speed{joint = 100, linear = 10, angular = 100} accel{joint = 1000, linear = 0.9}\n"
                      "local p = pose()\n"
                      "movec{via = {p.x - 0.1, p.y + 0.1, 0}, to = {p.x - 0.2, p.y, 0}}\n");
  const lim_trace *t = trace_of(&x, "movec", 0);
  const travelled way = travel(&x, t->from, t->to);
  table_row("time [s]", t->to - t->from, (2.62205755429212 + M_PI / 2) * sqrt(0.1 / 0.9), 1e-3, "closed form");
  table_row("largest speed [m/s]", way.speed, sqrt(0.9 * 0.1), 1e-3, "sqrt(a r)");
  table_row("largest acceleration [m/s^2]", way.accel, 0.9, 1e-3, "");
  plan_free(x);
}

static void spare_joints_follow_smoothly(void **state) {
  (void)state;
  table_head("more joints than needed: three joints in a plane, orientation free");
  planned x = plan_of(PLANAR, "local p = pose()\nmovel{x = p.x - 0.4, y = p.y + 0.2, orientation = 'free'}\n");
  const lim_trace *t = trace_of(&x, "movel", 0);
  table_bound("distance from the line [m]", travel(&x, t->from, t->to).off, 1e-9, "");
  const lim_trajectory *c = course_of(&x, "c");
  double gap = 0, size = 0;
  for (int i = 2; i + 2 < c->narc; i++) { // rates and accelerations agree from arc to arc
    const double at = c->arc[i].time;
    const lim_sample before = lim_trajectory_before(c, at), after = lim_trajectory_at(c, at);
    gap = fmax(gap, fabs(before.rate - after.rate));
    size = fmax(size, fabs(after.rate));
  }
  table_bound("jump of the speed [rad/s]", gap / size, 1e-9, "");
  plan_free(x);
}

static void corner_is_rounded_without_a_stop(void **state) {
  (void)state;
  table_head("blends: a corner of two lines, rounded within 0.05 m");
  planned x = plan_of(PLANAR, "local p = pose()\n"
                              "movel{x = p.x - 0.3, blend = 0.05}\n"
                              "movel{y = p.y + 0.1}\n");
  const lim_world_motion first = tool_at(&x, 0), last = tool_at(&x, x.m->plan->end);
  const double corner[2] = {last.p[0], first.p[1]};
  double slow = INFINITY, near = INFINITY, jump = 0, away = 0;
  for (int k = 0; k <= LOOKS; k++) {
    const double t = x.m->plan->end * k / LOOKS;
    const lim_world_motion at = tool_at(&x, t);
    const double d = hypot(at.p[0] - corner[0], at.p[1] - corner[1]);
    near = fmin(near, d);
    if (d < 0.05) slow = fmin(slow, sqrt(lim_dot(at.v, at.v)));
    if (d > 0.051) away = fmax(away, fmin(fabs(at.p[1] - corner[1]), fabs(at.p[0] - corner[0])));
  }
  for (int j = 0; j < x.m->motion.count; j++) {
    const lim_trajectory *c = x.m->motion.item[j].profile.ready;
    for (int i = 1; i < c->narc; i++) {
      const lim_sample before = lim_trajectory_before(c, c->arc[i].time),
                       after = lim_trajectory_at(c, c->arc[i].time);
      jump = fmax(jump, fmax(fabs(before.value - after.value), fabs(before.rate - after.rate)));
    }
  }
  table_bound("jump of position or speed", jump, 1e-9, "");
  table_bound("beside the lines, off the corner [m]", away, 1e-9, "");
  assert_true(near > 1e-3 && near < 0.05);
  assert_true(slow > 0.05); // no stop
  plan_free(x);
  table_head("blends: a corner of a joint move and a line");
  x = plan_of(PLANAR, "movej{a = 0.8, b = 0.7, blend = 0.1}\nlocal p = pose()\nmovel{x = p.x - 0.2}\n");
  const lim_trace *t = trace_of(&x, "movel", 0);
  const lim_world_motion at = tool_at(&x, t->from);
  assert_true(sqrt(lim_dot(at.v, at.v)) > 0.01);
  assert_true(x.m->plan->trace.count >= 2 && fabs(t->from - trace_of(&x, "movej", 0)->to) < 0.05);
  plan_free(x);
}

static void pose_is_reached_in_the_joints(void **state) {
  (void)state;
  table_head("movej to a pose: of six joints, and back by another way");
  planned x = plan_of(WRISTED, "local p, q = pose(), joints()\n"
                               "movej{pose = {p.x - 0.2, p.y + 0.1, p.z + 0.1}, rpy = {0.3, -0.4, 1}}\n"
                               "movej(q)\n");
  const lim_world_motion start = tool_at(&x, 0), there = tool_at(&x, trace_of(&x, "movej", 0)->to);
  const lim_world_motion end = tool_at(&x, x.m->plan->end);
  const double step[3] = {-0.2, 0.1, 0.1};
  double R[9], off = 0, turn = 0, back = 0;
  lim_rotation_rpy(R, (double[3]){0.3, -0.4, 1});
  for (int i = 0; i < 3; i++) {
    off = fmax(off, fabs(there.p[i] - start.p[i] - step[i]));
    back = fmax(back, fabs(end.p[i] - start.p[i]));
  }
  for (int i = 0; i < 9; i++) turn = fmax(turn, fabs(there.R[i] - R[i]));
  table_bound("place [m]", off, 1e-9, "");
  table_bound("orientation", turn, 1e-9, "");
  table_bound("back again [m]", back, 1e-12, "");
  plan_free(x);
}

// --- closed chains ---

typedef struct {
  double off; // from the line x + y = sum
  double sum;
} straight;

static lim_code watch_line(void *user, const lim_snapshot *m, lim_error *err) {
  (void)err;
  straight *x = user;
  const lim_world_motion tip = lim_snapshot_site(m, &m->system->site[0].site);
  if (m->t == 0) x->sum = tip.p[0] + tip.p[1];
  x->off = fmax(x->off, fabs(tip.p[0] + tip.p[1] - x->sum));
  return LIM_OK;
}

static void closed_chain_draws_a_line(void **state) {
  (void)state;
  const char *arm =
      "limber: 1\nplanar: xy\ngravity: [0, 0, 0]\nlinks:\n"
      "  - {name: upper, joint: {name: shoulder}, body: {mass: 1, inertia: [0, 0, 0.1], tip: [0.9, 0, 0]}}\n"
      "  - {name: fore, joint: {name: elbow}, body: {mass: 1, inertia: [0, 0, 0.1], tip: [0.9, 0, 0]}}\n"
      "  - {name: input, parent: base, joint: {name: crank}, body: {mass: 1, inertia: [0, 0, 0.1], tip: [0.3, "
      "0, 0]}}\n"
      "  - {name: rod, joint: {name: knee}, body: {mass: 1, inertia: [0, 0, 0.1], tip: [0.9, 0, 0]}}\n"
      "loops: [{name: pin, type: revolute, between: [rod.tip, rear]}]\n"
      "frames: [{name: tip, on: fore, at: tip}, {name: rear, on: fore, xyz: [-0.3, 0, 0]}]\n"
      "configuration: {shoulder: 66 deg, crank: 159 deg, elbow: -90 deg, knee: -90 deg}\n"
      "drives: {shoulder: {type: prescribed}, crank: {type: prescribed}}\n"
      "solver: {step: 1 ms, mode: rigid, method: rk4}\n";
  straight line = {0};
  lim_error err = {0};
  lim_model *m;
  lim_run run;
  const lim_simulate_hooks hooks = {.record = watch_line, .user = &line};
  lim_code code = plan_text(&m, arm, "local p = pose()\nmovel{x = p.x - 0.2, y = p.y + 0.2}\n", &err);
  if (code == LIM_OK) code = lim_simulate(&run, m, NULL, &hooks, &err);
  print_notes(&err);
  assert_int_equal(code, LIM_OK);
  table_head("line of a parallelogram arm, simulated");
  table_bound("distance from the line [m]", line.off, 1e-9, "");
  lim_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(joint_move_takes_least_time),
      cmocka_unit_test(line_is_straight_and_takes_least_time),
      cmocka_unit_test(line_keeps_limits_of_joints),
      cmocka_unit_test(held_joints_stay),
      cmocka_unit_test(line_turns_evenly),
      cmocka_unit_test(arc_is_round),
      cmocka_unit_test(arc_takes_least_time),
      cmocka_unit_test(spare_joints_follow_smoothly),
      cmocka_unit_test(corner_is_rounded_without_a_stop),
      cmocka_unit_test(pose_is_reached_in_the_joints),
      cmocka_unit_test(closed_chain_draws_a_line),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

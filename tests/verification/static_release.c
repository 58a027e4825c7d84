// static_release.c - what is held by springs: released joints against closed forms, the least of a potential,
// and a transcendental equation. Bars and beams on two springs, pendulums, a mass between two springs, a closed
// chain.
#include "loop_fixture.h"
#include "table_fixture.h"

#include "math/rotation.h"

static const double G = 9.81;

static double position(const lim_static *x, const char *joint) {
  for (int i = 0; i < x->joints.count; i++)
    if (!strcmp(x->joints.item[i].name, joint)) return x->joints.item[i].position;
  fail_msg("no joint '%s'", joint);
  return NAN;
}

static const lim_static_frame *frame(const lim_static *x, const char *name) {
  for (int i = 0; i < x->frames.count; i++)
    if (!strcmp(x->frames.item[i].name, name)) return &x->frames.item[i];
  fail_msg("no frame '%s'", name);
  return NULL;
}

// The root of f between a and b.
static double root_between(double f(double), double a, double b) {
  assert_true(f(a) * f(b) < 0);
  for (int i = 0; i < 200; i++) {
    double c = (a + b) / 2;
    *(f(a) * f(c) > 0 ? &a : &b) = c;
  }
  return a;
}

// --- one freedom ---

#define SWING(joint)                                                                                           \
  "limber: 1\nlinks:\n  - {name: rod, joint: {name: pivot, " joint                                             \
  "}, body: {mass: 2, com: [0.5, 0, 0], inertia: [0.01, 0.1, 0.1]}}\n"
#define HINGE "type: revolute, axis: [0, 1, 0]"

// k theta = m g c cos(theta)
static double torsion(double x) { return 7 * x - 2 * G * 0.5 * cos(x); }

static void pendulum_on_a_torsion_bushing(void **state) {
  (void)state;
  lim_model *m =
      parse(SWING(HINGE) "bushings: [{name: b, between: [base, rod.base], stiffness: [0, 0, 0, 0, 7, 0]}]\n"
                         "solver: {release: [pivot], start: equilibrium}\n");
  lim_static *x = static_of(m);
  lim_modes *v = modes_of(m, LIM_JOINTS_DEFAULT, 1);
  double at = root_between(torsion, 0, 2);
  table_head("A pendulum of 2 kg on a torsion bushing, released level");
  table_row("angle [rad]", position(x, "pivot"), at, 1e-12, "k theta = m g c cos(theta)");
  table_row("frequency [Hz]", v->modes.item[0].frequency, sqrt((7 + 2 * G * 0.5 * sin(at)) / 0.6) / (2 * M_PI),
            1e-10, "its derivative over J");
  lim_static_free(x);
  lim_modes_free(v);
  lim_model_free(m);
}

static void level_pendulum_comes_to_hang(void **state) {
  (void)state;
  static const double from[] = {0, 1.5, -1.5, -1.57, 3};
  table_head("A pendulum released anywhere comes to hang");
  for (size_t i = 0; i < sizeof from / sizeof *from; i++) {
    char set[64], what[64];
    const char *const list[] = {set};
    snprintf(set, sizeof set, "configuration={pivot: %g}", from[i]);
    snprintf(what, sizeof what, "from %g rad", from[i]);
    lim_model *m = parse_with(SWING(HINGE) "solver: {release: all}\n", list, 1);
    lim_static *x = static_of(m);
    table_row(what, position(x, "pivot"), M_PI / 2, 1e-12, "downhill");
    assert_true(x->joints.item[0].released);
    assert_true(x->joints.item[0].effort == 0);
    lim_static_free(x);
    lim_model_free(m);
  }
}

// What an effort gives at t = 0 is a load: 3 = m g c cos(theta).
static void effort_is_a_load(void **state) {
  (void)state;
  lim_model *m = parse(SWING(HINGE) "drives: {pivot: {type: effort, effort: {profile: constant, value: -3}}}\n"
                                    "solver: {release: [pivot]}\n");
  lim_static *x = static_of(m);
  table_head("A pendulum that an effort of -3 N m lifts");
  table_row("angle [rad]", position(x, "pivot"), acos(3 / G), 1e-12, "3 = m g c cos(theta)");
  table_row("effort [N m]", x->joints.item[0].effort, -3, 1e-12, "given");
  lim_static_free(x);
  lim_model_free(m);
}

// Two springs of length 1 at rest, taut in line: 2 k (1 - 1/sqrt(1 + z^2)) z = m g.
static double string_law(double z) { return 2 * 500 * (1 - 1 / sqrt(1 + z * z)) * z - 2 * G; }

static void mass_between_two_springs(void **state) {
  (void)state;
  lim_model *m = parse(
      SWING("type: prismatic, axis: [0, 0, -1]") "frames: [{name: a, on: base, xyz: [1, 0, 0]}, {name: b, on: "
                                                 "base, xyz: [-1, 0, 0]}]\n"
                                                 "springs: [{name: s, between: [a, rod.base], stiffness: 500}, "
                                                 "{name: t, between: [b, rod.base], stiffness: 500}]\nsolver: "
                                                 "{release: [pivot]}\n");
  lim_static *x = static_of(m);
  table_head("A mass between two springs, which have no stiffness across where it starts");
  table_row("sag [m]", position(x, "pivot"), root_between(string_law, 0.01, 3), 1e-12,
            "2 k (1 - l0/l) z = m g");
  lim_static_free(x);
  lim_model_free(m);
}

// --- closed chain ---

// Of a four-bar linkage of bars 0.3, 0.8, 0.5 m, pins 0.7 m apart, with a spring on its crank: its potential.
static double four_bar_potential(double t) {
  const double line = 7800 * 0.01 * 0.02, A[2] = {0.3 * cos(t), 0.3 * sin(t)}, d[2] = {0.7 - A[0], -A[1]};
  const double far = hypot(d[0], d[1]), a = (0.64 - 0.25 + far * far) / (2 * far), h = sqrt(0.64 - a * a);
  const double y = A[1] + a * d[1] / far + h * d[0] / far, spring = hypot(A[0], A[1] - 1) - 0.5;
  return line * G * (0.3 * A[1] / 2 + 0.8 * (A[1] + y) / 2 + 0.5 * y / 2) + 30 * spring * spring;
}

static double four_bar_slope(double t) {
  const double h = 1e-3;
  return (8 * (four_bar_potential(t + h) - four_bar_potential(t - h)) -
          (four_bar_potential(t + 2 * h) - four_bar_potential(t - 2 * h))) /
         (12 * h);
}

#define BAR(name, joint, length, more)                                                                         \
  "  - {name: " name ", " joint ", beam: {length: " length ", section: s, material: steel}" more "}\n"
#define FOUR_BAR(more)                                                                                         \
  "limber: 1\ngravity: [0, -9.81, 0]\nplanar: xy\nmaterials: {steel: {E: 210 GPa, nu: 0.3, rho: 7800}}\n"      \
  "sections: {s: {shape: rectangle, y: 10 mm, z: 20 mm}}\nlinks:\n" BAR(                                       \
      "crank", "joint: {name: a}", "0.3", more) BAR("coupler", "joint: {name: b}", "0.8", more)                \
      BAR("rocker", "parent: base, joint: {name: c, origin: {xyz: [0.7, 0, 0]}}", "0.5",                       \
          more) "loops: [{name: pin, between: [coupler.tip, rocker.tip]}]\nframes: [{name: top, on: base, "    \
                "xyz: [0, 1, 0]}]\n"                                                                           \
                "springs: [{name: s1, between: [top, crank.tip], stiffness: 60, length: 0.5}]\n"               \
                "configuration: {a: 60 deg, b: -40 deg, c: 80 deg}\n"                                          \
                "solver: {release: [a], start: equilibrium, duration: 0.1 s, step: 1 ms}\n"

static void four_bar_is_where_its_potential_is_least(void **state) {
  (void)state;
  lim_model *m = parse(FOUR_BAR(", basis: rigid")), *soft = parse(FOUR_BAR(""));
  lim_static *x = static_of(m), *y = static_of(soft);
  double at = root_between(four_bar_slope, 1.1, 1.3);
  table_head("A four-bar linkage with a released crank on a spring");
  table_row("crank, rigid bars [rad]", position(x, "a"), at, 1e-10, "least potential");
  table_row("crank, flexible bars [rad]", position(y, "a"), at, 1e-3, "of stiff bars");
  lim_static_free(x);
  lim_static_free(y);
  lim_model_free(m);
  lim_model_free(soft);
}

static void look_at_speeds(void *user, const lim_snapshot *m) {
  for (int i = 0; i < m->system->n; i++) *(double *)user = fmax(*(double *)user, fabs(m->v[i]));
}

static void run_stays_where_it_starts(void **state) {
  (void)state;
  double speed = 0;
  watch(parse(FOUR_BAR("")), look_at_speeds, &speed);
  table_head("The same simulated from its equilibrium");
  table_bound("largest rate of any coordinate", speed, 1e-9, "it rests");
}

// --- ball joints ---

#define CHAIN                                                                                                  \
  "limber: 1\nlinks:\n  - {name: rod, joint: {name: hook, type: spherical}, body: {mass: 2, com: [0.5, 0, "    \
  "0], "                                                                                                       \
  "inertia: [0.01, 0.1, 0.1], tip: [1, 0, 0]}}\n  - {name: bob, joint: {name: ball, type: spherical}, body: "  \
  "{mass: 1, com: [0.3, 0.1, 0], inertia: [0.01, 0.1, 0.1], tip: [0.3, 0.1, 0]}}\n"                            \
  "frames: [{name: wall, on: base, xyz: [1, 0.5, 0]}]\n"                                                       \
  "springs: [{name: s, between: [tip, wall], stiffness: 30, length: 0.2}]\n"                                   \
  "solver: {start: equilibrium, duration: 0.1 s, step: 1 ms}\n"

// From wherever it starts, and by any way, the chain comes to the same place, where forces on each rod balance:
// the spring and weights have no moment about the hook, nor about the ball.
static void chain_of_balls_rests_in_one_place(void **state) {
  (void)state;
  double first[3] = {0};
  table_head("Two rods on ball joints, the tip on a spring, from anywhere");
  for (int i = 0; i < 5; i++) {
    char set[160];
    const char *const list[] = {set};
    snprintf(set, sizeof set,
             "configuration={hook: {rpy: [%d deg, %d deg, %d deg]}, ball: {rpy: [%d deg, %d deg, 0]}}", 37 * i,
             71 * i - 90, 113 * i, 50 - 29 * i, 85 * i);
    lim_model *m = parse_with(CHAIN, list, 1);
    lim_static *x = static_of(m);
    const double *bob = frame(x, "tip")->position, *ball = frame(x, "rod.tip")->position;
    const double d[3] = {1 - bob[0], 0.5 - bob[1], -bob[2]}, l = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    const double f = 30 * (l - 0.2) / l,
                 F[3] = {f * d[0], f * d[1], f * d[2] - G}; // at the bob, which is its mass
    double about_ball[3], about_hook[3], arm[3] = {bob[0] - ball[0], bob[1] - ball[1], bob[2] - ball[2]};
    const double T[3] = {F[0], F[1], F[2] - 2 * G / 2}; // on the rod at the ball, half its weight with it
    lim_cross(about_ball, arm, F);
    lim_cross(about_hook, ball, T);
    for (int k = 0; k < 3; k++) {
      if (i == 0) first[k] = bob[k];
      table_bound("moment about the ball [N m]", about_ball[k], 1e-11, "it rests");
      table_bound("moment about the hook [N m]", about_hook[k], 1e-11, "it rests");
      table_bound("tip off the first [m]", bob[k] - first[k], 1e-11, "one place");
    }
    lim_static_free(x);
    lim_model_free(m);
  }
  double speed = 0;
  watch(parse(CHAIN), look_at_speeds, &speed);
  table_bound("largest rate of any coordinate in a run from there", speed, 1e-9, "it rests");
}

// A controller makes the tangent unsymmetric; behind its gear the motor has play.
static void controlled_arm_on_a_floating_plate_rests(void **state) {
  (void)state;
  double speed = 0;
  watch(
      parse(
          "limber: 1\nlinks:\n  - {name: plate, joint: {name: float, type: free}, body: {mass: 12, com: [0.05, "
          "0.02, 0.03], inertia: [0.3, 0.4, 0.5]}}\n  - {name: arm, at: base, joint: {name: j, axis: [0, 1, "
          "0]}, "
          "body: {mass: 1, com: [0.5, 0, 0], inertia: [0.01, 0.1, 0.1]}}\nbushings: [{name: b, between: "
          "[plate.base, base], stiffness: [1e4, 1e4, 1e4, 500, 500, 500]}]\ndrives: {j: {type: motor, motor: "
          "{rotor_inertia: 1e-5, ratio: 100}, gear: {stiffness: 300, backlash: 0.02}, control: {type: pd, kp: "
          "50, "
          "kv: 1}}}\nmotion: {j: {profile: constant, value: 0}}\n"
          "solver: {start: equilibrium, duration: 0.05 s, step: 1 ms}\n"),
      look_at_speeds, &speed);
  table_head("An arm with controller, elastic gear and play on a plate that a bushing holds");
  table_bound("largest rate of any coordinate in a run from rest", speed, 1e-9, "it rests");
}

// --- a flexible pendulum ---

static void flexible_pendulum_hangs_straight(void **state) {
  (void)state;
  lim_model *m = parse("limber: 1\nmaterials: {rubber: {E: 10 MPa, nu: 0.3, rho: 1000}}\n"
                       "sections: {s: {shape: rectangle, y: 20 mm, z: 20 mm}}\nlinks:\n"
                       "  - {name: rod, joint: {name: pivot, axis: [0, 1, 0]}, beam: {length: 1, section: s, "
                       "material: rubber, segments: 6, elements: 12}}\nsolver: {release: [pivot]}\n");
  lim_static *x = static_of(m);
  const lim_static_frame *tip = frame(x, "tip");
  table_head("A level rubber rod, released at its pin, comes to hang");
  table_row("angle [rad]", position(x, "pivot"), M_PI / 2, 1e-9, "straight down");
  table_row("elongation [m]", -tip->position[2] - 1, 1000 * G / (2 * 10e6), 1e-6, "rho g L^2/2E");
  table_bound("tip beside the pin [m]", tip->position[0], 1e-9, "straight down");
  lim_static_free(x);
  lim_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pendulum_on_a_torsion_bushing),
      cmocka_unit_test(level_pendulum_comes_to_hang),
      cmocka_unit_test(effort_is_a_load),
      cmocka_unit_test(mass_between_two_springs),
      cmocka_unit_test(four_bar_is_where_its_potential_is_least),
      cmocka_unit_test(run_stays_where_it_starts),
      cmocka_unit_test(chain_of_balls_rests_in_one_place),
      cmocka_unit_test(controlled_arm_on_a_floating_plate_rests),
      cmocka_unit_test(flexible_pendulum_hangs_straight),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

// joint_recentre.c - a floating flexible arm that tumbles, written twice: in joint frames that are turned
// against each other, so that the turns of its free joint are others, and are taken over by its quaternion at
// other times. All methods and modes give the same motion, each with the order that it has. Theory:
// docs/theory/joints.md (5), (6).
#include "engine_fixture.h"

#include "math/rotation.h"

#define ARM                                                                                                    \
  "limber: 1\n"                                                                                                \
  "gravity: [0, 0, 0]\n"                                                                                       \
  "materials: {m: {E: 70e9, nu: 0.33, rho: 2700}}\n"                                                           \
  "sections: {s: {shape: tube, outer: 60 mm, inner: 56 mm}}\n"                                                 \
  "links:\n"                                                                                                   \
  "  - {name: carrier, joint: {name: afloat, type: free, origin: {rpy: [%s]}}}\n"                              \
  "  - {name: sat, joint: {type: fixed, origin: {rpy: [%s]}}, body: {mass: 50, inertia: [8, 9, 12], tip: "     \
  "[0.5, 0, 0]}}\n"                                                                                            \
  "  - {name: up, joint: {name: shoulder, axis: [0, 0.3, 1]}, beam: {length: 2, section: s, material: m, "     \
  "elements: 4}, basis: {type: modes, count: 4}}\n"                                                            \
  "  - {name: fore, joint: {name: elbow, axis: [0, 1, 1]}, beam: {length: 2, section: s, material: m, "        \
  "elements: 4}, basis: {type: modes, count: 4}, masses: [{at: tip, mass: 5}]}\n"                              \
  "configuration: {afloat: {quaternion: [%.17g, %.17g, %.17g, %.17g], velocity: [0.1, 0.2, 0.3], "             \
  "angular_velocity: [%.17g, %.17g, %.17g]}}\n"                                                                \
  "drives: {shoulder: {type: prescribed}, elbow: {type: servo, stiffness: 3000, damping: 60}}\n"               \
  "motion:\n"                                                                                                  \
  "  shoulder: {profile: cycloidal, from: 0, to: 1.2, duration: 3}\n"                                          \
  "  elbow: {profile: cycloidal, from: 0, to: -1.5, duration: 3}\n"                                            \
  "solver: {duration: 4, step: 4 ms}\n"                                                                        \
  "outputs: {every: 0.1}\n"

static void quaternion_of(double q[4], const double rpy[3], bool back) {
  double turn[4];
  lim_quaternion_axis(q, 0, 0);
  for (int axis = 2; axis >= 0; axis--) {
    lim_quaternion_axis(turn, axis, rpy[axis]);
    lim_quaternion_turn(q, turn);
  }
  for (int i = 1; i < 4 && back; i++) q[i] = -q[i];
}

// The arm in a joint frame turned by `frame`, with a satellite turned by `sat` in the link that floats. In the
// world it starts as any other.
static void write_arm(char text[4000], const double frame[3], const double sat[3]) {
  const double start[4] = {0.8, 0.2, -0.4, 0.4}, spin[3] = {0.5, 1.1, 0.7}; // of the satellite, its own axes
  double q[4], turn[4], R[9], w[3];
  char text_frame[100], text_sat[100];
  quaternion_of(q, frame, true);
  lim_quaternion_turn(q, start);
  quaternion_of(turn, sat, true);
  lim_quaternion_turn(q, turn);
  lim_rotation_rpy(R, sat);
  lim_rotate(w, R, spin);
  snprintf(text_frame, sizeof text_frame, "%.17g, %.17g, %.17g", frame[0], frame[1], frame[2]);
  snprintf(text_sat, sizeof text_sat, "%.17g, %.17g, %.17g", sat[0], sat[1], sat[2]);
  snprintf(text, 4000, ARM, text_frame, text_sat, q[0], q[1], q[2], q[3], w[0], w[1], w[2]);
}

static void tip_of(double tip[3], const double frame[3], const double sat[3], const char *const *set) {
  char text[4000];
  observation o = {.watch = NULL};
  lim_error err = {0};
  write_arm(text, frame, sat);
  lim_code code = observe_code(&o, text, set, &err);
  print_notes(&err);
  assert_int_equal(code, LIM_OK);
  lim_error_clear(&err);
  memcpy(tip, o.tip, sizeof o.tip);
}

// Largest coordinate between the tips of the two.
static const double NOT[3], FRAME[3] = {0.4, -0.9, 1.7}, SATELLITE[3] = {-1, 0.5, 0.8};

static double between(const double frame[3], const double sat[3], const char *const *set) {
  double one[3], other[3], d = 0;
  tip_of(one, NOT, NOT, set);
  tip_of(other, frame, sat, set);
  for (int i = 0; i < 3; i++) d = fmax(d, fabs(one[i] - other[i]));
  return d;
}

static double apart(const char *const *set) { return between(NOT, SATELLITE, set); }

static void joint_frame_does_not_matter(void **state) {
  (void)state;
  table_head("A floating arm in two joint frames: tips after 4 s, apart [m]");
  table_bound("generalized-alpha, 4 ms", between(FRAME, NOT, (const char *[]){NULL}), 1e-12, "rounding");
  table_bound("mode linear",
              between(FRAME, NOT, (const char *[]){"solver.mode=linear", "solver.tolerance=1e-12", NULL}),
              1e-10, "rounding");
}

static void exact_methods_do_not_see_the_axes(void **state) {
  (void)state;
  table_head("A link that floats in two sets of axes: tips after 4 s, apart [m]");
  table_bound("rk4, 0.2 ms", apart((const char *[]){"solver.method=rk4", "solver.step=0.2 ms", NULL}), 1e-8,
              "the same");
  table_bound("cvode, 1e-9", apart((const char *[]){"solver.method=cvode", "solver.tolerance=1e-9", NULL}),
              1e-6, "the same");
  table_bound("ida, 1e-8", apart((const char *[]){"solver.method=ida", "solver.tolerance=1e-8", NULL}), 1e-5,
              "the same");
}

static void implicit_methods_see_it_with_their_order(void **state) {
  (void)state;
  static const struct {
    const char *name, *set;
  } cases[] = {
      {"generalized-alpha", "solver.method=generalized-alpha"},
      {"newmark", "solver.method=newmark"},
      {"generalized-alpha, rigid", "solver.mode=rigid"},
      {"generalized-alpha, linear", "solver.mode=linear"},
      {"newmark, conventional", "solver={mode: conventional, method: newmark, duration: 4, step: 4 ms}"},
  };
  table_head("Methods of second order: tips apart [m] with steps of 4, 2 and 1 ms");
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    double d[3];
    static const char *const steps[3] = {"solver.step=4 ms", "solver.step=2 ms", "solver.step=1 ms"};
    for (int k = 0; k < 3; k++)
      d[k] = apart((const char *[]){cases[i].set, steps[k], "solver.tolerance=1e-11", NULL});
    printf("%s: %.3e, %.3e, %.3e\n", cases[i].name, d[0], d[1], d[2]);
    table_row("  ratio of the last two", d[1] / d[2], 4, 0.25, "second order");
  }
  table_bound("step: auto, 1e-6", apart((const char *[]){"solver.step=auto", "solver.tolerance=1e-6", NULL}),
              2e-4, "the same");
}

// Steps of `step: auto` may be many turns long: what lies within them is the same motion.
static void watch_spin(void *user, const lim_snapshot *m) {
  double *worst = user;
  const lim_world_motion tip = lim_snapshot_site(m, &m->system->site[0].site);
  *worst = fmax(*worst, hypot(tip.p[0] - cos(37 * m->t), tip.p[1] - sin(37 * m->t)));
}

static void steady_spin_is_exact_within_long_steps(void **state) {
  (void)state;
  double worst = 0;
  observation o = {.watch = watch_spin, .user = &worst};
  observe(&o,
          "limber: 1\ngravity: [0, 0, 0]\nlinks:\n"
          "  - {name: b, joint: {name: f, type: free}, body: {mass: 1, inertia: [1, 1, 2], tip: [1, 0, 0]}}\n"
          "configuration: {f: {angular_velocity: [0, 0, 37]}}\n"
          "solver: {duration: 3, step: auto}\noutputs: {every: 10 ms}\n",
          NULL);
  table_head("A body that spins by 111 rad, in steps that are chosen");
  table_bound("steps", (double)o.run.steps, 50, "several turns each");
  table_bound("place of a point [m]", worst, 1e-12, "closed form");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(joint_frame_does_not_matter),
      cmocka_unit_test(exact_methods_do_not_see_the_axes),
      cmocka_unit_test(implicit_methods_see_it_with_their_order),
      cmocka_unit_test(steady_spin_is_exact_within_long_steps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

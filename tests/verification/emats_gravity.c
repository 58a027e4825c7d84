// emats_gravity.c - the EMATS-like arm of FEDEM under gravity: what its controllers leave, what an integral
// does about it, and the parts of the tool's error (its figure 17).
#include "analysis/statics/static.h"
#include "path/assembly.h"

#include "emats_fixture.h"

#define GRAVITY "gravity=[0, 0, -9.81]"
#define AT_REST "solver.start=equilibrium"
#define SOON    "solver.step=5 ms" // what is looked at is at rest

static emats_log slow, fast, slower, faster;

// --- gravity at a posture ---

static double potential(const lim_arm *s, const double *q) {
  lim_world_motion body[EMATS_BODIES];
  double p[EMATS_JOINTS], v[EMATS_JOINTS] = {0};
  for (int k = 0; k < EMATS_JOINTS; k++) p[s->bodies[s->first_body[EMATS_LINK[k]]].q] = q[k];
  lim_kinematics(body, s, p, v, NULL);
  return lim_energies_of(s, body, p, v).gravity;
}

// Efforts that hold the arm with rigid links at q: the slope of its potential energy.
static void weights(double out[EMATS_JOINTS], const char *gravity, const double *q) {
  const double e = 1e-4;
  lim_model *m = emats_model((const char *[]){gravity, NULL}, NULL);
  lim_arm *s = NULL;
  lim_error err = {0};
  assert_int_equal(lim_arm_new(&s, m, true, &err), LIM_OK);
  for (int k = 0; k < EMATS_JOINTS; k++) {
    double a[EMATS_JOINTS], b[EMATS_JOINTS];
    memcpy(a, q, sizeof a);
    memcpy(b, q, sizeof b);
    a[k] += e;
    b[k] -= e;
    out[k] = (potential(s, a) - potential(s, b)) / (2 * e);
  }
  lim_arm_free(s);
  lim_model_free(m);
}

// --- what controllers leave ---

// Position less reference, as in <frame>.error.
static double left(const emats_log *x, int joint) { return emats_end(x)->q[joint] - emats_end(x)->ref[joint]; }

static void error_is_weight_over_gain(const emats_log *run, const char *gravity) {
  char what[96];
  double w[EMATS_JOINTS];
  weights(w, gravity, emats_end(run)->q);
  for (int k = 0; k < EMATS_JOINTS; k++) {
    const double expected = -w[k] / (run->ratio[k] * run->kp[k]);
    snprintf(what, sizeof what, "%s: error at the end [%s]", EMATS_JOINT[k], k < 6 ? "rad" : "m");
    if (fabs(expected) > 1e-4)
      table_row(what, left(run, k), expected, 0.01, "-tau_g/(eta K_p)");
    else // what bent links, turned by some mrad, load the joint with
      table_bound(what, left(run, k) - expected, 5e-6, "-tau_g/(eta K_p), nearly no weight");
  }
}

static void steady_error_is_weight_over_gain(void **state) {
  (void)state;
  const char *const set[] = {GRAVITY, AT_REST, SOON, NULL};
  table_head("Under gravity, 6 rad/s");
  emats_run(&slow, set, NULL);
  error_is_weight_over_gain(&slow, GRAVITY);
  table_head("The same with 30 rad/s");
  emats_run(&fast, set, (const char *[]){"control.bandwidth=30 rad/s", NULL});
  error_is_weight_over_gain(&fast, GRAVITY);
  printf("\ntool, z [mm]: %.2f, with 30 rad/s %.2f\n", 1e3 * (emats_end(&slow)->tip[2] - GOAL[2]),
         1e3 * (emats_end(&fast)->tip[2] - GOAL[2]));
}

// The weight depends on the posture, and so on the error itself: 25 times where that is small.
static void steady_error_falls_with_the_square_of_the_bandwidth(void **state) {
  (void)state;
  static const int LOADED[] = {1, 2, 3, 5, 7};
  char what[96];
  const char *const little[] = {"gravity=[0, 0, -9.81e-3]", AT_REST, SOON, NULL};
  table_head("From 6 to 30 rad/s: how many times smaller the error is");
  emats_run(&slower, little, NULL);
  emats_run(&faster, little, (const char *[]){"control.bandwidth=30 rad/s", NULL});
  for (int i = 0; i < 5; i++) {
    snprintf(what, sizeof what, "%s, a thousandth of gravity", EMATS_JOINT[LOADED[i]]);
    table_row(what, left(&slower, LOADED[i]) / left(&faster, LOADED[i]), 25, 1e-3, "(30/6)^2");
  }
  double a[EMATS_JOINTS], b[EMATS_JOINTS]; // slow and fast are those of the test before
  weights(a, GRAVITY, emats_end(&slow)->q);
  weights(b, GRAVITY, emats_end(&fast)->q);
  for (int i = 0; i < 5; i++) {
    const int k = LOADED[i];
    snprintf(what, sizeof what, "%s, gravity", EMATS_JOINT[k]);
    table_row(what, left(&slow, k) / left(&fast, k), 25 * a[k] / b[k], 0.01, "25, times the weights' ratio");
  }
}

static void integral_leaves_no_error(void **state) {
  (void)state;
  char what[96];
  table_head("PID, 6 rad/s, integral time 1 s, from undeformed links without torques, after 20 s");
  emats_run(&slow, (const char *[]){GRAVITY, "solver.duration=20 s", SOON, NULL},
            (const char *[]){"control.type=pid", "control.integral_time=1 s", NULL});
  double sag = 0;
  for (int i = 0; i < slow.n; i++) sag = fmax(sag, fabs(slow.at[i].ref[2] - slow.at[i].q[2]));
  printf("%-52s %16.3g\n", "j3: largest error on the way [rad]", sag);
  assert_true(sag > 0.05);
  for (int k = 0; k < EMATS_JOINTS; k++) {
    snprintf(what, sizeof what, "%s: error at the end [%s]", EMATS_JOINT[k], k < 6 ? "rad" : "m");
    table_bound(what, left(&slow, k), 1e-6, "none");
  }
}

// The weight of the rigid robot is the whole weight where nothing bends; the loop of the upper rail binds
// nothing.
static void gravity_is_known_on_two_rails(void **state) {
  (void)state;
  char what[96];
  table_head("pd-gravity, 6 rad/s, links and rails rigid");
  emats_run(&slower,
            (const char *[]){GRAVITY, AT_REST, SOON, EMATS_RIGID_RAILS, "links.upper.basis={type: rigid}",
                             "links.fore.basis={type: rigid}", NULL},
            (const char *[]){"control.type=pd-gravity", NULL});
  for (int k = 0; k < EMATS_JOINTS; k++) {
    snprintf(what, sizeof what, "%s: error at the end [%s]", EMATS_JOINT[k], k < 6 ? "rad" : "m");
    table_bound(what, left(&slower, k), 1e-7, "none");
  }
}

// --- parts of the tool's error ---

// Joints, or motors, that follow their commands exactly.
static const char *const EXACT_JOINTS[] = {GRAVITY,
                                           AT_REST,
                                           SOON,
                                           "drives.j1={type: prescribed}",
                                           "drives.j2={type: prescribed}",
                                           "drives.j3={type: prescribed}",
                                           "drives.j4={type: prescribed}",
                                           "drives.j5={type: prescribed}",
                                           "drives.j6={type: prescribed}",
                                           "drives.j7={type: prescribed}",
                                           "drives.j8={type: prescribed}",
                                           NULL};
#define EXACT_MOTOR(joint, motor, gear) "drives." joint "={type: motor, motor: {" motor "}, gear: {" gear "}}"
static const char *const EXACT_MOTORS[] = {
    GRAVITY,
    AT_REST,
    SOON,
    EXACT_MOTOR("j1", "rotor_inertia: 2.70e-4, ratio: 260", "stiffness: 80000, damping: 24"),
    EXACT_MOTOR("j2", "rotor_inertia: 2.66e-4, ratio: 260", "stiffness: 190000, damping: 57"),
    EXACT_MOTOR("j3", "rotor_inertia: 1.06e-4, ratio: 200", "stiffness: 56000, damping: 17"),
    EXACT_MOTOR("j4", "rotor_inertia: 2.082e-5, ratio: 160", "stiffness: 3000, damping: 0.9"),
    EXACT_MOTOR("j5", "rotor_inertia: 2.30e-5, ratio: 160", "stiffness: 6000, damping: 1.8"),
    EXACT_MOTOR("j6", "rotor_inertia: 2.119e-5, ratio: 160", "stiffness: 3000, damping: 0.9"),
    EXACT_MOTOR("j7", "rotor_inertia: 5.571e-5, ratio: 1960.78", "stiffness: 3e6, damping: 900"),
    EXACT_MOTOR("j8", "rotor_inertia: 7.712e-4, ratio: 6289.31", "stiffness: 1e8, damping: 30000"),
    NULL};
static const double STIFFNESS[EMATS_JOINTS] = {80000, 190000, 56000, 3000, 6000, 3000, 3e6, 1e8};

// z of the tool, less where it is told to be, at the end.
static double error_z(const emats_log *x) { return emats_end(x)->tip[2] - emats_end(x)->reference[2]; }

// How much lower the rigid tool is when joints with the weights w at posture q yield by w/k.
static double yielding(const double *q, const double *w, const double *k) {
  double yielded[EMATS_JOINTS], a[3], b[3];
  lim_model *m = emats_model(NULL, NULL);
  lim_arm *s = NULL;
  lim_error err = {0};
  assert_int_equal(lim_arm_new(&s, m, true, &err), LIM_OK);
  for (int i = 0; i < EMATS_JOINTS; i++) yielded[i] = q[i] - w[i] / k[i];
  emats_tool(a, s, q);
  emats_tool(b, s, yielded);
  lim_arm_free(s);
  lim_model_free(m);
  return b[2] - a[2];
}

static double static_sag(void) {
  const double *q = emats_end(&slow)->ref;
  char posture[400];
  snprintf(
      posture, sizeof posture,
      "configuration={j1: %.15g, j2: %.15g, j3: %.15g, j4: %.15g, j5: %.15g, j6: %.15g, j7: %.15g, j8: %.15g}",
      q[0], q[1], q[2], q[3], q[4], q[5], q[6], q[7]);
  const char *set[sizeof EXACT_JOINTS / sizeof *EXACT_JOINTS + 1];
  int n = 0;
  for (; EXACT_JOINTS[n]; n++) set[n] = EXACT_JOINTS[n];
  set[n++] = posture;
  set[n] = NULL;
  lim_model *m = emats_model(set, NULL);
  lim_static *r = NULL;
  lim_error err = {0};
  assert_int_equal(lim_static_new(&r, m, "models", &err), LIM_OK);
  const double sag = r->frames.item[0].displacement[2];
  lim_static_free(r);
  lim_model_free(m);
  return sag;
}

static void error_of_the_tool_has_three_parts(void **state) {
  (void)state;
  double weight[EMATS_JOINTS], gain[EMATS_JOINTS];
  emats_run(&slow, EXACT_JOINTS, NULL);
  const double arm = error_z(&slow), rest = static_sag();
  weights(weight, GRAVITY, emats_end(&slow)->ref);
  emats_run(&slow, EXACT_MOTORS, NULL);
  const double elastic = error_z(&slow), gears = yielding(emats_end(&slow)->ref, weight, STIFFNESS);
  emats_run(&slow, (const char *[]){GRAVITY, AT_REST, SOON, NULL},
            (const char *[]){"control.bandwidth=30 rad/s", NULL});
  for (int k = 0; k < EMATS_JOINTS; k++) gain[k] = slow.ratio[k] * slow.kp[k];
  const double total = error_z(&slow), servos = yielding(emats_end(&slow)->ref, weight, gain);
  table_head("Tool under gravity at the end, 30 rad/s, z [m] (figure 17)");
  printf("%-52s %16.6g\n", "1 motors exact: gears and arm", elastic);
  printf("%-52s %16.6g\n", "2 under control, measured behind the gears", total);
  table_row("3 joints exact: the arm", arm, rest, 1e-3, "statics");
  table_row("4 servos: 2 - 3", total - arm, servos, 0.01, "joints yield by tau_g/(eta K_p)");
  table_row("  gears: 1 - 3", elastic - arm, gears, 0.01, "joints yield by tau_g/k");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steady_error_is_weight_over_gain),
      cmocka_unit_test(steady_error_falls_with_the_square_of_the_bandwidth),
      cmocka_unit_test(integral_leaves_no_error),
      cmocka_unit_test(gravity_is_known_on_two_rails),
      cmocka_unit_test(error_of_the_tool_has_three_parts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

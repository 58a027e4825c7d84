// coupling_arms.c - couplings in arms against arms that are the same without any: joints that are told the
// coupled motion, motors with their gears, a crank with more inertia. Flexible links, closed chains, elastic
// gears; energy; inverse dynamics; inverse kinematics.
#include "coupling_fixture.h"

#include "kinematics/ik.h"
#include "path/assembly.h"

// --- a belt-driven arm against two told joints ---

#define ARM                                                                                                    \
  "limber: 1\n"                                                                                                \
  "gravity: [0, -9.81, 0]\n"                                                                                   \
  "planar: xy\n"                                                                                               \
  "materials: {aluminium: {E: 71 GPa, nu: 0.33, rho: 2710}}\n"                                                 \
  "sections: {bar: {shape: rectangle, y: 8 mm, z: 30 mm}}\n"                                                   \
  "links:\n"                                                                                                   \
  "  - name: upper\n"                                                                                          \
  "    beam: {length: 0.5 m, section: bar, material: aluminium, elements: 4}\n"                                \
  "    damping: {ratio: 0.01}\n"                                                                               \
  "    basis: {type: modes, count: 3}\n"                                                                       \
  "  - name: fore\n"                                                                                           \
  "    beam: {length: 0.4 m, section: bar, material: aluminium, elements: 4}\n"                                \
  "    damping: {ratio: 0.01}\n"                                                                               \
  "    basis: {type: modes, count: 3}\n"                                                                       \
  "    masses: [{mass: 0.5}]\n"                                                                                \
  "solver: {method: rk4, duration: 0.3 s, step: 50 us, start: equilibrium}\n"                                  \
  "outputs: {every: 1 ms}\n"
#define MOTION(joint, from, to) joint ": {profile: cycloidal, from: " from ", to: " to ", duration: 0.25}"

static const char BELT[] = ARM "couplings: [{name: belt, joints: [upper, fore], ratio: -2, offset: 10 deg}]\n"
                               "motion: {" MOTION("upper", "20 deg", "80 deg") "}\n",
                  TOLD[] = ARM "motion: {" MOTION("upper", "20 deg", "80 deg") ", " MOTION("fore", "-30 deg",
                                                                                           "-150 deg") "}\n";

enum { RECORDS = 301 };

typedef struct {
  double tip[RECORDS][2], effort[RECORDS][2], belt[RECORDS], q[RECORDS][2];
  int n;
} history;

static void keep(void *user, const lim_snapshot *m) {
  history *o = user;
  const lim_world_motion tip = lim_snapshot_site(m, &m->system->site[0].site);
  for (int i = 0; i < 2; i++) {
    o->tip[o->n][i] = tip.p[i];
    o->effort[o->n][i] = lim_snapshot_effort(m, i);
    o->q[o->n][i] = m->q[m->system->bodies[m->system->first_body[i]].q];
  }
  if (m->system->ncoupling) o->belt[o->n] = m->lambda[m->system->coupling[0].row];
  o->n++;
}

// By virtual work the shoulder of the belt needs T1 - 2 T2 of the efforts of the told joints; the belt gives
// T2.
static void a_belt_moves_a_flexible_arm_as_two_told_joints_do(void **state) {
  (void)state;
  static const char *const WAYS[][2] = {{"solver.mode=nonlinear", "solver.method=rk4"},
                                        {"solver.mode=linear", "solver.method=generalized-alpha"},
                                        {"solver.mode=quasi-static", "solver.method=generalized-alpha"},
                                        {"solver.mode=rigid", "solver.method=generalized-alpha"},
                                        {"solver.mode=conventional", "solver.method=generalized-alpha"},
                                        {"solver.mode=linear", "solver.method=modal-newmark"}};
  static history belt, told;
  table_head("A belt against joints that are told the same");
  for (size_t k = 0; k < sizeof WAYS / sizeof *WAYS; k++) {
    const char *const set[] = {WAYS[k][0], WAYS[k][1], NULL};
    double tip = 0, shoulder = 0, fore = 0, reaction = 0, scale = 0;
    belt.n = told.n = 0;
    watch(model_of(BELT, set), keep, &belt);
    watch(model_of(TOLD, set), keep, &told);
    assert_int_equal(belt.n, RECORDS);
    for (int i = 0; i < RECORDS; i++) {
      const double *T = told.effort[i];
      tip = fmax(tip, hypot(belt.tip[i][0] - told.tip[i][0], belt.tip[i][1] - told.tip[i][1]));
      shoulder = fmax(shoulder, fabs(belt.effort[i][0] - (T[0] - 2 * T[1])));
      reaction = fmax(reaction, fabs(belt.belt[i] - T[1]));
      fore = fmax(fore, fabs(belt.effort[i][1]));
      scale = fmax(scale, fabs(T[1]));
    }
    printf("%s, %s, largest effort %.3g N m\n", WAYS[k][0], WAYS[k][1], scale);
    table_bound("tip [m]", tip, 1e-11, "told joints");
    table_bound("effort of the shoulder [N m]", shoulder, 1e-9 * scale, "T1 - 2 T2");
    table_bound("effort of the belt [N m]", reaction, 1e-9 * scale, "T2");
    table_bound("effort of the elbow [N m]", fore, 1e-12, "free");
  }
}

static void modes_with_a_held_shoulder_are_those_of_two_locked_joints(void **state) {
  (void)state;
  lim_model *m = model_of(BELT, NULL), *other = model_of(TOLD, NULL);
  lim_modes *x = modes_of(m, LIM_JOINTS_DEFAULT, 4), *y = modes_of(other, LIM_JOINTS_LOCKED, 4);
  table_head("Modes with the shoulder held: the belt holds the elbow");
  for (int i = 0; i < 4; i++)
    table_row("frequency [Hz]", x->modes.item[i].frequency, y->modes.item[i].frequency, 1e-9, "both locked");
  lim_modes_free(x);
  lim_modes_free(y);
  lim_model_free(m);
  lim_model_free(other);
}

static void inverse_dynamics_adds_up_efforts_by_virtual_work(void **state) {
  (void)state;
  lim_model *m = model_of(BELT, NULL), *other = model_of(TOLD, NULL);
  lim_inverse *x = NULL, *y = NULL;
  lim_error err = {0};
  must(lim_inverse_new(&x, m, NULL, NULL, &err), &err, "inverse");
  must(lim_inverse_new(&y, other, NULL, NULL, &err), &err, "inverse");
  assert_int_equal(x->joints.count, 1);
  double most = 0, scale = 0;
  for (int i = 0; i < x->n; i++) {
    const double expected = y->joints.item[0].rigid[i] - 2 * y->joints.item[1].rigid[i];
    most = fmax(most, fabs(x->joints.item[0].rigid[i] - expected));
    scale = fmax(scale, fabs(expected));
  }
  table_head("Inverse dynamics");
  table_bound("rigid effort of the shoulder [N m]", most, 1e-9 * scale, "T1 - 2 T2");
  lim_inverse_free(x);
  lim_inverse_free(y);
  lim_model_free(m);
  lim_model_free(other);
}

// --- a motor with its gear, or a body that turns by a coupling ---

#define GEARED                                                                                                 \
  "limber: 1\n"                                                                                                \
  "gravity: [0, -9.81, 0]\n"                                                                                   \
  "planar: xy\n"                                                                                               \
  "materials: {aluminium: {E: 71 GPa, nu: 0.33, rho: 2710}}\n"                                                 \
  "sections: {bar: {shape: rectangle, y: 10 mm, z: 30 mm}}\n"                                                  \
  "links:\n"                                                                                                   \
  "  - name: upper\n"                                                                                          \
  "    beam: {length: 0.5 m, section: bar, material: aluminium, elements: 4}\n"                                \
  "  - {name: fore, body: {mass: 0.4, com: [0.15, 0, 0], inertia: [0, 0, 0.004], tip: [0.3, 0, 0]}}\n"
#define DRIVEN "solver: {duration: 0.2 s, step: 0.2 ms, method: generalized-alpha, tolerance: 1e-11}\n"

static const char MOTOR[] =
    GEARED DRIVEN "drives: {fore: {type: motor, torque: 0.02, motor: {rotor_inertia: 2e-5, ratio: 60}}}\n",
                  WHEEL[] =
                      GEARED "  - {name: wheel, parent: upper, body: {inertia: [0, 0, 2e-5]}}\n"
                             "couplings: [{name: gear, joints: [wheel, fore], ratio: 0.016666666666666666}]\n"
                             "tool: fore.tip\n" DRIVEN "drives: {wheel: {type: effort, effort: 0.02}}\n";

static void look_at_elbow(void *user, const lim_snapshot *m) {
  double *last = user;
  const lim_world_motion tip = lim_snapshot_site(m, site_called(m->system, "fore.tip"));
  last[0] = m->q[joint_of(m->system, "upper")];
  last[1] = m->q[joint_of(m->system, "fore")];
  last[2] = tip.p[0];
  last[3] = tip.p[1];
}

static void a_rotor_by_coupling_is_that_of_a_motor(void **state) {
  (void)state;
  double motor[4], wheel[4];
  watch(model_of(MOTOR, NULL), look_at_elbow, motor);
  watch(model_of(WHEEL, NULL), look_at_elbow, wheel);
  table_head("A motor on a flexible link, with a gear of 60, at 0.2 s");
  const char *const names[] = {"shoulder [rad]", "elbow [rad]", "tip x [m]", "tip y [m]"};
  for (int i = 0; i < 4; i++) table_row(names[i], wheel[i], motor[i], 1e-8, "drive of type motor");
}

// --- elastic gear: the coupling is on the side of the joint ---

static void an_elastic_gear_turns_what_is_coupled_to_its_joint(void **state) {
  (void)state;
  static const char TEXT[] = "limber: 1\ngravity: [0, 0, 0]\nlinks:\n"
                             "  - {name: a, parent: base, body: {mass: 1, inertia: [0.1, 0.1, 0.1]}}\n"
                             "  - {name: b, parent: base, body: {mass: 1, inertia: [0.1, 0.1, 0.02]}}\n"
                             "couplings: [{name: belt, joints: [a, b], ratio: 3}]\n"
                             "drives: {a: {type: motor, torque: 0, motor: {rotor_inertia: 1e-3, ratio: 10}, "
                             "gear: {stiffness: 200}}}\n";
  const double I = 0.1 + 9 * 0.02, J = 100 * 1e-3, k = 200;
  lim_model *m = model_of(TEXT, NULL);
  lim_modes *x = modes_of(m, LIM_JOINTS_FREE, 1);
  table_head("Motor, elastic gear, belt");
  table_row("frequency [Hz]", x->modes.item[0].frequency, sqrt(k * (1 / I + 1 / J)) / (2 * M_PI), 1e-10,
            "k (1/(I1 + r^2 I2) + 1/(n^2 J))");
  lim_modes_free(x);
  lim_model_free(m);
}

// --- a closed chain with a flywheel on its crank ---

#define FOUR_BAR(inertia, more)                                                                                \
  "limber: 1\nplanar: xy\ngravity: [0, -9.81, 0]\nlinks:\n"                                                    \
  "  - {name: crank, body: {mass: 1, com: [0.1, 0, 0], inertia: [0, 0.01, " inertia "], tip: [0.2, 0, 0]}}\n"  \
  "  - {name: coupler, body: {mass: 2, com: [0.2, 0, 0], inertia: [0, 0.05, 0.05], tip: [0.5, 0, 0]}}\n"       \
  "  - name: rocker\n    parent: base\n    joint: {origin: {xyz: [0.5, 0, 0]}}\n"                              \
  "    body: {mass: 1.5, com: [0.25, 0, 0], inertia: [0, 0.03, 0.03], tip: [0.4, 0, 0]}\n" more                \
  "loops: [{name: pin, between: [coupler.tip, rocker.tip]}]\n"                                                 \
  "drives: {crank: {type: effort}}\ntool: coupler.tip\n"                                                       \
  "configuration: {crank: {position: 0.5, velocity: 12}, coupler: 0.5, rocker: 1.8}\n"                         \
  "solver: {method: rk4, duration: 2 s, step: 1 ms}\n"
#define FLYWHEEL                                                                                               \
  "  - {name: wheel, parent: base, body: {mass: 1, inertia: [0, 0, 0.002]}}\n"                                 \
  "couplings: [{name: chain, joints: [crank, wheel], ratio: -4}]\n"

static void look_at_crank(void *user, const lim_snapshot *m) {
  double *last = user;
  last[0] = m->q[joint_of(m->system, "crank")];
  last[1] = m->v[joint_of(m->system, "crank")];
  last[2] = m->q[joint_of(m->system, "rocker")];
}

// Methods differ from rk4 by their errors, with and without the coupling by about the same.
static void a_flywheel_on_a_linkage_adds_its_inertia_to_the_crank(void **state) {
  (void)state;
  static const char *const METHODS[] = {"solver.method=rk4", "solver.method=generalized-alpha",
                                        "solver.method=ida"};
  double exact[3] = {0};
  table_head("A loop and a coupling: crank with a flywheel, against a heavier crank");
  for (int i = 0; i < 3; i++) {
    double heavy[3], geared[3];
    const char *const set[] = {METHODS[i], NULL};
    watch(model_of(FOUR_BAR("0.042", ""), set), look_at_crank, heavy);
    watch(model_of(FOUR_BAR("0.01", FLYWHEEL), set), look_at_crank, geared);
    if (i == 0) memcpy(exact, heavy, sizeof exact);
    const char *const names[] = {METHODS[i] + strlen("solver."), "  its speed", "  rocker"};
    for (int k = 0; k < 3; k++) {
      const double error = fabs(heavy[k] - exact[k]) / fabs(heavy[k]);
      table_row(names[k], geared[k], heavy[k], fmax(1e-12, error), "I + 16 If");
    }
  }
}

// --- energy ---

static double balance_of(const char *step) {
  const char *const set[] = {"motion=null", "solver.method=generalized-alpha", step, "solver.start=undeformed",
                             NULL};
  static history o;
  o.n = 0;
  return watch(model_of(BELT, set), keep, &o).balance_percent_rms;
}

// The belt takes and gives the same: what is left of the balance is the method's, of second order.
static void a_falling_belt_arm_keeps_its_energy(void **state) {
  (void)state;
  const double coarse = balance_of("solver.step=0.2 ms"), fine = balance_of("solver.step=0.1 ms");
  table_head("Energy balance of a falling arm with a belt");
  printf("%.2e %% and %.2e %% of the peak\n", coarse, fine);
  assert_true(coarse < 0.01);
  assert_in_range((long)(100 * coarse / fine), 300, 500);
}

// --- inverse kinematics ---

#define WRIST                                                                                                  \
  "limber: 1\nlinks:\n"                                                                                        \
  "  - {name: m1, parent: base, joint: {axis: [0, 1, 0]}, body: {mass: 0.1}}\n"                                \
  "  - {name: m2, parent: base, joint: {axis: [0, 1, 0]}, body: {mass: 0.1}}\n"                                \
  "  - {name: column, parent: base, body: {mass: 1, tip: [0, 0, 0.3]}}\n"                                      \
  "  - {name: pitch, joint: {axis: [0, 1, 0], limits: {position: [-90 deg, 90 deg]}}, body: {mass: 1, tip: "   \
  "[0.3, 0, 0]}}\n"                                                                                            \
  "  - {name: roll, joint: {axis: [1, 0, 0]}, body: {mass: 1, tip: [0.1, 0.05, 0]}}\n"                         \
  "couplings:\n"                                                                                               \
  "  - {name: sum, joints: [m1, m2, pitch], factors: [1, 1, -2]}\n"                                            \
  "  - {name: difference, joints: [m1, m2, roll], factors: [1, -1, -2]}\n"

static lim_chain *chain_of(lim_arm **s, const char *text, lim_model **m) {
  lim_chain *c = NULL;
  lim_error err = {0};
  *m = model_of(text, NULL);
  must(lim_arm_new(s, *m, true, &err), &err, "the arm");
  must(lim_chain_new(&c, *s, lim_chain_frame(*s, "tip"), NULL, NULL, &err), &err, "the chain");
  return c;
}

// A pose by all joints, to compare with.
static void expect_pose(const lim_arm *s, const lim_chain *c, const double *q) {
  double *x = calloc((size_t)s->n, sizeof *x);
  lim_world_motion *body = calloc((size_t)s->nbody, sizeof *body);
  lim_world_pose at;
  lim_chain_put(x, s, c, q);
  lim_kinematics(body, s, x, NULL, NULL);
  const lim_site *site = lim_chain_frame(s, "tip");
  const lim_world_motion frame = lim_kinematics_site(s, site, &body[site->body], x, NULL, NULL);
  lim_chain_pose(&at, c, q);
  for (int i = 0; i < 3; i++) NEAR(at.p[i], frame.p[i], 1e-14);
  for (int i = 0; i < 9; i++) NEAR(at.R[i], frame.R[i], 1e-14);
  for (int i = 0; i < s->ncoupling; i++)
    NEAR(lim_coupling_evaluate(&s->coupling[i], x, NULL, NULL).value, 0, 1e-14);
  free(x);
  free(body);
}

static void motors_beside_the_chain_follow_its_joints(void **state) {
  (void)state;
  lim_arm *s;
  lim_model *m;
  lim_chain *c = chain_of(&s, WRIST, &m);
  lim_ik *ik;
  lim_error err = {0};
  lim_goal goal;
  lim_world_pose at;
  double q[3] = {0.3, 0.5, -0.8}, near[3] = {0, 0, 0};
  assert_int_equal(c->n, 3);
  assert_int_equal(c->nfollower, 2);
  expect_pose(s, c, q);
  lim_chain_pose(&at, c, q);
  memcpy(goal.position, at.p, sizeof goal.position);
  memcpy(goal.R, at.R, sizeof goal.R);
  must(lim_ik_new(&ik, c, LIM_GOAL_POSE, &err), &err, "inverse kinematics");
  assert_true(lim_ik_near(ik, near, &goal, near).reached);
  for (int i = 0; i < 3; i++) NEAR(near[i], q[i], 1e-8);
  const double first = lim_chain_follow(c, 0, near),
               second = lim_chain_follow(c, 1, near); // m2 and m1, in any order
  NEAR(first + second, 2 * q[1], 1e-8);
  NEAR(fabs(first - second), 2 * fabs(q[2]), 1e-8);
  lim_ik_free(ik);
  lim_chain_free(c);
  lim_arm_free(s);
  lim_model_free(m);
}

// A finger of three links, whose last two follow the first; its Jacobian by differences.
static void joints_of_the_chain_follow_others_of_it(void **state) {
  (void)state;
  static const char FINGER[] = "limber: 1\nlinks:\n"
                               "  - {name: base turn, parent: base, body: {mass: 1}}\n"
                               "  - {name: near, joint: {axis: [0, 1, 0], limits: {position: [-2, 2]}}, body: "
                               "{mass: 1, tip: [0.05, 0, 0]}}\n"
                               "  - {name: middle, joint: {axis: [0, 1, 0], limits: {position: [-0.9, 0.7]}}, "
                               "body: {mass: 1, tip: [0.03, 0, 0]}}\n"
                               "  - {name: end, joint: {axis: [0, 1, 0]}, body: {mass: 1, tip: [0.02, 0, 0]}}\n"
                               "couplings:\n"
                               "  - {name: one, joints: [near, middle], ratio: -0.5, offset: 0.1}\n"
                               "  - {name: two, joints: [middle, end], ratio: 0.7}\n";
  lim_arm *s;
  lim_model *m;
  lim_chain *c = chain_of(&s, FINGER, &m);
  assert_int_equal(c->n, 2);
  assert_string_equal(c->joint[1].name, "near");
  NEAR(c->joint[1].low, -1.2, 1e-15); // 0.1 - 0.5 q <= 0.7
  NEAR(c->joint[1].high, 2, 1e-15);   // and its own
  const double q[2] = {0.4, 0.9}, h = 1e-6;
  double J[12];
  lim_world_pose at, more, less;
  expect_pose(s, c, q);
  lim_chain_jacobian(&at, J, c, q);
  for (int k = 0; k < 2; k++) {
    double up[2] = {q[0], q[1]}, down[2] = {q[0], q[1]};
    up[k] += h;
    down[k] -= h;
    lim_chain_pose(&more, c, up);
    lim_chain_pose(&less, c, down);
    for (int i = 0; i < 3; i++) NEAR(J[6 * k + i], (more.p[i] - less.p[i]) / (2 * h), 1e-9);
  }
  NEAR(hypot(hypot(J[9], J[10]), J[11]), 1 - 0.5 - 0.35, 1e-14); // all about one axis
  lim_chain_free(c);
  lim_arm_free(s);
  lim_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_belt_moves_a_flexible_arm_as_two_told_joints_do),
      cmocka_unit_test(modes_with_a_held_shoulder_are_those_of_two_locked_joints),
      cmocka_unit_test(inverse_dynamics_adds_up_efforts_by_virtual_work),
      cmocka_unit_test(a_rotor_by_coupling_is_that_of_a_motor),
      cmocka_unit_test(an_elastic_gear_turns_what_is_coupled_to_its_joint),
      cmocka_unit_test(a_flywheel_on_a_linkage_adds_its_inertia_to_the_crank),
      cmocka_unit_test(a_falling_belt_arm_keeps_its_energy),
      cmocka_unit_test(motors_beside_the_chain_follow_its_joints),
      cmocka_unit_test(joints_of_the_chain_follow_others_of_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

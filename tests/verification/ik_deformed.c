// ik_deformed.c - joint positions that make up for the sag of a flexible arm, against `static` in that
// configuration.
#include "kinematics_fixture.h"
#include "table_fixture.h"

#include "analysis/statics/sag_ik.h"
#include "analysis/statics/static.h"

#define BEAM(length) "beam: {length: " length ", section: s, material: m, elements: 4}"
static const char text[] =
    "limber: 1\n"
    "materials: {m: {E: 70 GPa, nu: 0.3, rho: 2700}}\n"
    "sections: {s: {shape: tube, outer: 50 mm, inner: 46 mm}}\n"
    "links:\n"
    "  - {name: turret, joint: {name: j1, axis: [0, 0, 1]}, body: {mass: 5, tip: [0.1, 0, 0.4]}}\n"
    "  - {name: upper, joint: {name: j2, axis: [0, 1, 0], origin: {rpy: [0, -1.2, 0]}}, " BEAM(
        "0.6") "}\n"
               "  - {name: fore, joint: {name: j3, axis: [0, 1, 0], origin: {rpy: [0, 1.5, 0]}}, " BEAM(
                   "0.5") "}\n"
                          "  - {name: roll, joint: {name: j4, axis: [1, 0, 0]}, body: {mass: 1}}\n"
                          "  - {name: bend, joint: {name: j5, axis: [0, 1, 0]}, body: {mass: 1}}\n"
                          "  - {name: hand, joint: {name: j6, axis: [1, 0, 0]}, body: {mass: 2, com: [0.05, 0, "
                          "0], tip: [0.1, 0, 0.02]}}\n"
                          "configuration: {j1: 0, j2: 0, j3: 0, j4: 0, j5: 0.5, j6: 0}\n"
                          "drives: {j2: {type: motor, motor: {mass: 3, ratio: 100, rotor_inertia: 1e-4}, "
                          "control: {type: pd, kp: 1, kv: 1}}}\n"
                          "loads: [{at: hand.tip, force: [5, 10, -20]}]\n";

// Where `static` has the tip with these joints; R from the undeformed pose and the rotation that the load
// makes.
static void rest(double p[3], double R[9], double *sag, arm *a, const double *q) {
  char set[400];
  const char *const sets[] = {set,
                              "drives.j2={type: motor, motor: {mass: 3, ratio: 100, rotor_inertia: 1e-4}}"};
  snprintf(set, sizeof set, "configuration={j1: %.17g, j2: %.17g, j3: %.17g, j4: %.17g, j5: %.17g, j6: %.17g}",
           q[0], q[1], q[2], q[3], q[4], q[5]);
  lim_model *m = parse_with(text, sets, 2);
  lim_static *s = NULL;
  assert_int_equal(lim_static_new(&s, m, NULL, NULL), LIM_OK);
  const lim_static_frame *tip = &s->frames.item[0];
  assert_string_equal(tip->name, "tip");
  memcpy(p, tip->position, 3 * sizeof *p);
  double angle = sqrt(lim_dot(tip->rotation, tip->rotation)), turn[9], axis[3];
  for (int i = 0; i < 3; i++) axis[i] = tip->rotation[i] / angle;
  lim_rotation_axis(turn, axis, angle);
  lim_mat3_product(R, turn, arm_pose(a, q).R);
  *sag = sqrt(lim_dot(tip->displacement, tip->displacement));
  lim_static_free(s);
  lim_model_free(m);
}

static void sag_is_made_up_for(void **state) {
  (void)state;
  enum { POSES = 10 };
  arm a = arm_of(text, "tip", LIM_GOAL_POSE);
  assert_int_equal(lim_ik_method_of(a.ik), LIM_IK_WRIST);
  lim_sag_ik p;
  assert_int_equal(lim_sag_ik_start(&p, a.m, NULL, NULL), LIM_OK);
  unsigned seed = 3;
  double max = 0, distance = 0, angle = 0;
  for (int i = 0; i < POSES; i++) {
    double q[6], x[6], at[3], R[9], sag, back[9], turn[9], t[3];
    fill(q, 6, 0.6, &seed);
    q[4] += 0.8;
    lim_goal g = arm_goal(&a, q);
    lim_ik_outcome out;
    memcpy(x, q, sizeof q);
    assert_int_equal(lim_sag_ik_reach(&out, x, &p, a.c, "tip", NULL, LIM_GOAL_POSE, &g, 1e-11, 1e-11, NULL),
                     LIM_OK);
    assert_true(out.reached);
    rest(at, R, &sag, &a, x);
    for (int k = 0; k < 9; k++) back[k] = R[3 * (k % 3) + k / 3];
    lim_mat3_product(turn, g.R, back);
    lim_rotation_vector(t, turn);
    for (int k = 0; k < 3; k++) at[k] -= g.position[k];
    distance = fmax(distance, sqrt(lim_dot(at, at)));
    angle = fmax(angle, sqrt(lim_dot(t, t)));
    max = fmax(max, sag);
  }
  table_head("six axes, two flexible links, payload, load and motor: pose of the bent arm");
  printf("%-52s %16.4g m\n", "largest sag", max);
  assert_true(max > 1e-3);
  table_bound("largest distance left [m]", distance, 1e-10, "static");
  table_bound("largest angle left [rad]", angle, 1e-10, "static");
  lim_sag_ik_end(&p);
  arm_free(&a);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sag_is_made_up_for)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

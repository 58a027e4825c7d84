// kinematics_chain.c - screws against the kinematics of the system; Jacobians against finite differences, of
// rigid and of bent arms.
#include "kinematics_fixture.h"
#include "path/assembly.h"

// Every kind of joint, beams with segments and modes, a branch beside the way to the frame.
static const char text[] =
    "limber: 1\n"
    "materials: {m: {E: 70 GPa, nu: 0.3, rho: 2700}}\n"
    "sections: {a: {shape: rectangle, y: 10 mm, z: 20 mm}}\n"
    "links:\n"
    "  - {name: one, joint: {axis: [1, 2, 2], origin: {xyz: [0.1, 0.2, 0.3]}}, beam: {length: 0.8, "
    "section: a, material: m, elements: 4, segments: 2}, basis: {type: modes, count: 3}}\n"
    "  - {name: aside, joint: {axis: [0, 1, 0]}, body: {mass: 1, tip: [0.2, 0, 0]}}\n"
    "  - {name: two, parent: one, at: tip, joint: {type: prismatic, axis: [0, 1, 1]}, beam: {length: "
    "0.6, section: a, material: m, elements: 2}}\n"
    "  - {name: three, joint: {type: fixed, origin: {rpy: [0.3, 0, 1]}}, body: {mass: 1, tip: [0.1, "
    "0, 0.1]}}\n"
    "  - {name: four, joint: {axis: [0, 1, 0]}, beam: {length: 0.4, section: a, material: m, "
    "elements: 2}, basis: {type: modes, count: 2}}\n"
    "frames: [{name: tool, on: four, at: 0.7, xyz: [0.05, 0.02, 0.1], rpy: [0.1, 0.2, 0.3]}]\n"
    "configuration: {one: 0.4, two: 0.1, four: -0.7}\n";

typedef struct {
  lim_model *m;
  lim_arm *s;
  const lim_site *site;
  lim_world_motion *body;
  double *q, *unit, *J;
} setting;

static setting set_up(const char *model, bool rigid) {
  setting x = {.m = parse(model)};
  assert_int_equal(lim_arm_new(&x.s, x.m, rigid, NULL), LIM_OK);
  size_t n = (size_t)x.s->n;
  x.site = lim_chain_frame(x.s, "tool");
  assert_non_null(x.site);
  x.body = calloc((size_t)x.s->nbody, sizeof *x.body);
  x.q = calloc(9 * n, sizeof *x.q);
  x.unit = x.q + 2 * n;
  x.J = x.unit + n;
  lim_arm_start(x.q, x.unit, x.s);
  memset(x.unit, 0, n * sizeof *x.unit);
  return x;
}

static void tear_down(setting *x) {
  lim_arm_free(x->s);
  lim_model_free(x->m);
  free(x->body);
  free(x->q);
}

static lim_world_motion pose(setting *x) {
  lim_kinematics(x->body, x->s, x->q, NULL, NULL);
  return lim_kinematics_site(x->s, x->site, &x->body[x->site->body], x->q, NULL, NULL);
}

// Joints and deformations anywhere; modes are of unit mass, and turn sections by some tenths of a radian.
static void shake(setting *x, unsigned *seed) {
  fill(x->q, x->s->n, 0.005, seed);
  for (int i = 0; i < x->s->nbody; i++)
    if (x->s->bodies[i].q >= 0) x->q[x->s->bodies[i].q] = 3 * noise(seed);
}

static double difference(const double *a, const double *b, int n) {
  double max = 0;
  for (int i = 0; i < n; i++) max = fmax(max, fabs(a[i] - b[i]));
  return max;
}

static lim_chain *chain_of(setting *x, const bool *held) {
  lim_chain *c = NULL;
  assert_int_equal(lim_chain_new(&c, x->s, x->site, x->q, held, NULL), LIM_OK);
  return c;
}

static void chain_has_the_joints_on_the_way_in_their_order(void **state) {
  (void)state;
  setting x = set_up(text, true);
  lim_chain *c = chain_of(&x, NULL);
  assert_int_equal(c->n, 3);
  assert_string_equal(c->joint[0].name, "one");
  assert_string_equal(c->joint[1].name, "two");
  assert_string_equal(c->joint[2].name, "four");
  assert_true(c->joint[1].slides && !c->joint[2].slides);
  assert_int_equal(lim_chain_joint_of(c, "four"), 2);
  assert_int_equal(lim_chain_joint_of(c, "aside"), -1);
  assert_true(c->start[0] == 0.4 && c->start[1] == 0.1 && c->start[2] == -0.7);
  lim_chain_free(c);
  tear_down(&x);
}

// The chain is made in one posture and looked at in others; links keep the shape that they had.
static void poses_agree_with_the_system(bool rigid) {
  unsigned seed = 11;
  setting x = set_up(text, rigid);
  for (int trial = 0; trial < 50; trial++) {
    shake(&x, &seed);
    lim_chain *c = chain_of(&x, NULL);
    double q[3];
    fill(q, 3, 3, &seed);
    for (int k = 0; k < 3; k++) x.q[x.s->bodies[c->joint[k].body].q] = q[k];
    lim_world_motion expected = pose(&x);
    lim_world_pose at, same;
    double J[18];
    lim_chain_pose(&at, c, q);
    lim_chain_jacobian(&same, J, c, q);
    assert_true(difference(at.p, expected.p, 3) < 1e-14 * 20);
    assert_true(difference(at.R, expected.R, 9) < 1e-14);
    assert_memory_equal(&at, &same, sizeof at);
    lim_chain_free(c);
  }
  tear_down(&x);
}

static void pose_of_a_rigid_arm_agrees_with_the_system(void **state) {
  (void)state;
  poses_agree_with_the_system(true);
}

static void pose_of_a_bent_arm_agrees_with_the_system(void **state) {
  (void)state;
  poses_agree_with_the_system(false);
}

// Central differences of the pose: the columns (v, w) of one coordinate. e = log(R(+h) R(-h)')/2h.
static void differences(double column[6], setting *x, int k, double h) {
  double back[9], turn[9], keep = x->q[k];
  x->q[k] = keep + h;
  lim_world_motion a = pose(x);
  x->q[k] = keep - h;
  lim_world_motion b = pose(x);
  x->q[k] = keep;
  for (int i = 0; i < 9; i++) back[i] = b.R[3 * (i % 3) + i / 3];
  lim_mat3_product(turn, a.R, back);
  lim_rotation_vector(column + 3, turn);
  for (int i = 0; i < 3; i++) {
    column[i] = (a.p[i] - b.p[i]) / (2 * h);
    column[3 + i] /= 2 * h;
  }
}

static void jacobian_of_all_coordinates_matches_finite_differences(void **state) {
  (void)state;
  unsigned seed = 17;
  setting x = set_up(text, false);
  double worst = 0;
  for (int trial = 0; trial < 10; trial++) {
    lim_world_pose at;
    shake(&x, &seed);
    lim_frame_jacobian(&at, x.J, x.s, x.site, x.q, x.body, x.unit);
    for (int k = 0; k < x.s->n; k++) {
      double column[6], size = fmax(1, difference(x.J + 6 * k, (double[6]){0}, 6));
      differences(column, &x, k, 1e-5 / size);
      worst = fmax(worst, difference(x.J + 6 * k, column, 6) / size);
    }
    for (int k = 0; k < x.s->n; k++) assert_true(x.unit[k] == 0);
  }
  printf("Jacobian of a bent arm against finite differences: %.1e of each column\n", worst);
  assert_true(worst < 1e-8);
  tear_down(&x);
}

// Columns of the chain are those of the joints, in a bent arm too.
static void jacobian_of_a_chain_matches_that_of_the_system(void **state) {
  (void)state;
  unsigned seed = 19;
  setting x = set_up(text, false);
  for (int trial = 0; trial < 20; trial++) {
    lim_world_pose at, same;
    double J[18];
    shake(&x, &seed);
    lim_chain *c = chain_of(&x, NULL);
    lim_chain_jacobian(&at, J, c, c->start);
    lim_frame_jacobian(&same, x.J, x.s, x.site, x.q, x.body, x.unit);
    for (int k = 0; k < 3; k++)
      assert_true(difference(J + 6 * k, x.J + 6 * x.s->bodies[c->joint[k].body].q, 6) < 1e-13);
    lim_chain_free(c);
  }
  tear_down(&x);
}

// A beam that slides through its joint, with a hand on it.
static const char sliding[] =
    "limber: 1\n"
    "materials: {m: {E: 70 GPa, nu: 0.3, rho: 2700}}\n"
    "sections: {a: {shape: rectangle, y: 20 mm, z: 20 mm}}\n"
    "links:\n"
    "  - {name: post, joint: {axis: [0, 0, 1]}, body: {mass: 1, tip: [0.1, 0, 0.2]}}\n"
    "  - {name: boom, joint: {type: prismatic, axis: [1, 0, 0], slide: {free_length: beam}}, beam: {length: 1, "
    "section: "
    "a, material: m, elements: 4}, basis: {type: modes, count: 2}}\n"
    "  - {name: hand, joint: {axis: [0, 1, 0]}, body: {mass: 1, tip: [0.2, 0, 0]}}\n"
    "frames: [{name: tool, on: hand, at: tip, xyz: [0, 0.1, 0]}, {name: middle, on: boom, at: 0.5}]\n"
    "configuration: {post: 0.3, boom: 0.6, hand: 0.5}\n";

static void beams_that_slide_move_their_tip_and_not_their_guide(void **state) {
  (void)state;
  setting x = set_up(sliding, true);
  lim_chain *c = chain_of(&x, NULL);
  lim_world_pose at;
  const double q[3] = {-0.4, 0.9, 1.2};
  assert_int_equal(c->n, 3);
  lim_chain_pose(&at, c, q);
  for (int k = 0; k < 3; k++) x.q[x.s->bodies[c->joint[k].body].q] = q[k];
  lim_world_motion expected = pose(&x);
  assert_true(difference(at.p, expected.p, 3) < 1e-14 && difference(at.R, expected.R, 9) < 1e-14);
  lim_chain_free(c);
  x.site = lim_chain_frame(x.s, "boom.base");
  c = chain_of(&x, NULL);
  assert_int_equal(c->n, 1); // the post alone
  lim_chain_free(c);
  assert_int_equal(lim_chain_new(&c, x.s, lim_chain_frame(x.s, "middle"), NULL, NULL, NULL), LIM_BAD_INPUT);
  tear_down(&x);
}

static void jacobian_of_a_bent_beam_that_slides_matches_finite_differences(void **state) {
  (void)state;
  unsigned seed = 29;
  setting x = set_up(sliding, false);
  double worst = 0;
  for (int trial = 0; trial < 10; trial++) {
    lim_world_pose at;
    shake(&x, &seed);
    x.q[x.s->bodies[x.s->first_body[1]].q] = 0.6 + 0.2 * noise(&seed);
    lim_frame_jacobian(&at, x.J, x.s, x.site, x.q, x.body, x.unit);
    for (int k = 0; k < x.s->n; k++) {
      double column[6], size = fmax(1, difference(x.J + 6 * k, (double[6]){0}, 6));
      differences(column, &x, k, 1e-5 / size);
      worst = fmax(worst, difference(x.J + 6 * k, column, 6) / size);
    }
  }
  printf("Jacobian of a bent beam that slides against finite differences: %.1e of each column\n", worst);
  assert_true(worst < 1e-8);
  tear_down(&x);
}

static void held_joints_stay_where_the_posture_has_them(void **state) {
  (void)state;
  unsigned seed = 23;
  setting x = set_up(text, true);
  bool held[5] = {false, false, true};
  shake(&x, &seed);
  lim_chain *c = chain_of(&x, held);
  lim_world_pose at;
  lim_world_motion expected = pose(&x);
  assert_int_equal(c->n, 2);
  lim_chain_pose(&at, c, c->start);
  assert_true(difference(at.p, expected.p, 3) < 1e-13);
  lim_chain_free(c);
  tear_down(&x);
}

// A planar 2R arm at right angles: J = [-l2 -l2; l1 0] and both turn about z.
static void singular_values_of_a_planar_arm_are_those_of_its_jacobian(void **state) {
  (void)state;
  const double l1 = 0.5, l2 = 0.3, J[12] = {-l2, l1, 0, 0, 0, 1, -l2, 0, 0, 0, 0, 1};
  double s[6], a = 2 * l2 * l2 + l1 * l1, det = l1 * l2;
  lim_chain_singular_values(s, J, 2, 0); // positions only
  double max = sqrt((a + sqrt(a * a - 4 * det * det)) / 2);
  assert_true(fabs(s[0] - max) < 1e-15 && fabs(s[1] - det / max) < 1e-15 && s[2] == 0 && s[5] == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(chain_has_the_joints_on_the_way_in_their_order),
      cmocka_unit_test(pose_of_a_rigid_arm_agrees_with_the_system),
      cmocka_unit_test(pose_of_a_bent_arm_agrees_with_the_system),
      cmocka_unit_test(jacobian_of_all_coordinates_matches_finite_differences),
      cmocka_unit_test(jacobian_of_a_chain_matches_that_of_the_system),
      cmocka_unit_test(beams_that_slide_move_their_tip_and_not_their_guide),
      cmocka_unit_test(jacobian_of_a_bent_beam_that_slides_matches_finite_differences),
      cmocka_unit_test(held_joints_stay_where_the_posture_has_them),
      cmocka_unit_test(singular_values_of_a_planar_arm_are_those_of_its_jacobian),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

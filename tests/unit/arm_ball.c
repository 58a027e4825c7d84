// arm_ball.c - tests of orientations of free and spherical joints: rates against differences, motions written
// anew about another quaternion, no orientation that is special.
#include "fixture.h"

#include "arm/ball.h"
#include "arm/kinematics.h"
#include "math/rotation.h"
#include "path/assembly.h"

#define FREE_BODY                                                                                              \
  "limber: 1\ngravity: [0, 0, 0]\nlinks:\n"                                                                    \
  "  - {name: a, joint: {name: j, type: free, origin: {rpy: [0.3, -0.4, 1]}}, body: {mass: 2, inertia: [1, "   \
  "2, 3]}}\n"

static void near(double x, double expected, double tolerance) {
  if (!(fabs(x - expected) <= tolerance)) fail_msg("%.15g, expected %.15g to %g", x, expected, tolerance);
}

static lim_arm *arm_of(lim_model **m, const char *text) {
  lim_arm *s;
  lim_error err = {0};
  *m = parse(text);
  lim_code code = lim_arm_new(&s, *m, false, &err);
  print_notes(&err);
  assert_int_equal(code, LIM_OK);
  return s;
}

// Some smooth motion of three turns.
static void motion(double q[3], double v[3], double a[3], double t) {
  static const double amplitude[3] = {1.1, 0.7, 2.3}, rate[3] = {1.3, 0.9, 0.7}, phase[3] = {0.2, 1.1, -0.4};
  for (int i = 0; i < 3; i++) {
    q[i] = amplitude[i] * sin(rate[i] * t + phase[i]);
    v[i] = amplitude[i] * rate[i] * cos(rate[i] * t + phase[i]);
    a[i] = -rate[i] * rate[i] * q[i];
  }
}

static const lim_ball BALL = {.turn = {0, 1, 2}, .quaternion = {0.5, -0.5, 0.5, 0.5}};

// R'(R(t + h) - R(t - h))/2h = w~
static void angular_velocity_is_that_of_the_orientation(void **state) {
  (void)state;
  const double h = 1e-5;
  for (double t = 0; t < 5; t += 0.37) {
    double q[3], v[3], a[3], w[3], R[3][9], S[9];
    for (int k = -1; k <= 1; k++) {
      motion(q, v, a, t + k * h);
      lim_ball_orientation(R[k + 1], &BALL, q);
    }
    motion(q, v, a, t);
    lim_ball_velocity(w, &BALL, q, v);
    for (int i = 0; i < 9; i++) {
      S[i] = 0;
      for (int k = 0; k < 3; k++)
        S[i] += R[1][3 * k + i / 3] * (R[2][3 * k + i % 3] - R[0][3 * k + i % 3]) / (2 * h);
    }
    near(w[0], S[7], 1e-8);
    near(w[1], S[2], 1e-8);
    near(w[2], S[3], 1e-8);
  }
}

// The same motion about another quaternion: orientation and velocity are kept, and what is written is a motion
// again: its rates are the derivatives of its positions.
static void motion_is_the_same_about_another_quaternion(void **state) {
  (void)state;
  const double h = 1e-5, other[4] = {0.5, 0.5, -0.1, sqrt(0.49)};
  lim_ball moved = BALL;
  memcpy(moved.quaternion, other, sizeof other);
  int checked = 0;
  for (double t = 0; t < 5; t += 0.37) {
    double q[3][3], v[3][3], a[3][3], R[2][9], w[2][3];
    for (int k = 0; k < 3; k++) {
      motion(q[k], v[k], a[k], t + (k - 1) * h);
      if (k == 1) {
        lim_ball_orientation(R[0], &BALL, q[k]);
        lim_ball_velocity(w[0], &BALL, q[k], v[k]);
      }
      double *list = a[k];
      lim_ball_rewrite(&BALL, other, q[k], v[k], &list, 1);
    }
    lim_ball_orientation(R[1], &moved, q[1]);
    lim_ball_velocity(w[1], &moved, q[1], v[1]);
    for (int i = 0; i < 9; i++) near(R[1][i], R[0][i], 1e-14);
    for (int i = 0; i < 3; i++) near(w[1][i], w[0][i], 1e-12);
    bool turned_over = fabs(q[1][1]) > 1.3 || fabs(q[2][0] - q[0][0]) > 1 || fabs(q[2][2] - q[0][2]) > 1;
    for (int i = 0; i < 3 && !turned_over; i++, checked++) {
      near((q[2][i] - q[0][i]) / (2 * h), v[1][i], 1e-6);
      near((v[2][i] - v[0][i]) / (2 * h), a[1][i], 1e-5);
    }
  }
  assert_true(checked > 20);
}

static void turns_taken_over_leave_rates_that_are_body_rates(void **state) {
  (void)state;
  double q[3], v[3], a[3], w[3], centre[4], *list = a;
  motion(q, v, a, 0.7);
  lim_ball_velocity(w, &BALL, q, v);
  lim_ball_centre(centre, &BALL, q);
  lim_ball_rewrite(&BALL, centre, q, v, &list, 1);
  for (int i = 0; i < 3; i++) {
    near(q[i], 0, 1e-15);
    near(v[i], w[i], 1e-14);
  }
}

static void joint_is_far_before_its_second_turn_is_singular(void **state) {
  (void)state;
  double q[3] = {3, 0.7, -3};
  assert_false(lim_ball_is_far(&BALL, q));
  q[1] = -0.9;
  assert_true(lim_ball_is_far(&BALL, q));
  const lim_ball planar = {.turn = {-1, 0, -1}}; // in the plane xz it is the only turn, and none is special
  assert_false(lim_ball_is_far(&planar, q + 1));
}

static void configuration_gives_orientation_and_rates(void **state) {
  (void)state;
  lim_model *m;
  lim_arm *s =
      arm_of(&m, FREE_BODY
             "configuration: {j: {position: [1, 2, 3], quaternion: [0.5, 0.5, 0.5, 0.5], velocity: [4, 5, 6], "
             "angular_velocity: [7, 8, 9]}}\n");
  double q[6], v[6];
  lim_world_motion body[6];
  static const double turned[9] = {0, 0, 1, 1, 0, 0, 0, 1, 0};
  double frame[9], R[9], place[3], x[3] = {1, 2, 3};
  assert_int_equal(s->n, 6);
  assert_int_equal(s->nball, 1);
  lim_arm_start(q, v, s);
  lim_kinematics(body, s, q, v, NULL);
  lim_rotation_rpy(frame, (double[3]){0.3, -0.4, 1});
  lim_mat3_product(R, frame, turned);
  lim_rotate(place, frame, x);
  for (int i = 0; i < 9; i++) near(body[5].R[i], R[i], 1e-14);
  for (int i = 0; i < 3; i++) {
    near(body[5].p[i], place[i], 1e-14);
    near(body[5].v[i], 4 + i, 1e-13);
  }
  double w[3];
  lim_rotate_back(w, body[5].R, body[5].w);
  for (int i = 0; i < 3; i++) near(w[i], 7 + i, 1e-13);
  lim_arm_free(s);
  lim_model_free(m);
}

// An arm that a run enters turns by itself.
static void run_turns_its_own_arm_only(void **state) {
  (void)state;
  lim_model *m;
  lim_arm *s = arm_of(&m, FREE_BODY), *own;
  assert_int_equal(lim_arm_enter(&own, s, NULL), LIM_OK);
  lim_ball_set(own, 0, (double[4]){0, 1, 0, 0});
  assert_true(s->ball[0].quaternion[0] == 1 && own->ball[0].quaternion[0] == 0);
  assert_true(s->bodies[s->ball[0].body].on.Rc[4] != own->bodies[s->ball[0].body].on.Rc[4]);
  lim_arm_leave(own);
  lim_arm_free(s);
  lim_model_free(m);
}

static void planar_free_joint_has_three_freedoms(void **state) {
  (void)state;
  static const char *const planes[3] = {"xy", "xz", "yz"};
  for (int i = 0; i < 3; i++) {
    char text[400];
    lim_model *m;
    snprintf(text, sizeof text,
             "limber: 1\nplanar: %s\ngravity: [0, 0, 0]\nlinks:\n  - {name: a, joint: {type: free}, body: "
             "{mass: 1}}\n"
             "  - {name: b, joint: {type: spherical}, body: {mass: 1}}\n",
             planes[i]);
    lim_arm *s = arm_of(&m, text);
    assert_int_equal(s->n, 4);
    lim_arm_free(s);
    lim_model_free(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(angular_velocity_is_that_of_the_orientation),
      cmocka_unit_test(motion_is_the_same_about_another_quaternion),
      cmocka_unit_test(turns_taken_over_leave_rates_that_are_body_rates),
      cmocka_unit_test(joint_is_far_before_its_second_turn_is_singular),
      cmocka_unit_test(configuration_gives_orientation_and_rates),
      cmocka_unit_test(run_turns_its_own_arm_only),
      cmocka_unit_test(planar_free_joint_has_three_freedoms),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

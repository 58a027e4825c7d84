// api_kin.c - kinematics through the public interface.
#include "kinematics_fixture.h"

static lim_kin *reach_of(lim_model **m, const char *frame) {
  lim_kin *r = NULL;
  assert_int_equal(lim_model_load(m, "models/six-axis.yaml", NULL, 0, NULL), LIM_OK);
  assert_int_equal(lim_kin_new(&r, *m, frame, NULL), LIM_OK);
  return r;
}

static void pose_and_joints_go_there_and_back(void **state) {
  (void)state;
  lim_model *m = NULL;
  lim_kin *r = reach_of(&m, "tool");
  assert_int_equal(lim_kin_joints(r), 6);
  assert_string_equal(lim_kin_joint_name(r, 5), "j6");
  assert_null(lim_kin_joint_name(r, 6));
  assert_null(lim_kin_joint_name(r, -1));
  double start[6], p[3], R[9], there[3], Rt[9], q[6], all[8 * 6], left, angle;
  const double other[6] = {0.2, 0.1, 0.2, -0.3, 0.5, 0.4};
  lim_kin_start(r, start);
  lim_kin_pose(r, other, p, R, NULL);
  assert_int_equal(lim_kin_near(r, q, p, R, start, &left, &angle), 1);
  assert_true(left < 1e-12 && angle < 1e-12);
  lim_kin_pose(r, q, there, Rt, NULL);
  for (int i = 0; i < 3; i++) assert_true(fabs(p[i] - there[i]) < 1e-12);
  for (int i = 0; i < 9; i++) assert_true(fabs(R[i] - Rt[i]) < 1e-12);
  int count = lim_kin_all(r, all, 8, p, R, start);
  assert_in_range(count, 1, 8);
  assert_memory_equal(all, q, sizeof q);
  assert_int_equal(lim_kin_near(r, q, p, NULL, start, NULL, NULL), 1); // turned any way
  p[0] += 5;
  assert_int_equal(lim_kin_near(r, q, p, R, start, &left, NULL), 0);
  assert_true(left > 3);
  assert_int_equal(lim_kin_all(r, all, 8, p, R, start), 0);
  lim_kin_free(r);
  lim_model_free(m);
}

static void jacobian_is_the_derivative_of_the_pose(void **state) {
  (void)state;
  lim_model *m = NULL;
  lim_kin *r = reach_of(&m, "tool");
  double q[6] = {0.2, 0.1, 0.2, -0.3, 0.5, 0.4}, J[36], a[3], b[3], h = 1e-5;
  lim_kin_pose(r, q, NULL, NULL, J);
  for (int k = 0; k < 6; k++) {
    q[k] += h;
    lim_kin_pose(r, q, a, NULL, NULL);
    q[k] -= 2 * h;
    lim_kin_pose(r, q, b, NULL, NULL);
    q[k] += h;
    for (int i = 0; i < 3; i++) assert_true(fabs((a[i] - b[i]) / (2 * h) - J[6 * k + i]) < 1e-9);
  }
  lim_kin_free(r);
  lim_model_free(m);
}

// In a closed chain the joints that follow are where the loops have them, whatever is given.
static void closed_chains_go_there_and_back(void **state) {
  (void)state;
  lim_model *m = NULL;
  lim_kin *r = NULL;
  double q[4], start[4], p[3], J[24], left;
  const double goal[3] = {0.03, 0.37, 0}, far[3] = {0, 2, 0};
  assert_int_equal(lim_model_load(&m, "models/five-bar.yaml", NULL, 0, NULL), LIM_OK);
  assert_int_equal(lim_kin_new(&r, m, "pin-point", NULL), LIM_OK);
  assert_int_equal(lim_kin_joints(r), 4);
  for (int k = 0; k < 4; k++) assert_int_equal(lim_kin_joint_follows(r, k), k % 2);
  assert_int_equal(lim_kin_joint_follows(r, 4), 0);
  lim_kin_start(r, start);
  assert_int_equal(lim_kin_near(r, q, goal, NULL, start, &left, NULL), 1);
  q[1] += 0.2;
  q[3] -= 0.1;
  lim_kin_pose(r, q, p, NULL, J);
  for (int i = 0; i < 3; i++) assert_true(fabs(p[i] - goal[i]) < 1e-11);
  for (int i = 0; i < 6; i++) assert_true(J[6 + i] == 0 && J[18 + i] == 0);
  assert_int_equal(lim_kin_near(r, q, far, NULL, start, &left, NULL), 0);
  assert_true(left > 1.4);
  lim_kin_free(r);
  lim_model_free(m);
}

static void unknown_frame_is_refused(void **state) {
  (void)state;
  lim_model *m = NULL;
  lim_kin *r = reach_of(&m, "tip"), *none = NULL;
  lim_error err = {0};
  assert_int_equal(lim_kin_new(&none, m, "tol", &err), LIM_BAD_INPUT);
  assert_null(none);
  assert_non_null(strstr(err.note[0].text, "unknown frame 'tol'; did you mean 'tool'? there are tip, "));
  lim_error_clear(&err);
  lim_kin_free(r);
  lim_model_free(m);
}

static void request_that_is_none_says_so(void **state) {
  (void)state;
  lim_model *m = NULL;
  lim_kin *r = reach_of(&m, "tool");
  double start[6], p[3], R[9], q[6] = {7, 7, 7, 7, 7, 7}, left = 1, angle = 1;
  lim_kin_start(r, start);
  lim_kin_pose(r, start, p, R, NULL);
  double nowhere[3] = {NAN, 0, 0}, far[3] = {1e300, 0, 0}, no_axes[9] = {0},
         mirror[9] = {1, 0, 0, 0, 1, 0, 0, 0, -1};
  double lost[6] = {0, 0, NAN, 0, 0, 0};
  const struct {
    const double *p, *R, *near;
  } bad[] = {{nowhere, NULL, start}, {far, R, start},  {p, no_axes, start}, {p, mirror, start},
             {p, R, lost},           {NULL, R, start}, {p, R, NULL}};
  for (int i = 0; i < 7; i++) {
    left = angle = 1;
    assert_int_equal(lim_kin_near(r, q, bad[i].p, bad[i].R, bad[i].near, &left, &angle), 0);
    assert_true(isnan(left) && isnan(angle));
    if (bad[i].near == start) assert_memory_equal(q, start, sizeof q);
    assert_int_equal(lim_kin_all(r, q, 1, bad[i].p, bad[i].R, bad[i].near), -1);
  }
  assert_int_equal(lim_kin_all(r, q, -1, p, R, start), -1);
  assert_int_equal(lim_kin_all(r, NULL, 1, p, R, start), -1);
  assert_true(lim_kin_all(r, NULL, 0, p, R, start) > 0);
  assert_int_equal(lim_kin_near(r, NULL, p, R, start, &left, NULL), 0);
  lim_kin_free(r);
  lim_model_free(m);
}

static void null_is_refused(void **state) {
  (void)state;
  lim_model *m = NULL;
  lim_kin *r = reach_of(&m, "tool"), *none = NULL;
  double p[3], R[9], J[36], q[6];
  assert_int_equal(lim_kin_new(NULL, m, "tip", NULL), LIM_BAD_INPUT);
  assert_int_equal(lim_kin_new(&none, NULL, "tip", NULL), LIM_BAD_INPUT);
  assert_int_equal(lim_kin_new(&none, m, NULL, NULL), LIM_BAD_INPUT);
  assert_int_equal(lim_kin_joints(NULL), 0);
  assert_null(lim_kin_joint_name(NULL, 0));
  lim_kin_start(NULL, q);
  lim_kin_start(r, NULL);
  lim_kin_pose(r, NULL, p, R, J);
  assert_true(isnan(p[2]) && isnan(R[8]) && isnan(J[35]));
  lim_kin_pose(NULL, q, p, NULL, NULL);
  assert_int_equal(lim_kin_near(NULL, q, p, NULL, q, NULL, NULL), 0);
  lim_kin_free(r);
  lim_kin_free(NULL);
  lim_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pose_and_joints_go_there_and_back),
      cmocka_unit_test(jacobian_is_the_derivative_of_the_pose),
      cmocka_unit_test(closed_chains_go_there_and_back),
      cmocka_unit_test(unknown_frame_is_refused),
      cmocka_unit_test(request_that_is_none_says_so),
      cmocka_unit_test(null_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

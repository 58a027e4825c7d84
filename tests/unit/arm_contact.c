// arm_contact.c - tests of contacts: geometry, law, rows of those that stick.
#include "fixture.h"
#include "unit/motion_fixture.h"

#include "arm/contact.h"
#include "math/rotation.h"

static const lim_contact_element disc = {.name = "disc",
                                         .radius = 0.1,
                                         .stiffness = 1e4,
                                         .damping = 0.5,
                                         .friction = 0.3,
                                         .tangents = 2,
                                         .along = {{1, 0, 0}, {0, 1, 0}},
                                         .row = 0};

static lim_world_motion still(double x, double y, double z) {
  return (lim_world_motion){.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .p = {x, y, z}};
}

static void sphere_above_its_plane_feels_nothing(void **state) {
  (void)state;
  const lim_world_motion ball = still(0, 0, 0.11), floor = still(0, 0, 0);
  const lim_contact_state as = {.press = LIM_PRESS_AS_IT_MOVES};
  const lim_contact_moment m = lim_contact_evaluate(&disc, &as, &ball, &floor, NULL);
  assert_near(m.depth, -0.01, 1e-16);
  assert_near(m.normal, 0, 0);
  assert_false(m.presses);
}

static void pressed_sphere_has_the_force_of_hunt_and_crossley(void **state) {
  (void)state;
  lim_world_motion ball = still(0.2, -0.1, 0.09);
  const lim_world_motion floor = still(0, 0, 0);
  const lim_contact_state as = {.press = LIM_PRESS_AS_IT_MOVES};
  ball.v[2] = -0.4;
  lim_contact_moment m = lim_contact_evaluate(&disc, &as, &ball, &floor, NULL);
  assert_near(m.normal, 1e4 * 0.01 * (1 + 0.5 * 0.4), 1e-9);
  assert_near(m.force[2], m.normal, 1e-12);
  assert_near(m.energy, 1e4 * 1e-4 / 2, 1e-12);
  assert_near(m.dissipated, 1e4 * 0.01 * 0.5 * 0.4 * 0.4, 1e-9);
  assert_near(m.point[0], 0.2, 1e-15);
  assert_near(m.point[2], 0, 1e-15);
  ball.v[2] = 2.5; // leaves faster than 1/c
  m = lim_contact_evaluate(&disc, &as, &ball, &floor, NULL);
  assert_near(m.normal, 0, 0);
  assert_near(m.dissipated, 1e4 * 0.01 * 2.5, 1e-9);
}

static void sliding_sphere_is_held_back_along_its_slip(void **state) {
  (void)state;
  lim_world_motion ball = still(0, 0, 0.09);
  const lim_world_motion floor = still(0, 0, 0);
  const lim_contact_state slides = {.press = LIM_PRESS_ON, .friction = LIM_CONTACT_SLIDES, .direction = {1, 0}};
  ball.v[0] = 0.3;
  ball.v[1] = -0.4;
  ball.w[1] = 1; // its point in the plane goes back by 0.09
  const lim_contact_moment m = lim_contact_evaluate(&disc, &slides, &ball, &floor, NULL);
  const double slip[2] = {0.3 - 0.09, -0.4}, size = hypot(slip[0], slip[1]);
  for (int i = 0; i < 2; i++) {
    assert_near(m.slip[i], slip[i], 1e-15);
    assert_near(m.force[i], -0.3 * 100 * slip[i] / size, 1e-9);
  }
  assert_near(m.dissipated, 0.3 * 100 * size, 1e-9);
}

// A frame in motion: place, axes and derivatives at t.
static lim_world_motion moving(double t, const double p[3], const double v[3], const double a[3],
                               const double w[3]) {
  lim_world_motion m = {.R = {0}};
  double n[3], speed = sqrt(lim_dot(w, w));
  for (int i = 0; i < 3; i++) {
    m.p[i] = p[i] + t * v[i] + t * t / 2 * a[i];
    m.v[i] = v[i] + t * a[i];
    m.a[i] = a[i];
    m.w[i] = w[i];
    n[i] = w[i] / speed;
  }
  lim_rotation_axis(m.R, n, speed * t);
  return m;
}

// Values, rates and seconds of the rows of a sphere that rolls on a plane that turns and flies.
static void rows_have_the_derivatives_of_their_values(void **state) {
  (void)state;
  static const double P[2][3] = {{0.3, -0.2, 0.09}, {0.1, 0.05, 0}},
                      V[2][3] = {{0.4, 0.3, -0.2}, {-0.1, 0.2, 0.3}}, A[2][3] = {{1, -2, 0.5}, {0.3, 0.7, -1}},
                      W[2][3] = {{2, 1, -3}, {0.5, -1, 0.8}};
  const double h = 1e-4;
  lim_contact_state sticks = {.press = LIM_PRESS_ON, .friction = LIM_CONTACT_STICKS};
  lim_row_state row[3][2];
  lim_world_motion at[2];
  for (int i = 0; i < 2; i++) at[i] = moving(0, P[i], V[i], A[i], W[i]);
  lim_contact_anchor(&sticks, &disc, &at[0], &at[1], false);
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < 2; i++) at[i] = moving((k - 1) * h, P[i], V[i], A[i], W[i]);
    lim_contact_rows(row[k], &disc, &sticks, &at[0], &at[1]);
  }
  for (int i = 0; i < 2; i++) {
    assert_near(row[1][i].value, 0, 1e-15);
    assert_near(row[1][i].rate, (row[2][i].value - row[0][i].value) / (2 * h), 1e-6);
    assert_near(row[1][i].second, (row[2][i].rate - row[0][i].rate) / (2 * h), 1e-5);
  }
}

static void rows_of_what_does_not_stick_are_none(void **state) {
  (void)state;
  const lim_world_motion ball = still(0.4, 0, 0.2), floor = still(0, 0, 0);
  const lim_contact_state slides = {.press = LIM_PRESS_ON, .friction = LIM_CONTACT_SLIDES},
                          apart = {.press = LIM_PRESS_AS_IT_MOVES, .friction = LIM_CONTACT_STICKS};
  lim_row_state row[2];
  lim_contact_rows(row, &disc, &slides, &ball, &floor);
  assert_near(row[0].value, 0, 0);
  lim_contact_rows(row, &disc, &apart, &ball, &floor);
  assert_near(row[0].value, 0, 0);
}

// Carried along, a value stays what it was.
static void anchor_that_is_carried_keeps_what_is_left(void **state) {
  (void)state;
  const lim_world_motion floor = still(0, 0, 0), there = still(0.4, 0.1, 0.09),
                         moved = still(0.4 + 1e-6, 0.1, 0.09);
  lim_contact_state sticks = {.press = LIM_PRESS_ON, .friction = LIM_CONTACT_STICKS};
  lim_row_state row[2];
  lim_contact_anchor(&sticks, &disc, &there, &floor, false);
  lim_contact_anchor(&sticks, &disc, &moved, &floor, true);
  lim_contact_rows(row, &disc, &sticks, &moved, &floor);
  assert_near(row[0].value, 1e-6, 1e-15);
  lim_contact_anchor(&sticks, &disc, &moved, &floor, false);
  lim_contact_rows(row, &disc, &sticks, &moved, &floor);
  assert_near(row[0].value, 0, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sphere_above_its_plane_feels_nothing),
      cmocka_unit_test(pressed_sphere_has_the_force_of_hunt_and_crossley),
      cmocka_unit_test(sliding_sphere_is_held_back_along_its_slip),
      cmocka_unit_test(rows_have_the_derivatives_of_their_values),
      cmocka_unit_test(rows_of_what_does_not_stick_are_none),
      cmocka_unit_test(anchor_that_is_carried_keeps_what_is_left),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

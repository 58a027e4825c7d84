// drive_stop.c - tests of the law of end stops.
#include "unit/motion_fixture.h"

#include "drive/stop.h"

static const lim_end_stops stops = {.limit = {-1, 2}, .stiffness = 100, .damping = 5};

static lim_stop_moment at(int which, lim_press press, double q, double v) {
  return lim_stop_evaluate(&stops, which, press, q, v);
}

static void upper_stop_presses_back_beyond_its_limit(void **state) {
  (void)state;
  const lim_stop_moment m = at(LIM_UPPER_STOP, LIM_PRESS_AS_IT_MOVES, 2.1, 0.5);
  assert_near(m.depth, 0.1, 1e-15);
  assert_near(m.force, -(100 * 0.1 + 5 * 0.5), 1e-13);
  assert_near(m.size, -m.force, 0);
  assert_near(m.k, 100, 0);
  assert_near(m.d, 5, 0);
}

static void lower_stop_presses_the_other_way(void **state) {
  (void)state;
  const lim_stop_moment m = at(LIM_LOWER_STOP, LIM_PRESS_AS_IT_MOVES, -1.2, -0.5);
  assert_near(m.force, 100 * 0.2 + 5 * 0.5, 1e-13);
  assert_near(at(LIM_LOWER_STOP, LIM_PRESS_AS_IT_MOVES, 0, -9).force, 0, 0);
  assert_near(at(LIM_UPPER_STOP, LIM_PRESS_AS_IT_MOVES, 0, 9).force, 0, 0);
}

static void stop_never_pulls_back_what_leaves_fast(void **state) {
  (void)state;
  const lim_stop_moment m = at(LIM_UPPER_STOP, LIM_PRESS_AS_IT_MOVES, 2.1, -3); // 10 - 15 < 0
  assert_near(m.force, 0, 0);
  assert_near(m.k, 0, 0);
  assert_near(m.energy, 100 * 0.01 / 2, 1e-13);
  assert_near(m.dissipated, 100 * 0.1 * 3, 1e-12); // its spring relaxes for nothing
}

// d energy/dt + dissipated = -force v
static void books_of_a_stop_close(void **state) {
  (void)state;
  static const double Q[] = {1.9, 2.05, 2.2, -1.1, -1.3}, V[] = {-4, -0.3, 0, 0.7, 5};
  const double h = 1e-6;
  for (int i = 0; i < 5; i++)
    for (int k = 0; k < 5; k++)
      for (int which = 0; which < LIM_STOPS; which++) {
        const lim_stop_moment m = at(which, LIM_PRESS_AS_IT_MOVES, Q[i], V[k]);
        const lim_press now = m.depth <= 0 ? LIM_PRESS_APART : m.size > 0 ? LIM_PRESS_ON : LIM_PRESS_SLACK;
        const double rate =
            (at(which, now, Q[i] + h * V[k], V[k]).energy - at(which, now, Q[i] - h * V[k], V[k]).energy) /
            (2 * h);
        assert_near(rate + m.dissipated, -m.force * V[k], 1e-6);
        assert_true(m.dissipated >= 0);
      }
}

static void law_goes_on_while_its_state_stays(void **state) {
  (void)state;
  assert_near(at(LIM_UPPER_STOP, LIM_PRESS_ON, 1.9, 0).force, 10, 1e-13); // within a step that is not over
  assert_near(at(LIM_UPPER_STOP, LIM_PRESS_APART, 2.1, 1).force, 0, 0);
}

static void states_follow_from_depth_rate_and_force(void **state) {
  (void)state;
  assert_int_equal(lim_press_of(-1e-9, 1, 1), LIM_PRESS_APART);
  assert_int_equal(lim_press_of(0, 1, 1), LIM_PRESS_ON);
  assert_int_equal(lim_press_of(0, -1, -1), LIM_PRESS_APART);
  assert_int_equal(lim_press_of(1e-9, -1, -1), LIM_PRESS_SLACK);
  assert_true(lim_press_beyond(LIM_PRESS_APART, 1e-3, 1e-3) > 0);
  assert_true(lim_press_beyond(LIM_PRESS_ON, 1e-3, 1e-3) < 0);
  assert_true(lim_press_beyond(LIM_PRESS_ON, 1e-3, -1e-3) > 0);
  assert_true(lim_press_beyond(LIM_PRESS_SLACK, 1e-3, -1e-3) < 0);
  assert_true(lim_press_beyond(LIM_PRESS_SLACK, 1e-3, 1e-3) > 0);
  assert_true(lim_press_beyond(LIM_PRESS_SLACK, -1e-3, -1e-3) > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(upper_stop_presses_back_beyond_its_limit),
      cmocka_unit_test(lower_stop_presses_the_other_way),
      cmocka_unit_test(stop_never_pulls_back_what_leaves_fast),
      cmocka_unit_test(books_of_a_stop_close),
      cmocka_unit_test(law_goes_on_while_its_state_stays),
      cmocka_unit_test(states_follow_from_depth_rate_and_force),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

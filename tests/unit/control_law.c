// control_law.c - tests of the laws of controllers in one moment.
#include "fixture.h"

#include "control/law.h"
#include "kind_numbers.h"

static lim_control_law law_of(int type) {
  return (lim_control_law){.kind = lim_control_kinds[type],
                           .kp = 5,
                           .kv = 0.1,
                           .ki = 20,
                           .limit = INFINITY,
                           .inertia = 0.02,
                           .block = -1,
                           .position = -1};
}

static const lim_control_view at = {.reference = {0.3, 2, 7},
                                    .position = 0.1,
                                    .speed = 1.5,
                                    .ratio = 10,
                                    .inertia = 1,
                                    .integral = 0.25,
                                    .arm = 40,
                                    .needed = 60,
                                    .signal = -3};

static void near(double x, double expected) { assert_true(fabs(x - expected) < 1e-14 * (1 + fabs(expected))); }

static double torque(const lim_control_law *c) { return c->kind->torque(c, &at).value; }

static void laws_add_up(void **state) {
  (void)state;
  const double pd = 5 * 0.2 - 0.1 * 10 * 1.5;
  for (int type = 0; lim_control_kinds[type]; type++) assert_non_null(lim_control_kinds[type]->torque);
  lim_control_law c = law_of(LIM_CONTROL_pd);
  near(torque(&c), pd);
  c.velocity = 1;
  c.acceleration = 0.5;
  c.needed = 0.25;
  near(torque(&c), pd + 0.1 * 10 * 2 + 0.5 * 0.02 * 10 * 7 + 0.25 * 6);
  c = law_of(LIM_CONTROL_pid);
  near(torque(&c), pd + 0.25);
  c = law_of(LIM_CONTROL_pd_gravity);
  near(torque(&c), pd + 4);
  c = law_of(LIM_CONTROL_computed_torque);
  near(torque(&c), 4);
  near(c.kind->acceleration(&c, &at), 7 + 0.1 * 0.5 + 5 * 0.2);
  c = law_of(LIM_CONTROL_block);
  near(torque(&c), -3);
}

static void derivatives_are_those_of_the_side_that_is_measured(void **state) {
  (void)state;
  lim_control_law c = law_of(LIM_CONTROL_pd);
  lim_command x = c.kind->torque(&c, &at);
  assert_true(x.q == -5 && x.p == 0 && x.v == 0);
  near(x.u, -1);
  c.measure_motor = true;
  x = c.kind->torque(&c, &at);
  assert_true(x.q == 0 && x.p == -5);
  c.position = 3; // a block says where it is
  x = c.kind->torque(&c, &at);
  assert_true(x.q == 0 && x.p == 0);
  c.limit = 0.2;
  x = lim_control_limited(&c, x);
  assert_true(x.value == -0.2 && x.u == 0);
}

static void scheduled_inertia_scales_gains(void **state) {
  (void)state;
  lim_control_law c = law_of(LIM_CONTROL_pd);
  lim_control_view twice = at;
  twice.inertia = 2;
  near(c.kind->torque(&c, &twice).value, 2 * torque(&c));
}

static void integral_follows_the_limit(void **state) {
  (void)state;
  lim_control_law c = law_of(LIM_CONTROL_pid);
  near(lim_control_integral_rate(&c, &at, 9), 20 * 0.2);
  c.limit = 1;
  near(lim_control_integral_rate(&c, &at, 9), 20 * 0.2 + (1 - 9) / (5.0 / 20));
  near(lim_control_integral_rate(&c, &at, -9), 20 * 0.2 + (-1 + 9) / (5.0 / 20));
  c.windup = 2;
  near(lim_control_integral_rate(&c, &at, 9), 20 * 0.2 - 4);
  c.kp = c.windup = 0; // nothing to follow by
  near(lim_control_integral_rate(&c, &at, 9), 20 * 0.2);
}

static void bandwidth_makes_gains(void **state) {
  (void)state;
  lim_control_law c = law_of(LIM_CONTROL_pid);
  c.bandwidth = 6;
  c.damping = 0.7;
  c.integral_time = 0.5;
  lim_control_design(&c, 3, -20);
  near(c.kp, -36.0 * 3 * 20);
  near(c.kv, 2 * 0.7 * 6 * 3);
  near(c.ki, c.kp / 0.5);
  c = law_of(LIM_CONTROL_computed_torque);
  c.bandwidth = 6;
  c.damping = 0.7;
  lim_control_design(&c, 3, -20);
  near(c.kp, 36);
  near(c.kv, 8.4);
  c = law_of(LIM_CONTROL_pd); // gains are given
  lim_control_design(&c, 3, -20);
  assert_true(c.kp == 5 && c.kv == 0.1 && c.inertia == 3);
}

static void only_pd_alone_is_plain(void **state) {
  (void)state;
  for (int type = 0; lim_control_kinds[type]; type++) {
    lim_control_law c = law_of(type);
    assert_int_equal(lim_control_plain(&c), type == LIM_CONTROL_pd);
  }
  lim_control_law c[5];
  for (int i = 0; i < 5; i++) c[i] = law_of(LIM_CONTROL_pd);
  c[0].velocity = 1;
  c[1].limit = 3;
  c[2].period = 1e-3;
  c[3].position = 0;
  c[4].schedule = &(lim_curve){.n = 0};
  for (int i = 0; i < 5; i++) assert_false(lim_control_plain(&c[i]));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(laws_add_up),
      cmocka_unit_test(derivatives_are_those_of_the_side_that_is_measured),
      cmocka_unit_test(scheduled_inertia_scales_gains),
      cmocka_unit_test(integral_follows_the_limit),
      cmocka_unit_test(bandwidth_makes_gains),
      cmocka_unit_test(only_pd_alone_is_plain),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

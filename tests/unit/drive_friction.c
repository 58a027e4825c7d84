// drive_friction.c - tests of the laws of friction.
#include "unit/motion_fixture.h"

#include "drive/friction.h"

static const lim_friction_law dry = {.viscous = 0.2, .coulomb = 3, .stiction = 4, .share = 0.1};
static const lim_friction_law brushed = {.viscous = 0.2,
                                         .coulomb = 3,
                                         .stiction = 4,
                                         .stribeck = 0.05,
                                         .bristles = true,
                                         .bristle_stiffness = 1e4,
                                         .bristle_damping = 50};

static lim_friction_answer at(const lim_friction_law *f, double v, double load, int slip, double z, double h) {
  lim_friction_answer a;
  lim_friction_evaluate(&a, f, v, load, slip, z, h);
  return a;
}

static void coulomb_sliding_opposes_its_direction_with_the_load(void **state) {
  (void)state;
  for (int slip = -1; slip <= 1; slip += 2) {
    const lim_friction_answer a = at(&dry, 0.5 * slip, -20, slip, 0, 0);
    assert_near(a.force, -slip * (3 + 0.1 * 20 + 0.2 * 0.5), 1e-15);
    assert_near(a.rubbed, 5 * 0.5, 1e-15);
    assert_near(a.viscous, 0.2 * 0.25, 1e-15);
    assert_near(a.d, 0.2, 0);
  }
}

static void coulomb_stuck_leaves_its_force_to_the_equations(void **state) {
  (void)state;
  const lim_friction_answer a = at(&dry, 0, 7, 0, 0, 0);
  assert_near(a.force, 0, 0);
  assert_near(lim_friction_level(&dry, 0, 7, true), 4.7, 1e-15);
  assert_near(lim_friction_level(&dry, 0, 7, false), 3.7, 1e-15);
  assert_true(lim_friction_sticks(&dry));
  assert_false(lim_friction_sticks(&brushed));
  assert_false(lim_friction_sticks(&(lim_friction_law){.viscous = 1}));
  assert_true(lim_friction_sticks(&(lim_friction_law){.share = 0.1}));
}

static void coulomb_is_smooth_through_zero_while_slip_stays(void **state) {
  (void)state;
  const double before = at(&dry, -1e-9, 1, 1, 0, 0).force, after = at(&dry, 1e-9, 1, 1, 0, 0).force;
  assert_near(before, after, 1e-9);
}

static void stribeck_level_falls_from_stiction_to_coulomb(void **state) {
  (void)state;
  lim_friction_law f = dry;
  f.stribeck = 0.1;
  assert_near(lim_friction_level(&f, 0, 0, false), 4, 1e-15);
  assert_near(lim_friction_level(&f, 0.1, 0, false), 3 + exp(-1), 1e-15);
  assert_near(lim_friction_level(&f, -10, 0, false), 3, 1e-15);
  assert_near(at(&f, 0.07, 0, 1, 0, 0).d, f.viscous, 0); // never takes from the matrix
}

static void lugre_steady_sliding_has_the_force_of_its_level(void **state) {
  (void)state;
  for (double v = -0.2; v < 0.21; v += 0.08) {
    double z = 0;
    const double tau = 4 / (1e4 * fabs(v)); // slowest time constant g/(s0 |v|)
    for (int i = 0; i < 2000; i++) z += tau / 50 * lim_friction_rate(&brushed, v, 0, z);
    const double g = 3 + exp(-v * v / 0.0025);
    const lim_friction_answer a = at(&brushed, v, 0, 0, z, 0);
    assert_near(a.rate, 0, 1e-12);
    assert_near(a.force, -copysign(g, v) - 0.2 * v, 1e-10);
    assert_near(a.rubbed, g * fabs(v), 1e-10);
  }
}

static void lugre_presliding_is_a_spring(void **state) {
  (void)state;
  double z = 0;
  const double v = 1e-6, h = 1e-3; // 1e-6 m in a second
  for (int i = 0; i < 1000; i++)
    z = lim_friction_step(&brushed, z, lim_friction_rate(&brushed, v, 0, z), h, v, 0);
  assert_near(z, 1e-6, 3e-9); // but for what creeps: s0 z/(2 g)
  assert_near(at(&brushed, 0, 0, 0, z, 0).energy, 1e4 * z * z / 2, 1e-20);
}

static void lugre_step_solves_the_trapezoidal_rule(void **state) {
  (void)state;
  unsigned seed = 1;
  for (int i = 0; i < 100; i++) {
    const double z = uniform(&seed, -4e-4, 4e-4), rate = uniform(&seed, -1, 1), h = uniform(&seed, 0, 1e-2);
    const double v = uniform(&seed, -1, 1), end = lim_friction_step(&brushed, z, rate, h, v, 2);
    assert_near(end, z + h / 2 * (rate + lim_friction_rate(&brushed, v, 2, end)), 1e-15);
  }
}

static double forced(const lim_friction_law *f, double z, double rate, double h, double v) {
  return at(f, v, 0, 0, lim_friction_step(f, z, rate, h, v, 0), h).force;
}

// Where the force falls with speed, only viscous friction is left in the tangent.
static void lugre_tangent_knows_of_the_step(void **state) {
  (void)state;
  unsigned seed = 5;
  int falling = 0;
  for (int i = 0; i < 400; i++) {
    const double z = uniform(&seed, -2e-4, 2e-4), h = uniform(&seed, 1e-4, 1e-2), e = 1e-6;
    const double v = uniform(&seed, 0.002, 0.2) * (i % 2 ? 1 : -1),
                 rate = uniform(&seed, 0, 0.1) * (i % 2 ? 1 : -1);
    const double d = at(&brushed, v, 0, 0, lim_friction_step(&brushed, z, rate, h, v, 0), h).d;
    const double slope = -(forced(&brushed, z, rate, h, v + e) - forced(&brushed, z, rate, h, v - e)) / (2 * e);
    assert_near(d, fmax(slope, brushed.viscous), 1e-5 * (1 + d));
    falling += slope < brushed.viscous;
  }
  assert_true(falling > 40 && falling < 360);
}

static void lugre_books_balance(void **state) {
  (void)state;
  unsigned seed = 8;
  for (int i = 0; i < 100; i++) {
    const double v = uniform(&seed, -1, 1), z = uniform(&seed, -4e-4, 4e-4);
    const lim_friction_answer a = at(&brushed, v, 0, 0, z, 0);
    const double stored = 1e4 * z * a.rate; // d/dt of the energy
    assert_near(stored + a.rubbed + a.viscous, -a.force * v, 1e-13 * (1 + fabs(a.force)));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(coulomb_sliding_opposes_its_direction_with_the_load),
      cmocka_unit_test(coulomb_stuck_leaves_its_force_to_the_equations),
      cmocka_unit_test(coulomb_is_smooth_through_zero_while_slip_stays),
      cmocka_unit_test(stribeck_level_falls_from_stiction_to_coulomb),
      cmocka_unit_test(lugre_steady_sliding_has_the_force_of_its_level),
      cmocka_unit_test(lugre_presliding_is_a_spring),
      cmocka_unit_test(lugre_step_solves_the_trapezoidal_rule),
      cmocka_unit_test(lugre_tangent_knows_of_the_step),
      cmocka_unit_test(lugre_books_balance),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

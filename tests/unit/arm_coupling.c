// arm_coupling.c - tests of arm/coupling.c: rows of couplings, couplings solved for joints.
#include "fixture.h"

#include "arm/coupling.h"

#include <math.h>

// Links a, b, c that turn and x that slides, all on the base: coordinates 0 to 3.
#define LINKS                                                                                                  \
  "limber: 1\nlinks:\n"                                                                                        \
  "  - {name: a, parent: base, body: {mass: 1}}\n"                                                             \
  "  - {name: b, parent: base, body: {mass: 1}}\n"                                                             \
  "  - {name: c, parent: base, body: {mass: 1}}\n"                                                             \
  "  - {name: x, parent: base, joint: {type: prismatic}, body: {mass: 1}}\n"

typedef struct {
  lim_model *m;
  lim_arm *s;
  lim_arena arena;
} arm;

static arm arm_of(const char *text) {
  arm x = {.m = parse_with(text, NULL, 0)};
  lim_error err = {0};
  assert_int_equal(lim_arm_build(&x.s, x.m, true, &err), LIM_OK);
  return x;
}

static void end(arm *x) {
  lim_arena_free(&x->arena);
  lim_arm_free(x->s);
  lim_model_free(x->m);
}

static void near(double computed, double expected) {
  if (fabs(computed - expected) > 1e-14) fail_msg("%.17g, expected %.17g", computed, expected);
}

static void ratio_is_the_second_joint_less_ratio_times_the_first(void **state) {
  (void)state;
  arm x = arm_of(LINKS "couplings: [{name: rack, joints: [b, x], ratio: 20 mm/rad, offset: 5 cm}]\n");
  const double q[] = {9, 2, 9, 0.4}, v[] = {9, 3, 9, 1}, a[] = {9, -1, 9, 0.5};
  assert_int_equal(x.s->nrow, 1);
  const lim_row_state row = lim_coupling_evaluate(&x.s->coupling[0], q, v, a);
  near(row.value, 0.4 - 0.02 * 2 - 0.05);
  near(row.rate, 1 - 0.02 * 3);
  near(row.second, 0.5 + 0.02);
  const double lambda = 7;
  near(lim_couplings_effort(x.s, 1, &lambda), -0.14);
  near(lim_couplings_effort(x.s, 3, &lambda), 7);
  near(lim_couplings_effort(x.s, 0, &lambda), 0);
  end(&x);
}

static void rounding_of_a_row_is_none(void **state) {
  (void)state;
  arm x = arm_of(LINKS "couplings: [{name: belt, joints: [a, b], ratio: 3}]\n");
  const double turned = 12345.6789, q[] = {turned, 3 * turned * (1 + 1e-15), 0, 0},
               off[] = {turned, 3 * turned * (1 + 1e-13), 0, 0};
  assert_true(q[1] != 3 * q[0]);
  assert_true(lim_coupling_evaluate(&x.s->coupling[0], q, NULL, NULL).value == 0);
  assert_true(lim_coupling_evaluate(&x.s->coupling[0], off, NULL, NULL).value != 0);
  end(&x);
}

// b = 2 a + 1, c = b - 3 x: whatever the order of the entries.
static void chains_are_solved_in_any_order(void **state) {
  (void)state;
  static const char *const TEXTS[] = {
      LINKS
      "couplings: [{name: one, joints: [a, b], ratio: 2, offset: 1}, {name: two, joints: [x, b, c], factors: "
      "[3 rad/m, -1, 1]}]\n",
      LINKS "couplings: [{name: two, joints: [x, b, c], factors: [3 rad/m, -1, 1]}, {name: one, joints: [a, "
            "b], ratio: "
            "2, offset: 1}]\n"};
  for (int i = 0; i < 2; i++) {
    arm x = arm_of(TEXTS[i]);
    const int any[] = {0, 0, 0, 0}, not_c[] = {0, 0, -1, 0};
    lim_coupling_form f;
    double q[] = {0.5, 9, 9, 0.1}, v[] = {0.5, 9, 9, 0.1};
    assert_true(lim_couplings_solve(&f, &x.arena, x.s, any));
    lim_couplings_follow(q, &f, x.s, false);
    near(q[1], 2);
    near(q[2], 1.7);
    assert_true(q[0] == 0.5 && q[3] == 0.1);
    lim_couplings_follow(v, &f, x.s, true);
    near(v[1], 1);
    near(v[2], 0.7);
    double held[] = {0, 0, 1.7, 0.1}; // a and b follow: b = c + 3 x, a = (b - 1)/2
    assert_true(lim_couplings_solve(&f, &x.arena, x.s, (const int[]){1, 1, -1, -1}));
    lim_couplings_follow(held, &f, x.s, false);
    near(held[1], 2);
    near(held[0], 0.5);
    assert_true(lim_couplings_solve(&f, &x.arena, x.s, not_c));
    assert_true(f.pivot[0] != 2 && f.pivot[1] != 2 && f.pivot[0] != f.pivot[1]);
    end(&x);
  }
}

static void a_row_that_follows_from_others_has_no_joint(void **state) {
  (void)state;
  arm x =
      arm_of(LINKS "couplings: [{name: one, joints: [a, b], ratio: 2}, {name: two, joints: [b, a], factors: "
                   "[0.3, -0.6], offset: 0.1}]\n");
  const int any[] = {0, 0, 0, 0}, none[] = {-1, -1, 0, 0};
  lim_coupling_form f;
  assert_true(lim_couplings_solve(&f, &x.arena, x.s, any));
  assert_int_equal(f.pivot[0], 1);
  assert_int_equal(f.pivot[1], -1);
  near(f.rest[1], 0.1); // what contradicts
  assert_true(lim_couplings_solve(&f, &x.arena, x.s, none));
  assert_int_equal(f.pivot[0], -1);
  end(&x);
}

static void the_joint_that_is_preferred_most_follows(void **state) {
  (void)state;
  arm x = arm_of(LINKS "couplings: [{name: sum, joints: [c, a, b], factors: [1, 1, 1]}]\n");
  lim_coupling_form f;
  assert_true(lim_couplings_solve(&f, &x.arena, x.s, (const int[]){0, 0, 0, 0}));
  assert_int_equal(f.pivot[0], 1); // the last in the coupling
  assert_true(lim_couplings_solve(&f, &x.arena, x.s, (const int[]){0, 0, 2, 0}));
  assert_int_equal(f.pivot[0], 2);
  assert_true(lim_couplings_solve(&f, &x.arena, x.s, (const int[]){0, -1, -1, 5}));
  assert_int_equal(f.pivot[0], 0);
  end(&x);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ratio_is_the_second_joint_less_ratio_times_the_first),
      cmocka_unit_test(rounding_of_a_row_is_none),
      cmocka_unit_test(chains_are_solved_in_any_order),
      cmocka_unit_test(a_row_that_follows_from_others_has_no_joint),
      cmocka_unit_test(the_joint_that_is_preferred_most_follows),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

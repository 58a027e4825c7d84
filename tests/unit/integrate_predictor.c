// integrate_predictor.c - accelerations guessed from those before.
#include "link_fixture.h" // NEAR

#include "integrate/predictor.h"

#include <string.h>

static const double EVEN[2] = {1, 1};

static lim_predictor made(lim_arena *arena) {
  lim_predictor p;
  assert_true(lim_predictor_allocate(&p, arena, 2));
  return p;
}

static void take(lim_predictor *p, double t, double x, double y) {
  lim_predictor_take(p, t, (const double[]){x, y}, EVEN);
}

static void parabola_at_uneven_times_goes_on(void **state) {
  (void)state;
  static const double times[] = {0, 0.1, 0.4, 0.5};
  lim_arena arena = {0};
  lim_predictor p = made(&arena);
  double guess[2];
  for (int i = 0; i < 4; i++) take(&p, times[i], 1 + times[i] * times[i], 3 - 2 * times[i]);
  assert_int_equal(p.order, 2);
  lim_predictor_guess(guess, &p, 0.8);
  NEAR(guess[0], 1.64, 1e-12);
  NEAR(guess[1], 1.4, 1e-12);
  lim_arena_free(&arena);
}

static void ringing_is_not_extrapolated(void **state) {
  (void)state;
  lim_arena arena = {0};
  lim_predictor p = made(&arena);
  for (int i = 0; i < 6; i++) take(&p, i, i % 2 ? 1 : -1, 0); // a parabola would miss by 8, the last value by 2
  assert_int_equal(p.order, 0);
  lim_arena_free(&arena);
}

static void rewinding_forgets_what_came_later(void **state) {
  (void)state;
  lim_arena arena = {0};
  lim_predictor p = made(&arena);
  double guess[2];
  for (int i = 0; i < 3; i++) take(&p, i, i, -i);
  take(&p, 3, 100, 100); // of a step that is taken anew
  lim_predictor_rewind(&p, 2);
  assert_int_equal(p.count, 2);
  lim_predictor_guess(guess, &p, 2);
  NEAR(guess[0], 2, 0);
  lim_predictor_rewind(&p, -1);
  assert_int_equal(p.count, 0);
  lim_arena_free(&arena);
}

static void nothing_is_known_after_a_jump(void **state) {
  (void)state;
  lim_arena arena = {0};
  lim_predictor p = made(&arena);
  double guess[2];
  for (int i = 0; i < 4; i++) take(&p, i, i, 0);
  lim_predictor_forget(&p);
  take(&p, 4, 7, 8);
  lim_predictor_guess(guess, &p, 5);
  NEAR(guess[0], 7, 0);
  NEAR(guess[1], 8, 0);
  lim_arena_free(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parabola_at_uneven_times_goes_on),
      cmocka_unit_test(ringing_is_not_extrapolated),
      cmocka_unit_test(rewinding_forgets_what_came_later),
      cmocka_unit_test(nothing_is_known_after_a_jump),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

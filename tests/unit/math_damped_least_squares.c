// math_damped_least_squares.c - linear least squares against LAPACK; Levenberg's method on problems whose
// answers are known.
#include "fixture.h"

#include "math/damped_least_squares.h"
#include "math/lapack.h"

enum { MOST = 8 };

// J of the given rank, n columns of `rows` entries: a product of random factors.
static void fill_rank(double *J, int rows, int n, int rank, unsigned *seed) {
  double left[MOST * MOST], right[MOST * MOST];
  fill(left, rows * rank, 1, seed);
  fill(right, rank * n, 1, seed);
  for (int k = 0; k < n; k++)
    for (int i = 0; i < rows; i++) {
      J[k * rows + i] = 0;
      for (int r = 0; r < rank; r++) J[k * rows + i] += left[i * rank + r] * right[r * n + k];
    }
}

static void compare_with_lapack(int rows, int n, int rank, unsigned *seed) {
  lim_arena arena = {0};
  lim_least_squares x;
  double b[MOST], B[MOST * MOST], C[MOST * MOST], y[MOST] = {0}, s[MOST], work[512];
  int found, pivot[MOST] = {0}, whole[8 * MOST];
  assert_true(lim_least_squares_allocate(&x, &arena, rows, n, 1e-9));
  fill_rank(x.J, rows, n, rank, seed);
  fill(b, rows, 1, seed);
  memcpy(B, x.J, (size_t)(rows * n) * sizeof *B);
  memcpy(C, x.J, (size_t)(rows * n) * sizeof *C);
  memcpy(y, b, (size_t)rows * sizeof *y);
  int tall = rows > n ? rows : n;
  assert_int_equal(lim_dgesdd('N', rows, n, C, rows, s, NULL, 1, NULL, 1, work, 512, whole), 0);
  assert_int_equal(lim_dgelsy(rows, n, 1, B, rows, y, tall, pivot, 1e-9, &found), 0);
  assert_int_equal(lim_least_squares_solve(&x, b), rank);
  assert_int_equal(found, rank);
  for (int k = 0; k < n; k++) assert_true(fabs(x.step[k] - y[k]) < 1e-12 * s[0] / s[rank - 1]);
  lim_arena_free(&arena);
}

static void solution_of_any_shape_and_rank_is_that_of_lapack(void **state) {
  (void)state;
  unsigned seed = 7;
  for (int rows = 1; rows <= MOST; rows++)
    for (int n = 1; n <= MOST; n++)
      for (int rank = 1; rank <= rows && rank <= n; rank++) compare_with_lapack(rows, n, rank, &seed);
}

static void fixed_unknowns_stay_zero(void **state) {
  (void)state;
  lim_arena arena = {0};
  lim_least_squares x;
  assert_true(lim_least_squares_allocate(&x, &arena, 1, 2, 1e-9));
  x.J[0] = 3;
  x.J[1] = 4;
  lim_least_squares_solve(&x, (double[]){5});
  assert_true(fabs(x.step[0] - 0.6) < 1e-15 && fabs(x.step[1] - 0.8) < 1e-15); // 5 (3, 4)/25
  x.fixed[1] = true;
  lim_least_squares_solve(&x, (double[]){5});
  assert_true(fabs(x.step[0] - 5.0 / 3) < 1e-15 && x.step[1] == 0);
  lim_arena_free(&arena);
}

// --- Levenberg's method ---

typedef struct {
  double x, y; // where two arms of 1 m shall put their tip
  int evaluations;
} reach;

static double arm_miss(void *of, double *e, const double *q) {
  reach *r = of;
  r->evaluations++;
  e[0] = r->x - cos(q[0]) - cos(q[0] + q[1]);
  e[1] = r->y - sin(q[0]) - sin(q[0] + q[1]);
  return e[0] * e[0] + e[1] * e[1];
}

static void arm_columns(void *of, double *J, const double *q) {
  (void)of;
  J[2] = -sin(q[0] + q[1]);
  J[3] = cos(q[0] + q[1]);
  J[0] = J[2] - sin(q[0]);
  J[1] = J[3] + cos(q[0]);
}

static double reach_from(double q[2], reach *r, const double *low, const double *high) {
  lim_arena arena = {0};
  lim_least_squares room;
  double left;
  const lim_least_squares_problem p = {.of = r,
                                       .miss = arm_miss,
                                       .columns = arm_columns,
                                       .low = low,
                                       .high = high,
                                       .leap = 0.3,
                                       .done = 1e-30,
                                       .rounding = 1e-22,
                                       .rounds = 100};
  assert_true(lim_least_squares_allocate(&room, &arena, 2, 2, 1e-9));
  lim_least_squares_reach(&left, &room, q, &p);
  lim_arena_free(&arena);
  return sqrt(left);
}

static void two_arms_reach_the_closed_form(void **state) {
  (void)state;
  unsigned seed = 3;
  for (int trial = 0; trial < 200; trial++) {
    double u[2], q[2] = {0.4, 0.9};
    fill(u, 2, 1, &seed);
    double size = 0.3 + 1.6 * fabs(u[0]), angle = 2 * u[1]; // inside the circle of 2 m
    reach r = {.x = size * cos(angle), .y = size * sin(angle)};
    assert_true(reach_from(q, &r, NULL, NULL) < 1e-14);
    assert_true(fabs(fabs(remainder(q[1], 2 * M_PI)) - acos(size * size / 2 - 1)) < 1e-12); // law of cosines
    assert_true(r.evaluations < 60);
  }
}

// Out of reach the arms stretch towards the goal; what is left is the distance to their circle.
static void goal_out_of_reach_stretches_the_arms(void **state) {
  (void)state;
  double q[2] = {0.4, 0.9};
  reach r = {.x = 1.8, .y = 2.4};
  assert_true(fabs(reach_from(q, &r, NULL, NULL) - 1) < 1e-6);
  assert_true(fabs(q[0] + q[1] / 2 - atan2(2.4, 1.8)) < 1e-2);
}

// The elbow may not bend beyond 1 rad: the tip comes as near as a rigid arm of that angle does.
static void unknown_at_its_limit_waits_there(void **state) {
  (void)state;
  const double low[2] = {-3, 0}, high[2] = {3, 1};
  double q[2] = {0.4, 0.9};
  reach r = {.x = 0.5, .y = 0.5};
  double left = reach_from(q, &r, low, high);
  assert_true(q[1] == 1);
  assert_true(fabs(left - (2 * cos(0.5) - sqrt(0.5))) < 1e-9);
}

// Where rounding is all that is left, a step that does not help is the last one.
static void search_ends_at_rounding(void **state) {
  (void)state;
  double q[2] = {0.4, 0.9};
  reach r = {.x = cos(q[0]) + cos(q[0] + q[1]) + 1e-17, .y = sin(q[0]) + sin(q[0] + q[1])};
  reach_from(q, &r, NULL, NULL);
  assert_true(r.evaluations <= 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(solution_of_any_shape_and_rank_is_that_of_lapack),
      cmocka_unit_test(fixed_unknowns_stay_zero),
      cmocka_unit_test(two_arms_reach_the_closed_form),
      cmocka_unit_test(goal_out_of_reach_stretches_the_arms),
      cmocka_unit_test(unknown_at_its_limit_waits_there),
      cmocka_unit_test(search_ends_at_rounding),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

// math_eigen.c - tests of the band matrices and of the lowest modes.
#include "verification/beam_fixture.h"

#include "kind_numbers.h"
#include "math/eigen/damped.h"

#include <string.h>

// --- band ---

enum { N = 7, WIDTH = 2 };

// Positive definite: 10 on the diagonal, 1 + (i + j)/10 beside it.
static lim_band sample(lim_arena *arena) {
  lim_band b = lim_band_new(arena, N, WIDTH);
  assert_non_null(b.a);
  for (int i = 0; i < N; i++)
    for (int j = 0; j <= i; j++)
      if (i - j <= WIDTH) lim_band_add(b, i, j, i == j ? 10 : 1 + 0.1 * (i + j));
  return b;
}

static void band_entries_are_symmetric_and_zero_outside(void **state) {
  (void)state;
  lim_arena arena = {0};
  lim_band b = sample(&arena);
  assert_true(lim_band_get(b, 3, 1) == 1.4 && lim_band_get(b, 1, 3) == 1.4);
  assert_true(lim_band_get(b, 0, 6) == 0);
  lim_band_add(b, 1, 3, 1);
  assert_true(lim_band_get(b, 3, 1) == 2.4);
  lim_arena_free(&arena);
}

static void band_product_matches_dense(void **state) {
  (void)state;
  lim_arena arena = {0};
  lim_band b = sample(&arena);
  double A[N * N], x[N], y[N], sum = 0;
  lim_band_dense(A, b);
  for (int i = 0; i < N; i++) x[i] = i * i - 3.0, y[i] = 1;
  lim_band_times(y, 2, b, x, -1);
  for (int i = 0; i < N; i++) {
    double want = -1;
    for (int j = 0; j < N; j++) want += 2 * A[N * i + j] * x[j], sum += x[i] * A[N * i + j] * y[j];
    assert_true(fabs(y[i] - want) <= 1e-12 * fabs(want));
  }
  assert_true(fabs(lim_band_product(b, x, y) - sum) < 1e-10 * fabs(sum));
  lim_arena_free(&arena);
}

static void band_tail_and_gather_are_submatrices(void **state) {
  (void)state;
  lim_arena arena = {0};
  lim_band b = sample(&arena), t = lim_band_tail(b, 3);
  const int index[] = {1, 2, 4};
  double A[9];
  lim_band_gather(A, b, index, 3);
  assert_int_equal(t.n, N - 3);
  for (int i = 0; i < t.n; i++)
    for (int j = 0; j < t.n; j++) assert_true(lim_band_get(t, i, j) == lim_band_get(b, i + 3, j + 3));
  for (int i = 0; i < 9; i++) assert_true(A[i] == lim_band_get(b, index[i / 3], index[i % 3]));
  lim_arena_free(&arena);
}

static void band_block_copy_and_sum_add_up(void **state) {
  (void)state;
  lim_arena arena = {0};
  lim_band b = sample(&arena), c = lim_band_new(&arena, N, WIDTH);
  const double block[4] = {1, 2, 2, 3};
  lim_band_copy(c, b);
  lim_band_sum(c, -1, b);
  lim_band_add_block(c, 4, block, 2);
  assert_true(lim_band_get(c, 4, 4) == 1 && lim_band_get(c, 4, 5) == 2 && lim_band_get(c, 5, 5) == 3);
  assert_true(lim_band_get(c, 2, 2) == 0);
  lim_band_zero(c);
  assert_true(lim_band_get(c, 5, 5) == 0);
  lim_arena_free(&arena);
}

static void band_solve_inverts_product(void **state) {
  (void)state;
  lim_arena arena = {0};
  lim_band b = sample(&arena), factor = lim_band_new(&arena, N, WIDTH);
  double x[N], y[2 * N];
  for (int i = 0; i < N; i++) x[i] = sin(i + 1.0);
  lim_band_times(y, 1, b, x, 0);
  for (int i = 0; i < N; i++) y[N + i] = 2 * y[i];
  lim_band_copy(factor, b);
  assert_int_equal(lim_band_factor(factor, NULL), LIM_OK);
  lim_band_solve(factor, y, 2);
  for (int i = 0; i < N; i++) assert_true(fabs(y[i] - x[i]) + fabs(y[N + i] - 2 * x[i]) < 1e-13);
  lim_arena_free(&arena);
}

static void band_factor_of_indefinite_matrix_fails(void **state) {
  (void)state;
  lim_arena arena = {0};
  lim_error err = {0};
  lim_band b = sample(&arena);
  lim_band_add(b, 4, 4, -20);
  assert_int_equal(lim_band_factor(b, &err), LIM_FAILED);
  assert_int_equal(err.count, 1);
  lim_error_clear(&err);
  lim_arena_free(&arena);
}

// --- eigen ---

static void modes_of_two_masses_match_closed_form(void **state) {
  (void)state;
  const double K[] = {2, -1, -1, 2}, M[] = {1, 0, 0, 1};
  double lambda[2], x[4];
  lim_eigen_count c;
  assert_int_equal(lim_eigen_lowest(lambda, x, &c, K, M, 2, 5, NULL), LIM_OK);
  assert_int_equal(c.found, 2);
  assert_int_equal(c.rigid, 0);
  assert_true(fabs(lambda[0] - 1) < 1e-14 && fabs(lambda[1] - 3) < 1e-14);
  assert_true(fabs(x[0] - x[1]) < 1e-14 && fabs(fabs(x[0]) - sqrt(0.5)) < 1e-14);
}

// omega 1 and 1e6, coupled: the lower lambda is 2 det/(trace + sqrt(trace^2 - 4 det)).
static void lowest_of_wide_spectrum_is_accurate(void **state) {
  (void)state;
  const double K[] = {1, 1e5, 1e5, 1e12}, M[] = {1, 0, 0, 1};
  double det = 1e12 - 1e10, trace = 1e12 + 1, root = sqrt(trace * trace - 4 * det), lambda[2];
  lim_eigen_count c;
  assert_int_equal(lim_eigen_lowest(lambda, NULL, &c, K, M, 2, 2, NULL), LIM_OK);
  assert_true(fabs(lambda[0] / (2 * det / (trace + root)) - 1) < 1e-14);
  assert_true(fabs(lambda[1] / ((trace + root) / 2) - 1) < 1e-9);
}

static void massless_coordinate_gives_no_mode(void **state) {
  (void)state;
  const double K[] = {5, -3, -3, 3}, M[] = {0, 0, 0, 2}; // ground -2- (massless) -3- mass 2
  double lambda[2];
  lim_eigen_count c;
  assert_int_equal(lim_eigen_lowest(lambda, NULL, &c, K, M, 2, 2, NULL), LIM_OK);
  assert_int_equal(c.found, 1);
  assert_true(fabs(lambda[0] - 1.2 / 2) < 1e-14);
}

static void free_masses_are_rigid(void **state) {
  (void)state;
  const double K[] = {1, -1, 0, -1, 1, 0, 0, 0, 0}, M[] = {1, 0, 0, 0, 1, 0, 0, 0, 1e-6};
  double lambda[3];
  lim_eigen_count c;
  assert_int_equal(lim_eigen_lowest(lambda, NULL, &c, K, M, 3, 3, NULL), LIM_OK);
  assert_int_equal(c.rigid, 2);
  assert_true(lambda[0] == 0 && lambda[1] == 0 && fabs(lambda[2] - 2) < 1e-13);
}

static void unstable_system_has_negative_lambda(void **state) {
  (void)state;
  const double K[] = {-4, 0, 0, 9}, M[] = {1, 0, 0, 1};
  double lambda[2];
  lim_eigen_count c;
  assert_int_equal(lim_eigen_lowest(lambda, NULL, &c, K, M, 2, 2, NULL), LIM_OK);
  assert_int_equal(c.rigid, 0);
  assert_true(fabs(lambda[0] + 4) < 1e-12 && fabs(lambda[1] - 9) < 1e-12);
}

static void motion_without_stiffness_and_mass_fails(void **state) {
  (void)state;
  const double K[] = {1, 0, 0, 0}, M[] = {1, 0, 0, 0}, bad[] = {NAN, 0, 0, 1};
  double lambda[2];
  lim_eigen_count c;
  lim_error err = {0};
  assert_int_equal(lim_eigen_lowest(lambda, NULL, &c, K, M, 2, 2, &err), LIM_FAILED);
  assert_int_equal(lim_eigen_lowest(lambda, NULL, &c, bad, M, 2, 2, &err), LIM_FAILED);
  assert_int_equal(lim_eigen_lowest(lambda, NULL, &c, K, bad, 2, 2, &err), LIM_FAILED);
  assert_int_equal(err.count, 3);
  assert_int_equal(c.found, 0);
  lim_error_clear(&err);
}

// All modes of a spatial beam.
typedef struct {
  int n;
  double *K, *M, *lambda, *x;
  lim_eigen_count count;
} spectrum;

static spectrum spectrum_of(const fixture *f, int clamped) {
  lim_mesh *mesh = fixture_mesh(f);
  spectrum s = {.n = mesh->ndof - clamped};
  s.K = fixture_zeros(s.n * s.n), s.M = fixture_zeros(s.n * s.n);
  s.x = fixture_zeros(s.n * s.n), s.lambda = fixture_zeros(s.n);
  lim_band_dense(s.K, lim_band_tail(mesh->K, clamped));
  lim_band_dense(s.M, lim_band_tail(mesh->M, clamped));
  assert_int_equal(lim_eigen_lowest(s.lambda, s.x, &s.count, s.K, s.M, s.n, s.n, NULL), LIM_OK);
  assert_int_equal(s.count.found, s.n);
  lim_mesh_free(mesh);
  return s;
}

static void spectrum_free(spectrum *s) {
  free(s->K);
  free(s->M);
  free(s->lambda);
  free(s->x);
}

// x_i' A x_j
static double product(const double *A, const double *x, int n, int i, int j) {
  double sum = 0;
  for (int a = 0; a < n; a++)
    for (int b = 0; b < n; b++) sum += x[i * n + a] * A[a * n + b] * x[j * n + b];
  return sum;
}

static void beam_modes_are_orthonormal_over_the_whole_spectrum(void **state) {
  (void)state;
  fixture f;
  fixture_init(&f, LIM_ELEMENT_timoshenko_cubic, 20);
  f.section[0].Iz = 1e-13; // a foil: frequencies from 0.3 to 3.5e5 rad/s
  spectrum s = spectrum_of(&f, 6);
  assert_true(s.lambda[s.n - 1] / s.lambda[0] > 1e12);
  for (int i = 0; i < s.n; i++)
    for (int j = 0; j <= i; j++) {
      double scale = sqrt(s.lambda[i] * s.lambda[j]);
      assert_true(fabs(product(s.M, s.x, s.n, i, j) - (i == j)) < 1e-9);
      assert_true(fabs(product(s.K, s.x, s.n, i, j) / scale - (i == j)) < 1e-9);
    }
  spectrum_free(&s);
}

// The softest plane alone (order 20 of 60) gives the same first frequency.
static void beam_lowest_mode_is_that_of_its_plane(void **state) {
  (void)state;
  fixture f;
  fixture_init(&f, LIM_ELEMENT_timoshenko_cubic, 10);
  lim_mesh *mesh = fixture_mesh(&f);
  double lambda;
  fixture_modes(&lambda, 1, mesh, mesh->K, mesh->M, CLAMPED_END, FREE_END);
  spectrum s = spectrum_of(&f, 6);
  assert_true(fabs(s.lambda[0] / lambda - 1) < 1e-11);
  spectrum_free(&s);
  lim_mesh_free(mesh);
}

static void free_beam_has_six_rigid_modes(void **state) {
  (void)state;
  for (int type = LIM_ELEMENT_timoshenko; type <= LIM_ELEMENT_euler_bernoulli; type++)
    for (int n = 1; n <= 64; n *= 4) {
      fixture f;
      fixture_init(&f, type, n);
      spectrum s = spectrum_of(&f, 0);
      assert_int_equal(s.count.rigid, 6);
      assert_true(s.lambda[5] == 0 && s.lambda[6] > 0);
      spectrum_free(&s);
    }
}

// Free-free Euler-Bernoulli: 22.3733 in omega L^2 sqrt(rho A/EI), lowered by rotary inertia of 1e-3.
static void free_beam_first_elastic_mode_matches_textbook(void **state) {
  (void)state;
  fixture f;
  fixture_init(&f, LIM_ELEMENT_euler_bernoulli, 16);
  spectrum s = spectrum_of(&f, 0);
  double scale = sqrt(70e9 * 1e-8 / (2700 * 350e-6));
  assert_true(fabs(sqrt(s.lambda[6]) / scale / 22.3733 - 1) < 2e-3);
  spectrum_free(&s);
}

// Two equal oscillators and a third, seen in coordinates in which a rotation mixes their two planes; perturbed
// by rounding, K has any mixture of the equal two as its modes.
static void equal_modes_are_settled_by_their_leading_coordinates(void **state) {
  (void)state;
  const double M[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  for (int kind = 0; kind < 8; kind++) {
    const double e = kind % 4 * 1e-15, sign = kind < 4 ? 1 : -1,
                 K[9] = {4, sign * e, 0, sign * e, 4 - e, 0, 0, 0, 9};
    for (int count = 1; count <= 3; count++) { // also where the count parts them
      double lambda[3], x[9];
      lim_eigen_count found;
      assert_int_equal(lim_eigen_lowest(lambda, x, &found, K, M, 3, count, NULL), LIM_OK);
      assert_int_equal(found.found, count);
      for (int i = 0; i < 3 * count; i++) assert_true(fabs(x[i] - (i % 4 == 0)) < 1e-12);
    }
  }
}

static void equal_damped_modes_have_coordinates_of_their_own_in_order(void **state) {
  (void)state;
  enum { COUNT = 4 };
  for (int kind = 0; kind < 8; kind++) {
    const double e = (kind % 4 - 1.5) * 1e-15, lambda[COUNT] = {4, 4 + e, 4 - e, 9};
    double C[COUNT * COUNT] = {0};
    for (int i = 0; i < COUNT; i++) C[i * (COUNT + 1)] = 0.1;
    if (kind < 4) C[1] = C[COUNT] = e;
    if (kind == 7) C[0] = 0.3; // damped otherwise, of the same frequency
    lim_damped mode[2 * COUNT];
    int found;
    assert_int_equal(lim_damped_modes(mode, &found, lambda, C, COUNT, NULL), LIM_OK);
    assert_int_equal(found, COUNT);
    for (int i = 0; i < COUNT; i++) assert_int_equal(mode[i].max, i);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(band_entries_are_symmetric_and_zero_outside),
      cmocka_unit_test(band_product_matches_dense),
      cmocka_unit_test(band_tail_and_gather_are_submatrices),
      cmocka_unit_test(band_block_copy_and_sum_add_up),
      cmocka_unit_test(band_solve_inverts_product),
      cmocka_unit_test(band_factor_of_indefinite_matrix_fails),
      cmocka_unit_test(modes_of_two_masses_match_closed_form),
      cmocka_unit_test(lowest_of_wide_spectrum_is_accurate),
      cmocka_unit_test(massless_coordinate_gives_no_mode),
      cmocka_unit_test(free_masses_are_rigid),
      cmocka_unit_test(unstable_system_has_negative_lambda),
      cmocka_unit_test(motion_without_stiffness_and_mass_fails),
      cmocka_unit_test(equal_modes_are_settled_by_their_leading_coordinates),
      cmocka_unit_test(equal_damped_modes_have_coordinates_of_their_own_in_order),
      cmocka_unit_test(beam_modes_are_orthonormal_over_the_whole_spectrum),
      cmocka_unit_test(beam_lowest_mode_is_that_of_its_plane),
      cmocka_unit_test(free_beam_has_six_rigid_modes),
      cmocka_unit_test(free_beam_first_elastic_mode_matches_textbook),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

// beam_element.c - tests of the element types and of the matrices common to them.
#include "kind_numbers.h"
#include "verification/beam_fixture.h"

#include <string.h>

enum { TYPES = LIM_ELEMENT_euler_bernoulli + 1 };

static const lim_section UNIFORM = {
    .shape = LIM_SECTION_general, .A = 350e-6, .Iy = 4e-8, .Iz = 1e-8, .J = 2e-8, .kappa = {0.88, 0.8}};
static const lim_section THICK = {.shape = LIM_SECTION_rectangle,
                                  .y = 0.04,
                                  .z = 0.06,
                                  .A = NAN,
                                  .Iy = NAN,
                                  .Iz = NAN,
                                  .J = NAN,
                                  .kappa = {NAN, NAN}};
static const lim_section THIN = {.shape = LIM_SECTION_rectangle,
                                 .y = 0.02,
                                 .z = 0.03,
                                 .A = NAN,
                                 .Iy = NAN,
                                 .Iz = NAN,
                                 .J = NAN,
                                 .kappa = {NAN, NAN}};

static lim_element sample(int type, const lim_section *from, const lim_section *to) {
  lim_element e = {.type = type, .L = 0.25, .E = 70e9, .G = 70e9 / 2.6, .nu = 0.3, .rho = 2700};
  e.from = from, e.to = to, e.f1 = 1;
  lim_element_prepare(&e);
  return e;
}

// Nodal displacements of the rigid motion number k: three translations, three rotations about node 1.
static void rigid(double u[12], double L, int k) {
  memset(u, 0, 12 * sizeof *u);
  u[k] = u[k + 6] = 1;
  if (k == 4) u[8] = -L;
  if (k == 5) u[7] = L;
}

static void times(double *y, const double *A, const double *x, int rows) {
  for (int i = 0; i < rows; i++) {
    y[i] = 0;
    for (int j = 0; j < 12; j++) y[i] += A[12 * i + j] * x[j];
  }
}

static double largest(const double *x, int n) {
  double max = 0;
  for (int i = 0; i < n; i++) max = fmax(max, fabs(x[i]));
  return max;
}

static void kinds_are_named_as_in_the_model_file(void **state) {
  (void)state;
  assert_string_equal(element_name(LIM_ELEMENT_timoshenko), "timoshenko");
  assert_string_equal(element_name(LIM_ELEMENT_timoshenko_exact), "timoshenko-exact");
  assert_string_equal(element_name(LIM_ELEMENT_timoshenko_cubic), "timoshenko-cubic");
  assert_string_equal(element_name(LIM_ELEMENT_euler_bernoulli), "euler-bernoulli");
}

static void interpolation_at_ends_gives_the_nodes(void **state) {
  (void)state;
  for (int type = 0; type < TYPES; type++) {
    lim_element e = sample(type, &UNIFORM, &UNIFORM);
    double u[12], d[6], N[72];
    for (int i = 0; i < 12; i++) u[i] = sin(1.0 + i);
    for (int end = 0; end < 2; end++) {
      lim_element_interpolation(N, &e, end);
      times(d, N, u, 6);
      for (int r = 0; r < 6; r++) assert_true(fabs(d[r] - u[6 * end + r]) < 1e-15);
    }
  }
}

static void rigid_motion_is_interpolated_exactly_without_strain(void **state) {
  (void)state;
  for (int type = 0; type < TYPES; type++)
    for (int k = 0; k < 6; k++) {
      lim_element e = sample(type, &THICK, &THIN);
      double u[12], d[6], want[6] = {0}, N[72], s = 0.3;
      rigid(u, e.L, k);
      want[k] = 1;
      if (k == 4) want[2] = -s * e.L;
      if (k == 5) want[1] = s * e.L;
      lim_element_interpolation(N, &e, s);
      times(d, N, u, 6);
      for (int r = 0; r < 6; r++) assert_true(fabs(d[r] - want[r]) < 1e-14);
      lim_element_strain(N, &e, s);
      times(d, N, u, 6);
      assert_true(largest(d, 6) < 1e-13);
    }
}

// ux', uy' - tz, uz' + ty, tx', ty', tz' by central differences of the interpolation
static void strain_is_the_derivative_of_the_interpolation(void **state) {
  (void)state;
  const double h = 1e-5, s = 0.37;
  for (int type = 0; type < TYPES; type++) {
    lim_element e = sample(type, &UNIFORM, &UNIFORM);
    double u[12], before[6], at[6], after[6], strain[6], A[72];
    for (int i = 0; i < 12; i++) u[i] = sin(1.0 + i);
    lim_element_interpolation(A, &e, s - h), times(before, A, u, 6);
    lim_element_interpolation(A, &e, s), times(at, A, u, 6);
    lim_element_interpolation(A, &e, s + h), times(after, A, u, 6);
    lim_element_strain(A, &e, s), times(strain, A, u, 6);
    for (int r = 0; r < 6; r++) {
      double slope = (after[r] - before[r]) / (2 * h * e.L);
      double want = r == 1 ? slope - at[5] : r == 2 ? slope + at[4] : slope;
      assert_true(fabs(strain[r] - want) < 1e-7);
    }
  }
}

static void stiffness_is_symmetric_and_blind_to_rigid_motion(void **state) {
  (void)state;
  for (int type = 0; type < TYPES; type++) {
    lim_element e = sample(type, &THICK, &THIN);
    double K[144], u[12], f[12];
    lim_element_stiffness(K, &e);
    double scale = largest(K, 144);
    for (int i = 0; i < 12; i++)
      for (int j = 0; j < 12; j++) assert_true(fabs(K[12 * i + j] - K[12 * j + i]) <= 1e-15 * scale);
    for (int k = 0; k < 6; k++) {
      rigid(u, e.L, k);
      times(f, K, u, 12);
      assert_true(largest(f, 12) < 1e-14 * scale);
    }
  }
}

static void planes_of_bending_are_mirror_images(void **state) {
  (void)state;
  lim_section round = UNIFORM;
  round.Iy = round.Iz, round.kappa[1] = round.kappa[0];
  for (int type = 0; type < TYPES; type++) {
    lim_element e = sample(type, &round, &round);
    double K[144];
    lim_element_stiffness(K, &e);
    assert_true(K[12 * 1 + 1] == K[12 * 2 + 2] && K[12 * 5 + 5] == K[12 * 4 + 4]);
    assert_true(K[12 * 1 + 5] == -K[12 * 2 + 4] && K[12 * 5 + 11] == K[12 * 4 + 10]);
  }
}

static void euler_bernoulli_is_cubic_without_shear(void **state) {
  (void)state;
  lim_section stiff = UNIFORM;
  stiff.kappa[0] = stiff.kappa[1] = 1e9;
  lim_element a = sample(LIM_ELEMENT_timoshenko_cubic, &stiff, &stiff),
              b = sample(LIM_ELEMENT_euler_bernoulli, &UNIFORM, &UNIFORM);
  double Ka[144], Kb[144];
  lim_element_stiffness(Ka, &a);
  lim_element_stiffness(Kb, &b);
  for (int i = 0; i < 144; i++) assert_true(fabs(Ka[i] - Kb[i]) <= 1e-8 * fabs(Kb[i]));
}

// (9)-(11): EI theta'' + kappa A G (v' - theta) = 0 at every place
static void cubic_shape_keeps_moment_equilibrium(void **state) {
  (void)state;
  const double L = 0.4, phi = 0.7, h = 1e-4;
  for (int k = 0; k < 5; k++) {
    double s = 0.1 + 0.2 * k;
    lim_bending a = lim_bending_cubic(s - h, L, phi), b = lim_bending_cubic(s + h, L, phi);
    lim_bending c = lim_bending_cubic(s, L, phi);
    for (int i = 0; i < 4; i++) {
      double second = (b.dtheta[i] - a.dtheta[i]) / (2 * h * L), shear = c.dv[i] - c.theta[i];
      assert_true(fabs(phi * L * L / 12 * second + shear) < 1e-9); // EI/(kappa A G) = phi L^2/12
    }
  }
}

static void mass_of_rigid_motion_is_that_of_the_body(void **state) {
  (void)state;
  for (int type = 0; type < TYPES; type++) {
    lim_element e = sample(type, &UNIFORM, &UNIFORM);
    double M[144], u[12], f[12], m = e.rho * UNIFORM.A * e.L;
    double want[6] = {m,
                      m,
                      m,
                      e.rho * 5e-8 * e.L,
                      m * e.L * e.L / 3 + e.rho * 4e-8 * e.L,
                      m * e.L * e.L / 3 + e.rho * 1e-8 * e.L};
    lim_element_mass(M, &e);
    for (int k = 0; k < 6; k++) {
      double energy = 0;
      rigid(u, e.L, k);
      times(f, M, u, 12);
      for (int i = 0; i < 12; i++) energy += u[i] * f[i];
      assert_true(fabs(energy / want[k] - 1) < 1e-13);
    }
  }
}

// Frustum of a pyramid: (A1 + sqrt(A1 A2) + A2) L/3
static void mass_of_tapered_element_is_that_of_the_frustum(void **state) {
  (void)state;
  lim_element e = sample(LIM_ELEMENT_timoshenko_cubic, &THICK, &THIN);
  double M[144], A1 = 0.04 * 0.06, A2 = 0.02 * 0.03;
  lim_element_mass(M, &e);
  double mass = M[0] + 2 * M[6] + M[12 * 6 + 6];
  assert_true(fabs(mass / (2700 * 0.25 * (A1 + sqrt(A1 * A2) + A2) / 3) - 1) < 1e-13);
}

// N/(30 L) [36, 3L, -36, 3L; 4L^2, -3L, -L^2; ...], the textbook matrix of the Hermite element
static void geometric_stiffness_matches_textbook(void **state) {
  (void)state;
  lim_element e = sample(LIM_ELEMENT_euler_bernoulli, &UNIFORM, &UNIFORM);
  double K[144], c = 1000 / (30 * e.L);
  lim_element_geometric(K, &e, (double[]){1000, 1000, 1000});
  assert_true(fabs(K[12 * 1 + 1] / (36 * c) - 1) < 1e-13 && fabs(K[12 * 2 + 2] / (36 * c) - 1) < 1e-13);
  assert_true(fabs(K[12 * 1 + 5] / (3 * c * e.L) - 1) < 1e-13 &&
              fabs(K[12 * 2 + 4] / (-3 * c * e.L) - 1) < 1e-13);
  assert_true(fabs(K[12 * 5 + 5] / (4 * c * e.L * e.L) - 1) < 1e-13);
  assert_true(fabs(K[12 * 5 + 11] / (-c * e.L * e.L) - 1) < 1e-13);
  assert_true(K[0] == 0);
}

// Under N = s^2 a linear element has slope (v2 - v1)/L: integral N/L^2 dx = 1/(3 L)
static void geometric_stiffness_integrates_quadratic_force(void **state) {
  (void)state;
  lim_element e = sample(LIM_ELEMENT_timoshenko, &UNIFORM, &UNIFORM);
  double K[144];
  lim_element_geometric(K, &e, (double[]){0, 0.25, 1});
  assert_true(fabs(K[12 * 1 + 1] * 3 * e.L - 1) < 1e-13);
}

static void load_of_hermite_element_matches_textbook(void **state) {
  (void)state;
  lim_element e = sample(LIM_ELEMENT_euler_bernoulli, &UNIFORM, &UNIFORM);
  double p[12], L = e.L;
  lim_element_load(p, &e, (double[]){2, 3, 5});
  double want[12] = {2 * L / 2, 3 * L / 2, 5 * L / 2, 0, -5 * L * L / 12, 3 * L * L / 12,
                     2 * L / 2, 3 * L / 2, 5 * L / 2, 0, 5 * L * L / 12,  -3 * L * L / 12};
  for (int i = 0; i < 12; i++) assert_true(fabs(p[i] - want[i]) < 1e-14);
}

// Up to the far end, force and moment of the body force are those of the consistent nodal forces.
static void body_force_resultant_is_that_of_the_mass_matrix(void **state) {
  (void)state;
  for (int type = 0; type < TYPES; type++) {
    lim_element e = sample(type, &UNIFORM, &UNIFORM);
    double M[144], a[12], p[12], r[6];
    for (int i = 0; i < 12; i++) a[i] = sin(1.0 + i);
    lim_element_mass(M, &e);
    times(p, M, a, 12);
    lim_element_body_force(r, &e, a, 1);
    double want[6] = {p[0] + p[6],
                      p[1] + p[7],
                      p[2] + p[8],
                      p[3] + p[9],
                      p[4] + p[10] + e.L * p[2],
                      p[5] + p[11] - e.L * p[1]};
    for (int k = 0; k < 6; k++) assert_true(fabs(r[k] - want[k]) < 1e-13);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kinds_are_named_as_in_the_model_file),
      cmocka_unit_test(interpolation_at_ends_gives_the_nodes),
      cmocka_unit_test(rigid_motion_is_interpolated_exactly_without_strain),
      cmocka_unit_test(strain_is_the_derivative_of_the_interpolation),
      cmocka_unit_test(stiffness_is_symmetric_and_blind_to_rigid_motion),
      cmocka_unit_test(planes_of_bending_are_mirror_images),
      cmocka_unit_test(euler_bernoulli_is_cubic_without_shear),
      cmocka_unit_test(cubic_shape_keeps_moment_equilibrium),
      cmocka_unit_test(mass_of_rigid_motion_is_that_of_the_body),
      cmocka_unit_test(mass_of_tapered_element_is_that_of_the_frustum),
      cmocka_unit_test(geometric_stiffness_matches_textbook),
      cmocka_unit_test(geometric_stiffness_integrates_quadratic_force),
      cmocka_unit_test(load_of_hermite_element_matches_textbook),
      cmocka_unit_test(body_force_resultant_is_that_of_the_mass_matrix),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

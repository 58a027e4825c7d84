// fe_strains.c - tests of strains of finite-element meshes: exact where elements are, zero under rigid motion.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fe_fixture.h"
#include "math/rotation.h"

#include <math.h>

static const double KAPPA = 0.7, NU = 0.3, T = 0.02;

// Strains at all vertices; freed by the caller.
static double *strains_of(lim_fe_surface *s, lim_arena *arena, const fe_block *b) {
  *arena = (lim_arena){0};
  assert_int_equal(lim_fe_surface_of(s, arena, &b->mesh, NULL), LIM_OK);
  double *strain = malloc(6 * (size_t)s->nvertex * sizeof *strain);
  assert_int_equal(lim_fe_surface_strains(strain, s, &b->mesh, b->u, NULL), LIM_OK);
  return strain;
}

static void assert_strain(const double *got, const double *expected, double within) {
  for (int i = 0; i < 6; i++)
    if (!(fabs(got[i] - expected[i]) < within))
      fail_msg("component %d: %.15g, expected %.15g", i, got[i], expected[i]);
}

// The same at all vertices, and in the middle of all elements on these sides.
static void assert_constant(const fe_block *b, const double *expected, int sides, double within) {
  lim_fe_surface s;
  lim_arena arena;
  double *strain = strains_of(&s, &arena, b), middle[6];
  for (int v = 0; v < s.nvertex; v++) assert_strain(strain + 6 * v, expected, within);
  for (int e = 0; e < b->mesh.nelement; e++)
    for (int side = -sides; side <= sides; side++) {
      assert_true(lim_fe_element_strain(middle, &b->mesh, e, side, b->u));
      assert_strain(middle, expected, within);
    }
  free(strain);
  lim_arena_free(&arena);
}

static void block_move(fe_block *b, void (*field)(double u[6], const double x[3])) {
  for (int k = 0; k < b->mesh.nnode; k++) field(b->u + 6 * k, b->mesh.X + 3 * k);
}

// --- fields ----------------------------------------------------------------------------------------------

static const double A[9] = {0.3, -0.2, 0.5, 0.1, -0.4, 0.7, 0.6, 0.9, 0.2};

static void linear(double u[6], const double x[3]) { lim_rotate(u, A, x); }

// Axes of a plate that is turned in space; the last is its normal.
static void plate_axes(double R[9]) { lim_rotation_axis(R, (double[]){0.6, 0, 0.8}, 1.1); }

static void plate_normal(double n[3]) {
  double R[9];
  plate_axes(R);
  lim_rotate(n, R, (double[]){0, 0, 1});
}

// theta x n = -grad(u . n) in the plane of the plate: normals stay normal.
static void linear_plate(double u[6], const double x[3]) {
  double n[3], w[3];
  plate_normal(n);
  linear(u, x);
  lim_rotate_back(w, A, n);
  lim_cross(u + 3, w, n);
}

static void rigid(double u[6], const double x[3]) {
  const double turn[3] = {0.4, -0.7, 0.2}, shift[3] = {3, -2, 5};
  lim_cross(u, turn, x);
  lim_add(u, 1, shift);
  memcpy(u + 3, turn, sizeof turn);
}

// Pure bending of a block about z: epsilon_xx = -kappa y, no stress across.
static void bending(double u[6], const double x[3]) {
  u[0] = -KAPPA * x[0] * x[1];
  u[1] = KAPPA * (x[0] * x[0] + NU * (x[1] * x[1] - x[2] * x[2])) / 2;
  u[2] = NU * KAPPA * x[1] * x[2];
}

static void bending_strain(double e[6], const double x[3]) {
  memset(e, 0, 6 * sizeof *e);
  e[0] = -KAPPA * x[1];
  e[1] = e[2] = NU * KAPPA * x[1];
}

// Of a plate in its own axes: w = kappa x^2/2, which turns by -kappa x about y.
static void plate_bending(double u[6], const double x[3]) {
  double R[9], own[3];
  plate_axes(R);
  lim_rotate_back(own, R, x);
  lim_rotate(u, R, (double[]){0, 0, KAPPA * own[0] * own[0] / 2});
  lim_rotate(u + 3, R, (double[]){0, -KAPPA * own[0], 0});
}

static void distort(double out[3], const double x[3]) {
  out[0] = x[0] + 0.06 * sin(3 * x[1] + x[2]);
  out[1] = 1.3 * x[1] + 0.05 * x[0] * x[2] + 0.04 * cos(4 * x[0]);
  out[2] = 0.8 * x[2] + 0.05 * sin(2 * x[0] * x[1]);
}

static void distort_plate(double out[3], const double x[3]) {
  double R[9], own[3];
  plate_axes(R);
  distort(own, x);
  own[2] = 0.3;
  lim_rotate(out, R, own);
}

// Symmetric, as strains are written; e = R e' R'.
static void to_file_axes(double out[6], const double own[6]) {
  const double e[9] = {own[0],     own[3] / 2, own[4] / 2, own[3] / 2, own[1],
                       own[5] / 2, own[4] / 2, own[5] / 2, own[2]};
  double R[9], Rt[9], half[9], full[9];
  plate_axes(R);
  for (int i = 0; i < 9; i++) Rt[i] = R[3 * (i % 3) + i / 3];
  lim_mat3_product(half, R, e);
  lim_mat3_product(full, half, Rt);
  memcpy(out, (double[]){full[0], full[4], full[8], 2 * full[1], 2 * full[2], 2 * full[5]}, 6 * sizeof *out);
}

// The strain of the linear field in the plate, without stress across.
static void linear_plate_strain(double out[6]) {
  double R[9], a[3][3], own[6] = {0};
  plate_axes(R);
  for (int j = 0; j < 2; j++) { // a_ij = r_i . A r_j
    double r[3], Ar[3];
    for (int i = 0; i < 3; i++) r[i] = R[3 * i + j];
    lim_rotate(Ar, A, r);
    lim_rotate_back(a[j], R, Ar);
  }
  own[0] = a[0][0];
  own[1] = a[1][1];
  own[2] = -NU / (1 - NU) * (own[0] + own[1]);
  own[3] = a[0][1] + a[1][0];
  to_file_axes(out, own);
}

// --- solids ----------------------------------------------------------------------------------------------

static void linear_field_gives_its_strain_in_distorted_solids_of_every_shape(void **state) {
  (void)state;
  const double e[6] = {A[0], A[4], A[8], A[1] + A[3], A[2] + A[6], A[5] + A[7]};
  for (int shape = 0; shape <= LIM_FE_HEX20; shape++) {
    fe_block b;
    block_new(&b, (lim_fe_shape)shape, 2);
    block_map(&b, distort);
    block_move(&b, linear);
    assert_constant(&b, e, 0, 1e-12);
    block_free(&b);
  }
}

static void rigid_motion_gives_no_strain_in_any_shape(void **state) {
  (void)state;
  for (int shape = 0; shape < LIM_FE_BEAM2; shape++) {
    const double none[6] = {0};
    const bool shell = lim_fe_shape_row_of((lim_fe_shape)shape)->dimension == 2;
    fe_block b;
    block_new(&b, (lim_fe_shape)shape, 2);
    block_map(&b, distort); // shells too are curved
    block_thickness(&b, T);
    block_move(&b, rigid);
    assert_constant(&b, none, shell, 1e-12);
    block_free(&b);
  }
}

static void bending_of_quadratic_solids_is_exact_at_the_surface(void **state) {
  (void)state;
  const lim_fe_shape quadratic[] = {LIM_FE_TET10, LIM_FE_WEDGE15, LIM_FE_HEX20};
  for (int k = 0; k < 3; k++) {
    fe_block b;
    lim_fe_surface s;
    lim_arena arena;
    block_new(&b, quadratic[k], 2);
    block_move(&b, bending);
    double *strain = strains_of(&s, &arena, &b), e[6];
    for (int v = 0; v < s.nvertex; v++) {
      bending_strain(e, b.mesh.X + 3 * s.vertex[v].node);
      assert_strain(strain + 6 * v, e, 1e-13);
    }
    free(strain);
    lim_arena_free(&arena);
    block_free(&b);
  }
}

// Why linear hexahedra have eight points: epsilon_xx of bending is exact with one element through the
// thickness, where the centre alone would give a mean. Their feigned shear, -kappa (x - x_centre), cancels
// between ends.
static void
bending_of_linear_hexahedra_is_exact_along_the_beam_and_free_of_shear_between_its_ends(void **state) {
  (void)state;
  fe_block b;
  lim_fe_surface s;
  lim_arena arena;
  block_new(&b, LIM_FE_HEX8, 4);
  block_move(&b, bending);
  double *strain = strains_of(&s, &arena, &b);
  for (int v = 0; v < s.nvertex; v++) {
    const double *x = b.mesh.X + 3 * s.vertex[v].node, end = x[0] == 0 ? 1 : x[0] == 1 ? -1 : 0;
    assert_true(fabs(strain[6 * v] + KAPPA * x[1]) < 1e-13);
    assert_true(fabs(strain[6 * v + 3] - KAPPA * end / 8) < 1e-13);
  }
  free(strain);
  lim_arena_free(&arena);
  block_free(&b);
}

// --- shells ----------------------------------------------------------------------------------------------

static void linear_field_gives_its_plane_strain_in_distorted_plates_of_every_shape(void **state) {
  (void)state;
  double e[6], stress[6], n[3], traction[3];
  linear_plate_strain(e);
  for (int shape = LIM_FE_TRI3; shape <= LIM_FE_QUAD8; shape++) {
    fe_block b;
    block_new(&b, (lim_fe_shape)shape, 2);
    block_map(&b, distort_plate);
    block_move(&b, linear_plate);
    assert_constant(&b, e, 0, 1e-12);
    block_thickness(&b, T);
    assert_constant(&b, e, 1, 1e-12);
    block_free(&b);
  }
  lim_fe_stress(stress, e, 1, NU); // nothing acts across
  plate_normal(n);
  const double S[9] = {stress[0], stress[3], stress[4], stress[3], stress[1],
                       stress[5], stress[4], stress[5], stress[2]};
  lim_rotate(traction, S, n);
  assert_true(sqrt(lim_dot(traction, traction)) < 1e-15);
}

static void bending_of_plates_gives_half_the_thickness_times_curvature_on_either_side(void **state) {
  (void)state;
  double n[3];
  plate_normal(n);
  for (int shape = LIM_FE_TRI3; shape <= LIM_FE_QUAD8; shape++) {
    fe_block b;
    lim_fe_surface s;
    lim_arena arena;
    block_new(&b, (lim_fe_shape)shape, 2);
    block_map(&b, distort_plate);
    block_thickness(&b, T);
    int *node = b.mesh.element_node, first = node[0],
        corners = lim_fe_shape_row_of((lim_fe_shape)shape)->corners;
    if (shape == LIM_FE_TRI3 || shape == LIM_FE_QUAD4) // one element is upside down
      node[0] = node[corners - 1], node[corners - 1] = first;
    if (shape == LIM_FE_QUAD4) first = node[1], node[1] = node[2], node[2] = first;
    block_move(&b, plate_bending);
    double *strain = strains_of(&s, &arena, &b), e[6];
    for (int v = 0; v < s.nvertex; v++) {
      const double xx = -KAPPA * lim_dot(s.vertex[v].offset, n);
      assert_true(fabs(fabs(xx) - KAPPA * T / 2) < 1e-15);
      to_file_axes(e, (double[]){xx, 0, -NU / (1 - NU) * xx, 0, 0, 0});
      assert_strain(strain + 6 * v, e, 1e-14);
    }
    assert_true(lim_fe_element_strain(e, &b.mesh, 0, 0, b.u));
    assert_strain(e, (double[6]){0}, 1e-14);
    free(strain);
    lim_arena_free(&arena);
    block_free(&b);
  }
}

static void strain_on_a_side_needs_a_thickness_and_an_element_that_is_no_beam(void **state) {
  (void)state;
  fe_block b;
  double e[6];
  block_new(&b, LIM_FE_QUAD4, 1);
  assert_true(lim_fe_element_strain(e, &b.mesh, 0, 0, b.u));
  assert_false(lim_fe_element_strain(e, &b.mesh, 0, 1, b.u));
  b.mesh.element[0].shape = LIM_FE_BEAM2;
  assert_false(lim_fe_element_strain(e, &b.mesh, 0, 0, b.u));
  lim_fe_surface s;
  lim_arena arena;
  double *strain = strains_of(&s, &arena, &b);
  assert_int_equal(s.nvertex, 2);
  for (int i = 0; i < 12; i++) assert_true(isnan(strain[i]));
  free(strain);
  lim_arena_free(&arena);
  block_free(&b);
}

// --- materials and stresses ------------------------------------------------------------------------------

static void stretch_in_two_halves(double u[6], const double x[3]) {
  memset(u, 0, 6 * sizeof *u);
  u[0] = (x[0] < 0.5 ? 0.1 : 0.3) * (x[0] - 0.5);
}

static void between_materials_the_first_gives_the_strain(void **state) {
  (void)state;
  fe_block b;
  lim_fe_surface s;
  lim_arena arena;
  block_new(&b, LIM_FE_HEX20, 2);
  for (int e = 0; e < b.mesh.nelement; e++) b.mesh.element[e].material = e % 2 ? 0 : 1;
  block_move(&b, stretch_in_two_halves);
  double *strain = strains_of(&s, &arena, &b);
  for (int v = 0; v < s.nvertex; v++) {
    const double x = b.mesh.X[3 * s.vertex[v].node];
    assert_int_equal(s.vertex[v].material, x < 0.5 ? 1 : x > 0.5 ? 0 : -1);
    assert_strain(strain + 6 * v, (double[]){x < 0.5 ? 0.1 : 0.3, 0, 0, 0, 0, 0}, 1e-14);
  }
  free(strain);
  lim_arena_free(&arena);
  block_free(&b);
}

static void stresses_and_von_mises_match_closed_forms(void **state) {
  (void)state;
  const double E = 2e11, e = 1e-3;
  double s[6];
  lim_fe_stress(s, (double[]){e, -NU * e, -NU * e, 0, 0, 0}, E, NU); // uniaxial
  assert_true(fabs(s[0] - E * e) < 1e-6 && fabs(s[1]) < 1e-6 && fabs(s[2]) < 1e-6);
  assert_true(fabs(lim_von_mises(s) - E * e) < 1e-6);
  for (int i = 3; i < 6; i++) { // pure shear
    double gamma[6] = {0};
    gamma[i] = e;
    lim_fe_stress(s, gamma, E, NU);
    assert_true(fabs(s[i] - E / 2.6 * e) < 1e-6);
    assert_true(fabs(lim_von_mises(s) - sqrt(3) * s[i]) < 1e-6);
  }
  lim_fe_stress(s, (double[]){e, e, e, 0, 0, 0}, E, NU); // pressure
  assert_true(fabs(s[0] - E * e / (1 - 2 * NU)) < 1e-6 && lim_von_mises(s) < 1e-6);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(linear_field_gives_its_strain_in_distorted_solids_of_every_shape),
      cmocka_unit_test(rigid_motion_gives_no_strain_in_any_shape),
      cmocka_unit_test(bending_of_quadratic_solids_is_exact_at_the_surface),
      cmocka_unit_test(bending_of_linear_hexahedra_is_exact_along_the_beam_and_free_of_shear_between_its_ends),
      cmocka_unit_test(linear_field_gives_its_plane_strain_in_distorted_plates_of_every_shape),
      cmocka_unit_test(bending_of_plates_gives_half_the_thickness_times_curvature_on_either_side),
      cmocka_unit_test(strain_on_a_side_needs_a_thickness_and_an_element_that_is_no_beam),
      cmocka_unit_test(between_materials_the_first_gives_the_strain),
      cmocka_unit_test(stresses_and_von_mises_match_closed_forms),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

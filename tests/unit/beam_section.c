// beam_section.c - constants of cross-sections against closed forms, tables and numerical integration.
#include "beam_section_fixture.h"

// --- areas, second moments, torsion constants ---

static void assert_integrals(lim_section s) {
  cloud *c = cloud_of(s);
  const lim_section_data d = data_of(s, 0.3);
  double A = 0, Iy = 0, Iz = 0;
  for (int i = 0; i < c->count; i++) {
    const sample p = c->at[i];
    A += p.w, Iy += p.w * p.z * p.z, Iz += p.w * p.y * p.y;
  }
  free(c);
  assert_near(d.A, A, 1e-12);
  assert_near(d.Iy, Iy, 1e-12);
  assert_near(d.Iz, Iz, 1e-12);
}

static void areas_match_integration(void **state) {
  (void)state;
  assert_integrals(rectangle(0.03, 0.07));
  assert_integrals(circle(0.05));
  assert_integrals(tube(0.1, 0.06));
  assert_integrals(box(0.1, 0.06, 0.008));
  assert_integrals(i_beam(0.2, 0.1, 0.0056, 0.0085));
}

static void i_beam_matches_ipe200_without_fillets(void **state) {
  (void)state;
  const lim_section_data d = data_of(i_beam(0.2, 0.1, 0.0056, 0.0085), 0.3);
  assert_near(d.A, 2724.8e-6, 1e-4);   // table of the rolled profile, r = 12 mm: 2848 mm^2
  assert_near(d.Iz, 18.458e-6, 1e-3);  //                                         19.43e6 mm^4
  assert_near(d.Iy, 1.41935e-6, 1e-3); //                                         1.424e6 mm^4
}

static void tube_100_94_matches_handbook(void **state) {
  (void)state;
  const lim_section_data d = data_of(tube(0.1, 0.094), 0.3);
  assert_near(d.A, 914.2e-6, 1e-4);
  assert_near(d.Iz, 1.0762e-6, 1e-4);
  assert_near(d.J, 2 * d.Iz, 1e-15);
  assert_near(d.kappa_y, 0.53, 0.01);
}

static void sizes_are_outer_sizes(void **state) {
  (void)state;
  assert_near(data_of(rectangle(0.03, 0.07), 0).y, 0.03, 1e-15);
  assert_near(data_of(rectangle(0.03, 0.07), 0).z, 0.07, 1e-15);
  assert_near(data_of(circle(0.05), 0).z, 0.05, 1e-15);
  assert_near(data_of(tube(0.1, 0.094), 0).y, 0.1, 1e-15);
  assert_near(data_of(box(0.1, 0.06, 0.004), 0).z, 0.06, 1e-15);
  assert_near(data_of(i_beam(0.2, 0.1, 0.0056, 0.0085), 0).y, 0.2, 1e-15);
}

static double torsion_coefficient(double ratio) { return data_of(rectangle(ratio, 1), 0).J / ratio; }

// Timoshenko and Goodier, Theory of Elasticity, article 109: J = k a b^3.
static void rectangle_torsion_matches_timoshenko_table(void **state) {
  (void)state;
  assert_near(torsion_coefficient(1), 0.140577, 1e-6);
  assert_near(torsion_coefficient(1.5), 0.196, 3e-3);
  assert_near(torsion_coefficient(2), 0.229, 2e-3);
  assert_near(torsion_coefficient(5), 0.291, 2e-3);
  assert_near(torsion_coefficient(10), 0.312, 2e-3);
  assert_near(torsion_coefficient(1e6), 1.0 / 3, 1e-6);
}

// The plain series of 1e5 terms, accurate to 1e-16.
static void rectangle_torsion_matches_plain_series(void **state) {
  (void)state;
  const double ratio[] = {1, 1.2, 3, 20};
  for (int i = 0; i < 4; i++) {
    double sum = 0;
    for (int n = 199999; n > 0; n -= 2) sum += tanh(n * M_PI * ratio[i] / 2) / pow(n, 5);
    assert_near(torsion_coefficient(ratio[i]), (1 - 192 / pow(M_PI, 5) / ratio[i] * sum) / 3, 1e-14);
  }
}

static void rectangle_torsion_is_symmetric(void **state) {
  (void)state;
  assert_near(data_of(rectangle(0.02, 0.07), 0).J, data_of(rectangle(0.07, 0.02), 0).J, 1e-15);
}

// Bredt for the box, the sum of strips for the i-beam.
static void thin_walled_torsion_matches_closed_form(void **state) {
  (void)state;
  assert_near(data_of(box(0.104, 0.104, 0.004), 0).J, 0.1 * 0.1 * 0.1 * 0.004, 1e-14);
  const double flanges = 2 * 0.1 * pow(0.0085, 3), web = 0.183 * pow(0.0056, 3);
  assert_near(data_of(i_beam(0.2, 0.1, 0.0056, 0.0085), 0).J, (flanges + web) / 3, 1e-14);
}

// --- shear factors ---

static void shear_factors_match_cowper_table(void **state) {
  (void)state;
  assert_near(data_of(circle(0.05), 0.3).kappa_y, 0.886, 1e-3);
  assert_near(data_of(circle(0.05), 0).kappa_y, 0.857, 1e-3);
  assert_near(data_of(rectangle(0.03, 0.07), 0.3).kappa_z, 0.850, 1e-3);
  assert_near(data_of(rectangle(0.03, 0.07), 0).kappa_z, 0.833, 1e-3);
  assert_near(data_of(tube(0.1, 0.0999999), 0.3).kappa_y, 0.531, 1e-3);
  assert_near(data_of(tube(0.1, 0.0999999), 0.3).kappa_y, 2 * 1.3 / 4.9, 1e-6);
  assert_near(data_of(box(0.1, 0.1, 0.002), 0.3).kappa_y, 20 * 1.3 / (48 + 39 * 0.3), 1e-14);
  assert_near(data_of(box(0.1, 0.1, 0.002), 0).kappa_z, 0.417, 1e-3);
}

static void tube_without_hole_is_circle(void **state) {
  (void)state;
  const lim_section_data t = data_of(tube(0.05, 0), 0.3), c = data_of(circle(0.05), 0.3);
  assert_near(t.A, c.A, 1e-15);
  assert_near(t.J, c.J, 1e-15);
  assert_near(t.kappa_y, c.kappa_y, 1e-15);
}

// Cowper's integral, solved by finite elements on the plane section (nu = 0.3, walls 1/100 of the depth).
static void thin_walled_shear_factors_match_finite_elements(void **state) {
  (void)state;
  assert_near(data_of(box(1.01, 0.51, 0.01), 0.3).kappa_y, 0.62984, 4e-3);
  assert_near(data_of(box(1.01, 1.01, 0.01), 0.3).kappa_y, 0.43774, 6e-3);
  assert_near(data_of(box(1.01, 2.01, 0.01), 0.3).kappa_y, 0.24261, 6e-3);
  assert_near(data_of(box(2.01, 1.01, 0.01), 0.3).kappa_z, 0.24261, 6e-3);
  assert_near(data_of(i_beam(1.01, 0.3, 0.006, 0.01), 0.3).kappa_y, 0.49695, 9e-3);
  assert_near(data_of(i_beam(1.01, 0.5, 0.006, 0.01), 0.3).kappa_y, 0.36685, 9e-3);
  assert_near(data_of(i_beam(1.01, 1, 0.006, 0.01), 0.3).kappa_y, 0.21446, 9e-3);
  assert_near(data_of(i_beam(1.01, 1, 0.006, 0.01), 0).kappa_z, 0.64371, 2e-3);
}

// Without flanges the i-beam is its web: the thin-walled factor becomes that of the rectangle.
static void i_beam_with_narrow_flanges_tends_to_rectangle(void **state) {
  (void)state;
  const double kappa = data_of(i_beam(0.2, 1e-6, 1e-6, 1e-9), 0.3).kappa_y;
  assert_near(kappa, data_of(rectangle(0.2, 1e-6), 0.3).kappa_y, 1e-4);
}

// --- given constants, taper ---

static void given_constants_win(void **state) {
  (void)state;
  lim_section s = rectangle(0.03, 0.07);
  s.A = 1, s.Iy = 2, s.Iz = 3, s.J = 4, s.kappa[0] = 0.5, s.kappa[1] = 0.6;
  const lim_section_data d = data_of(s, 0.3);
  assert_true(d.A == 1 && d.Iy == 2 && d.Iz == 3 && d.J == 4);
  assert_true(d.kappa_y == 0.5 && d.kappa_z == 0.6 && d.y == 0.03);
}

static void one_given_constant_leaves_the_others(void **state) {
  (void)state;
  lim_section s = circle(0.05);
  s.J = 1e-9;
  const lim_section_data d = data_of(s, 0.3), plain = data_of(circle(0.05), 0.3);
  assert_true(d.J == 1e-9 && d.A == plain.A && d.Iz == plain.Iz && d.kappa_z == plain.kappa_z);
}

static void single_kappa_holds_for_both_directions(void **state) {
  (void)state;
  lim_section s = circle(0.05);
  s.kappa[0] = 0.7;
  assert_true(data_of(s, 0.3).kappa_y == 0.7 && data_of(s, 0.3).kappa_z == 0.7);
}

static void general_section_has_defaults(void **state) {
  (void)state;
  const lim_section_data d = data_of(general(1e-3, 2e-6, 3e-6), 0.3);
  assert_true(d.A == 1e-3 && d.Iy == 2e-6 && d.Iz == 3e-6 && d.y == 0 && d.z == 0);
  assert_near(d.J, 5e-6, 1e-15);
  assert_near(d.kappa_y, 5.0 / 6, 1e-15);
}

static void taper_interpolates_dimensions(void **state) {
  (void)state;
  const lim_section a = rectangle(0.08, 0.04), b = rectangle(0.04, 0.02);
  const lim_section_data d = lim_section_between(&a, &b, 0.25, 0.3), e = data_of(rectangle(0.07, 0.035), 0.3);
  assert_near(d.A, e.A, 1e-14);
  assert_near(d.Iz, e.Iz, 1e-14);
  assert_near(d.J, e.J, 1e-14);
  assert_near(lim_section_between(&a, &b, 1, 0.3).Iy, data_of(b, 0.3).Iy, 1e-14);
}

static void taper_of_every_shape_meets_its_ends(void **state) {
  (void)state;
  const lim_section ends[][2] = {{circle(0.05), circle(0.02)},
                                 {tube(0.1, 0.09), tube(0.05, 0.03)},
                                 {box(0.1, 0.06, 0.008), box(0.05, 0.04, 0.002)},
                                 {i_beam(0.2, 0.1, 0.006, 0.008), i_beam(0.1, 0.05, 0.004, 0.005)},
                                 {general(1e-3, 2e-6, 3e-6), general(2e-3, 4e-6, 5e-6)}};
  for (int i = 0; i < 5; i++) {
    const lim_section *a = &ends[i][0], *b = &ends[i][1];
    assert_near(lim_section_between(a, b, 0, 0.3).Iz, data_of(*a, 0.3).Iz, 1e-14);
    assert_near(lim_section_between(a, b, 1, 0.3).J, data_of(*b, 0.3).J, 1e-14);
    assert_near(lim_section_between(a, b, 1, 0.3).kappa_y, data_of(*b, 0.3).kappa_y, 1e-14);
  }
}

static void taper_interpolates_given_constants(void **state) {
  (void)state;
  lim_section a = general(1e-3, 2e-6, 3e-6), b = general(2e-3, 4e-6, 5e-6);
  a.J = 1e-6; // the other end derives 9e-6
  const lim_section_data d = lim_section_between(&a, &b, 0.5, 0.3);
  assert_near(d.A, 1.5e-3, 1e-14);
  assert_near(d.Iz, 4e-6, 1e-14);
  assert_near(d.J, 5e-6, 1e-14);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(areas_match_integration),
      cmocka_unit_test(i_beam_matches_ipe200_without_fillets),
      cmocka_unit_test(tube_100_94_matches_handbook),
      cmocka_unit_test(sizes_are_outer_sizes),
      cmocka_unit_test(rectangle_torsion_matches_timoshenko_table),
      cmocka_unit_test(rectangle_torsion_matches_plain_series),
      cmocka_unit_test(rectangle_torsion_is_symmetric),
      cmocka_unit_test(thin_walled_torsion_matches_closed_form),
      cmocka_unit_test(shear_factors_match_cowper_table),
      cmocka_unit_test(tube_without_hole_is_circle),
      cmocka_unit_test(thin_walled_shear_factors_match_finite_elements),
      cmocka_unit_test(i_beam_with_narrow_flanges_tends_to_rectangle),
      cmocka_unit_test(given_constants_win),
      cmocka_unit_test(one_given_constant_leaves_the_others),
      cmocka_unit_test(single_kappa_holds_for_both_directions),
      cmocka_unit_test(general_section_has_defaults),
      cmocka_unit_test(taper_interpolates_dimensions),
      cmocka_unit_test(taper_of_every_shape_meets_its_ends),
      cmocka_unit_test(taper_interpolates_given_constants),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

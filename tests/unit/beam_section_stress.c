// beam_section_stress.c - stresses of cross-sections against closed forms, tables, resultants and equilibrium.
#include "beam_section_fixture.h"

static lim_stress stress_of(lim_section s, lim_section_force f, double y, double z) {
  return lim_section_stress(&s, &s, 0, 0.3, f, y, z);
}

static double mises_of(lim_section s, lim_section_force f) { return lim_section_mises(&s, &s, 0, 0.3, f); }

// What the stresses under f add up to.
static lim_section_force resultants(lim_section s, lim_section_force f) {
  cloud *c = cloud_of(s);
  lim_section_force r = {0};
  for (int i = 0; i < c->count; i++) {
    const sample p = c->at[i];
    const lim_stress t = stress_of(s, f, p.y, p.z);
    r.N += p.w * t.xx;
    r.Vy += p.w * t.xy;
    r.Vz += p.w * t.xz;
    r.T += p.w * (p.y * t.xz - p.z * t.xy);
    r.My += p.w * p.z * t.xx;
    r.Mz -= p.w * p.y * t.xx;
  }
  free(c);
  return r;
}

static const lim_section_force ALL = {.N = 700, .Vy = 300, .Vz = -200, .T = 11, .My = 17, .Mz = -23};

static void assert_resultants(lim_section s, double torque, double tolerance) {
  const lim_section_force r = resultants(s, ALL);
  assert_near(r.N, ALL.N, 1e-10);
  assert_near(r.Vy, ALL.Vy, 1e-10);
  assert_near(r.Vz, ALL.Vz, 1e-10);
  assert_near(r.My, ALL.My, 1e-10);
  assert_near(r.Mz, ALL.Mz, 1e-10);
  assert_near(r.T, torque, tolerance);
}

// --- stresses ---

static void normal_stress_follows_sign_convention(void **state) {
  (void)state;
  const lim_section s = rectangle(0.04, 0.02);
  const lim_section_data d = data_of(s, 0.3);
  assert_near(stress_of(s, (lim_section_force){.N = 100}, 0.01, 0.01).xx, 100 / d.A, 1e-14);
  assert_near(stress_of(s, (lim_section_force){.Mz = 5}, 0.02, 0).xx, -5 * 0.02 / d.Iz, 1e-14);
  assert_near(stress_of(s, (lim_section_force){.My = 5}, 0, 0.01).xx, 5 * 0.01 / d.Iy, 1e-14);
}

static void stresses_of_solid_sections_add_up_to_the_forces(void **state) {
  (void)state;
  assert_resultants(rectangle(0.03, 0.07), ALL.T, 1e-4);
  assert_resultants(rectangle(0.03, 0.03), ALL.T, 1e-4);
  assert_resultants(rectangle(0.07, 0.01), ALL.T, 1e-4);
  assert_resultants(circle(0.05), ALL.T, 1e-10);
  assert_resultants(tube(0.1, 0.06), ALL.T, 1e-10);
  assert_resultants(tube(0.1, 0.098), ALL.T, 1e-10);
}

// Bredt's flow lies on the centre line: exact as the wall vanishes.
static void stresses_of_box_add_up_to_the_forces(void **state) {
  (void)state;
  assert_resultants(box(0.1, 0.06, 0.004), ALL.T, 0.03);
  assert_resultants(box(0.1, 0.06, 0.0004), ALL.T, 0.003);
}

// The stress along a strip carries half its torque; the other half comes from its ends, which (S26) leaves out.
static void stresses_of_i_beam_add_up_to_the_forces_and_half_the_torque(void **state) {
  (void)state;
  assert_resultants(i_beam(0.2, 0.1, 0.0056, 0.0085), ALL.T / 2, 1e-9);
}

// (S17), by central differences.
static void assert_equilibrium(lim_section s, double y, double z) {
  const lim_section_data d = data_of(s, 0.3);
  const double h = 1e-6;
  const double dy = stress_of(s, ALL, y + h, z).xy - stress_of(s, ALL, y - h, z).xy;
  const double dz = stress_of(s, ALL, y, z + h).xz - stress_of(s, ALL, y, z - h).xz;
  assert_near((dy + dz) / (2 * h), -(ALL.Vy * y / d.Iz + ALL.Vz * z / d.Iy), 1e-6);
}

static void solid_sections_are_in_local_equilibrium(void **state) {
  (void)state;
  assert_equilibrium(rectangle(0.03, 0.07), 0.004, 0.02);
  assert_equilibrium(rectangle(0.07, 0.03), -0.03, 0.002);
  assert_equilibrium(circle(0.05), 0.011, -0.007);
  assert_equilibrium(tube(0.1, 0.06), 0.011, 0.034);
}

static void round_sections_have_no_shear_across_their_rims(void **state) {
  (void)state;
  const lim_section s = tube(0.1, 0.06);
  for (int i = 0; i < 8; i++) {
    const double r = i % 2 ? 0.05 : 0.03, c = cos(i), q = sin(i);
    const lim_stress t = stress_of(s, ALL, r * c, r * q);
    assert_near((t.xy * c + t.xz * q) / hypot(t.xy, t.xz), 0, 1e-12);
  }
}

static void transverse_shear_matches_jourawski(void **state) {
  (void)state;
  const lim_section_force f = {.Vy = 1000};
  const double A = data_of(circle(0.05), 0.3).A;
  assert_near(stress_of(rectangle(0.04, 0.02), f, 0, 0.003).xy, 1.5 * 1000 / (0.04 * 0.02), 1e-14);
  assert_near(stress_of(circle(0.05), f, 0, 0).xy, 4.0 / 3 * 1000 / A, 1e-14);
  const lim_section_data t = data_of(tube(0.1, 0.0999), 0.3);
  assert_near(stress_of(tube(0.1, 0.0999), f, 0, 0.05).xy, 2 * 1000 / t.A, 2e-3);
}

static void webs_and_flanges_match_thin_wall_flow(void **state) {
  (void)state;
  const lim_section s = i_beam(0.2, 0.1, 0.0056, 0.0085);
  const lim_section_data d = data_of(s, 0.3);
  const lim_section_force f = {.Vy = 1000};
  const double Q = 0.1 * 0.0085 * 0.09575 + 0.0056 * 0.0915 * 0.0915 / 2;
  assert_near(stress_of(s, f, 0, 0).xy, 1000 * Q / (d.Iz * 0.0056), 1e-12);
  assert_near(stress_of(s, f, 0.097, 0.02).xz, 1000 * 0.09575 * 0.03 / d.Iz, 1e-12);
  const lim_section b = box(0.1, 0.06, 0.004);
  assert_near(stress_of(b, f, 0.048, 0.02).xz, -1000 * 0.048 * 0.02 / data_of(b, 0.3).Iz, 1e-12);
  assert_near(stress_of(b, f, 0.05, 0.03).xz, 0, 1e-6);
}

// Timoshenko and Goodier, article 109: tau = T / (k1 a b^2) at the middle of the long side, and its ratio to
// that at the middle of the short one (Roark).
static void rectangle_torsion_stress_matches_table(void **state) {
  (void)state;
  const double table[][2] = {{1, 0.208}, {1.5, 0.231}, {2, 0.246}, {5, 0.291}, {10, 0.312}};
  const lim_section_force f = {.T = 1};
  for (int i = 0; i < 5; i++) {
    const double a = table[i][0];
    const double tall = stress_of(rectangle(a, 1), f, 0, 0.5).xy,
                 wide = stress_of(rectangle(1, a), f, 0.5, 0).xz;
    assert_near(-tall * a, 1 / table[i][1], 3e-3);
    assert_near(wide, -tall, 1e-8);
  }
  const lim_section two = rectangle(2, 1);
  assert_near(stress_of(two, f, 1, 0).xz / -stress_of(two, f, 0, 0.5).xy, 0.796, 2e-3);
  assert_near(stress_of(rectangle(1, 1), f, 0.5, 0).xz, -stress_of(rectangle(1, 1), f, 0, 0.5).xy, 1e-7);
}

static void rectangle_torsion_stress_vanishes_at_corners(void **state) {
  (void)state;
  const lim_stress t = stress_of(rectangle(0.03, 0.02), (lim_section_force){.T = 1}, 0.015, -0.01);
  assert_true(t.xy == 0 && t.xz == 0);
}

static void torsion_stress_of_walls_matches_closed_form(void **state) {
  (void)state;
  const lim_section_force f = {.T = 10};
  const lim_section b = box(0.1, 0.06, 0.004), i = i_beam(0.2, 0.1, 0.0056, 0.0085), t = tube(0.1, 0.06);
  assert_near(stress_of(b, f, 0.05, 0).xz, 10 / (2 * 0.096 * 0.056 * 0.004), 1e-12);
  assert_near(stress_of(b, f, 0, 0.03).xy, -10 / (2 * 0.096 * 0.056 * 0.004), 1e-12);
  assert_near(stress_of(i, f, 0.1, 0.02).xz, 10 * 0.0085 / data_of(i, 0.3).J, 1e-12);
  assert_near(stress_of(i, f, 0, 0.0028).xy, -10 * 0.0056 / data_of(i, 0.3).J, 1e-12);
  assert_near(stress_of(t, f, 0, 0.05).xy, -10 * 0.05 / data_of(t, 0.3).J, 1e-12);
}

static void general_stress_needs_no_outline(void **state) {
  (void)state;
  const lim_section s = general(1e-3, 2e-6, 3e-6);
  const lim_stress t = stress_of(s, ALL, 0.02, 0.01);
  assert_near(t.xx, 700 / 1e-3 + 23 * 0.02 / 3e-6 + 17 * 0.01 / 2e-6, 1e-12);
  assert_near(t.xy, 300 / (5.0 / 6 * 1e-3) - 11 * 0.01 / 5e-6, 1e-12);
  assert_near(t.xz, -200 / (5.0 / 6 * 1e-3) + 11 * 0.02 / 5e-6, 1e-12);
}

static lim_section any_section(int i) {
  lim_section g = general(1e-3, 2e-6, 3e-6);
  g.y = 0.1, g.z = 0.08;
  const lim_section all[] = {rectangle(0.03, 0.07),
                             circle(0.05),
                             tube(0.1, 0.094),
                             box(0.1, 0.06, 0.002),
                             i_beam(0.2, 0.1, 0.0056, 0.0085),
                             g,
                             tube(0.05, 0)};
  return all[i];
}
enum { SECTIONS = 7 };

static void stress_is_finite_everywhere(void **state) {
  (void)state;
  for (int n = 0; n < SECTIONS * 21 * 21; n++) {
    const double y = 0.02 * (n % 21 - 10), z = 0.02 * (n / 21 % 21 - 10);
    const lim_stress t = stress_of(any_section(n / 441), ALL, y, z);
    assert_true(isfinite(t.xx) && isfinite(t.xy) && isfinite(t.xz));
  }
}

// --- largest von Mises stress ---

static void mises_of_uniaxial_and_shear(void **state) {
  (void)state;
  assert_near(lim_stress_mises((lim_stress){.xx = -3}), 3, 1e-15);
  assert_near(lim_stress_mises((lim_stress){.xy = 3, .xz = -4}), 5 * sqrt(3), 1e-15);
}

// Tip force P on a cantilever of length L: at the root M = P L, V = P.
static void slender_cantilever_mises_is_m_c_over_i(void **state) {
  (void)state;
  const double P = 50, L = 3;
  for (int i = 0; i < SECTIONS; i++) {
    const lim_section s = any_section(i);
    const lim_section_data d = data_of(s, 0.3);
    assert_near(mises_of(s, (lim_section_force){.Vy = -P, .Mz = -P * L}), P * L * d.y / 2 / d.Iz, 1e-14);
    assert_near(mises_of(s, (lim_section_force){.Vz = P, .My = -P * L}), P * L * d.z / 2 / d.Iy, 1e-14);
  }
}

static void round_mises_follows_resultant_moment(void **state) {
  (void)state;
  const lim_section s = tube(0.1, 0.094);
  const double I = data_of(s, 0.3).Iz;
  assert_near(mises_of(s, (lim_section_force){.My = 30, .Mz = 40}), 50 * 0.05 / I, 1e-14);
}

static void mises_of_shaft_combines_bending_and_torsion(void **state) {
  (void)state;
  const lim_section s = circle(0.05);
  const lim_section_data d = data_of(s, 0.3);
  const double sigma = 40 * 0.025 / d.Iz, tau = 60 * 0.025 / d.J;
  assert_near(mises_of(s, (lim_section_force){.T = 60, .Mz = 40}), sqrt(sigma * sigma + 3 * tau * tau), 1e-14);
}

// No sampled point of the material exceeds the critical points. Bending with shear is allowed a little, since
// the flow of a flange is paired with the bending stress of its centre line, not of its outer face.
static void critical_points_bound_the_section(void **state) {
  (void)state;
  const lim_section_force cases[] = {
      {.N = 1000}, {.Vy = 100}, {.Vz = 100}, {.T = 10}, {.My = 10}, {.Mz = 10}, {.Vy = 100, .Mz = -200}};
  for (int n = 0; n < 5 * 7; n++) {
    const lim_section s = any_section(n / 7);
    const double bound = mises_of(s, cases[n % 7]) * (1 + (n % 7 == 6 ? 1e-3 : 1e-6));
    cloud *c = cloud_of(s);
    for (int i = 0; i < c->count; i += 7)
      assert_true(lim_stress_mises(stress_of(s, cases[n % 7], c->at[i].y, c->at[i].z)) <= bound);
    free(c);
  }
}

static void general_mises_without_outline_is_nan(void **state) {
  (void)state;
  lim_section s = general(1e-3, 2e-6, 3e-6);
  assert_true(isnan(mises_of(s, ALL)));
  s.y = 0.1;
  assert_true(isnan(mises_of(s, ALL)));
  s.z = 0.08;
  assert_true(isfinite(mises_of(s, ALL)));
}

static void mises_passes_nan_forces_on(void **state) {
  (void)state;
  assert_true(isnan(mises_of(box(0.1, 0.06, 0.004), (lim_section_force){.Vz = NAN})));
}

// A section made ready gives what the sum over its points gives anew for every force, also between two
// sections.
static void assert_ready_mises_is_the_same(lim_section a, lim_section b) {
  const lim_section_force forces[] = {
      ALL, {.T = 5}, {.Vy = -40, .T = -3, .Mz = 2}, {.Vz = 9, .My = -4}, {.N = -100, .T = 1}, {0}};
  lim_arena arena = {0};
  lim_critical_section c;
  assert_true(lim_critical_section_start(&c, &arena, &a, &b, 0.3, 0.3));
  for (size_t i = 0; i < sizeof forces / sizeof *forces; i++) {
    const double direct = lim_section_mises(&a, &b, 0.3, 0.3, forces[i]);
    assert_near(lim_critical_section_mises(&c, forces[i]), direct, 1e-12);
  }
  assert_true(isnan(lim_critical_section_mises(&c, (lim_section_force){.Vz = NAN})));
  lim_arena_free(&arena);
}

static void section_made_ready_gives_the_same_mises(void **state) {
  (void)state;
  assert_ready_mises_is_the_same(rectangle(0.02, 0.05), rectangle(0.04, 0.03));
  assert_ready_mises_is_the_same(circle(0.04), circle(0.03));
  assert_ready_mises_is_the_same(tube(0.05, 0.04), tube(0.04, 0.03));
  assert_ready_mises_is_the_same(box(0.1, 0.06, 0.004), box(0.08, 0.05, 0.003));
  assert_ready_mises_is_the_same(i_beam(0.1, 0.06, 0.005, 0.008), i_beam(0.08, 0.05, 0.004, 0.006));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(normal_stress_follows_sign_convention),
      cmocka_unit_test(stresses_of_solid_sections_add_up_to_the_forces),
      cmocka_unit_test(stresses_of_box_add_up_to_the_forces),
      cmocka_unit_test(stresses_of_i_beam_add_up_to_the_forces_and_half_the_torque),
      cmocka_unit_test(solid_sections_are_in_local_equilibrium),
      cmocka_unit_test(round_sections_have_no_shear_across_their_rims),
      cmocka_unit_test(transverse_shear_matches_jourawski),
      cmocka_unit_test(webs_and_flanges_match_thin_wall_flow),
      cmocka_unit_test(rectangle_torsion_stress_matches_table),
      cmocka_unit_test(rectangle_torsion_stress_vanishes_at_corners),
      cmocka_unit_test(torsion_stress_of_walls_matches_closed_form),
      cmocka_unit_test(general_stress_needs_no_outline),
      cmocka_unit_test(stress_is_finite_everywhere),
      cmocka_unit_test(mises_of_uniaxial_and_shear),
      cmocka_unit_test(slender_cantilever_mises_is_m_c_over_i),
      cmocka_unit_test(round_mises_follows_resultant_moment),
      cmocka_unit_test(mises_of_shaft_combines_bending_and_torsion),
      cmocka_unit_test(critical_points_bound_the_section),
      cmocka_unit_test(general_mises_without_outline_is_nan),
      cmocka_unit_test(mises_passes_nan_forces_on),
      cmocka_unit_test(section_made_ready_gives_the_same_mises),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

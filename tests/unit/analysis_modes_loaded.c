// analysis_modes_loaded.c - tests of modes under dampers, weight, spin and forces that follow.
#include "analysis_modes_fixture.h"

// --- damping ---

static void ratio_damps_every_mode_of_the_bare_clamped_link(void **state) {
  (void)state;
  vibes v = vibes_of(ARM "    damping: {ratio: 0.03}\n", LIM_JOINTS_DEFAULT, 18),
        plain = vibes_of(ARM, LIM_JOINTS_DEFAULT, 18);
  for (int i = 0; i < 18; i++) {
    NEAR(v.m->modes.item[i].damping, 0.03, 1e-9);
    NEAR(hertz(v, i), hertz(plain, i), 1e-9);
    assert_true(plain.m->modes.item[i].damping == 0);
  }
  vibes_free(v);
  vibes_free(plain);
}

// One mode of the bare link with a payload: the damper 2 zeta m w stays, w falls by sqrt(m/(m + payload)).
static void ratio_of_the_link_damps_less_with_a_payload(void **state) {
  (void)state;
  const char *basis = "    basis: {type: modes, count: 1}\n";
  char text[1000];
  snprintf(text, sizeof text, ARM "%s    damping: {ratio: 0.03}\n", basis);
  vibes bare = vibes_of(text, LIM_JOINTS_DEFAULT, 1);
  snprintf(text, sizeof text, ARM PAYLOAD "%s    damping: {ratio: 0.03}\n", basis);
  vibes laden = vibes_of(text, LIM_JOINTS_DEFAULT, 1);
  NEAR(laden.m->modes.item[0].damping, 0.03 * hertz(laden, 0) / hertz(bare, 0), 1e-9);
  vibes_free(bare);
  vibes_free(laden);
}

static void ratio_of_the_arm_damps_every_mode_with_its_payload(void **state) {
  (void)state;
  vibes v = vibes_of(ARM PAYLOAD "damping: {ratio: 0.03}\n", LIM_JOINTS_DEFAULT, 18);
  for (int i = 0; i < v.m->modes.count; i++) NEAR(v.m->modes.item[i].damping, 0.03, 1e-8);
  vibes_free(v);
}

static void rayleigh_damping_follows_its_formula(void **state) {
  (void)state;
  vibes v = vibes_of(ARM "    damping: {mass: 3, stiffness: 1e-5}\n", LIM_JOINTS_DEFAULT, 5);
  for (int i = 0; i < 5; i++) {
    double omega = 2 * M_PI * hertz(v, i);
    NEAR(v.m->modes.item[i].damping, 3 / (2 * omega) + 1e-5 * omega / 2, 1e-9);
  }
  vibes_free(v);
}

static void stiffness_damping_holds_for_a_free_joint_too(void **state) {
  (void)state;
  vibes v = vibes_of(HEAD "links:\n  - name: arm\n    " BEAM "\n    damping: {stiffness: 1e-5}\n" PAYLOAD,
                     LIM_JOINTS_FREE, 4);
  assert_int_equal(v.m->rigid, 1);
  for (int i = 0; i < 4; i++) NEAR(v.m->modes.item[i].damping, 1e-5 * M_PI * hertz(v, i), 1e-9);
  vibes_free(v);
}

static void damping_of_a_rigid_basis_is_no_damping(void **state) {
  (void)state;
  vibes v =
      vibes_of(HEAD "links:\n  - name: arm\n    " BEAM "\n    basis: {type: rigid}\n    damping: {ratio: 0.1}\n"
                    "drives: {arm: {type: servo, stiffness: 10}}\n",
               LIM_JOINTS_DEFAULT, 4);
  assert_int_equal(v.m->modes.count, 1);
  assert_true(v.m->modes.item[0].damping == 0);
  NEAR(hertz(v, 0), sqrt(10 / (RHO * A * L * L * L / 3 + RHO * IZ * L)) / (2 * M_PI), 1e-9);
  vibes_free(v);
}

// J q'' + d q' + k q = 0: omega = sqrt(k/J), zeta = d/(2 sqrt(J k)); beyond critical damping no frequency but
// the time constants J (zeta +- sqrt(zeta^2 - 1)) omega/k, the slower first.
static void servo_on_a_rigid_link_matches_one_freedom(void **state) {
  (void)state;
  for (double d = 1; d < 2000; d *= 7) {
    char text[500];
    snprintf(text, sizeof text,
             "limber: 1\nlinks:\n  - name: arm\n    body: {mass: 3, com: [0.2, 0, 0], inertia: [1, 1, 2]}\n"
             "drives: {arm: {type: servo, stiffness: 500, damping: %g}}\n",
             d);
    vibes v = vibes_of(text, LIM_JOINTS_DEFAULT, 4);
    double inertia = 2 + 3 * 0.2 * 0.2, omega = sqrt(500 / inertia), zeta = d / (2 * sqrt(500 * inertia));
    assert_int_equal(v.m->modes.count, zeta < 1);
    assert_int_equal(v.m->overdamped.count, zeta < 1 ? 0 : 2);
    if (zeta < 1) {
      NEAR(hertz(v, 0), omega / (2 * M_PI), 1e-9);
      NEAR(v.m->modes.item[0].damping, zeta, 1e-9);
      assert_string_equal(v.m->modes.item[0].kind, "joint");
    }
    for (int i = 0; i < v.m->overdamped.count; i++) {
      NEAR(v.m->overdamped.item[i].time_constant, (zeta + (i ? -1 : 1) * sqrt(zeta * zeta - 1)) / omega, 1e-9);
      assert_string_equal(v.m->overdamped.item[i].kind, "joint");
    }
    vibes_free(v);
  }
}

// High modes under damping in proportion to stiffness: zeta = b omega/2 > 1, and 1/tau = omega (zeta +- ...).
static void overdamped_bending_is_listed_by_time_constants(void **state) {
  (void)state;
  double b = 2e-3;
  vibes free_of = vibes_of(ARM, LIM_JOINTS_LOCKED, 8);
  vibes v = vibes_of(ARM "    damping: {stiffness: 2e-3}\n", LIM_JOINTS_LOCKED, 8);
  int swing = 0, decays = 0;
  for (int i = 0; i < free_of.m->modes.count; i++) {
    double omega = 2 * M_PI * hertz(free_of, i), zeta = b * omega / 2;
    if (zeta < 1) {
      NEAR(hertz(v, swing), hertz(free_of, i), 1e-7);
      NEAR(v.m->modes.item[swing++].damping, zeta, 1e-7);
      continue;
    }
    double slow = (zeta + sqrt(zeta * zeta - 1)) / omega, nearest = INFINITY;
    for (int k = 0; k < v.m->overdamped.count; k++)
      nearest = fmin(nearest, fabs(v.m->overdamped.item[k].time_constant / slow - 1));
    decays++;
    assert_true(nearest < 1e-7);
  }
  assert_int_equal(v.m->modes.count, swing);
  assert_int_equal(v.m->overdamped.count, 2 * decays);
  assert_true(swing >= 1 && decays >= 2);
  for (int k = 1; k < v.m->overdamped.count; k++)
    assert_true(v.m->overdamped.item[k].time_constant <= v.m->overdamped.item[k - 1].time_constant);
  vibes_free(free_of);
  vibes_free(v);
}

static void design_rule_of_the_servo_is_critical(void **state) {
  (void)state;
  vibes v = vibes_of("limber: 1\nlinks:\n  - name: arm\n    body: {mass: 0, inertia: [0, 0, 2]}\n"
                     "drives: {arm: {type: servo, frequency: 3.8 Hz, inertia: 2}}\n",
                     LIM_JOINTS_DEFAULT, 4);
  NEAR(hertz(v, 0), 1.9, 1e-9); // half the structural frequency
  NEAR(v.m->modes.item[0].damping, 1, 1e-7);
  vibes_free(v);
}

// --- about equilibrium ---

#define EARTH(g) "limber: 1\ngravity: " g "\n"
#define AT_REST  "solver: {start: equilibrium}\n"

// Compound pendulum: omega^2 = m g (L/2)/I, I = m L^2/3 and the rotary inertia of the sections.
static void hanging_rod_swings_as_a_compound_pendulum(void **state) {
  (void)state;
  const char *kinds[] = {"rho: 2000}}\n", "rho: 2000}}\n"}, *moduli[] = {"70 GPa", "7e17 Pa"};
  double m = RHO * A * L, omega = sqrt(m * 9.81 * L / 2 / (m * L * L / 3 + RHO * IZ * L));
  for (int i = 0; i < 2; i++) { // rigid by its basis, or so stiff that it does not matter
    char text[1000];
    snprintf(text, sizeof text,
             EARTH("[0, -9.81, 0]") "materials: {m: {E: %s, nu: 0.25, %s" SECTION
                                    "links:\n  - name: arm\n    " BEAM
                                    "\n    basis: {type: %s}\nconfiguration: {arm: -90 deg}\n" AT_REST,
             moduli[i], kinds[i], i ? "full" : "rigid");
    vibes v = vibes_of(text, LIM_JOINTS_DEFAULT, 1);
    assert_int_equal(v.m->rigid + v.m->unstable, 0);
    NEAR(hertz(v, 0), omega / (2 * M_PI), 1e-9);
    NEAR(hertz(v, 0), sqrt(3 * 9.81 / (2 * L)) / (2 * M_PI), 1e-3);
    vibes_free(v);
  }
}

// A level rod sags, so that its centre lies below the joint.
static void standing_rod_is_unstable_and_a_sagging_one_is_not(void **state) {
  (void)state;
  const struct {
    const char *angle;
    int rigid, unstable;
  } rows[] = {{"90 deg", 0, 1}, {"0 deg", 0, 0}, {"180 deg", 0, 0}, {"20 deg", 0, 1}, {"-20 deg", 0, 0}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[1000];
    snprintf(text, sizeof text,
             EARTH("[0, -9.81, 0]") MATERIAL SECTION "links:\n  - name: arm\n    " BEAM
                                                     "\nconfiguration: {arm: %s}\n" AT_REST,
             rows[i].angle);
    vibes v = vibes_of(text, LIM_JOINTS_DEFAULT, 3);
    assert_int_equal(v.m->rigid, rows[i].rigid);
    assert_int_equal(v.m->unstable, rows[i].unstable);
    assert_int_equal(v.m->modes.count, 3);
    vibes_free(v);
  }
}

static void undeformed_start_ignores_gravity(void **state) {
  (void)state;
  const char *solver[] = {"", "solver: {start: undeformed}\n"};
  for (int i = 0; i < 2; i++) {
    char text[1000];
    snprintf(text, sizeof text,
             EARTH("[0, -9.81, 0]") MATERIAL SECTION "links: [{name: arm, " BEAM
                                                     "}]\nconfiguration: {arm: -90 deg}\n%s",
             solver[i]);
    vibes v = vibes_of(text, LIM_JOINTS_DEFAULT, 3);
    assert_int_equal(v.m->rigid, 1);
    vibes_free(v);
  }
}

// A pendulum swings without stiffening, too; a string is none.
static void stiffening_off_leaves_axial_forces_out(void **state) {
  (void)state;
  const char *off[] = {"on", "off"};
  double f[2];
  for (int i = 0; i < 2; i++) {
    char text[1000];
    snprintf(text, sizeof text,
             RIBBON "loads: [{at: tip, force: [50, 0, 0]}]\nsolver: {start: equilibrium, stiffening: %s}\n",
             off[i]);
    vibes v = vibes_of(text, LIM_JOINTS_LOCKED, 1);
    f[i] = hertz(v, 0);
    vibes_free(v);
    v = vibes_of(text, LIM_JOINTS_FREE, 1);
    assert_int_equal(v.m->rigid, 0);
    vibes_free(v);
  }
  NEAR(f[1], hertz_of_root(1.87510407), 1e-6);
  assert_true(f[0] > 2 * f[1]);
}

// About the unit axis n, a force F at r has the stiffness F.r - (F.n)(n.r).
static void rigid_body_swings_about_a_skew_axis(void **state) {
  (void)state;
  vibes v = vibes_of(
      EARTH("[10, 0, 0]") "links:\n  - name: arm\n    joint: {axis: [1, 1, 0]}\n"
                          "    body: {mass: 2, com: [0.5, 0, 0], inertia: [0.01, 0.1, 0.1], tip: [1, 0, 0]}\n"
                          "    masses: [{at: tip, mass: 1}]\nloads: [{at: tip, force: [4, 0, 0]}]\n" AT_REST,
      LIM_JOINTS_DEFAULT, 1);
  double k = (20 * 0.5 + 10 * 1 + 4 * 1) / 2, inertia = (0.01 + 0.1) / 2 + (2 * 0.25 + 1) / 2;
  NEAR(hertz(v, 0), sqrt(k / inertia) / (2 * M_PI), 1e-9);
  vibes_free(v);
}

// The same pendulum as a stiff beam with a payload off its axis, and as a rigid body.
static void stiff_link_swings_as_the_rigid_body_it_is(void **state) {
  (void)state;
  const char *axes[] = {"[0, 0, 1]", "[0, 1, 0]", "[1, 0, 0]", "[1, 2, -3]"};
  for (int i = 0; i < 4; i++) {
    char text[1000], load[300];
    snprintf(load, sizeof load,
             "    joint: {axis: %s, origin: {rpy: [0.3, 1.2, 0.5]}}\n"
             "    masses: [{at: tip, mass: 2, xyz: [0.1, 0.2, -0.3], inertia: [0.01, 0.02, 0.03]}]\n"
             "frames: [{name: eye, on: arm, at: tip, xyz: [0, 0.1, 0]}]\nloads: [{at: eye, force: [3, 4, "
             "-5]}]\n" AT_REST,
             axes[i]);
    snprintf(text, sizeof text,
             EARTH("[0, 0, -9.81]") "materials: {m: {E: 7e18, nu: 0.25, rho: 0}}\n" SECTION
                                    "links:\n  - name: arm\n    " BEAM "\n%s",
             load);
    vibes beam = vibes_of(text, LIM_JOINTS_DEFAULT, 1);
    snprintf(text, sizeof text,
             EARTH("[0, 0, -9.81]") "links:\n  - name: arm\n    body: {mass: 0, tip: [0.5, 0, 0]}\n%s", load);
    vibes body = vibes_of(text, LIM_JOINTS_DEFAULT, 1);
    assert_int_equal(body.m->rigid, 0);
    assert_int_equal(beam.m->unstable, body.m->unstable);
    if (!body.m->unstable) NEAR(hertz(beam, 0), hertz(body, 0), 1e-9);
    vibes_free(beam);
    vibes_free(body);
  }
}

// A column under a dead tip load buckles at P = EI (pi/2L)^2: stable just below, unstable just above.
static void column_is_unstable_beyond_eulers_load(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    char text[1000];
    snprintf(text, sizeof text, RIBBON "loads: [{at: tip, force: [%.12g, 0, 0]}]\n" AT_REST,
             -EI * pow(M_PI / (2 * L), 2) * (i ? 1.00001 : 0.99999));
    vibes v = vibes_of(text, LIM_JOINTS_LOCKED, 2);
    assert_int_equal(v.m->unstable, i);
    assert_int_equal(v.m->rigid, 0);
    vibes_free(v);
  }
}

// Beyond its third buckling load a column has three modes that bend away, and still all that were asked for.
static void modes_beside_unstable_ones_are_all_listed(void **state) {
  (void)state;
  char text[1000];
  snprintf(text, sizeof text, RIBBON "loads: [{at: tip, force: [%.12g, 0, 0]}]\n" AT_REST,
           -EI * pow(M_PI / L, 2) * 7);
  vibes v = vibes_of(text, LIM_JOINTS_LOCKED, 3);
  assert_int_equal(v.m->unstable, 3); // (k - 1/2)^2 pi^2 < 7 pi^2 for k = 1, 2, 3
  assert_int_equal(v.m->modes.count, 3);
  vibes_free(v);
}

// --- spin and forces that follow ---

// Wright, Smith, Thresher, Wang 1982: clamped-free, spinning at W sqrt(rho A L^4/EI) about the root, bending
// out of the plane of rotation. Within the plane omega^2 is less by W^2.
static void spinning_beam_matches_wrights_table(void **state) {
  (void)state;
  const double rows[][2] = {{1, 3.6816}, {4, 5.5850}, {12, 13.1702}};
  double unit = sqrt(EI / RHO_A) / (L * L);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 4; k++) { // about the undeformed link, or stretched; as one segment, or as five
      char text[1000];
      snprintf(
          text, sizeof text,
          "limber: 1\ngravity: [3, 0, 0]\n" MATERIAL
          "sections: {s: {shape: general, A: 1e-2, Iy: 1e-12, Iz: 1e-12, J: 1e-2}}\nlinks:\n  - name: arm\n"
          "    beam: {length: 0.5, section: s, material: m, elements: 40, element: euler-bernoulli, segments: "
          "%d}\n"
          "configuration: {arm: {velocity: %.12g}}\n%s",
          k % 2 ? 5 : 1, rows[i][0] * unit, k / 2 ? "gravity: [0, 0, 0]\n" AT_REST : "");
      char *gravity =
          k / 2 ? strstr(text, "gravity: [3, 0, 0]\n") : NULL; // loads count about the equilibrium only
      if (gravity) memmove(gravity, gravity + 19, strlen(gravity + 19) + 1);
      vibes v = vibes_of(text, LIM_JOINTS_LOCKED, 2);
      double flap = 2 * M_PI * hertz(v, 1) / unit, lag = 2 * M_PI * hertz(v, 0) / unit;
      NEAR(flap, rows[i][1], 3e-5);
      NEAR(sqrt(flap * flap - rows[i][0] * rows[i][0]), lag, 1e-5);
      assert_int_equal(v.m->rigid + v.m->unstable, 0);
      assert_true(v.m->modes.item[0].damping == 0);
      vibes_free(v);
    }
}

// Beck: a column under a tip force that follows it does not buckle but flutters, at 20.0509 EI/L^2.
static void column_under_a_following_force_flutters_at_becks_load(void **state) {
  (void)state;
  const double load[] = {-15, -20.04, -20.06};
  for (int i = 0; i < 3; i++) {
    char text[1000];
    snprintf(text, sizeof text, RIBBON "loads: [{at: tip, force: [%.12g, 0, 0], axes: link}]\n" AT_REST,
             load[i] * EI / (L * L));
    vibes v = vibes_of(text, LIM_JOINTS_LOCKED, 2);
    assert_int_equal(v.m->unstable, i == 2);
    assert_int_equal(v.m->rigid, 0);
    vibes_free(v);
  }
}

// A wire of 0.5 m that sags by a tenth of its length: iteration with the elastic stiffness runs away there, and
// what it leaves is no equilibrium.
static void sagging_wire_bends(void **state) {
  (void)state;
  static const char *const kinds[] = {"bending z", "bending y", "bending y", "bending z"};
  for (int segments = 1; segments <= 4; segments += 3) {
    char text[500];
    snprintf(text, sizeof text,
             EARTH("[0, -9.81, 0]") "materials: {steel: {E: 200 GPa, rho: 7850, nu: 0.3}}\n"
                                    "sections: {wire: {shape: circle, diameter: 1 mm}}\n"
                                    "links:\n  - name: wire\n    joint: {type: fixed}\n"
                                    "    beam: {material: steel, section: wire, length: 0.5, segments: %d}\n"
                                    "solver: {start: equilibrium}\n",
             segments);
    vibes v = vibes_of(text, LIM_JOINTS_DEFAULT, 4);
    assert_int_equal(v.m->modes.count, 4);
    for (int i = 0; i < 4; i++) {
      int k = segments == 1 && i < 2 ? 1 - i : i; // one segment does not stiffen as it sags
      assert_string_equal(v.m->modes.item[i].kind, kinds[k]);
      NEAR(hertz(v, i), i < 2 ? 2.825 : 17.70, 0.01);
    }
    vibes_free(v);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ratio_damps_every_mode_of_the_bare_clamped_link),
      cmocka_unit_test(ratio_of_the_link_damps_less_with_a_payload),
      cmocka_unit_test(ratio_of_the_arm_damps_every_mode_with_its_payload),
      cmocka_unit_test(rayleigh_damping_follows_its_formula),
      cmocka_unit_test(stiffness_damping_holds_for_a_free_joint_too),
      cmocka_unit_test(damping_of_a_rigid_basis_is_no_damping),
      cmocka_unit_test(servo_on_a_rigid_link_matches_one_freedom),
      cmocka_unit_test(overdamped_bending_is_listed_by_time_constants),
      cmocka_unit_test(design_rule_of_the_servo_is_critical),
      cmocka_unit_test(hanging_rod_swings_as_a_compound_pendulum),
      cmocka_unit_test(standing_rod_is_unstable_and_a_sagging_one_is_not),
      cmocka_unit_test(undeformed_start_ignores_gravity),
      cmocka_unit_test(stiffening_off_leaves_axial_forces_out),
      cmocka_unit_test(rigid_body_swings_about_a_skew_axis),
      cmocka_unit_test(stiff_link_swings_as_the_rigid_body_it_is),
      cmocka_unit_test(column_is_unstable_beyond_eulers_load),
      cmocka_unit_test(modes_beside_unstable_ones_are_all_listed),
      cmocka_unit_test(spinning_beam_matches_wrights_table),
      cmocka_unit_test(column_under_a_following_force_flutters_at_becks_load),
      cmocka_unit_test(sagging_wire_bends),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

// analysis_static_forces.c - tests of static: what joints, sections and links carry, from text to answer.
#include "analysis_fixture.h"

// --- joints and what they carry ---

// "Positive effort acts on the link": it balances the load about the joint's axis, whatever the axis' sense.
static void effort_acts_on_the_link(void **state) {
  (void)state;
  const char *axes[] = {"[0, 0, 1]", "[0, 0, -1]", "[0, 0, 5]"};
  const double effort[] = {-10 * 0.5, 10 * 0.5, -10 * 0.5};
  for (int i = 0; i < 3; i++) {
    char text[1000];
    snprintf(text, sizeof text, ARM "    joint: {axis: %s}\nloads: [{at: tip, force: [0, 10, 0]}]\n", axes[i]);
    rest r = rest_of(text);
    NEAR(r.s->joints.item[0].effort, effort[i], TIGHT);
    NEAR3(r.s->joints.item[0].force, 0, -10, 0);
    NEAR3(r.s->joints.item[0].moment, 0, 0, -10 * L);
    rest_free(r);
  }
}

static void prismatic_effort_is_a_force(void **state) {
  (void)state;
  rest r = rest_of(ARM "    joint: {type: prismatic, axis: [1, 0, 0]}\nconfiguration: {arm: 200 mm}\n"
                       "loads: [{at: tip, force: [10, 4, 0]}]\n");
  NEAR(r.s->joints.item[0].effort, -10, TIGHT);
  NEAR(frame_of(r, "arm.base")->position[0], 0.2, TIGHT);
  rest_free(r);
}

static void fixed_and_free_joints_have_no_effort(void **state) {
  (void)state;
  const char *types[] = {"fixed", "free"};
  for (int i = 0; i < 2; i++) {
    char text[1000];
    snprintf(text, sizeof text,
             HEAD "links:\n  - name: arm\n    joint: {type: %s}\n    " BEAM "\n"
                  "loads: [{at: tip, force: [0, 10, 0]}]\nsolver: {geometry: linear}\n%s",
             types[i],
             i ? "bushings: [{name: b, between: [arm.base, base], stiffness: [1e9, 1e3, 1e9, 1e9, 1e9, 200]}]\n"
               : "");
    rest r = rest_of(text);
    assert_true(r.s->joints.item[0].effort == 0);
    if (i) // a free joint transmits nothing, the bushing yields
      NEAR3(r.s->joints.item[0].moment, 0, 0, 0);
    else
      NEAR3(r.s->joints.item[0].moment, 0, 0, -10 * L);
    const double yields = i ? 10 / 1e3 + 10 * L * L / 200 : 0;
    NEAR3(frame_of(r, "tip")->displacement, 0, 10 * L * L * L / (3 * E * IZ) + 10 * L / SHEAR_Y + yields, 0);
    rest_free(r);
  }
}

#define SERVO(type, axis)                                                                                      \
  HEAD "links:\n  - name: arm\n    joint: {type: " type ", axis: " axis "}\n    " BEAM "\n"

static void servo_yields_to_the_load(void **state) {
  (void)state;
  rest r = rest_of(SERVO("revolute", "[0, 0, 1]") "drives: {arm: {type: servo, stiffness: 200 N m/rad}}\n"
                                                  "frames: [{name: side, on: arm, at: tip, xyz: [0, 0.1, "
                                                  "0]}]\nloads: [{at: tip, force: [0, 10, 0]}]\n");
  double turn = 0, x = 0, y = 0; // of the joint; of the tip in the link's axes, and then in the world's
  for (int i = 0; i < 50; i++) {
    double ux = 10 * sin(turn) * L / (E * A), uy = 10 * cos(turn) * (L * L * L / (3 * E * IZ) + L / SHEAR_Y);
    x = cos(turn) * (L + ux) - sin(turn) * uy;
    y = sin(turn) * (L + ux) + cos(turn) * uy;
    turn = 10 * x / 200;
  }
  double all = turn + 10 * cos(turn) * L * L / (2 * E * IZ);
  NEAR3(frame_of(r, "tip")->displacement, x - L, y, 0);
  NEAR3(frame_of(r, "side")->displacement, x - L - 0.1 * sin(all), y + 0.1 * (cos(all) - 1), 0);
  NEAR3(frame_of(r, "tip")->rotation, 0, 0, all);
  NEAR3(frame_of(r, "arm.base")->rotation, 0, 0, turn);
  NEAR(r.s->joints.item[0].effort, -10 * x, TIGHT);
  rest_free(r);
}

static void sliding_servo_yields_along_its_axis(void **state) {
  (void)state;
  rest r = rest_of(SERVO("prismatic", "[1, 0, 0]") "drives: {arm: {type: servo, stiffness: 2 kN/m}}\n"
                                                   "loads: [{at: tip, force: [10, 0, 0]}]\n");
  NEAR3(frame_of(r, "tip")->displacement, 10 * L / (E * A) + 10.0 / 2000, 0, 0);
  NEAR3(frame_of(r, "arm.base")->displacement, 10.0 / 2000, 0, 0);
  rest_free(r);
}

// k = J (pi f0)^2
static void servo_stiffness_follows_its_design_rule(void **state) {
  (void)state;
  rest r =
      rest_of(SERVO("revolute", "[0, 0, 1]") "drives: {arm: {type: servo, frequency: 3.8 Hz, inertia: 2}}\n"
                                             "loads: [{at: tip, moment: [0, 0, 1]}]\n");
  NEAR(frame_of(r, "arm.base")->rotation[2], 1 / (2 * pow(M_PI * 3.8, 2)), TIGHT);
  rest_free(r);
}

static void masses_weigh_at_their_offset(void **state) {
  (void)state;
  rest r = rest_of("limber: 1\ngravity: [-10, 0, 0]\nmaterials: {m: {E: 70 GPa, nu: 0.25, rho: 0}}\n" SECTION
                   "links:\n  - name: arm\n    " BEAM "\n    masses: [{at: tip, mass: 2, xyz: [0, 0.1, 0]}]\n");
  double N = -20, Mz = 20 * 0.1;
  NEAR3(frame_of(r, "tip")->displacement, N * L / (E * A), Mz * L * L / (2 * E * IZ), 0);
  NEAR3(r.s->joints.item[0].force, 20, 0, 0);
  NEAR(r.s->joints.item[0].effort, -20 * (0.1 + Mz * L * L / (2 * E * IZ)), TIGHT); // where the mass is
  rest_free(r);
}

static void rigid_body_hangs_on_its_joint(void **state) {
  (void)state;
  rest r = rest_of("limber: 1\ngravity: [0, -10, 0]\nlinks:\n  - name: arm\n"
                   "    body: {mass: 3, com: [0.2, 0.1, 0], inertia: [1, 1, 1], tip: [0.5, 0, 0]}\n"
                   "    masses: [{at: tip, mass: 2}]\nloads: [{at: tip, force: [7, 0, 0]}]\n");
  NEAR3(frame_of(r, "tip")->position, 0.5, 0, 0);
  NEAR3(r.s->joints.item[0].force, -7, 50, 0);
  NEAR(r.s->joints.item[0].effort, 30 * 0.2 + 20 * 0.5, TIGHT);
  assert_int_equal(r.s->links.count, 0);
  rest_free(r);
}

// --- strains and stresses ---

#define GAUGES                                                                                                 \
  "    gauges: [{name: a, at: 0.3, face: +y}, {name: b, at: 0.3, face: -y}, {name: c, at: 150 mm, face: +z}, " \
  "{name: d, at: 0.3, face: -z}]\n"

static void gauge_strain_is_positive_in_tension(void **state) {
  (void)state;
  rest r = rest_of(ARM GAUGES "loads: [{at: tip, force: [500, 10, 20]}]\n");
  double N = 500 / (E * A), y = 10 * 0.7 * L * SIZE_Y / 2 / (E * IZ), z = 20 * 0.7 * L * SIZE_Z / 2 / (E * IY);
  const double expected[] = {N - y, N + y, N - z, N + z}; // the face towards the force is compressed
  assert_int_equal(r.s->gauges.count, 4);
  for (int i = 0; i < 4; i++) {
    NEAR(r.s->gauges.item[i].strain, expected[i], TIGHT);
    NEAR(r.s->gauges.item[i].stress, E * expected[i], TIGHT);
  }
  assert_string_equal(r.s->gauges.item[3].name, "d");
  assert_string_equal(r.s->gauges.item[3].link, "arm");
  rest_free(r);
}

#define STRESSED(sections, beam)                                                                               \
  "limber: 1\ngravity: [0, 0, 0]\n" MATERIAL "sections: {" sections                                            \
  "}\nlinks:\n  - name: arm\n    beam: {" beam ", material: m, elements: 4}\n"

static void bending_stress_is_moment_over_section_modulus(void **state) {
  (void)state;
  rest r = rest_of(STRESSED("s: {shape: rectangle, y: 8 mm, z: 40 mm}",
                            "length: 0.6, section: s") "loads: [{at: tip, moment: [0, 0, 6]}]\n");
  NEAR(r.s->links.item[0].stress, 6 * 6 / (0.04 * 0.008 * 0.008), TIGHT);
  rest_free(r);
  r = rest_of(
      STRESSED("s: {shape: circle, diameter: 20 mm}",
               "length: 0.6, section: s") "loads: [{at: tip, moment: [0, 3, 4]}]\n"); // skew: hypot(3, 4)
  NEAR(r.s->links.item[0].stress, 5 * 32 / (M_PI * pow(0.02, 3)), TIGHT);
  rest_free(r);
}

static void torsion_stress_is_root_three_tau(void **state) {
  (void)state;
  rest r = rest_of(STRESSED("s: {shape: tube, outer: 30 mm, inner: 20 mm}",
                            "length: 0.6, section: s") "loads: [{at: tip, moment: [7, 0, 0]}]\n");
  double Jt = M_PI / 32 * (pow(0.03, 4) - pow(0.02, 4));
  NEAR(r.s->links.item[0].stress, sqrt(3) * 7 * 0.015 / Jt, TIGHT);
  rest_free(r);
}

// The thin part has its largest stress right behind the step, at a node shared with the thick part.
static void stress_behind_a_step_is_found(void **state) {
  (void)state;
  rest r = rest_of(
      STRESSED("s: {shape: rectangle, y: 10 mm, z: 20 mm}, t: {shape: rectangle, y: 5 mm, z: 20 mm}",
               "section: [{length: 0.5, section: s}, {length: 0.5, section: t}]") "loads: [{at: tip, force: "
                                                                                  "[0, 10, 0]}]\n");
  NEAR(r.s->links.item[0].stress, 10 * 0.5 * 6 / (0.02 * 0.005 * 0.005), TIGHT);
  rest_free(r);
}

// Depth 15 mm at the root, 5 mm at the tip: t/h(t)^2 is largest where h is twice that of the tip, half way.
static void stress_within_a_taper_is_found(void **state) {
  (void)state;
  rest r =
      rest_of(STRESSED("s: {shape: rectangle, y: 15 mm, z: 20 mm}, t: {shape: rectangle, y: 5 mm, z: 20 mm}",
                       "length: 1, section: [{from: s, to: t}]") "loads: [{at: tip, force: [0, 10, 0]}]\n");
  NEAR(r.s->links.item[0].stress, 10 * 0.5 * 6 / (0.02 * 0.01 * 0.01), TIGHT);
  rest_free(r);
}

// M = 10 (L - x) beyond a moment of -8 at 0.4 L, 10 (L - x) - 8 before it: largest just beyond it.
static void stress_beyond_a_concentrated_moment_is_found(void **state) {
  (void)state;
  rest r = rest_of(STRESSED(
      "s: {shape: rectangle, y: 10 mm, z: 20 mm}",
      "length: 1, section: s") "frames: [{name: eye, on: arm, at: 0.4}]\n"
                               "loads: [{at: tip, moment: [0, 0, 6]}, {at: eye, moment: [0, 0, -8]}]\n");
  NEAR(r.s->links.item[0].stress, 6 * 6 / (0.02 * 0.01 * 0.01), TIGHT);
  rest_free(r);
}

static void stress_of_a_section_without_outline_is_unknown(void **state) {
  (void)state;
  rest r = rest_of(STRESSED("s: {shape: general, A: 200 mm^2, Iy: 4000 mm^4, Iz: 1000 mm^4}",
                            "length: 0.6, section: s") GAUGES "loads: [{at: tip, force: [0, 10, 0]}]\n");
  assert_true(isnan(r.s->links.item[0].stress));
  for (int i = 0; i < 4; i++) assert_true(isnan(r.s->gauges.item[i].strain));
  rest_free(r);
}

// --- arms ---

static void load_is_that_of_the_start(void **state) {
  (void)state;
  rest r = rest_of(ARM "loads: [{at: tip, force: [0, 1, 0], factor: {profile: harmonic, amplitude: 4, "
                       "frequency: 2 Hz, phase: 30 deg}}]\n");
  NEAR(r.s->joints.item[0].force[1], -2, TIGHT);
  rest_free(r);
}

// Without gravity, and with masses that hang on the second link: M at the shoulder = F (2 L) on the stretched
// arm.
static void two_links_carry_each_other(void **state) {
  (void)state;
  rest r = rest_of(HEAD "drives: {upper: {type: prescribed}, fore: {type: effort}}\nlinks:\n"
                        "  - name: upper\n    " BEAM "\n    gauges: [{name: g, at: 0.5, face: +y}]\n"
                        "  - name: fore\n    " BEAM "\n    gauges: [{name: g, at: 0.5, face: -y}]\n"
                        "loads: [{at: tip, force: [0, 0.01, 0]}, {at: upper.tip, force: [0, 0.02, 0]}]\n");
  double bend =
      0.01 * (L * L * L / 3 + L * L * L + L * L * L) / (E * IZ) + // fore; upper under force and moment
      0.02 * (L * L * L / 3 + L * L * L / 2) / (E * IZ) + 0.01 * L * L * L / (3 * E * IZ) + 0.04 * L / SHEAR_Y;
  NEAR(frame_of(r, "tip")->displacement[1], bend, 1e-5); // the arm is bent: second order is 1e-6
  NEAR3(r.s->joints.item[0].force, 0, -0.03, 0);
  NEAR(r.s->joints.item[0].effort, -(0.01 * 2 * L + 0.02 * L), 1e-5);
  NEAR(r.s->joints.item[1].effort, -0.01 * L, 1e-5);
  NEAR(r.s->gauges.item[0].strain, -(0.01 * 1.5 * L + 0.02 * 0.5 * L) * SIZE_Y / 2 / (E * IZ), 1e-5);
  NEAR(r.s->gauges.item[1].strain, 0.01 * 0.5 * L * SIZE_Y / 2 / (E * IZ), 1e-5);
  assert_string_equal(r.s->joints.item[1].name, "fore");
  assert_int_equal(r.s->links.count, 2);
  rest_free(r);
}

// Two rigid branches on one flexible link, whose joint carries the weight of all.
static void branches_add_their_reactions(void **state) {
  (void)state;
  rest r = rest_of(
      "limber: 1\ngravity: [0, 0, -10]\n" MATERIAL SECTION
      "links:\n  - name: mast\n    joint: {type: fixed, origin: {rpy: [0, -90 deg, 0]}}\n    " BEAM
      "\n  - {name: left, parent: mast, at: mid, joint: {type: fixed}, body: {mass: 2, com: [0, 0.3, 0]}}\n"
      "  - {name: right, parent: mast, at: tip, joint: {type: fixed}, body: {mass: 2, com: [0, -0.3, 0]}}\n"
      "frames: [{name: mid, on: mast, at: 0.5}]\n");
  double weight = 10 * (RHO * A * L + 4);
  NEAR3(r.s->joints.item[0].force, 0, 0, weight);
  NEAR3(r.s->joints.item[1].force, 0, 0, 20);
  NEAR(r.s->joints.item[1].moment[0], 20 * 0.3, 1e-3);
  // between the branches the mast carries the upper one only
  assert_true(fabs(r.s->joints.item[0].moment[0]) < 0.2); // 6 - 6 N m, and what the bent mast adds
  rest_free(r);
}

static void section_forces_go_on_over_segments(void **state) {
  (void)state;
  const char *segments[] = {"1", "3"};
  double strain[2], stress[2];
  for (int i = 0; i < 2; i++) {
    char text[1000];
    snprintf(text, sizeof text,
             "limber: 1\ngravity: [0, -9.81, 0]\n" MATERIAL SECTION
             "drives: {arm: {type: prescribed}}\nlinks:\n  - name: arm\n    beam: {length: 500 mm, section: s, "
             "material: m, elements: 6, segments: %s}\n    gauges: [{name: g, at: 0.3, face: +y}]\n"
             "    masses: [{at: 0.5, mass: 0.1}]\nloads: [{along: arm, force: [0, 0, 0.3]}]\n",
             segments[i]);
    rest r = rest_of(text);
    strain[i] = r.s->gauges.item[0].strain;
    stress[i] = r.s->links.item[0].stress;
    rest_free(r);
  }
  double q = -9.81 * RHO * A, x = 0.7 * L; // beyond the gauge
  NEAR(strain[0], -(q * x * x / 2 - 0.981 * 0.2 * L) * SIZE_Y / 2 / (E * IZ), TIGHT);
  NEAR(strain[1], strain[0], 1e-4);
  NEAR(stress[1], stress[0], 1e-4);
}

static void bending_within_a_segment_is_told(void **state) {
  (void)state;
  rest r = rest_of(ARM "loads: [{at: tip, moment: [0, 0, 70]}]\n");
  NEAR(r.s->links.item[0].turn, 70 * L / (E * IZ), TIGHT);
  rest_free(r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(effort_acts_on_the_link),
      cmocka_unit_test(prismatic_effort_is_a_force),
      cmocka_unit_test(fixed_and_free_joints_have_no_effort),
      cmocka_unit_test(servo_yields_to_the_load),
      cmocka_unit_test(sliding_servo_yields_along_its_axis),
      cmocka_unit_test(servo_stiffness_follows_its_design_rule),
      cmocka_unit_test(masses_weigh_at_their_offset),
      cmocka_unit_test(rigid_body_hangs_on_its_joint),
      cmocka_unit_test(gauge_strain_is_positive_in_tension),
      cmocka_unit_test(bending_stress_is_moment_over_section_modulus),
      cmocka_unit_test(torsion_stress_is_root_three_tau),
      cmocka_unit_test(stress_behind_a_step_is_found),
      cmocka_unit_test(stress_within_a_taper_is_found),
      cmocka_unit_test(stress_beyond_a_concentrated_moment_is_found),
      cmocka_unit_test(stress_of_a_section_without_outline_is_unknown),
      cmocka_unit_test(load_is_that_of_the_start),
      cmocka_unit_test(two_links_carry_each_other),
      cmocka_unit_test(branches_add_their_reactions),
      cmocka_unit_test(section_forces_go_on_over_segments),
      cmocka_unit_test(bending_within_a_segment_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

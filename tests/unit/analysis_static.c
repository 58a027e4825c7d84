// analysis_static.c - tests of static: closed forms of a cantilever through the whole chain, from text to
// answer. A link of one segment is linear; what acts on it has its arms about the joint on the deformed link.
#include "analysis_fixture.h"

// --- one load at a time ---

static void cantilever_tip_force_matches_closed_form(void **state) {
  (void)state;
  rest r = rest_of(ARM "loads: [{at: tip, force: [0, 10, -20]}]\n");
  const lim_static_frame *tip = frame_of(r, "arm.tip");
  double y = 10 * L * L * L / (3 * E * IZ) + 10 * L / SHEAR_Y,
         z = -20 * L * L * L / (3 * E * IY) - 20 * L / SHEAR_Z;
  NEAR3(tip->displacement, 0, y, z);
  NEAR3(tip->position, L, y, z);
  NEAR3(tip->rotation, 0, 20 * L * L / (2 * E * IY), 10 * L * L / (2 * E * IZ));
  NEAR3(frame_of(r, "tip")->position, L, y, z);
  NEAR3(frame_of(r, "arm.base")->position, 0, 0, 0);
  rest_free(r);
}

static void cantilever_tip_moment_matches_closed_form(void **state) {
  (void)state;
  rest r = rest_of(ARM "loads: [{at: tip, moment: [3 N m, 1 N m, 2 N m]}]\n");
  const lim_static_frame *tip = frame_of(r, "tip");
  NEAR3(tip->displacement, 0, 2 * L * L / (2 * E * IZ), -1 * L * L / (2 * E * IY));
  NEAR3(tip->rotation, 3 * L / (G * J), 1 * L / (E * IY), 2 * L / (E * IZ));
  rest_free(r);
}

static void cantilever_axial_force_matches_closed_form(void **state) {
  (void)state;
  rest r = rest_of(ARM "loads: [{at: tip, force: [1 kN, 0, 0]}]\n");
  NEAR3(frame_of(r, "tip")->displacement, 1000 * L / (E * A), 0, 0);
  NEAR(r.s->links.item[0].stress, 1000 / A, TIGHT);
  rest_free(r);
}

static void cantilever_self_weight_matches_closed_form(void **state) {
  (void)state;
  rest r = rest_of(ARM "configuration: {arm: 0}\nsolver: {start: undeformed}\n");
  NEAR3(frame_of(r, "tip")->displacement, 0, 0, 0);
  rest_free(r);
  r = rest_of("limber: 1\ngravity: [0, -9.81, 0]\n" MATERIAL SECTION "links: [{name: arm, " BEAM "}]\n");
  double q = -9.81 * RHO * A;
  NEAR3(frame_of(r, "tip")->displacement, 0, q * pow(L, 4) / (8 * E * IZ) + q * L * L / (2 * SHEAR_Y), 0);
  NEAR3(frame_of(r, "tip")->rotation, 0, 0, q * L * L * L / (6 * E * IZ));
  NEAR(r.s->joints.item[0].effort, -q * L * L / 2, TIGHT); // holds the link up
  rest_free(r);
}

// The bent link has an arm about its own axis, too: Mx = integral of z qy - y qz, with q L^5/20EI + q L^3/3GA
// for the integral of a deflection.
static void cantilever_distributed_load_matches_closed_form(void **state) {
  (void)state;
  rest r = rest_of(ARM "loads: [{along: arm, force: [0, 5 N/m, 0]}, {along: arm, force: [0, 0, 7 N/m]}]\n");
  NEAR3(frame_of(r, "tip")->displacement, 0, 5 * pow(L, 4) / (8 * E * IZ) + 5 * L * L / (2 * SHEAR_Y),
        7 * pow(L, 4) / (8 * E * IY) + 7 * L * L / (2 * SHEAR_Z));
  NEAR3(r.s->joints.item[0].force, 0, -5 * L, -7 * L);
  double y = 5 * pow(L, 5) / (20 * E * IZ) + 5 * pow(L, 3) / (3 * SHEAR_Y),
         z = 7 * pow(L, 5) / (20 * E * IY) + 7 * pow(L, 3) / (3 * SHEAR_Z);
  NEAR(r.s->joints.item[0].moment[0], z * 5 - y * 7, 1e-3);
  NEAR(r.s->joints.item[0].moment[1], 7 * L * L / 2, TIGHT);
  NEAR(r.s->joints.item[0].moment[2], -5 * L * L / 2, TIGHT);
  rest_free(r);
}

static void load_that_follows_the_link_is_close_to_one_that_does_not(void **state) {
  (void)state;
  rest r = rest_of(ARM "loads: [{along: arm, force: [0, 5 N/m, 0], axes: link}]\n");
  NEAR(frame_of(r, "tip")->displacement[1], 5 * pow(L, 4) / (8 * E * IZ) + 5 * L * L / (2 * SHEAR_Y), 1e-5);
  rest_free(r);
}

static void euler_bernoulli_link_has_no_shear_deflection(void **state) {
  (void)state;
  rest r = rest_of(HEAD "links:\n  - name: arm\n    beam: {length: 0.5, section: s, material: m, elements: 2, "
                        "element: euler-bernoulli}\nloads: [{at: tip, force: [0, 10, 0]}]\n");
  NEAR3(frame_of(r, "tip")->displacement, 0, 10 * L * L * L / (3 * E * IZ), 0);
  rest_free(r);
}

// A force at 0.4 L, inside the second of three elements: the tip still is exact.
static void force_within_an_element_matches_closed_form(void **state) {
  (void)state;
  rest r = rest_of(ARM "frames: [{name: eye, on: arm, at: 0.4}]\nloads: [{at: eye, force: [0, 10, 0]}]\n");
  double a = 0.4 * L;
  NEAR3(frame_of(r, "tip")->displacement, 0, 10 * a * a * (3 * L - a) / (6 * E * IZ) + 10 * a / SHEAR_Y, 0);
  NEAR(r.s->joints.item[0].effort, -10 * a, TIGHT);
  rest_free(r);
}

static void loads_superpose(void **state) {
  (void)state;
  rest r = rest_of(ARM "loads:\n  - {at: tip, force: [30, 10, 0]}\n  - {at: tip, moment: [3, 0, 2]}\n"
                       "  - {along: arm, force: [0, 5, 0]}\n  - {at: tip, force: [0, 1e6, 0], from: 1 s}\n"
                       "  - {at: tip, force: [0, 2, 0], factor: 3}\n  - {at: base, force: [0, 1e6, 0]}\n");
  double y = 16 * L * L * L / (3 * E * IZ) + 16 * L / SHEAR_Y + 2 * L * L / (2 * E * IZ) +
             5 * pow(L, 4) / (8 * E * IZ) + 5 * L * L / (2 * SHEAR_Y);
  NEAR3(frame_of(r, "tip")->displacement, 30 * L / (E * A), y, 0);
  NEAR(frame_of(r, "tip")->rotation[0], 3 * L / (G * J), TIGHT);
  rest_free(r);
}

// --- frames and axes ---

// A force along x at (0, 0.1, 0) off the tip, which turns with it: M = -0.1 F cos t, t = M L/EI.
static void force_on_offset_frame_bends_the_link(void **state) {
  (void)state;
  rest r = rest_of(ARM "frames: [{name: tool, on: arm, at: tip, xyz: [0, 0.1, 0]}]\n"
                       "loads: [{at: tool, force: [40, 0, 0]}]\n");
  double t = 0, M = 0;
  for (int i = 0; i < 50; i++) t = (M = -40 * 0.1 * cos(t)) * L / (E * IZ);
  double x = 40 * L / (E * A), y = M * L * L / (2 * E * IZ);
  NEAR3(frame_of(r, "arm.tip")->displacement, x, y, 0);
  NEAR3(frame_of(r, "tool")->displacement, x - 0.1 * sin(t), y + 0.1 * (cos(t) - 1), 0);
  NEAR3(frame_of(r, "tool")->rotation, 0, 0, t);
  NEAR3(r.s->joints.item[0].moment, 0, 0, 40 * (y + 0.1 * cos(t)));
  rest_free(r);
}

static void frames_stand_on_links_and_in_the_world(void **state) {
  (void)state;
  rest r = rest_of(
      ARM
      "frames: [{name: eye, on: arm, at: 0.5, xyz: [0, 0, 1 m]}, {name: mark, on: base, xyz: [1, 2, 3]}]\n");
  NEAR3(frame_of(r, "eye")->position, L / 2, 0, 1);
  NEAR3(frame_of(r, "mark")->position, 1, 2, 3);
  NEAR3(frame_of(r, "mark")->displacement, 0, 0, 0);
  rest_free(r);
}

static void world_and_link_axes_differ_by_the_joint_angle(void **state) {
  (void)state;
  double c = sqrt(3) / 2, s = 0.5, soft = L * L * L / (3 * E * IZ) + L / SHEAR_Y, stiff = L / (E * A);
  rest r = rest_of(ARM "configuration: {arm: 30 deg}\nloads: [{at: tip, force: [0, 10, 0]}]\n");
  double ux = 10 * s * stiff, uy = 10 * c * soft;
  NEAR3(frame_of(r, "tip")->displacement, c * ux - s * uy, s * ux + c * uy, 0);
  NEAR3(frame_of(r, "tip")->position, c * (L + ux) - s * uy, s * (L + ux) + c * uy, 0);
  NEAR3(r.s->joints.item[0].force, 0, -10, 0);
  NEAR(r.s->joints.item[0].effort, -10 * (c * (L + ux) - s * uy), TIGHT); // at the place where the tip is
  rest_free(r);
  r = rest_of(ARM "configuration: {arm: 30 deg}\nloads: [{at: tip, force: [0, 10, 0], axes: link}]\n");
  double t = 0; // the tip turns the force
  for (int i = 0; i < 50; i++) t = 10 * cos(t) * L * L / (2 * E * IZ);
  ux = -10 * sin(t) * stiff, uy = 10 * cos(t) * soft;
  NEAR3(frame_of(r, "tip")->displacement, c * ux - s * uy, s * ux + c * uy, 0);
  NEAR3(r.s->joints.item[0].force, 10 * (s * cos(t) + c * sin(t)), -10 * (c * cos(t) - s * sin(t)), 0);
  NEAR(r.s->joints.item[0].effort, -10 * (cos(t) * (L + ux) + sin(t) * uy), TIGHT);
  rest_free(r);
}

// Pitch of -90 degrees stands the link up along world z; its z axis points along -x.
static void origin_turns_the_link(void **state) {
  (void)state;
  rest r = rest_of(ARM "    joint: {axis: [1, 0, 0], origin: {xyz: [1, 2, 3], rpy: [0, -90 deg, 0]}}\n"
                       "loads: [{at: tip, force: [10, 0, 0]}, {at: tip, moment: [0, 0, 2]}]\n");
  double z = 10 * L * L * L / (3 * E * IY) + 10 * L / SHEAR_Z;
  NEAR3(frame_of(r, "tip")->displacement, z, 0, 0);
  NEAR3(frame_of(r, "tip")->position, 1 + z, 2, 3 + L);
  NEAR(frame_of(r, "tip")->rotation[2], 2 * L / (G * J), TIGHT);
  NEAR3(r.s->joints.item[0].moment, 0, -10 * L, -2);
  NEAR(r.s->joints.item[0].effort, -2, TIGHT); // about its own x, now world z
  rest_free(r);
}

// Rz(40 + 20 deg) Tz(0.3): the link's frame; alpha turns the tip only.
static void dh_row_places_the_link(void **state) {
  (void)state;
  rest r = rest_of(HEAD "drives: {arm: {type: prescribed}}\nlinks:\n  - name: arm\n"
                        "    joint: {dh: {a: 500 mm, alpha: 90 deg, d: 300 mm, theta: 40 deg}}\n"
                        "    beam: {section: s, material: m}\n"
                        "configuration: {arm: 20 deg}\nloads: [{at: tip, force: [0, 0, -10]}]\n");
  double c = 0.5, s = sqrt(3) / 2, z = -10 * L * L * L / (3 * E * IY) - 10 * L / SHEAR_Z;
  NEAR3(frame_of(r, "tip")->position, c * L, s * L, 0.3 + z);
  NEAR3(frame_of(r, "arm.base")->position, 0, 0, 0.3);
  NEAR3(r.s->joints.item[0].moment, s * 10 * L, -c * 10 * L, 0);
  NEAR(r.s->joints.item[0].effort, 0, 1e-12);
  rest_free(r);
}

static void motion_sets_the_joint_where_no_configuration_does(void **state) {
  (void)state;
  rest r = rest_of(HEAD "links: [{name: arm, " BEAM "}]\n"
                        "motion: {arm: {profile: cycloidal, from: 90 deg, to: 0, duration: 1 s}}\n");
  NEAR3(frame_of(r, "tip")->position, 0, L, 0);
  rest_free(r);
}

// --- planar models, bases, segments ---

// What acts across the plane neither moves nor stresses the link.
static void planar_model_keeps_what_is_in_its_plane(void **state) {
  (void)state;
  const char *loads =
      "loads: [{at: tip, force: [0, 10, -20]}, {along: arm, force: [0, 3, 4]}, {at: tip, moment: [5, 6, 7]}]\n";
  const char *planes[] = {"xy", "xz"};
  for (int i = 0; i < 2; i++) {
    char text[1500];
    snprintf(text, sizeof text,
             ARM "    joint: {axis: [0, %d, %d]}\n    gauges: [{name: y, at: 0.3, face: +y}, {name: z, at: "
                 "0.3, face: +z}]\nplanar: %s\n%s",
             i, 1 - i, planes[i], loads);
    rest r = rest_of(text);
    double y = 10 * L * L * L / (3 * E * IZ) + 10 * L / SHEAR_Y + 3 * pow(L, 4) / (8 * E * IZ) +
               3 * L * L / (2 * SHEAR_Y) + 7 * L * L / (2 * E * IZ);
    double z = -20 * L * L * L / (3 * E * IY) - 20 * L / SHEAR_Z + 4 * pow(L, 4) / (8 * E * IY) +
               4 * L * L / (2 * SHEAR_Z) - 6 * L * L / (2 * E * IY);
    NEAR3(frame_of(r, "tip")->displacement, 0, i ? 0 : y, i ? z : 0);
    NEAR3(r.s->joints.item[0].force, 0, i ? 0 : -10 - 3 * L, i ? 20 - 4 * L : 0);
    assert_true((r.s->gauges.item[0].strain == 0) == (i == 1));
    assert_true((r.s->gauges.item[1].strain == 0) == (i == 0));
    rest_free(r);
  }
}

// Rolled by 90 degrees, the link bends in the world's x-y plane about its own y.
static void planar_model_takes_the_links_own_plane(void **state) {
  (void)state;
  rest r = rest_of(ARM "    joint: {axis: [0, -1, 0], origin: {rpy: [90 deg, 0, 0]}}\nplanar: xy\n"
                       "loads: [{at: tip, force: [0, 10, 0]}]\n");
  NEAR3(frame_of(r, "tip")->displacement, 0, 10 * L * L * L / (3 * E * IY) + 10 * L / SHEAR_Z, 0);
  NEAR(r.s->joints.item[0].effort, 10 * L, TIGHT); // the axis points to world -z
  rest_free(r);
}

static void rigid_basis_carries_loads_without_deflection(void **state) {
  (void)state;
  rest r = rest_of(ARM "    basis: {type: rigid}\n    gauges: [{name: g, at: 0.2, face: -y}]\n"
                       "loads: [{at: tip, force: [0, 10, 0]}]\n");
  NEAR3(frame_of(r, "tip")->displacement, 0, 0, 0);
  NEAR(r.s->gauges.item[0].stress, 10 * 0.8 * L * SIZE_Y / 2 / IZ, TIGHT);
  NEAR(r.s->joints.item[0].effort, -10 * L, TIGHT);
  rest_free(r);
}

static void reduced_bases_and_segments_rest_alike(void **state) {
  (void)state;
  const char *variants[] = {"basis: {type: modes, count: 1}", "basis: {type: craig-bampton, count: 0}"};
  double expected = 10 * L * L * L / (3 * E * IZ) + 10 * L / SHEAR_Y;
  for (int i = 0; i < 2; i++) {
    char text[1000];
    snprintf(text, sizeof text, ARM "    %s\nloads: [{at: tip, force: [0, 10, 0]}]\n", variants[i]);
    rest r = rest_of(text);
    NEAR3(frame_of(r, "tip")->displacement, 0, expected, 0);
    rest_free(r);
  }
  rest r = rest_of(
      HEAD "links:\n  - name: arm\n    beam: {length: 0.5, section: s, material: m, elements: 6, segments: 3}\n"
           "loads: [{at: tip, force: [0, 10, 0]}]\n");
  NEAR(frame_of(r, "tip")->displacement[1], expected, 2e-4);
  NEAR(frame_of(r, "tip")->displacement[0], -0.6 * expected * expected / L,
       0.15); // segments follow the bent axis
  rest_free(r);
}

// --- what is refused ---

static void assert_fails(const char *text, const char *message) {
  lim_model *m = parse(text);
  lim_static *s = NULL;
  lim_error err = {0};
  assert_int_equal(lim_static_new(&s, m, NULL, &err), LIM_FAILED);
  assert_null(s);
  if (!strstr(err.note[0].text, message)) fail_msg("'%s' lacks '%s'", err.note[0].text, message);
  lim_error_clear(&err);
  lim_model_free(m);
}

// Euler: pi^2 EI/4 L^2 = 691 N; the load is 1.25 of it.
static void column_that_buckles_has_no_equilibrium(void **state) {
  (void)state;
  assert_fails(HEAD
               "planar: xy\nlinks: [{name: arm, beam: {length: 500 mm, section: s, material: m, segments: 10, "
               "element: euler-bernoulli}}]\nloads: [{at: tip, force: [-863.6, 0, 0]}]\n",
               "gives way at 80");
}

// k = 0.25 N m against m g L/2 = 0.4905 N m, and a link that is not quite rigid.
static void upright_arm_on_a_weak_servo_has_no_equilibrium(void **state) {
  (void)state;
  assert_fails("limber: 1\ngravity: [0, -9.81, 0]\n" MATERIAL SECTION "links: [{name: arm, " BEAM "}]\n"
               "drives: {arm: {type: servo, stiffness: 0.25}}\nconfiguration: {arm: 90 deg}\n",
               "gives way at 50.9");
}

static void what_a_sliding_beam_cannot_have_is_refused(void **state) {
  (void)state;
  assert_refused(HEAD "links:\n  - name: arm\n    joint: {type: prismatic, axis: [1, 0, 0], slide: "
                      "{free_length: beam}}\n    " BEAM "\nconfiguration: {arm: -0.1}\n",
                 "joint 'arm' starts at -0.1 m", false);
}

static void link_out_of_plane_is_refused(void **state) {
  (void)state;
  assert_refused(ARM "    joint: {origin: {rpy: [45 deg, 0, 0]}}\nplanar: xy\n",
                 "link 'arm': the plane of the model", false);
  assert_refused(ARM "    joint: {axis: [0, 1, 0]}\nplanar: xy\n",
                 "joint 'arm': the motion along its axis leads out", true);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cantilever_tip_force_matches_closed_form),
      cmocka_unit_test(cantilever_tip_moment_matches_closed_form),
      cmocka_unit_test(cantilever_axial_force_matches_closed_form),
      cmocka_unit_test(cantilever_self_weight_matches_closed_form),
      cmocka_unit_test(cantilever_distributed_load_matches_closed_form),
      cmocka_unit_test(load_that_follows_the_link_is_close_to_one_that_does_not),
      cmocka_unit_test(euler_bernoulli_link_has_no_shear_deflection),
      cmocka_unit_test(force_within_an_element_matches_closed_form),
      cmocka_unit_test(loads_superpose),
      cmocka_unit_test(force_on_offset_frame_bends_the_link),
      cmocka_unit_test(frames_stand_on_links_and_in_the_world),
      cmocka_unit_test(world_and_link_axes_differ_by_the_joint_angle),
      cmocka_unit_test(origin_turns_the_link),
      cmocka_unit_test(dh_row_places_the_link),
      cmocka_unit_test(motion_sets_the_joint_where_no_configuration_does),
      cmocka_unit_test(planar_model_keeps_what_is_in_its_plane),
      cmocka_unit_test(planar_model_takes_the_links_own_plane),
      cmocka_unit_test(rigid_basis_carries_loads_without_deflection),
      cmocka_unit_test(reduced_bases_and_segments_rest_alike),
      cmocka_unit_test(what_a_sliding_beam_cannot_have_is_refused),
      cmocka_unit_test(column_that_buckles_has_no_equilibrium),
      cmocka_unit_test(upright_arm_on_a_weak_servo_has_no_equilibrium),
      cmocka_unit_test(link_out_of_plane_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

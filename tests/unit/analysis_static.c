// analysis_static.c - tests of static: closed forms of a cantilever through the whole chain, from text to
// answer. A link of one segment is linear; what acts on it has its arms about the joint on the deformed link.
#include "analysis_fixture.h"

static const double TIGHT = 1e-9;

static void near3(const double x[3], double a, double b, double c, int line) {
  double size = fmax(fabs(a), fmax(fabs(b), fabs(c))), expected[3] = {a, b, c};
  for (int i = 0; i < 3; i++)
    if (!(fabs(x[i] - expected[i]) <= TIGHT * size))
      fail_msg("line %d: component %d is %.12g, expected %.12g", line, i, x[i], expected[i]);
}
#define NEAR3(x, a, b, c) near3((x), (a), (b), (c), __LINE__)

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
                  "loads: [{at: tip, force: [0, 10, 0]}]\n",
             types[i]);
    rest r = rest_of(text);
    assert_true(r.s->joints.item[0].effort == 0);
    NEAR3(r.s->joints.item[0].moment, 0, 0, -10 * L);
    NEAR3(frame_of(r, "tip")->displacement, 0, 10 * L * L * L / (3 * E * IZ) + 10 * L / SHEAR_Y, 0);
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
               "gives way at 50.8");
}

static void what_the_arm_cannot_have_is_refused(void **state) {
  (void)state;
  const char *few = "cannot be treated in this version";
  assert_refused(ARM "springs: [{name: t, between: [arm.tip, base], stiffness: 1}]\n", few, false);
  assert_refused(ARM "bushings: [{name: t, between: [arm.tip, base], stiffness: [1, 1, 1, 1, 1, 1]}]\n", few,
                 false);
  assert_refused(HEAD "drives: {arm: {type: motor, motor: {ratio: 10}}}\nlinks: [{name: arm, " BEAM "}]\n", few,
                 true);
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
      cmocka_unit_test(effort_acts_on_the_link),
      cmocka_unit_test(prismatic_effort_is_a_force),
      cmocka_unit_test(fixed_and_free_joints_have_no_effort),
      cmocka_unit_test(servo_yields_to_the_load),
      cmocka_unit_test(sliding_servo_yields_along_its_axis),
      cmocka_unit_test(servo_stiffness_follows_its_design_rule),
      cmocka_unit_test(masses_weigh_at_their_offset),
      cmocka_unit_test(rigid_body_hangs_on_its_joint),
      cmocka_unit_test(planar_model_keeps_what_is_in_its_plane),
      cmocka_unit_test(planar_model_takes_the_links_own_plane),
      cmocka_unit_test(rigid_basis_carries_loads_without_deflection),
      cmocka_unit_test(reduced_bases_and_segments_rest_alike),
      cmocka_unit_test(gauge_strain_is_positive_in_tension),
      cmocka_unit_test(bending_stress_is_moment_over_section_modulus),
      cmocka_unit_test(torsion_stress_is_root_three_tau),
      cmocka_unit_test(stress_behind_a_step_is_found),
      cmocka_unit_test(stress_within_a_taper_is_found),
      cmocka_unit_test(stress_beyond_a_concentrated_moment_is_found),
      cmocka_unit_test(stress_of_a_section_without_outline_is_unknown),
      cmocka_unit_test(what_the_arm_cannot_have_is_refused),
      cmocka_unit_test(load_is_that_of_the_start),
      cmocka_unit_test(column_that_buckles_has_no_equilibrium),
      cmocka_unit_test(upright_arm_on_a_weak_servo_has_no_equilibrium),
      cmocka_unit_test(two_links_carry_each_other),
      cmocka_unit_test(branches_add_their_reactions),
      cmocka_unit_test(section_forces_go_on_over_segments),
      cmocka_unit_test(bending_within_a_segment_is_told),
      cmocka_unit_test(link_out_of_plane_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

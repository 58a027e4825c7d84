// analysis_modes.c - tests of modes: transcendental equations, kinds and shapes, bases, arms.
#include "analysis_modes_fixture.h"

// --- bending with a hub and a payload ---

typedef struct {
  double hub;    // inertia of the hub over rho A L^3
  double spring; // of the joint, times L/EI
  double mass;   // at the tip over rho A L
} ends;

// v = A cos + B sin - A cosh + D sinh of b x/L has v(0) = 0. At the root EI v'' = (spring - hub omega^2) v',
// which gives A; at the tip v'' = 0 and EI v''' = -mass omega^2 v. The determinant of B, D:
static double characteristic(double b, const void *data) {
  const ends *e = data;
  double a = (e->hub * b * b * b - e->spring / b) / 2, c = cos(b), s = sin(b), C = cosh(b), S = sinh(b);
  double v[2] = {a * (c - C) + s, a * (c - C) + S};
  double moment[2] = {-a * (c + C) - s, -a * (c + C) + S};
  double shear[2] = {a * (s - S) - c + e->mass * b * v[0], a * (s - S) + C + e->mass * b * v[1]};
  return (moment[0] * shear[1] - moment[1] * shear[0]) / C;
}

static double clamped_free(double b, const void *data) {
  double mu = *(const double *)data;
  return 1 / cosh(b) + cos(b) + mu * b * (cos(b) * tanh(b) - sin(b));
}

static double free_free(double b, const void *data) { return (void)data, cos(b) - 1 / cosh(b); }
static double guided_free(double b, const void *data) { return (void)data, sin(b) + cos(b) * tanh(b); }

static void clamped_link_matches_euler_bernoulli(void **state) {
  (void)state;
  vibes v = vibes_of(RIBBON, LIM_JOINTS_LOCKED, 4);
  double bare = 0;
  assert_string_equal(v.m->joints, "locked");
  assert_int_equal(v.m->rigid + v.m->unstable, 0);
  assert_int_equal(v.m->modes.count, 4);
  for (int i = 0; i < 3; i++) NEAR(hertz(v, i), hertz_of_root(root(clamped_free, &bare, i)), 1e-6);
  NEAR(hertz(v, 0), 3.51601526850 * sqrt(EI / RHO_A) / (L * L) / (2 * M_PI), 1e-8);
  vibes_free(v);
}

static void payload_lowers_frequencies_as_its_equation_says(void **state) {
  (void)state;
  vibes v = vibes_of(RIBBON "    masses: [{at: tip, mass: 15}]\n", LIM_JOINTS_LOCKED, 3);
  double mu = 15 / (RHO_A * L);
  for (int i = 0; i < 3; i++) NEAR(hertz(v, i), hertz_of_root(root(clamped_free, &mu, i)), 1e-6);
  vibes_free(v);
}

static void free_joint_with_hub_matches_pinned_free(void **state) {
  (void)state;
  vibes v = vibes_of(RIBBON "    masses: [{at: base, mass: 3, inertia: [0, 0, 0.5]}, {at: tip, mass: 4}]\n",
                     LIM_JOINTS_DEFAULT, 3);
  ends e = {.hub = 0.5 / (RHO_A * L * L * L), .mass = 4 / (RHO_A * L)};
  assert_string_equal(v.m->joints, "free");
  assert_int_equal(v.m->rigid, 1);
  for (int i = 0; i < 3; i++) NEAR(hertz(v, i), hertz_of_root(root(characteristic, &e, i)), 1e-6);
  vibes_free(v);
  v = vibes_of(RIBBON, LIM_JOINTS_FREE, 2);
  NEAR(hertz(v, 0), hertz_of_root(3.92660231), 1e-7);
  NEAR(hertz(v, 1), hertz_of_root(7.06858275), 1e-6);
  vibes_free(v);
}

static void servo_holds_the_link_with_its_spring(void **state) {
  (void)state;
  vibes v = vibes_of(RIBBON "    masses: [{at: base, mass: 0, inertia: [0, 0, 0.5]}]\n"
                            "drives: {arm: {type: servo, stiffness: 0.3 N m/rad}}\n",
                     LIM_JOINTS_DEFAULT, 3);
  ends e = {.hub = 0.5 / (RHO_A * L * L * L), .spring = 0.3 * L / EI};
  assert_string_equal(v.m->joints, "held");
  assert_int_equal(v.m->rigid, 0);
  for (int i = 0; i < 3; i++) NEAR(hertz(v, i), hertz_of_root(root(characteristic, &e, i)), 1e-6);
  vibes_free(v);
}

static void sliding_joint_matches_guided_free(void **state) {
  (void)state;
  vibes v = vibes_of(RIBBON "    joint: {type: prismatic, axis: [0, 1, 0]}\n", LIM_JOINTS_DEFAULT, 2);
  assert_int_equal(v.m->rigid, 1);
  for (int i = 0; i < 2; i++) NEAR(hertz(v, i), hertz_of_root(root(guided_free, NULL, i)), 1e-6);
  vibes_free(v);
}

static void floating_link_matches_free_free(void **state) {
  (void)state;
  vibes v = vibes_of(RIBBON "    joint: {type: free}\n", LIM_JOINTS_DEFAULT, 2);
  assert_int_equal(v.m->rigid, 3);
  for (int i = 0; i < 2; i++) NEAR(hertz(v, i), hertz_of_root(root(free_free, NULL, i)), 1e-6);
  vibes_free(v);
}

// --- counts, kinds, shapes, choices ---

static void rigid_modes_are_the_freedoms_of_the_joint(void **state) {
  (void)state;
  const struct {
    const char *joint;
    int rigid;
  } rows[] = {{"{type: fixed}", 0},
              {"{type: revolute, axis: [1, 0, 0]}", 1},
              {"{type: revolute, axis: [1, 2, 3]}", 1},
              {"{type: prismatic, axis: [1, 0, 0]}", 1},
              {"{type: free}", 6}};
  const char *basis[] = {"full", "modes, count: 3", "craig-bampton, count: 2", "rigid"};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for (int k = 0; k < 4; k++) {
      char text[1000];
      snprintf(text, sizeof text,
               HEAD "links:\n  - name: arm\n    joint: %s\n    " BEAM "\n    basis: {type: %s}\n",
               rows[i].joint, basis[k]);
      vibes v = vibes_of(text, LIM_JOINTS_DEFAULT, 2);
      assert_int_equal(v.m->rigid, rows[i].rigid);
      assert_int_equal(v.m->unstable, 0);
      assert_int_equal(v.m->modes.count, k < 3 ? 2 : 0);
      vibes_free(v);
    }
}

// Linear elements with consistent mass: omega^2 = 6 c^2/h^2 (1 - cos kh)/(2 + cos kh) for the wave number k =
// pi/2L.
static double wave_hertz(double c, int elements) {
  double h = L / elements, kh = M_PI / 2 / elements;
  return sqrt(6 * c * c / (h * h) * (1 - cos(kh)) / (2 + cos(kh))) / (2 * M_PI);
}

static void stretching_and_torsion_have_their_wave_speeds(void **state) {
  (void)state;
  vibes v = vibes_of(ARM, LIM_JOINTS_DEFAULT, 18);
  double expected[2] = {wave_hertz(sqrt(E / RHO), 3), wave_hertz(sqrt(G * J / (RHO * (IY + IZ))), 3)};
  const char *kinds[2] = {"axial", "torsion"};
  for (int k = 0; k < 2; k++) {
    int i = 0;
    while (i < v.m->modes.count && strcmp(v.m->modes.item[i].kind, kinds[k])) i++;
    NEAR(hertz(v, i), expected[k], 1e-9);
  }
  vibes_free(v);
}

static void shapes_are_scaled_and_named(void **state) {
  (void)state;
  vibes v = vibes_of(ARM, LIM_JOINTS_DEFAULT, 3);
  assert_string_equal(v.m->links.item[0].name, "arm");
  assert_int_equal(v.m->nnode, 4);
  const char *kinds[3] = {"bending y", "bending z", "bending y"}; // Iz is the smaller one
  for (int i = 0; i < 3; i++) {
    const double *shape = v.m->modes.item[i].shape;
    double largest = 0;
    for (int k = 0; k < 24; k++) largest = fmax(largest, fabs(shape[k]) * (k % 6 < 3 ? 1 : L));
    NEAR(largest, 1, 1e-12);
    for (int k = 0; k < 6; k++) assert_true(shape[k] == 0); // clamped
    assert_string_equal(v.m->modes.item[i].kind, kinds[i]);
    for (int k = 0; k < 24; k++) assert_true(i == 1 || shape[k] == 0 || k % 6 == 1 || k % 6 == 5);
    assert_true(i == 0 || hertz(v, i) >= hertz(v, i - 1));
  }
  vibes_free(v);
}

static void joints_are_free_held_or_locked_as_asked(void **state) {
  (void)state;
  const struct {
    const char *drive, *words[4]; // default, free, locked, held
  } rows[] = {
      {"", {"free", "free", "locked", "locked"}},
      {"drives: {arm: {type: free}}\n", {"free", "free", "locked", "locked"}},
      {"drives: {arm: {type: effort}}\n", {"free", "free", "locked", "locked"}},
      {"drives: {arm: {type: prescribed}}\n", {"locked", "free", "locked", "locked"}},
      {"motion: {arm: {profile: cycloidal, to: 1, duration: 1}}\n", {"locked", "free", "locked", "locked"}},
      {"drives: {arm: {type: servo, stiffness: 10}}\n", {"held", "free", "locked", "held"}}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for (int k = 0; k < 4; k++) {
      char text[1000];
      snprintf(text, sizeof text, HEAD "links: [{name: arm, " BEAM "}]\n%s", rows[i].drive);
      vibes v = vibes_of(text, (lim_joints)k, 1);
      assert_string_equal(v.m->joints, rows[i].words[k]);
      assert_int_equal(v.m->rigid, !strcmp(rows[i].words[k], "free"));
      vibes_free(v);
    }
}

static void number_of_modes_is_at_most_that_of_coordinates(void **state) {
  (void)state;
  vibes v = vibes_of(ARM, LIM_JOINTS_DEFAULT, 10000);
  assert_int_equal(v.m->modes.count, 18);
  vibes_free(v);
}

// --- bases ---

static double first_with(const char *more) {
  char text[1000];
  snprintf(text, sizeof text, ARM PAYLOAD "    %s\n", more);
  vibes v = vibes_of(text, LIM_JOINTS_DEFAULT, 1);
  double f = hertz(v, 0);
  vibes_free(v);
  return f;
}

static void bases_bound_the_frequency_from_above(void **state) {
  (void)state;
  double full = first_with("basis: {type: full}");
  double modes = first_with("basis: {type: modes, count: 2}"),
         more = first_with("basis: {type: modes, count: 6}");
  double craig = first_with("basis: {type: craig-bampton, count: 0}");
  assert_true(modes > more && more > full * (1 - 1e-12));
  assert_true(modes < 1.05 * full);
  assert_true(craig > full * (1 - 1e-12) && craig < (1 + 1e-3) * full);
  NEAR(first_with("basis: {type: modes, count: 18}"), full, 1e-9);
}

static void segments_do_not_change_small_vibrations(void **state) {
  (void)state;
  const char *text[] = {"", ", segments: 3"};
  double f[2];
  for (int i = 0; i < 2; i++) {
    char model[1000];
    snprintf(model, sizeof model,
             HEAD "links:\n  - name: arm\n    beam: {length: 0.5, section: s, material: m, elements: 6%s}\n",
             text[i]);
    vibes v = vibes_of(model, LIM_JOINTS_DEFAULT, 1);
    f[i] = hertz(v, 0);
    vibes_free(v);
  }
  NEAR(f[1], f[0], 1e-12);
}

// --- arms ---

#define TWO_LINKS(upper, fore)                                                                                 \
  HEAD "links:\n  - name: upper\n    joint: {name: shoulder}\n    " BEAM "\n    " upper                        \
       "\n  - name: fore\n    joint: {name: elbow}\n    " BEAM "\n    " fore "\n"

static void every_joint_is_held_as_its_drive_says(void **state) {
  (void)state;
  vibes v =
      vibes_of(TWO_LINKS("", "") "drives: {shoulder: {type: servo, stiffness: 10}}\n", LIM_JOINTS_DEFAULT, 2);
  assert_string_equal(v.m->joints, "mixed");
  assert_int_equal(v.m->joint.count, 2);
  assert_string_equal(v.m->joint.item[0].held, "held");
  assert_string_equal(v.m->joint.item[1].held, "free");
  assert_int_equal(v.m->rigid, 1);
  assert_string_equal(v.m->modes.item[0].kind, "joint shoulder");
  vibes_free(v);
}

static void free_joints_of_a_chain_are_rigid_modes(void **state) {
  (void)state;
  const char *bases[] = {"full", "modes, count: 4", "craig-bampton, count: 2", "rigid"};
  for (int i = 0; i < 4; i++) {
    char text[1500];
    snprintf(text, sizeof text,
             TWO_LINKS("basis: {type: %s}", "basis: {type: %s}") "configuration: {elbow: 70 deg}\n", bases[i],
             bases[i]);
    vibes v = vibes_of(text, LIM_JOINTS_FREE, 3);
    assert_int_equal(v.m->rigid, 2);
    assert_int_equal(v.m->unstable, 0);
    vibes_free(v);
    v = vibes_of(text, LIM_JOINTS_LOCKED, 3);
    assert_int_equal(v.m->rigid, 0);
    vibes_free(v);
  }
}

// What is put in between the freedoms of a joint has no shape: held, it is as a pin is.
static void freedoms_of_a_joint_add_no_links_to_shapes(void **state) {
  (void)state;
#define ELBOW(joint) HEAD "links: [{name: arm, " BEAM "}, {name: hand, joint: " joint ", " BEAM "}]\n"
  vibes pin = vibes_of(ELBOW("{axis: [0, 0, 1]}"), LIM_JOINTS_LOCKED, 4);
  vibes cross = vibes_of(ELBOW("{type: universal}"), LIM_JOINTS_LOCKED, 4);
  assert_int_equal(cross.m->links.count, 2);
  assert_int_equal(cross.m->nnode, pin.m->nnode);
  for (int i = 0; i < 2; i++) {
    assert_string_equal(cross.m->links.item[i].name, pin.m->links.item[i].name);
    assert_int_equal(cross.m->links.item[i].first, pin.m->links.item[i].first);
  }
  for (int i = 0; i < 4; i++) {
    const double *a = pin.m->modes.item[i].shape, *b = cross.m->modes.item[i].shape;
    NEAR(hertz(cross, i), hertz(pin, i), 1e-10);
    for (int k = 0; k < 6 * pin.m->nnode; k++) assert_true(fabs(a[k] - b[k]) < 1e-7);
  }
  vibes_free(pin);
  vibes_free(cross);
}

// Stretched and locked, two links are one of twice the length; shapes go on over the joint.
static void locked_links_in_line_are_one_link(void **state) {
  (void)state;
  vibes two = vibes_of(TWO_LINKS("", ""), LIM_JOINTS_LOCKED, 6);
  vibes one = vibes_of(HEAD "links: [{name: arm, beam: {length: 1, section: s, material: m, elements: 6}}]\n",
                       LIM_JOINTS_LOCKED, 6);
  assert_int_equal(two.m->links.count, 2);
  assert_int_equal(two.m->links.item[1].first, 4);
  for (int i = 0; i < 6; i++) {
    NEAR(hertz(two, i), hertz(one, i), 1e-10);
    const double *a = two.m->modes.item[i].shape, *b = one.m->modes.item[i].shape;
    double sign = 0; // of a mode is free
    for (int k = 0; k < 42; k++) sign += a[k < 24 ? k : k + 6] * b[k];
    for (int k = 0; k < 42; k++)
      assert_true(fabs(a[k < 24 ? k : k + 6] - (sign < 0 ? -1 : 1) * b[k]) < 1e-7); // the elbow is listed twice
    for (int k = 0; k < 6; k++) assert_true(fabs(a[18 + k] - a[24 + k]) < 1e-9);
  }
  assert_string_equal(two.m->modes.item[0].kind, "upper bending y");
  vibes_free(two);
  vibes_free(one);
}

static void bases_agree_on_a_bent_arm(void **state) {
  (void)state;
  const char *bases[] = {"full", "craig-bampton, count: 8", "modes, count: 17"};
  const char *segments[] = {"1", "1", "1", "3"};
  double f[4][4];
  for (int i = 0; i < 4; i++) {
    char text[1500];
    snprintf(text, sizeof text,
             HEAD "links:\n  - name: upper\n    beam: {length: 500 mm, section: s, material: m, elements: 3, "
                  "segments: %s}\n    basis: {type: %s}\n    masses: [{at: tip, mass: 0.3}]\n"
                  "  - name: fore\n    joint: {origin: {rpy: [40 deg, 0, 0]}}\n    " BEAM
                  "\nconfiguration: {fore: 60 deg}\n",
             segments[i], bases[i % 3]);
    vibes v = vibes_of(text, LIM_JOINTS_LOCKED, 4);
    for (int k = 0; k < 4; k++) f[i][k] = hertz(v, k);
    vibes_free(v);
  }
  for (int k = 0; k < 4; k++) {
    NEAR(f[1][k], f[0][k], 1e-4);
    NEAR(f[2][k], f[0][k], 2e-3);
    NEAR(f[3][k], f[0][k], 1e-10);
    assert_true(f[1][k] > f[0][k] * (1 - 1e-9) && f[2][k] > f[0][k] * (1 - 1e-9));
  }
}

// --- what is refused ---

// The motor's coordinate stands between the joint's and those of the link: its damping must not shift.
static void ratio_of_a_link_behind_an_elastic_gear_is_its_own(void **state) {
  (void)state;
  const char *basis[] = {"full", "modes, count: 6", "craig-bampton, count: 4"};
  for (int i = 0; i < 3; i++) {
    char text[2048];
    snprintf(text, sizeof text,
             RIBBON "    damping: {ratio: 0.01}\n    basis: {type: %s}\ndrives: {arm: {type: motor, motor: "
                    "{rotor_inertia: 1e-4, ratio: 100}, gear: {stiffness: 1e14}}}\n",
             basis[i]);
    vibes v = vibes_of(text, LIM_JOINTS_LOCKED, 2);
    for (int k = 0; k < 2; k++) NEAR(v.m->modes.item[k].damping, 0.01, 1e-6);
    vibes_free(v);
  }
}

// Gains follow from the effective inertia of the closed chain, pins included: modes find what was asked for.
static void controller_of_a_closed_chain_has_the_bandwidth_it_was_given(void **state) {
  (void)state;
  vibes v = vibes_of("limber: 1\ngravity: [0, 0, 0]\nplanar: xy\nlinks:\n"
                     "  - {name: crank, body: {mass: 1, com: [0.08, 0.02, 0], inertia: [0.01, 0.01, 0.012], "
                     "tip: [0.2, 0, 0]}}\n"
                     "  - {name: coupler, body: {mass: 1.5, com: [0.3, 0.05, 0], inertia: [0.01, 0.03, 0.04], "
                     "tip: [0.55, 0, 0]}}\n"
                     "  - {name: rocker, parent: base, joint: {origin: {xyz: [0.6, 0.1, 0]}}, body: {mass: "
                     "1.2, com: [0.2, 0, 0], "
                     "inertia: [0.01, 0.02, 0.02], tip: [0.4, 0, 0]}}\n"
                     "loops: [{name: pin, type: revolute, between: [coupler.tip, rocker.tip]}]\n"
                     "configuration: {crank: 1.0, coupler: -0.6, rocker: 1.6}\n"
                     "drives: {crank: {type: motor, control: {bandwidth: 20 rad/s, damping: 0.5}, motor: "
                     "{rotor_inertia: 3e-4, "
                     "ratio: 14}}}\n",
                     LIM_JOINTS_HELD, 1);
  NEAR(hertz(v, 0), 20 / (2 * M_PI), 1e-9);
  NEAR(v.m->modes.item[0].damping, 0.5, 1e-9);
  vibes_free(v);
}

static void what_modes_does_not_know_is_refused(void **state) {
  (void)state;
  assert_refused(HEAD "links:\n  - name: arm\n    joint: {type: free}\n    " BEAM
                      "\nconfiguration: {arm: {velocity: [1, 0, 0]}}\n",
                 "joint 'arm' is free and moves", true);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(clamped_link_matches_euler_bernoulli),
      cmocka_unit_test(payload_lowers_frequencies_as_its_equation_says),
      cmocka_unit_test(free_joint_with_hub_matches_pinned_free),
      cmocka_unit_test(servo_holds_the_link_with_its_spring),
      cmocka_unit_test(sliding_joint_matches_guided_free),
      cmocka_unit_test(floating_link_matches_free_free),
      cmocka_unit_test(rigid_modes_are_the_freedoms_of_the_joint),
      cmocka_unit_test(stretching_and_torsion_have_their_wave_speeds),
      cmocka_unit_test(shapes_are_scaled_and_named),
      cmocka_unit_test(joints_are_free_held_or_locked_as_asked),
      cmocka_unit_test(number_of_modes_is_at_most_that_of_coordinates),
      cmocka_unit_test(bases_bound_the_frequency_from_above),
      cmocka_unit_test(segments_do_not_change_small_vibrations),
      cmocka_unit_test(every_joint_is_held_as_its_drive_says),
      cmocka_unit_test(free_joints_of_a_chain_are_rigid_modes),
      cmocka_unit_test(freedoms_of_a_joint_add_no_links_to_shapes),
      cmocka_unit_test(locked_links_in_line_are_one_link),
      cmocka_unit_test(bases_agree_on_a_bent_arm),
      cmocka_unit_test(ratio_of_a_link_behind_an_elastic_gear_is_its_own),
      cmocka_unit_test(controller_of_a_closed_chain_has_the_bandwidth_it_was_given),
      cmocka_unit_test(what_modes_does_not_know_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

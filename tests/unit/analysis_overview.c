// analysis_overview.c - tests of what `limber check` counts and weighs.
#include "analysis_fixture.h"

#include <stdlib.h>

static lim_overview overview_with(const char *text, const char *set) {
  lim_model *m = parse_with(text, &set, set != NULL);
  lim_overview o;
  lim_error err = {0};
  if (lim_overview_new(&o, m, &err) != LIM_OK) fail_msg("%s", err.note[0].text);
  lim_model_free(m);
  return o;
}

static lim_overview overview_of(const char *text) { return overview_with(text, NULL); }

static void degrees_of_freedom_are_those_of_joint_and_basis(void **state) {
  (void)state;
  const struct {
    const char *plane, *joint, *basis;
    int joint_dof, elastic_dof;
  } rows[] = {{"no", "revolute", "full", 1, 18}, {"no", "prismatic", "modes, count: 4", 1, 4},
              {"no", "fixed", "rigid", 0, 0},    {"no", "free", "full", 6, 18},
              {"xy", "free", "full", 3, 9},      {"xy", "revolute", "craig-bampton, count: 2", 1, 5}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[1000];
    snprintf(text, sizeof text,
             HEAD "planar: %s\nlinks:\n  - name: arm\n    joint: {type: %s%s}\n    " BEAM
                  "\n    basis: {type: %s}\n",
             rows[i].plane, rows[i].joint, strcmp(rows[i].joint, "prismatic") ? "" : ", axis: [1, 0, 0]",
             rows[i].basis);
    lim_overview o = overview_of(text);
    assert_int_equal(o.joint_dof, rows[i].joint_dof);
    assert_int_equal(o.elastic_dof, rows[i].elastic_dof);
    free(o.link);
  }
}

// Each of three segments has a tip of its own: Craig-Bampton with 2 modes and 3 directions at it, as have modes
// but for the last.
static void degrees_of_freedom_are_those_of_all_segments(void **state) {
  (void)state;
  const struct {
    const char *basis;
    int n;
  } rows[] = {{"full", 18}, {"modes, count: 2", 12}, {"craig-bampton, count: 2", 15}, {"rigid", 0}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[1000];
    snprintf(text, sizeof text,
             HEAD
             "planar: xy\nlinks:\n  - name: arm\n    beam: {length: 1, section: s, material: m, elements: 6, "
             "segments: 3}\n    basis: {type: %s}\n",
             rows[i].basis);
    lim_overview o = overview_of(text);
    assert_int_equal(o.elastic_dof, rows[i].n);
    free(o.link);
  }
}

// Three elements: of each field a value and a derivative at each of four nodes; in the guide only the
// derivatives of stretch and twist, and their values where it is flexible behind. With shear a field more for
// each plane, and slopes in the guide.
static void degrees_of_freedom_of_a_beam_that_slides(void **state) {
  (void)state;
  const struct {
    const char *plane, *slide, *basis, *element;
    int n;
  } rows[] = {{"no", "rigid", "full", "euler-bernoulli", 3 * 8 + 2},
              {"no", "flexible", "full", "euler-bernoulli", 3 * 8 + 4},
              {"xy", "rigid", "full", "euler-bernoulli", 3 * 4 + 1},
              {"xy", "flexible", "full", "euler-bernoulli", 3 * 4 + 2},
              {"no", "rigid", "full", "timoshenko", 3 * 12 + 4},
              {"no", "flexible", "full", "timoshenko-cubic", 3 * 12 + 6},
              {"xy", "rigid", "full", "timoshenko-cubic", 3 * 6 + 2},
              {"no", "rigid", "modes, count: 5", "timoshenko-cubic", 5},
              {"no", "rigid", "rigid", "timoshenko-cubic", 0}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[1000];
    snprintf(text, sizeof text,
             HEAD "planar: %s\nlinks:\n  - name: arm\n    joint: {type: prismatic, axis: [1, 0, 0], "
                  "slide: {behind: %s}}\n    " BEAM "\n    basis: {type: %s}\n",
             rows[i].plane, rows[i].slide, rows[i].basis);
    char set[64];
    snprintf(set, sizeof set, "links.arm.beam.element=%s", rows[i].element);
    lim_overview o = overview_with(text, set);
    assert_int_equal(o.joint_dof, 1);
    assert_int_equal(o.elastic_dof, rows[i].n);
    free(o.link);
  }
}

static void mass_sums_beams_bodies_masses_and_motors(void **state) {
  (void)state;
  lim_overview o =
      overview_of(HEAD "links:\n  - name: arm\n    " BEAM "\n    masses: [{mass: 0.3}, {at: 0.5, mass: 0.2}]\n"
                       "  - name: hand\n    body: {mass: 2}\n    masses: [{at: base, mass: 1}]\n"
                       "  - name: eye\n    joint: {type: fixed}\n"
                       "drives: {hand: {type: motor, motor: {mass: 4, ratio: 10}}}\n");
  NEAR(o.link[0].mass, RHO * A * L + 0.5, 1e-12);
  NEAR(o.link[1].mass, 3, 1e-12);
  NEAR(o.link[2].mass, 0, 1e-12);
  NEAR(o.mass, RHO * A * L + 0.5 + 3 + 4, 1e-12);
  assert_int_equal(o.joint_dof, 2);
  free(o.link);
}

// Tapered in depth from 20 to 10 mm: the mean depth counts.
static void mass_of_steps_and_tapers_is_exact(void **state) {
  (void)state;
  lim_overview o =
      overview_of("limber: 1\n" MATERIAL "sections: {s: {shape: rectangle, y: 20 mm, z: 30 mm}, t: {shape: "
                  "rectangle, y: 10 mm, z: 30 mm}}\nlinks:\n  - name: arm\n    beam: {material: m, section: "
                  "[{length: 0.2, section: s}, {length: 0.4, from: s, to: t}]}\n");
  NEAR(o.mass, RHO * 0.03 * (0.02 * 0.2 + 0.015 * 0.4), 1e-12);
  free(o.link);
}

// Clamped, without what the link carries, whatever its basis: the frequencies of modes with the joint locked.
static void frequencies_are_those_of_the_bare_clamped_link(void **state) {
  (void)state;
  vibes v = vibes_of(ARM, LIM_JOINTS_LOCKED, 3);
  lim_overview o = overview_of(ARM "    masses: [{mass: 5}]\n    basis: {type: rigid}\n");
  assert_int_equal(o.link[0].nfrequency, 3);
  for (int i = 0; i < 3; i++) NEAR(o.link[0].frequency[i], hertz(v, i), 1e-9);
  free(o.link);
  vibes_free(v);
}

static void massless_beam_has_no_frequencies(void **state) {
  (void)state;
  lim_overview o = overview_of("limber: 1\nmaterials: {m: {E: 70 GPa, rho: 0}}\n" SECTION
                               "links: [{name: arm, " BEAM "}]\n");
  assert_int_equal(o.link[0].nfrequency, 0);
  assert_int_equal(o.link[0].elastic_dof, 18);
  assert_true(o.mass == 0);
  free(o.link);
}

static void link_out_of_plane_is_refused_with_its_place(void **state) {
  (void)state;
  lim_model *m = parse(ARM "    joint: {origin: {rpy: [45 deg, 0, 0]}}\nplanar: xy\n");
  lim_overview o;
  lim_error err = {0};
  assert_int_equal(lim_overview_new(&o, m, &err), LIM_BAD_INPUT);
  assert_null(o.link);
  assert_non_null(strstr(err.note[0].text, "link 'arm': the plane of the model"));
  assert_true(err.note[0].line > 0);
  lim_error_clear(&err);
  lim_model_free(m);
}

static void frequency_that_no_arm_has_is_doubted(void **state) {
  (void)state;
  static const char text[] = HEAD "links:\n  - name: arm\n    " BEAM "\n";
  static const struct {
    const char *set, *doubt;
  } rows[] = {{"name=right", NULL}, {"materials.m.E=20 Pa", "too slow"}, {"materials.m.E=2e30 Pa", "too fast"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    lim_model *m = parse_with(text, &rows[i].set, 1);
    lim_overview o;
    lim_error err = {0};
    assert_int_equal(lim_overview_new(&o, m, &err), LIM_OK);
    assert_int_equal(err.warnings, rows[i].doubt != NULL);
    if (rows[i].doubt) assert_non_null(strstr(err.warning[0].text, rows[i].doubt));
    if (rows[i].doubt) assert_string_equal(err.warning[0].place, "arm");
    free(o.link);
    lim_error_clear(&err);
    lim_model_free(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(degrees_of_freedom_are_those_of_joint_and_basis),
      cmocka_unit_test(degrees_of_freedom_are_those_of_all_segments),
      cmocka_unit_test(frequency_that_no_arm_has_is_doubted),
      cmocka_unit_test(degrees_of_freedom_of_a_beam_that_slides),
      cmocka_unit_test(mass_sums_beams_bodies_masses_and_motors),
      cmocka_unit_test(mass_of_steps_and_tapers_is_exact),
      cmocka_unit_test(frequencies_are_those_of_the_bare_clamped_link),
      cmocka_unit_test(massless_beam_has_no_frequencies),
      cmocka_unit_test(link_out_of_plane_is_refused_with_its_place),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

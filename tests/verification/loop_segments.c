// loop_segments.c - a five-bar linkage of flexible links, split into segments of every reduced basis: the force
// of the pin passes all of them. It begins at rest under its weight. Independent path: the nodal coordinates of
// the same mesh.
#include "loop_fixture.h"

#define BAR(name, more, length, rest)                                                                          \
  "  - {name: " name ", " more "beam: {length: " length ", section: strip, material: al, elements: 8}" rest    \
  "}\n"
static const char FIVE_BAR[] =
    "limber: 1\nplanar: xy\ngravity: [0, -9.81, 0]\nmaterials: {al: {E: 71 GPa, nu: 0.33, rho: 2710}}\n"
    "sections: {strip: {shape: rectangle, y: 5 mm, z: 20 mm}}\nlinks:\n" BAR("a1", "", "0.3", "")
        BAR("a2", "", "0.4", "") BAR("b1", "parent: base, joint: {origin: {xyz: [0.3, 0, 0]}}, ", "0.3", "")
            BAR("b2", "", "0.4", ", masses: [{at: tip, mass: 0.5}]") //
    "loops: [{name: pin, between: [a2.tip, b2.tip]}]\n"
    "motion:\n  a1: {profile: cycloidal, from: 120 deg, to: 90 deg, duration: 0.4 s}\n"
    "  b1: {profile: cycloidal, from: 60 deg, to: 80 deg, duration: 0.4 s}\n"
    "configuration: {a2: -60 deg, b2: 60 deg}\nsolver: {duration: 0.05 s, step: 1 ms, start: equilibrium}\n";

typedef struct {
  double first, last; // effort that drives a1 [N m]
} efforts;

static void look(void *user, const lim_snapshot *m) {
  efforts *e = user;
  e->last = m->effort[joint_of(m->system, "a1")];
  if (m->t == 0) e->first = e->last;
}

static efforts efforts_of(const char *basis, int segments) {
  static const char *const link[] = {"a1", "a2", "b1", "b2"};
  char text[8][80];
  const char *set[9] = {0};
  efforts e = {0};
  for (int i = 0; i < 4; i++) {
    snprintf(text[2 * i], sizeof text[0], "links.%s.basis={type: %s}", link[i], basis);
    snprintf(text[2 * i + 1], sizeof text[0], "links.%s.beam.segments=%d", link[i], segments);
  }
  for (int i = 0; i < 8; i++) set[i] = text[i];
  watch(model_of(FIVE_BAR, set), look, &e);
  return e;
}

// tolerance: for 1, 2 and 4 segments; of modes it falls to an eighth
static void check(const char *basis, const double tolerance[3]) {
  for (int k = 0; k < 3; k++) {
    char what[80];
    efforts whole = efforts_of("full", 1 << k), e = efforts_of(basis, 1 << k);
    snprintf(what, sizeof what, "%s, %d segments: effort at rest [N m]", basis, 1 << k);
    table_row(what, e.first, whole.first, tolerance[k], "full basis");
    snprintf(what, sizeof what, "%s, %d segments: after 0.05 s", basis, 1 << k);
    table_row(what, e.last, whole.last, tolerance[k], "full basis");
  }
}

static void more_segments_of_modes_come_nearer_to_the_full_basis(void **state) {
  (void)state;
  table_head("Flexible five-bar linkage: effort that drives it");
  check("modes, count: 1", (double[]){8e-3, 1e-3, 1.25e-4});
  check("modes, count: 2", (double[]){1.2e-3, 1.5e-4, 2e-5});
}

static void segments_of_craig_bampton_modes_agree_with_the_full_basis(void **state) {
  (void)state;
  table_head("Flexible five-bar linkage: effort that drives it");
  check("craig-bampton, count: 2", (double[]){1e-6, 1e-6, 1e-7});
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(more_segments_of_modes_come_nearer_to_the_full_basis),
      cmocka_unit_test(segments_of_craig_bampton_modes_agree_with_the_full_basis),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

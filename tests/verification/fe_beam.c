// fe_beam.c - a beam written as a finite-element model is the same arm as limber's own beam: at rest, in its
// frequencies, in a fast motion. The elements are those of the beam, assembled here over six freedoms a node;
// all modes with its frames held are kept, so that nothing is lost.
#include "fe_fixture.h"

// --- arms ---

#define ARM_HEAD                                                                                               \
  "limber: 1\n"                                                                                                \
  "materials: {m: {E: 70 GPa, nu: 0.33, rho: 2700}}\n"                                                         \
  "sections: {s: {shape: general, A: 400 mm^2, Iy: 40000 mm^4, Iz: 20000 mm^4, J: 30000 mm^4, kappa: [0.8, "   \
  "0.7]}}\n"

typedef struct {
  int elements;
  char beam[160], fe[400];
} kinds;

// A beam of so many elements, 0.5 m long, and the entries of a link that is it, either way.
static kinds kinds_of(int elements, const char *mass) {
  kinds k = {.elements = elements};
  char text[800];
  snprintf(k.beam, sizeof k.beam, "beam: {length: 0.5 m, section: s, material: m, elements: %d, mass: %s}",
           elements, mass);
  snprintf(text, sizeof text, ARM_HEAD "links:\n  - {name: a, %s}\n", k.beam);
  part p = part_of_beam(text);
  part_write(&p, "beam");
  part_free(&p);
  snprintf(k.fe, sizeof k.fe,
           "fe: {stiffness: @/beam-k.mtx, mass: @/beam-m.mtx, nodes: @/beam.csv, frames: {base: {nodes: [1]}, "
           "tip: {nodes: [%d]}}}, basis: {type: craig-bampton, count: %d}",
           elements + 1, 6 * (elements - 1));
  return k;
}

static void arm_of(char out[TEXT_MOST], const char *kind, const char *more) {
  snprintf(
      out, TEXT_MOST,
      ARM_HEAD
      "links:\n"
      "  - {name: upper, joint: {axis: [0, 0, 1]}, %s}\n"
      "  - {name: fore, joint: {axis: [0, 1, 1]}, %s, masses: [{mass: 0.3, inertia: [1e-4, 2e-4, 3e-4]}]}\n"
      "configuration: {upper: {position: 20 deg}, fore: {position: 50 deg}}\n"
      "%s",
      kind, kind, more);
}

static void frequencies_match_the_beam(void **state) {
  (void)state;
  enum { COUNT = 12 };
  for (int elements = 3; elements <= 12; elements *= 2) {
    char text[2][TEXT_MOST], title[80];
    double hz[2][COUNT];
    const kinds k = kinds_of(elements, "consistent");
    arm_of(text[0], k.beam, "solver: {stiffening: off}\n");
    arm_of(text[1], k.fe, "solver: {stiffening: off}\n");
    for (int i = 0; i < 2; i++) frequencies(hz[i], COUNT, text[i], NULL, LIM_JOINTS_LOCKED);
    snprintf(title, sizeof title, "Two links of %d elements: frequencies [Hz]", elements);
    table_head(title);
    for (int i = 0; i < COUNT; i++) table_row("", hz[1][i], hz[0][i], 1e-9, "as a beam");
  }
}

static void rest_matches_the_beam(void **state) {
  (void)state;
  const kinds k = kinds_of(6, "consistent");
  char text[2][TEXT_MOST];
  resting r[2];
  for (int i = 0; i < 2; i++) {
    arm_of(text[i], i ? k.fe : k.beam,
           "loads: [{at: tip, force: [0.2, 0.1, -0.3], moment: [0.01, 0.02, 0.03]}]\n"
           "gravity: [0, 0, -0.1]\n"
           "solver: {stiffening: off}\n");
    r[i] = at_rest(text[i], NULL, "fore.tip");
  }
  table_head("At rest under a small load and gravity");
  for (int i = 0; i < 3; i++)
    table_row("displacement of the tip [m]", r[1].displacement[i], r[0].displacement[i], 1e-9, "as a beam");
  for (int i = 0; i < 3; i++)
    table_row("its rotation [rad]", r[1].rotation[i], r[0].rotation[i], 1e-9, "as a beam");
  for (int i = 0; i < 3; i++)
    table_row("force at the base [N]", r[1].force[i], r[0].force[i], 1e-9, "as a beam");
  for (int i = 0; i < 3; i++)
    table_row("moment at the base [N m]", r[1].moment[i], r[0].moment[i], 1e-9, "as a beam");
}

// --- motion ---

#define FAST                                                                                                   \
  "motion:\n"                                                                                                  \
  "  upper: {profile: quintic, to: 120 deg, duration: 0.25 s}\n"                                               \
  "  fore: {profile: quintic, to: -150 deg, duration: 0.25 s}\n"                                               \
  "solver: {stiffening: off, duration: 0.3 s, step: 0.5 ms, tolerance: 1e-12}\n"                               \
  "outputs: {every: 1 ms}\n"

// Momentum of the nodes' rotations counts with the nodal mass matrix, and its displacements are one and the
// same field in all directions; the points of the beam have none and another field along the beam. Both tend to
// the same beam, as the square of the length of the elements.
static void fast_motion_matches_the_beam(void **state) {
  (void)state;
  static path p[2];
  double bend[3], effort[3];
  table_head("Two links turn by 120 and 150 deg in 0.25 s: largest difference beside the largest value");
  for (int n = 0; n < 3; n++) {
    char text[TEXT_MOST], what[80];
    const kinds k = kinds_of(3 << n, "consistent");
    for (int i = 0; i < 2; i++) {
      arm_of(text, i ? k.fe : k.beam, FAST);
      move_arm(&p[i], text, NULL);
    }
    bend[n] = apart(p[1].bend, p[0].bend, 3 * p[0].count);
    effort[n] = apart(p[1].effort, p[0].effort, 2 * p[0].count);
    snprintf(what, sizeof what, "%d elements: tip against the rigid arm, %.3g mm", 3 << n,
             1e3 * largest_of(p[0].bend, 3 * p[0].count));
    table_bound(what, bend[n], 2e-3, "as a beam");
    snprintf(what, sizeof what, "efforts of its joints, %.3g N m", largest_of(p[0].effort, 2 * p[0].count));
    table_bound(what, effort[n], 2e-3, "as a beam");
  }
  table_head("The same differences with elements of double the length");
  for (int n = 0; n < 2; n++) {
    table_row("tip", bend[n] / bend[n + 1], 4, 0.2, "second order");
    table_row("efforts", effort[n] / effort[n + 1], 4, 0.2, "second order");
  }
}

// Masses that sit in the nodes, without rotations, are the points of such a beam.
static void fast_motion_of_lumped_masses_is_that_of_the_beam(void **state) {
  (void)state;
  static path p[2];
  char text[TEXT_MOST];
  const kinds k = kinds_of(6, "lumped");
  for (int i = 0; i < 2; i++) {
    arm_of(text, i ? k.fe : k.beam, FAST);
    move_arm(&p[i], text, NULL);
  }
  table_head("The same motion with lumped masses");
  table_bound("tip against the rigid arm", apart(p[1].bend, p[0].bend, 3 * p[0].count), 1e-9, "as a beam");
  table_bound("efforts of its joints", apart(p[1].effort, p[0].effort, 2 * p[0].count), 1e-9, "as a beam");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(frequencies_match_the_beam),
      cmocka_unit_test(rest_matches_the_beam),
      cmocka_unit_test(fast_motion_matches_the_beam),
      cmocka_unit_test(fast_motion_of_lumped_masses_is_that_of_the_beam),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}

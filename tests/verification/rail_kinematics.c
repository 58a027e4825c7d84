// rail_kinematics.c - position, velocity and acceleration of carriages that run fast along rails which bend
// both ways and twist: each is the derivative of the one before, by differences in time of the recorded
// channels.
#include "rail_fixture.h"

// A soft rail, plucked, with a heavy arm beside it; the hand is off the carriage in all directions.
#define SOFT                                                                                                   \
  "limber: 1\nmaterials: {m: {E: 3 GPa, nu: 0.35, rho: 1400}}\n"                                               \
  "sections: {s: {shape: rectangle, y: 30 mm, z: 20 mm}}\nlinks:\n  - name: rail\n"
#define BEAM(more) "    beam: {length: 1, section: s, material: m, elements: 4" more "}\n"
#define CARRIAGE                                                                                               \
  "  - name: trolley\n    joint: {type: prismatic, rail: beam, origin: {xyz: [0.02, 0.05, -0.03], rpy: [0.3, " \
  "-0.2, 0.5]}}\n"                                                                                             \
  "    body: {mass: 0.3, com: [0.03, 0.1, 0.02], inertia: [1e-3, 2e-3, 1.5e-3]}\n"                             \
  "frames: [{name: hand, on: trolley, xyz: [0.1, -0.05, 0.15]}]\n"
#define PLUCKED(more)                                                                                          \
  "configuration: {" more "deformation: {rail: {tip: [0, 0.05, -0.04], rate: [0, -1, 0.5]}}}\n"
#define SWEEP "motion: {trolley: {profile: cycloidal, from: 0.03, to: 0.97, duration: 0.06}}\n"
#define RUN                                                                                                    \
  "solver: {method: rk4, step: 5 us, duration: 0.06}\n"                                                        \
  "outputs: {every: 5 us, channels: [hand.position, hand.velocity, hand.acceleration, "                        \
  "trolley.base.position, "                                                                                    \
  "trolley.base.velocity, trolley.base.acceleration, trolley.position, trolley.velocity]}\n"

// Whether the carriage is in one element of the rail, of `elements` over a length of 1 m, at all five moments,
// and not at its ends: a moment at a node may belong to either element.
static bool within_an_element(const double *s, int i, int elements) {
  const double low = fmin(fmin(s[i - 2], s[i + 2]), s[i]), high = fmax(fmax(s[i - 2], s[i + 2]), s[i]);
  return floor(low * elements - 1e-9) == floor(high * elements + 1e-9);
}

// Largest difference between x and the derivative of y by the rule of five points, over the largest x.
static double off_derivative(const recorded *r, const char *y, const char *x, int elements) {
  const double *a[3], *b[3], *s = recorded_channel(r, "trolley.position"), dt = r->t[1] - r->t[0];
  double worst = 0, size = 0;
  int looked = 0;
  recorded_vector(a, r, y);
  recorded_vector(b, r, x);
  for (int i = 2; i < r->count - 2; i++) {
    if (elements && !within_an_element(s, i, elements)) continue;
    looked++;
    for (int k = 0; k < 3; k++) {
      const double slope = (8 * (a[k][i + 1] - a[k][i - 1]) - (a[k][i + 2] - a[k][i - 2])) / (12 * dt);
      worst = fmax(worst, fabs(slope - b[k][i]));
      size = fmax(size, fabs(b[k][i]));
    }
  }
  assert_true(looked > 0.9 * r->count);
  return worst / size;
}

// Curvature of cubic elements has kinks at nodes, where differences of five points are of lower order. Of
// segments see rail_bases.
static void check(const char *title, const char *model, const char *const *set) {
  recorded r = record_run(model, set);
  table_head(text("%s: differences in time, off over largest", title));
  table_bound("carriage, velocity", off_derivative(&r, "trolley.base.position", "trolley.base.velocity", 4),
              1e-6, "derivative of the position");
  table_bound("carriage, acceleration",
              off_derivative(&r, "trolley.base.velocity", "trolley.base.acceleration", 4), 1e-6,
              "derivative of the velocity");
  table_bound("hand, velocity", off_derivative(&r, "hand.position", "hand.velocity", 4), 1e-6,
              "derivative of the position");
  table_bound("hand, acceleration", off_derivative(&r, "hand.velocity", "hand.acceleration", 4), 1e-6,
              "derivative of the velocity");
  if (!strstr(title, "segments"))
    table_bound("hand, velocity, across nodes too", off_derivative(&r, "hand.position", "hand.velocity", 0),
                1e-5, "derivative of the position");
  recorded_free(&r);
}

static void driven_carriage_moves_consistently(void **state) {
  (void)state;
  static const char model[] = SOFT "    joint: {type: fixed}\n" BEAM("") CARRIAGE SWEEP PLUCKED("") RUN;
  check("Cantilever, full basis", model, NULL);
  check("Cantilever, 6 modes", model, (const char *[]){"links.rail.basis={type: modes, count: 6}", NULL});
  check("Cantilever, craig-bampton", model,
        (const char *[]){"links.rail.basis={type: craig-bampton, count: 2}", NULL});
  check("Cantilever in 2 segments", model, (const char *[]){"links.rail.beam.segments=2", NULL});
}

// The rail turns with its joint, and the carriage goes as it likes.
static void free_carriage_on_a_turning_rail_moves_consistently(void **state) {
  (void)state;
  static const char model[] = SOFT "    joint: {axis: [0.6, 0, 0.8]}\n" BEAM("")
      CARRIAGE PLUCKED("rail: {position: 0.3, velocity: 6}, trolley: {position: 0.3, velocity: "
                       "1}, ") "drives: {rail: {type: effort, effort: 5}}\n" RUN;
  check("Free carriage on a turning rail", model, (const char *[]){"solver.duration=0.05", NULL});
}

// A rail on a rail: a bridge that bends runs along the first, a carriage along the bridge.
static void carriage_on_a_bridge_on_a_rail_moves_consistently(void **state) {
  (void)state;
  static const char model[] = SOFT "    joint: {type: fixed}\n" BEAM(
      "") "  - name: bridge\n"
          "    joint: {type: prismatic, rail: beam, origin: {rpy: [0.2, 0, 1.4]}}\n" BEAM("") CARRIAGE
      "motion:\n  bridge: {profile: harmonic, amplitude: 0.06, frequency: 5}\n"
      "  trolley: {profile: cycloidal, from: 0.03, to: 0.97, duration: 0.06}\n"
      "configuration: {bridge: 0.6, deformation: {rail: {tip: [0, 0.02, -0.03]}, bridge: {tip: [0, 0.03, "
      "0.05]}}}\n" RUN;
  check("Carriage on a bridge on a rail", model,
        (const char *[]){"motion.bridge=[{profile: speed, value: 0.4}]", NULL});
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(driven_carriage_moves_consistently),
      cmocka_unit_test(free_carriage_on_a_turning_rail_moves_consistently),
      cmocka_unit_test(carriage_on_a_bridge_on_a_rail_moves_consistently),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

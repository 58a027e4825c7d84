// example_gantry.c - models/gantry.yaml, docs/examples/gantry.md: how its rails share the load by the lever,
// the second rail as a beam that is clamped at both ends, the energy of its motion; what a moment of a carriage
// lacks between nodes.
#include "example_fixture.h"

#define GANTRY "models/gantry.yaml"
static const double G = 9.81, SPAN = 3, LENGTH = 6, STEEL = 7850, E = 210e9;

static double box_area(double y, double z, double wall) { return y * z - (y - 2 * wall) * (z - 2 * wall); }

// What hangs from the trolley with it, the bridge, its far end, the carriage [kg].
static double hung(void) { return 40 + 8 + 20 + 2 * 2700 * M_PI / 4 * (0.09 * 0.09 - 0.08 * 0.08); }
static double girder(void) { return STEEL * box_area(0.16, 0.16, 0.005) * SPAN; }
static const double FAR_END = 15, CARRIAGE = 25;

static double load_of_second(double trolley) { return (girder() / 2 + FAR_END + hung() * trolley / SPAN) * G; }
static double load_of_both(void) { return (girder() + FAR_END + CARRIAGE + hung()) * G; }

// Channels at rest. As the bridge bends and tilts, the part hangs up to 0.3 mm beside its place: 1e-4 of the
// load.
static void compare_loads(const char *mode, double tolerance) {
  static const double trolley[] = {0.5, 1.5, 2.5};
  table_head(text("Gantry, mode %s, at rest: what each rail bears", mode));
  for (int i = 0; i < 3; i++) {
    recorded r =
        record_run(example(GANTRY), (const char *[]){"motion={}", text("configuration.cross=%g", trolley[i]),
                                                     text("solver.mode=%s", mode), "solver.duration=2.5e-3",
                                                     "outputs={channels: [travel.force, shoe.force]}", NULL});
    const double second = load_of_second(trolley[i]), first = load_of_both() - second;
    table_row(text("trolley at %g m: rail 1 [N]", trolley[i]), recorded_channel(&r, "travel.force.z")[0], first,
              tolerance, "lever");
    table_row("  rail 2 [N]", recorded_channel(&r, "shoe.force.z")[0], second, tolerance, "lever");
    recorded_free(&r);
  }
}

static void rails_share_the_load_by_the_lever(void **state) {
  (void)state;
  compare_loads("nonlinear", 1e-4);
  compare_loads("rigid", 1e-10);
}

// Nothing but the hinge moves the far end of the rigid gantry: it has no force along the bridge, at any time.
static void rigid_rails_are_not_squeezed(void **state) {
  (void)state;
  recorded r = record_run(example(GANTRY), (const char *[]){"solver.mode=rigid", NULL});
  table_head("Rigid gantry in motion");
  table_bound("second rail, along the bridge [N]", example_largest(&r, "shoe.force.y"), 1e-9,
              "nothing moves it");
  table_row("first rail, along the bridge [N]", example_largest(&r, "travel.force.y"),
            example_largest(&r, "cross.effort"), 1e-9, "the drive of the trolley");
  recorded_free(&r);
}

// To first order, its own weight included.
static void second_rail_sags_as_a_clamped_beam(void **state) {
  (void)state;
  static const double travel[] = {1.5, 3, 4.5};
  const double EI = E * (0.08 * 0.12 * 0.12 * 0.12 - 0.07 * 0.11 * 0.11 * 0.11) / 12,
               weight = STEEL * box_area(0.08, 0.12, 0.005) * G;
  table_head("Gantry at rest, trolley at 0.5 m: the second rail sags under the bridge");
  for (int i = 0; i < 3; i++) {
    const double a = travel[i], b = LENGTH - a, cube = LENGTH * LENGTH * LENGTH;
    const double sag =
        load_of_second(0.5) * a * a * a * b * b * b / (3 * EI * cube) + weight * a * a * b * b / (24 * EI);
    asked s = ask_static(example(GANTRY), (const char *[]){"motion={}", "solver={geometry: linear}",
                                                           text("configuration.travel=%g", a),
                                                           "links.rail2.beam.element=euler-bernoulli", NULL});
    table_row(text("bridge at %g m: z [m]", a), displacement(&s, "bridge.tip")[2], -sag, 1e-7,
              "Euler, Bernoulli");
    asked_free(&s);
  }
}

static void energy_of_the_motion_balances(void **state) {
  (void)state;
  recorded r = record_run(example(GANTRY), NULL);
  table_head("Gantry in motion, 2.5 ms");
  table_bound("energy that is not accounted for, over its peak", example_largest(&r, "energy.balance"), 5e-5,
              "books");
  recorded_free(&r);
}

// --- a moment between nodes ---

#define BEAM                                                                                                   \
  "limber: 1\nplanar: xy\ngravity: [0, 0, 0]\nmaterials: {steel: {E: 210 GPa, nu: 0.3, rho: 7850}}\n"          \
  "sections: {s: {shape: rectangle, y: 40 mm, z: 40 mm}}\nlinks:\n"                                            \
  "  - name: beam\n    joint: {type: fixed}\n"                                                                 \
  "    beam: {length: 4, section: s, material: steel, elements: 8, element: euler-bernoulli}\n"                \
  "  - {name: car, joint: {name: travel, type: prismatic, rail: beam}, body: {mass: 1}}\n"                     \
  "frames: [{name: wall, on: base, xyz: [4, 0, 0]}]\n"                                                         \
  "loops: [{name: end, type: fixed, between: [beam.tip, wall]}]\n"                                             \
  "drives: {travel: {type: prescribed}}\nconfiguration: {travel: 2}\n"                                         \
  "loads: [{at: car.base, moment: [0, 0, 10]}]\nsolver: {geometry: linear}\n"

static void moment_of_a_carriage_lacks_a_part_between_nodes(void **state) {
  (void)state;
  const double EI = E * 0.04 * 0.04 * 0.04 * 0.04 / 12, L = 4, M = 10;
  table_head("Beam clamped at both ends, 10 N m on a carriage: turn of the section");
  for (int n = 8; n <= 32; n *= 2) {
    const double h = L / n, places[] = {2, 2 + h / 2};
    for (int i = 0; i < 2; i++) {
      const double a = places[i], b = L - a, turn = M * a * b * (L * L - 3 * a * b) / (EI * L * L * L);
      asked s = ask_static(BEAM, (const char *[]){text("configuration.travel=%.17g", a),
                                                  text("links.beam.beam.elements=%d", n), NULL});
      table_row(text("%d elements, at %g m [rad]", n, a), rotation(&s, "car.base")[2],
                turn - (i ? 3 * M * h / (64 * EI) : 0), 1e-9,
                i ? "closed form less 3 M h/64 EI" : "closed form");
      asked_free(&s);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rails_share_the_load_by_the_lever),
      cmocka_unit_test(rigid_rails_are_not_squeezed),
      cmocka_unit_test(second_rail_sags_as_a_clamped_beam),
      cmocka_unit_test(energy_of_the_motion_balances),
      cmocka_unit_test(moment_of_a_carriage_lacks_a_part_between_nodes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

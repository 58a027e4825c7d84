// rail_gantry.c - two rails along x, a bridge that runs on one of them and rests with its far end on the other,
// a trolley on the bridge. How the rails share the load by statics; displacements and natural frequencies
// against a frame of Euler and Bernoulli's elements that is assembled here, with the same conditions: the near
// end of the bridge turns with the section of the first rail, the far end stays on the axis of the second, may
// run along it and turn.
#include "rail_frame_fixture.h"

static const double WIDTH = 3, E = 70e9, G = 26e9, RHO = 2700;

// The first rail floats on bushings at both ends, the second is clamped at both. The hinged bridge has a
// carriage of its own, on which it turns about the rail.
#define HEAD                                                                                                   \
  "limber: 1\ngravity: [0, 0, 0]\nmaterials: {alu: {E: 70 GPa, G: 26 GPa, rho: 2700}}\n"                       \
  "sections:\n  rail: {shape: general, A: 3000 mm^2, Iy: 6e6 mm^4, Iz: 2e6 mm^4, J: 4e5 mm^4}\n"               \
  "  girder: {shape: general, A: 2000 mm^2, Iy: 3e6 mm^4, Iz: 1e6 mm^4, J: 2e6 mm^4}\n"                        \
  "links:\n  - name: one\n    joint: {type: free}\n"                                                           \
  "    beam: {length: 4, section: rail, material: alu, elements: 8, element: euler-bernoulli}\n"
#define GIRDER                                                                                                 \
  "    beam: {length: 3, section: girder, material: alu, elements: 6, element: euler-bernoulli}\n"             \
  "    masses: [{at: base, mass: 20}]\n"
#define STIFF                                                                                                  \
  "  - name: bridge\n    joint: {type: prismatic, rail: beam, origin: {rpy: [0, 0, 90 deg]}}\n" GIRDER
#define HINGED                                                                                                 \
  "  - {name: carriage, joint: {name: bridge, type: prismatic, rail: beam, origin: {rpy: [0, 0, 90 deg]}}}\n"  \
  "  - name: girder\n    joint: {name: hinge, axis: [0, 1, 0]}\n" GIRDER
#define REST(tip)                                                                                              \
  "  - {name: trolley, joint: {type: prismatic, rail: beam}, body: {mass: 40, com: [0, 0, -0.3], inertia: "    \
  "[2, 2, "                                                                                                    \
  "1]}}\n"                                                                                                     \
  "  - name: two\n    parent: base\n    joint: {type: fixed, origin: {xyz: [0, 3, 0]}}\n"                      \
  "    beam: {length: 4, section: rail, material: alu, elements: 8, element: euler-bernoulli}\n"               \
  "frames:\n  - {name: far one, on: base, xyz: [4, 0, 0]}\n  - {name: far two, on: base, xyz: [4, 3, 0]}\n"    \
  "  - {name: mid one, on: one, at: 0.5}\n  - {name: mid two, on: two, at: 0.5}\n"                             \
  "bushings:\n"                                                                                                \
  "  - {name: near, between: [one.base, base], stiffness: [2e7, 3e7, 4e7, 1e5, 2e5, 3e5]}\n"                   \
  "  - {name: far, between: [one.tip, far one], stiffness: [1e7, 2e7, 3e7, 2e5, 1e5, 1e5]}\n"                  \
  "loops:\n  - {name: clamp, type: fixed, between: [far two, two.tip]}\n"                                      \
  "  - {name: wheel, type: rail, between: [" tip ", two]}\n"                                                   \
  "drives: {bridge: {type: prescribed}, trolley: {type: prescribed}}\n"
#define PLACES "configuration: {bridge: 1.5, trolley: 1}\n"

static const char stiff[] = HEAD STIFF REST("bridge.tip") PLACES,
                  hinged[] = HEAD HINGED REST("girder.tip") PLACES;

// --- the same by finite elements ---

static const double near[6] = {2e7, 3e7, 4e7, 1e5, 2e5, 3e5}, far[6] = {1e7, 2e7, 3e7, 2e5, 1e5, 1e5};

static frame_section section_of(double area, double Iy, double Iz, double torsion) {
  return (frame_section){E * area,   G * torsion,     E * Iy,   E * Iz,
                         RHO * area, RHO * (Iy + Iz), RHO * Iy, RHO * Iz};
}

// How it stands, and its mesh: at nodes, a carriage moves as they do, whatever is between.
typedef struct {
  bool hinge;
  double bridge, trolley; // where on the first rail, and on the bridge
  int rail_elements, girder_elements;
} gantry_setup;

typedef struct {
  frame *f;
  frame_beam one, two, girder;
  int tip; // node
} gantry;

static void gantry_masses(gantry *g, double trolley) {
  double rows[6][FRAME_MOST];
  frame_section_rows(rows, &g->girder, 0);
  frame_mass(g->f, rows, 20, (double[3]){0, 0, 0});
  frame_section_rows(rows, &g->girder, trolley);
  frame_offset(rows, (double[3]){0, 0, -0.3});
  frame_mass(g->f, rows, 40, (double[3]){2, 2, 1}); // its x and y are alike
}

static void gantry_conditions(gantry *g, const gantry_setup *x) {
  double rows[6][FRAME_MOST];
  for (int i = 0; i < 6; i++) {
    frame_hold(g->f, 6 * g->two.first + i);
    frame_hold(g->f, 6 * (g->two.first + g->two.elements) + i);
  }
  frame_section_rows(rows, &g->one, x->bridge);
  for (int i = 0; i < 6; i++)
    if (!x->hinge || i != 3) frame_follow(g->f, 6 * g->girder.first + i, rows[i]);
  frame_section_rows(rows, &g->two, x->bridge);
  frame_follow(g->f, 6 * g->tip + 1, rows[1]);
  frame_follow(g->f, 6 * g->tip + 2, rows[2]);
}

static gantry gantry_new(const gantry_setup *x) {
  const frame_section rail = section_of(3e-3, 6e-6, 2e-6, 4e-7), beam = section_of(2e-3, 3e-6, 1e-6, 2e-6);
  const int two = x->rail_elements + 1, bridge = 2 * two, nodes = bridge + x->girder_elements + 1;
  gantry g = {.f = frame_new(nodes),
              .one = {0, x->rail_elements, 4, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, rail},
              .two = {two, x->rail_elements, 4, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, rail},
              .girder = {bridge, x->girder_elements, 3, {{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}}, beam},
              .tip = nodes - 1};
  frame_add(g.f, &g.one);
  frame_add(g.f, &g.two);
  frame_add(g.f, &g.girder);
  frame_springs(g.f, 0, near);
  frame_springs(g.f, x->rail_elements, far);
  gantry_masses(&g, x->trolley);
  gantry_conditions(&g, x);
  return g;
}

// With the mesh of the model.
static gantry gantry_at_nodes(bool hinge, double trolley) {
  return gantry_new(&(gantry_setup){hinge, 1.5, trolley, 8, 6});
}

// Under the force F on the section of the girder where the trolley stands.
static void gantry_load(double u[FRAME_MOST], double p[FRAME_MOST], const gantry *g, double trolley,
                        const double F[3]) {
  double rows[6][FRAME_MOST];
  frame_section_rows(rows, &g->girder, trolley);
  for (int i = 0; i < FRAME_MOST; i++) p[i] = F[0] * rows[0][i] + F[1] * rows[1][i] + F[2] * rows[2][i];
  frame_solve(u, g->f, p);
}

// Where and how a section moves.
static void moved(double out[6], const frame_beam *b, double x, const double u[FRAME_MOST]) {
  double rows[6][FRAME_MOST];
  frame_section_rows(rows, b, x);
  for (int k = 0; k < 6; k++) {
    out[k] = 0;
    for (int i = 0; i < FRAME_MOST; i++) out[k] += rows[k][i] * u[i];
  }
}

// --- at rest ---

static const double places[] = {0, 0.5, 1, 2.5, 3};

static void largest(double *worst, double *size, const double *computed, const double *expected) {
  for (int i = 0; i < 3; i++) {
    *worst = fmax(*worst, fabs(computed[i] - expected[i]));
    *size = fmax(*size, fabs(expected[i]));
  }
}

// To first order, under a force that pushes in all directions.
static void gantry_yields_as_its_frame(void **state) {
  (void)state;
  const double F[3] = {300, 500, -1000};
  for (int hinge = 0; hinge < 2; hinge++) {
    table_head(hinge ? "Gantry, bridge hinged on its carriage; [300, 500, -1000] N on the trolley, first order"
                     : "Gantry, bridge that turns with the first rail; [300, 500, -1000] N on the trolley");
    for (int i = 0; i < 5; i++) {
      const double at = places[i];
      gantry g = gantry_at_nodes(hinge, at);
      double u[FRAME_MOST], p[FRAME_MOST], trolley[6], tip[6], one[6], two[6];
      gantry_load(u, p, &g, at, F);
      moved(trolley, &g.girder, at, u);
      moved(tip, &g.girder, 3, u);
      moved(one, &g.one, 2, u);
      moved(two, &g.two, 2, u);
      asked s = ask_static(hinge ? hinged : stiff,
                           (const char *[]){"solver={geometry: linear}",
                                            "loads=[{at: trolley.base, force: [300, 500, -1000]}]",
                                            text("configuration.trolley=%g", at), NULL});
      double worst = 0, size = 0, turn = 0, turned = 0;
      largest(&worst, &size, displacement(&s, "mid one"), one);
      largest(&worst, &size, displacement(&s, "mid two"), two);
      largest(&worst, &size, displacement(&s, hinge ? "girder.tip" : "bridge.tip"), tip);
      largest(&turn, &turned, rotation(&s, "trolley.base"), trolley + 3);
      table_row(text("trolley at %g m: z [m]", at), displacement(&s, "trolley.base")[2], trolley[2], 1e-8,
                "assembled frame");
      table_row("  x [m]", displacement(&s, "trolley.base")[0], trolley[0], 1e-8, "assembled frame");
      table_bound("  rails and far end, off over largest", worst / size, 1e-8, "assembled frame");
      table_bound("  turn of the trolley, off over largest", turn / turned, 1e-8, "assembled frame");
      asked_free(&s);
      free(g.f);
    }
  }
}

// Between nodes a carriage finds the rail a little stiffer where it twists, by what falls as the mesh: at 0.2
// of an element of 8, at 0.8 of one of 32. Frames are exact at their nodes, so few elements do for the
// reference.
static void between_nodes_the_gantry_converges(void **state) {
  (void)state;
  const double F[3] = {300, 500, -1000};
  const gantry g = gantry_new(&(gantry_setup){false, 1.6, 1.2, 5, 5});
  double u[FRAME_MOST], p[FRAME_MOST], trolley[6], off[2];
  gantry_load(u, p, &g, 1.2, F);
  moved(trolley, &g.girder, 1.2, u);
  table_head("Gantry, bridge at 1.6 m, trolley at 1.2 m, between nodes: trolley off, over its displacement");
  for (int i = 0; i < 2; i++) {
    double size = 0;
    const int n = i ? 32 : 8;
    asked s = ask_static(stiff, (const char *[]){"solver={geometry: linear}",
                                                 "loads=[{at: trolley.base, force: [300, 500, -1000]}]",
                                                 "configuration={bridge: 1.6, trolley: 1.2}",
                                                 text("links.one.beam.elements=%d", n),
                                                 text("links.two.beam.elements=%d", n),
                                                 text("links.bridge.beam.elements=%d", 3 * n / 4), NULL});
    off[i] = 0;
    largest(&off[i], &size, displacement(&s, "trolley.base"), trolley);
    table_bound(text("%d elements", n), off[i] / size, 0.1 / n, "frame with nodes there");
    asked_free(&s);
  }
  table_row("8 elements over 32", off[0] / off[1], 4, 0.15, "first order, and terms of higher");
  free(g.f);
}

// Channels of a run that is at rest under a newton.
static recorded rest(const char *model, double at) {
  return record_run(
      model,
      (const char *[]){"loads=[{at: trolley.base, force: [0, 0, -1]}]", text("configuration.trolley=%g", at),
                       "solver={start: equilibrium, duration: 2 ms, step: 1 ms}",
                       "outputs={channels: [wheel.force, bridge.force, bridge.moment, near.force, "
                       "far.force, two.force, clamp.force, trolley.force]}",
                       NULL});
}

static double last(const recorded *r, const char *name) { return recorded_channel(r, name)[r->count - 1]; }

static void rails_share_the_load_as_statics_says(void **state) {
  (void)state;
  table_head("Hinged bridge, 1 N on the trolley: what the second rail bears");
  for (int i = 0; i < 5; i++) {
    recorded r = rest(hinged, places[i]);
    const double share = places[i] / WIDTH, on = last(&r, "wheel.force.z");
    table_row(text("trolley at %g m: far end [N]", places[i]), on + 1, share + 1, 1e-9, "lever; both and 1 N");
    table_row("  near end [N]", last(&r, "bridge.force.z") + 1, 2 - share, 1e-9, "lever; both and 1 N");
    table_row("  bushings of the first rail [N]", last(&r, "near.force.z") + last(&r, "far.force.z") + 1,
              2 - share, 1e-9, "lever; both and 1 N");
    // the clamp's force is on the base
    table_row("  ends of the second rail [N]", last(&r, "two.force.z") - last(&r, "clamp.force.z") + 1,
              share + 1, 1e-9, "lever; both and 1 N");
    table_bound("  moment about the rail [N m]", last(&r, "bridge.moment.x"), 1e-9, "hinge");
    table_bound("  along the rail [N]", last(&r, "wheel.force.x"), 1e-6, "force x slope of the rail");
    recorded_free(&r);
  }
}

// The stiff bridge also twists the first rail: the frame knows how much; moments balance in any case.
static void stiff_bridge_twists_the_first_rail(void **state) {
  (void)state;
  table_head("Bridge that turns with the first rail, 1 N on the trolley: what the second rail bears");
  for (int i = 0; i < 5; i++) {
    gantry g = gantry_at_nodes(false, places[i]);
    double u[FRAME_MOST], p[FRAME_MOST];
    gantry_load(u, p, &g, places[i], (double[3]){0, 0, -1});
    const double expected = frame_reaction(g.f, u, p, 6 * g.tip + 2);
    recorded r = rest(stiff, places[i]);
    table_row(text("trolley at %g m: far end [N]", places[i]), last(&r, "wheel.force.z"), expected, 1e-7,
              "assembled frame");
    table_row("  near end [N]", last(&r, "bridge.force.z"), 1 - expected, 1e-7, "the rest");
    table_row("  moments about the first rail, and 1 N m",
              last(&r, "bridge.moment.x") + WIDTH * last(&r, "wheel.force.z") - places[i] + 1, 1, 1e-8,
              "statics");
    recorded_free(&r);
    free(g.f);
  }
}

// --- vibration ---

static void compare_modes(const char *model, bool hinge, double trolley) {
  enum { COUNT = 12 };
  double hz[COUNT];
  gantry g = gantry_at_nodes(hinge, trolley);
  asked s = ask_modes(model, (const char *[]){text("configuration.trolley=%g", trolley), NULL}, COUNT);
  frame_modes(hz, NULL, g.f, COUNT);
  int count = 0;
  const double *f = lim_answer_array(s.answer, "frequencies_hz", &count);
  assert_int_equal(count, COUNT);
  table_head(text("Gantry, %s bridge, trolley at %g m", hinge ? "hinged" : "stiff", trolley));
  for (int i = 0; i < COUNT; i++) table_row(text("mode %d [Hz]", i + 1), f[i], hz[i], 1e-8, "assembled frame");
  assert_int_equal((int)lim_answer_number(s.answer, "rigid_modes"), 0);
  asked_free(&s);
  free(g.f);
}

static void gantry_vibrates_as_its_frame(void **state) {
  (void)state;
  compare_modes(stiff, false, 1);
  compare_modes(stiff, false, 2.5);
  compare_modes(hinged, true, 1);
}

// --- in motion ---

// Bridge and trolley run across the rails under gravity. Accelerations have steps where a carriage comes over a
// node, so that energy is of first order in the step there.
static void moving_gantry_keeps_its_books(void **state) {
  (void)state;
  double end[2][3];
  table_head("Hinged gantry, bridge from 0.6 to 3.3 m and trolley from 0.4 to 2.7 m in 1 s, with its weight");
  for (int i = 0; i < 2; i++) {
    recorded r = record_run(
        hinged,
        (const char *[]){
            "gravity=[0, 0, -9.81]", "drives={}", "configuration={}",
            "motion={bridge: {profile: cycloidal, from: 0.6, to: 3.3, duration: 1}, trolley: "
            "{profile: cycloidal, from: 0.4, to: 2.7, duration: 1}}",
            text("solver={start: equilibrium, duration: 1, step: %g, tolerance: 1e-12}", i ? 5e-4 : 1e-3),
            "outputs={channels: [trolley.base.position, energy]}", NULL});
    for (int k = 0; k < 3; k++) end[i][k] = last(&r, text("trolley.base.position.%c", "xyz"[k]));
    table_bound(i ? "steps of 0.5 ms: rms energy balance [%]" : "steps of 1 ms: rms energy balance [%]",
                lim_answer_number(r.answer, "energy_balance_percent_rms"), i ? 5e-4 : 1e-3, "closed books");
    recorded_free(&r);
  }
  for (int k = 0; k < 3; k++)
    table_bound(text("trolley at the end, %c: 1 ms off 0.5 ms [m]", "xyz"[k]), end[0][k] - end[1][k], 1e-5,
                "smaller steps");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gantry_yields_as_its_frame),
      cmocka_unit_test(between_nodes_the_gantry_converges),
      cmocka_unit_test(rails_share_the_load_as_statics_says),
      cmocka_unit_test(stiff_bridge_twists_the_first_rail),
      cmocka_unit_test(gantry_vibrates_as_its_frame),
      cmocka_unit_test(moving_gantry_keeps_its_books),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

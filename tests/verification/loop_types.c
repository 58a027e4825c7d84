// loop_types.c - each type of closure against the joint that it stands for. A flexible link hangs on the tip of
// another by a tree joint; then it hangs in the world with six freedoms and a loop closes the same joint. A
// slider-crank with a flexible rod is closed in three ways, two of them to the world. Independent path: the
// open chain has no loops.
#include "loop_fixture.h"
#include "recorded_fixture.h"

#define HEAD                                                                                                   \
  "limber: 1\n"                                                                                                \
  "gravity: [3, -9, -4]\n"                                                                                     \
  "materials: {steel: {E: 210 GPa, nu: 0.3, rho: 7800}}\n"                                                     \
  "sections: {wire: {shape: circle, diameter: 8 mm}}\n"                                                        \
  "links:\n"                                                                                                   \
  "  - name: a\n"                                                                                              \
  "    joint: {type: fixed}\n"                                                                                 \
  "    beam: {length: 0.5, section: wire, material: steel, elements: 4}\n"                                     \
  "    basis: {type: modes, count: 4}\n"
#define LINK_B(joint)                                                                                          \
  "  - name: b\n"                                                                                              \
  "    joint: {" joint "}\n"                                                                                   \
  "    beam: {length: 0.4, section: wire, material: steel, elements: 4}\n"                                     \
  "    basis: {type: modes, count: 4}\n"                                                                       \
  "    masses: [{at: tip, mass: 0.2, inertia: [1e-4, 1e-4, 1e-4]}]\n"
#define SEAT   "frames: [{name: seat, on: a, at: tip, rpy: [0, 0, -60 deg]}]\n"
#define SOLVER "solver: {method: rk4, duration: 0.3 s, step: 0.1 ms}\n"
#define TURNED "origin: {rpy: [0, 0, -60 deg]}"

// Six freedoms in the world, then the link where the open chain has it.
#define CLOSED(loop)                                                                                           \
  HEAD "  - {name: sx, parent: base, joint: {type: prismatic, axis: [1, 0, 0]}}\n"                             \
       "  - {name: sy, joint: {type: prismatic, axis: [0, 1, 0]}}\n"                                           \
       "  - {name: sz, joint: {type: prismatic, axis: [0, 0, 1]}}\n"                                           \
       "  - {name: rx, joint: {axis: [1, 0, 0]}}\n"                                                            \
       "  - {name: ry, joint: {axis: [0, 1, 0]}}\n" LINK_B("axis: [0, 0, 1]") SEAT                             \
      "loops: [{name: knot, between: [seat, b.base], " loop "}]\n"                                             \
      "configuration: {sx: 0.5, b: -60 deg}\n" SOLVER
#define OPEN(links) HEAD links SEAT SOLVER

typedef struct {
  const char *name, *open, *closed;
} pair;

static const pair PAIRS[] = {
    {"fixed", OPEN(LINK_B("type: fixed, " TURNED)), CLOSED("type: fixed")},
    {"revolute", OPEN(LINK_B("axis: [0, 1, 0], " TURNED)), CLOSED("type: revolute, axis: [0, 1, 0]")},
    {"spherical",
     OPEN("  - {name: bx, joint: {axis: [1, 0, 0], " TURNED "}}\n"
          "  - {name: by, joint: {axis: [0, 1, 0]}}\n" LINK_B("axis: [0, 0, 1]")),
     CLOSED("type: spherical")},
    {"prismatic", OPEN(LINK_B("type: prismatic, axis: [0.6, 0.8, 0], " TURNED)),
     CLOSED("type: prismatic, axis: [0.6, 0.8, 0]")},
    {"point-on-line",
     OPEN("  - {name: slide, joint: {type: prismatic, axis: [0.6, 0.8, 0], " TURNED "}}\n"
          "  - {name: bx, joint: {axis: [1, 0, 0]}}\n"
          "  - {name: by, joint: {axis: [0, 1, 0]}}\n" LINK_B("axis: [0, 0, 1]")),
     CLOSED("type: point-on-line, axis: [0.6, 0.8, 0]")},
};
enum { NPAIR = sizeof PAIRS / sizeof *PAIRS };

// --- modes ---

static double worst_frequency(const char *open, const char *closed, int count) {
  lim_model *m[2] = {parse(open), parse(closed)};
  lim_modes *x[2];
  double worst = 0;
  for (int k = 0; k < 2; k++) x[k] = modes_of(m[k], LIM_JOINTS_FREE, count);
  assert_int_equal(x[0]->rigid, x[1]->rigid);
  for (int i = 0; i < count; i++)
    worst = fmax(worst, fabs(x[1]->modes.item[i].frequency / x[0]->modes.item[i].frequency - 1));
  for (int k = 0; k < 2; k++) {
    lim_modes_free(x[k]);
    lim_model_free(m[k]);
  }
  return worst;
}

static void loop_has_the_modes_of_its_joint(void **state) {
  (void)state;
  table_head("Largest relative difference of the frequencies of closed and open chain");
  for (int i = 0; i < NPAIR; i++)
    table_bound(PAIRS[i].name, worst_frequency(PAIRS[i].open, PAIRS[i].closed, 5), 1e-6, "the open chain");
}

// --- motion ---

enum { RECORDS = 4001 };
static double PATH[RECORDS][6];

typedef struct {
  const char *frame, *way; // whose place is compared
  bool keep;
  int n;
  double off, size; // largest distance to the path kept; from its start
  openness open;
} comparison;

static void look(void *user, const lim_snapshot *m) {
  comparison *c = user;
  assert_true(c->n < RECORDS);
  lim_world_motion at = lim_snapshot_site(m, site_called(m->system, c->frame));
  look_at_gaps(&c->open, m);
  for (int i = 0; i < 3; i++) {
    if (c->keep) PATH[c->n][i] = at.p[i];
    if (c->keep) PATH[c->n][3 + i] = at.v[i];
    c->off = fmax(c->off, fabs(at.p[i] - PATH[c->n][i]));
    c->off = fmax(c->off, 0.01 * fabs(at.v[i] - PATH[c->n][3 + i]));
    c->size = fmax(c->size, fabs(at.p[i] - PATH[0][i]));
  }
  c->n++;
}

static comparison follow(const char *text, const char *frame, bool keep, const char *const *set) {
  comparison c = {.frame = frame, .keep = keep};
  watch(model_of(text, set), look, &c);
  return c;
}

static void loop_moves_like_its_joint(void **state) {
  (void)state;
  table_head("Falling for 0.3 s, rk4 at 0.1 ms: tip of the second link off that of the open chain [m]");
  for (int i = 0; i < NPAIR; i++) {
    comparison open = follow(PAIRS[i].open, "b.tip", true, NULL),
               closed = follow(PAIRS[i].closed, "b.tip", false, NULL);
    assert_true(open.size > (i ? 0.05 : 0.001));
    table_bound(PAIRS[i].name, closed.off, 1e-6, "the open chain");
    if (i < 3) table_bound("  gap [m]", closed.open.gap, 1e-10, "closed");
  }
}

// --- rest ---

static void welded_chain_rests_like_the_uncut_one(void **state) {
  (void)state;
  static const char *const FRAMES[] = {"a.tip", "b.tip"};
  lim_model *m[2] = {parse(PAIRS[0].open), parse(PAIRS[0].closed)};
  lim_static *x[2] = {static_of(m[0]), static_of(m[1])};
  table_head("At rest under gravity: displacement of the closed over that of the uncut chain");
  for (int k = 0; k < 2; k++) {
    const lim_static_frame *at[2] = {NULL, NULL};
    for (int i = 0; i < 2; i++)
      for (int j = 0; j < x[i]->frames.count; j++)
        if (!strcmp(x[i]->frames.item[j].name, FRAMES[k])) at[i] = &x[i]->frames.item[j];
    assert_true(at[0] && at[1]);
    for (int j = 0; j < 3; j++) {
      char what[32];
      snprintf(what, sizeof what, "%s.%c [m]", FRAMES[k], 'x' + j);
      double size = fmax(fabs(at[0]->displacement[1]), fabs(at[0]->displacement[2]));
      table_bound(what, (at[1]->displacement[j] - at[0]->displacement[j]) / size, 1e-9, "the uncut chain");
    }
  }
  for (int k = 0; k < 2; k++) {
    char what[32];
    snprintf(what, sizeof what, "largest stress in %s [Pa]", x[0]->links.item[k].name);
    table_row(what, x[1]->links.item[k].stress, x[0]->links.item[k].stress, 1e-9, "the uncut chain");
  }
  for (int i = 0; i < 2; i++) {
    lim_static_free(x[i]);
    lim_model_free(m[i]);
  }
}

// --- in the plane, all coordinates of the meshes, about the equilibrium ---

#define PLANE(joints, tail)                                                                                    \
  "limber: 1\nplanar: xy\ngravity: [3, -9, 0]\nmaterials: {steel: {E: 210 GPa, nu: 0.3, rho: 7800}}\n"         \
  "sections: {wire: {shape: circle, diameter: 8 mm}}\nlinks:\n"                                                \
  "  - {name: a, joint: {type: fixed}, beam: {length: 0.5, section: wire, material: steel, elements: "         \
  "3}}\n" joints                                                                                               \
  ", beam: {length: 0.4, section: wire, material: steel, elements: 3}, masses: [{at: tip, mass: 0.2}]}\n" SEAT \
      tail "solver: {start: equilibrium, method: newmark, duration: 0.1 s, step: 0.2 ms, tolerance: 1e-13}\n"  \
  "loads: [{at: b.tip, force: [0, 20, 0], factor: {profile: harmonic, amplitude: 1, frequency: 5}}]\n"

static const char PLANE_OPEN[] = PLANE("  - {name: b, joint: {type: fixed, " TURNED "}", ""),
                  PLANE_CLOSED[] =
                      PLANE("  - {name: sx, parent: base, joint: {type: prismatic, axis: [1, 0, 0]}}\n"
                            "  - {name: sy, joint: {type: prismatic, axis: [0, 1, 0]}}\n"
                            "  - {name: b",
                            "loops: [{name: knot, type: fixed, between: [seat, b.base]}]\n"
                            "configuration: {sx: 0.5, b: -60 deg}\n");

static void planar_weld_about_its_equilibrium_is_the_uncut_chain(void **state) {
  (void)state;
  table_head("Planar chain welded at its elbow, about its equilibrium");
  table_bound("frequencies, largest relative difference", worst_frequency(PLANE_OPEN, PLANE_CLOSED, 8), 1e-6,
              "the uncut chain");
  static const char *const MODES[] = {"nonlinear", "linear", "quasi-static"};
  for (int i = 0; i < 3; i++) {
    char set[64], what[64];
    snprintf(set, sizeof set, "solver.mode=%s", MODES[i]);
    const char *sets[] = {set, NULL};
    comparison open = follow(PLANE_OPEN, "b.tip", true, sets),
               closed = follow(PLANE_CLOSED, "b.tip", false, sets);
    assert_true(open.size > 1e-3);
    snprintf(what, sizeof what, "mode %s: tip off the uncut chain's [m]", MODES[i]);
    table_bound(what, closed.off, 1e-6, "the uncut chain");
  }
}

// --- slider-crank ---

#define SLIDER_CRANK(slider, mass, loop)                                                                       \
  "limber: 1\nplanar: xy\ngravity: [0, -9.81, 0]\nmaterials: {steel: {E: 210 GPa, nu: 0.3, rho: 7800}}\n"      \
  "sections: {strip: {shape: rectangle, y: 3 mm, z: 20 mm}}\nlinks:\n"                                         \
  "  - {name: crank, body: {mass: 1, com: [0.05, 0, 0], inertia: [0, 0.01, 0.01], tip: [0.1, 0, 0]}}\n"        \
  "  - name: rod\n"                                                                                            \
  "    beam: {length: 0.4, section: strip, material: steel, elements: 6}\n"                                    \
  "    basis: {type: modes, count: 2}\n" mass slider "loops: [{name: guide, " loop "}]\n"                      \
  "frames: [{name: rail, on: base, xyz: [0.2, 0, 0]}]\n"                                                       \
  "drives: {crank: {type: effort, effort: {profile: constant, value: 0}}}\n"                                   \
  "configuration: {crank: {position: 60 deg, velocity: 20}, rod: -70 deg}\n"                                   \
  "solver: {method: rk4, duration: 0.4 s, step: 0.1 ms}\n"
#define PISTON "body: {mass: 0.5, inertia: [1e-4, 1e-4, 1e-4]}}\n"

static void slider_crank_is_the_same_closed_in_three_ways(void **state) {
  (void)state;
  static const char PIN[] =
      SLIDER_CRANK("  - {name: piston, parent: base, joint: {type: prismatic, axis: [1, 0, 0]}, " PISTON, "",
                   "type: revolute, between: [rod.tip, piston.base]");
  static const char LINE[] = SLIDER_CRANK("", "    masses: [{at: tip, mass: 0.5}]\n",
                                          "type: point-on-line, between: [rail, rod.tip], axis: [1, 0, 0]");
  static const char SLOT[] = SLIDER_CRANK("  - {name: piston, " PISTON, "",
                                          "type: prismatic, between: [rail, piston.base], axis: [1, 0, 0]");
  table_head("Slider-crank with a flexible rod, 0.4 s, rk4 at 0.1 ms: end of the rod [m]");
  comparison first = follow(PIN, "rod.tip", true, NULL);
  assert_true(first.size > 0.1);
  table_bound("point on a line of the world, off pin and slide", follow(LINE, "rod.tip", false, NULL).off, 1e-6,
              "prismatic tree joint");
  table_bound("prismatic loop to the world, off pin and slide", follow(SLOT, "rod.tip", false, NULL).off, 1e-6,
              "prismatic tree joint");
}

// --- rows that nothing moves ---

#define BAR(start)                                                                                             \
  "limber: 1\ngravity: [0, 0, -9.81]\nlinks:\n  - name: bar\n"                                                 \
  "    joint: {name: hinge, axis: [0, 1, 0], origin: {rpy: [0, 0, 90 deg]}}\n"                                 \
  "    body: {mass: 10, com: [1.5, 0, 0], tip: [3, 0, 0]}\n"                                                   \
  "frames: [{name: far, on: base, xyz: [0, 3, 0]}]\n"                                                          \
  "loops: [{name: hold, type: spherical, between: [bar.tip, far]}]\n"                                          \
  "solver: {duration: 20 ms, step: 1 ms, start: " start "}\n"                                                  \
  "outputs: {channels: [hold.force, hinge.force, hinge.position]}\n"

// The hinge moves the tip up and down; along the bar its row is rounding, of which no force may come.
static void rigid_bar_that_is_held_at_both_ends_rests(void **state) {
  (void)state;
  const char *const models[] = {BAR("undeformed"), BAR("equilibrium")};
  for (int i = 0; i < 2; i++) {
    recorded r = record_run(models[i], NULL);
    const double *force[3], *reaction[3];
    double off = 0;
    recorded_vector(force, &r, "hold.force");
    recorded_vector(reaction, &r, "hinge.force");
    for (int k = 0; k < r.count; k++)
      off = fmax(off, fmax(hypot(force[0][k], force[1][k]), hypot(reaction[0][k], reaction[1][k])));
    table_head(i ? "Rigid bar on a hinge, its tip held by a ball joint; start: equilibrium"
                 : "Rigid bar on a hinge, its tip held by a ball joint");
    table_row("far end bears [N]", force[2][r.count - 1], 5 * 9.81, 1e-12, "half the weight");
    table_row("hinge bears [N]", reaction[2][r.count - 1], 5 * 9.81, 1e-12, "half the weight");
    table_bound("along the bar and across [N]", off, 1e-12, "nothing pushes");
    recorded_free(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(loop_has_the_modes_of_its_joint),
      cmocka_unit_test(loop_moves_like_its_joint),
      cmocka_unit_test(welded_chain_rests_like_the_uncut_one),
      cmocka_unit_test(planar_weld_about_its_equilibrium_is_the_uncut_chain),
      cmocka_unit_test(slider_crank_is_the_same_closed_in_three_ways),
      cmocka_unit_test(rigid_bar_that_is_held_at_both_ends_rests),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

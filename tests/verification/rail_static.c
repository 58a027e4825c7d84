// rail_static.c - a carriage at rest on a rail that bends: a cantilever, simply supported, clamped at both
// ends. Deflection under it and of the whole rail, turn of its section and reactions against closed forms of
// beams, at nodes of the mesh and between them, where a mesh of cubic elements lacks what a force bends an
// element that is held at both ends: P p^3 (h - p)^3/(3 EI h^3), p from its first node.
#include "rail_fixture.h"

static const double L = 2, E = 200e9, A = 600e-6, IY = 2e-8, IZ = 4.5e-8, G = 200e9 / 2.6, J = 5e-8;
static const double PY = 3, PZ = -5; // [N]

#define HEAD                                                                                                   \
  "limber: 1\ngravity: [0, 0, 0]\nmaterials: {m: {E: 200 GPa, nu: 0.3, rho: 0}}\n"                             \
  "sections: {s: {shape: general, A: 600 mm^2, Iy: 2e4 mm^4, Iz: 4.5e4 mm^4, J: 5e4 mm^4}}\nlinks:\n"
#define RAIL(joint, more)                                                                                      \
  "  - name: rail\n    joint: {" joint "}\n"                                                                   \
  "    beam: {length: 2, section: s, material: m, elements: 8, element: euler-bernoulli" more "}\n"
#define CARRIAGE(origin)                                                                                       \
  "  - {name: trolley, joint: {type: prismatic, rail: beam" origin "}, body: {mass: 1}}\n"                     \
  "frames:\n  - {name: far, on: base, xyz: [2, 0, 0]}\n  - {name: f1, on: rail, at: 0.125}\n"                  \
  "  - {name: f2, on: rail, at: 0.3}\n  - {name: f3, on: rail, at: 0.5}\n  - {name: f4, on: rail, at: 0.8}\n"
#define LOAD(force) "loads: [{at: trolley.base, force: " force "}]\n"
#define FIRST_ORDER "solver: {geometry: linear}\n"
#define ROLLER      "loops: [{name: far end, type: point-on-line, between: [far, rail.tip], axis: [1, 0, 0]}]\n"
#define CLAMP       "loops: [{name: far end, type: fixed, between: [far, rail.tip]}]\n"
#define ON_ONE_END  "type: fixed"
#define ON_A_CROSS  "type: universal, axis: [0, 1, 0], axis2: [0, 0, 1]"
#define SPATIAL     "[0, 3, -5]"

// How a rail is held, and what it is then.
typedef struct {
  const rail_support *is;
  const char *model, *offset, *light; // under SPATIAL to first order; with an offset carriage; under little
  const char *joint;                  // at its base
} held_rail;

#define OF(joint, loop, force, origin, solver) HEAD RAIL(joint, "") CARRIAGE(origin) loop LOAD(force) solver
#define OFFSET                                 ", origin: {xyz: [0.1, 0.4, 0]}"
#define LITTLE                                 "[0, 0, -1 mN]"

static const held_rail rails[] = {
    {&rail_cantilever, OF(ON_ONE_END, "", SPATIAL, "", FIRST_ORDER),
     OF(ON_ONE_END, "", SPATIAL, OFFSET, FIRST_ORDER), OF(ON_ONE_END, "", LITTLE, "", ""), "rail"},
    {&rail_pinned, OF(ON_A_CROSS, ROLLER, SPATIAL, "", FIRST_ORDER),
     OF(ON_A_CROSS, ROLLER, SPATIAL, OFFSET, FIRST_ORDER), OF(ON_A_CROSS, ROLLER, LITTLE, "", ""),
     "rail.second"},
    {&rail_clamped, OF(ON_ONE_END, CLAMP, SPATIAL, "", FIRST_ORDER),
     OF(ON_ONE_END, CLAMP, SPATIAL, OFFSET, FIRST_ORDER), OF(ON_ONE_END, CLAMP, LITTLE, "", ""), "rail"},
};
enum { RAILS = sizeof rails / sizeof *rails };

static asked stand(const char *model, double place, const char *elements) {
  return ask_static(model, (const char *[]){text("configuration={trolley: %.17g}", place), elements, NULL});
}

// --- at nodes ---

// Frames of the rail and how far along it they are.
static const struct {
  const char *name;
  double x;
} along[] = {{"f1", 0.25}, {"f2", 0.6}, {"f3", 1}, {"f4", 1.6}, {"rail.tip", 2}};

// Largest of the differences over the largest deflection.
static double off_the_whole_rail(const asked *s, const rail_support *is, double a) {
  double worst = 0, size = 0;
  for (size_t i = 0; i < sizeof along / sizeof *along; i++) {
    const double *u = displacement(s, along[i].name), unit = is->deflection(along[i].x, a, L);
    worst = fmax(worst, fmax(fabs(u[1] - PY * unit / (E * IZ)), fabs(u[2] - PZ * unit / (E * IY))));
    size = fmax(size, fabs(u[2]));
  }
  return worst / size;
}

static void carriage_at_a_node_rests_as_closed_forms_say(void **state) {
  (void)state;
  for (int k = 0; k < RAILS; k++)
    for (double a = 0.5; a < 1.6; a += 0.75) {
      const rail_support *is = rails[k].is;
      asked s = stand(rails[k].model, a, NULL);
      const double *u = displacement(&s, "trolley.base"), *turn = rotation(&s, "trolley.base");
      const double w = is->deflection(a, a, L), slope = is->slope(a, L);
      table_head(text("A carriage at %g m of a rail of 2 m, %s; 3 N along y, -5 N along z", a, is->name));
      table_row("carriage, y [m]", u[1], PY * w / (E * IZ), 1e-9, "closed form");
      table_row("carriage, z [m]", u[2], PZ * w / (E * IY), 1e-9, "closed form");
      table_row("its turn about y [rad]", turn[1], -PZ * slope / (E * IY), 1e-9, "slope of the rail");
      table_row("its turn about z [rad]", turn[2], PY * slope / (E * IZ), 1e-9, "slope of the rail");
      table_bound("five frames of the rail, off over largest", off_the_whole_rail(&s, is, a), 1e-9,
                  "closed form");
      asked_free(&s);
    }
}

// Of the deformed arm, in a plane: second order is (1e-7)^2.
static void carriage_of_little_weight_needs_no_first_order(void **state) {
  (void)state;
  table_head("The same of the deformed arm under 1 mN, carriage at 1.25 m");
  for (int k = 0; k < RAILS; k++) {
    asked s = stand(rails[k].light, 1.25, NULL);
    const double *u = displacement(&s, "trolley.base"), *turn = rotation(&s, "trolley.base");
    table_row(text("%s: carriage [m]", rails[k].is->name), u[2],
              -1e-3 * rails[k].is->deflection(1.25, 1.25, L) / (E * IY), 1e-9, "closed form");
    table_row("  its turn [rad]", turn[1], 1e-3 * rails[k].is->slope(1.25, L) / (E * IY), 1e-9, "closed form");
    asked_free(&s);
  }
}

// The carriage stands at r = (c, e, 0) from its section: the torque -e Pz... bends and twists the rail as well.
// Forces at a and moments there: m = r x F. Of a moment m at a, by Maxwell and Betti, the deflection there is
// slope(a) m; the turn it makes there is curve(a) m, by the closed forms below.
static double turn_by_moment(const rail_support *is, double a) {
  const double b = L - a;
  if (is == &rail_cantilever) return a;
  if (is == &rail_pinned) return (a * a * a + b * b * b) / (3 * L * L);
  return a * b * (a * a - a * b + b * b) / (L * L * L);
}

static void carriage_beside_the_rail_twists_it(void **state) {
  (void)state;
  const double a = 1.25, c = 0.1, e = 0.4;
  const double mx = e * PZ, my = -c * PZ, mz = c * PY; // (c, e, 0) x (0, PY, PZ)
  for (int k = 0; k < RAILS; k++) {
    const rail_support *is = rails[k].is;
    asked s = stand(rails[k].offset, a, NULL);
    const double *u = displacement(&s, "trolley.base"), *turn = rotation(&s, "trolley.base");
    const double w = is->deflection(a, a, L), slope = is->slope(a, L), curve = turn_by_moment(is, a);
    const double tx = mx * is->twist(a, L) / (G * J), ty = (-PZ * slope + my * curve) / (E * IY),
                 tz = (PY * slope + mz * curve) / (E * IZ);
    const double v = (PY * w + mz * slope) / (E * IZ), z = (PZ * w - my * slope) / (E * IY);
    table_head(text("%s, the carriage at 1.25 m, 0.4 m beside and 0.1 m ahead of its section", is->name));
    table_row("twist [rad]", turn[0], tx, 1e-9, "closed form");
    table_row("turn about y [rad]", turn[1], ty, 1e-9, "closed form");
    table_row("turn about z [rad]", turn[2], tz, 1e-9, "closed form");
    table_row("carriage, x [m]", u[0], -tz * e, 1e-9, "turn x offset");
    table_row("carriage, y [m]", u[1], v + tz * c, 1e-9, "closed form");
    table_row("carriage, z [m]", u[2], z + tx * e - ty * c, 1e-9, "closed form");
    asked_free(&s);
  }
}

// --- between nodes ---

// What a mesh lacks under a unit force at the part p of an element of length h, with EI = 1.
static double lacking(double p, double h) { return pow(p * (1 - p), 3) * h * h * h / 3; }

static void between_nodes_the_mesh_lacks_the_bending_within_an_element(void **state) {
  (void)state;
  for (int k = 0; k < RAILS; k++) {
    const rail_support *is = rails[k].is;
    double before = 0;
    table_head(text("%s, the carriage in the middle of an element: what is missing", is->name));
    for (int n = 4; n <= 16; n *= 2) {
      const double h = L / n, a = 1 + h / 2;
      asked s = stand(rails[k].model, a, text("links.rail.beam.elements=%d", n));
      const double exact = -PZ * is->deflection(a, a, L) / (E * IY),
                   missing = exact + displacement(&s, "trolley.base")[2],
                   bound = -PZ * h * h * h / (192 * E * IY);
      table_row(text("%d elements [m]", n), missing, bound, 1e-5, "P h^3/(192 EI)");
      if (n > 4) table_row("  that of the coarser mesh over it", before / missing, 8, 1e-4, "third order");
      before = missing;
      asked_free(&s);
    }
  }
}

static void everywhere_in_an_element_the_error_is_known(void **state) {
  (void)state;
  table_head("Simply supported, 8 elements, the carriage at parts of the fourth: what is missing");
  for (double p = 0.125; p < 1; p += 0.25) {
    const double h = L / 8, a = (3 + p) * h;
    asked s = stand(rails[1].model, a, NULL);
    const double *u = displacement(&s, "trolley.base");
    table_row(text("%g: along z [m]", p), u[2] - PZ * pinned_deflection(a, a, L) / (E * IY),
              -PZ * lacking(p, h) / (E * IY), 1e-5, "P p^3 q^3 h^3/(3 EI)");
    table_row("  along y [m]", u[1] - PY * pinned_deflection(a, a, L) / (E * IZ),
              -PY * lacking(p, h) / (E * IZ), 1e-5, "P p^3 q^3 h^3/(3 EI)");
    // nodes have it all
    table_row("  middle of the rail [m]", displacement(&s, "f3")[2], PZ * pinned_deflection(1, a, L) / (E * IY),
              1e-9, "closed form");
    asked_free(&s);
  }
}

// Twist has a kink under a torque, which no mesh can have between nodes: linear elements lack p (1 - p) h/GJ,
// and smoother ones less. It falls as h.
static void twist_between_nodes_lacks_less_than_linear_elements(void **state) {
  (void)state;
  double before = 0;
  table_head("Cantilever, offset carriage in the middle of an element: twist that is missing");
  for (int n = 4; n <= 16; n *= 2) {
    const double h = L / n, a = 1 + h / 2;
    asked s = stand(rails[0].offset, a, text("links.rail.beam.elements=%d", n));
    const double missing = 0.4 * PZ * a / (G * J) - rotation(&s, "trolley.base")[0];
    table_bound(text("%d elements [rad]", n), missing, -0.4 * PZ * h / 4 / (G * J), "T h/(4 GJ)");
    assert_true(missing <= 0); // never softer than the rail; twists are negative
    if (n > 4) table_row("  that of the coarser mesh over it", before / missing, 2, 1e-6, "first order");
    before = missing;
    asked_free(&s);
  }
}

// --- reactions ---

static void supports_bear_what_statics_says(void **state) {
  (void)state;
  const double a = 0.875, b = L - a;
  // force and moment of the base over those of a cantilever, and force at the far end over the load
  const double force[] = {1, b / L, b * b * (3 * a + b) / (L * L * L)}, moment[] = {1, 0, b * b / (L * L)};
  for (int k = 0; k < RAILS; k++) {
    asked s = stand(rails[k].model, a, NULL);
    const double *F = three(&s, text("joints[\"%s\"].force", rails[k].joint)),
                 *M = three(&s, text("joints[\"%s\"].moment", rails[k].joint)),
                 *at = three(&s, "joints.trolley.force");
    // between nodes a mesh that is statically indeterminate has the reactions of its nodal forces: exact
    table_head(text("%s, the carriage at 0.875 m, between nodes: reactions", rails[k].is->name));
    table_row("base on rail, y [N]", F[1], -PY * force[k], 1e-10, "statics");
    table_row("base on rail, z [N]", F[2], -PZ * force[k], 1e-10, "statics");
    table_row("base on rail, about y [N m]", M[1] + 1, a * PZ * moment[k] + 1, 1e-10,
              "statics; both and 1 N m");
    table_row("base on rail, about z [N m]", M[2] + 1, -a * PY * moment[k] + 1, 1e-10,
              "statics; both and 1 N m");
    table_row("rail on carriage, y [N]", at[1], -PY, 1e-12, "the load");
    table_row("rail on carriage, z [N]", at[2], -PZ, 1e-12, "the load");
    asked_free(&s);
  }
}

// Forces of loops are channels of a run, here at its start, in equilibrium under little weight.
static void far_end_bears_the_rest(void **state) {
  (void)state;
  const double a = 0.875, b = L - a, P = 1e-3;
  const double expected[] = {0, a / L, a * a * (3 * b + a) / (L * L * L)};
  table_head("The carriage at 0.875 m, 1 mN: what the rail puts on its far end");
  for (int k = 1; k < RAILS; k++) {
    recorded r =
        record_run(rails[k].light,
                   (const char *[]){"materials.m.rho=7800", "configuration={trolley: 0.875}",
                                    "solver={start: equilibrium, duration: 1 ms, step: 1 ms}",
                                    "outputs={channels: [far end.force, trolley.force, trolley.base]}", NULL});
    table_row(text("%s [N]", rails[k].is->name), recorded_channel(&r, "far end.force.z")[0], -P * expected[k],
              1e-9, "statics");
    table_row("  carriage [m]", recorded_channel(&r, "trolley.base.position.z")[0],
              -P * (rails[k].is->deflection(a, a, L) - lacking(0.5, L / 8)) / (E * IY), 1e-8,
              "closed form of the mesh");
    recorded_free(&r);
  }
}

// --- other ways to say the same ---

// A weight with its centre beside the rail bends it as a force there; the rail points anywhere.
static void weight_acts_as_a_load_at_its_centre(void **state) {
  (void)state;
  asked s = ask_static(
      HEAD RAIL("type: fixed, origin: {rpy: [0, 0, 30 deg]}",
                "") "  - {name: trolley, joint: "
                    "{type: prismatic, rail: beam}, body: {mass: 0.5, com: [0, 0.4, -0.3]}}\n" FIRST_ORDER,
      (const char *[]){"gravity=[0, 0, -10]", "configuration={trolley: 1.25}", NULL});
  const double a = 1.25, *u = displacement(&s, "trolley.base"), *turn = rotation(&s, "trolley.base"),
               twist = -5 * 0.4 * a / (G * J), slope = 5 * a * a / (2 * E * IY);
  table_head("A weight of 5 N whose centre is 0.4 m beside a cantilever at 30 degrees to x, at 1.25 m");
  table_row("carriage, z [m]", u[2], -5 * a * a * a / (3 * E * IY), 1e-9, "closed form");
  table_row("turn about x [rad]", turn[0], twist * cos(M_PI / 6) - slope * sin(M_PI / 6), 1e-9, "closed form");
  table_row("turn about y [rad]", turn[1], twist * sin(M_PI / 6) + slope * cos(M_PI / 6), 1e-9, "closed form");
  asked_free(&s);
}

// A DH row of negative a: the beam runs along -x, and places on it are distances from its base.
static void rail_that_runs_backwards_is_the_same_rail(void **state) {
  (void)state;
  asked s = ask_static(
      HEAD RAIL("dh: {a: -2}",
                "") "  - {name: trolley, joint: {type: prismatic, rail: beam}, body: {mass: 1}}\n" LOAD(SPATIAL)
          FIRST_ORDER,
      (const char *[]){"configuration={trolley: 1.25}", NULL});
  const double *u = displacement(&s, "trolley.base"), *p = three(&s, "frames[\"trolley.base\"].position"),
               *turn = rotation(&s, "trolley.base"), w = cantilever_deflection(1.25, 1.25, L);
  table_head("A cantilever along -x, the carriage 1.25 m from its base");
  table_row("place, x [m]", p[0], -1.25, 1e-12, "undeformed");
  table_row("carriage, y [m]", u[1], PY * w / (E * IZ), 1e-9, "closed form");
  table_row("carriage, z [m]", u[2], PZ * w / (E * IY), 1e-9, "closed form");
  table_row("its turn about z [rad]", turn[2], -PY * cantilever_slope(1.25, L) / (E * IZ), 1e-9, "slope");
  asked_free(&s);
}

// Forces along the rail: what holds the carriage bears them, and the rail is stretched up to it.
static void force_along_the_rail_is_the_effort_of_its_joint(void **state) {
  (void)state;
  asked s = stand(OF(ON_ONE_END, "", "[7, 0, 0]", "", FIRST_ORDER), 1.25, NULL);
  table_head("7 N along a cantilever, on the carriage at 1.25 m");
  table_row("effort of its joint [N]", lim_answer_number(s.answer, "joints.trolley.effort"), -7, 1e-12,
            "statics");
  table_row("carriage, x [m]", displacement(&s, "trolley.base")[0], 7 * 1.25 / (E * A), 1e-9, "P a/EA");
  table_row("tip, x [m]", displacement(&s, "rail.tip")[0], 7 * 1.25 / (E * A), 1e-9, "no force beyond");
  asked_free(&s);
}

// Timoshenko's beam, cubic elements: shear adds P a/kGA.
static void shear_of_the_rail_counts(void **state) {
  (void)state;
  asked s = ask_static(rails[0].model, (const char *[]){"links.rail.beam.element=timoshenko-cubic",
                                                        "configuration={trolley: 0.5}", NULL});
  const double a = 0.5;
  table_head("Timoshenko's cantilever, the carriage at 0.5 m");
  table_row("carriage, z [m]", displacement(&s, "trolley.base")[2],
            PZ * (a * a * a / (3 * E * IY) + a / (5.0 / 6 * G * A)), 1e-9, "closed form");
  table_row("turn of its section [rad]", rotation(&s, "trolley.base")[1], -PZ * a * a / (2 * E * IY), 1e-9,
            "without the shear angle");
  asked_free(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(carriage_at_a_node_rests_as_closed_forms_say),
      cmocka_unit_test(carriage_of_little_weight_needs_no_first_order),
      cmocka_unit_test(carriage_beside_the_rail_twists_it),
      cmocka_unit_test(between_nodes_the_mesh_lacks_the_bending_within_an_element),
      cmocka_unit_test(everywhere_in_an_element_the_error_is_known),
      cmocka_unit_test(twist_between_nodes_lacks_less_than_linear_elements),
      cmocka_unit_test(supports_bear_what_statics_says),
      cmocka_unit_test(far_end_bears_the_rest),
      cmocka_unit_test(weight_acts_as_a_load_at_its_centre),
      cmocka_unit_test(rail_that_runs_backwards_is_the_same_rail),
      cmocka_unit_test(force_along_the_rail_is_the_effort_of_its_joint),
      cmocka_unit_test(shear_of_the_rail_counts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

// inertia_arms.c - effective inertia against closed forms: a rigid arm with an elbow motor, a flexible one in
// slow motion, and what lumped masses would give. Theory: docs/theory/inertia.md.
#include "fixture.h"

#include "analysis/inertia.h"
#include "analysis/vibration/modes.h"
#include "path/assembly.h"
#include "verification/table_fixture.h"

// --- a rigid arm of two links in the plane ---

static const double M1 = 5, C1 = 0.3, I1 = 0.2, L1 = 0.7; // link 1: mass, centre, inertia about it, length
static const double M2 = 3, C2 = 0.25, I2 = 0.1;          // link 2
static const double MM = 1.5, IS = 0.004, IR = 2e-4,
                    R = 80;               // elbow motor on link 1: mass, stator, rotor, ratio
static const double IR1 = 5e-4, R1 = 120; // shoulder motor on the ground

static const char two_links[] =
    "limber: 1\n"
    "links:\n"
    "  - {name: shoulder, body: {mass: 5, com: [0.3, 0, 0], inertia: [0, 0, 0.2], tip: [0.7, 0, 0]}}\n"
    "  - {name: elbow, body: {mass: 3, com: [0.25, 0, 0], inertia: [0, 0, 0.1]}}\n"
    "drives:\n"
    "  shoulder: {type: motor, motor: {mass: 9, rotor_inertia: 5e-4, ratio: 120}}\n"
    "  elbow: {type: motor, motor: {mass: 1.5, stator_inertia: 0.004, rotor_inertia: 2e-4, ratio: 80}}\n"
    "motion: {elbow: {profile: quintic, from: 0, to: 180 deg, duration: 1 s}}\n"
    "solver: {duration: 1 s, step: 10 ms}\n";

// T = 1/2 (I1 + M1 C1^2 + (MM + M2) L1^2 + IS + IR) w1^2 for elbow speed 0, and so on: the rotor, its axis
// parallel to the joint's, turns with link 1.
static double shoulder_arm(double q) {
  return I1 + M1 * C1 * C1 + MM * L1 * L1 + IS + IR + I2 + M2 * (L1 * L1 + C2 * C2 + 2 * L1 * C2 * cos(q));
}

static void rigid_arm_has_the_closed_form(void **state) {
  (void)state;
  lim_model *m = parse(two_links);
  table_head(
      "rigid arm of two links with motors, elbow from 0 to 180 degrees: largest relative error of 101 moments");
  for (int route = 0; route < 2; route++) {
    lim_error err = {0};
    lim_inertia *x;
    assert_int_equal(lim_inertia_new(&x, m, NULL, &(lim_inertia_plan){.route = route, .at = NAN}, &err),
                     LIM_OK);
    const lim_inertia_joint *one = &x->joints.item[0], *two = &x->joints.item[1];
    double e[4] = {0};
    assert_int_equal(x->n, 101);
    for (int i = 0; i < x->n; i++) {
      double t = x->time[i], low = shoulder_arm(M_PI * t * t * t * (10 - 15 * t + 6 * t * t));
      double fore = I2 + M2 * C2 * C2;
      e[0] = fmax(e[0], fabs(one->joint[i] / (low + R1 * R1 * IR1) - 1));
      e[1] = fmax(e[1], fabs(one->motor_side[i] / (IR1 + low / (R1 * R1)) - 1));
      e[2] = fmax(e[2], fabs(two->joint[i] / (fore + R * R * IR) - 1));
      e[3] = fmax(e[3], fabs(two->motor_side[i] / (IR + fore / (R * R)) - 1));
    }
    const char *name = route ? "nodal Jacobian" : "mass matrix",
               *what[4] = {"shoulder", "shoulder, at the motor", "elbow", "elbow, at the motor"};
    for (int k = 0; k < 4; k++) table_bound(what[k], e[k], 1e-12, name);
    lim_inertia_free(x);
  }
  lim_model_free(m);
}

// --- a flexible arm with a motor at its elbow ---

static const char strips[] = "limber: 1\n"
                             "gravity: [0, 0, 0]\n"
                             "planar: xy\n"
                             "materials: {aluminium: {E: 71 GPa, nu: 0.33, rho: 2710}}\n"
                             "sections: {strip: {shape: rectangle, y: 5 mm, z: 40 mm}}\n"
                             "links:\n"
                             "  - {name: shoulder, beam: {length: 0.4, section: strip, material: aluminium}}\n"
                             "  - {name: elbow, beam: {length: 0.4, section: strip, material: aluminium}}\n"
                             "configuration: {elbow: 50 deg}\n"
                             "drives:\n"
                             "  shoulder: {type: motor, motor: {rotor_inertia: 8e-6, ratio: 200}}\n"
                             "  elbow: {type: motor, motor: {mass: 0.94, rotor_inertia: 2.35e-6, "
                             "stator_inertia: 1.27e-4, ratio: 100}}\n";

typedef struct {
  lim_model *m;
  lim_arm *s;
  lim_rec_work *w;
  double *q, *v, *scratch;
} arm;

static arm arm_of(const char *text) {
  arm a = {.m = parse(text)};
  lim_error err = {0};
  assert_int_equal(lim_arm_new(&a.s, a.m, false, &err), LIM_OK);
  a.w = lim_rec_work_new(a.s);
  a.q = calloc((size_t)a.s->n, sizeof *a.q);
  a.v = calloc((size_t)a.s->n, sizeof *a.v);
  a.scratch = calloc(lim_inertia_scratch(a.s), sizeof *a.scratch);
  assert_true(a.w && a.q && a.v && a.scratch);
  lim_arm_start(a.q, a.v, a.s);
  return a;
}

static void arm_free(arm a) {
  free(a.q);
  free(a.v);
  free(a.scratch);
  lim_rec_work_free(a.w);
  lim_arm_free(a.s);
  lim_model_free(a.m);
}

// Effort over acceleration of a joint that swings harmonically, the other held: (3), with links that follow.
static double dynamic_inertia(arm a, int body, double omega) {
  int n = a.s->n, j = a.s->bodies[body].q;
  double low, rotor;
  assert_int_equal(lim_inertia_at(&low, &rotor, a.s, body, a.q, a.w, a.scratch), LIM_OK);
  const lim_rotor *own = &a.s->rotor[a.s->bodies[body].rotor];
  double J = low + own->ratio * own->ratio * rotor;
  double *zero = calloc(4 * (size_t)n, sizeof *zero), *d = zero + n, *b = zero + 2 * n, *x = zero + 3 * n;
  d[j] = 1;
  lim_rec_residual(b, a.w, a.q, zero, d); // a column of M: there is no gravity
  for (int i = 0; i < a.s->nbody; i++) {
    lim_rec_lock(a.w, a.s->bodies[i].q, true);
    b[a.s->bodies[i].q] = 0;
  }
  memcpy(x, b, (size_t)n * sizeof *x);
  assert_int_equal(lim_rec_factor(a.w, a.q, (lim_step_matrix){.M = -omega * omega, .K = 1}), -1);
  lim_rec_solve(x, a.w);
  for (int i = 0; i < n; i++) J += omega * omega * b[i] * x[i];
  free(zero);
  return J;
}

static void slow_motion_feels_the_effective_inertia(void **state) {
  (void)state;
  arm a = arm_of(strips);
  lim_modes *v;
  lim_error err = {0};
  assert_int_equal(lim_modes_new(&v, a.m, NULL, LIM_JOINTS_LOCKED, 1, &err), LIM_OK);
  double first = 2 * M_PI * v->modes.item[0].frequency;
  double rho = 2710 * 0.005 * 0.04, l = 0.4, link = rho * l,
         rotary = 2710 * 0.04 * 0.005 * 0.005 * 0.005 / 12 * l;
  double swing =
      l * l + l * l / 3 + l * l * cos(50 * M_PI / 180); // of the forearm about the shoulder, per mass
  const double expected[2] = {200 * 200 * 8e-6 + link * (l * l / 3 + swing) + 2 * rotary + 0.94 * l * l +
                                  1.27e-4 + 2.35e-6,
                              100 * 100 * 2.35e-6 + link * l * l / 3 + rotary};
  const char *name[2] = {"shoulder", "elbow"};
  table_head(
      "flexible arm with an elbow motor: effort over acceleration of a joint that swings at a frequency");
  printf("first frequency with locked motors: %.3f Hz\n", first / (2 * M_PI));
  for (int body = 0; body < 2; body++) {
    char what[80];
    double low, rotor, ratio = a.s->rotor[body].ratio;
    lim_inertia_at(&low, &rotor, a.s, body, a.q, a.w, a.scratch);
    double J = low + ratio * ratio * rotor;
    snprintf(what, sizeof what, "%s: effective inertia [kg m^2]", name[body]);
    table_row(what, J, expected[body], 1e-12, "closed form");
    for (double part = 0.3; part > 1e-3; part /= 10) {
      double ratio2 = part * part;
      snprintf(what, sizeof what, "%s: more at %g of the first frequency", name[body], part);
      table_bound(what, dynamic_inertia(a, body, part * first) / J - 1, ratio2 / (1 - ratio2), "bound (4)");
    }
    double slope = log10((dynamic_inertia(a, body, 0.1 * first) / J - 1) /
                         (dynamic_inertia(a, body, 0.01 * first) / J - 1));
    snprintf(what, sizeof what, "%s: order in the frequency", name[body]);
    table_row(what, slope, 2, 0.01, "(3)");
  }
  lim_modes_free(v);
  arm_free(a);
}

// --- deformed links ---

// Largest relative difference of the two routes about the equilibrium under gravity g.
static double difference(double g, int elements) {
  char text[1000];
  snprintf(
      text, sizeof text,
      "limber: 1\ngravity: [%g, %g, %g]\nmaterials: {a: {E: 71 GPa, rho: 2710}}\nsections: {s: {shape: "
      "rectangle, y: 10 mm, z: 20 mm}}\nlinks:\n  - {name: one, joint: {axis: [1, 2, 2]}, beam: {length: 0.8, "
      "section: s, material: a, elements: %d}}\n  - {name: two, joint: {axis: [1, 1, 0]}, beam: {length: 0.4, "
      "section: s, material: a, elements: %d}, masses: [{at: tip, mass: 0.2, xyz: [0, 0.1, 0]}]}\n"
      "configuration: {one: 0.3, two: -0.4}\nsolver: {start: equilibrium}\n",
      g, -g, g, elements, elements);
  lim_model *m = parse(text);
  lim_inertia *x[2];
  double largest = 0;
  for (int route = 0; route < 2; route++) {
    lim_error err = {0};
    assert_int_equal(lim_inertia_new(&x[route], m, NULL, &(lim_inertia_plan){.route = route, .at = NAN}, &err),
                     LIM_OK);
  }
  for (int i = 0; i < 2; i++)
    largest = fmax(largest, fabs(x[1]->joints.item[i].joint[0] / x[0]->joints.item[i].joint[0] - 1));
  lim_inertia_free(x[0]);
  lim_inertia_free(x[1]);
  lim_model_free(m);
  return largest;
}

static void routes_differ_by_interpolation_on_deformed_links(void **state) {
  (void)state;
  table_head("relative difference of the two routes on sagging links, and how it falls");
  double d = difference(1, 4);
  table_bound("gravity (1, -1, 1) m/s^2, 4 elements", d, 1e-5, "");
  table_row("by a tenth of the gravity", d / difference(0.1, 4), 10, 0.01, "first order in deflections");
  table_row("by twice the elements", d / difference(1, 8), 4, 0.05, "second order in their length");
  table_bound("without gravity", difference(0, 4), 1e-14, "undeformed");
}

// --- lumped nodal masses ---

// The printed method adds up the columns of the mass matrix node by node: the error falls with the elements'
// square.
static void lumped_masses_make_beams_heavier(void **state) {
  (void)state;
  table_head("a beam turned about its end: inertia over m L^2/3 with masses lumped at its nodes");
  for (int n = 1; n <= 16; n *= 2) {
    char text[400], what[80];
    snprintf(
        text, sizeof text,
        "limber: 1\nmaterials: {a: {E: 71 GPa, rho: 2710}}\nsections: {s: {shape: rectangle, y: 5 mm, z: 40 "
        "mm}}\nlinks: [{name: arm, beam: {length: 0.4, section: s, material: a, element: timoshenko, elements: "
        "%d}}]\n",
        n);
    arm a = arm_of(text);
    const lim_mesh *mesh = a.s->bodies[0].mesh;
    double J = 0;
    for (int i = 0; i < mesh->nnode; i++)
      for (int k = 0; k < mesh->nnode; k++)
        J += lim_band_get(mesh->M, 6 * i + 1, 6 * k + 1) * mesh->x[i] * mesh->x[i];
    snprintf(what, sizeof what, "%d element%s", n, n > 1 ? "s" : "");
    table_row(what, J / (lim_mesh_mass(mesh) * 0.16 / 3), 1 + 0.5 / (n * n), 1e-12, "1 + 1/(2 n^2)");
    arm_free(a);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rigid_arm_has_the_closed_form),
      cmocka_unit_test(slow_motion_feels_the_effective_inertia),
      cmocka_unit_test(routes_differ_by_interpolation_on_deformed_links),
      cmocka_unit_test(lumped_masses_make_beams_heavier),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

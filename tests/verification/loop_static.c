// loop_static.c - forces in closed chains. At rest: a flexible parallelogram against the same with stiff
// bushings for its pin, efforts of its driven joints by virtual work, the pin by the rod's own balance. In
// motion: efforts of the rigid parallelogram by Lagrange's equations in its two angles, and the work of those
// of the flexible one.
#include "loop_fixture.h"

// Upper arm and rod of length L1, forearm L1 and rear extension L2, input link L2; 1.17 kg/m.
static const double L1 = 0.9, L2 = 0.3, LINE = 1.17, G = 9.81;

#define BAR(name, joint, length, elements)                                                                     \
  "  - {name: " name ", " joint "beam: {length: " length                                                       \
  ", section: bar, material: steel, elements: " elements "}}\n"
#define PARALLELOGRAM                                                                                          \
  "limber: 1\nplanar: xy\ngravity: [0, -9.81, 0]\nmaterials: {steel: {E: 210 GPa, nu: 0.3, rho: 7800}}\n"      \
  "sections: {bar: {shape: rectangle, y: 15 mm, z: 10 mm}}\nlinks:\n" BAR("upper", "", "0.9", "3")             \
      BAR("fore", "", "0.9", "3") BAR("rear",                                                                  \
                                      "parent: fore, at: base, joint: {type: fixed, origin: {rpy: [0, 0, "     \
                                      "180 deg]}}, ",                                                          \
                                      "0.3", "2") BAR("crank", "parent: base, ", "0.3", "2")                   \
          BAR("rod", "", "0.9", "3") "frames: [{name: tip, on: fore, at: tip}]\n"
#define PIN "loops: [{name: pin, between: [rod.tip, rear.tip]}]\n"
#define HELD                                                                                                   \
  "drives: {upper: {type: prescribed}, crank: {type: prescribed}}\n"                                           \
  "configuration: {upper: 1.2, crank: 2.8, fore: -1.5415926535897931, rod: -1.6}\n"
#define LOAD "loads: [{at: tip, force: [4, -10, 0]}]\n"
static const double UPPER = 1.2, FORE = 2.8 - M_PI;

// Of the sections about z, per length.
static const double ROTARY = 7800 * 0.01 * 0.015 * 0.015 * 0.015 / 12;

static const double *displaced(const lim_static *x, const char *frame) {
  for (int i = 0; i < x->frames.count; i++)
    if (!strcmp(x->frames.item[i].name, frame)) return x->frames.item[i].displacement;
  fail_msg("no frame '%s'", frame);
  return NULL;
}

static double effort(const lim_static *x, const char *joint) {
  for (int i = 0; i < x->joints.count; i++)
    if (!strcmp(x->joints.item[i].name, joint)) return x->joints.item[i].effort;
  fail_msg("no joint '%s'", joint);
  return 0;
}

// --- at rest ---

// Pins of the open chain yield to next to nothing; what the bushing gives way falls as its stiffness grows.
static void pin_rests_where_stiff_bushings_tend_to(void **state) {
  (void)state;
  static const char SOFT[] = PARALLELOGRAM LOAD
      "drives: {upper: {type: prescribed}, crank: {type: prescribed}, fore: {type: servo, "
      "stiffness: 1e-6}, rod: {type: servo, stiffness: 1e-6}}\n"
      "configuration: {upper: 1.2, crank: 2.8, fore: -1.5415926535897931, rod: -1.6}\n"
      "bushings: [{name: pin, between: [rod.tip, rear.tip], stiffness: [1e6, 1e6, 0, 0, 0, 0]}]\n";
  lim_model *m = parse(PARALLELOGRAM LOAD PIN HELD);
  lim_static *x = static_of(m);
  const double *u = displaced(x, "tip");
  double before = 0;
  table_head(
      "Flexible parallelogram under gravity and a load: tip off that of the arm with a bushing for its pin");
  for (int i = 0; i < 3; i++) {
    static const char *const STIFF[] = {"1e6", "1e7", "1e8"};
    char set[96], what[64];
    snprintf(set, sizeof set, "bushings.pin.stiffness=[%s, %s, 0, 0, 0, 0]", STIFF[i], STIFF[i]);
    lim_model *soft = model_of(SOFT, (const char *[]){set, NULL});
    lim_static *y = static_of(soft);
    const double *w = displaced(y, "tip");
    double off = hypot(u[0] - w[0], u[1] - w[1]) / hypot(u[0], u[1]);
    snprintf(what, sizeof what, "%s N/m: distance over displacement", STIFF[i]);
    table_bound(what, off, 0.02 / pow(10, i), "tends to 0");
    if (i) table_row("  over that of the stiffer one", before / off, 10, 0.05, "as 1/stiffness");
    before = off;
    if (i == 2) {
      table_row("  effort of upper [N m]", effort(x, "upper"), effort(y, "upper"), 1e-3, "with the bushing");
      table_row("  effort of crank [N m]", effort(x, "crank"), effort(y, "crank"), 1e-3, "with the bushing");
    }
    lim_static_free(y);
    lim_model_free(soft);
  }
  lim_static_free(x);
  lim_model_free(m);
}

// Derivatives of the weight's and the load's potential by the two angles.
static void rigid_efforts(double out[2], double q1, double phi, double fx, double fy) {
  double m1 = LINE * L1, m2 = LINE * L2;
  // upper: L1/2 e; fore: L1 e + L1/2 w; rear: L1 e - L2/2 w; crank: -L2/2 w; rod: -L2 w + L1/2 e
  double e = m1 * L1 / 2 + (m1 + m2) * L1 + m1 * L1 / 2, w = m1 * L1 / 2 - m2 * L2 / 2 - m2 * L2 / 2 - m1 * L2;
  out[0] = G * e * cos(q1) - L1 * (-fx * sin(q1) + fy * cos(q1));
  out[1] = G * w * cos(phi) - L1 * (-fx * sin(phi) + fy * cos(phi));
}

static const char *const RIGID[] = {"links.upper.basis={type: rigid}", "links.fore.basis={type: rigid}",
                                    "links.rear.basis={type: rigid}",  "links.crank.basis={type: rigid}",
                                    "links.rod.basis={type: rigid}",   NULL};

static void efforts_of_the_rigid_arm_are_those_of_virtual_work(void **state) {
  (void)state;
  lim_model *m = model_of(PARALLELOGRAM LOAD PIN HELD, RIGID);
  lim_static *x = static_of(m);
  double expected[2];
  rigid_efforts(expected, UPPER, FORE, 4, -10);
  table_head("Rigid parallelogram at rest");
  table_row("effort of upper [N m]", effort(x, "upper"), expected[0], 1e-9, "virtual work");
  table_row("effort of crank [N m]", effort(x, "crank"), expected[1], 1e-9, "virtual work");
  lim_static_free(x);
  lim_model_free(m);
}

// Strain and weight of the arm at rest, less the work of the load.
static double potential(const char *upper, const char *crank) {
  char set[2][64];
  snprintf(set[0], sizeof set[0], "configuration.upper=%s", upper);
  snprintf(set[1], sizeof set[1], "configuration.crank=%s", crank);
  lim_model *m = model_of(PARALLELOGRAM LOAD PIN HELD, (const char *[]){set[0], set[1], NULL});
  lim_static *x = static_of(m);
  lim_world_motion body[8];
  assert_true(x->arm.s->nbody <= 8);
  lim_kinematics(body, x->arm.s, x->arm.q, NULL, NULL);
  lim_energies e = lim_energies_of(x->arm.s, body, x->arm.q, x->unloaded + x->arm.s->n); // at rest
  double at[3] = {NAN, NAN, NAN};
  for (int i = 0; i < x->frames.count; i++)
    if (!strcmp(x->frames.item[i].name, "tip")) memcpy(at, x->frames.item[i].position, sizeof at);
  lim_static_free(x);
  lim_model_free(m);
  return e.strain + e.gravity - (4 * at[0] - 10 * at[1]);
}

static void efforts_of_the_flexible_arm_are_those_of_virtual_work(void **state) {
  (void)state;
  lim_model *m = parse(PARALLELOGRAM LOAD PIN HELD);
  lim_static *x = static_of(m);
  table_head("Flexible parallelogram at rest");
  table_row("effort of upper [N m]", effort(x, "upper"),
            (potential("1.201", "2.8") - potential("1.199", "2.8")) / 2e-3, 1e-6,
            "difference of the potential");
  table_row("effort of crank [N m]", effort(x, "crank"),
            (potential("1.2", "2.801") - potential("1.2", "2.799")) / 2e-3, 1e-6,
            "difference of the potential");
  lim_static_free(x);
  lim_model_free(m);
}

typedef struct {
  double force, moment; // what is missing in the rod's balance, largest
  double pin;           // largest force of the pin
} rod_balance;

// At rest: force of the crank's tip, of the pin and weight; moments about the pin.
static void balance_rod(void *user, const lim_snapshot *m) {
  rod_balance *r = user;
  int rod = link_called(m->system, "rod");
  double joint[3], turn[3], loop[3], none[3];
  lim_snapshot_reaction(joint, turn, m, rod);
  loop_wrench(loop, none, m);
  lim_world_motion base = lim_snapshot_site(m, site_called(m->system, "rod.base")),
                   tip = lim_snapshot_site(m, site_called(m->system, "rod.tip"));
  double weight = LINE * L1 * G;
  r->force = fmax(r->force, hypot(joint[0] + loop[0], joint[1] + loop[1] - weight));
  r->pin = fmax(r->pin, hypot(loop[0], loop[1]));
  double dx = base.p[0] - tip.p[0], dy = base.p[1] - tip.p[1];
  // the centre of the weight lies midway but for the sag of the rod
  r->moment = fmax(r->moment, fabs(dx * joint[1] - dy * joint[0] - dx / 2 * weight + turn[2]));
}

static void pin_balances_the_rod(void **state) {
  (void)state;
  rod_balance r = {0};
  watch(model_of(PARALLELOGRAM LOAD PIN HELD
                 "solver: {start: equilibrium, duration: 5 ms, step: 1 ms, tolerance: "
                 "1e-13}\n",
                 NULL),
        balance_rod, &r);
  table_head("Rod of the flexible parallelogram at rest");
  printf("%-52s %16.9g\n", "force of the pin [N]", r.pin);
  table_bound("forces missing, over that of the pin", r.force / r.pin, 1e-9, "free body");
  table_bound("moment missing, over that of the pin on 0.9 m", r.moment / (L1 * r.pin), 1e-3,
              "free body, straight");
}

// --- in motion ---

#define MOVE                                                                                                   \
  "motion:\n"                                                                                                  \
  "  upper: {profile: cycloidal, from: 1.2, to: 0.5, duration: 0.8}\n"                                         \
  "  crank: {profile: cycloidal, from: 2.8, to: 3.6, duration: 0.8}\n"                                         \
  "configuration: {fore: -1.5415926535897931, rod: -1.6}\n"

static void cycloid(double q[3], double t, double from, double to) {
  double s = t / 0.8, w = 2 * M_PI, d = to - from;
  q[0] = from + d * (s - sin(w * s) / w);
  q[1] = d * (1 - cos(w * s)) / 0.8;
  q[2] = d * w * sin(w * s) / 0.64;
}

// d/dt dT/dq' - dT/dq + dV/dq, T = A/2 q1'^2 + B/2 phi'^2 + C cos(q1 - phi) q1' phi'.
static void lagrange(double out[2], double t) {
  double m1 = LINE * L1, m2 = LINE * L2, q[3], p[3];
  double A = m1 * L1 * L1 / 3 + (m1 + m2) * L1 * L1 + m1 * L1 * L1 / 3 + 2 * ROTARY * L1,
         B = m1 * L1 * L1 / 3 + 2 * m2 * L2 * L2 / 3 + m1 * L2 * L2 + ROTARY * (L1 + 2 * L2),
         C = m1 * L1 * L1 / 2 - m2 * L1 * L2 / 2 - m1 * L1 * L2 / 2;
  cycloid(q, t, 1.2, 0.5);
  cycloid(p, t, 2.8, 3.6);
  p[0] -= M_PI;
  rigid_efforts(out, q[0], p[0], 0, 0);
  out[0] += A * q[2] + C * (cos(q[0] - p[0]) * p[2] + sin(q[0] - p[0]) * p[1] * p[1]);
  out[1] += B * p[2] + C * (cos(q[0] - p[0]) * q[2] - sin(q[0] - p[0]) * q[1] * q[1]);
}

static void inverse_of_the_rigid_arm_is_lagranges(void **state) {
  (void)state;
  lim_error err = {0};
  lim_model *m = model_of(PARALLELOGRAM PIN MOVE "solver: {duration: 0.8, step: 1 ms}\n", RIGID);
  lim_inverse *x = NULL;
  must(lim_inverse_new(&x, m, NULL, NULL, &err), &err, "inverse");
  assert_int_equal(x->joints.count, 2);
  double off[2] = {0}, size[2] = {0};
  for (int i = 0; i < x->n; i++) {
    double expected[2];
    lagrange(expected, x->time[i]);
    for (int k = 0; k < 2; k++) {
      off[k] = fmax(off[k], fabs(x->joints.item[k].effort[i] - expected[k]));
      off[k] = fmax(off[k], fabs(x->joints.item[k].rigid[i] - expected[k]));
      size[k] = fmax(size[k], fabs(expected[k]));
    }
  }
  table_head("Rigid parallelogram in motion: efforts off Lagrange's equations, over their largest");
  table_bound("upper", off[0] / size[0], 1e-9, "Lagrange, two angles");
  table_bound("crank", off[1] / size[1], 1e-9, "Lagrange, two angles");
  lim_inverse_free(x);
  lim_model_free(m);
}

enum { RECORDS = 4001 };
typedef struct {
  int n;
  double t[RECORDS], energy[RECORDS], speed[2][RECORDS], effort[2][RECORDS];
} account;

static void keep_account(void *user, const lim_snapshot *m) {
  account *a = user;
  static const char *const JOINTS[] = {"upper", "crank"};
  assert_true(a->n < RECORDS);
  a->t[a->n] = m->t;
  lim_energies e = lim_energies_of(m->system, m->body, m->q, m->v);
  a->energy[a->n] = e.kinetic + e.strain + e.gravity;
  for (int k = 0; k < 2; k++) {
    a->speed[k][a->n] = m->v[joint_of(m->system, JOINTS[k])];
    a->effort[k][a->n] = m->effort[joint_of(m->system, JOINTS[k])];
  }
  a->n++;
}

// Efforts of `inverse` are those of a simulation with the same motions; their work is what the arm gains.
static void work_of_inverse_efforts_is_the_gain_of_energy(void **state) {
  (void)state;
  static account a;
  static const char TEXT[] =
      PARALLELOGRAM PIN MOVE "solver: {start: equilibrium, duration: 0.8, step: 0.2 ms, tolerance: 1e-12}\n";
  lim_error err = {0};
  lim_model *m = parse(TEXT);
  lim_inverse *x = NULL;
  must(lim_inverse_new(&x, m, NULL, NULL, &err), &err, "inverse");
  watch(parse(TEXT), keep_account, &a);
  assert_int_equal(a.n, x->n);
  double work = 0, off = 0, same = 0, peak = 0;
  for (int i = 1; i < a.n; i++) {
    double h = a.t[i] - a.t[i - 1];
    for (int k = 0; k < 2; k++) {
      const double *tau = x->joints.item[k].effort, *v = a.speed[k];
      work += h / 2 * (tau[i] * v[i] + tau[i - 1] * v[i - 1]);
      same = fmax(same, fabs(tau[i] - a.effort[k][i]) / x->joints.item[k].of_effort.peak);
    }
    off = fmax(off, fabs(a.energy[i] - a.energy[0] - work));
    peak = fmax(peak, fabs(a.energy[i] - a.energy[0]));
  }
  table_head("Flexible parallelogram in motion, 0.2 ms");
  table_bound("efforts of inverse off those of simulate", same, 1e-9, "same motions");
  table_bound("work of efforts less gain of energy, over its peak", off / peak, 1e-6, "power balance");
  lim_inverse_free(x);
  lim_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pin_rests_where_stiff_bushings_tend_to),
      cmocka_unit_test(efforts_of_the_rigid_arm_are_those_of_virtual_work),
      cmocka_unit_test(efforts_of_the_flexible_arm_are_those_of_virtual_work),
      cmocka_unit_test(pin_balances_the_rod),
      cmocka_unit_test(inverse_of_the_rigid_arm_is_lagranges),
      cmocka_unit_test(work_of_inverse_efforts_is_the_gain_of_energy),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

// loop_four_bar.c - a rigid four-bar that falls and turns for 10 s at 1 ms, with every method: it stays closed,
// keeps its energy, moves as its equation in one freedom says, and its pin carries what Newton asks for.
// Written in space, its redundant constraints are found and change nothing.
#include "loop_fixture.h"

// Crank a, coupler b, rocker c, ground d [m]; masses, places of centres along the bars, inertias about these.
static const double LENGTH[3] = {0.2, 0.5, 0.4}, GROUND = 0.5, MASS[3] = {1, 2, 1.5},
                    CENTRE[3] = {0.1, 0.2, 0.25}, INERTIA[3] = {0.01, 0.05, 0.03}, START = 0.5, SPEED = 12,
                    G = 9.81;

#define FOUR_BAR                                                                                               \
  "limber: 1\n"                                                                                                \
  "gravity: [0, -9.81, 0]\n"                                                                                   \
  "links:\n"                                                                                                   \
  "  - {name: crank, body: {mass: 1, com: [0.1, 0, 0], inertia: [0, 0.01, 0.01], tip: [0.2, 0, 0]}}\n"         \
  "  - {name: coupler, body: {mass: 2, com: [0.2, 0, 0], inertia: [0, 0.05, 0.05], tip: [0.5, 0, 0]}}\n"       \
  "  - name: rocker\n"                                                                                         \
  "    parent: base\n"                                                                                         \
  "    joint: {origin: {xyz: [0.5, 0, 0]}}\n"                                                                  \
  "    body: {mass: 1.5, com: [0.25, 0, 0], inertia: [0, 0.03, 0.03], tip: [0.4, 0, 0]}\n"                     \
  "loops: [{name: pin, between: [coupler.tip, rocker.tip]}]\n"                                                 \
  "drives: {crank: {type: effort, effort: {profile: constant, value: 0}}}\n"                                   \
  "configuration: {crank: {position: 0.5, velocity: 12}, coupler: 0.5, rocker: 1.8}\n"                         \
  "solver: {method: rk4, duration: 10 s, step: 1 ms, tolerance: 8e-12}\n"

static const char PLANAR[] = "planar: xy\n" FOUR_BAR, SPATIAL[] = FOUR_BAR;

// --- one freedom ---

// Angles of the bars, and their derivatives by that of the crank.
typedef struct {
  double at[3], d[3], dd[3];
} bars;

// a e(crank) + b e(coupler) = d + c e(rocker), the coupler above.
static bars close_bars(double crank) {
  const double a = LENGTH[0], b = LENGTH[1], c = LENGTH[2];
  double x = GROUND - a * cos(crank), y = -a * sin(crank), r = hypot(x, y);
  bars s = {.at = {crank}, .d = {1}};
  s.at[1] = atan2(y, x) + acos((r * r + b * b - c * c) / (2 * r * b));
  s.at[2] = atan2(a * sin(crank) + b * sin(s.at[1]), a * cos(crank) + b * cos(s.at[1]) - GROUND);
  double s1 = sin(s.at[1]), c1 = cos(s.at[1]), s2 = sin(s.at[2]), c2 = cos(s.at[2]);
  double det = b * c * (s1 * c2 - c1 * s2); // of [-b s1, c s2; b c1, -c c2]
  double px = a * sin(crank), py = -a * cos(crank);
  s.d[1] = (-c * c2 * px - c * s2 * py) / det;
  s.d[2] = (-b * s1 * py - b * c1 * px) / det;
  px = a * cos(crank) + b * c1 * s.d[1] * s.d[1] - c * c2 * s.d[2] * s.d[2];
  py = a * sin(crank) + b * s1 * s.d[1] * s.d[1] - c * s2 * s.d[2] * s.d[2];
  s.dd[1] = (-c * c2 * px - c * s2 * py) / det;
  s.dd[2] = (-b * s1 * py - b * c1 * px) / det;
  return s;
}

// J(crank), its derivative, and that of the potential: J q'' + J' q'^2/2 + V' = 0.
static void inertia(double *J, double *dJ, double *dV, double crank) {
  bars s = close_bars(crank);
  *J = *dJ = *dV = 0;
  for (int i = 0; i < 3; i++) {
    double d[2] = {0}, dd[2] = {0}, reach = CENTRE[i];
    for (int k = i == 1 ? 0 : i; k <= i; k++) { // the coupler's centre: crank's tip and its own
      double l = k < i ? LENGTH[0] : reach, S = sin(s.at[k]), C = cos(s.at[k]);
      d[0] -= l * S * s.d[k];
      d[1] += l * C * s.d[k];
      dd[0] -= l * (C * s.d[k] * s.d[k] + S * s.dd[k]);
      dd[1] += l * (-S * s.d[k] * s.d[k] + C * s.dd[k]);
    }
    *J += MASS[i] * (d[0] * d[0] + d[1] * d[1]) + INERTIA[i] * s.d[i] * s.d[i];
    *dJ += 2 * (MASS[i] * (d[0] * dd[0] + d[1] * dd[1]) + INERTIA[i] * s.d[i] * s.dd[i]);
    *dV += MASS[i] * G * d[1];
  }
}

static double acceleration(double q, double v) {
  double J, dJ, dV;
  inertia(&J, &dJ, &dV, q);
  return -(dJ * v * v / 2 + dV) / J;
}

static void step(double *q, double *v, double h) {
  double k[4], u[4];
  u[0] = *v;
  k[0] = acceleration(*q, u[0]);
  u[1] = *v + h / 2 * k[0];
  k[1] = acceleration(*q + h / 2 * u[0], u[1]);
  u[2] = *v + h / 2 * k[1];
  k[2] = acceleration(*q + h / 2 * u[1], u[2]);
  u[3] = *v + h * k[2];
  k[3] = acceleration(*q + h * u[2], u[3]);
  *q += h / 6 * (u[0] + 2 * u[1] + 2 * u[2] + u[3]);
  *v += h / 6 * (k[0] + 2 * k[1] + 2 * k[2] + k[3]);
}

enum { RECORDS = 10001, PARTS = 10 };
static double REFERENCE[RECORDS]; // crank, every ms

static int find_reference(void **state) {
  (void)state;
  double q = START, v = SPEED;
  for (int i = 0; i < RECORDS; i++) {
    REFERENCE[i] = q;
    for (int k = 0; k < PARTS; k++) step(&q, &v, 1e-3 / PARTS);
  }
  return 0;
}

// --- runs ---

typedef struct {
  openness open;
  double off;    // of the crank, largest
  double others; // of coupler and rocker against the closed form at the crank's angle
  double newton; // what is missing in the coupler's balance [N]
  double force;  // largest of the pin [N]
  double turns, last;
} motion;

static void look(void *user, const lim_snapshot *m) {
  motion *o = user;
  int row = (int)lround(1e3 * m->t);
  double q[3] = {m->q[joint_of(m->system, "crank")], m->q[joint_of(m->system, "coupler")],
                 m->q[joint_of(m->system, "rocker")]};
  assert_true(row >= 0 && row < RECORDS);
  look_at_gaps(&o->open, m);
  o->off = fmax(o->off, fabs(q[0] - REFERENCE[row]));
  bars s = close_bars(q[0]);
  o->others = fmax(o->others, fabs(remainder(q[0] + q[1] - s.at[1], 2 * M_PI)));
  o->others = fmax(o->others, fabs(remainder(q[2] - s.at[2], 2 * M_PI)));
  o->turns = q[0] / (2 * M_PI);
  o->last = q[0];
  double joint[3], loop[3], moment[3];
  int coupler = link_called(m->system, "coupler");
  const lim_world_motion *b = &m->body[m->system->first_body[coupler]];
  double angle = q[0] + q[1], w = b->w[2], alpha = b->alpha[2];
  double a[2] = {b->a[0] - CENTRE[1] * (alpha * sin(angle) + w * w * cos(angle)),
                 b->a[1] + CENTRE[1] * (alpha * cos(angle) - w * w * sin(angle))};
  lim_snapshot_reaction(joint, moment, m, coupler);
  loop_wrench(loop, moment, m);
  for (int k = 0; k < 2; k++) o->force = fmax(o->force, fabs(loop[k]));
  for (int k = 0; k < 2; k++)
    o->newton = fmax(o->newton, fabs(joint[k] + loop[k] - MASS[1] * (a[k] + (k == 1) * G)));
}

static motion run_bars(const char *text, const char *method, const char *duration, const char *h,
                       lim_run *run) {
  motion o = {0};
  char set[2][64];
  snprintf(set[0], sizeof set[0], "solver.method=%s", method);
  snprintf(set[1], sizeof set[1], "solver.duration=%s", duration);
  char every[64];
  snprintf(every, sizeof every, "solver.step=%s", h);
  *run = watch(model_of(text, (const char *[]){set[0], set[1], every, NULL}), look, &o);
  return o;
}

static const char *const METHODS[] = {"newmark", "generalized-alpha", "rk4", "cvode", "ida"};

static void four_bar_stays_closed(const char *title, const char *text) {
  table_head(title);
  for (int i = 0; i < 5; i++) {
    lim_run run;
    char what[64];
    motion o = run_bars(text, METHODS[i], "10 s", "1 ms", &run);
#define LINE(text) (snprintf(what, sizeof what, "%s: %s", METHODS[i], text), what)
    table_bound(LINE("gap [m]"), o.open.gap, 1e-10, "closed");
    table_bound(LINE("speed of opening [m/s]"), o.open.speed, 1e-9, "closed");
    table_bound(LINE("coupler, rocker off the closed form [rad]"), o.others, 1e-9, "two circles");
    table_bound(LINE("parting/acceleration of the pin"), o.open.parting / o.open.acceleration,
                i < 2 ? 1e-6 : 1e-10, "accelerations");
    table_bound(LINE("coupler: (forces - m a)/largest force"), o.newton / o.force, 1e-11, "Newton");
    assert_true(o.turns > 10);
    if (i < 2) {
      printf("%-52s %16.3e\n", LINE("crank off the reduction, over its path"), o.off / (2 * M_PI * o.turns));
      continue;
    }
    table_bound(LINE("crank off the reduction, over its path"), o.off / (2 * M_PI * o.turns), 1e-6,
                "one freedom, rk4 at 0.1 ms");
    table_bound(LINE("rms balance [%]"), run.balance_percent_rms, 1e-6, "closed books");
#undef LINE
  }
}

static void planar_four_bar_stays_closed_and_moves_as_its_one_freedom(void **state) {
  (void)state;
  four_bar_stays_closed("Four-bar, 10 s at 1 ms", PLANAR);
}

static void four_bar_in_space_moves_alike(void **state) {
  (void)state;
  four_bar_stays_closed("Four-bar without `planar`, 10 s at 1 ms", SPATIAL);
}

static void redundant_constraints_are_counted(void **state) {
  (void)state;
  table_head("Constraints of the four-bar");
  for (int i = 0; i < 2; i++) {
    lim_model *m = parse(i ? SPATIAL : PLANAR);
    lim_overview o;
    lim_error err = {0};
    must(lim_overview_new(&o, m, &err), &err, "check");
    table_row(i ? "in space: freedoms taken" : "planar: freedoms taken", o.closed, 2, 0, "3 joints, 1 freedom");
    table_row(i ? "in space: redundant" : "planar: redundant", o.redundant, i ? 3 : 0, 0,
              i ? "5 of a pin in space less 2" : "2 of a pin in the plane less 2");
    free(o.link);
    lim_model_free(m);
  }
}

static void implicit_methods_are_of_second_order(void **state) {
  (void)state;
  static const char *const STEPS[] = {"4 ms", "2 ms", "1 ms"};
  table_head("Crank after 1 s: error at a step over that at half the step");
  for (int i = 0; i < 2; i++) {
    double off[3];
    lim_run run;
    for (int k = 0; k < 3; k++)
      off[k] = run_bars(PLANAR, METHODS[i], "1 s", STEPS[k], &run).last - REFERENCE[1000];
    for (int k = 0; k < 2; k++) {
      char what[64];
      snprintf(what, sizeof what, "%s, %s", METHODS[i], STEPS[k]);
      table_row(what, off[k] / off[k + 1], 4, k ? 0.05 : 0.2, "second order");
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(planar_four_bar_stays_closed_and_moves_as_its_one_freedom),
      cmocka_unit_test(four_bar_in_space_moves_alike),
      cmocka_unit_test(redundant_constraints_are_counted),
      cmocka_unit_test(implicit_methods_are_of_second_order),
  };
  return cmocka_run_group_tests(tests, find_reference, NULL);
}

// loop_bricard.c - Bricard's orthogonal linkage: six pins, each axis square to the next, all sides equal.
// Counted by constraints it would stand still; one of them is redundant and it moves. It falls for 10 s without
// losing energy or coming apart, wherever it is cut.
#include "loop_fixture.h"

// Uniform rods of 1 m and 1 kg along the edges of a cube, +x +y +z -x -y, closed by the world along -z.
#define BAR(name, parent, joint)                                                                               \
  "  - {name: " name ", " parent "joint: {" joint "}, body: {mass: 1, com: [0.5, 0, 0], inertia: [0, "         \
  "0.08333333333333333, 0.08333333333333333], tip: [1, 0, 0]}}\n"
#define HEAD "limber: 1\ngravity: [0, -9.81, 0]\nlinks:\n"
#define TAIL                                                                                                   \
  "frames: [{name: post, on: base, xyz: [0, 0, 1]}, {name: tip, on: b, at: tip}]\n"                            \
  "solver: {method: rk4, duration: 10 s, step: 1 ms, tolerance: 1e-11}\n"
#define FIRST BAR("a", "", "axis: [0, 1, 0]") BAR("b", "", "origin: {rpy: [0, 0, 90 deg]}, axis: [0, 0, 1]")

// One chain from the origin round to the post.
static const char LAST[] = HEAD FIRST BAR("c", "", "origin: {rpy: [0, -90 deg, 0]}, axis: [0, 1, 0]")
    BAR("d", "", "origin: {rpy: [0, 0, 90 deg]}, axis: [0, 0, 1]")
        BAR("e", "", "origin: {rpy: [0, -90 deg, 0]}, axis: [0, 1, 0]") TAIL
    "loops: [{name: pin, between: [e.tip, post], axis: [0, 0, 1], axis2: [1, 0, 0]}]\n";

// Two chains, from the origin and from the post, which meet at (1, 1, 0).
static const char MIDDLE[] =
    HEAD FIRST BAR("e", "parent: base, ", "origin: {xyz: [0, 0, 1], rpy: [0, 0, 90 deg]}, axis: [0, 1, 0]")
        BAR("d", "", "origin: {rpy: [0, 0, -90 deg]}, axis: [0, 0, 1]")
            BAR("c", "", "origin: {rpy: [0, 90 deg, 0]}, axis: [0, 1, 0]") TAIL
    "loops: [{name: pin, between: [b.tip, c.tip], axis: [0, -1, 0], axis2: [0, 0, 1]}]\n";

enum { RECORDS = 10001 };
static double PATH[RECORDS][3];

typedef struct {
  openness open;
  bool keep;
  double off, low, high, bend; // of the elbow's path; its heights; largest sine between the axes of the pin
} fall;

static void look(void *user, const lim_snapshot *m) {
  fall *f = user;
  int row = (int)lround(1e3 * m->t);
  assert_true(row < RECORDS);
  look_at_gaps(&f->open, m);
  lim_world_motion tip = lim_snapshot_site(m, site_called(m->system, "tip"));
  if (f->keep) memcpy(PATH[row], tip.p, sizeof tip.p);
  for (int i = 0; i < 3; i++) f->off = fmax(f->off, fabs(tip.p[i] - PATH[row][i]));
  f->low = fmin(f->low, tip.p[1]);
  f->high = fmax(f->high, tip.p[1]);
  const lim_closure *c = &m->system->loop[0];
  lim_world_motion at[2];
  double axis[2][3] = {{0}};
  for (int k = 0; k < 2; k++) {
    const double *n = k ? c->from->axis2 : c->from->axis;
    at[k] = lim_snapshot_site(m, &c->site[k]);
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) axis[k][i] += at[k].R[3 * i + j] * n[j];
  }
  for (int i = 0; i < 3; i++) f->bend = fmax(f->bend, fabs(axis[0][i] - axis[1][i]));
}

static lim_run drop(fall *f, const char *text, const char *method) {
  char set[64];
  snprintf(set, sizeof set, "solver.method=%s", method);
  f->high = -1e9;
  f->low = 1e9;
  return watch(model_of(text, (const char *[]){set, NULL}), look, f);
}

static void one_constraint_is_redundant(void **state) {
  (void)state;
  const char *const text[] = {LAST, MIDDLE};
  table_head("Constraints of Bricard's linkage");
  for (int i = 0; i < 2; i++) {
    lim_model *m = parse(text[i]);
    lim_overview o;
    lim_error err = {0};
    must(lim_overview_new(&o, m, &err), &err, "check");
    table_row(i ? "cut in the middle: freedoms left" : "cut at the end: freedoms left", o.joint_dof - o.closed,
              1, 0, "Bricard");
    table_row("redundant", o.redundant, 1, 0, "5 joints, 5 constraints, 1 freedom");
    free(o.link);
    lim_model_free(m);
  }
}

static void linkage_keeps_energy_and_stays_closed(void **state) {
  (void)state;
  static const char *const METHODS[] = {"rk4", "cvode", "generalized-alpha", "newmark"};
  table_head("Bricard's linkage falling for 10 s, 1 ms");
  for (int i = 0; i < 4; i++) {
    fall f = {.keep = i == 0};
    char what[64];
    lim_run run = drop(&f, LAST, METHODS[i]);
#define LINE(text) (snprintf(what, sizeof what, "%s: %s", METHODS[i], text), what)
    table_bound(LINE("gap [m]"), f.open.gap, 1e-10, "closed");
    table_bound(LINE("speed of opening [m/s]"), f.open.speed, 1e-9, "closed");
    table_bound(LINE("axes of the pin apart"), f.bend, 1e-10, "one axis");
    assert_true(f.high - f.low > 0.5); // it does move
    if (i < 2) table_bound(LINE("rms balance [%]"), run.balance_percent_rms, 1e-6, "closed books");
    if (i == 1) table_bound(LINE("elbow off that of rk4 [m]"), f.off, 1e-6, "same motion");
#undef LINE
  }
}

static void motion_does_not_depend_on_the_cut(void **state) {
  (void)state;
  fall f = {.keep = true}, g = {.keep = false};
  drop(&f, LAST, "rk4");
  drop(&g, MIDDLE, "rk4");
  table_head("Bricard's linkage cut at its end and in its middle");
  table_row("height of the elbow, range [m]", g.high - g.low, f.high - f.low, 1e-6, "the other cut");
  table_bound("elbow, largest distance [m]", g.off, 1e-6, "the other cut");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_constraint_is_redundant),
      cmocka_unit_test(linkage_keeps_energy_and_stays_closed),
      cmocka_unit_test(motion_does_not_depend_on_the_cut),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

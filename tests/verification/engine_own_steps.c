// engine_own_steps.c - cvode and ida choose their steps: they converge with the tolerance to what the other
// methods converge to, on full bases, on closed chains with flexible links, with friction; the grid of outputs
// and `solver.step` do not change their steps.
#include "motor_fixture.h"

// Both joints turn by 20 degrees and stop; both links swing on.
#define ARM                                                                                                    \
  "limber: 1\n"                                                                                                \
  "gravity: [0, 0, 0]\n"                                                                                       \
  "planar: xy\n"                                                                                               \
  "materials: {m: {E: 70e9, nu: 0.3, rho: 2700}}\n"                                                            \
  "sections: {s: {shape: rectangle, y: 20 mm, z: 20 mm}}\n"                                                    \
  "links:\n"                                                                                                   \
  "  - {name: one, joint: {axis: [0, 0, 1]}, beam: {length: 0.8, section: s, material: m, elements: 3}}\n"     \
  "  - {name: two, joint: {axis: [0, 0, 1]}, beam: {length: 0.6, section: s, material: m, elements: 3}}\n"     \
  "motion:\n"                                                                                                  \
  "  one: {profile: cycloidal, from: 0, to: 20 deg, duration: 0.2 s}\n"                                        \
  "  two: {profile: cycloidal, from: 0, to: 20 deg, duration: 0.2 s}\n"                                        \
  "solver: {duration: 0.3 s, step: 1 ms}\n"                                                                    \
  "outputs: {every: 10 ms}\n"

// A four-bar whose coupler bends, driven by a torque.
#define CHAIN                                                                                                  \
  "limber: 1\n"                                                                                                \
  "gravity: [0, -9.81, 0]\n"                                                                                   \
  "planar: xy\n"                                                                                               \
  "materials: {m: {E: 70e9, nu: 0.3, rho: 2700}}\n"                                                            \
  "sections: {s: {shape: rectangle, y: 8 mm, z: 20 mm}}\n"                                                     \
  "links:\n"                                                                                                   \
  "  - {name: crank, body: {mass: 1, com: [0.1, 0, 0], inertia: [0, 0.01, 0.01], tip: [0.2, 0, 0]}}\n"         \
  "  - {name: coupler, beam: {length: 0.5, section: s, material: m}, basis: {type: modes, count: 3}, "         \
  "damping: {ratio: 0.02}}\n"                                                                                  \
  "  - {name: rocker, parent: base, joint: {origin: {xyz: [0.5, 0, 0]}}, body: {mass: 1.5, com: [0.25, 0, "    \
  "0], inertia: [0, 0.03, 0.03], tip: [0.4, 0, 0]}}\n"                                                         \
  "loops: [{name: pin, between: [coupler.tip, rocker.tip]}]\n"                                                 \
  "drives: {crank: {type: effort, effort: {profile: cycloidal, from: 0, to: 2, duration: 0.1 s}}}\n"           \
  "configuration: {crank: 0.5, coupler: 0.5, rocker: 1.8}\n"                                                   \
  "solver: {duration: 0.3 s, step: 1 ms}\n"                                                                    \
  "outputs: {every: 10 ms}\n"

enum { RECORDS = 64 };

typedef struct {
  int count;
  double tip[RECORDS][3];
} path;

static void watch_path(void *user, const lim_snapshot *m) {
  path *p = user;
  const lim_world_motion x = lim_snapshot_site(m, &m->system->site[0].site);
  if (p->count < RECORDS) memcpy(p->tip[p->count], x.p, sizeof x.p);
  p->count++;
}

static double apart(const path *a, const path *b) {
  double max = 0;
  assert_int_equal(a->count, b->count);
  for (int i = 0; i < a->count && i < RECORDS; i++)
    for (int k = 0; k < 3; k++) max = fmax(max, fabs(a->tip[i][k] - b->tip[i][k]));
  return max;
}

static path path_of(const char *text, const char *method, const char *other, lim_run *run) {
  path p = {0};
  *run = run_text(text, (const char *[]){method, other, NULL}, watch_path, &p);
  return p;
}

// generalized-alpha with a step, its half, and the two extrapolated to none.
static path reference_of(const char *text, const char *step, const char *half, double *error) {
  lim_run run;
  const path a = path_of(text, "solver.method=generalized-alpha", step, &run);
  path b = path_of(text, "solver.method=generalized-alpha", half, &run);
  *error = apart(&a, &b) / 3;
  for (int i = 0; i < b.count && i < RECORDS; i++)
    for (int k = 0; k < 3; k++) b.tip[i][k] += (b.tip[i][k] - a.tip[i][k]) / 3;
  return b;
}

static const char *const OWN[] = {"solver.method=cvode", "solver.method=ida"};

static void converges(const char *title, const char *text, const char *step, const char *half, double bound) {
  static const char *const TOLERANCE[] = {"solver.tolerance=1e-4", "solver.tolerance=1e-6"};
  double rest;
  const path reference = reference_of(text, step, half, &rest);
  char what[64];
  table_head(title);
  printf("generalized-alpha, with the shorter step: %.2e\n", rest);
  for (int i = 0; i < 2; i++) {
    double error[2];
    for (int k = 0; k < 2; k++) {
      lim_run run;
      const path p = path_of(text, OWN[i], TOLERANCE[k], &run);
      error[k] = apart(&p, &reference);
      printf("%s, %s: %ld steps, %ld evaluations, balance %.1e %%\n", method_name(OWN[i]), TOLERANCE[k] + 7,
             run.steps, run.iterations, run.balance_percent_rms);
      snprintf(what, sizeof what, "%s, tolerance %s", method_name(OWN[i]), k ? "1e-6" : "1e-4");
      table_bound(what, error[k], k ? bound : 30 * bound, "generalized-alpha, extrapolated");
    }
    table_bound("  second over first", error[1] / error[0], 0.2, "falls with the tolerance");
  }
}

static void full_bases_converge_with_the_tolerance(void **state) {
  (void)state;
  converges("Two links with full bases: path of the tip in 0.2 s [m]", ARM, "solver.step=0.2 ms",
            "solver.step=0.1 ms", 2e-6);
}

static void flexible_closed_chain_converges_with_the_tolerance(void **state) {
  (void)state;
  converges("Four-bar with a flexible coupler: path in 0.3 s [m]", CHAIN, "solver.step=0.2 ms",
            "solver.step=0.1 ms", 2e-6);
}

static lim_run run_grid(const char *method, const char *step) {
  return run_text(CHAIN, (const char *[]){method, step, "solver.tolerance=1e-5", NULL}, NULL, NULL);
}

static void steps_do_not_follow_the_grid(void **state) {
  (void)state;
  table_head("Steps of its own in 0.3 s, with solver.step of 10 us and of 10 ms");
  for (int i = 0; i < 2; i++) {
    const lim_run coarse = run_grid(OWN[i], "solver.step=10 ms"),
                  fine = run_grid(OWN[i], "solver.step=0.01 ms");
    table_row(method_name(OWN[i]), (double)fine.steps, (double)coarse.steps, 1e-12, "the same");
    table_bound("  of the grid's 30 000", (double)fine.steps, 6000, "long steps");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(full_bases_converge_with_the_tolerance),
      cmocka_unit_test(flexible_closed_chain_converges_with_the_tolerance),
      cmocka_unit_test(steps_do_not_follow_the_grid),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

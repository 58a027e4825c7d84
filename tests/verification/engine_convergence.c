// engine_convergence.c - what refinement does: order of the integrators in the step, agreement of the bases as
// modes are added, order of segments in their length.
#include "engine_fixture.h"

static const char prototype[] = PROTOTYPE "solver: {duration: 1 s, tolerance: 1e-13}\n"
                                          "outputs: {every: 20 ms}\n";

enum { RECORDS = 51 };

// Where the tip was at the records of a run.
typedef struct {
  double tip[RECORDS][3];
  int count;
} path;

static void watch_path(void *user, const lim_snapshot *m) {
  path *x = user;
  lim_world_motion tip = lim_snapshot_site(m, &m->system->site[0].site);
  assert_true(x->count < RECORDS);
  memcpy(x->tip[x->count++], tip.p, sizeof tip.p);
}

static path path_of(const char *text, const char *const *set) {
  path x = {.count = 0};
  observation o = {.watch = watch_path, .user = &x};
  observe(&o, text, set);
  assert_int_equal(x.count, RECORDS);
  return x;
}

// Root mean square distance of two paths [m].
static double apart(const path *a, const path *b) {
  double sum = 0;
  for (int i = 0; i < RECORDS; i++)
    for (int k = 0; k < 3; k++) sum += (a->tip[i][k] - b->tip[i][k]) * (a->tip[i][k] - b->tip[i][k]);
  return sqrt(sum / RECORDS);
}

// log2 of the ratio of errors at two steps, the second half the first.
static double order_of(const char *method, const char *const step[2], const path *reference, const char *extra1,
                       const char *extra2) {
  double error[2];
  for (int i = 0; i < 2; i++) {
    path x = path_of(prototype, (const char *[]){method, step[i], extra1, extra2, NULL});
    error[i] = apart(&x, reference);
  }
  return log2(error[0] / error[1]);
}

static void integrators_converge_with_their_order(void **state) {
  (void)state;
  static const struct {
    const char *name, *method, *step[3];
    double order;
  } ROWS[] = {
      {"newmark",
       "solver.method=newmark",
       {"solver.step=0.4 ms", "solver.step=0.2 ms", "solver.step=0.1 ms"},
       2},
      {"generalized-alpha",
       "solver.method=generalized-alpha",
       {"solver.step=0.4 ms", "solver.step=0.2 ms", "solver.step=0.1 ms"},
       2},
      {"rk4", "solver.method=rk4", {"solver.step=0.4 ms", "solver.step=0.2 ms", "solver.step=0.1 ms"}, 4},
  };
  path reference = path_of(
      prototype, (const char *[]){"solver.method=cvode", "solver.step=20 ms", "solver.tolerance=1e-11", NULL});
  char what[64];
  table_head("Order in the step: path of the tip of the torque-driven arm against cvode at a tight tolerance");
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++)
    for (int k = 0; k < 2; k++) {
      snprintf(what, sizeof what, "%s, from %s to half", ROWS[i].name,
               ROWS[i].step[k] + strlen("solver.step="));
      table_row(what, order_of(ROWS[i].method, ROWS[i].step + k, &reference, NULL, NULL), ROWS[i].order, 0.05,
                "order of the method");
    }
}

// Prescribed joints: the driven deformation converges with the same order.
static void prescribed_motion_converges_with_the_order_of_the_method(void **state) {
  (void)state;
  static const struct {
    const char *name, *method;
    double order;
  } ROWS[] = {{"newmark", "solver.method=newmark", 2}, {"rk4", "solver.method=rk4", 4}};
  static const char upper[] = "drives.upper={type: prescribed}", fore[] = "drives.fore={type: prescribed}";
  static const char *const step[2] = {"solver.step=0.2 ms", "solver.step=0.1 ms"};
  path reference = path_of(prototype, (const char *[]){"solver.method=cvode", "solver.step=20 ms",
                                                       "solver.tolerance=1e-11", upper, fore, NULL});
  table_head("Order in the step, joints prescribed: path of the tip");
  for (int i = 0; i < 2; i++)
    table_row(ROWS[i].name, order_of(ROWS[i].method, step, &reference, upper, fore), ROWS[i].order, 0.05,
              "order of the method");
}

// --- bases ---

static const char strip[] = STRIP("") "solver: {duration: 1 s, step: 0.25 ms, tolerance: 1e-10}\n";

static double tip_distance(const char *basis, int count, const double from[3], double tip[3]) {
  char set[2][64];
  for (int i = 0; i < 2; i++)
    snprintf(set[i], sizeof set[i], "links.%s.basis={type: %s, count: %d}", i ? "fore" : "upper", basis, count);
  observation o = {0};
  observe(&o, strip, (const char *[]){count < 0 ? NULL : set[0], set[1], NULL});
  if (tip) memcpy(tip, o.tip, sizeof o.tip);
  return from ? hypot(o.tip[0] - from[0], o.tip[1] - from[1]) : 0;
}

// Tip at 1 s from that of the full basis, in parts of the reach of 1 m: falls with every mode, below 1e-6.
static void bases_agree_as_modes_are_added(void **state) {
  (void)state;
  static const struct {
    const char *basis;
    int count[4];
  } ROWS[] = {{"modes", {1, 2, 4, 10}}, {"craig-bampton", {0, 1, 2, 4}}};
  double full[3];
  char what[64];
  tip_distance("", -1, NULL, full);
  table_head("Two-link strip, tip at 1 s: distance from the full basis [m]; every row below the one above");
  for (int i = 0; i < 2; i++) {
    double before = 1e-4;
    for (int k = 0; k < 4; k++) {
      double distance = tip_distance(ROWS[i].basis, ROWS[i].count[k], full, NULL);
      snprintf(what, sizeof what, "%s, %d", ROWS[i].basis, ROWS[i].count[k]);
      table_bound(what, distance, k < 3 ? before : fmin(before, 1e-6), "full basis");
      before = distance;
    }
  }
}

// --- segments ---

// Peaks of the flexible 2R arm of the Timoshenko thesis at 60 degrees in 0.5 s: differences fall with the
// square of the length.
static void segments_converge_with_the_square_of_their_length(void **state) {
  (void)state;
  static const char arm[] =
      ROD "links:\n"
          "  - {name: upper, beam: {length: 1 m, section: rod, material: aluminium, elements: 16}}\n"
          "  - {name: fore, beam: {length: 1 m, section: rod, material: aluminium, elements: 16}}\n"
          "motion:\n"
          "  upper: {profile: cycloidal, from: 0, to: 60 deg, duration: 0.5 s}\n"
          "  fore: {profile: cycloidal, from: 0, to: 60 deg, duration: 0.5 s}\n"
          "solver: {duration: 0.6 s, step: 0.5 ms, stiffening: off}\n";
  double peak[5];
  char upper[64], fore[64], what[64];
  for (int k = 0; k < 5; k++) {
    observation o = {0};
    snprintf(upper, sizeof upper, "links.upper.beam.segments=%d", 1 << k);
    snprintf(fore, sizeof fore, "links.fore.beam.segments=%d", 1 << k);
    observe(&o, arm, (const char *[]){upper, fore, NULL});
    peak[k] = o.error[0];
  }
  table_head("Segments of the flexible 2R arm: order by which |dx| settles");
  for (int k = 1; k < 4; k++) {
    snprintf(what, sizeof what, "%d, %d, %d segments", 1 << (k - 1), 1 << k, 2 << k);
    table_row(what, log2((peak[k - 1] - peak[k]) / (peak[k] - peak[k + 1])), 2, 0.15, "second order");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(integrators_converge_with_their_order),
      cmocka_unit_test(prescribed_motion_converges_with_the_order_of_the_method),
      cmocka_unit_test(bases_agree_as_modes_are_added),
      cmocka_unit_test(segments_converge_with_the_square_of_their_length),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

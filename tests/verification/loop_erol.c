// loop_erol.c - the two arms of Erol 2002: frequencies, peaks of the tip's error with
// modes frozen per interval and in continuous solutions, what freezing costs. Models:
// models/parallelogram.yaml, models/two-link-with-elbow-motor.yaml.
//
// The study prints "20 elements" and not how they are shared. The two-link arm has 10 per link; the closed arm
// shows the reference's ten frequencies with 6, 4, 2, 2 and 6 on upper arm, forearm, rear extension, input link
// and rod; with 10 on each, modes 9 and 10, which the mesh still moves, come out 0.6 and 0.4 % lower.
#include "loop_fixture.h"

static const char OPEN[] = "models/two-link-with-elbow-motor.yaml", CLOSED[] = "models/parallelogram.yaml";

// --- frequencies ---

static void compare_frequencies(const char *path, const char *const *set, const double *expected, int count,
                                double tolerance) {
  lim_model *m = load_with(path, set);
  lim_modes *x = modes_of(m, LIM_JOINTS_LOCKED, 10);
  for (int i = 0; i < 10; i++) {
    char what[64];
    snprintf(what, sizeof what, "mode %d [Hz]", i + 1);
    table_row(what, x->modes.item[i].frequency, expected[i], i < count ? tolerance : 0.01,
              i < count ? "recomputed" : "of another mesh");
  }
  lim_modes_free(x);
  lim_model_free(m);
}

static const double TWO_LINK[10] = {2.920,  11.585, 68.285, 98.631, 220.19,
                                    271.44, 402.09, 460.30, 533.43, 783.09},
                    PARALLELOGRAM[10] = {5.536,  11.104, 41.381, 46.068, 70.798,
                                         86.341, 176.78, 223.31, 241.06, 394.62};

static void frequencies_of_both_arms_are_those_of_the_reference(void **state) {
  (void)state;
  static const char *const undamped[] = {"damping.ratio=0", "solver.start=undeformed", NULL};
  static const char *const fine[] = {"damping.ratio=0",
                                     "solver.start=undeformed",
                                     "links.upper.beam.elements=10",
                                     "links.fore.beam.elements=10",
                                     "links.rear.beam.elements=10",
                                     "links.input.beam.elements=10",
                                     "links.rod.beam.elements=10",
                                     NULL};
  table_head("Two-link arm with 5 kg at the elbow, tip at (1.2, 0.5), actuators locked");
  compare_frequencies(OPEN, undamped, TWO_LINK, 10, 1e-3);
  table_head("Parallelogram, L2 = 0.3 m, 20 elements as 6 + 4 + 2 + 2 + 6");
  compare_frequencies(CLOSED, undamped, PARALLELOGRAM, 10, 1e-3);
  table_head("Parallelogram, L2 = 0.3 m, 10 elements per bar");
  compare_frequencies(CLOSED, fine, PARALLELOGRAM, 7, 1e-3);
}

// Damping of the whole arm: every mode of the closed chain has its ratio.
static void modes_of_the_closed_arm_have_its_damping_ratio(void **state) {
  (void)state;
  lim_model *m = load_with(CLOSED, (const char *[]){"solver.start=undeformed", NULL});
  lim_modes *x = modes_of(m, LIM_JOINTS_LOCKED, 10);
  table_head("Parallelogram, damping: {ratio: 0.02}");
  for (int i = 0; i < 10; i++) {
    char what[64];
    snprintf(what, sizeof what, "mode %d: damping ratio", i + 1);
    table_row(what, x->modes.item[i].damping, 0.02, 1e-6, "the model");
  }
  lim_modes_free(x);
  lim_model_free(m);
}

// --- peaks ---

// Two trajectories, each of the open and of the closed arm; peaks of the reference [mm].
static const double PEAKS[4][2] = {{12.55, 29.17}, {3.13, 4.03}, {14.57, 67.78}, {5.43, 9.10}};

static const char WHOLE[] = "solver.duration=3 s", MOVING[] = "solver.duration=1.4 s";

enum { RECORDS = 3001 };

typedef struct {
  double dx, dy; // peaks [m]
  int n;
  double x[RECORDS], y[RECORDS];
} trajectory;

static void keep_error(void *user, const lim_snapshot *m) {
  trajectory *c = user;
  lim_world_motion tip = lim_snapshot_site(m, &m->system->site[0].site),
                   rigid = lim_snapshot_reference(m, &m->rigid->site[0].site);
  double dx = tip.p[0] - rigid.p[0], dy = tip.p[1] - rigid.p[1];
  c->dx = fmax(c->dx, fabs(dx));
  c->dy = fmax(c->dy, fabs(dy));
  assert_true(c->n < RECORDS);
  c->x[c->n] = dx;
  c->y[c->n++] = dy;
}

// Joint angles with the tip at (x, y), elbow up; the second is the elbow's, or that of the input link.
static void angles(double q[2], double x, double y, bool closed) {
  double L = 0.9, c = (x * x + y * y) / (2 * L * L) - 1, elbow = -acos(c);
  q[0] = atan2(y, x) - atan2(L * sin(elbow), L + L * cos(elbow));
  q[1] = closed ? q[0] + elbow + M_PI : elbow;
}

static void run_scene(trajectory *c, int k, const char *mode, const char *method, const char *duration,
                      const char *more) {
  bool closed = k % 2;
  double from[2], to[2];
  char set[4][120];
  angles(from, 1.2, 0.5, closed);
  angles(to, k < 2 ? 1.2 : 1.6, k < 2 ? 0.9 : 0.5, closed);
  const char *joint[2] = {"shoulder", closed ? "crank" : "elbow"};
  for (int i = 0; i < 2; i++)
    snprintf(set[i], sizeof set[i], "motion.%s={profile: cycloidal, from: %.15g, to: %.15g, duration: 1.4 s}",
             joint[i], from[i], to[i]);
  snprintf(set[2], sizeof set[2], "solver.mode=%s", mode);
  snprintf(set[3], sizeof set[3], "solver.method=%s", method);
  *c = (trajectory){0};
  watch(load_with(closed ? CLOSED : OPEN,
                  (const char *[]){set[0], set[1], set[2], set[3], duration, "solver.step=1 ms",
                                   "solver.start=equilibrium", "solver.stiffening=off", "damping.ratio=0.02",
                                   more, NULL}),
        keep_error, c);
}

static const char *const TITLES[] = {"to (1.2, 0.9), two-link", "to (1.2, 0.9), parallelogram",
                                     "to (1.6, 0.5), two-link", "to (1.6, 0.5), parallelogram"};

static void both(const char *what, const char *kind, const trajectory *c, double dx, double dy,
                 double tolerance, const char *source) {
  char line[96];
  snprintf(line, sizeof line, "%s, %s: |dx| [mm]", what, kind);
  table_row(line, 1e3 * c->dx, dx, tolerance, source);
  snprintf(line, sizeof line, "%s, %s: |dy| [mm]", what, kind);
  table_row(line, 1e3 * c->dy, dy, tolerance, source);
}

static void peaks_with_frozen_modes_are_those_of_the_reference(void **state) {
  (void)state;
  static trajectory c[3][4];
  table_head("Largest error of the tip, modal-newmark with 10 intervals and 10 modes");
  for (int i = 0; i < 4; i++) {
    run_scene(&c[0][i], i, "linear", "modal-newmark", WHOLE, "solver.intervals=10");
    both(TITLES[i], "frozen", &c[0][i], PEAKS[i][0], PEAKS[i][1], 0.03, "recomputed");
  }
  table_head("The same, continuous (newmark, 1 ms); in the second column the frozen solution");
  for (int i = 0; i < 4; i++) {
    run_scene(&c[1][i], i, "linear", "newmark", WHOLE, NULL);
    run_scene(&c[2][i], i, "nonlinear", "newmark", WHOLE, NULL);
    both(TITLES[i], "linear", &c[1][i], 1e3 * c[0][i].dx, 1e3 * c[0][i].dy, 0.06, "freezing: a few per cent");
    both(TITLES[i], "nonlinear", &c[2][i], 1e3 * c[0][i].dx, 1e3 * c[0][i].dy, 0.15, "and bending: more");
  }
  table_head("Two-link arm, second trajectory, continuous");
  both(TITLES[2], "linear", &c[1][2], 13.95, 65.35, 0.003, "recomputed");
  table_head("Closed over open");
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 4; i += 2) {
      char line[96];
      const char *kind[] = {"frozen", "linear", "nonlinear"};
      snprintf(line, sizeof line, "%s, %s: |dx|", i ? "to (1.6, 0.5)" : "to (1.2, 0.9)", kind[k]);
      table_bound(line, c[k][i + 1].dx / c[k][i].dx, 1, "Erol 2002: closed below open");
      snprintf(line, sizeof line, "%s, %s: |dy|", i ? "to (1.6, 0.5)" : "to (1.2, 0.9)", kind[k]);
      table_bound(line, c[k][i + 1].dy / c[k][i].dy, 1, "Erol 2002: closed below open");
    }
}

// --- the price of freezing ---

// Largest distance between the trajectories of two runs while the arm moves, over the largest error.
static double apart(const trajectory *a, const trajectory *b) {
  double max = 0, size = 0;
  for (int i = 0; i <= 1400; i++) {
    max = fmax(max, hypot(a->x[i] - b->x[i], a->y[i] - b->y[i]));
    size = fmax(size, hypot(b->x[i], b->y[i]));
  }
  return max / size;
}

// Without damping: with it the two differ also because the continuous arm keeps the damping of the modes that
// it had at t = 0, and the frozen one damps those of each interval.
static void freezing_in_more_intervals_comes_closer_to_the_continuous_solution(void **state) {
  (void)state;
  static trajectory smooth, frozen;
  printf("\nFreezing against the continuous linear solution: largest distance during the motion, and of peaks "
         "[%%]\n"
         "%-32s %10s %10s %10s %10s\n",
         "", "intervals", "course", "|dx|", "|dy|");
  for (int i = 0; i < 4; i++) {
    double left[4];
    run_scene(&smooth, i, "linear", "newmark", MOVING, NULL);
    for (int k = 0; k < 4; k++) {
      char set[32];
      snprintf(set, sizeof set, "solver.intervals=%d", 5 << k);
      run_scene(&frozen, i, "linear", "modal-newmark", MOVING, set);
      left[k] = apart(&frozen, &smooth);
      printf("%-32s %10d %10.3f %10.3f %10.3f\n", TITLES[i], 5 << k, 100 * left[k],
             100 * (frozen.dx / smooth.dx - 1), 100 * (frozen.dy / smooth.dy - 1));
    }
    assert_true(left[1] < left[0] && left[3] < left[0] / 2);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(frequencies_of_both_arms_are_those_of_the_reference),
      cmocka_unit_test(modes_of_the_closed_arm_have_its_damping_ratio),
      cmocka_unit_test(peaks_with_frozen_modes_are_those_of_the_reference),
      cmocka_unit_test(freezing_in_more_intervals_comes_closer_to_the_continuous_solution),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

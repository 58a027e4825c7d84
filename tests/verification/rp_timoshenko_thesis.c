// rp_timoshenko_thesis.c - the R-P arm of the Timoshenko thesis, a beam that slides out of a guide which turns:
// models/rp.yaml against Lagrange's equations of slide_fixture.h, and its tip error beside that of revolute
// arms of the same section.
#include "loop_fixture.h"

#define SHAPES 3 // a stiff beam: more would need shorter steps
#include "slide_fixture.h"

#define MODEL  "models/rp.yaml"
#define COARSE "links.boom.beam.elements=6" // the same to four digits

enum { RECORDS = 4001, EVERY = 10 };

static sliding_arm the_arm(void) {
  return (sliding_arm){.beam = {.EI = 700, .rho_A = 2700 * 315e-6, .length = 1.2},
                       .given = {true, true},
                       .stroke = {{0, M_PI / 3 / 2.5, 2.5}, {0.5, 0.2, 2.5}}};
}

typedef struct {
  int n;
  double t[RECORDS], error[RECORDS][3], effort[RECORDS][2];
} recording;

static void keep(void *user, const lim_snapshot *m) {
  recording *r = user;
  if (r->n == RECORDS) return;
  lim_world_motion tip = lim_snapshot_site(m, &m->system->site[0].site);
  lim_world_motion rigid = lim_snapshot_reference(m, &m->rigid->site[0].site);
  r->t[r->n] = m->t;
  for (int i = 0; i < 3; i++) r->error[r->n][i] = tip.p[i] - rigid.p[i];
  for (int i = 0; i < 2 && i < m->system->model->links.count; i++)
    r->effort[r->n][i] = m->effort[m->system->bodies[m->system->first_body[i]].q];
  r->n++;
}

static recording *record(const char *path, const char *const *set, lim_run *run) {
  recording *r = calloc(1, sizeof *r);
  assert_non_null(r);
  *run = watch(load_with(path, set), keep, r);
  return r;
}

static double peak(const recording *r, int axis) {
  double largest = 0;
  for (int i = 0; i < r->n; i++) largest = fmax(largest, fabs(r->error[i][axis]));
  return largest;
}

// The tip's error in the world: across the arm, and along it by the shortening.
static void world_error(double out[2], const double *y) {
  double tip[2], c = cos(y[0]), s = sin(y[0]);
  sliding_tip(tip, y);
  out[0] = c * (tip[0] - y[1]) - s * tip[1];
  out[1] = s * (tip[0] - y[1]) + c * tip[1];
}

static void arm_matches_lagrange(void **state) {
  (void)state;
  lim_run run;
  recording *r = record(MODEL, NULL, &run);
  sliding_arm arm = the_arm();
  double y[2 * SLIDE_ALL] = {0}, a[SLIDE_ALL], effort[2], e[2];
  double off[4] = {0}, largest[4] = {0};
  sliding_place(y, y + SLIDE_ALL, &arm, 0);
  for (int i = 0; i < r->n; i += EVERY) {
    if (i) sliding_advance(y, &arm, r->t[i - EVERY], r->t[i] - r->t[i - EVERY], 100);
    sliding_solve(a, effort, &arm, r->t[i], y, y + SLIDE_ALL);
    world_error(e, y);
    const double computed[4] = {r->error[i][0], r->error[i][1], r->effort[i][0], r->effort[i][1]},
                 expected[4] = {e[0], e[1], effort[0], effort[1]};
    for (int k = 0; k < 4; k++) {
      off[k] = fmax(off[k], fabs(computed[k] - expected[k]));
      largest[k] = fmax(largest[k], fabs(expected[k]));
    }
  }
  static const char *const names[] = {"tip error along x [mm]", "tip error along y [mm]",
                                      "torque of the turn [N m]", "force of the slide [N]"};
  table_head("R-P arm of the Timoshenko thesis, largest values; and largest differences over them");
  for (int k = 0; k < 4; k++) {
    double unit = k < 2 ? 1e3 : 1, found = 0;
    for (int i = 0; i < r->n; i++) found = fmax(found, fabs(k < 2 ? r->error[i][k] : r->effort[i][k - 2]));
    table_row(names[k], unit * found, unit * largest[k], 0.01, "Lagrange");
    table_bound("the same in time: off", off[k] / largest[k], 0.02, "Lagrange");
  }
  table_bound("tip error along z [m]", peak(r, 2), 1e-9, "the arm moves in a plane");
  table_bound("rms balance [%]", run.balance_percent_rms, 1e-4, "closed books");
  free(r);
}

static void nonlinear_oscillates_about_quasi_static(void **state) {
  (void)state;
  lim_run run;
  recording *r = record(MODEL, (const char *[]){COARSE, NULL}, &run),
            *still = record(MODEL, (const char *[]){"solver.mode=quasi-static", COARSE, NULL}, &run);
  table_head("R-P arm: nonlinear less quasi-static tip error while it moves, over the quasi-static peak");
  for (int k = 0; k < 2; k++) {
    double mean = 0, last = 0, largest = 0, size = peak(still, k);
    int changes = 0, count = 0;
    for (int i = 0; i < r->n && r->t[i] <= 2.5; i++) {
      double d = r->error[i][k] - still->error[i][k];
      mean += d;
      count++;
      largest = fmax(largest, fabs(d));
      changes += d * last < 0;
      if (d != 0) last = d;
    }
    char what[80];
    snprintf(what, sizeof what, "along %c: mean (%d changes of sign)", 'x' + k, changes);
    table_bound(what, mean / count / size, 0.01, "oscillates about it");
    snprintf(what, sizeof what, "along %c: largest", 'x' + k);
    table_bound(what, largest / size, 0.2, "bounded");
    assert_true(changes > 10);
  }
  free(r);
  free(still);
}

// The same section and timing: two links of half the reach, and of the arm of chapter IV.
static void tip_error_is_below_that_of_revolute_arms(void **state) {
  (void)state;
  static const struct {
    const char *name, *path, *set[3];
  } ROWS[] = {{"R-P, 0.5 to 1 m", MODEL, {COARSE}},
              {"2R, links of 0.5 m",
               "models/flexible-2r.yaml",
               {"links.upper.beam.length=0.5", "links.fore.beam.length=0.5", "sections.rod.A=315 mm^2"}},
              {"2R, links of 1 m", "models/flexible-2r.yaml", {"sections.rod.A=315 mm^2"}}};
  double error[3];
  printf("\nLargest tip errors of arms of A = 315 mm^2, I = 10000 mm^4, 60 degrees in 2.5 s\n%-24s %10s %10s "
         "%12s\n",
         "", "dx [mm]", "dy [mm]", "over R-P");
  for (int i = 0; i < 3; i++) {
    lim_run run;
    recording *r =
        record(ROWS[i].path, (const char *[]){ROWS[i].set[0], ROWS[i].set[1], ROWS[i].set[2], NULL}, &run);
    error[i] = hypot(peak(r, 0), peak(r, 1));
    printf("%-24s %10.4f %10.4f %12.2f\n", ROWS[i].name, 1e3 * peak(r, 0), 1e3 * peak(r, 1),
           error[i] / error[0]);
    free(r);
  }
  assert_true(error[1] > 2 * error[0] && error[2] > 50 * error[0]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arm_matches_lagrange),
      cmocka_unit_test(nonlinear_oscillates_about_quasi_static),
      cmocka_unit_test(tip_error_is_below_that_of_revolute_arms),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

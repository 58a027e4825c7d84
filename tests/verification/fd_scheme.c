// analysis/study/fd_scheme.c - the finite differences of Tokhi 1995: frequencies of the scheme, its tip, its
// end points, its orders, its stability.
#include "fd_fixture.h"

static void frequencies_of_both_hubs_match_the_recomputed_ones(void **state) {
  (void)state;
  static const double PRINTED[LOADINGS][3] = {
      {12.513, 40.144, 82.549}, {11.808, 33.001, 62.116}, {10.791, 30.962, 58.480}};
  static const double CORRECTED[LOADINGS][3] = {
      {12.513, 40.144, 82.549}, {11.793, 31.946, 57.203}, {10.780, 30.139, 54.050}};
  char what[80];
  table_head("Natural frequencies of the scheme, n = 19 [Hz]");
  for (int printed = 1; printed >= 0; printed--)
    for (int i = 0; i < LOADINGS; i++) {
      double hertz[3];
      scheme_frequencies(hertz, &LOADING[i], 19, printed);
      for (int k = 0; k < 3; k++) {
        snprintf(what, sizeof what, "%s hub, %s, mode %d", printed ? "printed" : "second-order",
                 LOADING[i].name, k + 1);
        table_row(what, hertz[k], (printed ? PRINTED : CORRECTED)[i][k], 1e-4, SEED004);
      }
    }
}

static void tip_of_the_printed_scheme_matches_the_recomputed_one(void **state) {
  (void)state;
  static const double TIME[3] = {0.3, 0.6, 1.2};
  static const double TIP[LOADINGS][3] = {
      {87.3915, 177.8956, 177.2265}, {85.3059, 179.1301, 177.0746}, {72.7575, 147.8219, 147.8353}};
  char what[80];
  table_head("Tip of the printed scheme, n = 19, steps of 0.2 ms, D_s = 0.024 N s [mm]");
  for (int i = 0; i < LOADINGS; i++) {
    motion x = motion_of(&LOADING[i], (const char *[]){"solver.hub=printed", NULL});
    for (int k = 0; k < 3; k++) {
      snprintf(what, sizeof what, "%s, t = %g s", LOADING[i].name, TIME[k]);
      table_row(what, 1e3 * tip_at(&x, TIME[k]), TIP[i][k], 1e-6, SEED004);
    }
    motion_free(&x);
  }
}

// After the damped vibration: the same for both hubs and every damping, because the inertia of the grid is
// rho A L^3/3 (1 + 1/(2 n^2)) + I_h + M_p L^2.
static void end_point_is_that_of_the_inertia_of_the_grid(void **state) {
  (void)state;
  static const double END[LOADINGS] = {177.464, 175.353, 147.723},
                      RIGID[LOADINGS] = {177.710, 175.593, 147.893};
  static const char *const HUB[] = {"solver.hub=printed", "solver.hub=second-order"};
  static const char *const DAMPING[] = {"links.arm.damping.strain_rate=0.148",
                                        "links.arm.damping.strain_rate=0.074"};
  char what[80];
  table_head("End point [mm]");
  for (int i = 0; i < LOADINGS; i++) {
    double beam = RHO_A * LENGTH * LENGTH * LENGTH / 3,
           rest = LOADING[i].hub + LOADING[i].payload * LENGTH * LENGTH;
    double rigid = 1e3 * LENGTH * 0.1 * 0.3 * 0.3 / (beam + rest),
           grid = 1e3 * LENGTH * 0.1 * 0.3 * 0.3 / (beam * (1 + 1.0 / (2 * 19 * 19)) + rest);
    snprintf(what, sizeof what, "%s, rigid link", LOADING[i].name);
    table_row(what, rigid, RIGID[i], 1e-5, SEED004);
    for (int k = 0; k < 4; k++) {
      motion x =
          motion_of(&LOADING[i], (const char *[]){HUB[k / 2], DAMPING[k % 2], "solver.duration=8 s", NULL});
      double end = 1e3 * tip_at(&x, 8);
      snprintf(what, sizeof what, "%s, %s", LOADING[i].name, HUB[k / 2] + strlen("solver."));
      table_row(what, end, END[i], 1e-4, SEED004);
      table_row("", end, grid, 1e-6, "inertia of the grid");
      motion_free(&x);
    }
  }
}

static double log2_of_errors(double coarse, double fine) { return log2(fabs(coarse) / fabs(fine)); }

// The second-order hub against the exact frequencies; the printed one against the second-order hub of the same
// grid, for its whole error is a h + b h^2 with a and b of opposite signs.
static void printed_hub_is_of_first_order_and_the_other_of_second(void **state) {
  (void)state;
  enum { GRIDS = 5, FIRST = 76 };
  double exact[3], hertz[2][GRIDS][3];
  char what[80];
  table_head("Order in the spacing of the grid: frequencies with hub inertia and payload");
  exact_frequencies(exact, &LOADING[2]);
  for (int i = 0; i < 2 * GRIDS; i++)
    scheme_frequencies(hertz[i % 2][i / 2], &LOADING[2], FIRST << i / 2, i % 2);
  for (int i = 0; i < 2 * (GRIDS - 1); i++)
    for (int k = 0; k < 3; k++) {
      int printed = i % 2, grid = i / 2, n = FIRST << grid;
      const double *coarse = hertz[printed][grid], *fine = hertz[printed][grid + 1];
      const double *from = printed ? hertz[0][grid] : exact, *to = printed ? hertz[0][grid + 1] : exact;
      snprintf(what, sizeof what, "%s hub, mode %d, n = %d to %d", printed ? "printed" : "second-order", k + 1,
               n, 2 * n);
      table_row(what, log2_of_errors(coarse[k] - from[k], fine[k] - to[k]), printed ? 1 : 2, 0.02,
                printed ? "second-order hub" : "transcendental equation");
    }
}

// Distance of two motions at their common records, root mean square.
static double apart(const motion *a, const motion *b) {
  double sum = 0;
  assert_int_equal(a->count, b->count);
  for (int i = 0; i < a->count; i++) sum += (a->y[i] - b->y[i]) * (a->y[i] - b->y[i]);
  return sqrt(sum / a->count);
}

// Under a torque that does not jump: a jump moves waves of all lengths, short ones against the grid's wrong hub
// too. Steps shrink with the square of the spacing, as stability asks. Distances of successive grids fall by 4
// with the second-order hub, those of the printed hub from it by 2.
static void motion_converges_with_the_order_of_the_hub(void **state) {
  (void)state;
  static const char *const N[] = {"links.arm.beam.elements=19", "links.arm.beam.elements=38",
                                  "links.arm.beam.elements=76", "links.arm.beam.elements=152"};
  static const char *const STEP[] = {"solver.step=0.2 ms", "solver.step=50 us", "solver.step=12.5 us",
                                     "solver.step=3.125 us"};
  static const char SMOOTH[] =
      "drives.hub.effort={profile: harmonic, amplitude: 0.1, frequency: 5 Hz, duration: 0.6}";
  motion x[2][4];
  table_head(
      "Order in the spacing of the grid: motion of the tip with hub inertia and payload, D_s = 0.024 N s");
  for (int printed = 0; printed < 2; printed++)
    for (int k = 0; k < 4; k++) {
      const char *hub = printed ? "solver.hub=printed" : "solver.hub=second-order";
      x[printed][k] =
          motion_of(&LOADING[2], (const char *[]){N[k], STEP[k], "outputs.every=2 ms", SMOOTH, hub, NULL});
    }
  double d[3] = {apart(&x[0][0], &x[0][1]), apart(&x[0][1], &x[0][2]), apart(&x[0][2], &x[0][3])};
  double p[3] = {apart(&x[0][1], &x[1][1]), apart(&x[0][2], &x[1][2]), apart(&x[0][3], &x[1][3])};
  for (int k = 1; k < 3; k++)
    table_row("second-order hub", log2_of_errors(d[k - 1], d[k]), 2, 0.05, "order of the scheme");
  for (int k = 1; k < 3; k++)
    table_row("printed hub", log2_of_errors(p[k - 1], p[k]), 1, 0.2 / k, "order of the scheme");
  for (int k = 0; k < 8; k++) motion_free(&x[k / 4][k % 4]);
}

// --- stability ---

// Whether a disturbance of all grid points stays what it is, but for a steady turning.
static bool stays(const loading *l, int n, bool printed, double damping, double part) {
  lim_fd *s = scheme_of(l, n, printed, damping);
  double h = 0, largest = 0;
  unsigned seed = 1;
  assert_int_equal(lim_fd_largest_step(&h, s, NULL), LIM_OK);
  lim_fd_start(s, part * h, 0);
  for (int i = s->first; i <= n; i++) s->before[i] = s->now[i] = noise(&seed);
  for (int k = 0; k < 20000 && largest < 1e9; k++) {
    lim_fd_step(s, 0);
    for (int i = s->first; i <= n; i++) largest = fmax(largest, fabs(s->now[i]));
  }
  lim_fd_free(s);
  return largest < 1e6;
}

static void largest_step_is_the_limit_of_stability(void **state) {
  (void)state;
  static const loading MORE[] = {{"none", 0, 0},
                                 {"hub inertia", 5.86e-4, 0},
                                 {"hub inertia and 10 g", 5.86e-4, 0.01},
                                 {"a heavy payload", 0.1, 1}};
  static const double DAMPING[] = {0, 0.024, 0.148, 1};
  char what[80];
  table_head("Largest stable step, n = 19, against c + d/2 = 1/4 of a grid without ends [s]");
  for (size_t i = 0; i < sizeof MORE / sizeof *MORE; i++)
    for (int printed = 0; printed < 2; printed++)
      for (size_t k = 0; k < sizeof DAMPING / sizeof *DAMPING; k++) {
        lim_fd *s = scheme_of(&MORE[i], 19, printed, DAMPING[k]);
        double h = 0, a = EI / (RHO_A * pow(s->dx, 4)), b = DAMPING[k] / (2 * RHO_A * s->dx * s->dx);
        assert_int_equal(lim_fd_largest_step(&h, s, NULL), LIM_OK);
        snprintf(what, sizeof what, "%s, %s, D_s = %g", MORE[i].name, printed ? "printed" : "second-order",
                 DAMPING[k]);
        table_row(what, h, (sqrt(b * b + a) - b) / (2 * a), 0.01, "c + d/2 = 1/4");
        assert_true(stays(&MORE[i], 19, printed, DAMPING[k], 0.9999));
        assert_false(stays(&MORE[i], 19, printed, DAMPING[k], 1.001));
        lim_fd_free(s);
      }
}

// A hub so light that it is what swings fastest: the limit is its own, and with damping on the safe side.
static void light_hub_sets_the_largest_step(void **state) {
  (void)state;
  static const loading LIGHT = {"a light hub", 1e-6, 0};
  assert_true(stays(&LIGHT, 19, false, 0, 0.9999));
  assert_false(stays(&LIGHT, 19, false, 0, 1.001));
  assert_true(stays(&LIGHT, 19, false, 0.148, 0.9999));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(frequencies_of_both_hubs_match_the_recomputed_ones),
      cmocka_unit_test(tip_of_the_printed_scheme_matches_the_recomputed_one),
      cmocka_unit_test(end_point_is_that_of_the_inertia_of_the_grid),
      cmocka_unit_test(printed_hub_is_of_first_order_and_the_other_of_second),
      cmocka_unit_test(motion_converges_with_the_order_of_the_hub),
      cmocka_unit_test(largest_step_is_the_limit_of_stability),
      cmocka_unit_test(light_hub_sets_the_largest_step),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

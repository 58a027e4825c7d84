// fd_engine.c - the aluminium manipulator of Tokhi 1995 by the general engine: exact frequencies, the refined
// finite-difference solution, end points, vibration after the move against the payload.
#include "fd_fixture.h"

#include "analysis/vibration/modes.h"

#define ENGINE                                                                                                 \
  "solver.method=generalized-alpha", "links.arm.damping.strain_rate=0", "links.arm.beam.elements=20"

static void engine_frequencies(double hertz[3], const loading *l) {
  lim_model *m = manipulator(l, (const char *[]){ENGINE, NULL});
  lim_modes *r = NULL;
  assert_int_equal(lim_modes_new(&r, m, NULL, LIM_JOINTS_FREE, 3, NULL), LIM_OK);
  assert_int_equal(r->rigid, 1);
  for (int k = 0; k < 3; k++) hertz[k] = r->modes.item[k].frequency;
  lim_modes_free(r);
  lim_model_free(m);
}

static void engine_frequencies_are_exact(void **state) {
  (void)state;
  static const double EXACT[LOADINGS][3] = {
      {12.591, 40.804, 85.134}, {11.853, 32.238, 58.491}, {10.826, 30.366, 55.052}};
  char what[80];
  table_head("Natural frequencies, 20 Euler-Bernoulli elements, full basis [Hz]");
  for (int i = 0; i < LOADINGS; i++) {
    double exact[3], hertz[3];
    exact_frequencies(exact, &LOADING[i]);
    engine_frequencies(hertz, &LOADING[i]);
    for (int k = 0; k < 3; k++) {
      snprintf(what, sizeof what, "%s, mode %d", LOADING[i].name, k + 1);
      table_row(what, exact[k], EXACT[i][k], 5e-5, SEED004);
      table_row("", hertz[k], exact[k], 5e-4, "transcendental equation");
    }
  }
}

// The largest distance of y(L) over the largest y(L).
static double apart(const motion *a, const motion *b) {
  double largest = 0;
  assert_int_equal(a->count, b->count);
  for (int k = 0; k < a->count; k++) largest = fmax(largest, fabs(a->y[k] - b->y[k]));
  return largest / a->scale;
}

// To first order and in full, with one floating frame and with the link in segments, damped and undamped.
static void engine_moves_as_the_refined_differences(void **state) {
  (void)state;
  static const struct {
    const char *name, *set;
    bool damped;
  } ROWS[] = {{"mode linear", "solver.mode=linear", false},
              {"one frame", "links.arm.beam.segments=1", false},
              {"4 segments", "links.arm.beam.segments=4", false},
              {"mode linear, D_s = 0.024", "solver.mode=linear", true},
              {"one frame, D_s = 0.024", "links.arm.beam.segments=1", true},
              {"4 segments, D_s = 0.024", "links.arm.beam.segments=4", true}};
  static const char *const DAMPING[] = {"links.arm.damping.strain_rate=0",
                                        "links.arm.damping.strain_rate=0.024"};
  char what[80];
  table_head("Tip of the general engine against finite differences with n = 152");
  for (int i = 0; i < LOADINGS; i++) {
    motion fd[2];
    for (int k = 0; k < 2; k++)
      fd[k] = motion_of(&LOADING[i],
                        (const char *[]){"links.arm.beam.elements=152", "solver.step=4 us", DAMPING[k], NULL});
    for (size_t k = 0; k < sizeof ROWS / sizeof *ROWS; k++) {
      motion engine =
          motion_of(&LOADING[i], (const char *[]){ENGINE, ROWS[k].set, DAMPING[ROWS[k].damped], NULL});
      snprintf(what, sizeof what, "%s, %s", LOADING[i].name, ROWS[k].name);
      table_bound(what, apart(&fd[ROWS[k].damped], &engine), 2e-3, "finite differences, n = 152");
      motion_free(&engine);
    }
    for (int k = 0; k < 2; k++) motion_free(&fd[k]);
  }
}

// --- vibration after the move ---

enum { MODES = 4, TERMS = 1 + 2 * MODES };

// Least squares of y(t), t > from, by a constant and cosines and sines of the modes; amplitudes of the modes.
static void fit(double amplitude[MODES], double *level, const motion *x, double from, const double *hertz) {
  double N[TERMS][TERMS + 1] = {{0}};
  for (int i = 0; i < x->count; i++) {
    if (x->t[i] < from) continue;
    double term[TERMS + 1] = {1};
    for (int k = 0; k < MODES; k++) {
      term[1 + 2 * k] = cos(2 * M_PI * hertz[k] * (x->t[i] - from));
      term[2 + 2 * k] = sin(2 * M_PI * hertz[k] * (x->t[i] - from));
    }
    term[TERMS] = x->y[i];
    for (int r = 0; r < TERMS; r++)
      for (int c = 0; c <= TERMS; c++) N[r][c] += term[r] * term[c];
  }
  for (int p = 0; p < TERMS; p++) // positive definite: no pivoting
    for (int r = 0; r < TERMS; r++) {
      double factor = r == p ? 0 : N[r][p] / N[p][p];
      for (int c = p; c <= TERMS; c++) N[r][c] -= factor * N[p][c];
    }
  double z[TERMS];
  for (int p = 0; p < TERMS; p++) z[p] = N[p][TERMS] / N[p][p];
  *level = z[0];
  for (int k = 0; k < MODES; k++) amplitude[k] = hypot(z[1 + 2 * k], z[2 + 2 * k]);
}

static void vibration_falls_and_rises_with_the_payload(void **state) {
  (void)state;
  static const double GRAMS[] = {0, 10, 20, 40, 60, 80, 100},
                      AMPLITUDE[] = {4.85, 2.18, 0.15, 0.67, 1.52, 1.84, 1.87};
  char what[80];
  table_head(
      "Vibration of the tip after the move, mode 1, undamped [mm]; end point against the rigid link [mm]");
  for (size_t i = 0; i < sizeof GRAMS / sizeof *GRAMS; i++) {
    loading l = {"", 5.86e-4, 1e-3 * GRAMS[i]};
    lim_model *m = manipulator(&l, (const char *[]){ENGINE, NULL});
    lim_modes *r = NULL;
    assert_int_equal(lim_modes_new(&r, m, NULL, LIM_JOINTS_FREE, MODES, NULL), LIM_OK);
    double hertz[MODES], amplitude[MODES], level;
    for (int k = 0; k < MODES; k++) hertz[k] = r->modes.item[k].frequency;
    motion x =
        motion_of(&l, (const char *[]){ENGINE, "links.arm.beam.segments=4", "solver.duration=2 s", NULL});
    fit(amplitude, &level, &x, 0.6, hertz);
    snprintf(what, sizeof what, "%g g", GRAMS[i]);
    double expected = AMPLITUDE[i];
    table_row(what, 1e3 * amplitude[0], expected, fmax(0.03, 0.02 / expected), SEED004);
    double J = RHO_A * LENGTH * LENGTH * LENGTH / 3 + l.hub + l.payload * LENGTH * LENGTH;
    table_row("", 1e3 * level, 1e3 * LENGTH * 0.1 * 0.09 / J, 1e-3, "rigid link");
    motion_free(&x);
    lim_modes_free(r);
    lim_model_free(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(engine_frequencies_are_exact),
      cmocka_unit_test(engine_moves_as_the_refined_differences),
      cmocka_unit_test(vibration_falls_and_rises_with_the_payload),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

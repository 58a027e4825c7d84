// engine_peers.c - two arms that five other codes agree on: a hinged strip that falls, and two strips driven by
// torques. Tip at 1 s within 3e-4 m at steps of 1 ms and 5e-5 m refined, stable without damping.
#include "engine_fixture.h"

static char *text_of(const char *path) {
  FILE *f = fopen(path, "r");
  assert_non_null(f);
  char *text = calloc(1, 20000);
  assert_non_null(text);
  assert_true(fread(text, 1, 19999, f) < 19999);
  fclose(f);
  return text;
}

static const char FALLING[] = "models/strip-pendulum.yaml", DRIVEN[] = "models/strip-two-link.yaml";

static void observe_file(observation *o, const char *path, const char *const *set) {
  char *text = text_of(path);
  observe(o, text, set);
  free(text);
}

// A distance of a table in metres.
static void distance_row(const char *what, double computed, double expected, double bound, const char *source) {
  printf("%-52s %16.9g %16.9g %10.1e  %s\n", what, computed, expected, computed - expected, source);
  if (!(fabs(computed - expected) <= bound)) fail_msg("%s: off by %g m", what, computed - expected);
}

static void falling_strip_tip_agrees_with_other_codes(void **state) {
  (void)state;
  static const char *const methods[] = {"solver.method=newmark", "solver.method=generalized-alpha"};
  table_head("B1, hinged strip let go: y of the tip at 1 s [m] (error in m)");
  for (int i = 0; i < 2; i++) {
    observation o = {0};
    observe_file(&o, FALLING, (const char *[]){methods[i], NULL});
    distance_row(i ? "generalized-alpha, 1 ms, 4 segments" : "newmark, 1 ms, 4 segments", o.tip[1], -0.00716,
                 3e-4, "other codes, converged");
  }
  observation o = {0};
  observe_file(&o, FALLING, (const char *[]){"solver.step=0.1 ms", "links.strip.beam.segments=10", NULL});
  distance_row("refined: 0.1 ms, 10 segments", o.tip[1], -0.00716, 5e-5, "other codes, converged");
}

static void driven_strips_tip_agrees_with_other_codes(void **state) {
  (void)state;
  static const struct {
    const char *name, *step, *upper, *fore;
    double bound;
  } ROWS[] = {
      {"1 ms, full basis", "solver.step=1 ms", NULL, NULL, 3e-4},
      {"1 ms, 3 modes", "solver.step=1 ms", "links.upper.basis={type: modes, count: 3}",
       "links.fore.basis={type: modes, count: 3}", 3e-4},
      {"refined: 0.1 ms, 5 segments", "solver.step=0.1 ms", "links.upper.beam.segments=5",
       "links.fore.beam.segments=5", 5e-5},
  };
  char what[64];
  table_head("B2, two strips driven by torques: tip at 1 s [m] (error in m)");
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    observation o = {0};
    observe_file(&o, DRIVEN, (const char *[]){ROWS[i].step, ROWS[i].upper, ROWS[i].fore, NULL});
    snprintf(what, sizeof what, "%s: x", ROWS[i].name);
    distance_row(what, o.tip[0], 0.556298, ROWS[i].bound, "other codes");
    snprintf(what, sizeof what, "%s: y", ROWS[i].name);
    distance_row(what, o.tip[1], -0.089775, ROWS[i].bound, "other codes");
  }
}

// Ten thousand steps of 1 ms without any damping: energy neither grows nor is lost.
static void undamped_strips_are_stable_over_ten_seconds_of_1_ms_steps(void **state) {
  (void)state;
  static const char *const methods[] = {"solver.method=newmark", "solver.method=generalized-alpha"};
  table_head("Undamped, 10 s in steps of 1 ms: rms energy balance [%]");
  for (int i = 0; i < 2; i++) {
    observation falling = {0}, driven = {0};
    observe_file(&falling, FALLING, (const char *[]){methods[i], "solver.duration=10", NULL});
    observe_file(&driven, DRIVEN, (const char *[]){methods[i], "solver.duration=10", NULL});
    table_bound(i ? "B1, generalized-alpha" : "B1, newmark", falling.run.balance_percent_rms, 0.1,
                "no artificial damping");
    table_bound(i ? "B2, generalized-alpha" : "B2, newmark", driven.run.balance_percent_rms, 0.1,
                "no artificial damping");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(falling_strip_tip_agrees_with_other_codes),
      cmocka_unit_test(driven_strips_tip_agrees_with_other_codes),
      cmocka_unit_test(undamped_strips_are_stable_over_ten_seconds_of_1_ms_steps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

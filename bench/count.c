// count.c - steps whose instructions callgrind counts, for tools/check-instructions. Times are noisy, counts
// repeat exactly. Each case leaves one dump, named after it; prints name, steps and iterations per step.
//
//   bench_count [CASE...]      cases of bench/instructions.txt
//   bench_count --scaling      cost against size
//   bench_count --compiler     what this was compiled with
#include "chains.h"
#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#define CALLGRIND_START_INSTRUMENTATION
#define CALLGRIND_STOP_INSTRUMENTATION
#define CALLGRIND_DUMP_STATS_AT(name) (void)(name)
#endif

// Only these steps are counted; those before, and all that it takes to begin, run faster without.
static void count_steps(bench_run *r, const char *name, int warm, int steps) {
  bench_steps(r, warm);
  long before = r->session->motion_state->iterations;
  CALLGRIND_START_INSTRUMENTATION;
  bench_steps(r, steps);
  CALLGRIND_DUMP_STATS_AT(name);
  CALLGRIND_STOP_INSTRUMENTATION;
  printf("%s %d %.2f\n", name, steps, (double)(r->session->motion_state->iterations - before) / steps);
  fflush(stdout);
}

// --- cases ---

enum { SETS = 7 };

#define BOTH(basis) "links.upper.basis=" basis, "links.fore.basis=" basis

#define ARM_ALONE /* of the robot on rails: nothing below it gives way */                                      \
  "links.upper_foot.basis={type: rigid}", "links.upper_rail.basis={type: rigid}",                              \
      "links.lower_foot.basis={type: rigid}", "links.lower_rail.basis={type: rigid}",                          \
      "links.gantry.basis={type: rigid}", "bushings=[]", "loops=[]"

// warm: steps that pass before, so that scales and predictors are those of a motion on its way.
static const struct {
  const char *name, *path;
  int warm, steps;
  const char *set[SETS];
} CASES[] = {
    {"b2-full", "models/strip-two-link.yaml", 100, 100, {0}},
    {"b2-full-newmark", "models/strip-two-link.yaml", 100, 100, {"solver.method=newmark"}},
    {"b2-3-modes", "models/strip-two-link.yaml", 100, 200, {BOTH("{type: modes, count: 3}")}},
    {"b2-10-modes", "models/strip-two-link.yaml", 100, 50, {BOTH("{type: modes, count: 10}")}},
    {"b1", "models/strip-pendulum.yaml", 100, 100, {0}},
    {"spatial-3r", "models/spatial-3r.yaml", 100, 40, {0}},
    {"sixr", "bench/models/sixr.yaml", 100, 100, {0}},
    {"emats", "models/emats.yaml", 0, 300, {ARM_ALONE}}, // 0.6 s, at whose start deformations are some nm
    {"emats-rails", "models/emats.yaml", 100, 100, {0}},
    {"parallelogram", "models/parallelogram.yaml", 100, 40, {0}},
    {"slider-crank", "models/slider-crank.yaml", 200, 60, {0}},
    {"rp", "models/rp.yaml", 100, 20, {0}},
    {"free", "bench/models/free.yaml", 100, 100, {0}},
    {"free-as-singles", "bench/models/singles.yaml", 100, 100, {0}},
};
enum { CASE_COUNT = sizeof CASES / sizeof *CASES };

static void count_case(int i) {
  int nset = 0;
  while (nset < SETS && CASES[i].set[nset]) nset++;
  bench_run r = bench_open(CASES[i].path, CASES[i].set, nset);
  count_steps(&r, CASES[i].name, CASES[i].warm, CASES[i].steps);
  bench_close(&r);
}

static int count_named(const char *name) {
  for (int i = 0; i < CASE_COUNT; i++)
    if (!strcmp(name, CASES[i].name)) {
      count_case(i);
      return 0;
    }
  fprintf(stderr, "bench_count: no case '%s'; there are:", name);
  for (int i = 0; i < CASE_COUNT; i++) fprintf(stderr, " %s", CASES[i].name);
  fprintf(stderr, "\n");
  return 2;
}

// --- scaling ---

// Dumps are named series:size.
static void count_size(const char *series, int size, char *text) {
  char name[96];
  snprintf(name, sizeof name, "%s:%d", series, size);
  bench_run r = bench_open_text(text, NULL, 0);
  count_steps(&r, name, 2, 2);
  bench_close(&r);
  free(text);
}

static void count_scaling(void) {
  static const int SIZES[] = {25, 50, 100, 200}, LOOPS[] = {5, 10, 20, 40}, MODES[] = {3, 5, 10, 20};
  static const char full[] = "type: full", modes[] = "type: modes, count: 3";
  for (int i = 0; i < 4; i++) {
    count_size("links-planar-full", SIZES[i], bench_chain(true, SIZES[i], 4, full));
    count_size("links-planar-3-modes", SIZES[i], bench_chain(true, SIZES[i], 4, modes));
    count_size("links-spatial-full", SIZES[i], bench_chain(false, SIZES[i], 4, full));
    count_size("links-spatial-3-modes", SIZES[i], bench_chain(false, SIZES[i], 4, modes));
    count_size("elements-planar-full", SIZES[i], bench_chain(true, 2, SIZES[i], full));
    count_size("elements-spatial-full", SIZES[i], bench_chain(false, 2, SIZES[i], full));
    count_size("elements-planar-3-modes", SIZES[i], bench_chain(true, 2, SIZES[i], modes));
    count_size("elements-spatial-3-modes", SIZES[i], bench_chain(false, 2, SIZES[i], modes));
    count_size("loops-planar-3-modes", LOOPS[i], bench_ladder(LOOPS[i], modes));
    char basis[64];
    snprintf(basis, sizeof basis, "type: modes, count: %d", MODES[i]);
    count_size("modes-planar", MODES[i], bench_chain(true, 2, 20, basis));
    count_size("modes-spatial", MODES[i], bench_chain(false, 2, 20, basis));
  }
}

int main(int argc, char **argv) {
  int status = 0;
  if (argc > 1 && !strcmp(argv[1], "--compiler"))
    printf("%s %d %s\n", __VERSION__[0] == 'C' ? "clang" : "gcc", __GNUC__,
           sizeof(void *) == 8 ? "64 bit" : "32 bit");
  else if (argc > 1 && !strcmp(argv[1], "--scaling"))
    count_scaling();
  else if (argc > 1)
    for (int i = 1; i < argc && !status; i++) status = count_named(argv[i]);
  else
    for (int i = 0; i < CASE_COUNT; i++) count_case(i);
  return status;
}

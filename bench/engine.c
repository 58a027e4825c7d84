// engine.c - what a simulation costs: a step of the two-link strip that other codes run too, an evaluation of
// forward dynamics against the number of links, and the examples. Figures: bench/README.md.
#include "analysis/prepare.h"
#include "analysis/simulation/session.h"
#include "analysis/simulation/simulate.h"

#include <dirent.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// Of this thread alone: the threads of BLAS spin for a while after an eigenproblem, which the clock of the
// process would count as work.
static double processor_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

_Noreturn static void give_up(const lim_error *err, const char *what) {
  fprintf(stderr, "%s\n", what);
  for (int i = 0; i < err->kept; i++) fprintf(stderr, "  %d: %s\n", err->note[i].line, err->note[i].text);
  exit(1);
}

// --- steps of the two-link strip ---

// Seconds of processor time for 1 s in steps of 1 ms; the best of some runs, because machines are noisy.
// text: the model; NULL: the two-link strip.
static double seconds_of_steps(const char *text, const char *const *set, int nset, double *iterations) {
  static const char path[] = "models/strip-two-link.yaml";
  double best = INFINITY;
  for (int k = 0; k < 15; k++) {
    lim_error err = {0};
    lim_model *model = NULL;
    lim_session *s = NULL;
    lim_code code = text ? lim_model_parse(&model, text, (long)strlen(text), "bench", set, nset, &err)
                         : lim_model_load(&model, path, set, nset, &err);
    if (code == LIM_OK) code = lim_session_new(&s, model, NULL, &err);
    if (code == LIM_OK) code = lim_session_restart(s, &err);
    double begin = processor_seconds();
    for (int i = 1; i <= 1000 && code == LIM_OK; i++) code = lim_session_advance(s, 1e-3 * i, &err);
    best = fmin(best, processor_seconds() - begin);
    if (code != LIM_OK) give_up(&err, text ? "bench" : path);
    *iterations = (double)s->motion_state->iterations / 1000;
    lim_session_free(s);
    lim_model_free(model);
  }
  return best;
}

static void bench_steps(void) {
  static const struct {
    const char *name, *upper, *fore, *method;
  } ROWS[] = {
      {"full basis, generalized-alpha", "links.upper.basis={type: full}", "links.fore.basis={type: full}",
       "solver.method=generalized-alpha"},
      {"full basis, newmark", "links.upper.basis={type: full}", "links.fore.basis={type: full}",
       "solver.method=newmark"},
      {"3 modes per link, generalized-alpha", "links.upper.basis={type: modes, count: 3}",
       "links.fore.basis={type: modes, count: 3}", "solver.method=generalized-alpha"},
      {"3 modes per link, newmark", "links.upper.basis={type: modes, count: 3}",
       "links.fore.basis={type: modes, count: 3}", "solver.method=newmark"},
  };
  printf("Two-link strip, steps of 1 ms\n%-44s %12s %12s\n", "", "us per step", "iterations");
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    double iterations, seconds = seconds_of_steps(
                           NULL, (const char *[]){ROWS[i].upper, ROWS[i].fore, ROWS[i].method}, 3, &iterations);
    printf("%-44s %12.2f %12.2f\n", ROWS[i].name, 1e3 * seconds, iterations);
  }
}

// --- what stiffening, segments and sliding beams cost ---

static void bench_stiffening(void) {
  static const struct {
    const char *name, *set[4];
  } ROWS[] = {
      {"full basis",
       {"links.upper.basis={type: full}", "links.fore.basis={type: full}", "links.upper.beam.segments=1",
        "links.fore.beam.segments=1"}},
      {"3 modes per link",
       {"links.upper.basis={type: modes, count: 3}", "links.fore.basis={type: modes, count: 3}",
        "links.upper.beam.segments=1", "links.fore.beam.segments=1"}},
      {"craig-bampton, 1 mode per link",
       {"links.upper.basis={type: craig-bampton, count: 1}", "links.fore.basis={type: craig-bampton, count: 1}",
        "links.upper.beam.segments=1", "links.fore.beam.segments=1"}},
      {"full basis, 5 segments per link",
       {"links.upper.basis={type: full}", "links.fore.basis={type: full}", "links.upper.beam.segments=5",
        "links.fore.beam.segments=5"}},
      {"full basis, 10 segments per link",
       {"links.upper.basis={type: full}", "links.fore.basis={type: full}", "links.upper.beam.segments=10",
        "links.fore.beam.segments=10"}},
  };
  double plain = NAN;
  printf("\nTwo-link strip with and without stiffening: us per step of 1 ms, iterations; ratios to off, and to "
         "the "
         "first off\n%-36s %8s %6s %8s %6s %8s %8s\n",
         "", "off", "", "on", "", "on/off", "on/first");
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    double seconds[2], iterations[2];
    for (int on = 0; on < 2; on++) {
      const char *set[5] = {ROWS[i].set[0], ROWS[i].set[1], ROWS[i].set[2], ROWS[i].set[3],
                            on ? "solver.stiffening=on" : "solver.stiffening=off"};
      seconds[on] = seconds_of_steps(NULL, set, 5, &iterations[on]);
    }
    if (i == 0) plain = seconds[0];
    printf("%-36s %8.2f %6.2f %8.2f %6.2f %8.2f %8.2f\n", ROWS[i].name, 1e3 * seconds[0], iterations[0],
           1e3 * seconds[1], iterations[1], seconds[1] / seconds[0], seconds[1] / plain);
  }
}

// A strip that moves out by half its length: through its guide, and whole, as a plain prismatic joint moves it.
static void bench_slide(void) {
  static const char text[] =
      "limber: 1\ngravity: [0, -1, 0]\nplanar: xy\nmaterials: {m: {E: 70 GPa, nu: 0.33, rho: 2700}}\n"
      "sections: {s: {shape: rectangle, y: 5 mm, z: 20 mm}}\nlinks:\n  - name: arm\n"
      "    joint: {type: prismatic, axis: [1, 0, 0], slide: {free_length: beam}}\n"
      "    beam: {length: 1, section: s, material: m, elements: 10}\n"
      "motion: {arm: {profile: cycloidal, from: 0.4, to: 0.9, duration: 1}}\nsolver: {duration: 1, step: 1 "
      "ms}\n";
  static const char *const BASIS[][2] = {{"full basis", "links.arm.basis={type: full}"},
                                         {"3 modes", "links.arm.basis={type: modes, count: 3}"}};
  printf("\nA strip that slides through its joint, and one that is moved: us per step of 1 ms, "
         "iterations\n%-36s %8s "
         "%6s %8s %6s %8s\n",
         "", "slides", "", "is moved", "", "ratio");
  for (int i = 0; i < 2; i++) {
    double a, b,
        slides = 1e6 * seconds_of_steps(text, (const char *[]){BASIS[i][1]}, 1, &a),
        moved = 1e6 * seconds_of_steps(
                          text, (const char *[]){BASIS[i][1], "links.arm.joint.slide.free_length=none"}, 2, &b);
    printf("%-36s %8.2f %6.2f %8.2f %6.2f %8.2f\n", BASIS[i][0], slides / 1000, a, moved / 1000, b,
           slides / moved);
  }
}

// --- forward dynamics against the number of links ---

// A chain of links that turn about y and z in turn, as text. To be freed.
static char *chain(int links, const char *basis) {
  size_t capacity = 400 + 200 * (size_t)links;
  char *text = malloc(capacity);
  if (!text) exit(1);
  int used = snprintf(text, capacity,
                      "limber: 1\n"
                      "materials: {m: {E: 70 GPa, nu: 0.3, rho: 2700}}\n"
                      "sections: {s: {shape: rectangle, y: 20 mm, z: 30 mm}}\n"
                      "solver: {duration: 1, step: 1 ms}\nlinks:\n");
  for (int i = 0; i < links; i++)
    used += snprintf(text + used, capacity - (size_t)used,
                     "  - {name: l%d, joint: {axis: [0, %d, %d]}, beam: {length: 0.3, section: s, material: m, "
                     "elements: 4}, "
                     "basis: {%s}}\n",
                     i, i % 2, 1 - i % 2, basis);
  return text;
}

// Seconds of one evaluation of all accelerations: residual, factorisation, solution.
static double seconds_of_evaluation(int links, const char *basis) {
  lim_error err = {0};
  lim_model *model = NULL;
  lim_session *s = NULL;
  char *text = chain(links, basis);
  lim_code code = lim_model_parse(&model, text, (long)strlen(text), "chain", NULL, 0, &err);
  if (code == LIM_OK) code = lim_session_new(&s, model, NULL, &err);
  if (code != LIM_OK) give_up(&err, "chain");
  lim_state *f = s->motion_state;
  for (int i = 0; i < f->n; i++) f->q[i] = f->v[i] = 1e-4 * (i % 7);
  double best = INFINITY;
  for (int k = 0; k < 7; k++) {
    int count = 20000 / links + 1;
    double begin = processor_seconds();
    for (int i = 0; i < count && code == LIM_OK; i++)
      code = lim_equations_accelerate(f->a, f->r, f->e, 0, LIM_AFTER, f->q, f->v, &err);
    best = fmin(best, (processor_seconds() - begin) / count);
  }
  if (code != LIM_OK) give_up(&err, "chain");
  lim_session_free(s);
  lim_model_free(model);
  free(text);
  return best;
}

static void bench_links(void) {
  static const int LINKS[] = {1, 2, 5, 10, 20, 50, 100};
  printf("\nForward dynamics of a spatial chain: us per evaluation, and per link\n%-8s %12s %10s %12s %10s\n",
         "links", "rigid", "per link", "3 modes", "per link");
  for (size_t i = 0; i < sizeof LINKS / sizeof *LINKS; i++) {
    double rigid = 1e6 * seconds_of_evaluation(LINKS[i], "type: rigid"),
           modes = 1e6 * seconds_of_evaluation(LINKS[i], "type: modes, count: 3");
    printf("%-8d %12.2f %10.3f %12.2f %10.3f\n", LINKS[i], rigid, rigid / LINKS[i], modes, modes / LINKS[i]);
  }
}

// --- the prototype with motors: equal error ---

// Joint angles at the end of the manoeuvre, and the processor time it takes.
static double manoeuvre(double q[2], const char *const *set, int nset) {
  lim_error err = {0};
  lim_model *model = NULL;
  lim_session *s = NULL;
  lim_code code = lim_model_load(&model, "models/prototype.yaml", set, nset, &err);
  if (code == LIM_OK) code = lim_session_new(&s, model, "models", &err);
  double begin = processor_seconds(), end = model ? model->solver.duration : 0,
         step = model ? model->solver.step : 1;
  if (code == LIM_OK) code = lim_session_restart(s, &err);
  for (long k = 1; code == LIM_OK && s->motion_state->t < end * (1 - 1e-12); k++) {
    double jump = lim_inputs_next_break(s->inputs, s->motion_state->t + 1e-9 * step);
    double to = fmin(fmin((double)k * step, end), jump);
    if (to < (double)k * step - 1e-9 * step) k--; // stopped on the way
    code = lim_session_advance(s, to, &err);
    if (code == LIM_OK && to >= jump && to < end) code = lim_session_restart(s, &err);
  }
  double seconds = processor_seconds() - begin;
  if (code != LIM_OK) give_up(&err, "models/prototype.yaml");
  for (int i = 0; i < 2; i++) q[i] = s->motion_state->q[s->s->bodies[s->s->first_body[i]].q];
  lim_session_free(s);
  lim_model_free(model);
  return seconds;
}

static double distance(const double a[2], const double b[2]) {
  return fmax(fabs(a[0] - b[0]), fabs(a[1] - b[1]));
}

// The coarsest step (cvode: tolerance), by halves, whose end is within the target of a tight reference.
static void bench_prototype(void) {
  static const char *const METHODS[] = {"newmark", "generalized-alpha", "rk4", "cvode"};
  const double target = 1e-5;
  double exact[2], q[2];
  manoeuvre(exact, (const char *[]){"solver.method=cvode", "solver.tolerance=1e-12"}, 2);
  printf("\nPrototype with motors, manoeuvre PP, joints within %g rad at the end\n%-20s %14s %12s %14s\n",
         target, "", "step, tolerance", "error", "simulated s/s");
  for (size_t i = 0; i < sizeof METHODS / sizeof *METHODS; i++) {
    char method[64], size[64];
    double value = i == 3 ? 1e-3 : 8e-3, seconds = 0, error = INFINITY;
    snprintf(method, sizeof method, "solver.method=%s", METHODS[i]);
    for (int k = 0; k < 24 && !(error <= target); k++) {
      value /= 2;
      snprintf(size, sizeof size, "solver.%s=%.17g", i == 3 ? "tolerance" : "step", value);
      if (i == 2 && value > 2e-4) continue; // beyond its stability
      const char *set[] = {method, size, "solver.tolerance=1e-11"};
      seconds = manoeuvre(q, set, i == 3 ? 2 : 3);
      error = distance(q, exact);
    }
    for (int k = 0; k < 4; k++) { // the best of some runs
      const char *set[] = {method, size, "solver.tolerance=1e-11"};
      seconds = fmin(seconds, manoeuvre(q, set, i == 3 ? 2 : 3));
    }
    printf("%-20s %14.3g %12.2g %14.1f\n", METHODS[i], value, error, 1 / seconds);
  }
}

// --- closed chains ---

// Seconds of processor time per step of 1 ms of the parallelogram arm: closed, and with its loop cut.
static double seconds_of_chain(const char *basis, bool closed, double *iterations) {
  static const char *const LINKS[] = {"upper", "fore", "rear", "input", "rod"};
  char set[7][96];
  const char *list[7];
  for (int i = 0; i < 5; i++) snprintf(set[i], sizeof set[i], "links.%s.basis=%s", LINKS[i], basis);
  snprintf(set[5], sizeof set[5], "solver.start=undeformed");
  snprintf(set[6], sizeof set[6], "solver.step=1 ms");
  for (int i = 0; i < 7; i++) list[i] = set[i];
  double best = INFINITY;
  for (int k = 0; k < 5; k++) {
    lim_error err = {0};
    lim_model *model = NULL;
    lim_session *s = NULL;
    lim_code code = lim_model_load(&model, "models/parallelogram.yaml", list, 7, &err);
    if (code == LIM_OK && !closed) model->loops.count = 0;
    if (code == LIM_OK) code = lim_session_new(&s, model, "models", &err);
    if (code == LIM_OK) code = lim_session_restart(s, &err);
    double begin = processor_seconds();
    for (int i = 1; i <= 200 && code == LIM_OK; i++) code = lim_session_advance(s, 1e-3 * i, &err);
    best = fmin(best, (processor_seconds() - begin) / 200);
    if (code != LIM_OK) give_up(&err, "models/parallelogram.yaml");
    *iterations = (double)s->motion_state->iterations / 200;
    lim_session_free(s);
    lim_model_free(model);
  }
  return best;
}

static void bench_loops(void) {
  static const char *const BASIS[] = {"{type: full}", "{type: craig-bampton, count: 3}"};
  printf("\nParallelogram arm, steps of 1 ms: us, iterations\n%-36s %8s %6s %8s %6s %8s\n", "", "closed", "",
         "cut open", "", "ratio");
  for (int i = 0; i < 2; i++) {
    double a, b, closed = 1e6 * seconds_of_chain(BASIS[i], true, &a),
                 open = 1e6 * seconds_of_chain(BASIS[i], false, &b);
    printf("%-36s %8.1f %6.2f %8.1f %6.2f %8.2f\n", BASIS[i], closed, a, open, b, closed / open);
  }
}

// --- examples ---

static void bench_example(const char *path) {
  lim_error err = {0};
  lim_model *model = NULL;
  lim_run run;
  lim_simulate_hooks hooks = {.record = NULL};
  if (lim_model_load(&model, path, NULL, 0, &err) == LIM_OK && !isnan(model->solver.duration)) {
    double begin = processor_seconds();
    if (lim_prepare_model(model, "models", &err) == LIM_OK &&
        lim_simulate(&run, model, "models", &hooks, &err) == LIM_OK)
      printf("%-44s %10ld %14.1f\n", path, run.steps, run.end / (processor_seconds() - begin));
    else
      printf("%-44s %s\n", path, err.kept ? err.note[0].text : "failed");
  }
  lim_model_free(model);
  lim_error_clear(&err);
}

static int is_model(const struct dirent *entry) { return strstr(entry->d_name, ".yaml") != NULL; }

static void bench_examples(void) {
  struct dirent **entry;
  int count = scandir("models", &entry, is_model, alphasort);
  printf("\nExamples, every step recorded\n%-44s %10s %14s\n", "", "steps", "simulated s/s");
  for (int i = 0; i < count; i++) {
    char path[300];
    snprintf(path, sizeof path, "models/%s", entry[i]->d_name);
    bench_example(path);
    free(entry[i]);
  }
  if (count >= 0) free(entry);
}

int main(void) {
  bench_steps();
  bench_stiffening();
  bench_slide();
  bench_links();
  bench_prototype();
  bench_loops();
  bench_examples();
  return 0;
}

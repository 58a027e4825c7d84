// engine.c - what a simulation costs, as tables in Markdown: real time, features, links, methods, closed
// chains, free joints, examples. tools/bench runs it and puts the tables into bench/README.md.
//
//   bench_engine SECTION
#include "analysis/prepare.h"
#include "analysis/simulation/simulate.h"
#include "chains.h"
#include "run.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- steps ---

enum { SETS = 8 };

// A model and what is changed in it; text instead of a file where path is NULL.
typedef struct {
  const char *path, *text, *set[SETS];
  double duration; // [s]; 0: the model's
} motion;

typedef struct {
  double us;         // processor time per step, the best of some runs [us]
  double iterations; // per step
  double factor;     // simulated time over processor time
  double error;      // of the tip, the largest along the motion, against steps of an eighth [m]
} cost;

static bench_run open_motion(const motion *m, const char *step) {
  const char *set[SETS + 1];
  int nset = 0;
  while (nset < SETS && m->set[nset]) set[nset] = m->set[nset], nset++;
  if (step) set[nset++] = step;
  return m->path ? bench_open(m->path, set, nset) : bench_open_text(m->text, set, nset);
}

static int steps_of(const bench_run *r, const motion *m) {
  return m->duration > 0 ? (int)lround(m->duration / r->model->solver.step) : bench_steps_left(r);
}

enum { MOMENTS = 8 };

// The tip at some moments of the motion, evenly spaced, in steps that are so much shorter than the model's.
static void tips_of(double tip[MOMENTS][3], const motion *m, double usual, int finer) {
  char step[64];
  snprintf(step, sizeof step, "solver.step=%.17g", usual / finer);
  bench_run r = open_motion(m, step);
  int steps = steps_of(&r, m) / finer / MOMENTS * finer; // the same moments, however fine
  for (int i = 0; i < MOMENTS; i++) {
    bench_steps(&r, steps);
    bench_tip(tip[i], &r);
  }
  bench_close(&r);
}

static double error_of(const motion *m, double step) {
  double usual[MOMENTS][3], fine[MOMENTS][3], error = 0;
  tips_of(usual, m, step, 1);
  tips_of(fine, m, step, 8);
  for (int i = 0; i < MOMENTS; i++) error = fmax(error, bench_distance(usual[i], fine[i]));
  return error;
}

// One run: the better of its time and that of runs before.
static double time_once(cost *c, const motion *m) {
  bench_run r = open_motion(m, NULL);
  int steps = steps_of(&r, m);
  double step = r.model->solver.step, begin = bench_seconds();
  bench_steps(&r, steps);
  c->us = fmin(c->us, 1e6 * (bench_seconds() - begin) / steps);
  c->factor = 1e6 * step / c->us;
  c->iterations = (double)r.session->motion_state->iterations / steps;
  bench_close(&r);
  return step;
}

// Rounds in which each runs once, so that what else the machine does falls on all of them.
static void measure(cost *c, const motion *m, int count) {
  enum { ROUNDS = 7 };
  for (int i = 0; i < count; i++) c[i] = (cost){.us = INFINITY};
  for (int k = 0; k < ROUNDS; k++)
    for (int i = 0; i < count; i++) {
      double step = time_once(&c[i], &m[i]);
      if (k == 0) c[i].error = error_of(&m[i], step);
    }
}

// A table of pairs, as motions 2 i and 2 i + 1: their costs, and how the first compares with the second.
static void print_pairs(const char *const *names, const motion *m, int count, bool per_iteration) {
  cost c[16];
  measure(c, m, 2 * count);
  for (int i = 0; i < count; i++) {
    const cost *a = &c[2 * i], *b = a + 1;
    double ratio = a->us / b->us * (per_iteration ? b->iterations / a->iterations : 1);
    printf("| %s | %.1f | %.2f | %.1f | %.2f | %.2f | %.1e |\n", names[i], a->us, a->iterations, b->us,
           b->iterations, ratio, a->error);
  }
}

// --- real time ---

static void bench_real_time(void) {
  static const char *const NAMES[] = {"six-axis arm, motors, elastic gears, PD control, steps of 1 ms",
                                      "EMATS-like arm, rigid rails, steps of 2 ms"};
  static const motion MOTIONS[] = {
      {.path = "bench/models/sixr.yaml"},
      {.path = "models/emats.yaml",
       .set = {"links.upper_foot.basis={type: rigid}", "links.upper_rail.basis={type: rigid}",
               "links.lower_foot.basis={type: rigid}", "links.lower_rail.basis={type: rigid}",
               "links.gantry.basis={type: rigid}", "bushings=[]", "loops=[]"}}};
  static const int GOALS[] = {20, 50};
  cost c[2];
  measure(c, MOTIONS, 2);
  printf("| arm | times real time | goal | µs per step | iterations | error of the step [m] |\n"
         "|---|---|---|---|---|---|\n");
  for (int i = 0; i < 2; i++)
    printf("| %s | %.1f | %d | %.1f | %.2f | %.1e |\n", NAMES[i], c[i].factor, GOALS[i], c[i].us,
           c[i].iterations, c[i].error);
}

// --- what stiffening, segments and sliding beams cost ---

#define STRIPS(basis, segments, stiffening)                                                                    \
  {                                                                                                            \
    .path = "models/strip-two-link.yaml", .set = {                                                             \
      "links.upper.basis=" basis,                                                                              \
      "links.fore.basis=" basis,                                                                               \
      "links.upper.beam.segments=" segments,                                                                   \
      "links.fore.beam.segments=" segments,                                                                    \
      "solver.stiffening=" stiffening                                                                          \
    }                                                                                                          \
  }

static void bench_features(void) {
  static const char *const NAMES[] = {"full", "3 modes per link", "craig-bampton, 1 mode per link",
                                      "full, 5 segments per link", "full, 10 segments per link"};
#define BOTH(basis, segments) STRIPS(basis, segments, "on"), STRIPS(basis, segments, "off")
  static const motion MOTIONS[] = {BOTH("{type: full}", "1"), BOTH("{type: modes, count: 3}", "1"),
                                   BOTH("{type: craig-bampton, count: 1}", "1"), BOTH("{type: full}", "5"),
                                   BOTH("{type: full}", "10")};
  printf("| basis | on | iterations | off | iterations | on/off | error of the step [m] |\n"
         "|---|---|---|---|---|---|---|\n");
  print_pairs(NAMES, MOTIONS, sizeof NAMES / sizeof *NAMES, false);
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
  static const char *const NAMES[] = {"full", "3 modes"};
  static const char full[] = "links.arm.basis={type: full}",
                    modes[] = "links.arm.basis={type: modes, count: 3}",
                    moved[] = "links.arm.joint.slide.free_length=none";
  static const motion MOTIONS[] = {{.text = text, .set = {full}},
                                   {.text = text, .set = {full, moved}},
                                   {.text = text, .set = {modes}},
                                   {.text = text, .set = {modes, moved}}};
  printf("| basis | slides | iterations | is moved | iterations | ratio | error of the step [m] |\n"
         "|---|---|---|---|---|---|---|\n");
  print_pairs(NAMES, MOTIONS, 2, false);
}

// --- closed chains ---

#define PARALLELOGRAM(basis, loops)                                                                            \
  {                                                                                                            \
    .path = "models/parallelogram.yaml", .duration = 0.2, .set = {                                             \
      "links.upper.basis=" basis,                                                                              \
      "links.fore.basis=" basis,                                                                               \
      "links.rear.basis=" basis,                                                                               \
      "links.input.basis=" basis,                                                                              \
      "links.rod.basis=" basis,                                                                                \
      "solver.start=undeformed",                                                                               \
      loops                                                                                                    \
    }                                                                                                          \
  }

// The parallelogram arm, and the same with its loop cut.
static void bench_loops(void) {
  static const char *const NAMES[] = {"full, 20 elements", "craig-bampton, 3 modes"};
  static const motion MOTIONS[] = {PARALLELOGRAM("{type: full}", NULL),
                                   PARALLELOGRAM("{type: full}", "loops=[]"),
                                   PARALLELOGRAM("{type: craig-bampton, count: 3}", NULL),
                                   PARALLELOGRAM("{type: craig-bampton, count: 3}", "loops=[]")};
  printf(
      "| basis | closed | iterations | cut open | iterations | ratio, per iteration | error of the step [m] |\n"
      "|---|---|---|---|---|---|---|\n");
  print_pairs(NAMES, MOTIONS, 2, true);
}

// --- free joints ---

#define FLOATING "limber: 1\ngravity: [0, 0, 0]\nsolver: {duration: 1, step: 1 ms}\nlinks:\n"
#define HULL     "body: {mass: 2, com: [0.01, 0.02, 0.03], inertia: [0.02, 0.03, 0.04]}}\n"

// A body that floats, and the same on six single joints.
static void bench_free(void) {
  static const char one[] =
      FLOATING "  - {name: hull, joint: {type: free}, " HULL
               "configuration: {hull: {position: [0, 0, 0], angular_velocity: [0.4, -1.2, 0.3]}}\n",
                    singles[] = FLOATING
                    "  - {name: x, joint: {type: prismatic, axis: [1, 0, 0]}, body: {mass: 0}}\n"
                    "  - {name: y, joint: {type: prismatic, axis: [0, 1, 0]}, body: {mass: 0}}\n"
                    "  - {name: z, joint: {type: prismatic, axis: [0, 0, 1]}, body: {mass: 0}}\n"
                    "  - {name: roll, joint: {axis: [1, 0, 0]}, body: {mass: 0}}\n"
                    "  - {name: pitch, joint: {axis: [0, 1, 0]}, body: {mass: 0}}\n"
                    "  - {name: hull, joint: {axis: [0, 0, 1]}, " HULL
                    "configuration: {roll: {velocity: 0.4}, pitch: {velocity: -1.2}, hull: {velocity: 0.3}}\n";
  static const char *const NAMES[] = {"rigid body", "with two flexible links, 3 modes each"};
  static const motion MOTIONS[] = {{.text = one},
                                   {.text = singles},
                                   {.path = "bench/models/free.yaml"},
                                   {.path = "bench/models/singles.yaml"}};
  printf("| body | free | iterations | on six joints | iterations | ratio | error of the step [m] |\n"
         "|---|---|---|---|---|---|---|\n");
  print_pairs(NAMES, MOTIONS, 2, false);
}

// --- forward dynamics against the number of links ---

// Processor time of one evaluation of all accelerations of a spatial chain: residual, factorisation, solution
// [us].
static double evaluation(int links, const char *basis) {
  char *text = bench_chain(false, links, 4, basis);
  bench_run r = bench_open_text(text, NULL, 0);
  lim_state *f = r.session->motion_state;
  for (int i = 0; i < f->n; i++) f->q[i] = f->v[i] = 1e-4 * (i % 7);
  double best = INFINITY;
  lim_error err = {0};
  for (int k = 0; k < 7; k++) {
    int count = 20000 / links + 1;
    double begin = bench_seconds();
    for (int i = 0; i < count; i++)
      if (lim_equations_accelerate(f->a, f->r, f->e, 0, LIM_AFTER, f->q, f->v, &err) != LIM_OK) exit(1);
    best = fmin(best, 1e6 * (bench_seconds() - begin) / count);
  }
  bench_close(&r);
  free(text);
  return best;
}

static void bench_links(void) {
  static const int LINKS[] = {1, 2, 5, 10, 20, 50, 100};
  printf("| links | rigid | per link | 3 modes per link | per link |\n|---|---|---|---|---|\n");
  for (size_t i = 0; i < sizeof LINKS / sizeof *LINKS; i++) {
    double rigid = evaluation(LINKS[i], "type: rigid"), modes = evaluation(LINKS[i], "type: modes, count: 3");
    printf("| %d | %.2f | %.2f | %.2f | %.2f |\n", LINKS[i], rigid, rigid / LINKS[i], modes, modes / LINKS[i]);
  }
}

// --- the prototype with motors: equal error ---

// Joint angles at the end of the manoeuvre, and the processor time it takes [s].
static double manoeuvre(double q[2], const char *const *set, int nset) {
  bench_run r = bench_open("models/prototype.yaml", set, nset);
  double begin = bench_seconds();
  bench_steps(&r, bench_steps_left(&r));
  double seconds = bench_seconds() - begin;
  const lim_session *s = r.session;
  for (int i = 0; i < 2; i++) q[i] = s->motion_state->q[s->s->bodies[s->s->first_body[i]].q];
  bench_close(&r);
  return seconds;
}

// The coarsest step (cvode: tolerance), by halves, whose end is within the target of a tight reference.
static void bench_methods(void) {
  static const char *const METHODS[] = {"newmark", "generalized-alpha", "rk4", "cvode"};
  const double target = 1e-5;
  double exact[2], q[2];
  manoeuvre(exact, (const char *[]){"solver.method=cvode", "solver.tolerance=1e-12"}, 2);
  printf("| method | step or tolerance | error [rad] | times real time |\n|---|---|---|---|\n");
  for (size_t i = 0; i < sizeof METHODS / sizeof *METHODS; i++) {
    char method[64], size[64];
    const char *set[] = {method, size, "solver.tolerance=1e-11"};
    int nset = i == 3 ? 2 : 3;
    double value = i == 3 ? 1e-3 : i == 2 ? 2.5e-4 : 8e-3; // longer steps of rk4 are not stable
    double seconds = 0, error = INFINITY;
    snprintf(method, sizeof method, "solver.method=%s", METHODS[i]);
    for (int k = 0; k < 24 && !(error <= target); k++) {
      value /= 2;
      snprintf(size, sizeof size, "solver.%s=%.17g", i == 3 ? "tolerance" : "step", value);
      seconds = manoeuvre(q, set, nset);
      error = fmax(fabs(q[0] - exact[0]), fabs(q[1] - exact[1]));
    }
    for (int k = 0; k < 4; k++) seconds = fmin(seconds, manoeuvre(q, set, nset)); // the best of some runs
    if (i == 3)
      printf("| %s | %.0e | %.1e | %.1f |\n", METHODS[i], value, error, 1 / seconds);
    else
      printf("| %s | %g ms | %.1e | %.1f |\n", METHODS[i], 1e3 * value, error, 1 / seconds);
  }
}

// --- examples ---

static void bench_example(const char *name) {
  char path[300];
  lim_error err = {0};
  lim_model *model = NULL;
  lim_run run;
  lim_simulate_hooks hooks = {.record = NULL};
  snprintf(path, sizeof path, "models/%s", name);
  if (lim_model_load(&model, path, NULL, 0, &err) == LIM_OK && !isnan(model->solver.duration)) {
    double begin = bench_seconds();
    if (lim_prepare_model(model, "models", &err) == LIM_OK &&
        lim_simulate(&run, model, "models", &hooks, &err) == LIM_OK)
      printf("| %.*s | %ld | %.1f |\n", (int)(strlen(name) - strlen(".yaml")), name, run.steps,
             run.end / (bench_seconds() - begin));
  }
  lim_model_free(model);
  lim_error_clear(&err);
}

static int is_model(const struct dirent *entry) { return strstr(entry->d_name, ".yaml") != NULL; }

static void bench_examples(void) {
  struct dirent **entry;
  int count = scandir("models", &entry, is_model, alphasort);
  printf("| model | steps | times real time |\n|---|---|---|\n");
  for (int i = 0; i < count; i++) {
    bench_example(entry[i]->d_name);
    free(entry[i]);
  }
  if (count >= 0) free(entry);
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    void (*run)(void);
  } SECTIONS[] = {{"real-time", bench_real_time}, {"features", bench_features}, {"slide", bench_slide},
                  {"loops", bench_loops},         {"links", bench_links},       {"methods", bench_methods},
                  {"examples", bench_examples},   {"free", bench_free}};
  for (size_t i = 0; argc == 2 && i < sizeof SECTIONS / sizeof *SECTIONS; i++)
    if (!strcmp(argv[1], SECTIONS[i].name)) {
      SECTIONS[i].run();
      return 0;
    }
  fprintf(stderr, "usage: %s real-time|features|slide|loops|free|links|methods|examples\n", argv[0]);
  return 2;
}

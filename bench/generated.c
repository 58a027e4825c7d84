// generated.c - generated code of the two-link arm beside the library's recursion: time of one evaluation of
// its accelerations, and simulated time per real time with steps of 0.1 ms, as Markdown. Figures:
// bench/README.md.
#include "export/code/generate.h"
#include "run.h"

#include <dlfcn.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char ARM[] =
    "limber: 1\ngravity: [0, 0, 0]\nplanar: xy\n"
    "materials: {aluminium: {E: 71 GPa, nu: 0.33, rho: 2700}}\n"
    "sections: {strip: {shape: rectangle, y: 5 mm, z: 40 mm}}\n"
    "links:\n"
    "  - {name: upper, joint: {name: shoulder}, beam: {length: 0.4 m, section: strip, material: aluminium},\n"
    "     basis: {type: modes, count: 2}}\n"
    "  - {name: fore, joint: {name: elbow}, beam: {length: 0.4 m, section: strip, material: aluminium},\n"
    "     basis: {type: modes, count: 2}}\n"
    "drives:\n"
    "  shoulder: {type: effort, effort: {profile: harmonic, amplitude: 0.2 N m, frequency: 1 Hz}}\n"
    "  elbow: {type: effort, effort: {profile: harmonic, amplitude: 0.05 N m, frequency: 1 Hz}}\n"
    "solver: {method: rk4, duration: 1 s, step: 0.1 ms, stiffening: off}\n";

_Noreturn static void give_up(const char *what) {
  fprintf(stderr, "bench: %s\n", what);
  exit(1);
}

typedef void input_function(void *user, double t, int before, double *u);
typedef int acceleration_function(double *a, const double *q, const double *v, const double *x, const double *u,
                                  const double *p);
typedef int run_function(double *state, double until, double h, input_function *inputs, void *user);

static void *load(const lim_generated *g) {
  char folder[] = "/tmp/limber-bench-XXXXXX", command[256];
  lim_error err = {0};
  if (!mkdtemp(folder) || lim_generated_write(g, folder, &err) != LIM_OK) give_up("the code cannot be written");
  snprintf(command, sizeof command, "cc -std=c99 -O2 -fPIC -shared %s/arm.c -o %s/code.so -lm", folder, folder);
  if (system(command)) give_up("the code does not compile");
  snprintf(command, sizeof command, "%s/code.so", folder);
  void *library = dlopen(command, RTLD_NOW);
  snprintf(command, sizeof command, "rm -r %s", folder);
  if (!library || system(command)) give_up("the code cannot be loaded");
  return library;
}

enum { EVALUATIONS = 200000 };

static double library_evaluation(lim_session *s, double *q, const double *v) {
  double a[6] = {0}, r[6], begin = bench_seconds();
  for (int i = 0; i < EVALUATIONS; i++) {
    q[0] += 1e-9;
    lim_rec_residual(r, s->equations->w, q, v, a);
    lim_rec_factor(s->equations->w, q, (lim_step_matrix){.M = 1});
    lim_rec_solve(r, s->equations->w);
  }
  return (bench_seconds() - begin) / EVALUATIONS;
}

static double generated_evaluation(acceleration_function *accelerate, double *q, const double *v) {
  double a[6], u[2] = {0.1, 0.1}, none = 0, sum = 0, begin = bench_seconds();
  for (int i = 0; i < EVALUATIONS; i++) {
    q[0] += 1e-9;
    q[3] += 1e-9;
    accelerate(a, q, v, &none, u, &none);
    sum += a[5];
  }
  double spent = (bench_seconds() - begin) / EVALUATIONS;
  return sum == HUGE_VAL ? 0 : spent;
}

int main(void) {
  lim_error err = {0};
  lim_model *m;
  lim_generated *g;
  if (lim_model_parse(&m, ARM, (long)strlen(ARM), "bench", NULL, 0, &err) != LIM_OK ||
      lim_generate(&g, m, "arm", NULL, NULL, &err) != LIM_OK)
    give_up("the arm cannot be generated");
  void *library = load(g);
  acceleration_function *accelerate = (acceleration_function *)(uintptr_t)dlsym(library, "arm_accelerations");
  run_function *run = (run_function *)(uintptr_t)dlsym(library, "arm_run");
  input_function *inputs = (input_function *)(uintptr_t)dlsym(library, "arm_inputs");
  double q[6] = {0.1, 1e-3, 1e-4, 0.5, 1e-3, 1e-4}, v[6] = {1, 0.1, 0.1, 1, 0.1, 0.1}, state[32] = {0};
  if (!accelerate || !run || !inputs) give_up("a function is missing");
  double slow = library_evaluation(g->session, q, v), fast = generated_evaluation(accelerate, q, v);
  lim_operations o = g->operations[LIM_OF_ACCELERATIONS];
  printf("Accelerations are %d trig, %d additions, %d multiplications, %d divisions.\n\n", o.trig, o.add, o.mul,
         o.div);
  printf("| | recursion | generated, `-O2` |\n|---|---|---|\n");
  printf("| accelerations, ns per evaluation | %.0f | %.0f |\n", 1e9 * slow, 1e9 * fast);
  double begin = bench_seconds();
  if (run(state, 10, 1e-4, inputs, NULL)) give_up("the run failed");
  double spent = bench_seconds() - begin;
  begin = bench_seconds();
  lim_session *s = g->session;
  if (lim_session_restart(s, &err) != LIM_OK) give_up("the library does not start");
  for (int i = 1; i <= 10000; i++)
    if (lim_session_advance(s, 1e-4 * i, &err) != LIM_OK) give_up("the library does not run");
  printf("| simulated over real time, rk4 with steps of 0.1 ms | %.1f | %.0f |\n",
         1 / (bench_seconds() - begin), 10 / spent);
  dlclose(library);
  lim_generated_free(g);
  lim_model_free(m);
  return 0;
}

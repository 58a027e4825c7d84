// generated_fixture.h - generated code of a model, compiled and loaded.
#ifndef LIM_TESTS_GENERATED_FIXTURE_H
#define LIM_TESTS_GENERATED_FIXTURE_H

#include "fixture.h"

#include "analysis/simulation/session.h"
#include "export/code/generate.h"

#include <dlfcn.h>
#include <unistd.h>

typedef struct {
  lim_model *model;
  lim_generated *g;
  char folder[64];
  void *library;
} generated;

#define CODE_MOST 512 // numbers in a state

// Any function of the code.
static inline void *symbol_of(const generated *x, const char *name) {
  char full[128];
  snprintf(full, sizeof full, "%s_%s", x->g->name, name);
  void *found = dlsym(x->library, full);
  if (!found) print_error("%s is missing\n", full);
  assert_non_null(found);
  return found;
}

typedef void input_function(void *user, double t, int before, double *u);
typedef int acceleration_function(double *a, const double *q, const double *v, const double *x, const double *u,
                                  const double *p);
typedef void start_function(double *state);
typedef int run_function(double *state, double until, double h, input_function *inputs, void *user);

// The offsets of q, v in a state, which is { t, q, v, x, p }.
static inline double *q_of(double *state) { return state + 1; }
static inline double *v_of_state(const generated *x, double *state) { return state + 1 + x->g->written->n; }

// Generate into a folder of its own, compile as C99 with every warning an error, and load.
static inline void compile(generated *x, const char *options) {
  lim_error err = {0};
  char command[512];
  snprintf(x->folder, sizeof x->folder, "/tmp/limber-generated-XXXXXX");
  assert_non_null(mkdtemp(x->folder));
  assert_int_equal(lim_generated_write(x->g, x->folder, &err), LIM_OK);
  snprintf(command, sizeof command,
           "cc -std=c99 -Wall -Wextra -Werror -pedantic %s -fPIC -shared %s/%s.c -o %s/code.so -lm && "
           "cc -std=c99 -Wall -Wextra -Werror -pedantic -O0 -fsyntax-only %s/main.c",
           options, x->folder, x->g->name, x->folder, x->folder);
  assert_int_equal(system(command), 0);
  snprintf(command, sizeof command, "%s/code.so", x->folder);
  x->library = dlopen(command, RTLD_NOW | RTLD_LOCAL);
  if (!x->library) print_error("%s\n", dlerror());
  assert_non_null(x->library);
}

static inline void drop_generated(generated *x) {
  char command[128];
  if (x->library) dlclose(x->library);
  lim_generated_free(x->g);
  lim_model_free(x->model);
  if (x->folder[0]) {
    snprintf(command, sizeof command, "rm -r %s", x->folder);
    assert_int_equal(system(command), 0);
  }
}

// Where the library is at the end of a run: q and v.
typedef struct {
  double q[64], v[64];
} place;

static inline lim_code record(void *user, const lim_snapshot *m, lim_error *err) {
  place *p = user;
  (void)err;
  memcpy(p->q, m->q, (size_t)m->system->n * sizeof *p->q);
  memcpy(p->v, m->v, (size_t)m->system->n * sizeof *p->v);
  return LIM_OK;
}

#endif

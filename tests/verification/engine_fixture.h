// engine_fixture.h - arms in motion for the tests: a model from text and overrides, a run that keeps peaks and
// ends, and tables of computed against expected.
#ifndef ENGINE_FIXTURE_H
#define ENGINE_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/simulate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_JOINTS = 8, MAX_SETTINGS = 12 };

// What a run leaves behind.
typedef struct {
  lim_run run;
  double t;                  // of the last record
  double tip[3];             // there
  double error[3];           // largest |tip - tip of the rigid arm|, component by component [m]
  double error_end[3];       // the last one
  double low[3], high[3];    // range of the error
  double effort[MAX_JOINTS]; // largest |effort| of each joint
  void (*watch)(void *user, const lim_moment *m); // called at every record; may be NULL
  void *user;
} observation;

static inline void print_notes(const lim_error *err) {
  for (int i = 0; i < err->kept; i++)
    printf("%s:%d:%d: %s\n", err->note[i].file, err->note[i].line, err->note[i].column, err->note[i].text);
}

// Overrides as on the command line, "solver.step=1 ms"; up to the first NULL.
static inline lim_model *model_of(const char *text, const char *const *set) {
  lim_model *model = NULL;
  lim_error err = {0};
  int count = 0;
  while (set && set[count]) count++;
  if (lim_model_parse(&model, text, (long)strlen(text), "test", set, count, &err) != LIM_OK) {
    print_notes(&err);
    fail_msg("the model cannot be read");
  }
  return model;
}

static inline lim_code observe_moment(void *user, const lim_moment *m, lim_error *err) {
  (void)err;
  observation *o = user;
  lim_motion_in_world tip = lim_moment_site(m, &m->system->site[0].site);
  lim_motion_in_world rigid = lim_moment_reference(m, &m->rigid->site[0].site);
  for (int i = 0; i < 3; i++) {
    double error = tip.p[i] - rigid.p[i];
    o->tip[i] = tip.p[i];
    o->error_end[i] = error;
    o->error[i] = fmax(o->error[i], fabs(error));
    o->low[i] = fmin(o->low[i], error);
    o->high[i] = fmax(o->high[i], error);
  }
  int joint = 0;
  for (int i = 0; i < m->system->nbody && joint < MAX_JOINTS; i++) {
    if (m->system->member[i].q < 0) continue;
    o->effort[joint] = fmax(o->effort[joint], fabs(m->effort[m->system->member[i].q]));
    joint++;
  }
  o->t = m->t;
  if (o->watch) o->watch(o->user, m);
  return LIM_OK;
}

// Run a model and keep what it shows in *o, whose watch and user may be set before.
static inline lim_code observe_code(observation *o, const char *text, const char *const *set, lim_error *err) {
  lim_model *model = model_of(text, set);
  lim_simulate_hooks hooks = {.record = observe_moment, .user = o};
  lim_code code = lim_simulate(&o->run, model, NULL, &hooks, err);
  lim_model_free(model);
  return code;
}

// The same where it has to succeed.
static inline void observe(observation *o, const char *text, const char *const *set) {
  lim_error err = {0};
  if (observe_code(o, text, set, &err) == LIM_OK) return;
  print_notes(&err);
  fail_msg("the simulation failed");
}

// A line of a table; fails unless |computed - expected| <= tolerance |expected|.
static inline void table_head(const char *title) {
  printf("\n%s\n%-52s %16s %16s %10s  %s\n", title, "", "computed", "expected", "rel.error", "source");
}

static inline void table_row(const char *what, double computed, double expected, double tolerance,
                             const char *source) {
  double error = expected != 0 ? computed / expected - 1 : computed;
  printf("%-52s %16.9g %16.9g %10.1e  %s\n", what, computed, expected, error, source);
  if (!(fabs(error) <= tolerance))
    fail_msg("%s: %.9g, expected %.9g to %g", what, computed, expected, tolerance);
}

// A line for what has to stay below a bound.
static inline void table_bound(const char *what, double computed, double bound, const char *source) {
  printf("%-52s %16.3e %15s%.1e %10s  %s\n", what, computed, "below ", bound, "", source);
  if (!(fabs(computed) <= bound)) fail_msg("%s: %.3e, above %.3e", what, computed, bound);
}

#endif

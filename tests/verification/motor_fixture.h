// motor_fixture.h - what tests of drives and springs share: models from files, runs with a watch, generators of
// overrides; one joint with a drive.
#ifndef MOTOR_FIXTURE_H
#define MOTOR_FIXTURE_H

#include "analysis/simulation/simulate.h"
#include "engine_fixture.h"

static const double TURN = 6.283185307179586;

// The methods of a simulation, as overrides.
static const char *const METHODS[] = {"solver.method=rk4", "solver.method=cvode", "solver.method=ida",
                                      "solver.method=newmark", "solver.method=generalized-alpha"};
enum { NMETHODS = 5, EXPLICIT = 3 }; // the first EXPLICIT of them are of high order: rk4, cvode, ida

static inline const char *method_name(const char *method) { return strchr(method, '=') + 1; }

// Up to the first NULL of `set`.
static inline lim_model *load_with(const char *path, const char *const *set) {
  lim_model *m = NULL;
  lim_error err = {0};
  int count = 0;
  while (set && set[count]) count++;
  lim_code code = lim_model_load(&m, path, set, count, &err);
  print_notes(&err);
  lim_error_clear(&err);
  assert_int_equal(code, LIM_OK);
  return m;
}

typedef void watch_moment(void *user, const lim_snapshot *m);

typedef struct {
  watch_moment *watch;
  void *user;
} watcher;

static inline lim_code pass_on(void *user, const lim_snapshot *m, lim_error *err) {
  (void)err;
  const watcher *w = user;
  if (w->watch) w->watch(w->user, m);
  return LIM_OK;
}

// Run a model that has to succeed. Tables are looked for in `directory`.
static inline lim_run run_model(const lim_model *model, const char *directory, watch_moment *watch,
                                void *user) {
  lim_run run;
  lim_error err = {0};
  watcher w = {watch, user};
  lim_code code =
      lim_simulate(&run, model, directory, &(lim_simulate_hooks){.record = pass_on, .user = &w}, &err);
  print_notes(&err);
  lim_error_clear(&err);
  assert_int_equal(code, LIM_OK);
  return run;
}

static inline lim_run run_text(const char *text, const char *const *set, watch_moment *watch, void *user) {
  lim_model *model = model_of(text, set);
  lim_run run = run_model(model, NULL, watch, user);
  lim_model_free(model);
  return run;
}

// Coordinates of the joint of a link, and of its motor (of the joint where they are one).
static inline int joint_of(const lim_snapshot *m, int link) {
  return m->system->bodies[m->system->first_body[link]].q;
}
static inline int rotor_of(const lim_snapshot *m, int link) {
  int k = m->system->bodies[m->system->first_body[link]].m;
  return k < 0 ? joint_of(m, link) : k;
}

// A block of 2 kg on a slide.
#define BLOCK(drive, friction)                                                                                 \
  "limber: 1\n"                                                                                                \
  "gravity: [0, 0, 0]\n"                                                                                       \
  "links: [{name: block, joint: {type: prismatic, axis: [1, 0, 0]}, body: {mass: 2}}]\n"                       \
  "drives: {block: {" drive ", friction: {" friction "}}}\n"                                                   \
  "solver: {duration: 1 s, step: 1 ms, tolerance: 1e-12}\n"                                                    \
  "outputs: {every: 1 ms}\n"

// A rigid arm of 0.165 kg m^2 about its joint.
#define RIGID_ARM                                                                                              \
  "limber: 1\n"                                                                                                \
  "gravity: [0, 0, 0]\n"                                                                                       \
  "links:\n"                                                                                                   \
  "  - {name: arm, joint: {axis: [0, 0, 1]}, body: {mass: 2, com: [0.25, 0, 0], inertia: [0.001, 0.04, "       \
  "0.04], "                                                                                                    \
  "tip: [0.5, 0, 0]}}\n"

#endif

// system_threads.c - several simulations at once, some of one shared model, end bit for bit as they do one
// after the other. Run it also under the thread sanitizer (preset `thread`).
#include "fixture.h"

#include "analysis/simulate.h"

#include <pthread.h>

static const char arm[] = "limber: 1\n"
                          "gravity: [0, -9.81, 0]\n"
                          "materials: {m: {E: 70 GPa, nu: 0.3, rho: 2700}}\n"
                          "sections: {a: {shape: rectangle, y: 10 mm, z: 20 mm}}\n"
                          "links:\n"
                          "  - {name: one, joint: {axis: [0, 0, 1]}, beam: {length: 0.8, section: a, material: "
                          "m, elements: 4}, damping: {ratio: "
                          "0.02}}\n"
                          "  - {name: two, joint: {axis: [0, 1, 0]}, beam: {length: 0.6, section: a, material: "
                          "m, elements: 4}, basis: {type: "
                          "modes, count: 4}}\n"
                          "motion: {one: {profile: trapezoidal, from: 0, to: 0.5, duration: 60 ms}}\n"
                          "loads: [{at: tip, force: [0, 0, 2], to: 30 ms}]\n"
                          "solver: {duration: 0.1 s, step: 1 ms}\n";

static const char *const SETTINGS[][2] = {
    {"solver.method=newmark", "solver.mode=nonlinear"},
    {"solver.method=generalized-alpha", "solver.mode=nonlinear"},
    {"solver.method=newmark", "solver.mode=linear"},
    {"solver.method=newmark", "solver.mode=quasi-static"},
    {"solver.method=rk4", "solver.mode=rigid"},
    {"solver.method=cvode", "solver.mode=rigid"},
};

enum { COUNT = sizeof SETTINGS / sizeof *SETTINGS, ROUNDS = 2, RECORDS = 101 };

typedef struct {
  const lim_model *model; // shared by the jobs of one setting
  lim_code code;
  int records;
  double tip[RECORDS][3];
} job;

static lim_code record(void *user, const lim_moment *m, lim_error *err) {
  (void)err;
  job *j = user;
  lim_motion_in_world tip = lim_moment_site(m, &m->system->site[0].site);
  if (j->records < RECORDS) memcpy(j->tip[j->records], tip.p, sizeof tip.p);
  j->records++;
  return LIM_OK;
}

static void *run(void *user) {
  job *j = user;
  lim_error err = {0};
  lim_run out;
  lim_simulate_hooks hooks = {.record = record, .user = j};
  j->records = 0;
  j->code = lim_simulate(&out, j->model, NULL, &hooks, &err);
  lim_error_clear(&err);
  return NULL;
}

static void simulations_in_threads_equal_sequential_ones(void **state) {
  (void)state;
  lim_model *model[COUNT];
  job *alone = calloc(COUNT, sizeof *alone), *together = calloc((size_t)ROUNDS * COUNT, sizeof *together);
  pthread_t thread[ROUNDS * COUNT];
  for (int i = 0; i < COUNT; i++) {
    model[i] = parse_with(arm, SETTINGS[i], 2);
    alone[i].model = model[i];
    run(&alone[i]);
    assert_int_equal(alone[i].code, LIM_OK);
    assert_int_equal(alone[i].records, RECORDS);
  }
  for (int i = 0; i < ROUNDS * COUNT; i++) {
    together[i].model = model[i % COUNT];
    assert_int_equal(pthread_create(&thread[i], NULL, run, &together[i]), 0);
  }
  for (int i = 0; i < ROUNDS * COUNT; i++) assert_int_equal(pthread_join(thread[i], NULL), 0);
  for (int i = 0; i < ROUNDS * COUNT; i++) {
    assert_int_equal(together[i].code, LIM_OK);
    assert_int_equal(together[i].records, RECORDS);
    assert_memory_equal(together[i].tip, alone[i % COUNT].tip, sizeof together[i].tip);
  }
  for (int i = 0; i < COUNT; i++) lim_model_free(model[i]);
  free(alone);
  free(together);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(simulations_in_threads_equal_sequential_ones)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

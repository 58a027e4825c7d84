// integrate_threads.c - several simulations at once, some of one shared model, and several runs of one arm, end
// bit for bit as they do one after the other. Run it also under the thread sanitizer (preset `thread`).
#include "fixture.h"

#include "analysis/simulation/simulate.h"
#include "dynamics/damping.h"
#include "integrate/equations.h"
#include "verification/program_fixture.h"

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
    {"solver.method=ida", "solver.mode=rigid"},
};

enum { COUNT = sizeof SETTINGS / sizeof *SETTINGS + 1, ROUNDS = 2, RECORDS = 101 }; // and an arm that grips

typedef struct {
  const lim_model *model; // shared by the jobs of one setting
  lim_code code;
  int records;
  double tip[RECORDS][3];
} job;

static lim_code record(void *user, const lim_snapshot *m, lim_error *err) {
  (void)err;
  job *j = user;
  lim_world_motion tip = lim_snapshot_site(m, &m->system->site[0].site);
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

// An arm that takes up a part under way, damps its modes anew as it moves, and lets the part go.
static lim_model *gripping_arm(void) {
  static const char text[] = "limber: 1\n"
                             "gravity: [0, -9.81, 0]\n"
                             "materials: {m: {E: 70 GPa, nu: 0.3, rho: 2700}}\n"
                             "sections: {a: {shape: rectangle, y: 10 mm, z: 20 mm}}\n"
                             "links:\n"
                             "  - {name: one, beam: {length: 0.8, section: a, material: m, elements: 2}}\n"
                             "  - {name: two, beam: {length: 0.6, section: a, material: m, elements: 2}}\n"
                             "damping: {ratio: 0.02, update: 10 ms}\n"
                             "drives: {one: {type: prescribed}, two: {type: prescribed}}\n"
                             "solver: {duration: 0.1 s, step: 1 ms}\n";
  static const char program[] = "wait(0.02)\n"
                                "grip{mass = 0.5, inertia = {0, 0, 0.01}}\n"
                                "movej{one = 0.001, two = 0.002, duration = 0.05}\n"
                                "release()\n"
                                "wait(0.03)\n";
  lim_model *m = NULL;
  lim_error err = {0};
  lim_code code = plan_text(&m, text, program, &err);
  print_notes(&err);
  assert_int_equal(code, LIM_OK);
  assert_int_equal(m->plan->grips.count, 2);
  lim_error_clear(&err);
  return m;
}

static void simulations_in_threads_equal_sequential_ones(void **state) {
  (void)state;
  lim_model *model[COUNT];
  job *alone = calloc(COUNT, sizeof *alone), *together = calloc((size_t)ROUNDS * COUNT, sizeof *together);
  pthread_t thread[ROUNDS * COUNT];
  for (int i = 0; i < COUNT; i++) {
    model[i] = i < COUNT - 1 ? parse_with(arm, SETTINGS[i], 2) : gripping_arm();
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

// --- runs of one arm ---

enum { TURNS = 60, SIZE = 40 };

typedef struct {
  const lim_arm *shared;
  int first; // grips that have happened at its first turn
  lim_code code;
  double r[TURNS][SIZE];
} grips;

static void put(double *q, const lim_arm *s, int turn) {
  for (int i = 0; i < s->n; i++) q[i] = 1e-3 * sin(1.0 + 0.7 * i + 0.1 * turn);
}

// Forces, and the damping of the whole arm, as it holds more and fewer parts.
static void *grip_and_let_go(void *user) {
  grips *x = user;
  lim_arm *own = NULL;
  lim_inputs *inputs = NULL;
  lim_equations *e = NULL;
  lim_payload *held = NULL;
  double q[3 * SIZE];
  x->code = lim_arm_enter(&own, x->shared, NULL);
  if (x->code == LIM_OK) x->code = lim_inputs_new(&inputs, own, NULL, NULL);
  if (x->code == LIM_OK) x->code = lim_equations_new(&e, own, inputs, own, NULL);
  if (x->code == LIM_OK) x->code = lim_payload_new(&held, own, NULL);
  for (int k = 0; k < TURNS && x->code == LIM_OK; k++) {
    for (int i = 0; i < 3; i++) put(q + i * SIZE, own, 7 * i + k);
    lim_payload_set(held, (x->first + k) % 3);
    x->code = lim_damping_at(own, q, NULL);
    lim_rec_residual(x->r[k], e->w, q, q + SIZE, q + 2 * SIZE);
  }
  lim_payload_free(held);
  lim_equations_free(e);
  lim_inputs_free(inputs);
  lim_arm_leave(own);
  return NULL;
}

static void runs_of_one_arm_do_not_disturb_each_other(void **state) {
  (void)state;
  lim_model *model = gripping_arm();
  lim_arm *s;
  assert_int_equal(lim_arm_new(&s, model, false, NULL), LIM_OK);
  assert_true(s->n <= SIZE);
  lim_arm_body *before = malloc((size_t)s->nbody * sizeof *before);
  memcpy(before, s->bodies, (size_t)s->nbody * sizeof *before);
  grips *alone = calloc(3, sizeof *alone), *together = calloc(3, sizeof *together);
  pthread_t thread[3];
  for (int i = 0; i < 3; i++) {
    alone[i] = together[i] = (grips){.shared = s, .first = i};
    grip_and_let_go(&alone[i]);
    assert_int_equal(alone[i].code, LIM_OK);
  }
  for (int i = 0; i < 3; i++)
    assert_int_equal(pthread_create(&thread[i], NULL, grip_and_let_go, &together[i]), 0);
  for (int i = 0; i < 3; i++) assert_int_equal(pthread_join(thread[i], NULL), 0);
  for (int i = 0; i < 3; i++) {
    assert_int_equal(together[i].code, LIM_OK);
    assert_memory_equal(together[i].r, alone[i].r, sizeof alone[i].r);
  }
  assert_memory_not_equal(alone[0].r, alone[1].r, sizeof alone[0].r); // the part is felt
  assert_memory_equal(s->bodies, before, (size_t)s->nbody * sizeof *before);
  free(before);
  free(alone);
  free(together);
  lim_arm_free(s);
  lim_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(simulations_in_threads_equal_sequential_ones),
      cmocka_unit_test(runs_of_one_arm_do_not_disturb_each_other),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

// fmu_motion.c - claim: FMUs move as the library does, stepped by themselves and integrated from outside; saved
// states, bytes of them, resets and several instances give the same numbers to the last bit.
#include "verification/fmu_fixture.h"

#include "analysis/simulation/simulate.h"
#include "channel/channels.h"
#include "kind_numbers.h"

#define MODES    "={type: modes, count: 2}"
#define CHANNELS "outputs.channels="

// Motors by torques, torques and loads that jump, given joints and servos, closed loops, springs.
static const struct {
  const char *name;
  const char *set[6];
  double step, every, time;
} MODELS[] = {
    {"prototype", {CHANNELS "[shoulder, elbow, tip, fore.base, energy, upper.root, fore.root]"}, 1e-4, 2e-3, 1},
    {"prototype-st", {CHANNELS "[shoulder, elbow, tip, energy]"}, 1e-4, 2e-3, 1},
    {"strip-two-link",
     {"links.upper.basis" MODES, "links.fore.basis" MODES, CHANNELS "[tip, energy]",
      "loads=[{at: tip, force: [0, 1, 0], from: 0.1 s, to: 0.25 s}]"},
     1e-4,
     2e-3,
     0.5},
    {"servo-2r",
     {"links.upper.basis" MODES, "links.fore.basis" MODES, CHANNELS "[shoulder, elbow, tip, energy]"},
     5e-5,
     2e-3,
     0.5},
    {"spatial-3r",
     {"links.upper.basis" MODES, "links.fore.basis" MODES, CHANNELS "[hip, shoulder, elbow, tip, energy]"},
     5e-5,
     2e-3,
     0.5},
    {"four-bar", {CHANNELS "[crank, coupler, rocker, energy, tip]"}, 1e-4, 1e-3, 0.5},
    {"prototype",
     {"drives.elbow.gear={stiffness: 500, damping: 0.5}", "drives.shoulder={type: prescribed}",
      CHANNELS "[shoulder, elbow, tip, energy]"},
     1e-4,
     2e-3,
     1},
};
enum { COUNT = sizeof MODELS / sizeof *MODELS, FOUR_BAR = 5, MOST = 400, STATES = 200 };

static lim_model *load(int i) {
  char path[128];
  lim_model *m = NULL;
  lim_error err = {0};
  int n = 0;
  while (n < 6 && MODELS[i].set[n]) n++;
  snprintf(path, sizeof path, "models/%s.yaml", MODELS[i].name);
  lim_code code = lim_model_load(&m, path, MODELS[i].set, n, &err);
  print_notes(&err);
  assert_int_equal(code, LIM_OK);
  m->solver.method = LIM_METHOD_rk4;
  m->solver.step = MODELS[i].step;
  m->solver.duration = MODELS[i].time;
  m->outputs.every = MODELS[i].every;
  return m;
}

// The FMU of a model, made once for all tests.
static fmu made[COUNT][2];

static const fmu *fmu_of(int i, int version) {
  fmu *f = &made[i][version - 2];
  if (f->library) return f;
  lim_model *m = load(i);
  *f = fmu_load(m, MODELS[i].name, version);
  lim_model_free(m);
  return f;
}

static int drop_all(void **state) {
  (void)state;
  for (int i = 0; i < 2 * COUNT; i++)
    if (made[i / 2][i % 2].library) fmu_drop(&made[i / 2][i % 2]);
  return 0;
}

// Largest difference of a channel that an FMU has too, over all records; each over the largest of its values
// or 1.
typedef struct {
  const fmu *f;
  void *instance;
  void (*advance)(const fmu *f, void *instance, double from, double to, double step);
  double step, t, worst, difference[MOST], largest[MOST];
  char worst_name[160];
  lim_channels *channels;
  int compared;
} comparison;

static lim_code compare_one(comparison *c, const lim_snapshot *m, lim_error *err) {
  double value[MOST];
  if (!c->channels) {
    assert_int_equal(lim_channels_new(&c->channels, m->system, err), LIM_OK);
    assert_true(c->channels->count < MOST);
  }
  lim_channels_evaluate(value, c->channels, m);
  if (m->t > c->t) c->advance(c->f, c->instance, c->t, m->t, c->step);
  c->t = m->t;
  c->compared = 0;
  for (int i = 0; i < c->channels->count; i++) {
    int reference = fmu_reference(c->f, c->channels->channel[i].name);
    if (reference < 0) continue;
    c->compared++;
    c->difference[i] = fmax(c->difference[i], fabs(fmu_get(c->f, c->instance, reference) - value[i]));
    c->largest[i] = fmax(c->largest[i], fabs(value[i]));
  }
  return LIM_OK;
}

// Of an FMU by itself and integrated from outside, in one run of the library.
static lim_code record(void *user, const lim_snapshot *m, lim_error *err) {
  comparison *c = user;
  lim_code code = compare_one(&c[0], m, err);
  return code == LIM_OK ? compare_one(&c[1], m, err) : code;
}

static void finish(comparison *c) {
  for (int i = 0; i < c->channels->count; i++) {
    double relative = c->difference[i] / fmax(c->largest[i], 1);
    if (relative <= c->worst) continue;
    c->worst = relative;
    snprintf(c->worst_name, sizeof c->worst_name, "%s", c->channels->channel[i].name);
  }
  lim_channels_free(c->channels);
}

static void compare(comparison c[2], int i) {
  lim_error err = {0};
  lim_run run;
  lim_model *m = load(i);
  lim_code code = lim_simulate(&run, m, "models", &(lim_simulate_hooks){.record = record, .user = c}, &err);
  print_notes(&err);
  assert_int_equal(code, LIM_OK);
  for (int k = 0; k < 2; k++) finish(&c[k]);
  lim_model_free(m);
}

// --- co-simulation ---

static void by_itself(const fmu *f, void *instance, double from, double to, double step) {
  (void)step;
  assert_int_equal(fmu_step(f, instance, from, to - from), 0);
}

// --- model exchange: a fourth-order Runge-Kutta method of the test's own ---

static void rates(const fmu *f, void *instance, double t, double *x, double *rate) {
  assert_int_equal(BOTH(f, SetTime, instance, t), 0);
  assert_int_equal(BOTH(f, SetContinuousStates, instance, x, (size_t)f->states), 0);
  fmu_derivatives(f, instance, rate);
}

static void one_step(const fmu *f, void *instance, double t, double h) {
  int n = f->states;
  double x[STATES], y[STATES], k[4][STATES];
  assert_int_equal(BOTH(f, GetContinuousStates, instance, x, (size_t)n), 0);
  rates(f, instance, t, x, k[0]);
  for (int s = 1; s < 4; s++) {
    for (int i = 0; i < n; i++) y[i] = x[i] + (s == 3 ? h : h / 2) * k[s - 1][i];
    rates(f, instance, s == 3 ? t + h : t + h / 2, y, k[s]);
  }
  for (int i = 0; i < n; i++) x[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
  assert_int_equal(BOTH(f, SetTime, instance, t + h), 0);
  assert_int_equal(BOTH(f, SetContinuousStates, instance, x, (size_t)n), 0);
}

// The one instance that is integrated: when its inputs jump next, and whether an event waits. The library
// records what holds until a jump, so an event at a record waits for the next step.
static double next_event;
static bool waits;
static int events, corrections;

static void handle(const fmu *f, void *instance, double t) {
  bool moved;
  events += next_event == t;
  assert_int_equal(BOTH(f, EnterEventMode, instance), 0);
  next_event = fmu_event(f, instance, &moved);
  corrections += moved;
  waits = false;
}

// On to a time by steps on the grid, which stop at events.
static void from_outside(const fmu *f, void *instance, double from, double to, double step) {
  double t = from;
  while (t < to - 1e-9 * step) {
    if (waits) handle(f, instance, t);
    double end = fmin((floor(t / step + 1e-9) + 1) * step, to);
    bool event = next_event <= end + 1e-9 * step;
    if (event) end = next_event;
    one_step(f, instance, t, end - t);
    t = end;
    assert_int_equal(BOTH(f, SetTime, instance, t), 0);
    waits = fmu_completed(f, instance) || event;
  }
}

static void *start(const fmu *f, int i, bool exchange) {
  void *instance = fmu_new(f, "arm", exchange);
  assert_non_null(instance);
  fmu_initialise(f, instance, MODELS[i].time);
  if (exchange) next_event = fmu_event(f, instance, &(bool){false});
  return instance;
}

// Both interfaces of a version against lim_simulate.
static void follow(int i, int version) {
  const fmu *f = fmu_of(i, version);
  assert_true(f->states < STATES);
  events = corrections = 0;
  waits = false;
  comparison c[2];
  for (int k = 0; k < 2; k++) c[k] = (comparison){.f = f, .instance = start(f, i, k), .step = MODELS[i].step};
  c[0].advance = by_itself;
  c[1].advance = from_outside;
  compare(c, i);
  for (int k = 0; k < 2; k++) {
    print_message("FMI %d, %-14s %-15s %3d channels, %3d states", version, k ? "exchange" : "co-simulation",
                  MODELS[i].name, c[k].compared, f->states);
    if (k) print_message(", %2d events, %3d corrections", events, corrections);
    print_message(": differ by %.1e (%s), at most 1e-8\n", c[k].worst, c[k].worst_name);
    assert_true(c[k].compared > 0 && c[k].worst < 1e-8);
    assert_int_equal(BOTH(f, Terminate, c[k].instance), 0);
    fmu_free_instance(f, c[k].instance);
  }
}

static void fmus_move_as_the_library(void **state) {
  (void)state;
  for (int i = 0; i < COUNT; i++) follow(i, i % 2 ? 3 : 2);
  follow(0, 3);
  follow(FOUR_BAR, 2);
}

// --- states, instances ---

enum { SEEN = 12 };

// States of an arm after some steps.
static void walk(const fmu *f, void *instance, int from, int to, double *seen) {
  for (int k = from; k < to; k++) assert_int_equal(fmu_step(f, instance, k * 0.01, 0.01), 0);
  for (int i = 0; i < SEEN; i++) seen[i] = fmu_get(f, instance, 3 + i);
}

static void expect_same(const double *a, const double *b) { assert_memory_equal(a, b, SEEN * sizeof *a); }

static void save(const fmu *f, void *instance, void **saved) {
  int status = f->version == 2 ? (int)CALL2(f, GetFMUstate)(instance, saved)
                               : (int)CALL3(f, GetFMUState)(instance, saved);
  assert_int_equal(status, 0);
}

static void restore(const fmu *f, void *instance, void *saved) {
  int status = f->version == 2 ? (int)CALL2(f, SetFMUstate)(instance, saved)
                               : (int)CALL3(f, SetFMUState)(instance, saved);
  assert_int_equal(status, 0);
}

static void forget(const fmu *f, void *instance, void **saved) {
  int status = f->version == 2 ? (int)CALL2(f, FreeFMUstate)(instance, saved)
                               : (int)CALL3(f, FreeFMUState)(instance, saved);
  assert_int_equal(status, 0);
  assert_null(*saved);
}

// A saved state as bytes, and a state of another instance from them.
static void *through_bytes(const fmu *f, void *one, void *saved, void *other) {
  size_t size = 0;
  void *again = NULL;
  if (f->version == 2)
    assert_int_equal(CALL2(f, SerializedFMUstateSize)(one, saved, &size), 0);
  else
    assert_int_equal(CALL3(f, SerializedFMUStateSize)(one, saved, &size), 0);
  unsigned char *bytes = malloc(size);
  assert_non_null(bytes);
  if (f->version == 2) {
    assert_int_equal(CALL2(f, SerializeFMUstate)(one, saved, (char *)bytes, size), 0);
    assert_int_equal(CALL2(f, DeSerializeFMUstate)(other, (const char *)bytes, size, &again), 0);
  } else {
    assert_int_equal(CALL3(f, SerializeFMUState)(one, saved, bytes, size), 0);
    assert_int_equal(CALL3(f, DeserializeFMUState)(other, bytes, size, &again), 0);
  }
  free(bytes);
  return again;
}

static void instances_and_states(int version) {
  double straight[SEEN], middle[SEEN], seen[SEEN];
  const fmu *f = fmu_of(0, version);
  void *one = fmu_new(f, "one", false), *two = fmu_new(f, "two", false), *saved = NULL;
  fmu_initialise(f, one, 1);
  walk(f, one, 0, 20, middle);
  save(f, one, &saved);
  walk(f, one, 20, 40, straight);
  assert_memory_not_equal(straight, middle, sizeof middle);
  restore(f, one, saved);
  walk(f, one, 20, 20, seen);
  expect_same(seen, middle);
  walk(f, one, 20, 40, seen);
  expect_same(seen, straight);
  // the other instance starts as if there were no first, and takes the first one's state from bytes
  fmu_initialise(f, two, 1);
  walk(f, two, 0, 20, seen);
  expect_same(seen, middle);
  walk(f, two, 20, 30, seen);
  void *again = through_bytes(f, one, saved, two);
  restore(f, two, again);
  walk(f, two, 20, 40, seen);
  expect_same(seen, straight);
  forget(f, two, &again);
  forget(f, one, &saved);
  // an input that was set is gone after a reset
  assert_int_equal(BOTH(f, Reset, one), 0);
  assert_int_equal(fmu_set(f, one, "shoulder.effort_input", 0.01), 0);
  fmu_initialise(f, one, 1);
  walk(f, one, 0, 20, seen);
  assert_memory_not_equal(seen, middle, sizeof middle);
  assert_int_equal(BOTH(f, Reset, one), 0);
  fmu_initialise(f, one, 1);
  walk(f, one, 0, 20, seen);
  expect_same(seen, middle);
  fmu_free_instance(f, one);
  walk(f, two, 40, 41, seen);
  fmu_free_instance(f, two);
}

static void states_and_instances_are_independent(void **state) {
  (void)state;
  instances_and_states(2);
  instances_and_states(3);
}

// An effort from outside equals the same effort in the model.
static void inputs_act_as_the_models_own(void **state) {
  (void)state;
  static const char *const arm =
      "limber: 1\nname: pendulum\ngravity: [0, -9.81, 0]\nlinks:\n"
      "  - {name: arm, joint: {axis: [0, 0, 1]}, body: {mass: 1, com: [0.5, 0, 0], inertia: "
      "[0.01, 0.1, 0.1]}}\ndrives: {arm: {type: effort, effort: %s}}\n"
      "solver: {duration: 1 s, step: 1 ms}\noutputs: {every: 10 ms}\n";
  double end[3];
  for (int k = 0; k < 3; k++) { // effort in the model; added to none; alone, the model's own left out
    char text[512];
    snprintf(text, sizeof text, arm, k == 1 ? "0" : "2");
    lim_model *m = parse(text);
    fmu f = fmu_load(m, "pendulum", 3);
    void *i = fmu_new(&f, "p", false);
    if (k == 2) {
      const unsigned own = (unsigned)fmu_reference(&f, "own_inputs");
      assert_int_equal(CALL3(&f, SetBoolean)(i, &own, 1, &(bool){false}, 1), 0);
    }
    if (k > 0) assert_int_equal(fmu_set(&f, i, "arm.effort_input", 2), 0);
    fmu_initialise(&f, i, 1);
    for (int n = 0; n < 100; n++) assert_int_equal(fmu_step(&f, i, n * 0.01, 0.01), 0);
    end[k] = fmu_value(&f, i, "arm.position");
    fmu_free_instance(&f, i);
    fmu_drop(&f);
    lim_model_free(m);
  }
  print_message("after 1 s: %.12g, %.12g, %.12g rad\n", end[0], end[1], end[2]);
  assert_true(fabs(end[0]) > 0.1 && end[1] == end[0] && end[2] == end[0]);
}

// A number that is kept, set to what another model has.
static void kept_numbers_act_as_the_models_own(void **state) {
  (void)state;
  static const char *const path = "models/strip-two-link.yaml", *const keep[] = {
                                                                    "links.fore.masses.payload.mass"};
  static const char *const set[] = {"links.upper.basis" MODES, "links.fore.basis" MODES, "solver.step=0.1 ms",
                                    "links.fore.masses.payload.mass=0.25"};
  double end[2];
  for (int k = 0; k < 2; k++) {
    lim_model *m = NULL;
    lim_parameters *kept = NULL;
    lim_error err = {0};
    assert_int_equal(lim_model_load(&m, path, set, k ? 3 : 4, &err), LIM_OK);
    if (k)
      assert_int_equal(
          lim_parameters_new(&kept, path, &(lim_model_setup){.set = set, .nset = 3}, keep, 1, "models", &err),
          LIM_OK);
    fmu f = fmu_load_keeping(m, "arm", 2, kept);
    void *i = fmu_new(&f, "arm", false);
    if (k) assert_int_equal(fmu_set(&f, i, keep[0], 0.25), 0);
    fmu_initialise(&f, i, 1);
    if (k) { // tunable: may be set again
      assert_true(fmu_value(&f, i, keep[0]) == 0.25);
      assert_int_equal(fmu_set(&f, i, keep[0], 0.25), 0);
    }
    for (int n = 0; n < 50; n++) assert_int_equal(fmu_step(&f, i, n * 0.01, 0.01), 0);
    end[k] = fmu_value(&f, i, "tip.position.y");
    fmu_free_instance(&f, i);
    fmu_drop(&f);
    lim_model_free(m);
  }
  print_message("tip after 0.5 s with 0.25 kg: %.12g m in the model, %.12g m kept\n", end[0], end[1]);
  assert_true(fabs(end[1] - end[0]) < 1e-8);
}

// How far the pin of the four-bar linkage is open.
static double gap_of(const fmu *f, void *instance) {
  static const char *const name[2][3] = {
      {"coupler.tip.position.x", "coupler.tip.position.y", "coupler.tip.position.z"},
      {"rocker.tip.position.x", "rocker.tip.position.y", "rocker.tip.position.z"}};
  double sum = 0;
  for (int j = 0; j < 3; j++)
    sum += pow(fmu_value(f, instance, name[0][j]) - fmu_value(f, instance, name[1][j]), 2);
  return sqrt(sum);
}

// Loops that an integrator outside lets drift come together by themselves, and are closed in event mode.
static void drifting_loops_are_closed(void **state) {
  (void)state;
  const fmu *f = fmu_of(FOUR_BAR, 3);
  void *i = fmu_new(f, "linkage", true);
  fmu_initialise(f, i, 10);
  waits = false;
  events = corrections = 0;
  next_event = fmu_event(f, i, &(bool){false});
  double gap = 0;
  for (int k = 0; k < 1000; k++) {
    from_outside(f, i, k * 2e-3, (k + 1) * 2e-3, 2e-3);
    gap = fmax(gap, gap_of(f, i));
  }
  const int asked = corrections;
  handle(f, i, 2);
  print_message("four-bar with steps of 2 ms: %d corrections, gap at most %.1e m after a step, %.1e m closed\n",
                asked, gap, gap_of(f, i));
  assert_true(asked == 0 && gap > 1e-12 && gap < 1e-7 && gap_of(f, i) < 1e-11);
  fmu_free_instance(f, i);
}

// The same bytes from the same model.
static void archives_are_the_same_twice(void **state) {
  (void)state;
  lim_model *m = load(0);
  fmu again = fmu_load(m, "prototype", 3);
  assert_true(same_files(fmu_of(0, 3)->path, again.path));
  fmu_drop(&again);
  lim_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fmus_move_as_the_library),     cmocka_unit_test(states_and_instances_are_independent),
      cmocka_unit_test(inputs_act_as_the_models_own), cmocka_unit_test(kept_numbers_act_as_the_models_own),
      cmocka_unit_test(drifting_loops_are_closed),    cmocka_unit_test(archives_are_the_same_twice),
  };
  return cmocka_run_group_tests(tests, NULL, drop_all);
}

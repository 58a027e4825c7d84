// generated_models.c - code of the models in models/: compiles as C99 without a warning, and moves as the
// library does over a second with the same method and step. Full bases are reduced, because an explicit method
// cannot follow their highest frequencies; what cannot be generated says why.
#include "generated_fixture.h"

#include <dirent.h>

#define MODES "={type: modes, count: 2}"

#define TORQUE "drives.elbow.torque={profile: harmonic, amplitude: 0.01, frequency: 2}"
#define MOTOR  "drives.elbow.motor={mass: 0.94, rotor_inertia: 2.35e-6, ratio: 100, "

// What a model needs to be followed: overrides, step, time where it is not 1 s.
static const struct {
  const char *name, *set[6];
  double step, time;
} MODELS[] = {
    {"aluminium-manipulator", {"links.arm.basis" MODES}, 1e-4, 1},
    {"cantilever", {"links.arm.basis" MODES}, 1e-4, 1},
    {"emats", {"solver.duration=0.2 s"}, 2e-5, 0.2}, // its gains depend on the duration
    {"emats-controller", {NULL}, 1e-3, 1},
    {"flexible-2r", {"links.upper.basis" MODES, "links.fore.basis" MODES}, 1e-4, 1},
    {"four-bar", {NULL}, 1e-3, 1},
    {"hanging", {"links.ribbon.basis" MODES}, 1e-4, 1},
    {"parallelogram",
     {"links.upper.basis" MODES, "links.fore.basis" MODES, "links.rear.basis" MODES, "links.input.basis" MODES,
      "links.rod.basis" MODES},
     1e-4,
     1},
    {"prototype", {NULL}, 1e-4, 1},
    {"prototype-st", {NULL}, 1e-4, 1},
    {"prototype", {"drives.elbow.gear={stiffness: 300, damping: 0.5}", TORQUE}, 2e-5, 0.5},
    {"prototype",
     {"drives.elbow.friction={law: lugre, coulomb: 0.1, stiction: 0.15, stribeck_speed: 0.1, viscous: 0.05, "
      "bristle_stiffness: 500, bristle_damping: 1}",
      TORQUE},
     5e-5,
     0.5},
    {"prototype", {MOTOR "torque_limit: 0.005, no_load_speed: 100}", TORQUE}, 5e-5, 0.5},
    {"prototype",
     {MOTOR "resistance: 2, torque_constant: 0.05, inductance: 2e-3, voltage_limit: 0.3}", TORQUE},
     5e-5,
     0.5},
    {"emats-controller",
     {"drives.j1.gear={stiffness: 2e4, damping: 10}",
      "drives.j2.control={type: pd, kp: 5, kv: 0.01, measure: motor}", "gravity=[0, -9.81, 0]"},
     1e-4,
     0.5},
    {"rigid-2r", {"links.upper.basis" MODES, "links.fore.basis" MODES}, 1e-4, 1},
    {"rod", {NULL}, 2e-5, 1},
    {"rotating-link", {"links.link.basis" MODES}, 1e-4, 1},
    {"servo", {"links.arm.basis" MODES}, 2e-5, 1},
    {"servo-2r", {"links.upper.basis" MODES, "links.fore.basis" MODES}, 5e-5, 1},
    {"shaped-link", {NULL}, 1e-4, 1},
    {"six-axis", {NULL}, 1e-3, 1},
    {"slider-crank", {"links.rod.basis" MODES, "links.rod.beam.segments=1"}, 2e-5, 0.3},
    {"spatial-3r", {"links.upper.basis" MODES, "links.fore.basis" MODES}, 5e-5, 1},
    {"stepped", {"links.boom.basis" MODES}, 1e-4, 1},
    {"strain-experiment", {"links.link.basis" MODES}, 1e-4, 1},
    {"strip-pendulum", {"links.strip.basis" MODES, "links.strip.beam.segments=1"}, 5e-5, 1},
    {"strip-two-link", {"links.upper.basis" MODES, "links.fore.basis" MODES}, 1e-4, 1},
    {"two-link-with-elbow-motor", {"links.upper.basis" MODES, "links.fore.basis" MODES}, 1e-4, 1},
};
enum { COUNT = sizeof MODELS / sizeof *MODELS };

// Models that are refused, and what the message says.
static const struct {
  const char *name, *why;
} REFUSED[] = {
    {"elastic-joint", "friction that sticks"},
    {"pick-and-place", "grips parts"},
    {"rp", "slides through its joint"},
};

static int count_of(const char *const *set) {
  int n = 0;
  while (n < 6 && set[n]) n++;
  return n;
}

static lim_model *load(const char *name, const char *const *set) {
  char path[128];
  lim_model *m = NULL;
  lim_error err = {0};
  snprintf(path, sizeof path, "models/%s.yaml", name);
  lim_code code = lim_model_load(&m, path, set, count_of(set), &err);
  print_notes(&err);
  assert_int_equal(code, LIM_OK);
  return m;
}

// Where the library is after the time: q and v.
typedef struct {
  double q[64], v[64];
} place;

static lim_code record(void *user, const lim_moment *m, lim_error *err) {
  place *p = user;
  (void)err;
  memcpy(p->q, m->q, (size_t)m->system->n * sizeof *p->q);
  memcpy(p->v, m->v, (size_t)m->system->n * sizeof *p->v);
  return LIM_OK;
}

static place simulate(int i) {
  place p = {{0}, {0}};
  lim_error err = {0};
  lim_run run;
  lim_model *m = load(MODELS[i].name, MODELS[i].set);
  m->solver.method = LIM_RK4;
  m->solver.duration = m->outputs.every = MODELS[i].time;
  m->solver.step = MODELS[i].step;
  lim_code code = lim_simulate(&run, m, "models", &(lim_simulate_hooks){.record = record, .user = &p}, &err);
  print_notes(&err);
  assert_int_equal(code, LIM_OK);
  lim_model_free(m);
  return p;
}

static double difference(const double *a, const double *b, int n) {
  double worst = 0;
  for (int i = 0; i < n; i++) worst = fmax(worst, fabs(a[i] - b[i]));
  return worst;
}

static double largest(const double *a, int n) {
  double most = 0;
  for (int i = 0; i < n; i++) most = fmax(most, fabs(a[i]));
  return most;
}

// Coordinates to 1e-10 of the largest, speeds likewise, or of 1 m/s or rad/s where all are slower: some models
// rest.
static void follow(int i) {
  generated x = {.model = load(MODELS[i].name, MODELS[i].set)};
  lim_error err = {0};
  lim_code code = lim_generate(&x.g, x.model, MODELS[i].name, "models", NULL, &err);
  print_notes(&err);
  assert_int_equal(code, LIM_OK);
  compile(&x, "-O1");
  double state[CODE_MOST];
  ((start_function *)(uintptr_t)symbol_of(&x, "start"))(state);
  run_function *run = (run_function *)(uintptr_t)symbol_of(&x, "run");
  input_function *inputs = (input_function *)(uintptr_t)symbol_of(&x, "inputs");
  assert_int_equal(run(state, MODELS[i].time, MODELS[i].step, inputs, NULL), 0);
  place p = simulate(i);
  int n = x.g->written->n;
  double dq = difference(q_of(state), p.q, n) / fmax(largest(p.q, n), 1e-3),
         dv = difference(v_of_state(&x, state), p.v, n) / fmax(largest(p.v, n), 1);
  lim_operations o = x.g->operations[LIM_OF_ACCELERATIONS];
  print_message("%-26s %2d coordinates, %d/%d/%d/%d operations: positions differ by %.1e, speeds by %.1e, at "
                "most 1e-10\n",
                MODELS[i].name, n, o.trig, o.add, o.mul, o.div, dq, dv);
  assert_true(dq < 1e-10 && dv < 1e-10);
  drop_generated(&x);
}

static void code_moves_as_the_library(void **state) {
  (void)state;
  for (int i = 0; i < COUNT; i++) follow(i);
}

static void refuses(const char *name, const char *const *set, int nset, const char *why) {
  char path[128];
  lim_model *m = NULL;
  lim_generated *g = NULL;
  lim_error err = {0};
  snprintf(path, sizeof path, "models/%s.yaml", name);
  lim_code code = lim_model_load(&m, path, set, nset, &err);
  if (code == LIM_OK) code = lim_generate(&g, m, name, "models", NULL, &err);
  assert_int_equal(code, LIM_BAD_INPUT);
  assert_null(g);
  assert_non_null(strstr(err.note[0].text, why));
  print_message("%s: %s\n", name, err.note[0].text);
  lim_error_clear(&err);
  lim_model_free(m);
}

static void refusals_name_the_reason(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof REFUSED / sizeof *REFUSED; i++)
    refuses(REFUSED[i].name, NULL, 0, REFUSED[i].why);
  refuses("spatial-3r", NULL, 0, "reduced basis");
  refuses("prototype", (const char *[]){"solver.mode=linear"}, 1, "modes nonlinear and rigid");
  refuses("prototype", (const char *[]){"drives.elbow.gear={stiffness: 1000, backlash: 1 deg}"}, 1, "backlash");
  refuses("prototype",
          (const char *[]){"bushings=[{name: pad, between: [fore.tip, base], stiffness: [1, 1, 1, 1, 1, 1]}]"},
          1, "a bushing");
}

// Every model of the folder is in one of the lists.
static void no_model_is_forgotten(void **state) {
  (void)state;
  DIR *folder = opendir("models");
  assert_non_null(folder);
  for (const struct dirent *e = readdir(folder); e; e = readdir(folder)) {
    char name[256];
    snprintf(name, sizeof name, "%s", e->d_name);
    char *end = strstr(name, ".yaml");
    if (!end) continue;
    *end = 0;
    bool listed = false;
    for (int i = 0; i < COUNT; i++) listed = listed || !strcmp(name, MODELS[i].name);
    for (size_t i = 0; i < sizeof REFUSED / sizeof *REFUSED; i++)
      listed = listed || !strcmp(name, REFUSED[i].name);
    if (!listed) fail_msg("models/%s.yaml is in no list", name);
  }
  closedir(folder);
}

// --- what the other functions give ---

typedef void efforts_function(double *tau, const double *q, const double *v, const double *a, const double *u,
                              const double *p);
typedef void mass_function(double *M, const double *q, const double *p);
typedef void frames_function(double *f, const double *q, const double *v, const double *p);

// Against the library's own paths: residual, kinematics and energies of a spatial arm with motors and loads.
static void outlooks_equal_the_librarys(void **state) {
  (void)state;
  static const char *const set[6] = {"links.upper.basis" MODES, "links.fore.basis" MODES,
                                     "loads=[{at: tip, force: [1, 2, 3], axes: link}]"};
  generated x = {.model = load("spatial-3r", set)};
  lim_error err = {0};
  lim_code code = lim_generate(&x.g, x.model, "spatial", "models", NULL, &err);
  print_notes(&err);
  assert_int_equal(code, LIM_OK);
  compile(&x, "-O1");
  const lim_session *s = x.g->session;
  enum { MOST = 64 };
  int n = s->s->n;
  unsigned seed = 3;
  double q[MOST], v[MOST], a[MOST], u[MOST] = {0}, r[MOST], tau[MOST], none[1] = {0}, e[3], M[MOST * MOST],
                                    f[18 * MOST];
  ((input_function *)(uintptr_t)symbol_of(&x, "inputs"))(NULL, 0.3, 0, u);
  fill(q, n, 1e-2, &seed);
  fill(v, n, 0.3, &seed);
  fill(a, n, 2, &seed);
  lim_motion_in_world *body = calloc((size_t)s->s->nbody, sizeof *body);
  assert_non_null(body);
  lim_wrench *wrench = calloc((size_t)s->act->nload, sizeof *wrench);
  assert_non_null(wrench);
  lim_rec_work *w = s->equations->w;
  lim_actuation_loads(wrench, s->act, 0.3, LIM_AFTER, NULL);
  lim_rec_apply(w, wrench, s->act->nload);
  lim_rec_residual(r, w, q, v, a);
  ((efforts_function *)(uintptr_t)symbol_of(&x, "efforts"))(tau, q, v, a, u, none);
  double worst = difference(tau, r, n) / largest(r, n);
  print_message("efforts differ by %.1e\n", worst);
  assert_true(worst < 1e-13);
  lim_kinematics(body, s->s, q, v, NULL);
  lim_energies energies = lim_energies_of(s->s, body, q, v);
  const double expected[3] = {energies.kinetic, energies.strain, energies.gravity};
  ((frames_function *)(uintptr_t)symbol_of(&x, "energies"))(e, q, v, none);
  worst = difference(e, expected, 3) / largest(expected, 3);
  print_message("energies differ by %.1e\n", worst);
  assert_true(worst < 1e-13);
  ((frames_function *)(uintptr_t)symbol_of(&x, "frames"))(f, q, v, none);
  for (int i = 0; i < s->s->nsite; i++) {
    const lim_site *site = &s->s->site[i].site;
    lim_motion_in_world m =
        lim_kinematics_site(s->s, site, site->body < 0 ? NULL : &body[site->body], q, v, NULL);
    assert_true(difference(f + 18 * i, m.p, 3) < 1e-13 && difference(f + 18 * i + 3, m.v, 3) < 1e-13);
    assert_true(difference(f + 18 * i + 6, m.R, 9) < 1e-13 && difference(f + 18 * i + 15, m.w, 3) < 1e-13);
  }
  // M a by the matrix and by efforts: tau(a) - tau(0)
  double zero[MOST] = {0}, rest[MOST];
  ((mass_function *)(uintptr_t)symbol_of(&x, "mass"))(M, q, none);
  ((efforts_function *)(uintptr_t)symbol_of(&x, "efforts"))(rest, q, v, zero, u, none);
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = 0; j < n; j++) sum += M[i * n + j] * a[j];
    assert_true(fabs(sum - (tau[i] - rest[i])) < 1e-12 * largest(tau, n));
  }
  free(body);
  free(wrench);
  drop_generated(&x);
}

// --- numbers that stay adjustable ---

static void kept_numbers_adjust_the_motion(void **state) {
  (void)state;
  static const char file[] = "models/strip-two-link.yaml", *const keep[2] = {"links.fore.masses.payload.mass",
                                                                             "links.upper.masses.elbow.mass"};
  const char *set[6] = {"links.upper.basis" MODES, "links.fore.basis" MODES};
  lim_error err = {0};
  lim_keep *kept = NULL;
  generated x = {.model = load("strip-two-link", set)};
  lim_code code = lim_keep_new(&kept, file, set, 2, keep, 2, "models", &err);
  if (code == LIM_OK) code = lim_generate(&x.g, x.model, "strip", "models", kept, &err);
  print_notes(&err);
  assert_int_equal(code, LIM_OK);
  compile(&x, "-O1");
  int n = x.g->written->n;
  run_function *run = (run_function *)(uintptr_t)symbol_of(&x, "run");
  input_function *inputs = (input_function *)(uintptr_t)symbol_of(&x, "inputs");
  static const char *const changed[2][2] = {
      {NULL, NULL}, {"links.fore.masses.payload.mass=0.37", "links.upper.masses.elbow.mass=0.05"}};
  for (int k = 0; k < 2; k++) {
    double at[CODE_MOST], *p = at + 1 + 2 * n + 1;
    ((start_function *)(uintptr_t)symbol_of(&x, "start"))(at);
    assert_true(p[0] == 0.1 && p[1] == 0.1); // as in the file
    if (k) p[0] = 0.37, p[1] = 0.05;
    assert_int_equal(run(at, 0.5, 1e-4, inputs, NULL), 0);
    set[2] = changed[k][0], set[3] = changed[k][1];
    place there = {{0}, {0}};
    lim_run report;
    lim_model *m = load("strip-two-link", set);
    m->solver.method = LIM_RK4;
    m->solver.duration = m->outputs.every = 0.5;
    m->solver.step = 1e-4;
    assert_int_equal(
        lim_simulate(&report, m, "models", &(lim_simulate_hooks){.record = record, .user = &there}, &err),
        LIM_OK);
    lim_model_free(m);
    double dq = difference(q_of(at), there.q, n) / largest(there.q, n);
    print_message("masses %g, %g: positions differ by %.1e, at most 1e-10\n", p[0], p[1], dq);
    assert_true(dq < 1e-10);
  }
  drop_generated(&x);
  // what does not enter linearly, or not the bodies
  const char *const other[2] = {"links.fore.beam.length", "drives.elbow.effort.amplitude"};
  for (int k = 0; k < 2; k++) {
    generated y = {.model = load("strip-two-link", (const char *const[6]){set[0], set[1]})};
    assert_int_equal(lim_keep_new(&kept, file, set, 2, &other[k], 1, "models", &err), LIM_OK);
    assert_int_equal(lim_generate(&y.g, y.model, "strip", "models", kept, &err), LIM_BAD_INPUT);
    assert_non_null(strstr(err.note[0].text, "cannot be kept"));
    lim_error_clear(&err);
    err = (lim_error){0};
    drop_generated(&y);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kept_numbers_adjust_the_motion), cmocka_unit_test(code_moves_as_the_library),
      cmocka_unit_test(refusals_name_the_reason),       cmocka_unit_test(no_model_is_forgotten),
      cmocka_unit_test(outlooks_equal_the_librarys),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

// generated_models.c - code of the models in models/: compiles as C99 without a warning, and moves as the
// library does over a second or some part of it, with the same method and step. Full bases are reduced, because
// an explicit method cannot follow their highest frequencies; what cannot be generated says why.
#include "analysis/prepare.h"
#include "analysis/simulation/simulate.h"
#include "generated_fixture.h"

#include "export/code/confirm.h"
#include "kind_numbers.h"

#include <dirent.h>

#define MODES    "={type: modes, count: 2}"
#define RIGID    ".basis={type: rigid}"
#define ONE_LINK "links.arm.basis={type: modes, count: 3}"

#define TORQUE "drives.elbow.torque={profile: harmonic, amplitude: 0.01, frequency: 2}"
#define MOTOR  "drives.elbow.motor={mass: 0.94, rotor_inertia: 2.35e-6, ratio: 100, "

enum { SETS = 9 };

// What a model needs to be followed: overrides, step, time where it is not 1 s.
static const struct {
  const char *name, *set[SETS];
  double step, time;
} MODELS[] = {
    {"aluminium-manipulator", {"links.arm.basis" MODES}, 1e-4, 1},
    {"belt-arm", {"links.upper.basis" MODES, "links.fore.basis" MODES}, 5e-5, 0.3},
    {"boom", {NULL}, 2e-5, 0.2},
    {"cantilever", {"links.arm.basis" MODES}, 1e-4, 1},
    {"cast-arm",
     {"program=null", "drives={}", "links.fork.basis.count=2"},
     5e-6,
     0.02}, // a link from finite elements
    {"emats",
     {"solver.duration=0.2 s", "bushings=[]", "loops=[]", "links.upper_foot" RIGID, "links.upper_rail" RIGID,
      "links.lower_foot" RIGID, "links.lower_rail" RIGID, "links.gantry" RIGID},
     2e-5,
     0.2}, // its gains depend on the duration; no code for rails that bend, bushings
    {"emats-controller", {NULL}, 1e-3, 1},
    {"five-bar",
     {"links.left-arm.basis" MODES, "links.left-rod.basis" MODES, "links.right-arm.basis" MODES,
      "links.right-rod.basis" MODES},
     2e-5,
     0.3},
    {"flexible-2r", {"links.upper.basis" MODES, "links.fore.basis" MODES}, 1e-4, 1},
    {"four-bar", {NULL}, 1e-3, 1},
    {"frame", {"links.column.basis" MODES, "links.cross.basis" MODES}, 1e-4, 0.2},
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
    {"rod", {NULL}, 2e-5, 0.2},
    {"rotating-link", {"links.link.basis" MODES}, 1e-4, 1},
    {"servo", {"links.arm.basis" MODES}, 2e-5, 0.25},
    {"servo-2r", {"links.upper.basis" MODES, "links.fore.basis" MODES}, 5e-5, 0.5},
    {"shaped-link", {NULL}, 1e-4, 1},
    {"simply-supported", {"links.beam.basis" MODES}, 2e-5, 0.2},
    {"six-axis", {NULL}, 1e-3, 1},
    {"slider-crank", {"links.rod.basis" MODES, "links.rod.beam.segments=1"}, 2e-5, 0.3},
    {"space-arm",
     {"drives.shoulder.control.feedforward=null", "drives.elbow.control.feedforward=null",
      "links.upper.basis" MODES, "links.fore.basis" MODES},
     2e-4,
     1},
    {"spatial-3r", {"links.upper.basis" MODES, "links.fore.basis" MODES}, 5e-5, 0.5},
    {"stepped", {"links.boom.basis" MODES}, 1e-4, 1},
    {"strain-experiment", {"links.link.basis" MODES}, 1e-4, 1},
    {"strip-pendulum", {"links.strip.basis" MODES, "links.strip.beam.segments=1"}, 5e-5, 0.5},
    {"strip-two-link", {"links.upper.basis" MODES, "links.fore.basis" MODES}, 1e-4, 1},
    {"two-link-with-elbow-motor", {"links.upper.basis" MODES, "links.fore.basis" MODES}, 1e-4, 1},
};
enum { COUNT = sizeof MODELS / sizeof *MODELS };

// Models that are refused, and what the message says.
static const struct {
  const char *name, *why;
} REFUSED[] = {
    {"delta", "reduced basis"},
    {"elastic-joint", "friction that sticks"},
    {"pick-and-place", "grips parts"},
    {"rp", "slides through its joint"},
    {"soft-mounts", "bushing"},
    {"gantry", "runs along a beam that bends"},
    {"polishing", "contact"},
    {"end-stop", "end stops"},
    {"plate-gantry", "runs along a beam that bends"},
};

static int count_of(const char *const *set) {
  int n = 0;
  while (n < SETS && set[n]) n++;
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

static place simulate(int i) {
  place p = {{0}, {0}};
  lim_error err = {0};
  lim_run run;
  lim_model *m = load(MODELS[i].name, MODELS[i].set);
  m->solver.method = LIM_METHOD_rk4;
  m->solver.duration = m->outputs.every = MODELS[i].time;
  m->solver.step = MODELS[i].step;
  lim_code code = lim_prepare_model(m, "models", &err);
  if (code == LIM_OK)
    code = lim_simulate(&run, m, "models", &(lim_simulate_hooks){.record = record, .user = &p}, &err);
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
  double max = 0;
  for (int i = 0; i < n; i++) max = fmax(max, fabs(a[i]));
  return max;
}

// Coordinates to 1e-10 of the largest, speeds likewise, or of 1 m/s or rad/s where all are slower: some models
// rest.
static void follow(int i) {
  generated x = {.model = load(MODELS[i].name, MODELS[i].set)};
  lim_error err = {0};
  lim_code code = lim_generate(&x.g, x.model, MODELS[i].name, "models", NULL, &err);
  print_notes(&err);
  assert_int_equal(code, LIM_OK);
  compile(&x, "-O0");
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
  refuses("prototype", (const char *[]){"solver.mode=conventional"}, 1, "mode is conventional");
  refuses("prototype", (const char *[]){"drives.elbow.gear={stiffness: 1000, backlash: 1 deg}"}, 1, "backlash");
  refuses("prototype",
          (const char *[]){"bushings=[{name: pad, between: [fore.tip, base], stiffness: [1, 1, 1, 1, 1, 1]}]"},
          1, "a bushing");
  refuses("cantilever", (const char *[]){ONE_LINK, "links.arm.air={density: 1.2, drag: 1.1}"}, 2,
          "without drag of the air");
  refuses("cantilever", (const char *[]){ONE_LINK, "configuration.deformation={arm: {tip: [0, 0.01, 0]}}"}, 2,
          "leave deformation out");
  refuses("prototype", (const char *[]){"damping={ratio: 0.01, update: 0.1 s}"}, 1, "leave out update");
}

// Models beside those of the folder: lim_generate compares their accelerations with the library's.
static void writes(const char *what, const char *name, const char *const *set) {
  lim_model *m = load(name, set);
  lim_generated *g = NULL;
  lim_error err = {0};
  lim_code code = lim_generate(&g, m, name, "models", NULL, &err);
  print_notes(&err);
  assert_int_equal(code, LIM_OK);
  print_message("%s: written\n", what);
  lim_error_clear(&err);
  lim_generated_free(g);
  lim_model_free(m);
}

static void features_are_written(void **state) {
  (void)state;
  writes("damping of single modes", "cantilever",
         (const char *const[6]){ONE_LINK, "links.arm.damping={ratio: [0.01, 0.03]}"});
  writes("lumped masses", "cantilever", (const char *const[6]){ONE_LINK, "links.arm.beam.mass=lumped"});
  writes("no rotary inertia", "cantilever", (const char *const[6]){ONE_LINK, "links.arm.beam.rotary=off"});
  writes("damping of the whole arm by modes", "cantilever",
         (const char *const[6]){ONE_LINK, "links.arm.damping={ratio: 0}", "damping={ratio: [0.01, 0.03]}"});
}

// What the graph would not follow is found, whatever it is: here gravity that the code does not know of.
static void code_that_differs_from_the_library_is_refused(void **state) {
  (void)state;
  lim_model *m = load("prototype", (const char *const[6]){NULL});
  lim_generated *g = NULL;
  lim_error err = {0};
  assert_int_equal(lim_generate(&g, m, "prototype", "models", NULL, &err), LIM_OK);
  assert_int_equal(lim_generated_confirm(g, &err), LIM_OK);
  g->session->s->gravity[1] = -1e-3;
  assert_int_equal(lim_generated_confirm(g, &err), LIM_BAD_INPUT);
  print_message("%s\n", err.note[0].text);
  lim_error_clear(&err);
  lim_generated_free(g);
  lim_model_free(m);
}

static const char *const none[6];

// Whether the library comes through half a second with a step of its Runge-Kutta method.
static bool comes_through(double step) {
  place there = {{0}, {0}};
  lim_error err = {0};
  lim_run report;
  lim_model *m = load("prototype", none);
  m->solver.method = LIM_METHOD_rk4;
  m->solver.duration = m->outputs.every = 0.5;
  m->solver.step = step;
  lim_code code =
      lim_simulate(&report, m, "models", &(lim_simulate_hooks){.record = record, .user = &there}, &err);
  lim_error_clear(&err);
  lim_model_free(m);
  return code == LIM_OK && largest(there.q, 6) < 10;
}

// A step with which the explicit method would run away is not the default of the code, and the warning says so.
static void unstable_steps_are_shortened(void **state) {
  (void)state;
  static const double given[2] = {2e-2, 1e-4};
  for (int k = 0; k < 2; k++) {
    lim_model *m = load("prototype", none);
    lim_generated *g = NULL;
    lim_error err = {0};
    m->solver.step = given[k];
    assert_int_equal(lim_generate(&g, m, "prototype", "models", NULL, &err), LIM_OK);
    print_message("step %g s: %g s is taken%s%s\n", given[k], g->step, err.warnings ? ", " : "",
                  err.warnings ? err.warning[0].text : "");
    assert_int_equal(err.warnings, k == 0);
    assert_true(k == 0 ? g->step < given[k] : g->step == given[k]);
    assert_true(comes_through(g->step));
    if (k == 0) assert_false(comes_through(given[k]));
    lim_error_clear(&err);
    lim_generated_free(g);
    lim_model_free(m);
  }
}

// A length that is given but stays is not driven.
static void springs_of_constant_length_are_written(void **state) {
  (void)state;
  static const char *const set[6] = {"springs=[{name: rope, between: [fore.tip, base], stiffness: 100, length: "
                                     "{profile: constant, value: 0.7}}]"};
  lim_model *m = load("prototype", set);
  lim_generated *g = NULL;
  lim_error err = {0};
  lim_code code = lim_generate(&g, m, "spring", "models", NULL, &err);
  print_notes(&err);
  assert_int_equal(code, LIM_OK);
  lim_generated_free(g);
  lim_model_free(m);
  refuses("prototype",
          (const char *[]){"springs=[{name: rope, between: [fore.tip, base], stiffness: 100, "
                           "length: {profile: harmonic, amplitude: 0.1, frequency: 1}}]"},
          1, "length is driven");
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
  compile(&x, "-O0");
  const lim_session *s = x.g->session;
  enum { MOST = 64 };
  int n = s->s->n;
  unsigned seed = 3;
  double q[MOST], v[MOST], a[MOST], u[MOST] = {0}, r[MOST], tau[MOST], kept[1] = {0}, e[3], M[MOST * MOST],
                                    f[18 * MOST];
  ((input_function *)(uintptr_t)symbol_of(&x, "inputs"))(NULL, 0.3, 0, u);
  fill(q, n, 1e-2, &seed);
  fill(v, n, 0.3, &seed);
  fill(a, n, 2, &seed);
  lim_world_motion *body = calloc((size_t)s->s->nbody, sizeof *body);
  assert_non_null(body);
  lim_wrench *wrench = calloc((size_t)s->inputs->nload, sizeof *wrench);
  assert_non_null(wrench);
  lim_rec_work *w = s->equations->w;
  lim_inputs_loads(wrench, s->inputs, 0.3, LIM_AFTER, NULL);
  lim_rec_apply(w, wrench, s->inputs->nload);
  lim_rec_residual(r, w, q, v, a);
  ((efforts_function *)(uintptr_t)symbol_of(&x, "efforts"))(tau, q, v, a, u, kept);
  double worst = difference(tau, r, n) / largest(r, n);
  print_message("efforts differ by %.1e\n", worst);
  assert_true(worst < 1e-13);
  lim_kinematics(body, s->s, q, v, NULL);
  lim_energies energies = lim_energies_of(s->s, body, q, v);
  const double expected[3] = {energies.kinetic, energies.strain, energies.gravity};
  ((frames_function *)(uintptr_t)symbol_of(&x, "energies"))(e, q, v, kept);
  worst = difference(e, expected, 3) / largest(expected, 3);
  print_message("energies differ by %.1e\n", worst);
  assert_true(worst < 1e-13);
  ((frames_function *)(uintptr_t)symbol_of(&x, "frames"))(f, q, v, kept);
  for (int i = 0; i < s->s->nsite; i++) {
    const lim_site *site = &s->s->site[i].site;
    lim_world_motion m = lim_kinematics_at(s->s, site, body, q, v, NULL);
    assert_true(difference(f + 18 * i, m.p, 3) < 1e-13 && difference(f + 18 * i + 3, m.v, 3) < 1e-13);
    assert_true(difference(f + 18 * i + 6, m.R, 9) < 1e-13 && difference(f + 18 * i + 15, m.w, 3) < 1e-13);
  }
  // M a by the matrix and by efforts: tau(a) - tau(0)
  double zero[MOST] = {0}, rest[MOST];
  ((mass_function *)(uintptr_t)symbol_of(&x, "mass"))(M, q, kept);
  ((efforts_function *)(uintptr_t)symbol_of(&x, "efforts"))(rest, q, v, zero, u, kept);
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
  enum { KEPT = 3 };
  static const char file[] = "models/strip-two-link.yaml", *const keep[KEPT] = {
                                                               "links.fore.masses.payload.mass",
                                                               "links.upper.masses.elbow.mass",
                                                               "materials.aluminium.E"};
  const char *set[6] = {"links.upper.basis" MODES, "links.fore.basis" MODES};
  lim_error err = {0};
  lim_parameters *kept = NULL;
  generated x = {.model = load("strip-two-link", set)};
  lim_code code =
      lim_parameters_new(&kept, file, &(lim_model_setup){.set = set, .nset = 2}, keep, KEPT, "models", &err);
  if (code == LIM_OK) code = lim_generate(&x.g, x.model, "strip", "models", kept, &err);
  print_notes(&err);
  assert_int_equal(code, LIM_OK);
  compile(&x, "-O0");
  int n = x.g->written->n;
  run_function *run = (run_function *)(uintptr_t)symbol_of(&x, "run");
  input_function *inputs = (input_function *)(uintptr_t)symbol_of(&x, "inputs");
  static const char *const changed[2][KEPT] = {{NULL},
                                               {"links.fore.masses.payload.mass=0.37",
                                                "links.upper.masses.elbow.mass=0.05",
                                                "materials.aluminium.E=2e10"}};
  for (int k = 0; k < 2; k++) {
    double at[CODE_MOST], *p = at + 1 + 2 * n + 1;
    ((start_function *)(uintptr_t)symbol_of(&x, "start"))(at);
    assert_true(p[0] == 0.1 && p[1] == 0.1 && p[2] == 70e9); // as in the file
    if (k) p[0] = 0.37, p[1] = 0.05, p[2] = 2e10;
    assert_int_equal(run(at, 0.5, 1e-4, inputs, NULL), 0);
    for (int i = 0; i < KEPT; i++) set[2 + i] = changed[k][i];
    place there = {{0}, {0}};
    lim_run report;
    lim_model *m = load("strip-two-link", set);
    m->solver.method = LIM_METHOD_rk4;
    m->solver.duration = m->outputs.every = 0.5;
    m->solver.step = 1e-4;
    assert_int_equal(
        lim_simulate(&report, m, "models", &(lim_simulate_hooks){.record = record, .user = &there}, &err),
        LIM_OK);
    lim_model_free(m);
    double dq = difference(q_of(at), there.q, n) / largest(there.q, n);
    print_message("masses %g, %g, E %g: positions differ by %.1e, at most 1e-10\n", p[0], p[1], p[2], dq);
    assert_true(dq < 1e-10);
  }
  drop_generated(&x);
}

static void refuses_to_keep(const char *name, const char *const *set, const char *const *keep, int nkeep,
                            const char *why) {
  char path[128];
  lim_error err = {0};
  lim_parameters *kept = NULL;
  generated x = {.model = load(name, set)};
  snprintf(path, sizeof path, "models/%s.yaml", name);
  lim_code code = lim_parameters_new(&kept, path, &(lim_model_setup){.set = set, .nset = count_of(set)}, keep,
                                     nkeep, "models", &err);
  if (code == LIM_OK) code = lim_generate(&x.g, x.model, name, "models", kept, &err);
  assert_int_equal(code, LIM_BAD_INPUT);
  const char *said = err.note[err.kept - 1].text;
  print_message("%s\n", said);
  assert_non_null(strstr(said, keep[nkeep - 1]));
  assert_non_null(strstr(said, why));
  lim_error_clear(&err);
  drop_generated(&x);
}

// What does not enter linearly, not the bodies, or the bodies and something else too.
static void numbers_that_cannot_be_kept_are_named(void **state) {
  (void)state;
  static const char *const strip[6] = {"links.upper.basis" MODES, "links.fore.basis" MODES};
  static const char *const damped[6] = {"links.upper.basis" MODES, "links.fore.basis" MODES,
                                        "links.upper.damping={ratio: 0.01}"};
  static const char *const held[6] = {"links.upper.basis" MODES, "links.fore.basis" MODES,
                                      "drives={elbow: {type: motor, motor: {mass: 0.1, rotor_inertia: 1e-6, "
                                      "ratio: 100}, control: {type: pd, gains: maximum, bandwidth: 6 rad/s}}}",
                                      "motion={elbow: {profile: quintic, from: 0, to: 1, duration: 1 s}}"};
  static const char *const two[] = {"links.fore.masses.payload.mass", "links.fore.beam.length"};
#define REFUSES(set, path, why) refuses_to_keep("strip-two-link", set, (const char *[]){path}, 1, why)
  REFUSES(strip, "materials.aluminium.nu", "do not depend on it linearly");
  REFUSES(strip, "drives.elbow.effort.amplitude", "not a constant of the bodies");
  REFUSES(strip, "links.fore.masses.payload.inertia", "nothing stands there");
  REFUSES(strip, "gravity", "not a number");
  REFUSES(strip, "links.fore.beam.elements", "does not hold with a value beside its own");
  REFUSES(damped, "materials.aluminium.E", "do not depend on it linearly");
  REFUSES(held, "links.fore.masses.payload.mass",
          "accelerations would not be those of a model with another value");
  refuses_to_keep("strip-two-link", strip, two, 2, "do not depend on it linearly");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kept_numbers_adjust_the_motion),
      cmocka_unit_test(numbers_that_cannot_be_kept_are_named),
      cmocka_unit_test(springs_of_constant_length_are_written),
      cmocka_unit_test(unstable_steps_are_shortened),
      cmocka_unit_test(features_are_written),
      cmocka_unit_test(code_that_differs_from_the_library_is_refused),
      cmocka_unit_test(code_moves_as_the_library),
      cmocka_unit_test(refusals_name_the_reason),
      cmocka_unit_test(no_model_is_forgotten),
      cmocka_unit_test(outlooks_equal_the_librarys),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

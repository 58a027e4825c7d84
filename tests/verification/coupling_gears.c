// coupling_gears.c - couplings of rigid bodies against closed forms: two flywheels on a belt, a rack, a
// differential, a train of gears as in a planetary gearbox. With every mode and method; offsets hold from the
// start; energy is kept; inverse dynamics asks for the efforts with which simulation got there.
#include "coupling_fixture.h"

#include "analysis/inertia.h"

// --- what a run shows ---

typedef struct {
  double q[MAX_JOINTS], v[MAX_JOINTS], a[MAX_JOINTS]; // at the end, of each link
  double first[MAX_JOINTS];                           // positions at the start
  double effort[2];                                   // of couplings, at the end
  double drift;                                       // largest of any coupling [rad, m]
  bool started;
} ends;

static void look(void *user, const lim_snapshot *m) {
  ends *o = user;
  const lim_arm *s = m->system;
  for (int i = 0; i < s->model->links.count && i < MAX_JOINTS; i++) {
    const int k = s->bodies[s->first_body[i]].q;
    o->q[i] = m->q[k];
    o->v[i] = m->v[k];
    o->a[i] = m->a[k];
    if (!o->started) o->first[i] = m->q[k];
  }
  o->started = true;
  for (int i = 0; i < s->ncoupling; i++) {
    const lim_joint_coupling *c = &s->coupling[i];
    double sum = -c->offset;
    for (int k = 0; k < c->count; k++) sum += c->factor[k] * m->q[c->q[k]];
    o->drift = fmax(o->drift, fabs(sum));
    if (i < 2) o->effort[i] = m->lambda[c->row];
  }
}

static ends run_of(const char *text, const char *const *set) {
  ends o = {.started = false};
  watch(model_of(text, set), look, &o);
  return o;
}

// --- two flywheels ---

#define FLYWHEELS                                                                                              \
  "limber: 1\n"                                                                                                \
  "gravity: [0, 0, 0]\n"                                                                                       \
  "links:\n"                                                                                                   \
  "  - {name: first, parent: base, joint: {name: a}, body: {mass: 1, inertia: [0.1, 0.1, 0.2]}}\n"             \
  "  - {name: second, parent: base, joint: {name: b}, body: {mass: 1, inertia: [0.02, 0.02, 0.03]}}\n"         \
  "couplings: [{name: belt, joints: [a, b], ratio: -2.5, offset: 0.3}]\n"                                      \
  "drives: {a: {type: effort, effort: 0.7}}\n"                                                                 \
  "solver: {duration: 0.5 s, step: 10 ms}\n"

static const double I1 = 0.2, I2 = 0.03, R = -2.5, EFFORT = 0.7;

// a'' = T/(I1 + r^2 I2), b'' = r a''; the belt gives I2 b'' to b and -r times that to a.
static void expect_flywheels(const char *how, const ends *o, double tolerance) {
  const double acceleration = EFFORT / (I1 + R * R * I2), t = 0.5;
  char what[80];
  const struct {
    const char *name;
    double computed, expected;
  } rows[] = {{"acceleration of a", o->a[0], acceleration},
              {"acceleration of b", o->a[1], R * acceleration},
              {"speed of a", o->v[0], acceleration * t},
              {"position of a", o->q[0], acceleration * t * t / 2},
              {"position of b", o->q[1], R * acceleration * t * t / 2 + 0.3},
              {"effort of the belt", o->effort[0], I2 * R * acceleration}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    snprintf(what, sizeof what, "%s: %s", how, rows[i].name);
    table_row(what, rows[i].computed, rows[i].expected, tolerance, "closed form");
  }
  assert_true(o->drift < 1e-14);
  assert_true(o->first[0] == 0 && o->first[1] == 0.3);
}

static void geared_flywheels_have_the_inertia_and_reaction_of_the_closed_form(void **state) {
  (void)state;
  static const struct {
    const char *set;
    double tolerance;
  } WAYS[] = {
      {"solver.method=generalized-alpha", 1e-12},
      {"solver.method=newmark", 1e-12},
      {"solver.method=rk4", 1e-12},
      {"solver.method=cvode", 1e-9},
      {"solver.method=ida", 1e-9},
      {"solver.mode=linear", 1e-12},
      {"solver.mode=rigid", 1e-12},
      {"solver.mode=quasi-static", 1e-12},
      {"solver.mode=conventional", 1e-12},
      {"solver.step=auto", 1e-9},
  };
  table_head("Two flywheels on a belt");
  for (size_t i = 0; i < sizeof WAYS / sizeof *WAYS; i++) {
    const ends o = run_of(FLYWHEELS, (const char *[]){WAYS[i].set, NULL});
    expect_flywheels(WAYS[i].set + strlen("solver."), &o, WAYS[i].tolerance);
  }
}

// A flywheel that has turned 2e5 rad still obeys: couplings hold to the rounding of positions.
static void a_fast_gear_train_goes_on_for_long(void **state) {
  (void)state;
  const char *const set[] = {"couplings.belt.ratio=100", "drives.a={type: effort}",
                             "configuration={a: {position: 2000, velocity: 300}}", "solver.duration=1 s", NULL};
  static const char *const METHODS[] = {"solver.method=generalized-alpha", "solver.method=rk4",
                                        "solver.method=ida"};
  for (int i = 0; i < 3; i++) {
    const char *all[MAX_SETTINGS] = {METHODS[i]};
    for (int k = 0; set[k]; k++) all[k + 1] = set[k];
    const ends o = run_of(FLYWHEELS, all);
    NEAR(o.q[0], 2300, 1e-9);
    NEAR(o.q[1], 230000.3, 1e-7);
    NEAR(o.v[1], 30000, 1e-8);
  }
}

static void the_effective_inertia_takes_in_what_is_coupled(void **state) {
  (void)state;
  lim_model *m = model_of(FLYWHEELS, NULL);
  lim_inertia *x = NULL;
  lim_error err = {0};
  const lim_inertia_plan plan = {.at = NAN};
  must(lim_inertia_new(&x, m, NULL, &plan, &err), &err, "inertia");
  table_head("Effective inertia");
  table_row("a", x->joints.item[0].arm[0], I1 + R * R * I2, 1e-14, "I1 + r^2 I2");
  table_row("b", x->joints.item[1].arm[0], I2 + I1 / (R * R), 1e-14, "I2 + I1/r^2");
  lim_inertia_free(x);
  lim_model_free(m);
}

static void a_servo_on_one_side_swings_at_the_coupled_frequency(void **state) {
  (void)state;
  const double k = 40;
  lim_model *m = model_of(FLYWHEELS, (const char *[]){"drives={b: {type: servo, stiffness: 40}}", NULL});
  lim_modes *x = modes_of(m, LIM_JOINTS_HELD, 1);
  table_head("Modes");
  table_row("servo on b [Hz]", x->modes.item[0].frequency, sqrt(k / (I2 + I1 / (R * R))) / (2 * M_PI), 1e-12,
            "sqrt(k/(I2 + I1/r^2))");
  lim_modes_free(x);
  lim_model_free(m);
}

// --- a rack: revolute to prismatic ---

#define RACK                                                                                                   \
  "limber: 1\n"                                                                                                \
  "gravity: [0, 0, -9.81]\n"                                                                                   \
  "links:\n"                                                                                                   \
  "  - {name: pinion, parent: base, joint: {name: turn}, body: {mass: 1, inertia: [0.1, 0.1, 2e-3]}}\n"        \
  "  - {name: bar, parent: base, joint: {name: slide, type: prismatic}, body: {mass: 3}}\n"                    \
  "couplings: [{name: teeth, joints: [turn, slide], ratio: 50 mm/rad, offset: 20 mm}]\n"                       \
  "drives: {turn: {type: effort, effort: 0.4}}\n"                                                              \
  "solver: {duration: 0.2 s, step: 1 ms, method: rk4}\n"

// (I/r^2 + m) x'' = T/r - m g; the teeth give m (x'' + g) to the bar.
static void a_rack_lifts_its_weight(void **state) {
  (void)state;
  const double r = 0.05, I = 2e-3, m = 3, g = 9.81, a = (0.4 / r - m * g) / (I / (r * r) + m);
  const ends o = run_of(RACK, NULL);
  table_head("Rack and pinion");
  table_row("acceleration of the bar", o.a[1], a, 1e-12, "(T/r - m g)/(I/r^2 + m)");
  table_row("its place", o.q[1], 0.02 + a * 0.2 * 0.2 / 2, 1e-11, "closed form");
  table_row("acceleration of the pinion", o.a[0], a / r, 1e-12, "closed form");
  table_row("force of the teeth", o.effort[0], m * (a + g), 1e-12, "m (a + g)");
  const ends inverse =
      run_of(RACK, (const char *[]){"couplings=[{name: teeth, joints: [slide, turn], ratio: 20 rad/m, "
                                    "offset: -0.4}]",
                                    NULL});
  table_row("the other way round: acceleration", inverse.a[1], a, 1e-12, "closed form");
  table_row("and the moment on the pinion", inverse.effort[0], -r * m * (a + g), 1e-12, "-r m (a + g)");
}

// At rest the effort of the held pinion is r m g, and the bar needs none.
static void a_rack_at_rest_holds_its_weight_through_the_teeth(void **state) {
  (void)state;
  lim_model *m = model_of(RACK, (const char *[]){"drives={turn: {type: effort}}", NULL});
  lim_static *x = static_of(m);
  table_head("Rack at rest");
  table_row("effort on the pinion", x->joints.item[0].effort, 0.05 * 3 * 9.81, 1e-12, "r m g");
  table_bound("effort on the bar", x->joints.item[1].effort, 1e-12, "free");
  table_row("force of the teeth", x->arm.e->lambda[x->arm.s->coupling[0].row], 3 * 9.81, 1e-12, "m g");
  lim_static_free(x);
  lim_model_free(m);
}

// --- a differential ---

#define DIFFERENTIAL                                                                                           \
  "limber: 1\n"                                                                                                \
  "gravity: [0, 0, 0]\n"                                                                                       \
  "links:\n"                                                                                                   \
  "  - {name: left, parent: base, body: {mass: 1, inertia: [0.1, 0.1, 0.05]}}\n"                               \
  "  - {name: right, parent: base, body: {mass: 1, inertia: [0.1, 0.1, 0.08]}}\n"                              \
  "  - {name: cage, parent: base, body: {mass: 1, inertia: [0.1, 0.1, 0.12]}}\n"                               \
  "couplings: [{name: bevel, joints: [left, right, cage], factors: [1, 1, -2], offset: 0.1}]\n"                \
  "drives: {cage: {type: effort, effort: 0.6}, left: {type: effort, effort: 0.1}, right: {type: effort}}\n"    \
  "configuration: {cage: -0.05}\n"                                                                             \
  "solver: {duration: 0.3 s, step: 10 ms}\n"

// I_i q_i'' = T_i + f_i y with sum f_i q_i'' = 0: y = -sum(f T/I)/sum(f^2/I).
static void a_differential_divides_the_effort(void **state) {
  (void)state;
  const double I[3] = {0.05, 0.08, 0.12}, T[3] = {0.1, 0, 0.6}, f[3] = {1, 1, -2};
  double up = 0, down = 0;
  for (int i = 0; i < 3; i++) up += f[i] * T[i] / I[i], down += f[i] * f[i] / I[i];
  const double y = -up / down;
  const ends o = run_of(DIFFERENTIAL, NULL);
  table_head("Differential");
  table_row("its effort", o.effort[0], y, 1e-12, "-sum(f T/I)/sum(f^2/I)");
  for (int i = 0; i < 3; i++) table_row("acceleration", o.a[i], (T[i] + f[i] * y) / I[i], 1e-12, "closed form");
  assert_true(o.drift < 1e-14);
}

// Gears that are not driven: the configuration names one, the last of the others follows.
static void what_the_configuration_leaves_out_follows(void **state) {
  (void)state;
  const char *free = "drives=null";
  const ends none = run_of(DIFFERENTIAL, (const char *[]){free, "configuration=null", NULL});
  assert_true(none.first[0] == 0 && none.first[1] == 0);
  NEAR(none.first[2], -0.05, 1e-15);
  const ends cage = run_of(DIFFERENTIAL, (const char *[]){free, "configuration={cage: 0.4}", NULL});
  assert_true(cage.first[0] == 0 && cage.first[2] == 0.4);
  NEAR(cage.first[1], 0.9, 1e-15);
  const ends speeds = run_of(
      DIFFERENTIAL, (const char *[]){free, "configuration={left: {velocity: 3}, cage: {velocity: 1}}", NULL});
  NEAR(speeds.v[0], 3, 1e-12);
  NEAR(speeds.v[1], -1, 1e-12);
  NEAR(speeds.v[2], 1, 1e-12);
  NEAR(speeds.first[2], -0.05, 1e-15); // positions were not written
}

// --- a planetary gear: ring 60 teeth, sun 20; planets turn about the carrier that moves them ---

#define PLANETARY                                                                                              \
  "limber: 1\n"                                                                                                \
  "gravity: [0, 0, 0]\n"                                                                                       \
  "links:\n"                                                                                                   \
  "  - {name: sun, parent: base, body: {mass: 1, inertia: [1e-3, 1e-3, 2e-3]}}\n"                              \
  "  - {name: carrier, parent: base, body: {mass: 1, inertia: [0.01, 0.01, 0.02], tip: [0.04, 0, 0]}}\n"       \
  "  - {name: planet, body: {mass: 0.3, inertia: [1e-4, 1e-4, 2e-4]}}\n"                                       \
  "  - {name: ring, parent: base, body: {mass: 1, inertia: [0.01, 0.01, 0.03]}}\n"                             \
  "couplings:\n"                                                                                               \
  "  - {name: inside, joints: [sun, carrier, planet], factors: [20, -20, 20]}\n"                               \
  "  - {name: outside, joints: [ring, carrier, planet], factors: [60, -60, -20]}\n"                            \
  "drives: {sun: {type: effort, effort: 0.05}}\n"                                                              \
  "motion: {ring: {profile: constant, value: 0}}\n"                                                            \
  "solver: {duration: 0.4 s, step: 10 ms}\n"

// The ring stands: sun = 4 carrier, planet = -3 carrier, by Willis; one freedom with the inertia of all.
static void a_planetary_gear_reduces_by_willis(void **state) {
  (void)state;
  const double planet = 2e-4, J = 16 * 2e-3 + 0.02 + 0.3 * 0.04 * 0.04 + planet * (1 - 3) * (1 - 3);
  const double a = 4 * 0.05 / J;
  const ends o = run_of(PLANETARY, NULL);
  table_head("Planetary gear, its ring held");
  table_row("acceleration of the carrier", o.a[1], a, 1e-12, "4 T/(16 Is + Ic + m r^2 + 4 Ip)");
  table_row("sun over carrier", o.v[0] / o.v[1], 4, 1e-13, "1 + 60/20");
  table_row("planet over carrier, on the carrier", o.v[2] / o.v[1], -3, 1e-13, "-60/20");
  table_bound("ring", o.q[3], 0, "held");
  table_row("effort inside, of the sun", 20 * o.effort[0], 2e-3 * 4 * a - 0.05, 1e-12, "Is 4 a - T");
}

// --- contradictions, repeated couplings ---

static void couplings_that_repeat_others_are_counted_and_do_no_harm(void **state) {
  (void)state;
  const char *const set[] = {
      "couplings=[{name: belt, joints: [a, b], ratio: -2.5, offset: 0.3}, {name: again, joints: "
      "[b, a], factors: [2, 5], offset: 0.6}]",
      NULL};
  lim_model *m = model_of(FLYWHEELS, set);
  lim_overview o;
  lim_error err = {0};
  must(lim_overview_new(&o, m, &err), &err, "check");
  assert_int_equal(o.closed, 1);
  assert_int_equal(o.redundant, 1);
  free(o.link);
  lim_model_free(m);
  const ends e = run_of(FLYWHEELS, set);
  NEAR(e.a[0], EFFORT / (I1 + R * R * I2), 1e-12);
  NEAR(e.effort[0] + 2 * e.effort[1], I2 * R * e.a[0], 1e-12); // on b, of both
}

static void motions_on_both_sides_must_agree(void **state) {
  (void)state;
  static const char
      SAME[] = "motion={a: {profile: cycloidal, from: 0, to: 1, duration: 0.2}, b: {profile: cycloidal, "
               "from: 0.3, to: -2.2, duration: 0.2}}",
      OTHER[] = "motion={a: {profile: cycloidal, from: 0, to: 1, duration: 0.2}, b: {profile: cycloidal, "
                "from: 0.3, to: -2, duration: 0.2}}";
  const ends o = run_of(FLYWHEELS, (const char *[]){SAME, "drives=null", NULL});
  NEAR(o.q[1], -2.2, 1e-12);
  static const char *const MODES[] = {"solver.mode=nonlinear", "solver.mode=linear"};
  for (int i = 0; i < 2; i++) {
    observation seen = {.t = 0};
    lim_error err = {0};
    assert_int_equal(
        observe_code(&seen, FLYWHEELS, (const char *[]){OTHER, "drives=null", MODES[i], NULL}, &err),
        LIM_FAILED);
    assert_non_null(strstr(err.note[0].text, "coupling 'belt' does not hold any more"));
    lim_error_clear(&err);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(geared_flywheels_have_the_inertia_and_reaction_of_the_closed_form),
      cmocka_unit_test(a_fast_gear_train_goes_on_for_long),
      cmocka_unit_test(the_effective_inertia_takes_in_what_is_coupled),
      cmocka_unit_test(a_servo_on_one_side_swings_at_the_coupled_frequency),
      cmocka_unit_test(a_rack_lifts_its_weight),
      cmocka_unit_test(a_rack_at_rest_holds_its_weight_through_the_teeth),
      cmocka_unit_test(a_differential_divides_the_effort),
      cmocka_unit_test(what_the_configuration_leaves_out_follows),
      cmocka_unit_test(a_planetary_gear_reduces_by_willis),
      cmocka_unit_test(couplings_that_repeat_others_are_counted_and_do_no_harm),
      cmocka_unit_test(motions_on_both_sides_must_agree),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

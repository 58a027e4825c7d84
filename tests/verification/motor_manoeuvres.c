// motor_manoeuvres.c - the prototype of FLEXROB in both manoeuvres of the paper, rotors complete and simple:
// the energy balance that its table 3 is about, the trajectories against a tight run of cvode, and what the
// rotors' coupling with their carriers does.
#include "motor_fixture.h"

enum { RECORDS = 201 };

static const char *const MANOEUVRES[] = {"models/prototype.yaml", "models/prototype-st.yaml"};
static const char *const NAMES[] = {"PP", "ST"};
static const char *const ROTORS[] = {"complete", "simple"};

// Joints and rates every 5 ms.
typedef struct {
  double q[RECORDS][2], v[RECORDS][2];
  int count;
} path;

static void watch(void *user, const lim_snapshot *m) {
  path *x = user;
  assert_true(x->count < RECORDS);
  for (int i = 0; i < 2; i++) {
    x->q[x->count][i] = m->q[joint_of(m, i)];
    x->v[x->count][i] = m->v[joint_of(m, i)];
  }
  x->count++;
}

static path fly(lim_run *run, const char *file, const char *rotor, const char *method, const char *step,
                const char *tolerance) {
  char shoulder[64], elbow[64], set[3][64];
  snprintf(shoulder, sizeof shoulder, "drives.shoulder.motor.rotor=%s", rotor);
  snprintf(elbow, sizeof elbow, "drives.elbow.motor.rotor=%s", rotor);
  snprintf(set[0], sizeof *set, "solver.method=%s", method);
  snprintf(set[1], sizeof *set, "solver.step=%s", step);
  snprintf(set[2], sizeof *set, "solver.tolerance=%s", tolerance);
  lim_model *m = load_with(file, (const char *[]){shoulder, elbow, set[0], set[1], set[2],
                                                  "solver.duration=1 s", "outputs.every=5 ms", NULL});
  path x = {.count = 0};
  *run = run_model(m, NULL, watch, &x);
  assert_int_equal(x.count, RECORDS);
  lim_model_free(m);
  return x;
}

static double apart(const path *a, const path *b) {
  double worst = 0;
  for (int i = 0; i < RECORDS; i++)
    for (int k = 0; k < 2; k++) worst = fmax(worst, fabs(a->q[i][k] - b->q[i][k]));
  return worst;
}

static void manoeuvres_balance_their_energy_and_follow_a_tight_run(void **state) {
  (void)state;
  static const struct {
    const char *method, *tolerance;
  } ROWS[] = {{"rk4", "1e-10"}, {"generalized-alpha", "1e-13"}};
  char what[96];
  lim_run run;
  for (int m = 0; m < 2; m++)
    for (int r = 0; r < 2; r++) {
      path tight = fly(&run, MANOEUVRES[m], ROTORS[r], "cvode", "5 ms", "1e-12");
      snprintf(what, sizeof what, "%s, rotors %s, 25000 steps", NAMES[m], ROTORS[r]);
      table_head(what);
      for (int k = 0; k < 2; k++) {
        path x = fly(&run, MANOEUVRES[m], ROTORS[r], ROWS[k].method, "0.04 ms", ROWS[k].tolerance);
        assert_int_equal(run.steps, 25000);
        snprintf(what, sizeof what, "%s: energy balance [%% rms]", ROWS[k].method);
        table_bound(what, run.balance_percent_rms, 1e-6, "table 3: 2.5e-4 (PP), 2.5e-3 (ST)");
        snprintf(what, sizeof what, "%s: joints [rad]", ROWS[k].method);
        table_bound(what, apart(&x, &tight), 1e-6, "cvode, rtol 1e-12");
      }
    }
}

// The paper's figures 1 and 2 blame a steady error on the rotors' gyroscopic effects. In a plane what they
// couple is 1/ratio of their inertia: small, but far above the errors above.
static void simple_rotors_are_told_from_complete_ones(void **state) {
  (void)state;
  lim_run run;
  for (int m = 0; m < 2; m++) {
    path complete = fly(&run, MANOEUVRES[m], "complete", "cvode", "5 ms", "1e-12"),
         simple = fly(&run, MANOEUVRES[m], "simple", "cvode", "5 ms", "1e-12");
    double worst = apart(&complete, &simple);
    printf(
        "\n%s, simple against complete rotors: joints differ by up to %.3e rad, at the end %.3e and %.3e rad,\n"
        "rates there by %.3e and %.3e rad/s\n",
        NAMES[m], worst, simple.q[RECORDS - 1][0] - complete.q[RECORDS - 1][0],
        simple.q[RECORDS - 1][1] - complete.q[RECORDS - 1][1],
        simple.v[RECORDS - 1][0] - complete.v[RECORDS - 1][0],
        simple.v[RECORDS - 1][1] - complete.v[RECORDS - 1][1]);
    assert_true(worst > 1e-5);
    assert_true(worst < 0.1);
  }
}

// Slow and stiff: links that hardly bend follow the command of their rigid inverse dynamics, with either rotor.
static void rigid_mode_follows_the_command(void **state) {
  (void)state;
  table_head("Mode rigid under the torques of rigid inverse dynamics: joints against the command [rad]");
  for (int r = 0; r < 2; r++) {
    char shoulder[64], elbow[64];
    snprintf(shoulder, sizeof shoulder, "drives.shoulder.motor.rotor=%s", ROTORS[r]);
    snprintf(elbow, sizeof elbow, "drives.elbow.motor.rotor=%s", ROTORS[r]);
    lim_model *m =
        load_with(MANOEUVRES[0], (const char *[]){shoulder, elbow, "solver.mode=rigid", "solver.method=rk4",
                                                  "solver.step=1 ms", "outputs.every=5 ms", NULL});
    path x = {.count = 0};
    run_model(m, NULL, watch, &x);
    double worst = 0;
    for (int i = 0; i < RECORDS; i++) {
      double t = 5e-3 * i, q = TURN / 4 * t * t * t * (10 - 15 * t + 6 * t * t);
      for (int k = 0; k < 2; k++) worst = fmax(worst, fabs(x.q[i][k] - q));
    }
    table_bound(ROTORS[r], worst, 1e-10, "the quintic");
    lim_model_free(m);
  }
}

// Manoeuvre PP of 1 mrad: mode linear is nonlinear to second order, with complete rotors.
static void linear_mode_is_nonlinear_mode_for_small_manoeuvres(void **state) {
  (void)state;
  path x[2] = {{.count = 0}, {.count = 0}};
  for (int i = 0; i < 2; i++) {
    lim_model *m = load_with(MANOEUVRES[0], (const char *[]){i ? "solver.mode=linear" : "solver.mode=nonlinear",
                                                             "motion.shoulder.to=1e-3", "motion.elbow.to=1e-3",
                                                             "solver.duration=1 s", "outputs.every=5 ms",
                                                             "solver.tolerance=1e-13", NULL});
    run_model(m, NULL, watch, &x[i]);
    lim_model_free(m);
  }
  table_head("PP of 1 mrad: mode linear against nonlinear, joints [rad]");
  table_bound("complete rotors", apart(&x[0], &x[1]), 1e-3 * 1e-5, "second order");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(manoeuvres_balance_their_energy_and_follow_a_tight_run),
      cmocka_unit_test(simple_rotors_are_told_from_complete_ones),
      cmocka_unit_test(rigid_mode_follows_the_command),
      cmocka_unit_test(linear_mode_is_nonlinear_mode_for_small_manoeuvres),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

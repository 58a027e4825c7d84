// motor_frequencies.c - natural frequencies of the prototype of FLEXROB, joints free: the correct rows of table
// 2 as recomputed, and, with the tip of link 1 turning by half its slope, the printed row. That the half
// belongs to the paper's shape functions is shown twice: by a Ritz model of Euler-Bernoulli beams, and by
// limber's own matrices with the rotation of one section halved, here only.
#include "analysis/vibration/modes.h"
#include "math/eigen/eigen.h"
#include "model/joint.h"
#include "path/assembly.h"

#include "motor_fixture.h"

static const char model[] = "models/prototype.yaml";

// Elbow motor: mass [kg], stator, and rotor as reflected [kg m^2]; without mass for the approximate model.
typedef struct {
  double mass, stator, rotor, ratio, base;
  bool complete;
} motors;
static const motors COMPLETE = {0.94, 1.27e-4, 2.35e-6, 100, 0.32, true};
static const motors APPROXIMATE = {0, 0, 2.35e-6, 100, 0.32, false};

enum { MODES = 2, RITZ = 2 + 2 * MODES };

// --- the Ritz model ---

static const double ROOT[MODES] = {1.8751040687119611, 4.6940911329741746}; // cosh x cos x = -1

// Cantilever mode k of unit length: value and slope at x.
static double shape(int k, double x, int slope) {
  double b = ROOT[k], s = (cosh(b) + cos(b)) / (sinh(b) + sin(b));
  if (slope) return b * (sinh(b * x) + sin(b * x) - s * (cosh(b * x) - cos(b * x)));
  return cosh(b * x) - cos(b * x) - s * (sinh(b * x) - sin(b * x));
}

// M += m w w'
static void add_mass(double *M, double m, const double *w) {
  for (int i = 0; i < RITZ; i++)
    for (int j = 0; j < RITZ; j++) M[i * RITZ + j] += m * w[i] * w[j];
}

// Straight arm, coordinates theta1, theta2, modes of link 1, modes of link 2. The tip of link 1 turns by
// `factor` times its slope. Frequencies [Hz] without the two that are 0.
static void ritz(double hertz[4], const motors *motor, double rho, double factor) {
  enum { POINTS = 4000 };
  const double L = 0.4, A = 2e-4, EI = 71e9 * 0.04 * pow(0.005, 3) / 12;
  double M[RITZ * RITZ] = {0}, K[RITZ * RITZ] = {0}, lambda[RITZ];
  double turn[RITZ] = {1}, end[RITZ] = {L}; // rotation and displacement of the elbow
  for (int k = 0; k < MODES; k++) {
    turn[2 + k] = factor * shape(k, 1, 1) / L;
    end[2 + k] = shape(k, 1, 0);
    K[(2 + k) * (RITZ + 1)] = K[(4 + k) * (RITZ + 1)] =
        pow(ROOT[k], 4) * EI / pow(L, 3); // integral of shape^2: 1
  }
  for (int p = 0; p < POINTS; p++) {
    double x = (p + 0.5) / POINTS, m = rho * A * L / POINTS, w[RITZ] = {x * L}, u[RITZ];
    for (int k = 0; k < MODES; k++) w[2 + k] = shape(k, x, 0);
    add_mass(M, m, w);
    for (int i = 0; i < RITZ; i++) u[i] = end[i] + turn[i] * x * L;
    u[1] = x * L;
    for (int k = 0; k < MODES; k++) u[4 + k] = shape(k, x, 0);
    add_mass(M, m, u);
  }
  add_mass(M, motor->mass, end);
  add_mass(M, motor->stator, turn);
  double spin[RITZ] = {0};
  if (motor->complete) memcpy(spin, turn, sizeof spin);
  spin[1] = motor->ratio; // theta1' + s' + ratio theta2'
  add_mass(M, motor->rotor, spin);
  M[0] += motor->base;
  lim_eigen_count count;
  assert_int_equal(lim_eigen_lowest(lambda, NULL, &count, K, M, RITZ, RITZ, NULL), LIM_OK);
  assert_int_equal(count.rigid, 2);
  for (int k = 0; k < 4; k++) hertz[k] = sqrt(lambda[2 + k]) / TURN;
}

// --- limber ---

static lim_model *prototype(const motors *motor, const char *rho, const char *element, const char *basis) {
  char set[9][80];
  const char *list[10] = {0};
  const char *const rotor = motor->complete ? "complete" : "simple";
  snprintf(set[0], sizeof *set, "drives.elbow.motor.rotor=%s", rotor);
  snprintf(set[1], sizeof *set, "drives.shoulder.motor.rotor=%s", rotor);
  snprintf(set[2], sizeof *set, "drives.elbow.motor.mass=%g", motor->mass);
  snprintf(set[3], sizeof *set, "drives.elbow.motor.stator_inertia=%g", motor->stator);
  snprintf(set[4], sizeof *set, "materials.aluminium.rho=%s", rho);
  snprintf(set[5], sizeof *set, "links.upper.basis=%s", basis);
  snprintf(set[6], sizeof *set, "links.fore.basis=%s", basis);
  snprintf(set[7], sizeof *set, "links.upper.beam.element=%s", element);
  snprintf(set[8], sizeof *set, "links.fore.beam.element=%s", element);
  for (int i = 0; i < 9; i++) list[i] = set[i];
  return load_with(model, list);
}

static void frequencies(double hertz[4], lim_model *m) {
  lim_modes *x = NULL;
  lim_error err = {0};
  lim_code code = lim_modes_new(&x, m, NULL, LIM_JOINTS_FREE, 4, &err);
  print_notes(&err);
  assert_int_equal(code, LIM_OK);
  assert_int_equal(x->modes.count, 4);
  assert_int_equal(x->rigid, 2);
  for (int k = 0; k < 4; k++) hertz[k] = x->modes.item[k].frequency;
  lim_modes_free(x);
  lim_model_free(m);
}

static void rows(const char *what, const double computed[4], const double expected[4], double tolerance,
                 const char *source) {
  for (int k = 0; k < 4; k++) {
    char row[96];
    snprintf(row, sizeof row, "%s, mode %d", what, k + 1);
    table_row(row, computed[k], expected[k], tolerance, source);
  }
}

static void prototype_frequencies_match_the_correct_rows_of_table_2(void **state) {
  (void)state;
  static const struct {
    const char *name, *basis;
    const motors *motor;
    double hertz[4];
  } ROWS[] = {
      {"complete, 2 modes", "{type: modes, count: 2}", &COMPLETE, {6.313, 30.768, 112.460, 194.810}},
      {"approximate, 2 modes", "{type: modes, count: 2}", &APPROXIMATE, {8.695, 46.750, 115.106, 270.682}},
      {"complete, converged", "{type: full}", &COMPLETE, {6.256, 25.907, 110.321, 170.087}},
      {"approximate, converged", "{type: full}", &APPROXIMATE, {8.454, 41.691, 113.614, 222.74}},
  };
  double hertz[4];
  table_head("Prototype with motors, joints free: natural frequencies [Hz]");
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    frequencies(hertz, prototype(ROWS[i].motor, "2700", "timoshenko-cubic", ROWS[i].basis));
    rows(ROWS[i].name, hertz, ROWS[i].hertz, 1e-3, "FLEXROB, table 2, slope corrected");
  }
}

static void prototype_frequencies_match_a_ritz_model(void **state) {
  (void)state;
  static const struct {
    const char *name;
    motors motor;
  } ROWS[] = {{"complete", COMPLETE},
              {"approximate", APPROXIMATE},
              {"complete, rotor simple", {0.94, 1.27e-4, 2.35e-6, 100, 0.32, false}},
              {"rotor with ratio 3", {0.94, 1.27e-4, 0.0235 / 9, 3, 0.32, true}}};
  double hertz[4], expected[4];
  table_head("The same against Ritz's method with two Euler-Bernoulli modes per link [Hz]");
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    lim_model *m = prototype(&ROWS[i].motor, "2700", "euler-bernoulli", "{type: modes, count: 2}");
    for (int k = 0; k < m->drives.count; k++)
      if (m->drives.item[k].joint == 1) {
        m->drives.item[k].motor.ratio = ROWS[i].motor.ratio;
        m->drives.item[k].motor.rotor_inertia = ROWS[i].motor.rotor;
      }
    frequencies(hertz, m);
    ritz(expected, &ROWS[i].motor, 2700, 1);
    rows(ROWS[i].name, hertz, expected, 5e-4, "Ritz, 2 cantilever modes");
  }
}

static void halved_slope_gives_the_printed_row(void **state) {
  (void)state;
  static const double printed[2][4] = {{6.77, 32.44, 114.87, 176.40}, {10.77, 44.87, 116.96, 240.71}};
  double hertz[4];
  table_head("Ritz's method where the tip of link 1 turns by half its slope, rho = 2710 [Hz]");
  for (int i = 0; i < 2; i++) {
    ritz(hertz, i ? &APPROXIMATE : &COMPLETE, 2710, 0.5);
    rows(i ? "approximate" : "complete", hertz, printed[i], 1e-3, "FLEXROB, table 2 as printed");
  }
}

// --- limber's matrices with a halved rotation ---

static void halve(lim_section_motion *x, lim_arena *arena) {
  size_t n = 6 * (size_t)x->count;
  double *N = lim_arena_array(arena, n, sizeof *N);
  assert_non_null(N);
  for (size_t i = 0; i < n; i++) N[i] = x->N[i] * (i >= n / 2 ? 0.5 : 1);
  x->N = N;
}

// Frequencies of M a + K q as the recursion has them: r for unit accelerations, and for unit coordinates.
static void recursion_frequencies(double hertz[4], const lim_arm *s) {
  int n = s->n;
  size_t N = (size_t)n;
  double *x = calloc(2 * N * N + 5 * N, sizeof *x), *M = x + 5 * N, *K = M + N * N, *q = x, *v = q + n,
         *a = v + n;
  double *r = a + n, *lambda = r + n;
  lim_rec_work *w = lim_rec_work_new(s);
  assert_true(x && w);
  for (int i = 0; i < n; i++) {
    a[i] = 1;
    lim_rec_residual(M + (size_t)i * N, w, q, v, a);
    a[i] = 0;
    q[i] = 1e-3; // of no effect on joints without gravity
    lim_rec_residual(K + (size_t)i * N, w, q, v, a);
    for (int k = 0; k < n; k++) K[(size_t)i * N + (size_t)k] /= 1e-3;
    q[i] = 0;
  }
  lim_eigen_count count;
  assert_int_equal(lim_eigen_lowest(lambda, NULL, &count, K, M, n, n, NULL), LIM_OK);
  assert_int_equal(count.rigid, 2);
  for (int k = 0; k < 4; k++) hertz[k] = sqrt(lambda[2 + k]) / TURN;
  lim_rec_work_free(w);
  free(x);
}

// The stator as a body of its own, fixed at the tip, so that it turns with the section that is halved.
static void halved_slope_in_the_equations_of_limber_gives_the_printed_row(void **state) {
  (void)state;
  table_head("limber's matrices, rotation of the tip of link 1 halved in this test, rho = 2710 [Hz]");
  for (int i = 0; i < 2; i++) {
    const motors *motor = i ? &APPROXIMATE : &COMPLETE;
    motors without = *motor;
    without.stator = 0;
    lim_model *m = prototype(&without, "2710", "euler-bernoulli", "{type: modes, count: 2}");
    lim_link *links = calloc(3, sizeof *links);
    assert_non_null(links);
    memcpy(links, m->links.item, 2 * sizeof *links);
    links[2] =
        (lim_link){.head = {.name = "stator", .node = m->links.item[1].head.node},
                   .parent = {.index = 0, .text = "upper"},
                   .at = {.kind = LIM_AT_TIP, .value = 1},
                   .joint = {.head = {.name = "stator"}, .type = lim_joint_type("fixed")},
                   .body = {.head = {.node = m->links.item[1].head.node}, .inertia = {0, 0, motor->stator}}};
    m->links.item = links;
    m->links.count = 3;
    lim_arm *s = NULL;
    lim_error err = {0};
    lim_code code = lim_arm_new(&s, m, false, &err);
    print_notes(&err);
    assert_int_equal(code, LIM_OK);
    for (int b = 0; b < s->nbody; b++)
      if (s->parent[b] == 0) halve(&s->bodies[b].on.section, &s->arena);
    for (int k = 0; k < s->nrotor; k++)
      if (s->rotor[k].on.body == 0) halve(&s->rotor[k].on.section, &s->arena);
    double hertz[4], expected[4];
    recursion_frequencies(hertz, s);
    ritz(expected, motor, 2710, 0.5);
    rows(i ? "approximate" : "complete", hertz, expected, 1e-3, "Ritz, which gives the printed row");
    lim_arm_free(s);
    free(links);
    m->links.count = 0;
    lim_model_free(m);
  }
}

// How much of the approximate model's error is the rotor's: almost nothing, at rest and in a plane.
static void rotor_coupling_changes_frequencies_little(void **state) {
  (void)state;
  motors simple = COMPLETE;
  simple.complete = false;
  double with[4], without[4];
  frequencies(with, prototype(&COMPLETE, "2700", "timoshenko-cubic", "{type: modes, count: 2}"));
  frequencies(without, prototype(&simple, "2700", "timoshenko-cubic", "{type: modes, count: 2}"));
  table_head("Rotor simple against complete, elbow mass kept: relative change of the frequency");
  for (int k = 0; k < 4; k++) {
    char row[32];
    snprintf(row, sizeof row, "mode %d", k + 1);
    table_bound(row, without[k] / with[k] - 1, 2.5e-3, "0.24 % at most");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(prototype_frequencies_match_the_correct_rows_of_table_2),
      cmocka_unit_test(prototype_frequencies_match_a_ritz_model),
      cmocka_unit_test(halved_slope_gives_the_printed_row),
      cmocka_unit_test(halved_slope_in_the_equations_of_limber_gives_the_printed_row),
      cmocka_unit_test(rotor_coupling_changes_frequencies_little),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

// static_roll_up.c - a cantilever that a moment of fixed axis at its tip rolls up: in its plane to a circle,
// the same turned in space, and with twist to a helix. Each section bears the same moment m, so that the axis
// follows from the clamped end: R' = R (C^-1 R'm)~, x' = R e1, which is integrated here by Runge and Kutta's
// method. The moment has no potential: whether the beam stays is asked of its dynamics, in `static` and
// `modes`.
#include "math/rotation.h" // before a fixture with an A of its own

#include "beam_fixture.h"
#include "engine_fixture.h"
#include "unit/analysis_fixture.h"

#include "analysis/simulation/simulate.h"

// EI = 1 kN m^2 about y and z, GJ = 1 kN m^2, on 1 m; other numbers by overrides.
#define CANTILEVER                                                                                             \
  "limber: 1\ngravity: [0, 0, 0]\n%smaterials: {m: {E: 1e9, G: 5e8, rho: 1000}}\n"                             \
  "sections: {s: {shape: general, A: 1, Iy: %g, Iz: 1e-6, J: 2e-6, kappa: 1e3}}\nlinks:\n  - name: arm\n"      \
  "    joint: {type: fixed, origin: {rpy: [%g, %g, %g]}}\n"                                                    \
  "    beam: {length: 1, section: s, material: m, elements: %d, segments: %d, element: euler-bernoulli}\n"     \
  "loads: [{at: tip, moment: [%.17g, %.17g, %.17g]}]\nsolver: {start: equilibrium}\n"

typedef struct {
  const char *plane;
  double Iy;     // [m^4]
  double rpy[3]; // how it is clamped
  double m[3];   // moment in its own axes, over EI/L
  int segments;
} roll;

typedef struct {
  double tip[3]; // displacement in its own axes
  bool flutters, leaves;
  int unstable; // of `modes`
} outcome;

static void write_model(char *text, size_t size, const roll *x) {
  double R[9], m[3];
  lim_rotation_rpy(R, x->rpy);
  lim_rotate(m, R, x->m);
  snprintf(text, size, CANTILEVER, x->plane, x->Iy, x->rpy[0], x->rpy[1], x->rpy[2], x->segments, x->segments,
           1000 * m[0], 1000 * m[1], 1000 * m[2]);
}

static bool told(const lim_error *err, const char *part) {
  for (int i = 0; i < err->warnings && i < LIM_NOTES_MAX; i++)
    if (strstr(err->warning[i].text, part)) return true;
  return false;
}

static outcome roll_up(const roll *x, bool vibrate) {
  char text[2000];
  outcome out = {.unstable = 0};
  write_model(text, sizeof text, x);
  rest r = {.model = model_of(text, (const char *[]){NULL})};
  lim_error err = {0};
  if (lim_static_new(&r.s, r.model, NULL, &err) != LIM_OK) fail_msg("%s", err.note[0].text);
  double R[9];
  lim_rotation_rpy(R, x->rpy);
  lim_rotate_back(out.tip, R, frame_of(r, "tip")->displacement);
  out.flutters = told(&err, "flutters");
  out.leaves = told(&err, "does not stay");
  lim_error_clear(&err);
  lim_modes *modes = NULL;
  if (vibrate && lim_modes_new(&modes, r.model, NULL, LIM_JOINTS_DEFAULT, 4, &err) != LIM_OK)
    fail_msg("%s", err.note[0].text);
  if (modes) out.unstable = modes->unstable;
  lim_modes_free(modes);
  lim_error_clear(&err);
  rest_free(r);
  return out;
}

// --- the axis from the clamped end ---

// d (12) of R by rows and x.
static void slope(double *d, const double *s, const double *m, double Iy) {
  const double C[3] = {1, Iy / 1e-6, 1};
  double k[3], e[3] = {1, 0, 0};
  lim_rotate_back(k, s, m);
  for (int i = 0; i < 3; i++) k[i] /= C[i];
  const double K[9] = {0, -k[2], k[1], k[2], 0, -k[0], -k[1], k[0], 0};
  lim_mat3_product(d, s, K);
  lim_rotate(d + 9, s, e);
}

static void integrate(double tip[3], const roll *x) {
  enum { STEPS = 2000 };
  double s[12] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, h = 1.0 / STEPS;
  for (int i = 0; i < STEPS; i++) {
    static const double part[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
    double d[12] = {0}, at[12], sum[12] = {0};
    for (int k = 0; k < 4; k++) {
      for (int j = 0; j < 12; j++) at[j] = s[j] + part[k] * h * d[j];
      slope(d, at, x->m, x->Iy);
      for (int j = 0; j < 12; j++) sum[j] += weight[k] * d[j];
    }
    for (int j = 0; j < 12; j++) s[j] += h / 6 * sum[j];
  }
  for (int i = 0; i < 3; i++) tip[i] = s[9 + i] - (i == 0);
}

static double distance(const double *a, const double *b) {
  return sqrt(pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2));
}

// --- tests ---

static const roll PLANAR = {"planar: xy\n", 1e-6, {0, 0, 0}, {0, 0, 2 * M_PI}, 0};

static void end_moment_rolls_up_to_a_full_circle(void **state) {
  (void)state;
  static const double turned[3] = {0.3, 0.5, 0.7};
  table_head("a cantilever under ML/EI = 2 pi: the way back to its clamped end, over its length");
  for (int n = 6; n <= 12; n *= 2)
    for (int space = 0; space < 2; space++) {
      roll x = PLANAR;
      char what[80];
      x.segments = n;
      if (space) memcpy(x.rpy, turned, sizeof turned);
      if (space) x.plane = "";
      outcome out = roll_up(&x, false);
      snprintf(what, sizeof what, "%d segments, %s", n, space ? "turned in space" : "in its plane");
      table_row(what, distance(out.tip, (double[3]){0, 0, 0}), 1, 1e-9, "closed form");
      table_row(what, out.tip[0], -1, 1e-9, "closed form");
    }
}

// A third of the moment twists: errors of a spatial shape fall to a quarter with twice the segments.
static void helix_follows_from_its_clamped_end(void **state) {
  (void)state;
  roll x = {"", 1e-6, {0.3, 0.5, 0.7}, {0.9, 0, 3}, 0};
  double exact[3], before = 0;
  integrate(exact, &x);
  table_head("a cantilever under twist and bending moment: distance of its tip from the integrated axis");
  for (int n = 4; n <= 16; n *= 2) {
    x.segments = n;
    outcome out = roll_up(&x, false);
    double error = distance(out.tip, exact);
    printf("%d segments: %.2e of the length\n", n, error);
    if (before > 0) assert_true(before / error > 3.4 && before / error < 5);
    before = error;
  }
  assert_true(before < 5e-3);
}

// Bent about its strong axis it flutters, then leaves; about its weak axis it stays. `modes` agrees, and the
// mesh does not matter.
static void stability_is_that_of_the_dynamics(void **state) {
  (void)state;
  static const struct {
    double Iy, m;
    bool flutters, leaves;
  } cases[] = {{0.25e-6, 0.2, false, false},
               {0.25e-6, 1, true, false},
               {0.25e-6, 3, false, true},
               {4e-6, 3, false, false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (int n = 6; n <= 8; n += 2) {
      roll x = {"", cases[i].Iy, {0, 0, 0}, {0, 0, cases[i].m}, n};
      outcome out = roll_up(&x, true);
      printf("EIy/EIz = %g, ML/EI = %g, %d segments: %s; modes that grow: %d\n", cases[i].Iy / 1e-6, cases[i].m,
             n,
             out.leaves     ? "leaves"
             : out.flutters ? "flutters"
                            : "stays",
             out.unstable);
      assert_int_equal(out.flutters, cases[i].flutters);
      assert_int_equal(out.leaves, cases[i].leaves);
      assert_int_equal(out.unstable > 0, out.flutters || out.leaves);
    }
}

// --- in time ---

typedef struct {
  double t[2], z[2]; // moments to look at, and out of plane then
} glimpse;

static lim_code look(void *user, const lim_snapshot *m, lim_error *err) {
  glimpse *g = user;
  (void)err;
  for (int i = 0; i < 2; i++)
    if (m->t <= g->t[i]) g->z[i] = m->q[m->system->n - 4]; // of the last node: ux uy uz tx ty tz
  return LIM_OK;
}

// What `static` says of a flutter is what a push of 1e-6 N grows to: z ~ exp(sigma t) cos(omega t), which half
// a period later is -exp(sigma T/2) times as large.
static void flutter_grows_in_time_as_it_is_told(void **state) {
  (void)state;
  static const char text[] =
      "limber: 1\ngravity: [0, 0, 0]\nmaterials: {m: {E: 1e9, G: 5e8, rho: 1000}}\n"
      "sections: {s: {shape: general, A: 1e-3, Iy: 0.25e-6, Iz: 1e-6, J: 2e-6, kappa: 0.85}}\nlinks:\n"
      "  - {name: arm, joint: {type: fixed}, beam: {length: 1, section: s, material: m, elements: 6, segments: "
      "6, element: euler-bernoulli}}\n"
      "loads: [{at: tip, moment: [0, 0, 2500]}, {at: tip, force: [0, 0, 1e-6], from: 0.1 ms, to: 1 ms}]\n"
      "solver: {start: equilibrium, duration: 25 ms, step: 0.02 ms}\n";
  lim_model *m = model_of(text, (const char *[]){NULL});
  lim_run run;
  lim_error err = {0};
  double ratio = 0, frequency = 0;
  glimpse g = {{12e-3, INFINITY}, {0, 0}};
  lim_static *s = NULL;
  if (lim_static_new(&s, m, NULL, &err) != LIM_OK) fail_msg("%s", err.note[0].text);
  lim_static_free(s);
  for (int i = 0; i < err.warnings; i++) {
    const char *ratio_at = strstr(err.warning[i].text, "ratio above "),
               *at = strstr(err.warning[i].text, "flutters at ");
    if (ratio_at && at) ratio = atof(ratio_at + 12), frequency = atof(at + 12);
  }
  assert_true(ratio > 0.5 && frequency > 0);
  g.t[1] = g.t[0] + 0.5 / frequency;
  lim_simulate_hooks hooks = {.record = look, .user = &g};
  if (lim_simulate(&run, m, NULL, &hooks, &err) != LIM_OK) fail_msg("%s", err.note[0].text);
  double told_growth = 2 * M_PI * frequency * ratio / sqrt(1 - ratio * ratio);
  double growth = log(fabs(g.z[1] / g.z[0])) / (g.t[1] - g.t[0]);
  printf("flutter at %.2f Hz: grows with %.0f 1/s, in a simulation with %.0f 1/s\n", frequency, told_growth,
         growth);
  assert_true(g.z[0] * g.z[1] < 0 && fabs(growth / told_growth - 1) < 0.1);
  lim_error_clear(&err);
  lim_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(end_moment_rolls_up_to_a_full_circle),
      cmocka_unit_test(helix_follows_from_its_clamped_end),
      cmocka_unit_test(stability_is_that_of_the_dynamics),
      cmocka_unit_test(flutter_grows_in_time_as_it_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

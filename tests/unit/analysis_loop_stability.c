// The growth of unstable loops against the roots of their characteristic polynomials: continuous ones on an
// elastic gear, sampled ones with delays.
#include "analysis_fixture.h"

#include "analysis/simulation/simulate.h"
#include "analysis/vibration/loop_stability.h"
#include "math/eigen/exponential.h"

#include <complex.h>
#include <math.h>
#include <string.h>

typedef double complex (*polynomial)(double complex s, const void *user);

// All n roots at once (Weierstrass).
static void find_roots(double complex *z, int n, double complex lead, double size, polynomial f,
                       const void *user) {
  for (int i = 0; i < n; i++) z[i] = size * cpow(0.4 + 0.9 * I, i);
  for (int round = 0; round < 500; round++)
    for (int i = 0; i < n; i++) {
      double complex below = lead;
      for (int j = 0; j < n; j++)
        if (j != i) below *= z[i] - z[j];
      z[i] -= f(z[i], user) / below;
    }
}

static lim_unstable find(const char *text) {
  lim_error err = {0};
  lim_unstable u;
  lim_model *m = parse(text);
  const lim_code code = lim_unstable_find(&u, m, NULL, &err);
  if (code != LIM_OK) fail_msg("%s", err.kept ? err.note[0].text : "?");
  lim_model_free(m);
  lim_error_clear(&err);
  return u;
}

static void near(double value, double expected, const char *what) {
  if (!(fabs(value - expected) <= 1e-6 * fabs(expected)))
    fail_msg("%s: %.10g, not %.10g", what, value, expected);
}

// --- sampled: J q'' = u, u = -kp q - kv q' at samples, later by a delay ---

typedef struct {
  double kp, kv, delay;
  const char *kind, *lower;
} sampled;

static const double INERTIA = 0.0835, PERIOD = 0.01;

// A torque of 1 from a to b within a period, seen through the gains.
static double complex seen(double complex mu, const sampled *c, double a, double b) {
  const double place = ((PERIOD - a) * (PERIOD - a) - (PERIOD - b) * (PERIOD - b)) / 2, speed = b - a;
  return c->kp * ((mu - 1) * place + PERIOD * speed) + c->kv * (mu - 1) * speed;
}

static int whole(const sampled *c) { return (int)floor(c->delay / PERIOD + 1e-9); }

static double complex sampled_polynomial(double complex mu, const void *user) {
  const sampled *c = user;
  const double shift = c->delay - whole(c) * PERIOD;
  return cpow(mu, whole(c) + 1) * (mu - 1) * (mu - 1) * INERTIA + mu * seen(mu, c, shift, PERIOD) +
         seen(mu, c, 0, shift);
}

static void sampled_loops_grow_by_their_multipliers(void **state) {
  (void)state;
  static const sampled cases[] = {
      {200, 20, 0.010, "joint", "kv"}, {2000, 5, 0.010, "joint", "kp"},
      {200, 20, 0.004, "joint", "kp"}, {200, 5, 0.023, "joint", ""}, // both are too large
      {200, 0, 0.010, "joint", ""},                                  // without kv none serves
      {200, 20, 0, "joint", "kv"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const sampled *c = &cases[i];
    char text[800];
    snprintf(
        text, sizeof text,
        "limber: 1\ngravity: [0, 0, 0]\n"
        "links: [{name: arm, joint: {name: j, axis: [0, 0, 1]}, body: {mass: 1, com: [0.25, 0, 0], inertia: "
        "[0.001, 0.02, 0.02]}}]\n"
        "drives: {j: {type: motor, motor: {rotor_inertia: 0.001, ratio: 1}, control: {type: pd, kp: %g, kv: "
        "%g, rate: 100 Hz, delay: %g}}}\n"
        "motion: {j: {profile: constant, value: 0}}\nsolver: {duration: 5 s, step: 1 ms}\n",
        c->kp, c->kv, c->delay);
    double complex mu[6], worst = 0;
    find_roots(mu, 3 + whole(c), INERTIA, 1, sampled_polynomial, c);
    for (int k = 0; k < 3 + whole(c); k++)
      if (cabs(mu[k]) > cabs(worst)) worst = mu[k];
    const lim_unstable u = find(text);
    assert_true(u.closed && u.sampled && !u.why_not);
    near(u.growth, log(cabs(worst)) / PERIOD, "growth");
    near(u.frequency, fabs(carg(worst)) / (2 * M_PI * PERIOD), "frequency");
    assert_string_equal(u.kind, c->kind);
    assert_string_equal(u.joint, *c->lower ? "j" : "");
    assert_int_equal(u.gain, !*c->lower           ? LIM_GAIN_NONE
                             : c->lower[1] == 'p' ? LIM_GAIN_POSITION
                                                  : LIM_GAIN_SPEED);
  }
}

// The same controller wired of blocks with clocks of their own: a sensor, a delay, at different rates.
static void sampled_blocks_grow_as_the_controller_does(void **state) {
  (void)state;
#define SAMPLED_ARM                                                                                            \
  "limber: 1\ngravity: [0, 0, 0]\n"                                                                            \
  "links: [{name: arm, joint: {name: j, axis: [0, 0, 1]}, body: {mass: 1, com: [0.25, 0, 0], inertia: "        \
  "[0.001, 0.02, 0.021]}}]\n"                                                                                  \
  "solver: {duration: 5 s, step: 1 ms}\n"
  const lim_unstable u =
      find(SAMPLED_ARM "drives: {j: {type: effort, effort: {block: late}}}\n"
                       "blocks:\n"
                       "  - {name: pd, type: sum, input: [j.position, j.velocity], weights: [-2000, -5]}\n"
                       "  - {name: late, type: delay, input: pd, rate: 100 Hz, delay: 10 ms}\n"
                       "  - {name: other, type: sample-hold, input: pd, rate: 50 Hz}\n");
  const sampled c = {2000, 5, 0.010, "", ""};
  double complex mu[4], worst = 0;
  find_roots(mu, 4, INERTIA, 1, sampled_polynomial, &c);
  for (int k = 0; k < 4; k++)
    if (cabs(mu[k]) > cabs(worst)) worst = mu[k];
  assert_true(u.sampled && !u.why_not);
  near(u.growth, log(cabs(worst)) / PERIOD, "growth");
  near(u.frequency, fabs(carg(worst)) / (2 * M_PI * PERIOD), "frequency");
  assert_int_equal(u.gain, LIM_GAIN_NONE); // less of both alike leaves too little damping for the delay
  const lim_unstable less =
      find(SAMPLED_ARM "drives: {j: {type: effort, effort: {block: late}}}\n"
                       "blocks:\n"
                       "  - {name: pd, type: sum, input: [j.position, j.velocity], weights: [-100, -20]}\n"
                       "  - {name: late, type: delay, input: pd, rate: 100 Hz, delay: 10 ms}\n");
  assert_true(less.growth > 0 && less.gain == LIM_GAIN_ALL && !strcmp(less.joint, "j"));
  // no common period within reason
  const lim_unstable none =
      find(SAMPLED_ARM "drives: {j: {type: effort, effort: {block: late}}}\n"
                       "blocks:\n"
                       "  - {name: late, type: delay, input: j.position, rate: 100 Hz, delay: 10 ms}\n"
                       "  - {name: other, type: sample-hold, input: j.position, rate: 314.15926 Hz}\n");
  assert_true(none.closed && none.why_not);
}

// --- continuous: an integral, J s^3 + kv s^2 + kp s + ki = 0, unstable with ki J > kv kp ---

static double complex integral_polynomial(double complex s, const void *user) {
  const double *c = user; // kp, kv, ki
  return ((INERTIA * s + c[1]) * s + c[0]) * s + c[2];
}

static void integrals_are_named_by_their_keys(void **state) {
  (void)state;
  static const struct {
    const char *control;
    double gains[3];
    lim_gain_part part;
    const char *said;
  } cases[] = {
      {"kp: 10, kv: 1, ki: 400", {10, 1, 400}, LIM_GAIN_INTEGRAL, "; lower ki of 'j'"},
      {"kp: 10, kv: 1, integral_time: 0.025",
       {10, 1, 400},
       LIM_GAIN_INTEGRAL_TIME,
       "; lengthen integral_time of 'j'"},
      {"bandwidth: 10, integral_time: 0.0125", {8.35, 1.67, 668}, LIM_GAIN_INTEGRAL_TIME, "integral_time"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (int clock = 0; clock < 2; clock++) {
      char text[800], said[600];
      double complex s[3], worst = -INFINITY;
      snprintf(text, sizeof text,
               SAMPLED_ARM
               "drives: {j: {type: motor, motor: {rotor_inertia: 0, ratio: 1}, control: {type: pid, "
               "%s%s}}}\nmotion: {j: 0}\n",
               cases[i].control, clock ? ", rate: 10 kHz" : "");
      find_roots(s, 3, INERTIA, 10, integral_polynomial, cases[i].gains);
      for (int k = 0; k < 3; k++)
        if (creal(s[k]) > creal(worst)) worst = s[k];
      const lim_unstable u = find(text);
      if (!clock) near(u.growth, creal(worst), "growth");
      if (!(fabs(u.growth - creal(worst)) < 0.01 * creal(worst))) fail_msg("%g", u.growth);
      assert_int_equal(u.gain, cases[i].part);
      lim_unstable_text(said, sizeof said, &u);
      assert_non_null(strstr(said, cases[i].said));
    }
}

// --- continuous: position measured behind an elastic gear ---

// (Jm s^2 + kv r^2 s + k)(INERTIA s^2 + k) = k (k - r kp)
static double complex gear_polynomial(double complex s, const void *user) {
  const double *c = user, k = 1000, r = 10, Jm = 0.1, Jl = 0.0825; // kp, kv
  return (Jm * s * s + c[1] * r * r * s + k) * (Jl * s * s + k) - k * (k - r * c[0]);
}

static void gear_text(char *text, size_t size, double kp, double kv) {
  snprintf(text, size,
           "limber: 1\ngravity: [0, 0, 0]\n"
           "links: [{name: arm, joint: {name: j, axis: [0, 0, 1]}, body: {mass: 1, com: [0.25, 0, 0], inertia: "
           "[0.001, 0.02, 0.02]}}]\n"
           "drives: {j: {type: motor, motor: {rotor_inertia: 0.001, ratio: 10}, gear: {stiffness: 1000}, "
           "control: {type: pd, kp: %g, kv: %g}}}\n"
           "motion: {j: {profile: constant, value: 0}}\nsolver: {duration: 5 s, step: 1 ms}\n",
           kp, kv);
}

static void position_behind_a_soft_gear_grows(void **state) {
  (void)state;
  const double gains[2] = {150, 0.05};
  double complex s[4], worst = -INFINITY;
  char text[800], said[600];
  find_roots(s, 4, 0.1 * 0.0825, 100, gear_polynomial, gains);
  for (int k = 0; k < 4; k++)
    if (creal(s[k]) > creal(worst)) worst = s[k];
  gear_text(text, sizeof text, gains[0], gains[1]);
  const lim_unstable u = find(text);
  assert_true(u.closed && !u.sampled && !u.why_not);
  near(u.growth, creal(worst), "growth");
  near(u.frequency, fabs(cimag(worst)) / (2 * M_PI), "frequency");
  assert_int_equal(u.gain, LIM_GAIN_POSITION);
  lim_unstable_text(said, sizeof said, &u);
  assert_non_null(strstr(said, "the linearised loop is unstable: its mode at "));
  assert_non_null(strstr(said, "(joint) grows by a factor e each "));
  assert_non_null(strstr(said, "; lower kp of 'j'"));
  gear_text(text, sizeof text, 5, 0.05);
  assert_true(find(text).growth == 0);
}

// modes finds the same in the modes of the arm with its controllers, and says it in the same words.
static void modes_agree(void **state) {
  (void)state;
  char text[800], mode[400];
  lim_error err = {0};
  lim_modes *r;
  gear_text(text, sizeof text, 150, 0.05);
  lim_model *m = parse(text);
  assert_int_equal(lim_modes_new(&r, m, NULL, LIM_JOINTS_DEFAULT, 4, &err), LIM_OK);
  const lim_unstable u = find(text);
  near(r->growth, u.growth, "growth");
  near(r->growing, u.frequency, "frequency");
  assert_string_equal(r->grows, u.kind);
  lim_unstable_mode(mode, sizeof mode, u.growth, u.frequency, u.kind);
  assert_true(r->unstable == 1 && err.warnings > 0);
  assert_non_null(strstr(err.warning[0].text, "1 unstable mode: the arm does not stay here; this mode at "));
  assert_non_null(strstr(err.warning[0].text, mode));
  lim_modes_free(r);
  lim_model_free(m);
  lim_error_clear(&err);
}

// Modes know no clocks, and say so where these matter.
static void modes_tell_of_clocks(void **state) {
  (void)state;
  static const struct {
    const char *control;
    lim_joints joints;
    int warnings;
  } cases[] = {{"kp: 2000, kv: 5, rate: 100 Hz, delay: 10 ms", LIM_JOINTS_DEFAULT, 2},
               {"kp: 100, kv: 3, rate: 100 Hz", LIM_JOINTS_DEFAULT, 1},
               {"kp: 100, kv: 3", LIM_JOINTS_DEFAULT, 0},
               {"kp: 2000, kv: 5, rate: 100 Hz, delay: 10 ms", LIM_JOINTS_LOCKED, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[800];
    lim_error err = {0};
    lim_modes *r;
    snprintf(text, sizeof text,
             SAMPLED_ARM
             "drives: {j: {type: motor, motor: {ratio: 1}, control: {type: pd, %s}}}\nmotion: {j: 0}\n",
             cases[i].control);
    lim_model *m = parse(text);
    assert_int_equal(lim_modes_new(&r, m, NULL, cases[i].joints, 4, &err), LIM_OK);
    assert_int_equal(err.warnings, cases[i].warnings);
    if (err.warnings > 0)
      assert_non_null(strstr(err.warning[0].text, "samples and delays, as of 'j', are left out"));
    if (err.warnings > 1)
      assert_non_null(strstr(err.warning[1].text, "with its samples and delays, is unstable: its mode at "));
    lim_modes_free(r);
    lim_model_free(m);
    lim_error_clear(&err);
  }
}

// J q'' = 20 q': damping of the wrong sign alone.
static void modes_see_what_pushes(void **state) {
  (void)state;
  lim_error err = {0};
  lim_modes *r;
  lim_model *m = parse(SAMPLED_ARM "drives: {j: {type: effort, effort: {block: push}}}\n"
                                   "blocks: [{name: push, type: gain, input: j.velocity, gain: 20}]\n");
  assert_int_equal(lim_modes_new(&r, m, NULL, LIM_JOINTS_DEFAULT, 4, &err), LIM_OK);
  assert_int_equal(r->unstable, 1);
  near(r->growth, 20 / INERTIA, "growth");
  lim_modes_free(r);
  lim_model_free(m);
  lim_error_clear(&err);
}

// --- flexible links, clocks of two rates: against the run itself ---

static const char FLEXIBLE[] =
    "limber: 1\ngravity: [0, 0, 0]\nplanar: xy\n"
    "materials: {al: {E: 70e9, nu: 0.3, rho: 2700}}\n"
    "sections: {s: {shape: rectangle, y: 0.01, z: 0.03}}\n"
    "links:\n"
    "  - {name: upper, joint: {name: shoulder}, beam: {length: 0.5, section: s, material: al}, basis: {type: "
    "craig-bampton, count: 1}}\n"
    "  - {name: fore, joint: {name: elbow}, beam: {length: 0.5, section: s, material: al}, basis: {type: "
    "craig-bampton, count: 1}}\n"
    "drives:\n"
    "  shoulder: {type: motor, motor: {rotor_inertia: 0.001, ratio: 10}, control: {type: pd, kp: 20, kv: 0.05, "
    "rate: 100 Hz, delay: 5 ms}}\n"
    "  elbow: {type: motor, motor: {rotor_inertia: 0.0005, ratio: 10}, control: {type: pd, kp: 5, kv: 0.5, "
    "rate: "
    "200 Hz}}\n"
    "motion: {shoulder: {profile: constant, value: 1e-9}, elbow: {profile: constant, value: 0}}\n"
    "configuration: {shoulder: 0}\n"
    "solver: {duration: 0.07 s, step: 10 us, method: rk4}\noutputs: {every: 10 ms}\n";

static lim_code keep(void *user, const lim_snapshot *m, lim_error *err) {
  (void)err;
  double *last = user;
  last[0] = last[1];
  last[1] = m->q[m->system->bodies[m->system->first_body[1]].q];
  return LIM_OK;
}

static void run_grows_as_its_multiplier(void **state) {
  (void)state;
  double last[2] = {0, 0};
  lim_error err = {0};
  lim_run run;
  lim_model *m = parse(FLEXIBLE);
  assert_int_equal(lim_simulate(&run, m, NULL, &(lim_simulate_hooks){.record = keep, .user = last}, &err),
                   LIM_OK);
  lim_model_free(m);
  lim_error_clear(&err);
  const lim_unstable u = find(FLEXIBLE);
  const double growth = log(fabs(last[1] / last[0])) / 0.01;
  if (!(fabs(growth - u.growth) <= 1e-3 * growth))
    fail_msg("%.8g, the run %.8g: %g %g", u.growth, growth, last[0], last[1]);
  near(u.frequency, 100, "its sign changes at each tick of the faster clock");
  assert_string_equal(u.kind, "joint elbow");
  assert_true(!strcmp(u.joint, "elbow") && u.gain == LIM_GAIN_SPEED);
}

// --- the exponential ---

// A fast rotation beside a slow decay, and a double integrator.
static void exponential_is_exact(void **state) {
  (void)state;
  const double w = 3e4, t = 0.01;
  const double rates[25] = {0, w, 0, 0, 0, -w, 0, 0, 0, 0, 0, 0, -2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0};
  double out[25];
  lim_error err = {0};
  assert_int_equal(lim_exponential(out, rates, t, 5, &err), LIM_OK);
  const double expected[25] = {cos(w * t), sin(w * t), 0, 0,           0, -sin(w * t), cos(w * t), 0, 0,
                               0,          0,          0, exp(-2 * t), 0, 0,           0,          0, 0,
                               1,          0,          0, 0,           0, t,           1};
  for (int i = 0; i < 25; i++)
    if (!(fabs(out[i] - expected[i]) < 1e-12)) fail_msg("%d: %.15g, not %.15g", i, out[i], expected[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sampled_loops_grow_by_their_multipliers),
      cmocka_unit_test(sampled_blocks_grow_as_the_controller_does),
      cmocka_unit_test(integrals_are_named_by_their_keys),
      cmocka_unit_test(position_behind_a_soft_gear_grows),
      cmocka_unit_test(modes_agree),
      cmocka_unit_test(modes_tell_of_clocks),
      cmocka_unit_test(modes_see_what_pushes),
      cmocka_unit_test(run_grows_as_its_multiplier),
      cmocka_unit_test(exponential_is_exact),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

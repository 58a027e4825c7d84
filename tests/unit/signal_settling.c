// signal_settling.c - residual vibration: of tails whose motion is known, and of arms.
#include "channel_fixture.h"

#define TURN 6.283185307179586

enum { N = 4001 };

static double t[N], position[3 * N], error[3 * N];

// A tail that starts at 1 s, every millisecond: at rest in (1, 2, 0).
static lim_tail tail(void) {
  for (int i = 0; i < N; i++) {
    t[i] = 1 + 1e-3 * i;
    position[3 * i] = 1, position[3 * i + 1] = 2, position[3 * i + 2] = 0;
    error[3 * i] = 0, error[3 * i + 1] = -0.01, error[3 * i + 2] = 0;
  }
  return (lim_tail){
      .start = 1, .peak = 0.05, .count = N, .capacity = N, .t = t, .position = position, .error = error};
}

// A decaying sine along a direction.
static void vibrate(const double d[3], double amplitude, double frequency, double zeta) {
  for (int i = 0; i < N; i++) {
    const double s = t[i] - 1, w = TURN * frequency;
    const double value = amplitude * exp(-zeta * w * s) * cos(w * sqrt(1 - zeta * zeta) * s);
    for (int k = 0; k < 3; k++) position[3 * i + k] += d[k] * value;
  }
}

static lim_residual residual(const lim_tail *x, lim_settle settle) {
  lim_residual r;
  assert_int_equal(lim_residual_of(&r, x, settle, NULL), LIM_OK);
  return r;
}

static void assert_close(double value, double expected, double tolerance) {
  if (!(fabs(value - expected) <= tolerance)) fail_msg("%.15g, expected %.15g", value, expected);
}

static void decay_gives_frequency_damping_and_settling(void **state) {
  (void)state;
  const double d[3] = {0.6, 0.8, 0}, ratios[] = {0.002, 0.0115, 0.03};
  for (int k = 0; k < 3; k++) {
    const double zeta = ratios[k], f = 12.6;
    lim_tail x = tail();
    vibrate(d, 0.004, f, zeta);
    lim_residual r = residual(&x, (lim_settle){0});
    assert_true(r.there);
    assert_int_equal(r.nfrequency, 1);
    assert_close(r.frequency[0] / (f * sqrt(1 - zeta * zeta)), 1, 1e-3);
    assert_close(r.damping / zeta, 1, 0.02);
    assert_close(r.direction[0], 0.6, 1e-6);
    assert_close(r.direction[1], 0.8, 1e-6);
    assert_close(r.level[0], 1, 1e-6);
    assert_close(r.error[1], -0.01, 1e-12);
    const double half = (1 + exp(-zeta * TURN / 2)) / 2; // the first half wave back
    assert_close(r.amplitude, 0.004 * half, 2e-5);
    assert_close(r.axis[1], 0.8 * r.amplitude, 1e-9);
    assert_close(r.band, 0.001, 1e-15);           // 2 % of the peak error
    const double at = log(4) / (zeta * TURN * f); // when the envelope is in the band
    if (at > 3.9) {
      assert_true(isnan(r.settling_time));
      continue;
    }
    assert_true(r.settling_time <= at + 1e-3 && r.settling_time > at - 0.5 / f);
  }
}

static void undamped_vibration_never_settles(void **state) {
  (void)state;
  lim_tail x = tail();
  vibrate((double[3]){0, 1, 0}, 0.004, 12.6, 0);
  lim_residual r = residual(&x, (lim_settle){0});
  assert_true(isnan(r.settling_time));
  assert_close(r.damping, 0, 1e-5);
  assert_close(r.amplitude, 0.004, 1e-6);
  r = residual(&x, (lim_settle){.distance = 0.0041});
  assert_true(r.settling_time == 0 && r.band == 0.0041);
  r = residual(&x, (lim_settle){.share = 0.1});
  assert_close(r.band, 0.005, 1e-15);
}

static void several_modes_are_told_strongest_first(void **state) {
  (void)state;
  lim_tail x = tail();
  vibrate((double[3]){0, 1, 0}, 0.002, 40.3, 0);
  vibrate((double[3]){0, 1, 0}, 0.004, 12.6, 0.001);
  lim_residual r = residual(&x, (lim_settle){0});
  assert_int_equal(r.nfrequency, 2);
  assert_close(r.frequency[0], 12.6, 0.01);
  assert_close(r.frequency[1], 40.3, 0.01);
  assert_close(r.line[1], 0.002, 1e-5);
  assert_close(r.damping / 0.001, 1, 0.02); // of the first alone
}

static void creep_settles_without_frequency(void **state) {
  (void)state;
  lim_tail x = tail();
  for (int i = 0; i < N; i++) position[3 * i] += 0.01 * exp(-(t[i] - 1) / 0.2);
  lim_residual r = residual(&x, (lim_settle){0});
  assert_int_equal(r.nfrequency, 0);
  assert_true(isnan(r.damping));
  assert_close(r.level[0], 1, 1e-9);
  assert_close(r.settling_time, 0.2 * log(10), 1e-4);
}

static void rest_is_settled_from_the_start(void **state) {
  (void)state;
  lim_tail x = tail();
  lim_residual r = residual(&x, (lim_settle){0});
  assert_true(r.there && r.amplitude == 0 && r.settling_time == 0 && r.nfrequency == 0);
  assert_close(r.level[1], 2, 1e-12);
}

static void short_or_broken_tails_tell_nothing(void **state) {
  (void)state;
  lim_tail x = tail();
  x.count = 7;
  assert_false(residual(&x, (lim_settle){0}).there);
  x = tail();
  position[100] = NAN;
  assert_false(residual(&x, (lim_settle){0}).there);
  x = tail();
  x.start = INFINITY;
  assert_false(residual(&x, (lim_settle){0}).there);
}

// --- when commands end ---

#define ARM(more) HEAD("[0, 0, 0]") "solver: {duration: 2 s}\nlinks:\n  - name: arm\n    " BEAM "\n" more

static double start_of(const char *text) {
  arm x;
  lim_tail tail;
  arm_start(&x, text);
  lim_tail_start(&tail, arm_snapshot(&x, 0));
  arm_end(&x);
  return tail.start;
}

static void tail_starts_when_the_last_command_ends(void **state) {
  (void)state;
  const char *none = ARM(""), *motion = ARM("motion: {arm: {profile: cycloidal, to: 1, duration: 0.7}}\n");
  const char *effort = ARM(
      "drives: {arm: {type: effort, effort: {profile: bang-bang, amplitude: 1, start: 0.1, duration: 0.6}}}\n");
  const char *endless = ARM("motion: {arm: {profile: harmonic, amplitude: 1, frequency: 2}}\n");
  const char *late = ARM("motion: {arm: {profile: cycloidal, to: 1, duration: 3}}\n");
  const char *load =
      ARM("motion: {arm: {profile: cycloidal, to: 1, duration: 0.7}}\n"
          "loads: [{at: tip, force: [0, 1, 0], to: 1.5}, {at: tip, force: [0, 1, 0], from: 0.2}]\n");
  assert_true(isinf(start_of(none)));
  assert_close(start_of(motion), 0.7, 1e-12);
  assert_close(start_of(effort), 0.7, 1e-12);
  assert_true(isinf(start_of(endless)));
  assert_true(isinf(start_of(late)));
  assert_close(start_of(load), 1.5, 1e-12);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(decay_gives_frequency_damping_and_settling),
      cmocka_unit_test(undamped_vibration_never_settles),
      cmocka_unit_test(several_modes_are_told_strongest_first),
      cmocka_unit_test(creep_settles_without_frequency),
      cmocka_unit_test(rest_is_settled_from_the_start),
      cmocka_unit_test(short_or_broken_tails_tell_nothing),
      cmocka_unit_test(tail_starts_when_the_last_command_ends),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

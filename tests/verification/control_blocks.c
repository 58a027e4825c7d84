// control_blocks.c - blocks against closed forms: step responses of filters, shapes of static blocks, clocks,
// noise that repeats itself.
#include "control_fixture.h"

static const double PI = 3.141592653589793;

// Nothing moves; `blocks` work on their own.
#define BLOCKS(blocks)                                                                                         \
  "limber: 1\n"                                                                                                \
  "gravity: [0, 0, 0]\n"                                                                                       \
  "links: [{name: block, joint: {type: prismatic, axis: [1, 0, 0]}, body: {mass: 2}}]\n"                       \
  "blocks:\n" blocks "solver: {duration: 1 s, step: 0.5 ms, tolerance: 1e-12}\n"                               \
  "outputs: {every: 10 ms}\n"

// --- step responses ---

static const char filters[] = BLOCKS(
    "  - {name: one, type: signal, value: 1}\n"
    "  - {name: integral, type: integrator, input: one, gain: 3, initial: 0.5}\n"
    "  - {name: first, type: first-order, input: one, gain: 2, time: 0.07}\n"
    "  - {name: second, type: second-order, input: one, gain: 1.5, frequency: 3 Hz, damping: 0.2}\n"
    "  - {name: lead, type: lead-lag, input: one, gain: 2, lead: 0.3, lag: 0.05}\n"
    "  - {name: notch, type: notch, input: one, frequency: 4 Hz, damping: 0.3, depth: 0.1}\n"
    "  - {name: fraction, type: transfer-function, input: one, num: [3, 1], den: [1, 8, 17, 10]}\n"
    "  - {name: biproper, type: transfer-function, input: one, gain: 2, num: [1, 0, 4], den: [2, 6, 4]}\n");

static double integral(double t) { return 0.5 + 3 * t; }
static double first(double t) { return 2 * (1 - exp(-t / 0.07)); }
static double second(double t) {
  double w = 6 * PI, z = 0.2, d = w * sqrt(1 - z * z);
  return 1.5 * (1 - exp(-z * w * t) * (cos(d * t) + z * w / d * sin(d * t)));
}
static double lead(double t) { return 2 * (1 + (0.3 / 0.05 - 1) * exp(-t / 0.05)); }
static double notch(double t) {
  double w = 8 * PI, z = 0.3, d = w * sqrt(1 - z * z);
  return 1 + 2 * z * w * (0.1 - 1) * exp(-z * w * t) * sin(d * t) / d;
}
// (3 s + 1)/(s (s + 1)(s + 2)(s + 5)) = 0.1/s + 0.5/(s + 1) - (5/6)/(s + 2) + (7/30)/(s + 5)
static double fraction(double t) {
  return 0.1 + 0.5 * exp(-t) - 5.0 / 6 * exp(-2 * t) + 7.0 / 30 * exp(-5 * t);
}
// (s^2 + 4)/(s (s + 1)(s + 2)) = 2/s - 5/(s + 1) + 4/(s + 2)
static double biproper(double t) { return 2 - 5 * exp(-t) + 4 * exp(-2 * t); }

static const struct {
  const char *name;
  double (*expected)(double t);
} FILTERS[] = {{"integral", integral}, {"first", first},       {"second", second},    {"lead", lead},
               {"notch", notch},       {"fraction", fraction}, {"biproper", biproper}};
enum { NFILTERS = sizeof FILTERS / sizeof *FILTERS };

static void watch_filters(void *user, const lim_snapshot *m) {
  double *worst = user;
  for (int i = 0; i < NFILTERS; i++)
    worst[i] = fmax(worst[i], fabs(block_output(m, FILTERS[i].name) - FILTERS[i].expected(m->t)));
}

static void filters_give_their_closed_step_responses(void **state) {
  (void)state;
  table_head("Step responses of filters, largest error in 1 s");
  for (int k = 0; k < EXPLICIT; k++) {
    double worst[NFILTERS] = {0};
    run_text(filters, (const char *[]){METHODS[k], NULL}, watch_filters, worst);
    for (int i = 0; i < NFILTERS; i++) {
      char what[80];
      snprintf(what, sizeof what, "%s, %s", method_name(METHODS[k]), FILTERS[i].name);
      table_bound(what, worst[i], 1e-8, "closed form");
    }
  }
}

static void implicit_methods_take_filters_with_second_order(void **state) {
  (void)state;
  table_head("The same: error of a step of 1 ms over that of 0.5 ms");
  for (int k = EXPLICIT; k < NMETHODS; k++) {
    double worst[2][NFILTERS] = {{0}};
    for (int h = 0; h < 2; h++)
      run_text(filters, (const char *[]){METHODS[k], h ? "solver.step=0.5 ms" : "solver.step=1 ms", NULL},
               watch_filters, worst[h]);
    for (int i = 1; i < NFILTERS; i++) {
      char what[80];
      snprintf(what, sizeof what, "%s, %s", method_name(METHODS[k]), FILTERS[i].name);
      table_row(what, worst[0][i] / worst[1][i], 4, 0.02, "trapezoidal rule");
    }
    table_bound("integral", worst[1][0], 1e-12, "exact but for the rounding of 2000 sums");
  }
}

// --- static blocks ---

static const char shapes[] =
    BLOCKS("  - {name: ramp, type: signal, value: {profile: via, points: [[0, -3], [1, 3]]}}\n"
           "  - {name: twice, type: gain, input: ramp, gain: 2}\n"
           "  - {name: added, type: sum, input: [ramp, twice, ramp], weights: [1, -2, 0.5]}\n"
           "  - {name: plain, type: sum, input: [ramp, twice]}\n"
           "  - {name: limited, type: limiter, input: ramp, limits: [-1, 2]}\n"
           "  - {name: zone, type: dead-zone, input: ramp, limits: [-0.5, 1]}\n"
           "  - {name: bent, type: table, input: ramp, x: [-1, 0, 2], y: [5, 0, 1]}\n");

static void watch_shapes(void *user, const lim_snapshot *m) {
  double *worst = user, u = block_output(m, "ramp");
  double bent = u < 0 ? -5 * u : u / 2;
  const double off[] = {block_output(m, "twice") - 2 * u,
                        block_output(m, "added") - (u - 4 * u + 0.5 * u),
                        block_output(m, "plain") - 3 * u,
                        block_output(m, "limited") - (u < -1  ? -1
                                                      : u > 2 ? 2
                                                              : u),
                        block_output(m, "zone") - (u < -0.5 ? u + 0.5
                                                   : u > 1  ? u - 1
                                                            : 0),
                        block_output(m, "bent") - bent};
  for (int i = 0; i < 6; i++) worst[0] = fmax(worst[0], fabs(off[i]));
  worst[1] = fmax(worst[1], fabs(u));
}

static void static_blocks_have_their_shapes(void **state) {
  (void)state;
  double worst[2] = {0};
  run_text(shapes, NULL, watch_shapes, worst);
  table_head("Gain, sum, limiter, dead zone, table along a ramp from -3 to 3");
  table_bound("largest error", worst[0], 1e-14, "their definitions");
  table_row("largest input", worst[1], 3, 1e-12, "the ramp is there");
}

// --- clocks ---

// A clock of 30 Hz against records every 10 ms; a delay of 2.4 periods.
static const char clocks[] = BLOCKS(
    "  - {name: wave, type: signal, value: {profile: harmonic, amplitude: 2, frequency: 1.3 Hz, phase: 0.4}}\n"
    "  - {name: held, type: sample-hold, input: wave, rate: 30 Hz}\n"
    "  - {name: late, type: delay, input: wave, rate: 30 Hz, delay: 80 ms, initial: 9}\n"
    "  - {name: whole, type: delay, input: wave, rate: 50 Hz, delay: 60 ms}\n"
    "  - {name: again, type: sample-hold, input: held, rate: 10 Hz}\n"
    "  - {name: slow, type: rate-limiter, input: wave, rate: 100 Hz, limit: 5}\n");

static double wave(double t) { return 2 * sin(2 * PI * 1.3 * t + 0.4); }

// The last tick before a moment: records show what holds until there.
static double last_tick(double t, double rate, double shift) {
  return fmax(ceil((t - shift) * rate - 1e-6) - 1, 0) / rate;
}

typedef struct {
  double worst, slow, before, late;
  int count;
} clock_errors;

static void watch_clocks(void *user, const lim_snapshot *m) {
  clock_errors *x = user;
  double t = m->t, at = last_tick(t, 30, 0);
  x->worst = fmax(x->worst, fabs(block_output(m, "held") - wave(at)));
  if (t <= 0.0801) x->before = fmax(x->before, fabs(block_output(m, "late") - 9));
  if (t > 0.0801) x->late = fmax(x->late, fabs(block_output(m, "late") - wave(last_tick(t, 30, 0.08))));
  double whole = t <= 0.0601 ? 0 : wave(last_tick(t, 50, 0.06));
  x->late = fmax(x->late, fabs(block_output(m, "whole") - whole));
  x->worst =
      fmax(x->worst, fabs(block_output(m, "again") - wave(last_tick(last_tick(t, 10, 0) + 1e-5, 30, 0))));
  // the rate limiter: its own recursion, a tick per record
  if (x->count > 0) {
    double step = fmin(fmax(wave(t - 0.01) - x->slow, -0.05), 0.05);
    if (x->count > 1) x->slow += step;
    x->worst = fmax(x->worst, fabs(block_output(m, "slow") - x->slow));
  }
  x->count++;
}

static void sampled_blocks_run_at_their_rates(void **state) {
  (void)state;
  table_head("Sample and hold, delay, rate limiter: largest error at 100 moments");
  for (int i = 0; i < NMETHODS; i++) {
    clock_errors x = {0};
    run_text(clocks, (const char *[]){METHODS[i], "solver.step=7 ms", NULL}, watch_clocks, &x);
    table_bound(method_name(METHODS[i]), x.worst, 1e-12, "the samples themselves");
    table_bound("  delay of 2.4 and of 3 periods", x.late, 1e-12, "the samples, later");
    table_bound("  before the first sample comes out", x.before, 0, "initial");
  }
}

// --- noise ---

static const char noisy[] =
    BLOCKS("  - {name: a, type: noise, rate: 1 kHz, deviation: 2, seed: 7}\n"
           "  - {name: b, type: noise, rate: 1 kHz, deviation: 2, seed: 8}\n"
           "  - {name: zero, type: signal, value: 0.123456}\n"
           "  - {name: encoder, type: sensor, input: zero, rate: 1 kHz, resolution: 0.01}\n"
           "  - {name: gauge, type: sensor, input: zero, rate: 1 kHz, deviation: 2, seed: 7}\n");

enum { SAMPLES = 1001 };
typedef struct {
  double a[SAMPLES], b[SAMPLES];
  double encoder, gauge;
  int count;
} noise_record;

static void watch_noise(void *user, const lim_snapshot *m) {
  noise_record *x = user;
  assert_true(x->count < SAMPLES);
  x->a[x->count] = block_output(m, "a");
  x->b[x->count] = block_output(m, "b");
  x->encoder = fmax(x->encoder, fabs(block_output(m, "encoder") - 0.12));
  x->gauge = fmax(x->gauge, fabs(block_output(m, "gauge") - 0.123456 - block_output(m, "a")));
  x->count++;
}

static void noise_is_normal_and_repeats_itself(void **state) {
  (void)state;
  static noise_record x[NMETHODS];
  memset(x, 0, sizeof x);
  for (int i = 0; i < NMETHODS; i++)
    run_text(noisy, (const char *[]){METHODS[i], "outputs.every=1 ms", NULL}, watch_noise, &x[i]);
  double sum = 0, square = 0, product = 0, other = 0, next = 0, fourth = 0;
  for (int k = 1; k < SAMPLES; k++) {
    double a = x[0].a[k] / 2, b = x[0].b[k] / 2;
    sum += a;
    square += a * a;
    fourth += a * a * a * a;
    product += a * b;
    next += a * x[0].a[k - 1] / 2;
    for (int i = 1; i < NMETHODS; i++) other = fmax(other, fabs(x[i].a[k] - x[0].a[k]));
  }
  const double n = SAMPLES - 1, three = 3 / sqrt(n); // deviations of the mean
  table_head("1000 numbers of noise");
  table_bound("mean over the deviation", fabs(sum / n), three, "3 deviations of the mean");
  table_bound("variance - 1", fabs(square / n - 1), three * sqrt(2), "3 deviations");
  table_bound("fourth moment - 3", fabs(fourth / n - 3), three * sqrt(96), "3 deviations: of a normal law");
  table_bound("correlation with another seed", fabs(product / n), three, "3 deviations");
  table_bound("correlation with the number before", fabs(next / n), three, "3 deviations");
  table_bound("difference between methods", other, 0, "the same numbers");
  table_bound("sensor: rounded to 0.01", x[0].encoder, 1e-15, "0.12");
  table_bound("sensor: with the noise of its seed", x[0].gauge, 1e-15, "the same numbers");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(filters_give_their_closed_step_responses),
      cmocka_unit_test(implicit_methods_take_filters_with_second_order),
      cmocka_unit_test(static_blocks_have_their_shapes),
      cmocka_unit_test(sampled_blocks_run_at_their_rates),
      cmocka_unit_test(noise_is_normal_and_repeats_itself),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

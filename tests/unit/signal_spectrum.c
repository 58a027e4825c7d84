// signal_spectrum.c - densities and peaks of signals whose spectrum is known.
#include "signal/spectrum.h"

#include "fixture.h"

#define TURN 6.283185307179586

enum { MOST = 1 << 15 };

static double t[MOST], x[MOST];

static void at_rate(double rate, int n) {
  for (int i = 0; i < n; i++) t[i] = i / rate;
}

static void add_sine(double amplitude, double frequency, double phase, int n) {
  for (int i = 0; i < n; i++) x[i] += amplitude * sin(TURN * frequency * t[i] + phase);
}

// Numbers between -1 and 1, of variance 1/3, the same in every run.
static void add_noise(int n) {
  unsigned long long state = 88172645463325252ULL;
  for (int i = 0; i < n; i++) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    x[i] += (double)(state >> 11) / 4503599627370496.0 - 1;
  }
}

static int clear(void **state) {
  (void)state;
  memset(x, 0, sizeof x);
  return 0;
}

static lim_spectrum *spectrum(int n, lim_spectrum_setup setup) {
  lim_spectrum *s = NULL;
  lim_error err = {0};
  if (lim_spectrum_new(&s, t, x, n, &setup, &err) != LIM_OK) fail_msg("%s", err.note[0].text);
  return s;
}

static lim_spectrum_setup with(lim_window window) {
  lim_spectrum_setup u = lim_spectrum_default();
  u.window = window;
  return u;
}

static double integral(const lim_spectrum *s) {
  double sum = 0;
  for (int i = 0; i < s->count; i++) sum += s->density[i] * s->step;
  return sum;
}

static void assert_close(double value, double expected, double tolerance) {
  if (!(fabs(value - expected) <= tolerance)) fail_msg("%.15g, expected %.15g", value, expected);
}

// --- density ---

static void integral_of_rectangular_density_is_the_variance(void **state) {
  (void)state;
  const int sizes[] = {8, 9, 97, 1000, 1001, 4096, 30000}; // also odd and prime ones
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    const int n = sizes[k];
    double mean = 0, square = 0;
    clear(NULL);
    at_rate(250, n);
    add_noise(n);
    add_sine(3, 20.3, 0.4, n);
    for (int i = 0; i < n; i++) x[i] += 7, mean += x[i] / n;
    for (int i = 0; i < n; i++) square += (x[i] - mean) * (x[i] - mean) / n;
    lim_spectrum *s = spectrum(n, with(LIM_WINDOW_RECTANGULAR));
    assert_close(integral(s) / square, 1, 1e-12);
    assert_close(s->variance / square, 1, 1e-12);
    lim_spectrum_free(s);
  }
}

static void integral_of_windowed_density_is_the_windowed_energy(void **state) {
  (void)state;
  enum { N = 600 };
  static double w[N];
  at_rate(10, N);
  add_noise(N);
  for (int k = 0; lim_window_names[k]; k++) {
    double energy = 0, square = 0;
    lim_spectrum_setup u = with((lim_window)k);
    u.detrend = LIM_DETREND_NONE;
    lim_window_fill(w, (lim_window)k, N);
    for (int i = 0; i < N; i++) energy += w[i] * x[i] * w[i] * x[i], square += w[i] * w[i];
    lim_spectrum *s = spectrum(N, u);
    assert_close(integral(s) / (energy / square), 1, 1e-12);
    lim_spectrum_free(s);
  }
}

static void density_matches_the_sum(void **state) {
  (void)state;
  enum { N = 512 };
  at_rate(1, N);
  add_noise(N);
  add_sine(10, 0.1037, 1, N);
  lim_spectrum_setup u = with(LIM_WINDOW_RECTANGULAR);
  u.detrend = LIM_DETREND_NONE;
  lim_spectrum *s = spectrum(N, u);
  double highest = 0, worst = 0;
  for (int k = 0; k < s->count; k++) highest = fmax(highest, s->density[k]);
  for (int k = 0; k < s->count; k++) {
    double re = 0, im = 0;
    for (int i = 0; i < N; i++) re += x[i] * cos(TURN * k * i / N), im += x[i] * sin(TURN * k * i / N);
    const double exact = (k == 0 || k == N / 2 ? 1 : 2) * (re * re + im * im) / N;
    worst = fmax(worst, fabs(sqrt(s->density[k]) - sqrt(exact)) / sqrt(highest));
  }
  print_message("amplitudes: %.2g of the highest\n", worst);
  assert_true(worst < 1e-14);
  lim_spectrum_free(s);
}

static void sine_of_whole_periods_stands_on_nothing(void **state) {
  (void)state;
  enum { N = 1000 };
  double highest = 0, floor = 0;
  at_rate(1, N);
  for (int i = 0; i < N; i++) x[i] = sin(TURN * (i * 100 % N) / N);
  lim_spectrum *s = spectrum(N, with(LIM_WINDOW_RECTANGULAR));
  assert_int_equal(s->count, N / 2 + 1); // a fast size
  for (int k = 0; k < s->count; k++) highest = fmax(highest, s->density[k]);
  for (int k = 0; k < s->count; k++)
    if (k != 100) floor = fmax(floor, s->density[k]);
  print_message("floor: %.2g of the amplitude\n", sqrt(floor / highest));
  assert_true(sqrt(floor / highest) < 1e-14);
  lim_spectrum_free(s);
}

static void white_noise_has_its_level_everywhere(void **state) {
  (void)state;
  const double rate = 200, level = 2 * (1.0 / 3) / rate;
  at_rate(rate, MOST);
  add_noise(MOST);
  lim_spectrum_setup u = lim_spectrum_default();
  u.segments = 255; // 256 samples each
  lim_spectrum *s = spectrum(MOST, u);
  assert_int_equal(s->length, 256);
  double mean = 0;
  for (int k = 2; k < s->count - 2; k++) {
    mean += s->density[k] / (s->count - 4);
    assert_close(s->density[k] / level, 1, 0.4); // about five standard deviations of so many averages
  }
  assert_close(mean / level, 1, 0.02);
  lim_spectrum_free(s);
}

static void lines_are_removed_by_linear_detrend(void **state) {
  (void)state;
  enum { N = 1000 };
  at_rate(100, N);
  for (int i = 0; i < N; i++) x[i] = 5 - 3 * t[i];
  lim_spectrum_setup u = lim_spectrum_default();
  u.detrend = LIM_DETREND_LINEAR;
  lim_spectrum *s = spectrum(N, u);
  assert_true(s->variance < 1e-24);
  lim_spectrum_free(s);
  u.detrend = LIM_DETREND_MEAN;
  u.window = LIM_WINDOW_RECTANGULAR;
  s = spectrum(N, u);
  assert_close(s->variance, 9 * 100 / 12.0, 1e-3);
  lim_spectrum_free(s);
  u.detrend = LIM_DETREND_NONE;
  s = spectrum(N, u);
  assert_close(s->variance, 9 * 100 / 12.0 + 100 + 1e-2, 0.5);
  lim_spectrum_free(s);
}

static void constant_channel_has_no_density_and_no_peak(void **state) {
  (void)state;
  at_rate(100, 100);
  lim_spectrum *s = spectrum(100, lim_spectrum_default());
  assert_true(s->variance == 0 && s->npeak == 0 && s->density[3] == 0);
  lim_spectrum_free(s);
}

// --- peaks ---

static void sine_between_bins_is_found_with_every_window(void **state) {
  (void)state;
  enum { N = 1000 };
  const double rate = 500, bin = rate / N;
  at_rate(rate, N);
  for (int k = 0; lim_window_names[k]; k++)
    for (int part = 0; part <= 10; part++) {
      const double f = (40 + part / 10.0) * bin;
      clear(NULL);
      add_sine(2.5, f, 0.3 * part, N);
      lim_spectrum *s = spectrum(N, with((lim_window)k));
      assert_int_equal(s->npeak, 1); // no side lobes among them
      assert_close(s->peak[0].frequency, f, (k == LIM_WINDOW_RECTANGULAR ? 0.02 : 5e-3) * bin);
      assert_close(s->peak[0].amplitude, 2.5, k == LIM_WINDOW_RECTANGULAR ? 0.05 : 2.5e-3);
      assert_true(s->peak[0].share > 0.89);
      lim_spectrum_free(s);
    }
}

static void two_sines_60_dB_apart_are_both_found(void **state) {
  (void)state;
  enum { N = 2000 };
  const lim_window windows[] = {LIM_WINDOW_HANN, LIM_WINDOW_BLACKMAN, LIM_WINDOW_FLATTOP};
  at_rate(1000, N);
  add_sine(1, 50.21, 0, N);
  add_sine(1e-3, 70.13, 1, N);
  for (size_t k = 0; k < 3; k++) {
    lim_spectrum *s = spectrum(N, with(windows[k]));
    assert_int_equal(s->npeak, 2);
    assert_close(s->peak[0].frequency, 50.21, 0.01);
    assert_close(s->peak[1].frequency, 70.13, 0.05); // a tenth of a bin
    assert_close(s->peak[1].amplitude, 1e-3, 1e-4);
    assert_close(s->peak[1].share, 1e-6, 2e-7);
    lim_spectrum_free(s);
  }
}

static void peaks_are_sorted_by_size_and_limited(void **state) {
  (void)state;
  enum { N = 4000 };
  at_rate(1000, N);
  add_sine(0.5, 33.3, 0, N);
  add_sine(2, 200.4, 0, N);
  add_sine(1, 99.9, 0, N);
  lim_spectrum *s = spectrum(N, lim_spectrum_default());
  assert_int_equal(s->npeak, 3);
  const double expected[] = {200.4, 99.9, 33.3}, amplitude[] = {2, 1, 0.5};
  for (int i = 0; i < 3; i++) {
    assert_close(s->peak[i].frequency, expected[i], 1e-3);
    assert_close(s->peak[i].amplitude, amplitude[i], 1e-3);
    assert_close(s->peak[i].share, amplitude[i] * amplitude[i] / 5.25, 1e-3);
  }
  lim_spectrum_free(s);
  lim_spectrum_setup u = lim_spectrum_default();
  u.peaks = 1;
  s = spectrum(N, u);
  assert_int_equal(s->npeak, 1);
  assert_close(s->peak[0].frequency, 200.4, 1e-3);
  lim_spectrum_free(s);
}

static void sine_in_averaged_segments_keeps_frequency_and_amplitude(void **state) {
  (void)state;
  enum { N = 8000 };
  at_rate(1000, N);
  add_noise(N);
  add_sine(3, 61.7, 0, N);
  lim_spectrum_setup u = lim_spectrum_default();
  u.segments = 15;
  lim_spectrum *s = spectrum(N, u);
  assert_int_equal(s->length, 1000);
  assert_close(s->peak[0].frequency, 61.7, 0.02);
  assert_close(s->peak[0].amplitude, 3, 0.03);
  lim_spectrum_free(s);
}

static void decay_of_an_oscillator_has_its_damped_frequency(void **state) {
  (void)state;
  enum { N = 4000 };
  const double f = 12.591, zeta = 0.0115;
  at_rate(1000, N);
  add_sine(1e-3, f * sqrt(1 - zeta * zeta), 1, N);
  for (int i = 0; i < N; i++) x[i] *= exp(-zeta * TURN * f * t[i]);
  lim_spectrum *s = spectrum(N, lim_spectrum_default());
  assert_close(s->peak[0].frequency / (f * sqrt(1 - zeta * zeta)), 1, 1e-3);
  lim_spectrum_free(s);
}

// --- times ---

static void uneven_times_are_resampled(void **state) {
  (void)state;
  enum { N = 4000 };
  for (int i = 0; i < N; i++) t[i] = 1e-3 * (i + 0.3 * sin(0.01 * i));
  add_sine(1, 20.2, 0, N);
  lim_spectrum *s = spectrum(N, lim_spectrum_default());
  assert_true(s->resampled);
  assert_close(s->peak[0].frequency, 20.2, 1e-3);
  assert_close(s->peak[0].amplitude, 1, 1e-3);
  lim_spectrum_free(s);
}

static void repeated_times_and_a_short_last_step_stay_even(void **state) {
  (void)state;
  enum { N = 1003 };
  for (int i = 0; i < N; i++) t[i] = 1e-3 * (i < 500 ? i : i - 1);
  t[N - 1] = t[N - 2] + 3e-4;
  add_sine(1, 20.2, 0, N);
  lim_spectrum *s = spectrum(N, lim_spectrum_default());
  assert_false(s->resampled);
  assert_int_equal(s->samples, 1001);
  assert_close(s->rate, 1000, 1e-6);
  lim_spectrum_free(s);
}

static void refused(int n, lim_spectrum_setup u, const char *message) {
  lim_spectrum *s;
  lim_error err = {0};
  assert_int_equal(lim_spectrum_new(&s, t, x, n, &u, &err), LIM_BAD_INPUT);
  assert_null(s);
  if (!strstr(err.note[0].text, message)) fail_msg("%s", err.note[0].text);
  lim_error_clear(&err);
}

static void bad_series_are_refused(void **state) {
  (void)state;
  lim_spectrum_setup u = lim_spectrum_default();
  at_rate(100, 100);
  refused(7, u, "7 samples in 1 segment are too few");
  refused(0, u, "0 samples");
  refused(1, u, "1 samples");
  u.segments = 50;
  refused(100, u, "100 samples in 50 segments are too few");
  u.segments = 1;
  x[40] = NAN;
  refused(100, u, "the value at t = 0.4 s is not a number");
  x[40] = INFINITY;
  refused(100, u, "the value at t = 0.4 s is not a number");
  x[40] = 0;
  t[50] = 0.3;
  refused(100, u, "times must not fall, but 0.3 s follows 0.49 s");
  at_rate(100, 100);
  for (int i = 50; i < 100; i++) t[i] += 2;
  refused(100, u, "too uneven");
  t[3] = NAN;
  refused(100, u, "the time of row 4 is not a number");
}

#define TEST(name) cmocka_unit_test_setup(name, clear)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(integral_of_rectangular_density_is_the_variance),
      TEST(integral_of_windowed_density_is_the_windowed_energy),
      TEST(density_matches_the_sum),
      TEST(sine_of_whole_periods_stands_on_nothing),
      TEST(white_noise_has_its_level_everywhere),
      TEST(lines_are_removed_by_linear_detrend),
      TEST(constant_channel_has_no_density_and_no_peak),
      TEST(sine_between_bins_is_found_with_every_window),
      TEST(two_sines_60_dB_apart_are_both_found),
      TEST(peaks_are_sorted_by_size_and_limited),
      TEST(sine_in_averaged_segments_keeps_frequency_and_amplitude),
      TEST(decay_of_an_oscillator_has_its_damped_frequency),
      TEST(uneven_times_are_resampled),
      TEST(repeated_times_and_a_short_last_step_stay_even),
      TEST(bad_series_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

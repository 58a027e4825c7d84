// signal_fft.c - fast transforms of real numbers, against the sum itself and against what it conserves.
#include "signal/fft.h"

#include "fixture.h"

#define TURN 6.283185307179586476925286766559L

enum { MOST = 1 << 16 };

static double x[MOST], y[MOST];
static lim_complex X[MOST / 2 + 1];

// Numbers between -1 and 1, the same in every run.
static void fill_noise(int n) {
  unsigned long long state = 88172645463325252ULL;
  for (int i = 0; i < n; i++) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    x[i] = (double)(state >> 11) / 4503599627370496.0 - 1;
  }
}

static void transform(const double *in, int n) {
  lim_fft f;
  assert_int_equal(lim_fft_start(&f, n, NULL), LIM_OK);
  lim_fft_real(X, &f, in);
  lim_fft_end(&f);
}

// Largest distance to the direct sum, taken in long double, over the largest value.
static double distance_to_sum(int n) {
  static long double c[MOST], s[MOST];
  double largest = 0, worst = 0;
  for (int i = 0; i < n; i++) c[i] = cosl(TURN * i / n), s[i] = sinl(TURN * i / n);
  for (int k = 0; k <= n / 2; k++) {
    long double re = 0, im = 0;
    for (int i = 0; i < n; i++) {
      const int at = (int)((long)i * k % n);
      re += x[i] * c[at], im -= x[i] * s[at];
    }
    largest = fmax(largest, (double)hypotl(re, im));
    worst = fmax(worst, (double)hypotl(X[k].re - re, X[k].im - im));
  }
  return worst / largest;
}

static void transforms_match_the_sum(void **state) {
  (void)state;
  const int sizes[] = {2,  4,  6,  8,   10,  12,  14,  16,  18,   20,   22,
                       30, 34, 98, 120, 202, 242, 360, 500, 1024, 1458, 1994};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    fill_noise(sizes[i]);
    transform(x, sizes[i]);
    const double worst = distance_to_sum(sizes[i]), limit = lim_fft_size(sizes[i]) == sizes[i] ? 1e-15 : 1e-14;
    if (!(worst < limit))
      fail_msg("n = %d: %.2g", sizes[i], worst); // long sums where a factor is a large prime
  }
}

static void energy_is_kept(void **state) {
  (void)state;
  const int sizes[] = {2, 6, 1000, 2 * 997, 46656, MOST};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    const int n = sizes[i];
    double time = 0, frequency = 0;
    fill_noise(n);
    transform(x, n);
    for (int k = 0; k < n; k++) time += x[k] * x[k];
    for (int k = 0; k <= n / 2; k++)
      frequency += (k == 0 || 2 * k == n ? 1 : 2) * (X[k].re * X[k].re + X[k].im * X[k].im) / n;
    assert_true(fabs(frequency / time - 1) < 1e-13);
  }
}

// Hartley's transform, Re X - Im X: done twice it gives n x.
static void hartley(double *out, const double *in, int n) {
  transform(in, n);
  for (int k = 0; k < n; k++)
    out[k] = k <= n / 2 ? X[k].re - X[k].im : X[n - k].re + X[n - k].im; // X_(n-k) = X_k*
}

static void transform_there_and_back_is_the_same(void **state) {
  (void)state;
  const int sizes[] = {2, 30, 254, 4096, 30000, MOST};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    const int n = sizes[i];
    double worst = 0;
    fill_noise(n);
    hartley(y, x, n);
    static double back[MOST];
    hartley(back, y, n);
    for (int k = 0; k < n; k++) worst = fmax(worst, fabs(back[k] / n - x[k]));
    assert_true(worst < 2e-15);
  }
}

static void sine_leaves_nothing_in_other_bins(void **state) {
  (void)state;
  const int sizes[] = {1000, 4096, 30000, MOST};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    const int n = sizes[i], at = n / 7;
    double worst = 0;
    for (int k = 0; k < n; k++) x[k] = (double)cosl(TURN * ((long)k * at % n) / n);
    transform(x, n);
    assert_true(fabs(X[at].re - n / 2.0) < 1e-14 * n);
    for (int k = 0; k <= n / 2; k++)
      if (k != at) worst = fmax(worst, hypot(X[k].re, X[k].im));
    print_message("%d: %.2g of the line\n", n, worst / (n / 2.0));
    assert_true(worst < 1e-15 * n / 2);
  }
}

static void fast_sizes_are_the_next_even_products(void **state) {
  (void)state;
  const int pairs[][2] = {{1, 2},    {2, 2},       {3, 4},       {7, 8},      {13, 16},
                          {97, 100}, {1000, 1000}, {1001, 1024}, {4097, 4320}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
    assert_int_equal(lim_fft_size(pairs[i][0]), pairs[i][1]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(transforms_match_the_sum),
      cmocka_unit_test(energy_is_kept),
      cmocka_unit_test(transform_there_and_back_is_the_same),
      cmocka_unit_test(sine_leaves_nothing_in_other_bins),
      cmocka_unit_test(fast_sizes_are_the_next_even_products),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

// fft.c - transform of real numbers: two of them as one complex number, n/2 of these by decimation in time with
// factors of any size (Cooley and Tukey), then taken apart.
#include "signal/fft.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

static lim_complex plus(lim_complex a, lim_complex b) { return (lim_complex){a.re + b.re, a.im + b.im}; }
static lim_complex minus(lim_complex a, lim_complex b) { return (lim_complex){a.re - b.re, a.im - b.im}; }

static lim_complex times(lim_complex a, lim_complex b) {
  return (lim_complex){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

// --- set-up ---

int lim_fft_size(int least) {
  for (int half = (least + 1) / 2;; half++) {
    int left = half;
    while (left % 2 == 0 && left > 0) left /= 2;
    while (left % 3 == 0 && left > 0) left /= 3;
    while (left % 5 == 0 && left > 0) left /= 5;
    if (left == 1) return 2 * half;
  }
}

// exp(-2 pi i k/n) to the last digit: by an angle of at most an eighth of a turn.
static lim_complex root(long k, long n) {
  const double PI = 3.14159265358979323846;
  long at = 8 * k; // of 8 n
  const bool below = at > 4 * n;
  if (below) at = 8 * n - at;
  const bool left = at > 2 * n;
  if (left) at = 4 * n - at;
  const bool steep = at > n;
  if (steep) at = 2 * n - at;
  const double angle = PI * (double)at / (4 * (double)n), c = cos(angle), s = sin(angle);
  const double x = steep ? s : c, y = steep ? c : s;
  return (lim_complex){left ? -x : x, below ? y : -y};
}

// Fours first, then primes; returns the largest.
static int fill_factors(int factor[32], int n) {
  int count = 0, largest = 1, p = 4;
  while (n > 1) {
    if (p != 4 && (long)p * p > n) p = n; // what is left is prime
    if (n % p) {
      p = p == 4 ? 2 : p == 2 ? 3 : p + 2;
      continue;
    }
    factor[count++] = p;
    n /= p;
    if (p > largest) largest = p;
  }
  factor[count] = 1;
  return largest;
}

lim_code lim_fft_start(lim_fft *f, int n, lim_error *err) {
  *f = (lim_fft){.n = n};
  const int largest = fill_factors(f->factor, n / 2);
  f->turn = malloc((size_t)n * sizeof *f->turn);
  f->half = malloc((size_t)n / 2 * sizeof *f->half);
  f->scratch = malloc((size_t)largest * sizeof *f->scratch);
  if (!f->turn || !f->half || !f->scratch) return lim_no_memory(err);
  for (int k = 0; k < n; k++) f->turn[k] = root(k, n);
  return LIM_OK;
}

void lim_fft_end(lim_fft *f) {
  free(f->turn);
  free(f->half);
  free(f->scratch);
}

// --- n/2 complex numbers ---

// Of p transforms of m numbers each, one behind the other in out, the transform of all p m. `stride` is the
// step in `turn` that belongs to 1/(p m) of a turn.
static void butterfly_2(lim_complex *out, const lim_fft *f, int stride, int m) {
  for (int u = 0; u < m; u++) {
    const lim_complex a = out[u], b = times(out[u + m], f->turn[u * stride]);
    out[u] = plus(a, b);
    out[u + m] = minus(a, b);
  }
}

static void butterfly_4(lim_complex *out, const lim_fft *f, int stride, int m) {
  for (int u = 0; u < m; u++) {
    lim_complex *x = out + u;
    const lim_complex a = x[0], b = times(x[m], f->turn[u * stride]);
    const lim_complex c = times(x[2 * m], f->turn[2 * u * stride]),
                      d = times(x[3 * m], f->turn[3 * u * stride]);
    const lim_complex even = plus(a, c), odd = minus(a, c), sum = plus(b, d), difference = minus(b, d);
    x[0] = plus(even, sum);
    x[2 * m] = minus(even, sum);
    x[m] = (lim_complex){odd.re + difference.im, odd.im - difference.re}; // odd - i difference
    x[3 * m] = (lim_complex){odd.re - difference.im, odd.im + difference.re};
  }
}

static void butterfly(lim_complex *out, const lim_fft *f, int stride, int p, int m) {
  for (int u = 0; u < m; u++) {
    for (int q = 0; q < p; q++) f->scratch[q] = out[u + q * m];
    for (int k = u; k < p * m; k += m) {
      lim_complex sum = f->scratch[0];
      for (int q = 1, at = 0; q < p; q++) {
        at += k * stride;
        if (at >= f->n) at -= f->n;
        sum = plus(sum, times(f->scratch[q], f->turn[at]));
      }
      out[k] = sum;
    }
  }
}

// The transform of count numbers of `in`, which stand `step` apart.
static void transform(lim_complex *out, const lim_complex *in, int step, const int *factor, int count,
                      const lim_fft *f) {
  const int p = *factor, m = count / p;
  if (count == 1) {
    *out = *in;
    return;
  }
  for (int i = 0; i < p; i++) transform(out + i * m, in + i * step, step * p, factor + 1, m, f);
  const int stride = 2 * step; // turn has n entries, not n/2
  if (p == 2)
    butterfly_2(out, f, stride, m);
  else if (p == 4)
    butterfly_4(out, f, stride, m);
  else
    butterfly(out, f, stride, p, m);
}

// --- real numbers ---

// Z = E + i O, the transforms of the even and the odd ones, which have E_(h-k) = E_k*; X_k = E_k + exp(-2 pi i
// k/n) O_k.
void lim_fft_real(lim_complex *X, const lim_fft *f, const double *x) {
  const int h = f->n / 2;
  for (int j = 0; j < h; j++) X[j] = (lim_complex){x[2 * j], x[2 * j + 1]};
  transform(f->half, X, 1, f->factor, h, f);
  for (int k = 0; k <= h; k++) {
    const lim_complex a = f->half[k < h ? k : 0], b = f->half[k > 0 ? h - k : 0];
    const lim_complex even = {0.5 * (a.re + b.re), 0.5 * (a.im - b.im)};
    const lim_complex odd = {0.5 * (a.im + b.im), 0.5 * (b.re - a.re)};
    X[k] = plus(even, times(odd, f->turn[k]));
  }
}

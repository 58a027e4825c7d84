// spectrum.c - density of a channel by averaged transforms of windowed segments. Reference:
// docs/reference/spectrum.md.
#include "signal/spectrum.h"

#include "signal/fft.h"
#include "signal/sampling.h"
#include "signal/spectrum_peaks.h"

#include <math.h>
#include <stdlib.h>

static const double PI = 3.14159265358979323846;

const char *const lim_window_names[] = {"hann", "hamming", "blackman", "rectangular", "flattop", NULL};
const char *const lim_detrend_names[] = {"none", "mean", "linear", NULL};

lim_spectrum_setup lim_spectrum_default(void) {
  return (lim_spectrum_setup){
      .window = LIM_WINDOW_HANN, .detrend = LIM_DETREND_MEAN, .segments = 1, .overlap = 0.5, .peaks = 5};
}

void lim_spectrum_free(lim_spectrum *s) {
  if (!s) return;
  free(s->frequency);
  free(s->density);
  free(s->peak);
  free(s);
}

// --- segments ---

void lim_window_fill(double *w, lim_window window, int n) {
  // w = a0 - a1 cos u + a2 cos 2u - a3 cos 3u + a4 cos 4u, u = 2 pi i/n
  static const double a[][5] = {
      [LIM_WINDOW_HANN] = {0.5, 0.5},
      [LIM_WINDOW_HAMMING] = {0.54, 0.46},
      [LIM_WINDOW_BLACKMAN] = {0.42, 0.5, 0.08},
      [LIM_WINDOW_RECTANGULAR] = {1},
      [LIM_WINDOW_FLATTOP] = {0.21557895, 0.41663158, 0.277263158, 0.083578947, 0.006947368}};
  for (int i = 0; i < n; i++) {
    const double u = 2 * PI * i / n, *c = a[window];
    w[i] = c[0] - c[1] * cos(u) + c[2] * cos(2 * u) - c[3] * cos(3 * u) + c[4] * cos(4 * u);
  }
}

// Less its mean, or the straight line of least squares.
static void detrend(double *x, int n, lim_detrend how) {
  double mean = 0, tilt = 0, spread = 0;
  if (how == LIM_DETREND_NONE) return;
  for (int i = 0; i < n; i++) mean += x[i] / n;
  const double middle = (n - 1) / 2.0;
  for (int i = 0; i < n && how == LIM_DETREND_LINEAR; i++) {
    tilt += (i - middle) * (x[i] - mean);
    spread += (i - middle) * (i - middle);
  }
  if (spread > 0) tilt /= spread;
  for (int i = 0; i < n; i++) x[i] -= mean + tilt * (i - middle);
}

// Length of segments that together reach over all samples.
static int segment_length(long samples, const lim_spectrum_setup *u) {
  const double lengths = 1 + (u->segments - 1) * (1 - u->overlap);
  const double length = floor((double)samples / lengths * (1 + 1e-12));
  return length > 1 << 28 ? -1 : (int)length;
}

static void fill_segments(lim_segments *g, const lim_samples_even *x, lim_detrend how) {
  const int n = g->length;
  lim_window_fill(g->w, g->window, n);
  lim_window_fill(g->sharp, g->window == LIM_WINDOW_FLATTOP ? LIM_WINDOW_HANN : g->window, n);
  for (int i = 0; i < n; i++) g->sum += g->w[i], g->square += g->w[i] * g->w[i];
  for (int k = 0; k < g->count; k++) {
    double *y = g->value + (size_t)k * (size_t)n;
    const double part = g->count > 1 ? (double)k / (g->count - 1) : 0;
    const long first = lround(part * (double)(x->count - n));
    for (int i = 0; i < n; i++) y[i] = x->value[first + i];
    detrend(y, n, how);
  }
}

static lim_code cut_segments(lim_segments *g, const lim_samples_even *x, const lim_spectrum_setup *u,
                             lim_error *err) {
  const int n = segment_length(x->count, u);
  if (n < 0) return LIM_FAIL(err, LIM_BAD_INPUT, "%ld samples are too many; choose a range", x->count);
  if (n < LIM_SPECTRUM_LEAST)
    return LIM_FAIL(err, LIM_BAD_INPUT, "%ld samples in %d segment%s are too few: a segment needs at least %d",
                    x->count, u->segments, u->segments == 1 ? "" : "s", LIM_SPECTRUM_LEAST);
  *g = (lim_segments){.window = u->window, .count = u->segments, .length = n};
  g->w = calloc((size_t)n, sizeof *g->w);
  g->sharp = calloc((size_t)n, sizeof *g->sharp);
  g->value = calloc((size_t)n * (size_t)g->count, sizeof *g->value);
  if (!g->w || !g->sharp || !g->value) return lim_no_memory(err);
  fill_segments(g, x, u->detrend);
  return LIM_OK;
}

static void free_segments(lim_segments *g) {
  free(g->w);
  free(g->sharp);
  free(g->value);
}

// --- density ---

typedef struct {
  lim_fft fft;
  double *in;       // zeros fill up the segment                  (n)
  lim_complex *out; //                                            (n/2 + 1)
} transform;

static lim_code transform_start(transform *f, int length, lim_error *err) {
  const int n = lim_fft_size(length);
  lim_code code = lim_fft_start(&f->fft, n, err);
  f->in = calloc((size_t)n, sizeof *f->in);
  f->out = calloc((size_t)n / 2 + 1, sizeof *f->out);
  return code != LIM_OK || (f->in && f->out) ? code : lim_no_memory(err);
}

static void transform_end(transform *f) {
  lim_fft_end(&f->fft);
  free(f->in);
  free(f->out);
}

// Add the powers |X_k|^2/n of a segment, one-sided, to density, which is still without its unit. Returns the
// energy sum (w x)^2, which is their sum (Parseval).
static double add_powers(double *density, transform *f, const lim_segments *g, int segment) {
  const double *y = g->value + (size_t)segment * (size_t)g->length;
  const int n = f->fft.n;
  double energy = 0;
  for (int i = 0; i < g->length; i++) {
    f->in[i] = g->w[i] * y[i];
    energy += f->in[i] * f->in[i];
  }
  lim_fft_real(f->out, &f->fft, f->in);
  for (int k = 0; k <= n / 2; k++) {
    const double re = f->out[k].re, im = f->out[k].im;
    density[k] += (k == 0 || 2 * k == n ? 1 : 2) * (re * re + im * im) / n;
  }
  return energy;
}

static lim_code fill(lim_spectrum *s, const lim_segments *g, lim_error *err) {
  transform f = {0};
  lim_code code = transform_start(&f, g->length, err);
  if (code == LIM_OK) {
    s->count = f.fft.n / 2 + 1;
    s->step = s->rate / f.fft.n;
    s->frequency = calloc((size_t)s->count, sizeof *s->frequency);
    s->density = calloc((size_t)s->count, sizeof *s->density);
    if (!s->frequency || !s->density) code = lim_no_memory(err);
  }
  for (int k = 0; k < g->count && code == LIM_OK; k++)
    s->variance += add_powers(s->density, &f, g, k) / (g->square * g->count);
  for (int k = 0; k < s->count && code == LIM_OK; k++) {
    s->frequency[k] = k * s->step;
    s->density[k] /= g->square * g->count * s->step;
  }
  transform_end(&f);
  return code;
}

static lim_code compute(lim_spectrum *s, const lim_samples_even *x, lim_segments *g,
                        const lim_spectrum_setup *setup, lim_error *err) {
  lim_code code = cut_segments(g, x, setup, err);
  if (code != LIM_OK) return code;
  s->rate = 1 / x->step;
  s->samples = x->count;
  s->segments = g->count;
  s->length = g->length;
  s->resampled = x->resampled;
  s->resolution = s->rate * g->square / (g->sum * g->sum);
  code = fill(s, g, err);
  return code == LIM_OK ? lim_spectrum_find_peaks(s, g, setup->peaks, err) : code;
}

lim_code lim_spectrum_new(lim_spectrum **out, const double *t, const double *x, long rows,
                          const lim_spectrum_setup *setup, lim_error *err) {
  lim_samples_even even;
  lim_segments g = {0};
  *out = NULL;
  lim_code code = lim_samples_even_out(&even, t, x, rows, err);
  lim_spectrum *s = code == LIM_OK ? calloc(1, sizeof *s) : NULL;
  if (code == LIM_OK) code = s ? compute(s, &even, &g, setup, err) : lim_no_memory(err);
  lim_samples_even_free(&even);
  free_segments(&g);
  if (code == LIM_OK)
    *out = s;
  else
    lim_spectrum_free(s);
  return code;
}

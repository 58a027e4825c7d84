// spectrum_peaks.c - which maxima of a density are peaks, and where they are between its frequencies.
// Reference: docs/reference/spectrum.md.
#include "signal/spectrum_peaks.h"

#include <math.h>
#include <stdlib.h>

static const double FLOOR = 1e-13; // of the highest: weaker than what runs and tables are good for
static const double STAND_OUT = 2; // over the valleys to higher ground on both sides
static const double MARGIN = 2;    // over the amplitude that leaks

// What a window makes of the amplitude of a line at some distance: 1 within its main lobe, then side lobes that
// fall.
typedef struct {
  double half; // of the main lobe [rate/length]
  double side; // highest side lobe [dB]
  double fall; // [dB] per doubling of the distance
} lobes;

static const lobes LOBES[] = {[LIM_WINDOW_HANN] = {2, 31, 18},
                              [LIM_WINDOW_HAMMING] = {2, 39, 6},
                              [LIM_WINDOW_BLACKMAN] = {3, 58, 18},
                              [LIM_WINDOW_RECTANGULAR] = {1, 13, 6},
                              [LIM_WINDOW_FLATTOP] = {5, 85, 6}};

static double leakage(lim_window window, double distance) {
  const lobes *l = &LOBES[window];
  if (distance < l->half) return 1;
  return pow(10, -(l->side + l->fall * fmax(0, log2(distance / (1.2 * l->half)))) / 20);
}

// --- candidates ---

// Whether the density falls below half of that at k before it gets higher, on one side.
static bool falls(const lim_spectrum *s, int k, int way) {
  for (int i = k + way; i >= 0 && i < s->count; i += way) {
    if (s->density[i] > s->density[k]) return false;
    if (s->density[i] * STAND_OUT <= s->density[k]) return true;
  }
  return true;
}

typedef struct {
  int k;
  double density;
} candidate;

static int higher_first(const void *a, const void *b) {
  const candidate *x = a, *y = b;
  return x->density != y->density ? (x->density < y->density) - (x->density > y->density) : x->k - y->k;
}

static int find_candidates(candidate *c, const lim_spectrum *s) {
  double highest = 0;
  int n = 0;
  for (int k = 0; k < s->count; k++) highest = fmax(highest, s->density[k]);
  for (int k = 1; k < s->count - 1; k++) {
    const double d = s->density[k];
    if (d > s->density[k - 1] && d >= s->density[k + 1] && d > FLOOR * highest && falls(s, k, -1) &&
        falls(s, k, 1))
      c[n++] = (candidate){k, d};
  }
  qsort(c, (size_t)n, sizeof *c, higher_first);
  return n;
}

// Amplitude that a line of this density at another place leaks into k.
static double leaks(const lim_spectrum *s, const lim_segments *g, int k, double at, double density) {
  return sqrt(density) * leakage(g->window, fabs(s->frequency[k] - at) * g->length / s->rate);
}

// Whether the maximum at k is more than what leaks from 0 and from the peaks found so far, all in phase, and
// stands outside of their main lobes.
static bool is_line(const lim_spectrum *s, const lim_segments *g, int k) {
  const double half = LOBES[g->window].half * s->rate / g->length;
  double sum = leaks(s, g, k, 0, 2 * s->density[0]);
  for (int i = 0; i < s->npeak; i++) {
    if (fabs(s->frequency[k] - s->peak[i].frequency) < half) return false;
    sum += leaks(s, g, k, s->peak[i].frequency, s->peak[i].density);
  }
  return sqrt(s->density[k]) > MARGIN * sum;
}

// --- between the frequencies ---

// Mean over segments of |sum w_n y_n exp(-2 pi i f n/rate)|^2.
static double power_at(const lim_segments *g, const double *w, double turns) {
  const double angle = 2 * 3.14159265358979323846 * turns, c = cos(angle), d = sin(angle);
  double sum = 0;
  for (int k = 0; k < g->count; k++) {
    const double *y = g->value + (size_t)k * (size_t)g->length;
    double re = 0, im = 0, a = 1, b = 0;
    for (int i = 0; i < g->length; i++) {
      const double next = a * c - b * d;
      re += w[i] * y[i] * a;
      im += w[i] * y[i] * b;
      b = a * d + b * c;
      a = next;
    }
    sum += re * re + im * im;
  }
  return sum / g->count;
}

static double log_power(const lim_segments *g, double turns) {
  return log(power_at(g, g->sharp, turns) + 1e-300);
}

// The top of the lobe at f: parabolas through the logarithm of the transform, each on a quarter of the one
// before once the top is within.
static double top_of(const lim_segments *g, double turns) {
  double h = 0.5 / g->length;
  for (int i = 0, within = 0; i < 12 && within < 4; i++) {
    const double l = log_power(g, turns - h), m = log_power(g, turns), r = log_power(g, turns + h);
    const double bend = l - 2 * m + r;
    double shift = bend < 0 ? (l - r) / (2 * bend) : r > l ? 1 : -1; // in steps h
    shift = fmax(-1, fmin(1, shift));
    turns += h * shift;
    if (fabs(shift) < 1) h /= 4, within++;
  }
  return fmax(0, fmin(0.5, turns));
}

// Power around k: across the main lobe, and on as long as the density falls.
static double lobe_power(const lim_spectrum *s, const lim_segments *g, int k) {
  const double half = LOBES[g->window].half * s->rate / g->length;
  double sum = s->density[k];
  for (int way = -1; way <= 1; way += 2)
    for (int i = k + way; i >= 0 && i < s->count; i += way) {
      if (fabs(s->frequency[i] - s->frequency[k]) > half && s->density[i] >= s->density[i - way]) break;
      sum += s->density[i];
    }
  return sum * s->step;
}

static int larger_first(const void *a, const void *b) {
  const lim_spectrum_peak *x = a, *y = b;
  return (x->density < y->density) - (x->density > y->density);
}

static void add_peak(lim_spectrum *s, const lim_segments *g, int k) {
  const double turns = top_of(g, s->frequency[k] / s->rate), power = power_at(g, g->w, turns);
  s->peak[s->npeak++] = (lim_spectrum_peak){.frequency = turns * s->rate,
                                            .density = 2 * power / (g->square * s->rate),
                                            .amplitude = 2 * sqrt(power) / g->sum,
                                            .share = fmin(1, lobe_power(s, g, k) / s->variance)};
}

lim_code lim_spectrum_find_peaks(lim_spectrum *s, const lim_segments *g, int max, lim_error *err) {
  candidate *c = calloc((size_t)s->count, sizeof *c);
  s->peak = calloc((size_t)max + 1, sizeof *s->peak);
  if (c && s->peak) {
    const int n = find_candidates(c, s);
    for (int i = 0; i < n && s->npeak < max; i++)
      if (is_line(s, g, c[i].k)) add_peak(s, g, c[i].k);
    qsort(s->peak, (size_t)s->npeak, sizeof *s->peak, larger_first);
  }
  lim_code code = c && s->peak ? LIM_OK : lim_no_memory(err);
  free(c);
  return code;
}

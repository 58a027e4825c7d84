// summary.c - final value, peak and root mean square, in one pass. Reference: docs/reference/channels.md.
#include "signal/summary.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

// A value no further above the peak than this share of it is the same once more: rounding does not move the
// peak's time.
static const double SAME = 1e-9;

lim_summary *lim_summary_new(int count) {
  lim_summary *s = calloc(1, sizeof *s);
  if (!s) return NULL;
  s->count = count;
  s->entry = calloc((size_t)count + 1, sizeof *s->entry);
  if (!s->entry) {
    free(s);
    return NULL;
  }
  for (int i = 0; i < count; i++) s->entry[i].scale = 1;
  return s;
}

void lim_summary_free(lim_summary *s) {
  if (!s) return;
  free(s->entry);
  free(s);
}

static void add(lim_summary_entry *e, double t, double dt, double x, bool first) {
  double size = fabs(x);
  if (first || size > e->reached * (1 + SAME) || isnan(x)) {
    e->reached = size;
    e->peak_time = t;
  }
  if (first || size > e->peak || isnan(x)) e->peak = size;
  e->square += first ? 0 * x : dt * (e->final * e->final + x * x) / 2; // trapezoidal rule; 0 x keeps NaN
  e->final = x;
}

void lim_summary_add(lim_summary *s, double t, const double *value) {
  bool first = s->moments == 0;
  for (int i = 0; i < s->count; i++) add(&s->entry[i], t, first ? 0 : t - s->end, value[i], first);
  if (first) s->start = t;
  s->end = t;
  s->moments++;
}

double lim_summary_final(const lim_summary *s, int channel) {
  return s->moments ? s->entry[channel].scale * s->entry[channel].final : NAN;
}

double lim_summary_peak(const lim_summary *s, int channel) {
  return s->moments ? s->entry[channel].scale * s->entry[channel].peak : NAN;
}

double lim_summary_rms(const lim_summary *s, int channel) {
  const lim_summary_entry *e = &s->entry[channel];
  if (!s->moments) return NAN;
  return e->scale * (s->end > s->start ? sqrt(e->square / (s->end - s->start)) : fabs(e->final));
}

// settling.c - residual vibration of the tip. Reference: docs/reference/spectrum.md.
#include "signal/settling.h"

#include "base/grow.h"
#include "math/rotation.h"
#include "signal/spectrum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double NOTHING = 1e-12; // of the tip's distance: rounding
static const double WEAK = 0.05;     // of the strongest amplitude: not told
static const double SHARE = 1e-3;    // of the variance: what is less is lost in the creep
static const double PI = 3.14159265358979323846;

static double norm(const double a[3]) { return sqrt(lim_dot(a, a)); }

// --- when the commands end ---

// The last change of a load; what is beyond the run does not matter.
static double load_end(const lim_load_in_time *x, double duration) {
  if (x->to <= duration) return x->to;
  return fmax(x->from, x->factor ? x->factor->end : 0);
}

static double commands_end(const lim_snapshot *m) {
  const lim_model *model = m->system->model;
  if (!m->equations) return INFINITY;
  const lim_inputs *a = m->equations->inputs;
  double end = 0;
  for (int i = 0; i < m->system->nbody; i++) {
    const lim_trajectory *trajectory[] = {a->drive[i].motion, a->drive[i].effort};
    for (int k = 0; k < 2; k++)
      if (trajectory[k]) end = fmax(end, trajectory[k]->end);
  }
  if (end <= 0 && !model->motion.count) return INFINITY; // nothing is commanded
  for (int i = 0; i < a->nload; i++) end = fmax(end, load_end(&a->load[i], model->solver.duration));
  return end < model->solver.duration ? end : INFINITY;
}

// --- gathering ---

void lim_tail_start(lim_tail *tail, const lim_snapshot *m) {
  *tail = (lim_tail){.start = commands_end(m), .frame = m->system->model->tool.ref.text};
}

void lim_tail_free(lim_tail *tail) {
  free(tail->t);
  free(tail->position);
  free(tail->error);
  *tail = (lim_tail){.start = INFINITY};
}

static bool make_room(lim_tail *x) {
  if ((size_t)x->count < x->capacity) return true;
  const size_t capacity = lim_grow_capacity(x->capacity, (size_t)x->count + 1);
  if (!lim_grow_to(&x->t, capacity, sizeof *x->t) ||
      !lim_grow_to(&x->position, capacity, 3 * sizeof *x->position) ||
      !lim_grow_to(&x->error, capacity, 3 * sizeof *x->error))
    return false;
  x->capacity = capacity;
  return true;
}

lim_code lim_tail_add(lim_tail *tail, const lim_snapshot *m, lim_error *err) {
  if (isinf(tail->start)) return LIM_OK;
  const lim_world_motion x = lim_snapshot_frame(m, m->system->tool),
                         rigid = lim_snapshot_frame_reference(m, m->rigid->tool);
  double e[3];
  for (int i = 0; i < 3; i++) e[i] = x.p[i] - rigid.p[i];
  tail->peak = fmax(tail->peak, norm(e));
  if (m->t < tail->start - 1e-9 * fmax(1, tail->start)) return LIM_OK;
  if (!make_room(tail)) return lim_no_memory(err);
  const size_t n = (size_t)tail->count++;
  tail->t[n] = m->t;
  memcpy(tail->position + 3 * n, x.p, sizeof x.p);
  memcpy(tail->error + 3 * n, e, sizeof e);
  return LIM_OK;
}

// --- level and direction ---

// Mean of rows (3) from `first` on, weighted by a Hann window: vibrations drop out.
static void mean_of(double mean[3], const double *row, long first, long end) {
  const double n = (double)(end - first);
  double sum = 0;
  memset(mean, 0, 3 * sizeof *mean);
  for (long i = first; i < end; i++) {
    const double w = 1 - cos(2 * PI * ((double)(i - first) + 0.5) / n);
    for (int k = 0; k < 3; k++) mean[k] += w * row[3 * i + k];
    sum += w;
  }
  for (int k = 0; k < 3; k++) mean[k] /= sum;
}

// Direction of the largest variance: the covariance is squared until only its largest eigenvector is left.
static void main_direction(double d[3], const double *p, const double mean[3], long count, double scale) {
  double C[9] = {0}, S[9];
  for (long i = 0; i < count; i++)
    for (int k = 0; k < 9; k++)
      C[k] += (p[3 * i + k / 3] - mean[k / 3]) / scale * ((p[3 * i + k % 3] - mean[k % 3]) / scale);
  for (int n = 0; n < 12; n++) {
    const double trace = C[0] + C[4] + C[8];
    for (int k = 0; k < 9; k++) C[k] /= trace;
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < 3; k++) S[3 * i + k] = lim_dot(C + 3 * i, C + 3 * k); // symmetric
    memcpy(C, S, sizeof C);
  }
  int row = C[0] >= C[4] && C[0] >= C[8] ? 0 : C[4] >= C[8] ? 1 : 2;
  const double size = norm(C + 3 * row); // the largest component is positive
  for (int k = 0; k < 3; k++) d[k] = fabs(C[3 * row + k]) > 1e-9 * size ? C[3 * row + k] / size : 0;
}

static void axis_amplitudes(double axis[3], const double *p, long count) {
  for (int k = 0; k < 3; k++) {
    double low = p[k], high = p[k];
    for (long i = 1; i < count; i++) low = fmin(low, p[3 * i + k]), high = fmax(high, p[3 * i + k]);
    axis[k] = (high - low) / 2;
  }
}

// s (count) along the direction, from the level; half of its peak to peak.
static double along_direction(double *s, const lim_residual *x, const double *p, long count) {
  double low = INFINITY, high = -INFINITY;
  for (long i = 0; i < count; i++) {
    double r[3];
    for (int k = 0; k < 3; k++) r[k] = p[3 * i + k] - x->level[k];
    s[i] = lim_dot(r, x->direction);
    low = fmin(low, s[i]);
    high = fmax(high, s[i]);
  }
  return (high - low) / 2;
}

// --- frequencies ---

static lim_code find_frequencies(lim_residual *x, const lim_tail *tail, const double *s, lim_error *err) {
  lim_spectrum_setup setup = lim_spectrum_default();
  lim_spectrum *f = NULL;
  setup.detrend = LIM_DETREND_LINEAR;
  lim_code code = lim_spectrum_new(&f, tail->t, s, tail->count, &setup, NULL);
  if (code != LIM_OK) return code == LIM_NO_MEMORY ? lim_no_memory(err) : LIM_OK;
  const double min = 2 / (tail->t[tail->count - 1] - tail->t[0]); // two periods
  double strongest = 0;
  for (int i = 0; i < f->npeak && x->nfrequency < LIM_RESIDUAL_FREQUENCIES; i++) {
    const lim_spectrum_peak *p = &f->peak[i];
    if (p->frequency < min || p->share < SHARE || p->amplitude < WEAK * strongest) continue;
    strongest = fmax(strongest, p->amplitude);
    x->line[x->nfrequency] = p->amplitude;
    x->frequency[x->nfrequency++] = p->frequency;
  }
  lim_spectrum_free(f);
  return LIM_OK;
}

// --- settling ---

static double distance(const lim_tail *tail, const double level[3], long i) {
  double r[3];
  for (int k = 0; k < 3; k++) r[k] = tail->position[3 * i + k] - level[k];
  return norm(r);
}

// When the tip was outside the band for the last time. A vibration may be inside for less than a period.
static double settling_time(const lim_residual *x, const lim_tail *tail) {
  const long n = tail->count;
  long i = n - 1;
  while (i >= 0 && distance(tail, x->level, i) <= x->band) i--;
  if (i < 0) return 0;
  if (i == n - 1) return NAN;
  const double a = distance(tail, x->level, i), b = distance(tail, x->level, i + 1);
  const double t = tail->t[i] + (tail->t[i + 1] - tail->t[i]) * (a - x->band) / (a - b);
  const double period = x->nfrequency ? 1 / x->frequency[0] : 0;
  return t + period <= tail->t[n - 1] ? t - tail->start : NAN;
}

// --- damping: the decrement of the strongest vibration ---

// Amplitude of s at a frequency (turns per sample) in a Hann window from `first` on: it decays as the vibration
// does, and others are left out.
static double amplitude_in(const double *s, double turns, long first, long n) {
  double mean = 0, re = 0, im = 0;
  for (long i = 0; i < n; i++)
    mean += (1 - cos(2 * PI * ((double)i + 0.5) / (double)n)) * s[first + i] / (double)n;
  for (long i = 0; i < n; i++) {
    const double w = 1 - cos(2 * PI * ((double)i + 0.5) / (double)n), angle = 2 * PI * turns * (double)i;
    re += w * (s[first + i] - mean) * cos(angle);
    im += w * (s[first + i] - mean) * sin(angle);
  }
  return 2 * hypot(re, im) / (double)n;
}

// Length of a window [s] that holds four periods, and as many of the beat with the nearest other frequency.
static double window_length(const lim_residual *x) {
  double min = x->frequency[0];
  for (int i = 1; i < x->nfrequency; i++) min = fmin(min, fabs(x->frequency[i] - x->frequency[0]));
  return 4 / min;
}

// Straight line through ln a over t (n): a ~ exp(-sigma t). NaN where it is none.
static double ratio_of(const double *t, const double *y, int n, double w) {
  double t0 = 0, y0 = 0, tt = 0, ty = 0, left = 0;
  for (int i = 0; i < n; i++) t0 += t[i] / n, y0 += y[i] / n;
  for (int i = 0; i < n; i++) tt += (t[i] - t0) * (t[i] - t0), ty += (t[i] - t0) * (y[i] - y0);
  const double sigma = -ty / tt;
  for (int i = 0; i < n; i++) left += pow(y[i] - y0 + sigma * (t[i] - t0), 2);
  const double zeta = sigma / hypot(sigma, w);            // w: of the damped vibration
  const double doubt = 2 * sqrt(left / (n - 2) / tt) / w; // standard error; windows overlap
  return doubt < fmax(0.1 * fabs(zeta), 1e-4) ? zeta : NAN;
}

static void find_damping(lim_residual *x, const lim_tail *tail, const double *s) {
  enum { MOST = 64 };
  double t[MOST], y[MOST], largest = 0;
  const double step = (tail->t[tail->count - 1] - tail->t[0]) / (double)(tail->count - 1);
  if (!x->nfrequency) return;
  const double length = window_length(x) / step, capacity = (double)tail->count - length;
  if (!(capacity >= length / 2)) return;
  const int windows = (int)fmin(MOST, 1 + 8 * capacity / length);
  int n = 0;
  for (; n < windows; n++) {
    const long first = (long)(capacity * n / (windows - 1));
    const double a = amplitude_in(s, x->frequency[0] * step, first, (long)length);
    if (!(a > 1e-3 * largest)) break;
    largest = fmax(largest, a);
    t[n] = (double)first * step;
    y[n] = log(a);
  }
  if (n > 3) x->damping = ratio_of(t, y, n, 2 * PI * x->frequency[0]);
}

// --- all of it ---

// The level is that of the second half where it has two periods, else of all; without vibration, of the end.
static void find_level(lim_residual *x, const lim_tail *tail) {
  const long n = tail->count;
  const double length = tail->t[n - 1] - tail->t[0];
  long first = n - 1 - n / 20;
  if (x->nfrequency) first = x->frequency[0] * length / 2 >= 2 ? n / 2 : 0;
  mean_of(x->level, tail->position, first, n);
  mean_of(x->error, tail->error, first, n);
}

static lim_code analyse(lim_residual *x, const lim_tail *tail, double *s, lim_error *err) {
  const long n = tail->count;
  mean_of(x->level, tail->position, 0, n);
  main_direction(x->direction, tail->position, x->level, n, norm(x->axis));
  along_direction(s, x, tail->position, n);
  lim_code code = find_frequencies(x, tail, s, err);
  if (code != LIM_OK) return code;
  find_level(x, tail);
  x->amplitude = along_direction(s, x, tail->position, n);
  find_damping(x, tail, s);
  return LIM_OK;
}

static bool is_finite(const lim_tail *tail) {
  double sum = 0;
  for (long i = 0; i < 3 * tail->count; i++) sum += 0 * tail->position[i] + 0 * tail->error[i];
  return sum == 0; // neither NaN nor infinite
}

lim_code lim_residual_of(lim_residual *out, const lim_tail *tail, lim_settle settle, lim_error *err) {
  *out = (lim_residual){.start = tail->start, .damping = NAN, .settling_time = NAN};
  if (isinf(tail->start) || tail->count < LIM_SPECTRUM_LEAST || !is_finite(tail)) return LIM_OK;
  out->there = true;
  out->frame = tail->frame;
  out->band = settle.distance > 0 ? settle.distance : (settle.share > 0 ? settle.share : 0.02) * tail->peak;
  axis_amplitudes(out->axis, tail->position, tail->count);
  lim_code code = LIM_OK;
  if (norm(out->axis) > NOTHING * norm(tail->position)) {
    double *s = calloc((size_t)tail->count, sizeof *s);
    code = s ? analyse(out, tail, s, err) : lim_no_memory(err);
    free(s);
    if (code == LIM_OK) out->settling_time = settling_time(out, tail);
  } else {
    find_level(out, tail);
    out->settling_time = 0;
  }
  return code;
}

// loop_stability.c - eigenvalues of a loop, or its multipliers over a period of its clocks; the fastest growth
// by its name. Theory: docs/theory/control.md (14), (15).
#include "analysis/vibration/loop_stability.h"

#include "analysis/vibration/hybrid.h"
#include "math/blas.h"
#include "math/eigen/exponential.h"
#include "math/lapack.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Gains of one fed drive times factors: of its controller alone, or all that drives it.
typedef struct {
  int fed;  // -1: none
  bool all; // by `position`, whatever it hears
  double position, speed, integral;
} variation;

typedef struct {
  lim_hybrid *h;
  size_t size, square;
  double *A, *B, *E, *M; // (size x size each)
  double *re, *im, *V;   // eigenvalues; vectors by columns
} problem;

// --- matrices ---

static bool has_clock(const lim_hybrid *h, int fed) {
  const lim_joint_drive *d = &h->x.a.inputs->drive[h->fed[fed].body];
  return d->law.kind && d->law_z >= 0;
}

static double scaled(const variation *y, int n, size_t column) {
  if (y->all || column < (size_t)n) return y->position;
  return column < 2 * (size_t)n ? y->speed : 1;
}

// The same in the row of an integral, which grows with positions alone.
static double scaled_integral(const variation *y, int n, size_t column) {
  return column < (size_t)n ? y->integral : 1;
}

// The state of the varied controller's integral among those that move between ticks; -1: none is varied.
static int varied_integral(const lim_hybrid *h, const variation *y) {
  return y->fed >= 0 && !y->all ? h->x.a.inputs->drive[h->fed[y->fed].body].law_x : -1;
}

// The motion between ticks.   (12)
static void fill(problem *p, const variation *y) {
  const lim_hybrid *h = p->h;
  const size_t n = (size_t)h->n, size = p->size, all = (size_t)h->x.a.s->n;
  memset(p->A, 0, p->square * sizeof *p->A);
  for (size_t j = 0; j < n; j++) {
    p->A[(n + j) * size + j] = h->w[j];
    for (size_t i = 0; i < n; i++) {
      p->A[j * size + n + i] = -h->K[j * n + i];
      p->A[(n + j) * size + n + i] = -h->C[j * n + i];
    }
  }
  for (int a = 0; a < h->nfed; a++) {
    const double *U = h->U + (size_t)a * size, *P = h->P + h->fed[a].coordinate;
    const bool varied = y->fed == a && (y->all || !has_clock(h, a));
    for (size_t j = 0; j < size; j++) {
      const double effort = h->fed[a].ratio * U[j] * (varied ? scaled(y, h->n, j) : 1);
      for (size_t i = 0; i < n && effort != 0; i++) p->A[j * size + n + i] += effort * P[i * all];
    }
  }
  const int integral = varied_integral(h, y);
  for (size_t k = 0; k < (size_t)h->nx; k++)
    for (size_t j = 0; j < size; j++)
      p->A[j * size + 2 * n + k] = h->R[k * size + j] * ((int)k == integral ? scaled_integral(y, h->n, j) : 1);
}

// B := what tick k does.   (13)
static void fill_tick(problem *p, int k, const variation *y) {
  const lim_hybrid *h = p->h;
  const size_t size = p->size, first = size - (size_t)h->nz;
  int from = -1, to = -1; // what the varied controller holds
  if (y->fed >= 0 && !y->all && has_clock(h, y->fed)) {
    const lim_joint_drive *d = &h->x.a.inputs->drive[h->fed[y->fed].body];
    from = d->law_z;
    to = d->law_z + LIM_LAW_HELD + d->law_whole;
  }
  memset(p->B, 0, p->square * sizeof *p->B);
  for (size_t i = 0; i < first; i++) p->B[i * (size + 1)] = 1;
  for (int i = 0; i < h->nz; i++) {
    const double *row = h->T + ((size_t)k * (size_t)h->nz + (size_t)i) * size;
    for (size_t j = 0; j < size; j++)
      p->B[j * size + first + (size_t)i] = row[j] * (i < from || i >= to ? 1
                                                     : i == from         ? scaled_integral(y, h->n, j)
                                                                         : scaled(y, h->n, j));
  }
}

static void times(double *C, const double *A, const double *B, int n) {
  lim_blas(cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, A, n, B, n, 0, C, n));
}

// Rows of rings by their age, as they were at the start of the period.
static void turn_rings(problem *p) {
  const lim_hybrid *h = p->h;
  const size_t first = p->size - (size_t)h->nz;
  memcpy(p->B, p->M, p->square * sizeof *p->B);
  for (int r = 0; r < h->nring; r++) {
    const lim_hybrid_ring *ring = &h->ring[r];
    const long turn = lround(h->period / ring->period);
    for (int i = 0; i < ring->count; i++) {
      const size_t to = first + (size_t)(ring->first + i),
                   from = first + (size_t)(ring->first + (int)((i + turn) % ring->count));
      for (size_t j = 0; j < p->size; j++) p->M[j * p->size + to] = p->B[j * p->size + from];
    }
  }
}

// M: over a period, from before its first ticks.   (14)
static lim_code multiply_period(problem *p, const variation *y, lim_error *err) {
  const lim_hybrid *h = p->h;
  const int n = (int)p->size;
  double span = 0;
  memset(p->M, 0, p->square * sizeof *p->M);
  for (size_t i = 0; i < p->size; i++) p->M[i * (p->size + 1)] = 1;
  for (int k = 0; k < h->nt; k++) {
    const double next = (k + 1 < h->nt ? h->time[k + 1] : h->period) - h->time[k];
    lim_code code = LIM_OK;
    if (fabs(next - span) > 1e-9 * h->period) code = lim_exponential(p->E, p->A, span = next, n, err);
    if (code != LIM_OK) return code;
    fill_tick(p, k, y);
    times(p->V, p->B, p->M, n);
    times(p->M, p->E, p->V, n);
  }
  turn_rings(p);
  return LIM_OK;
}

// --- what grows fastest ---

// Eigenvalues come with rounding of about 1e-16 of the largest; a double 0 has its root.
static double growth_of(const problem *p, int k, double largest) {
  const double size = hypot(p->re[k], p->im[k]);
  if (p->h->period > 0) return size > 1 + 1e-8 ? log(size) / p->h->period : 0;
  return p->re[k] > 1e-7 * size + 1e-10 * largest ? p->re[k] : 0;
}

// Which eigenvalue; -1: nothing grows.
static lim_code find_fastest(int *at, double *growth, problem *p, const variation *y, bool vectors,
                             lim_error *err) {
  const int n = (int)p->size;
  *at = -1;
  *growth = 0;
  fill(p, y);
  lim_code code = p->h->period > 0 ? multiply_period(p, y, err) : LIM_OK;
  if (code != LIM_OK) return code;
  double *A = p->h->period > 0 ? p->M : p->A, largest = 0;
  for (size_t i = 0; i < p->square; i++)
    if (!isfinite(A[i])) return LIM_FAIL(err, LIM_FAILED, "the loop is not finite");
  code = lim_lapack_code(lim_dgeev(n, A, n, p->re, p->im, vectors ? p->V : NULL, n),
                         "the eigenvalues of the loop did not converge", err);
  if (code != LIM_OK) return code;
  for (int k = 0; k < n; k++) largest = fmax(largest, hypot(p->re[k], p->im[k]));
  for (int k = 0; k < n; k++) {
    const double now = growth_of(p, k, largest);
    if (!(now > *growth)) continue;
    *growth = now;
    *at = k;
  }
  return LIM_OK;
}

// --- its name ---

typedef struct {
  double re, im;
} number;

// Entry i of vector k.
static number entry(const problem *p, int k, size_t i) {
  const double *re = p->V + (size_t)k * p->size;
  return (number){re[i], p->im[k] != 0 ? re[p->size + i] : 0};
}

// The mode of the arm alone that moves most.
static int most_of(const problem *p, int k) {
  const size_t n = (size_t)p->h->n;
  double max = -1;
  int best = -1;
  for (size_t i = 0; i < n; i++) {
    const number x = entry(p, k, i), v = entry(p, k, n + i);
    const double size = x.re * x.re + x.im * x.im + v.re * v.re + v.im * v.im;
    if (size <= max) continue;
    max = size;
    best = (int)i;
  }
  return best;
}

// The phase by which the arm's part of vector k turns over a period, from tick to tick: with several clocks one
// multiplier may stand for several turns.
static lim_code find_turn(double *phase, problem *p, int k, lim_error *err) {
  const lim_hybrid *h = p->h;
  const int n = (int)p->size;
  double *w = calloc(6 * p->size, sizeof *w), *held = w + 2 * p->size, *next = held + 2 * p->size;
  lim_code code = w ? LIM_OK : lim_no_memory(err);
  for (size_t i = 0; i < p->size && w; i++) {
    w[i] = entry(p, k, i).re;
    w[p->size + i] = entry(p, k, i).im;
  }
  *phase = 0;
  for (int t = 0; t < h->nt && code == LIM_OK; t++) {
    number dot = {0, 0};
    fill_tick(p, t, &(variation){.fed = -1});
    code = lim_exponential(p->E, p->A, (t + 1 < h->nt ? h->time[t + 1] : h->period) - h->time[t], n, err);
    lim_blas(cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, 2, n, 1, p->B, n, w, n, 0, held, n));
    lim_blas(cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, 2, n, 1, p->E, n, held, n, 0, next, n));
    for (size_t i = 0; i < 2 * (size_t)h->n; i++) {
      dot.re += w[i] * next[i] + w[p->size + i] * next[p->size + i];
      dot.im += w[i] * next[p->size + i] - w[p->size + i] * next[i];
    }
    *phase += atan2(dot.im, dot.re);
    memcpy(w, next, 2 * p->size * sizeof *w);
  }
  free(w);
  return code;
}

// A multiplier knows its frequency but for multiples of that of the clocks: it is below half of it, or where
// the mode of the arm is that moves most.   (15)
static double frequency_of(const problem *p, int k, double phase, int max) {
  const lim_hybrid *h = p->h;
  if (!(h->period > 0)) return fabs(p->im[k]) / (2 * M_PI);
  const double clock = 1 / h->period, low = fabs(phase) / (2 * M_PI) * clock;
  const double own = max >= 0 ? sqrt(fmax(h->lambda[max], 0)) / (2 * M_PI) : 0;
  if (own <= clock / 2) return low < 1e-9 * clock ? 0 : low;
  double best = low;
  for (int sign = -1; sign <= 1; sign += 2) {
    const double near = fabs(sign * low + round((own - sign * low) / clock) * clock);
    if (fabs(near - own) < fabs(best - own)) best = near;
  }
  return best;
}

// Positions of vector k along coordinate c.
static number motion_of(const problem *p, int k, int c) {
  const lim_hybrid *h = p->h;
  number sum = {0, 0};
  for (int j = 0; j < h->n; j++) {
    const number x = entry(p, k, (size_t)j);
    const double P = h->P[(size_t)j * (size_t)h->x.a.s->n + (size_t)c] / h->w[j];
    sum.re += P * x.re;
    sum.im += P * x.im;
  }
  return sum;
}

// What a controller does in the motion counts beside strain: as a spring at its joint that takes as much.
static void add_springs(problem *p, int k, number turn) {
  lim_hybrid *h = p->h;
  for (int a = 0; a < h->nfed; a++) {
    const int q = h->x.a.s->bodies[h->fed[a].body].q;
    const number at = motion_of(p, k, h->fed[a].coordinate), joint = motion_of(p, k, q);
    number effort = {0, 0};
    for (size_t j = 0; j < p->size; j++) {
      const number x = entry(p, k, j);
      effort.re += h->fed[a].ratio * h->U[(size_t)a * p->size + j] * x.re;
      effort.im += h->fed[a].ratio * h->U[(size_t)a * p->size + j] * x.im;
    }
    const double rate = joint.re * turn.re - joint.im * turn.im;
    if (rate != 0) h->x.diagonal[q] += hypot(effort.re, effort.im) * hypot(at.re, at.im) / (rate * rate);
  }
}

static lim_code name(lim_unstable *out, problem *p, int k, lim_error *err) {
  lim_hybrid *h = p->h;
  const int max = most_of(p, k);
  number x = {1, 0};
  double arm = 0, others = 0;
  double phase = 0;
  if (h->period > 0 && max >= 0) {
    lim_code code = find_turn(&phase, p, k, err);
    if (code != LIM_OK) return code;
  }
  out->frequency = frequency_of(p, k, phase, max);
  for (size_t i = 0; i < p->size; i++) {
    const number y = entry(p, k, i);
    *(i < 2 * (size_t)h->n ? &arm : &others) += y.re * y.re + y.im * y.im;
  }
  if (max >= 0) x = entry(p, k, (size_t)max);
  const double size = hypot(x.re, x.im);
  if (arm <= 1e-18 * others || size == 0) {
    snprintf(out->kind, sizeof out->kind, "blocks");
    return LIM_OK;
  }
  const number turn = {x.re / size, -x.im / size}; // the largest becomes real
  double *z = calloc((size_t)h->x.N, sizeof *z);
  if (!z) return lim_no_memory(err);
  for (int j = 0; j < h->n; j++) {
    const number y = entry(p, k, (size_t)j);
    const double part = (y.re * turn.re - y.im * turn.im) / h->w[j];
    for (int i = 0; i < h->x.N; i++) z[i] += part * h->z[(size_t)j * (size_t)h->x.N + (size_t)i];
  }
  add_springs(p, k, turn);
  lim_natural_mode mode = {0};
  lim_code code = lim_mode_shape_of(&mode, h->r, &h->x, z, err);
  if (code == LIM_OK) snprintf(out->kind, sizeof out->kind, "%s", mode.kind);
  free(z);
  return code;
}

// --- the gain ---

// The gains that a key of a controller sets, times what a factor of that key makes of them.
static variation vary(int fed, const lim_control_law *law, lim_gain_part part, double factor) {
  const double square = factor * factor;
  switch (part) {
  case LIM_GAIN_POSITION: return (variation){fed, false, factor, 1, law->integral_time > 0 ? factor : 1};
  case LIM_GAIN_SPEED: return (variation){fed, false, 1, factor, 1};
  case LIM_GAIN_INTEGRAL:
  case LIM_GAIN_INTEGRAL_TIME: return (variation){fed, false, 1, 1, factor};
  case LIM_GAIN_BANDWIDTH: return (variation){fed, false, square, factor, law->integral_time > 0 ? square : 1};
  default: return (variation){fed, true, factor, factor, factor};
  }
}

// Whether the model has such a key there.
static bool has_key(const lim_joint_drive *d, lim_gain_part part) {
  const lim_control_law *law = &d->law;
  const bool plain = law->kind && d->wired < 0 && law->block < 0 && law->position < 0;
  switch (part) {
  case LIM_GAIN_POSITION:
  case LIM_GAIN_SPEED: return plain && !(law->bandwidth > 0);
  case LIM_GAIN_BANDWIDTH: return plain && law->bandwidth > 0;
  case LIM_GAIN_INTEGRAL_TIME: return plain && law->kind->integral && law->integral_time > 0;
  case LIM_GAIN_INTEGRAL: return plain && law->kind->integral && !(law->integral_time > 0);
  default: return !plain;
  }
}

// The growth with half of a gain; INFINITY where less of it does not help: with a quarter of it growth is to be
// slower by a third, with a sixteenth at the latest next to nothing may be left.
static lim_code try_gain(double *growth, problem *p, int fed, lim_gain_part part, double before,
                         lim_error *err) {
  static const double factors[] = {0.5, 0.25, 0.0625};
  const lim_control_law *law = &p->h->x.a.inputs->drive[p->h->fed[fed].body].law;
  double half = INFINITY, min = INFINITY;
  *growth = INFINITY;
  for (int k = 0; k < 3; k++) {
    double now;
    int at;
    const variation y = vary(fed, law, part, factors[k]);
    lim_code code = find_fastest(&at, &now, p, &y, false, err);
    if (code != LIM_OK) return code;
    if (k == 0) half = now;
    min = fmin(min, now);
    if (k == 1 && min > before * 2 / 3) return LIM_OK;
  }
  if (min < before / 20) *growth = half;
  return LIM_OK;
}

// Half of which gain leaves the least growth.
static lim_code find_gain(lim_unstable *out, problem *p, lim_error *err) {
  const lim_hybrid *h = p->h;
  double min = INFINITY;
  for (int a = 0; a < h->nfed; a++) {
    const int body = h->fed[a].body;
    for (int part = LIM_GAIN_POSITION; part <= LIM_GAIN_INTEGRAL_TIME; part++) {
      double growth;
      if (!has_key(&h->x.a.inputs->drive[body], (lim_gain_part)part)) continue;
      lim_code code = try_gain(&growth, p, a, (lim_gain_part)part, out->growth, err);
      if (code != LIM_OK) return code;
      if (!(growth < min)) continue;
      min = growth;
      out->gain = (lim_gain_part)part;
      snprintf(out->joint, sizeof out->joint, "%s",
               h->x.a.s->model->links.item[h->x.a.s->bodies[body].link].joint.head.name);
    }
  }
  return LIM_OK;
}

// --- interface ---

static lim_code judge(lim_unstable *out, lim_hybrid *h, lim_error *err) {
  const size_t size = (size_t)h->size, square = size * size;
  if (size == 0) return LIM_OK;
  double *scratch = calloc(5 * square + 2 * size, sizeof *scratch);
  if (!scratch) return lim_no_memory(err);
  problem p = {h,
               size,
               square,
               scratch,
               scratch + square,
               scratch + 2 * square,
               scratch + 3 * square,
               NULL,
               NULL,
               scratch + 4 * square};
  p.re = scratch + 5 * square;
  p.im = p.re + size;
  int at;
  const variation none = {.fed = -1};
  lim_code code = find_fastest(&at, &out->growth, &p, &none, false, err); // most are stable: no vectors
  if (code == LIM_OK && at >= 0) code = find_fastest(&at, &out->growth, &p, &none, true, err);
  if (code == LIM_OK && at >= 0) {
    code = name(out, &p, at, err);
    if (code == LIM_OK) code = find_gain(out, &p, err);
  }
  free(scratch);
  return code;
}

lim_code lim_unstable_find(lim_unstable *out, const lim_model *model, const char *directory, lim_error *err) {
  *out = (lim_unstable){.growth = 0};
  lim_hybrid h;
  lim_code code = lim_hybrid_start(&h, model, directory, err);
  if (code == LIM_OK) {
    out->closed = h.nfed > 0;
    out->sampled = h.nclock > 0;
    out->why_not = h.why_not;
    if (!h.why_not && out->closed) code = judge(out, &h, err);
  }
  lim_hybrid_end(&h);
  return code;
}

bool lim_unstable_shows(const lim_unstable *u, double t) {
  return !u->why_not && u->growth * t > 0.01 && u->growth > 1e-6 * 2 * M_PI * u->frequency;
}

// --- words ---

void lim_unstable_mode(char *text, size_t size, double growth, double frequency, const char *kind) {
  const char *open = *kind ? " (" : "", *close = *kind ? ")" : "";
  if (frequency > 0)
    snprintf(text, size, "mode at %.4g Hz%s%.150s%s grows by a factor e each %.3g s", frequency, open, kind,
             close, 1 / growth);
  else
    snprintf(text, size, "motion%s%.150s%s grows by a factor e each %.3g s without swinging", open, kind, close,
             1 / growth);
}

void lim_unstable_text(char *text, size_t size, const lim_unstable *u) {
  static const char *const gain[] = {"",
                                     "; lower kp of ",
                                     "; lower kv of ",
                                     "; lower the gain of what drives ",
                                     "; lower the bandwidth of ",
                                     "; lower ki of ",
                                     "; lengthen integral_time of "};
  const char *quote = u->gain ? "'" : "";
  char mode[320];
  lim_unstable_mode(mode, sizeof mode, u->growth, u->frequency, u->kind);
  snprintf(text, size, "the linearised loop%s is unstable: its %s%s%s%s%s",
           u->sampled ? ", with its samples and delays," : "", mode, gain[u->gain], quote, u->joint, quote);
}

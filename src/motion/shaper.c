// shaper.c - impulses of ZV, ZVD and EI shapers, and trajectories convolved with them. Theory:
// docs/theory/programs.md (9)-(13).
#include "motion/shaper.h"

#include "base/grow.h"
#include "motion/profile/build.h"

#include <math.h>
#include <stdlib.h>

// --- impulses ---

// Half a damped period, and how far a swing has decayed after it.   (9)
typedef struct {
  double half, K;
} beat;

static beat beat_of(lim_shaped_mode m) {
  const double root = sqrt(1 - m.damping * m.damping);
  return (beat){0.5 / (m.frequency * root), exp(-m.damping * LIM_PI / root)};
}

static void put(lim_shaper *s, double time, double share) {
  s->time[s->n] = time;
  s->share[s->n++] = share;
}

static void make_zv(lim_shaper *s, lim_shaped_mode m, double tolerance) { // (10)
  (void)tolerance;
  const beat b = beat_of(m);
  put(s, 0, 1 / (1 + b.K));
  put(s, b.half, b.K / (1 + b.K));
}

static void make_zvd(lim_shaper *s, lim_shaped_mode m, double tolerance) { // (11)
  (void)tolerance;
  const beat b = beat_of(m);
  const double sum = (1 + b.K) * (1 + b.K);
  put(s, 0, 1 / sum);
  put(s, b.half, 2 * b.K / sum);
  put(s, 2 * b.half, b.K * b.K / sum);
}

// What is left at the frequency itself is the tolerance; on both sides of it there is a frequency at which
// nothing is left. With damping, the impulses decay as those of ZVD do.   (12)
static void make_ei(lim_shaper *s, lim_shaped_mode m, double tolerance) {
  const beat b = beat_of(m);
  const double a[3] = {(1 + tolerance) / 4, (1 - tolerance) / 2 * b.K, (1 + tolerance) / 4 * b.K * b.K};
  const double sum = a[0] + a[1] + a[2];
  for (int i = 0; i < 3; i++) put(s, i * b.half, a[i] / sum);
}

// In the order of lim_shaping_kind.
static void (*const makers[])(lim_shaper *s, lim_shaped_mode m, double tolerance) = {make_zv, make_zvd,
                                                                                     make_ei};

lim_code lim_shaper_convolve(lim_shaper *s, const lim_shaper *next, lim_error *err) {
  const lim_shaper first = *s;
  if (first.n * next->n > LIM_SHAPER_IMPULSES)
    return LIM_FAIL(err, LIM_BAD_INPUT, "shaping: these are too many modes at once");
  s->n = 0;
  for (int i = 0; i < first.n; i++)
    for (int k = 0; k < next->n; k++) put(s, first.time[i] + next->time[k], first.share[i] * next->share[k]);
  return LIM_OK;
}

lim_code lim_shaper_make(lim_shaper *out, int type, const lim_shaped_mode *mode, int count, double tolerance,
                         lim_error *err) {
  lim_code code = LIM_OK;
  *out = (lim_shaper){.n = 1, .share = {1}};
  for (int i = 0; i < count && code == LIM_OK; i++) {
    lim_shaper one = {0};
    if (!(mode[i].frequency > 0) || !(mode[i].damping >= 0 && mode[i].damping < 1))
      return LIM_FAIL(err, LIM_BAD_INPUT, "shaping needs a frequency above 0 and a damping ratio below 1");
    makers[type](&one, mode[i], tolerance);
    code = lim_shaper_convolve(out, &one, err);
  }
  return code;
}

double lim_shaper_residue(const lim_shaper *s, lim_shaped_mode m) {
  const double w = 2 * LIM_PI * m.frequency, wd = w * sqrt(1 - m.damping * m.damping);
  double C = 0, S = 0, last = 0;
  for (int i = 0; i < s->n; i++) {
    const double a = s->share[i] * exp(m.damping * w * s->time[i]);
    C += a * cos(wd * s->time[i]);
    S += a * sin(wd * s->time[i]);
    last = fmax(last, s->time[i]);
  }
  return exp(-m.damping * w * last) * hypot(C, S);
}

// --- trajectories ---

static const double WAVE = LIM_PI / 48; // of a sine that a quintic stands for: its error is 1e-12 of it

// Arcs as they grow.
typedef struct {
  int n;
  size_t capacity;
  lim_arc *arc;
} arcs;

static bool note(arcs *a, lim_arc arc) {
  if (!LIM_GROW(a->arc, a->capacity, a->n)) return false;
  a->arc[a->n++] = arc;
  return true;
}

// A sine, over a length T, as quintics.
static bool note_sine(arcs *out, const lim_arc *a, double T) {
  const int parts = (int)fmax(ceil(T * a->w / WAVE), 1);
  bool good = true;
  for (int k = 0; k < parts && good; k++) {
    const double h = T / parts;
    lim_arc arc = lim_arc_between(lim_arc_at(a, k * h), lim_arc_at(a, (k + 1) * h), h);
    arc.time = a->time + k * h;
    good = note(out, arc);
  }
  return good;
}

// The trajectory in polynomials alone.
static bool polynomials(arcs *out, const lim_trajectory *c) {
  bool good = true;
  for (int i = 0; i < c->narc && good; i++) {
    const lim_arc *a = &c->arc[i];
    const bool sine = a->a != 0 && i > 0 && i + 1 < c->narc;
    good = sine ? note_sine(out, a, a[1].time - a->time) : note(out, *a);
  }
  return good;
}

// sum += share p, its argument counted from tau on.
static void add_shifted(lim_arc *sum, const lim_arc *p, double tau, double share) {
  double c[LIM_ARC_TERMS];
  for (int i = 0; i < LIM_ARC_TERMS; i++) c[i] = p->c[i];
  for (int i = 0; i < LIM_ARC_TERMS; i++) // Taylor's by repeated division
    for (int k = LIM_ARC_TERMS - 2; k >= i; k--) c[k] += tau * c[k + 1];
  for (int i = 0; i < LIM_ARC_TERMS; i++) sum->c[i] += share * c[i];
}

// The arc that holds from t on: the first also before it begins.
static int holding(const arcs *a, double t) {
  int lo = 0, hi = a->n;
  while (hi - lo > 1) {
    const int mid = lo + (hi - lo) / 2;
    if (a->arc[mid].time <= t + 1e-12)
      lo = mid;
    else
      hi = mid;
  }
  return lo;
}

static lim_arc blend(const arcs *a, const lim_shaper *s, double t) {
  lim_arc sum = {.time = t};
  for (int i = 0; i < s->n; i++) {
    const double at = t - s->time[i];
    const int k = holding(a, at);
    add_shifted(&sum, &a->arc[k], k ? at - a->arc[k].time : 0, s->share[i]);
  }
  return sum;
}

static int by_time(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b; // both begin with it
  return (x > y) - (x < y);
}

// Every break, after every impulse.
static void shape_breaks(lim_trajectory *out, const lim_trajectory *c, const lim_shaper *s) {
  int n = 0, kept = 0;
  lim_break *list = out->breaks;
  for (int i = 0; i < s->n; i++)
    for (int k = 0; k < c->nbreak; k++)
      list[n++] = (lim_break){c->breaks[k].time + s->time[i], c->breaks[k].order};
  qsort(list, (size_t)n, sizeof *list, by_time);
  for (int i = 0; i < n; i++) {
    if (kept == 0 || list[i].time > list[kept - 1].time + 1e-12)
      list[kept++] = list[i];
    else if (list[i].order < list[kept - 1].order)
      list[kept - 1].order = list[i].order;
  }
  out->nbreak = kept;
}

// Where every arc begins, after every impulse.
static void shape_arcs(lim_trajectory *out, const arcs *a, const lim_shaper *s, double *time) {
  int n = 0;
  for (int i = 0; i < s->n; i++)
    for (int k = 1; k < a->n; k++) time[n++] = a->arc[k].time + s->time[i];
  qsort(time, (size_t)n, sizeof *time, by_time);
  out->arc[out->narc++] = (lim_arc){.c = {a->arc[0].c[0]}};
  for (int i = 0; i < n; i++)
    if (out->narc == 1 || time[i] > out->arc[out->narc - 1].time + 1e-12)
      out->arc[out->narc++] = blend(a, s, time[i]);
  out->end = out->narc > 1 ? out->arc[out->narc - 1].time : 0;
}

lim_code lim_trajectory_shaped(lim_trajectory **out, const lim_trajectory *c, const lim_shaper *s,
                               lim_error *err) {
  arcs a = {0};
  *out = NULL;
  if (isinf(c->end)) return LIM_FAIL(err, LIM_BAD_INPUT, "a motion that never ends cannot be shaped");
  lim_trajectory *x = polynomials(&a, c) && a.n ? calloc(1, sizeof *x) : NULL;
  const size_t capacity = (size_t)a.n * (size_t)s->n + 1;
  double *time = x ? malloc(capacity * sizeof *time) : NULL;
  if (x) {
    x->arc = malloc(capacity * sizeof *x->arc);
    x->breaks = malloc(((size_t)c->nbreak * (size_t)s->n + 1) * sizeof *x->breaks);
  }
  if (x && time && x->arc && x->breaks) {
    shape_arcs(x, &a, s, time);
    shape_breaks(x, c, s);
    *out = x;
  } else {
    lim_trajectory_free(x);
  }
  free(time);
  free(a.arc);
  return *out ? LIM_OK : lim_no_memory(err);
}

// The shaper of a motion's shapes, one after the other.
static lim_code gather(lim_shaper *all, int *count, const lim_signal *signal, lim_error *err) {
  lim_code code = LIM_OK;
  *all = (lim_shaper){.n = 1, .share = {1}};
  for (int i = 0; i < signal->list.count; i++)
    for (int k = 0; k < signal->list.item[i].shapes.count && code == LIM_OK; k++, (*count)++) {
      const lim_shaping *x = &signal->list.item[i].shapes.item[k];
      const lim_shaped_mode mode = {x->frequency, isnan(x->damping) ? 0 : x->damping};
      lim_shaper one;
      if (x->type == LIM_UNSHAPED) continue;
      if (isnan(x->frequency))
        return lim_tree_error(err, x->head.node,
                              "shape: a mode is known for motions of joints only; give the frequency");
      code = lim_shaper_make(&one, x->type, &mode, 1, x->tolerance, err);
      if (code == LIM_OK) code = lim_shaper_convolve(all, &one, err);
    }
  return code;
}

lim_code lim_build_shapes(lim_trajectory **trajectory, const lim_signal *signal, lim_error *err) {
  lim_trajectory *plain = *trajectory;
  lim_shaper all;
  int count = 0;
  lim_code code = gather(&all, &count, signal, err);
  if (code == LIM_OK && count == 0) return LIM_OK;
  *trajectory = NULL;
  if (code == LIM_OK && isinf(plain->end))
    code =
        lim_tree_error(err, signal->list.item[0].head.node, "shape: a motion that never ends cannot be shaped");
  if (code == LIM_OK) code = lim_trajectory_shaped(trajectory, plain, &all, err);
  lim_trajectory_free(plain);
  return code;
}

// shaper.c - impulses of ZV, ZVD and EI shapers, and courses convolved with them. Theory:
// docs/theory/programs.md (9)-(13).
#include "motion/shaper.h"

#include "motion/build.h"

#include <math.h>
#include <stdlib.h>

// --- impulses ---

// Half a damped period, and how far a swing has decayed after it.   (9)
typedef struct {
  double half, K;
} beat;

static beat beat_of(lim_swing m) {
  const double root = sqrt(1 - m.damping * m.damping);
  return (beat){0.5 / (m.frequency * root), exp(-m.damping * LIM_PI / root)};
}

static void put(lim_shaper *s, double time, double share) {
  s->time[s->n] = time;
  s->share[s->n++] = share;
}

static void make_zv(lim_shaper *s, lim_swing m, double tolerance) { // (10)
  (void)tolerance;
  const beat b = beat_of(m);
  put(s, 0, 1 / (1 + b.K));
  put(s, b.half, b.K / (1 + b.K));
}

static void make_zvd(lim_shaper *s, lim_swing m, double tolerance) { // (11)
  (void)tolerance;
  const beat b = beat_of(m);
  const double sum = (1 + b.K) * (1 + b.K);
  put(s, 0, 1 / sum);
  put(s, b.half, 2 * b.K / sum);
  put(s, 2 * b.half, b.K * b.K / sum);
}

// What is left at the frequency itself is the tolerance; on both sides of it there is a frequency at which
// nothing is left. With damping, the impulses decay as those of ZVD do.   (12)
static void make_ei(lim_shaper *s, lim_swing m, double tolerance) {
  const beat b = beat_of(m);
  const double a[3] = {(1 + tolerance) / 4, (1 - tolerance) / 2 * b.K, (1 + tolerance) / 4 * b.K * b.K};
  const double sum = a[0] + a[1] + a[2];
  for (int i = 0; i < 3; i++) put(s, i * b.half, a[i] / sum);
}

// In the order of lim_shaping_kind.
static void (*const makers[])(lim_shaper *s, lim_swing m, double tolerance) = {make_zv, make_zvd, make_ei};

lim_code lim_shaper_follow(lim_shaper *s, const lim_shaper *next, lim_error *err) {
  const lim_shaper first = *s;
  if (first.n * next->n > LIM_SHAPER_IMPULSES)
    return LIM_FAIL(err, LIM_BAD_INPUT, "shaping: these are too many modes at once");
  s->n = 0;
  for (int i = 0; i < first.n; i++)
    for (int k = 0; k < next->n; k++) put(s, first.time[i] + next->time[k], first.share[i] * next->share[k]);
  return LIM_OK;
}

lim_code lim_shaper_make(lim_shaper *out, int type, const lim_swing *mode, int count, double tolerance,
                         lim_error *err) {
  lim_code code = LIM_OK;
  *out = (lim_shaper){.n = 1, .share = {1}};
  for (int i = 0; i < count && code == LIM_OK; i++) {
    lim_shaper one = {0};
    if (!(mode[i].frequency > 0) || !(mode[i].damping >= 0 && mode[i].damping < 1))
      return LIM_FAIL(err, LIM_BAD_INPUT, "shaping needs a frequency above 0 and a damping ratio below 1");
    makers[type](&one, mode[i], tolerance);
    code = lim_shaper_follow(out, &one, err);
  }
  return code;
}

double lim_shaper_residue(const lim_shaper *s, lim_swing m) {
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

// --- courses ---

static const double WAVE = LIM_PI / 48; // of a sine that a quintic stands for: its error is 1e-12 of it

// Arcs and times as they grow.
typedef struct {
  int n, room;
  double *time;
} times;

static bool note(times *t, double x) {
  if (t->n == t->room) {
    t->room = t->room ? 2 * t->room : 256;
    double *more = realloc(t->time, (size_t)t->room * sizeof *more);
    if (!more) return false;
    t->time = more;
  }
  t->time[t->n++] = x;
  return true;
}

static int by_time(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// When something begins in the course: its arcs, and stretches of sines short enough for a quintic.
static bool list_times(times *t, const lim_course *c) {
  bool good = true;
  for (int i = 1; i < c->narc && good; i++) {
    const lim_arc *a = &c->arc[i];
    good = note(t, a->time);
    const double length = i + 1 < c->narc ? a[1].time - a->time : 0, step = a->a == 0 ? INFINITY : WAVE / a->w;
    const int parts = isinf(step) ? 1 : (int)ceil(length / step);
    for (int k = 1; k < parts && good; k++) good = note(t, a->time + length * k / parts);
  }
  return good;
}

// Times that nearly agree become one: quintics over shorter stretches have no second derivative left.
static void unite(times *t) {
  int kept = 0;
  if (t->n) qsort(t->time, (size_t)t->n, sizeof *t->time, by_time);
  for (int i = 0; i < t->n; i++)
    if (kept == 0 || t->time[i] > t->time[kept - 1] + 1e-7) t->time[kept++] = t->time[i];
  t->n = kept;
}

static lim_sample blend(const lim_course *c, const lim_shaper *s, double t, bool before) {
  lim_sample sum = {0};
  for (int i = 0; i < s->n; i++) {
    // what begins within rounding of t begins at t
    const double at = t - s->time[i] + (before ? -1e-12 : 1e-12);
    const lim_sample x = before ? lim_course_before(c, at) : lim_course_at(c, at);
    sum.value += s->share[i] * x.value;
    sum.rate += s->share[i] * x.rate;
    sum.second += s->share[i] * x.second;
  }
  return sum;
}

static int by_break(const void *a, const void *b) {
  const double x = ((const lim_break *)a)->time, y = ((const lim_break *)b)->time;
  return (x > y) - (x < y);
}

// Every break, after every impulse.
static lim_break *shaped_breaks(int *n, const lim_course *c, const lim_shaper *s) {
  lim_break *list = malloc(((size_t)c->nbreak * (size_t)s->n + 1) * sizeof *list);
  *n = 0;
  if (!list) return NULL;
  for (int i = 0; i < s->n; i++)
    for (int k = 0; k < c->nbreak; k++)
      list[(*n)++] = (lim_break){c->breaks[k].time + s->time[i], c->breaks[k].order};
  qsort(list, (size_t)*n, sizeof *list, by_break);
  int kept = 0;
  for (int i = 0; i < *n; i++) {
    if (kept == 0 || list[i].time > list[kept - 1].time + 1e-12)
      list[kept++] = list[i];
    else if (list[i].order < list[kept - 1].order)
      list[kept - 1].order = list[i].order;
  }
  *n = kept;
  return list;
}

// Samples on both sides of every time, with quintics between: sums of quintics are quintics.
static lim_code through(lim_course **out, const lim_course *c, const lim_shaper *s, const times *t,
                        lim_error *err) {
  lim_samples from = {.n = 2 * t->n};
  double *time = malloc((2 * (size_t)t->n + 1) * sizeof *time);
  lim_sample *x = malloc((2 * (size_t)t->n + 1) * sizeof *x);
  lim_break *breaks = shaped_breaks(&from.nbreak, c, s);
  lim_code code = time && x && breaks ? LIM_OK : LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  for (int i = 0; code == LIM_OK && i < t->n; i++) {
    time[2 * i] = time[2 * i + 1] = t->time[i];
    x[2 * i] = blend(c, s, t->time[i], true);
    x[2 * i + 1] = blend(c, s, t->time[i], false);
  }
  from.t = time;
  from.x = x;
  from.breaks = breaks;
  if (code == LIM_OK) code = lim_course_through(out, &from, err);
  free(time);
  free(x);
  free(breaks);
  return code;
}

lim_code lim_course_shaped(lim_course **out, const lim_course *c, const lim_shaper *s, lim_error *err) {
  times once = {0}, all = {0};
  *out = NULL;
  if (isinf(c->end)) return LIM_FAIL(err, LIM_BAD_INPUT, "a motion that never ends cannot be shaped");
  bool good = list_times(&once, c);
  if (good && once.n == 0) good = note(&once, 0);
  for (int i = 0; i < s->n && good; i++)
    for (int k = 0; k < once.n && good; k++) good = note(&all, once.time[k] + s->time[i]);
  lim_code code = LIM_OK;
  if (good) {
    unite(&all);
    code = through(out, c, s, &all, err);
  } else {
    code = LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  }
  free(once.time);
  free(all.time);
  return code;
}

// The shaper of a motion's shapes, one after the other.
static lim_code gather(lim_shaper *all, int *count, const lim_signal *signal, lim_error *err) {
  lim_code code = LIM_OK;
  *all = (lim_shaper){.n = 1, .share = {1}};
  for (int i = 0; i < signal->list.count; i++)
    for (int k = 0; k < signal->list.item[i].shapes.count && code == LIM_OK; k++, (*count)++) {
      const lim_shaping *x = &signal->list.item[i].shapes.item[k];
      const lim_swing mode = {x->frequency, isnan(x->damping) ? 0 : x->damping};
      lim_shaper one;
      if (isnan(x->frequency))
        return lim_tree_error(err, x->head.node,
                              x->mode ? "shape: a mode is known for motions of joints only; give the frequency"
                                      : "shape: it needs a mode or a frequency");
      if (x->mode) return lim_tree_error(err, x->head.node, "shape: give a mode or a frequency, not both");
      code = lim_shaper_make(&one, x->type, &mode, 1, x->tolerance, err);
      if (code == LIM_OK) code = lim_shaper_follow(all, &one, err);
    }
  return code;
}

lim_code lim_build_shapes(lim_course **course, const lim_signal *signal, lim_error *err) {
  lim_course *plain = *course;
  lim_shaper all;
  int count = 0;
  lim_code code = gather(&all, &count, signal, err);
  if (code == LIM_OK && count == 0) return LIM_OK;
  *course = NULL;
  if (code == LIM_OK && isinf(plain->end))
    code =
        lim_tree_error(err, signal->list.item[0].head.node, "shape: a motion that never ends cannot be shaped");
  if (code == LIM_OK) code = lim_course_shaped(course, plain, &all, err);
  lim_course_free(plain);
  return code;
}

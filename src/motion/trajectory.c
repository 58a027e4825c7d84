// trajectory.c - a compiled trajectory: which arc holds when, where it is not smooth. Theory:
// docs/theory/motion.md (1)-(3).
#include "motion/trajectory.h"

#include "motion/profile/build.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- evaluation ---

// The arc that holds at t: the last of 1..narc-1 that begins at t or before it (strictly before: `left`), else
// 0.
static const lim_arc *arc_at(const lim_trajectory *c, double t, bool left) {
  int lo = 0, hi = c->narc; // arc lo holds or comes earlier, arc hi begins too late
  while (hi - lo > 1) {
    const int mid = lo + (hi - lo) / 2;
    const double begin = c->arc[mid].time;
    if (left ? begin < t : begin <= t)
      lo = mid;
    else
      hi = mid;
  }
  return &c->arc[lo];
}

static lim_sample sample(const lim_trajectory *c, double t, bool left) {
  const lim_arc *p = arc_at(c, t, left);
  return lim_arc_at(p, t - p->time);
}

lim_sample lim_trajectory_at(const lim_trajectory *c, double t) { return sample(c, t, false); }

lim_sample lim_trajectory_before(const lim_trajectory *c, double t) { return sample(c, t, true); }

double lim_trajectory_value(const lim_trajectory *c, double t, bool before) {
  const lim_arc *p = arc_at(c, t, before);
  return lim_arc_value(p, t - p->time);
}

// --- breaks ---

enum { ORDERS = 4 };

// How long arc i holds; 0 for the first and the last, whose polynomial may run to infinity.
static double length_of(const lim_trajectory *c, int i) {
  return i > 0 && i + 1 < c->narc ? c->arc[i + 1].time - c->arc[i].time : 0;
}

// Jumps below this share of the largest value on the trajectory are rounding.   (3)
static void tolerances(double tolerance[ORDERS], const lim_trajectory *c) {
  for (int k = 0; k < ORDERS; k++) tolerance[k] = 0;
  for (int i = 0; i < c->narc; i++)
    for (int k = 0; k < ORDERS; k++)
      tolerance[k] = fmax(tolerance[k], 1e-10 * lim_arc_bound(&c->arc[i], length_of(c, i), k));
}

// The lowest derivative that jumps where arc i begins; ORDERS: none.
static int jump_order(const lim_trajectory *c, int i, const double tolerance[ORDERS]) {
  const lim_arc *a = &c->arc[i - 1], *b = &c->arc[i];
  for (int k = 0; k < ORDERS; k++) {
    const double jump = lim_arc_derivative(b, 0, k) - lim_arc_derivative(a, b->time - a->time, k);
    if (fabs(jump) > tolerance[k]) return k;
  }
  return ORDERS;
}

static void find_breaks(lim_trajectory *c) {
  double tolerance[ORDERS];
  tolerances(tolerance, c);
  for (int i = 1; i < c->narc; i++) {
    const int order = jump_order(c, i, tolerance);
    if (order < ORDERS) c->breaks[c->nbreak++] = (lim_break){c->arc[i].time, order};
  }
}

static bool is_constant(const lim_arc *p) {
  for (int i = 1; i < LIM_ARC_TERMS; i++)
    if (p->c[i] != 0) return false;
  return p->a == 0;
}

// --- making ---

// Take over the arcs of a builder.
static lim_trajectory *adopt(lim_builder *b) {
  lim_trajectory *c = calloc(1, sizeof *c);
  lim_break *breaks = malloc((size_t)b->count * sizeof *breaks);
  if (!c || !breaks) {
    free(c);
    free(breaks);
    b->code = lim_no_memory(b->err);
    return NULL;
  }
  *c = (lim_trajectory){.narc = b->count, .arc = b->arc, .breaks = breaks};
  b->arc = NULL;
  find_breaks(c);
  const lim_arc *last = &c->arc[c->narc - 1];
  c->end = is_constant(last) ? last->time : INFINITY;
  return c;
}

lim_code lim_trajectory_new(lim_trajectory **out, const lim_signal *signal, const lim_trajectory_setup *setup,
                            lim_error *err) {
  if (signal->ready) return lim_trajectory_copy(out, signal->ready, err);
  lim_builder b = {.setup = setup, .err = err};
  lim_build_signal(&b, signal);
  *out = b.code == LIM_OK ? adopt(&b) : NULL;
  free(b.arc);
  return *out ? lim_build_shapes(out, signal, err) : b.code;
}

lim_code lim_trajectory_copy(lim_trajectory **out, const lim_trajectory *c, lim_error *err) {
  lim_trajectory *x = *out = calloc(1, sizeof *x);
  if (x) {
    *x = *c;
    x->arc = malloc((size_t)c->narc * sizeof *x->arc);
    x->breaks = malloc(((size_t)c->nbreak + 1) * sizeof *x->breaks);
  }
  if (!x || !x->arc || !x->breaks) {
    lim_trajectory_free(x);
    *out = NULL;
    return lim_no_memory(err);
  }
  memcpy(x->arc, c->arc, (size_t)c->narc * sizeof *x->arc);
  if (c->nbreak) memcpy(x->breaks, c->breaks, (size_t)c->nbreak * sizeof *x->breaks);
  return LIM_OK;
}

lim_arc lim_arc_between(lim_sample from, lim_sample to, double h) { // (20)
  const double y = from.value, v = from.rate, a = from.second;
  const double D = to.value - y - h * (v + h * a / 2), V = (to.rate - v - h * a) * h,
               A = (to.second - a) * h * h;
  return (lim_arc){.c = {y, v, a / 2, (10 * D - 4 * V + A / 2) / (h * h * h),
                         (-15 * D + 7 * V - A) / (h * h * h * h),
                         (6 * D - 3 * V + A / 2) / (h * h * h * h * h)}};
}

lim_code lim_trajectory_through(lim_trajectory **out, const lim_samples *from, lim_error *err) {
  lim_trajectory *c = *out = calloc(1, sizeof *c);
  if (!c) return lim_no_memory(err);
  c->arc = calloc((size_t)from->n + 1, sizeof *c->arc);
  c->breaks = malloc(((size_t)from->nbreak + 1) * sizeof *c->breaks);
  if (!c->arc || !c->breaks) {
    lim_trajectory_free(c);
    *out = NULL;
    return lim_no_memory(err);
  }
  c->arc[c->narc++] = (lim_arc){.c = {from->x[0].value}};
  for (int i = 0; i + 1 < from->n; i++) {
    const double h = from->t[i + 1] - from->t[i];
    if (!(h > 0)) continue;
    c->arc[c->narc] = lim_arc_between(from->x[i], from->x[i + 1], h);
    c->arc[c->narc++].time = from->t[i];
  }
  c->end = from->t[from->n - 1];
  c->arc[c->narc++] = (lim_arc){.time = c->end, .c = {from->x[from->n - 1].value}};
  for (int i = 0; i < from->nbreak; i++) c->breaks[c->nbreak++] = from->breaks[i];
  return LIM_OK;
}

void lim_trajectory_free(lim_trajectory *c) {
  if (!c) return;
  free(c->arc);
  free(c->breaks);
  free(c);
}

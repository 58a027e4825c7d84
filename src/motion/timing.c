// timing.c - time-optimal speed along a path by two passes: backward, from where the end can still be reached;
// forward, as fast as that allows. Theory: docs/theory/programs.md (1)-(6).
//
// x = (ds/dt)^2 and u = d2s/dt2 are constant and linear between points: x(k+1) = x(k) + 2 u (s(k+1) - s(k)).
// In (u, x) every limit is convex and holds at rest, so that what can be is an interval of x that begins at 0.
#include "motion/timing.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

typedef struct {
  double low, high;
} range;

static double product(const double *a, const double *b, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

static void narrow(range *u, double low, double high) {
  u->low = fmax(u->low, low);
  u->high = fmin(u->high, high);
}

// The u with |a u + b| <= limit, where A = a.a, B = a.b, C = b.b.   (3)
static void narrow_by(range *u, double A, double B, double C, double limit) {
  const double scratch = limit * limit - C;
  if (A <= 1e-24 * limit * limit) { // the row does not move: u does not matter
    if (scratch < 0) *u = (range){INFINITY, -INFINITY};
    return;
  }
  const double root = B * B + A * scratch;
  if (root < 0)
    *u = (range){INFINITY, -INFINITY};
  else
    narrow(u, (-B - sqrt(root)) / A, (-B + sqrt(root)) / A);
}

// Of each group at each point: x'.x', x'.x'', x''.x''.
typedef struct {
  double aa, ab, bb;
} products;

typedef struct {
  const lim_paced *path;
  products *at; // (n x groups)
  double *max;  // x from which the end can be reached  (n)
} work;

// Limits of acceleration at point k for a given x; ahead: x is that at the point before, so far away.   (4)
static void narrow_at(range *u, const work *w, int k, double x, double ahead) {
  const lim_paced *p = w->path;
  const double h = 2 * ahead;
  for (int g = 0; g < p->groups; g++) {
    const size_t i = (size_t)k * (size_t)p->groups + (size_t)g;
    if (isinf(p->accel[i])) continue;
    const products *c = &w->at[i];
    narrow_by(u, c->aa + h * (2 * c->ab + h * c->bb), x * (c->ab + h * c->bb), x * x * c->bb, p->accel[i]);
  }
}

// What u may be between points k and k + 1, at x, so that the next x is at most `next`.
static range choices(const work *w, int k, double x, double next) {
  const double h = w->path->s[k + 1] - w->path->s[k];
  range u = {-x / (2 * h), (next - x) / (2 * h)};
  narrow_at(&u, w, k, x, 0);
  if (u.low <= u.high) narrow_at(&u, w, k + 1, x, h);
  return u;
}

// The largest x that the limits of speed allow at point k.   (2)
static double fastest(const work *w, int k) {
  double max = INFINITY;
  for (int g = 0; g < w->path->groups; g++) {
    const size_t i = (size_t)k * (size_t)w->path->groups + (size_t)g;
    const double limit = w->path->speed[i];
    if (w->at[i].aa > 0 && !isinf(limit)) max = fmin(max, limit * limit / w->at[i].aa);
  }
  return max;
}

// The largest x at point k from which the end can be reached, if `next` is that of the point after: where the
// room for u vanishes, which is concave in x. By the chord, and now and then by halves.   (5)
static double reachable(const work *w, int k, double next) {
  double low = 0, high = fastest(w, k);
  range u = choices(w, k, high, next);
  double below, above = u.high - u.low;
  if (above >= 0) return high;
  u = choices(w, k, low, next);
  below = u.high - u.low;
  for (int i = 0; i < 100 && high - low > 1e-13 * high; i++) {
    const bool chord = isfinite(above) && i % 3 != 2;
    const double x = chord ? low + (high - low) * below / (below - above) : (low + high) / 2;
    u = choices(w, k, x, next);
    const double space = u.high - u.low;
    if (space >= 0) {
      low = x;
      below = space;
    } else {
      high = x;
      above = space;
    }
  }
  return low;
}

static void multiply(work *w) {
  const lim_paced *p = w->path;
  for (int k = 0; k < p->n; k++)
    for (int g = 0; g < p->groups; g++) {
      const size_t i = (size_t)k * (size_t)p->rows + (size_t)p->group[g].first;
      const double *a = p->d1 + i, *b = p->d2 + i;
      const int n = p->group[g].count;
      w->at[(size_t)k * (size_t)p->groups + (size_t)g] =
          (products){product(a, a, n), product(a, b, n), product(b, b, n)};
    }
}

static void forward(double *t, double *speed, double *push, const work *w) { // (6)
  const lim_paced *p = w->path;
  double x = 0;
  t[0] = speed[0] = 0;
  for (int k = 0; k + 1 < p->n; k++) {
    const double h = p->s[k + 1] - p->s[k], next = w->max[k + 1];
    const range u = choices(w, k, x, next);
    push[k] = u.low <= u.high ? u.high : fmin(u.low, (next - x) / (2 * h)); // else by rounding
    x = fmin(fmax(x + 2 * h * push[k], 0), next);
    speed[k + 1] = sqrt(x);
    t[k + 1] = t[k] + 2 * h / (speed[k] + speed[k + 1]);
  }
}

lim_code lim_timing(double *t, double *speed, double *push, const lim_paced *p, lim_error *err) {
  work w = {.path = p};
  w.at = calloc((size_t)p->n * (size_t)p->groups, sizeof *w.at);
  w.max = malloc((size_t)p->n * sizeof *w.max);
  const bool good = w.at && w.max;
  if (good) {
    multiply(&w);
    w.max[p->n - 1] = 0;
    for (int k = p->n - 2; k > 0; k--) w.max[k] = reachable(&w, k, w.max[k + 1]);
    forward(t, speed, push, &w);
  }
  free(w.at);
  free(w.max);
  if (!good) return lim_no_memory(err);
  return isfinite(t[p->n - 1]) ? LIM_OK : LIM_FAIL(err, LIM_FAILED, "no speed along the path keeps the limits");
}

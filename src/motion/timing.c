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
  const double room = limit * limit - C;
  if (A <= 1e-24 * limit * limit) { // the row does not move: u does not matter
    if (room < 0) *u = (range){INFINITY, -INFINITY};
    return;
  }
  const double root = B * B + A * room;
  if (root < 0)
    *u = (range){INFINITY, -INFINITY};
  else
    narrow(u, (-B - sqrt(root)) / A, (-B + sqrt(root)) / A);
}

// Limits of acceleration at point k for a given x at it; ahead: x is that at the point before, h away.   (4)
static void narrow_at(range *u, const lim_paced *p, int k, double x, double ahead) {
  const double *d1 = p->d1 + (size_t)k * (size_t)p->rows, *d2 = p->d2 + (size_t)k * (size_t)p->rows;
  for (int g = 0; g < p->groups; g++) {
    const double limit = p->accel[(size_t)k * (size_t)p->groups + (size_t)g];
    if (isinf(limit)) continue;
    const double *a = d1 + p->group[g].first, *b = d2 + p->group[g].first;
    const int n = p->group[g].count;
    const double aa = product(a, a, n), ab = product(a, b, n), bb = product(b, b, n), w = 2 * ahead;
    narrow_by(u, aa + w * (2 * ab + w * bb), x * (ab + w * bb), x * x * bb, limit);
  }
}

// What u may be between points k and k + 1, at x, so that the next x is at most `next`.
static range choices(const lim_paced *p, int k, double x, double next) {
  const double h = p->s[k + 1] - p->s[k];
  range u = {-x / (2 * h), (next - x) / (2 * h)};
  narrow_at(&u, p, k, x, 0);
  narrow_at(&u, p, k + 1, x, h);
  return u;
}

// The largest x that the limits of speed allow at point k.   (2)
static double fastest(const lim_paced *p, int k) {
  double most = INFINITY;
  for (int g = 0; g < p->groups; g++) {
    const double *a = p->d1 + (size_t)k * (size_t)p->rows + p->group[g].first;
    const double limit = p->speed[(size_t)k * (size_t)p->groups + (size_t)g];
    const double size = product(a, a, p->group[g].count);
    if (size > 0 && !isinf(limit)) most = fmin(most, limit * limit / size);
  }
  return most;
}

// The largest x at point k from which the end can be reached, if `next` is that of the point after.   (5)
static double reachable(const lim_paced *p, int k, double next) {
  double low = 0, high = fastest(p, k);
  range u = choices(p, k, high, next);
  if (u.low <= u.high) return high;
  for (int i = 0; i < 100 && high - low > 1e-15 * high; i++) {
    const double x = (low + high) / 2;
    u = choices(p, k, x, next);
    if (u.low <= u.high)
      low = x;
    else
      high = x;
  }
  return low;
}

lim_code lim_timing(double *t, double *speed, double *push, const lim_paced *p, lim_error *err) {
  double *most = malloc((size_t)p->n * sizeof *most), x = 0;
  if (!most) return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  most[p->n - 1] = 0;
  for (int k = p->n - 2; k > 0; k--) most[k] = reachable(p, k, most[k + 1]);
  t[0] = speed[0] = 0;
  for (int k = 0; k + 1 < p->n; k++) { // (6)
    const double h = p->s[k + 1] - p->s[k];
    range u = choices(p, k, x, most[k + 1]);
    push[k] = u.low <= u.high ? u.high : fmin(u.low, (most[k + 1] - x) / (2 * h)); // else by rounding
    x = fmin(fmax(x + 2 * h * push[k], 0), most[k + 1]);
    speed[k + 1] = sqrt(x);
    t[k + 1] = t[k] + 2 * h / (speed[k] + speed[k + 1]);
  }
  free(most);
  return isfinite(t[p->n - 1]) ? LIM_OK : LIM_FAIL(err, LIM_FAILED, "no speed along the path keeps the limits");
}

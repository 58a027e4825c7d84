// spline.c - the clamped cubic spline: smooth to the acceleration, at rest at both ends.
// Theory: docs/theory/motion.md (18)-(19).
#include "motion/profile/build.h"

#include <stdlib.h>

typedef struct {
  const double *row;
  int n, stride;
} points;

static double t_of(const points *p, int i) { return p->row[i * p->stride]; }
static double y_of(const points *p, int i) { return p->row[i * p->stride + 1]; }
static double step(const points *p, int i) { return t_of(p, i + 1) - t_of(p, i); }
static double slope(const points *p, int i) { return (y_of(p, i + 1) - y_of(p, i)) / step(p, i); }

// Slopes m at the points by elimination downwards and substitution upwards; `up` is scratch.   (18)
static void solve_slopes(double *m, double *up, const points *p) {
  const int last = p->n - 1;
  m[0] = up[0] = 0;
  for (int i = 1; i < last; i++) {
    const double l = 1 / step(p, i - 1), r = 1 / step(p, i);
    const double pivot = 2 * (l + r) - l * up[i - 1];
    up[i] = r / pivot;
    m[i] = (3 * (slope(p, i - 1) * l + slope(p, i) * r) - l * m[i - 1]) / pivot;
  }
  m[last] = 0;
  for (int i = last - 1; i > 0; i--) m[i] -= up[i] * m[i + 1];
}

// The cubic between points i and i + 1.   (19)
static lim_arc cubic(const points *p, int i, const double *m) {
  const double h = step(p, i), d = slope(p, i);
  return (lim_arc){
      .c = {y_of(p, i), m[i], (3 * d - 2 * m[i] - m[i + 1]) / h, (m[i] + m[i + 1] - 2 * d) / (h * h)}};
}

void lim_build_spline(lim_builder *b, const double *row, int n, int stride) {
  const points p = {row, n, stride};
  const double start = b->time;
  double *m = malloc(2 * (size_t)n * sizeof *m);
  if (!m) {
    b->code = lim_no_memory(b->err);
    return;
  }
  solve_slopes(m, m + n, &p);
  lim_build_reach(b, t_of(&p, 0), y_of(&p, 0));
  for (int i = 0; i < n - 1; i++) {
    b->time = start + t_of(&p, i);
    lim_build_put(b, cubic(&p, i, m));
  }
  b->time = start + t_of(&p, n - 1);
  lim_build_hold(b, y_of(&p, n - 1));
  free(m);
}

// predictor.c - polynomials through the last accelerations, of order 0, 1 and 2. A motion that its steps
// resolve is followed best by the highest, vibrations that they do not resolve by the lowest: the one that was
// best in a step is taken in the next.
#include "integrate/predictor.h"

#include "math/packed.h"

#include <string.h>

bool lim_predictor_allocate(lim_predictor *p, lim_arena *arena, int n) {
  *p = (lim_predictor){.n = n};
  for (int k = 0; k < LIM_PREDICTOR_PAST; k++)
    if (!(p->past[k] = lim_arena_array(arena, (size_t)n, sizeof(double)))) return false;
  return true;
}

void lim_predictor_forget(lim_predictor *p) { p->count = p->order = 0; }

void lim_predictor_rewind(lim_predictor *p, double t) {
  while (p->count > 0 && p->t[0] > t) {
    double *dropped = p->past[0];
    for (int k = 0; k + 1 < LIM_PREDICTOR_PAST; k++) {
      p->past[k] = p->past[k + 1];
      p->t[k] = p->t[k + 1];
    }
    p->past[LIM_PREDICTOR_PAST - 1] = dropped;
    p->count--;
  }
  if (p->order >= p->count) p->order = p->count > 0 ? p->count - 1 : 0;
}

// Values of Lagrange's polynomials through the last order + 1 times, at t.
static void lagrange(double factor[LIM_PREDICTOR_PAST], const lim_predictor *p, int order, double t) {
  for (int k = 0; k < LIM_PREDICTOR_PAST; k++) {
    double above = k <= order, below = 1;
    for (int j = 0; j <= order; j++)
      if (j != k) {
        above *= t - p->t[j];
        below *= p->t[k] - p->t[j];
      }
    factor[k] = k <= order ? above / below : 0;
  }
}

void lim_predictor_guess(double *x, const lim_predictor *p, double t) {
  double c[LIM_PREDICTOR_PAST];
  lagrange(c, p, p->order, t);
  const double *new = p->past[0], *old = p->past[1], *oldest = p->past[2];
  if (p->order == 0) memcpy(x, new, (size_t)p->n * sizeof *x);
  if (p->order > 0) lim_packed_sum3(x, c[0], new, c[1], old, c[2], p->order == 2 ? oldest : old, p->n);
}

// By how much each order would have missed x at t.
static void misses(double miss[LIM_PREDICTOR_PAST], const lim_predictor *p, double t, const double *x,
                   const double *weight) {
  double line[LIM_PREDICTOR_PAST], parabola[LIM_PREDICTOR_PAST];
  const double *new = p->past[0], *old = p->past[1], *oldest = p->past[2];
  lagrange(line, p, 1, t);
  lagrange(parabola, p, 2, t);
  miss[0] = miss[1] = miss[2] = 0;
  for (int i = 0; i < p->n; i++) {
    miss[0] = lim_larger(miss[0], weight[i] * fabs(x[i] - new[i]));
    miss[1] = lim_larger(miss[1], weight[i] * fabs(x[i] - line[0] * new[i] - line[1] * old[i]));
    miss[2] = lim_larger(miss[2], weight[i] * fabs(x[i] - parabola[0] * new[i] - parabola[1] * old[i] -
                                                   parabola[2] * oldest[i]));
  }
}

void lim_predictor_take(lim_predictor *p, double t, const double *x, const double *weight) {
  p->order = p->count > 1 ? 1 : 0;
  if (p->count == LIM_PREDICTOR_PAST) {
    double miss[LIM_PREDICTOR_PAST];
    misses(miss, p, t, x, weight);
    p->order = 0;
    for (int k = 1; k < LIM_PREDICTOR_PAST; k++)
      if (miss[k] < miss[p->order]) p->order = k;
  } else {
    p->count++;
  }
  double *last = p->past[LIM_PREDICTOR_PAST - 1];
  for (int k = LIM_PREDICTOR_PAST - 1; k > 0; k--) {
    p->past[k] = p->past[k - 1];
    p->t[k] = p->t[k - 1];
  }
  memcpy(last, x, (size_t)p->n * sizeof *x);
  p->past[0] = last;
  p->t[0] = t;
}

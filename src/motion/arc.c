// arc.c - values, bounds, turning points and crossings of one arc. Theory: docs/theory/motion.md (1)-(2), (12).
#include "motion/arc.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

lim_sample lim_arc_at(const lim_arc *p, double tau) {
  const double *c = p->c;
  lim_sample s = {
      c[0] + tau * (c[1] + tau * (c[2] + tau * (c[3] + tau * (c[4] + tau * c[5])))),
      c[1] + tau * (2 * c[2] + tau * (3 * c[3] + tau * (4 * c[4] + tau * 5 * c[5]))),
      2 * c[2] + tau * (6 * c[3] + tau * (12 * c[4] + tau * 20 * c[5])),
  };
  if (p->a == 0) return s;
  const double sine = p->a * sin(p->w * tau + p->phi), cosine = p->a * cos(p->w * tau + p->phi); // (2)
  s.value += sine;
  s.rate += p->w * cosine;
  s.second -= p->w * p->w * sine;
  return s;
}

double lim_arc_value(const lim_arc *p, double tau) {
  const double *c = p->c;
  const double x = c[0] + tau * (c[1] + tau * (c[2] + tau * (c[3] + tau * (c[4] + tau * c[5]))));
  return p->a == 0 ? x : x + p->a * sin(p->w * tau + p->phi);
}

// i!/(i - k)!
static double falling(int i, int k) {
  double f = 1;
  for (int m = 0; m < k; m++) f *= i - m;
  return f;
}

double lim_arc_derivative(const lim_arc *p, double tau, int k) {
  double x = 0;
  for (int i = LIM_ARC_TERMS - 1; i >= k; i--) x = x * tau + falling(i, k) * p->c[i];
  if (p->a == 0) return x;
  const double angle = p->w * tau + p->phi, turned = k % 2 ? cos(angle) : sin(angle);
  return x + (k % 4 < 2 ? 1 : -1) * p->a * pow(p->w, k) * turned;
}

double lim_arc_bound(const lim_arc *p, double T, int k) {
  double x = 0;
  for (int i = LIM_ARC_TERMS - 1; i >= k; i--) x = x * T + falling(i, k) * fabs(p->c[i]);
  return x + fabs(p->a) * pow(fabs(p->w), k);
}

// Newton's method inside a bracket that shrinks; halves it where Newton would leave it.
double lim_arc_solve(const lim_arc *p, int k, double level, double lo, double hi) {
  const bool rising = lim_arc_derivative(p, hi, k) > lim_arc_derivative(p, lo, k);
  double x = lo + (hi - lo) / 2;
  for (int i = 0; i < 200; i++) {
    const double f = lim_arc_derivative(p, x, k) - level;
    if (f == 0) return x;
    *((f < 0) == rising ? &lo : &hi) = x;
    double next = x - f / lim_arc_derivative(p, x, k + 1);
    if (!(next > lo && next < hi)) next = lo + (hi - lo) / 2;
    if (next == x || next == lo || next == hi) return next;
    x = next;
  }
  return x;
}

// Roots of the sine alone, which is all that the sixth derivative holds: w tau + phi = m pi.
static int sine_roots(double *root, const lim_arc *p, double T) {
  int n = 0;
  if (p->a == 0) return 0;
  for (double m = floor(p->phi / PI) + 1; (m * PI - p->phi) / p->w < T; m++)
    root[n++] = (m * PI - p->phi) / p->w;
  return n;
}

// Roots of the k-th derivative, from those of the next one, between which it is monotone.   (12)
static int roots_below(double *root, const double *next, int nnext, const lim_arc *p, double T, int k) {
  int n = 0;
  double lo = 0;
  bool positive = lim_arc_derivative(p, lo, k) >= 0;
  for (int i = 0; i <= nnext; i++) {
    const double hi = i < nnext ? next[i] : T;
    const bool then = lim_arc_derivative(p, hi, k) >= 0;
    if (then != positive) root[n++] = lim_arc_solve(p, k, 0, lo, hi);
    lo = hi;
    positive = then;
  }
  return n;
}

double lim_arc_turns_capacity(const lim_arc *p, double T) {
  return LIM_ARC_TERMS + 4 + (p->a == 0 ? 0 : fabs(p->w) * T / PI);
}

int lim_arc_turns(double *turn, double *scratch, const lim_arc *p, double T) {
  double *now = scratch, *before = turn; // five levels: the last one lands in `turn`
  int n = sine_roots(before, p, T);
  for (int k = LIM_ARC_TERMS - 1; k >= 1; k--) {
    n = roots_below(now, before, n, p, T, k);
    double *swap = now;
    now = before;
    before = swap;
  }
  if (before != turn) memcpy(turn, before, (size_t)n * sizeof *turn);
  return n;
}

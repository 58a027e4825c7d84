// ik_settle.c - the choice among many solutions: along them to the one nearest to a posture. Theory:
// docs/theory/kinematics.md (7).
#include "kinematics/ik_search.h"

#include "math/rotation.h"
#include "math/rows.h"

#include <string.h>

static const double AT = 1e-12; // joints nearer to a limit are at it, where choices are made

static const double STILL = 1e-10; // steps along solutions below this are none

// Rows of joints that may move, orthogonal, with those of a unit matrix behind; their squares.
static void unit_rows(const lim_ik_search *x) {
  int n = x->c->n, width = n + x->rows;
  for (int i = 0; i < x->rows; i++) {
    double *row = x->A + i * width;
    for (int k = 0; k < n; k++) row[k] = x->solver.fixed[k] ? 0 : x->solver.J[k * x->rows + i];
    for (int k = 0; k < x->rows; k++) row[n + k] = i == k;
  }
  lim_rows_orthogonal(x->A, x->square, x->rows, n, width);
}

// d := the part of d that moves no row.
static void project(const lim_ik_search *x, double *d) {
  for (int k = 0; k < x->c->n; k++)
    if (x->solver.fixed[k]) d[k] = 0;
  lim_rows_take_off(d, x->A, x->square, x->rows, x->c->n, x->c->n + x->rows, LIM_IK_CUTOFF);
}

static double length_of(const double *d, int n) {
  double sum = 0;
  for (int k = 0; k < n; k++) sum += d[k] * d[k];
  return sqrt(sum);
}

// step = the part of rest - q that moves no row, of joints that are not fixed. Whether one leaves its limits
// then; that one is fixed.
static bool step_leaves(const lim_ik_search *x, const double *q, const double *rest) {
  bool leaves = false;
  unit_rows(x);
  for (int k = 0; k < x->c->n; k++) x->solver.step[k] = rest[k] - q[k];
  project(x, x->solver.step);
  for (int k = 0; k < x->c->n; k++) {
    const lim_chain_joint *j = &x->c->joint[k];
    bool out =
        (q[k] <= j->low + AT && x->solver.step[k] < 0) || (q[k] >= j->high - AT && x->solver.step[k] > 0);
    if (x->solver.fixed[k] || !out) continue;
    x->solver.fixed[k] = leaves = true;
  }
  return leaves;
}

// The step along solutions that do not leave limits; its size. Where nothing moves any more, joints that began
// to wait at a limit because of others that now wait too are let go, one by one.
static double along_solutions(const lim_ik_search *x, const double *q, const double *rest) {
  bool waiting[LIM_CHAIN_MOST];
  size_t n = (size_t)x->c->n;
  memset(x->solver.fixed, 0, n * sizeof *x->solver.fixed);
  while (step_leaves(x, q, rest)) continue;
  double size = length_of(x->solver.step, x->c->n);
  if (size >= STILL) return size;
  memcpy(waiting, x->solver.fixed, n * sizeof *waiting);
  for (size_t k = 0; k < n; k++) {
    if (!waiting[k]) continue;
    memcpy(x->solver.fixed, waiting, n * sizeof *waiting);
    x->solver.fixed[k] = false;
    double let_go = step_leaves(x, q, rest) ? 0 : length_of(x->solver.step, x->c->n);
    if (let_go >= STILL) return let_go;
  }
  return size;
}

// H = 1 - y.d2x, full: y are the multipliers with q - rest = J'y where the step is 0; d2p = w_i x v_k and, of
// rotations, (w_i x w_k)/2 for i before k.
static void bend(const lim_ik_search *x, const double *q, const double *rest) {
  int n = x->c->n;
  double y[6] = {0}, max = 0, c[3];
  for (int i = 0; i < x->rows; i++) max = fmax(max, x->square[i]);
  for (int i = 0; i < x->rows; i++) {
    const double *row = x->A + i * (n + x->rows);
    double part = 0;
    if (x->square[i] <= LIM_IK_CUTOFF * LIM_IK_CUTOFF * max) continue;
    for (int k = 0; k < n; k++) part += row[k] * (q[k] - rest[k]);
    for (int k = 0; k < x->rows; k++) y[k] += part / x->square[i] * row[n + k];
  }
  for (int k = 0; k < n; k++)
    for (int i = 0; i <= k; i++) {
      const double *a = x->J + 6 * i, *b = x->J + 6 * k;
      lim_cross(c, a + 3, b);
      double h = (i == k) - lim_dot(y, c);
      lim_cross(c, a + 3, b + 3);
      if (x->frame == 6) h -= x->length * lim_dot(y + 3, c) / 2;
      x->H[k * n + i] = x->H[i * n + k] = h;
    }
}

// step := Newton's along solutions, by conjugate gradients among directions that move no row; it stays the
// gradient's where that bends the wrong way.
static void newton_along(const lim_ik_search *x) {
  int n = x->c->n;
  double r[LIM_CHAIN_MOST], p[LIM_CHAIN_MOST], Hp[LIM_CHAIN_MOST], d[LIM_CHAIN_MOST] = {0};
  memcpy(r, x->solver.step, (size_t)n * sizeof *r);
  memcpy(p, r, (size_t)n * sizeof *p);
  double rr = pow(length_of(r, n), 2), first = rr;
  for (int round = 0; round < n && rr > 1e-24 * first; round++) {
    double bow = 0, next = 0;
    for (int k = 0; k < n; k++) {
      Hp[k] = 0;
      for (int i = 0; i < n; i++) Hp[k] += x->H[k * n + i] * p[i];
    }
    project(x, Hp);
    for (int k = 0; k < n; k++) bow += p[k] * Hp[k];
    if (bow <= 1e-3 * pow(length_of(p, n), 2)) {
      if (round == 0) return;
      break;
    }
    for (int k = 0; k < n; k++) {
      d[k] += rr / bow * p[k];
      r[k] -= rr / bow * Hp[k];
      next += r[k] * r[k];
    }
    for (int k = 0; k < n; k++) p[k] = r[k] + next / rr * p[k];
    rr = next;
  }
  memcpy(x->solver.step, d, (size_t)n * sizeof *d);
}

static double apart(const double *a, const double *b, int n) {
  double sum = 0;
  for (int k = 0; k < n; k++) sum += (a[k] - b[k]) * (a[k] - b[k]);
  return sum;
}

// The share of the step at which the first joint is at its limit.
static double until_limit(const lim_ik_search *x, const double *q) {
  double share = 1;
  for (int k = 0; k < x->c->n; k++) {
    const lim_chain_joint *j = &x->c->joint[k];
    double space = (x->solver.step[k] > 0 ? j->high : j->low) - q[k];
    if (x->solver.step[k] != 0 && space / x->solver.step[k] < share) share = fmax(space / x->solver.step[k], 0);
  }
  return share;
}

int lim_ik_search_settle(lim_ik_search *x, double *q, const lim_goal *goal, const double *rest, bool *settled) {
  enum { ROUNDS = 200, CORRECTIONS = 20 };
  int n = x->c->n, rounds = 0;
  double part = 1, slope = 0;
  for (int round = 0; round < ROUNDS && part > 1e-3; round++) {
    lim_miss left;
    lim_ik_search_columns(x, x->solver.J, q);
    slope = along_solutions(x, q, rest);
    if (slope < STILL) break;
    if (!x->c->s) { // the ways of a closed chain's joints are bent by loops, too
      bend(x, q, rest);
      newton_along(x);
    }
    if (until_limit(x, q) < AT)
      along_solutions(x, q, rest); // Newton's direction is blocked, not the gradient's
    memcpy(x->before, q, (size_t)n * sizeof *q);
    double far = apart(q, rest, n);
    double share = fmin(part, until_limit(x, q));
    for (int k = 0; k < n; k++) q[k] += share * x->solver.step[k];
    rounds += 1 + lim_ik_search_reach(&left, x, q, goal, true, CORRECTIONS);
    if (left.square < 1e-22 * x->c->size * x->c->size && apart(q, rest, n) < far) {
      part = fmin(1, 1.5 * part);
      continue;
    }
    memcpy(q, x->before, (size_t)n * sizeof *q);
    part /= 2;
  }
  *settled = slope < 1e-6;
  return rounds;
}

// search.c - Levenberg's method on the way to the goal, with joints that wait at their limits. Theory:
// docs/theory/kinematics.md (5)-(9).
#include "kinematics/search.h"

#include "math/rotation.h"
#include "math/rotation_vector.h"
#include "math/rows.h"

#include <string.h>

static const double LOST = 1e-12; // squares of singular values below this share of the largest count as 0

lim_miss lim_search_miss(double e[6], const lim_search *x, const lim_place_in_world *at, const lim_goal *goal) {
  lim_miss m = {0};
  for (int i = 0; i < 3; i++) {
    e[i] = goal->position[i] - at->p[i];
    e[3 + i] = 0;
  }
  m.distance = sqrt(lim_dot(e, e));
  m.square = m.distance * m.distance;
  if (x->rows < 6) return m;
  double back[9], turn[9]; // R_goal R'
  for (int i = 0; i < 9; i++) back[i] = at->R[3 * (i % 3) + i / 3];
  lim_mat3_product(turn, goal->R, back);
  lim_rotation_vector(e + 3, turn);
  m.angle = sqrt(lim_dot(e + 3, e + 3));
  for (int i = 3; i < 6; i++) e[i] *= x->length;
  m.square += x->length * x->length * m.angle * m.angle;
  return m;
}

// Rows of joints that may move, orthogonal, with u_i.e behind; their squares.
static void rows_of(const lim_search *x, const double e[6], double square[6]) {
  int n = x->c->n, width = n + 1;
  for (int i = 0; i < x->rows; i++) {
    for (int k = 0; k < n; k++) x->A[i * width + k] = x->fixed[k] ? 0 : (i < 3 ? 1 : x->length) * x->J[6 * k + i];
    x->A[i * width + n] = e[i];
  }
  lim_rows_orthogonal(x->A, square, x->rows, n, width);
}

static double largest(const double square[6], int rows) {
  double most = 0;
  for (int i = 0; i < rows; i++) most = fmax(most, square[i]);
  return most;
}

// step = J'(J J' + damping)^-1 e
static void damped_step(const lim_search *x, const double square[6], double damping) {
  int n = x->c->n, width = n + 1;
  double most = largest(square, x->rows);
  memset(x->step, 0, (size_t)n * sizeof *x->step);
  for (int i = 0; i < x->rows; i++) {
    if (square[i] <= LOST * most) continue;
    double factor = x->A[i * width + n] / (square[i] + damping);
    for (int k = 0; k < n; k++) x->step[k] += factor * x->A[i * width + k];
  }
}

// Joints at a limit that the way to the goal pushes against.
static void fix_at_limits(const lim_search *x, const double e[6], const double *q, bool bounded) {
  for (int k = 0; k < x->c->n; k++) {
    double push = 0;
    for (int i = 0; i < x->rows; i++) push += (i < 3 ? 1 : x->length) * x->J[6 * k + i] * e[i];
    const lim_chain_joint *j = &x->c->joint[k];
    x->fixed[k] = bounded && ((q[k] <= j->low && push < 0) || (q[k] >= j->high && push > 0));
  }
}

// trial = q + step, not farther than a leap, within limits. Returns the largest change, slides by the arm's size.
static double take_step(const lim_search *x, const double *q, bool bounded) {
  double most = 0, moved = 0;
  for (int k = 0; k < x->c->n; k++)
    most = fmax(most, fabs(x->step[k]) / (x->c->joint[k].slides ? x->c->size : 1));
  double part = most > 0.5 ? 0.5 / most : 1;
  for (int k = 0; k < x->c->n; k++) {
    const lim_chain_joint *j = &x->c->joint[k];
    x->trial[k] = q[k] + part * x->step[k];
    if (bounded) x->trial[k] = fmin(fmax(x->trial[k], j->low), j->high);
    moved = fmax(moved, fabs(x->trial[k] - q[k]) / (j->slides ? x->c->size : 1));
  }
  return moved;
}

int lim_search_reach(lim_miss *left, lim_search *x, double *q, const lim_goal *goal, bool bounded, int most) {
  lim_place_in_world at;
  double e[6], square[6], damping = 0, floor = 1e-32 * x->c->size * x->c->size;
  int n = x->c->n, round = 0;
  for (int k = 0; bounded && k < n; k++) q[k] = fmin(fmax(q[k], x->c->joint[k].low), x->c->joint[k].high);
  lim_chain_jacobian(&at, x->J, x->c, q);
  *left = lim_search_miss(e, x, &at, goal);
  while (round < most && left->square > floor) {
    fix_at_limits(x, e, q, bounded);
    rows_of(x, e, square);
    double scale = largest(square, x->rows), moved = 0;
    bool better = false;
    while (round < most && !better) {
      round++;
      damped_step(x, square, damping);
      moved = take_step(x, q, bounded);
      if (moved < 1e-15) break;
      lim_chain_pose(&at, x->c, x->trial);
      double there[6];
      better = lim_search_miss(there, x, &at, goal).square < left->square;
      if (!better) damping = fmax(10 * damping, 1e-4 * scale);
    }
    if (!better) break;
    double before = left->square;
    memcpy(q, x->trial, (size_t)n * sizeof *q);
    damping = damping < 1e-7 * scale ? 0 : damping / 10;
    lim_chain_jacobian(&at, x->J, x->c, q);
    *left = lim_search_miss(e, x, &at, goal);
    if (before - left->square < 1e-15 * before && moved < 1e-7) break; // as near as it gets
  }
  return round;
}

// --- the choice among many ---

// step = the part of rest - q that moves no row, of joints that do not leave their limits. Returns its size.
static double along_solutions(const lim_search *x, const double *q, const double *rest) {
  static const double none[6];
  int n = x->c->n, width = n + 1;
  double square[6], size = 0;
  memset(x->fixed, 0, (size_t)n * sizeof *x->fixed);
  for (bool again = true; again;) {
    again = false;
    rows_of(x, none, square);
    double most = largest(square, x->rows);
    for (int k = 0; k < n; k++) x->step[k] = x->fixed[k] ? 0 : rest[k] - q[k];
    for (int i = 0; i < x->rows; i++) {
      double part = 0;
      if (square[i] <= LOST * most) continue;
      for (int k = 0; k < n; k++) part += x->A[i * width + k] * x->step[k];
      for (int k = 0; k < n; k++) x->step[k] -= part / square[i] * x->A[i * width + k];
    }
    for (int k = 0; k < n; k++) {
      const lim_chain_joint *j = &x->c->joint[k];
      bool out = (q[k] <= j->low && x->step[k] < 0) || (q[k] >= j->high && x->step[k] > 0);
      if (x->fixed[k] || !out) continue;
      x->fixed[k] = again = true;
    }
  }
  for (int k = 0; k < n; k++) size += x->step[k] * x->step[k];
  return sqrt(size);
}

static double apart(const double *a, const double *b, int n) {
  double sum = 0;
  for (int k = 0; k < n; k++) sum += (a[k] - b[k]) * (a[k] - b[k]);
  return sum;
}

int lim_search_settle(lim_search *x, double *q, const lim_goal *goal, const double *rest) {
  enum { ROUNDS = 200, CORRECTIONS = 20 };
  int n = x->c->n, rounds = 0;
  double part = 1;
  for (int round = 0; round < ROUNDS && part > 1e-3; round++) {
    lim_place_in_world at;
    lim_miss left;
    lim_chain_jacobian(&at, x->J, x->c, q);
    if (along_solutions(x, q, rest) < 1e-10) break;
    memcpy(x->before, q, (size_t)n * sizeof *q);
    double far = apart(q, rest, n);
    for (int k = 0; k < n; k++) q[k] += part * x->step[k];
    rounds += 1 + lim_search_reach(&left, x, q, goal, true, CORRECTIONS);
    if (left.square < 1e-22 * x->c->size * x->c->size && apart(q, rest, n) < far) {
      part = fmin(1, 1.5 * part);
      continue;
    }
    memcpy(q, x->before, (size_t)n * sizeof *q);
    part /= 2;
  }
  return rounds;
}

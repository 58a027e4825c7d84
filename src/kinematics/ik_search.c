// ik_search.c - least squares of what is left to a goal, with joints that wait at their limits. Theory:
// docs/theory/kinematics.md (5)-(7).
#include "kinematics/ik_search.h"

#include "math/rotation.h"
#include "math/rotation_vector.h"
#include "math/rows.h"

#include <string.h>

static const double CUTOFF = 1e-6; // singular values below this share of the largest count as 0

static const double AT = 1e-12; // joints nearer to a limit are at it, where choices are made

static const double STILL = 1e-10; // steps along solutions below this are none

bool lim_ik_search_allocate(lim_ik_search *x, lim_arena *arena, const lim_chain *c, int frame) {
  size_t n = (size_t)c->n, rows = (size_t)(frame + c->rows);
  *x = (lim_ik_search){.c = c, .frame = frame, .rows = (int)rows, .length = c->size};
  x->J = lim_arena_array(arena, 6 * n + rows * (n + rows) + 4 * n + n * n + 3 * rows, sizeof *x->J);
  if (!x->J || !lim_least_squares_allocate(&x->solver, arena, x->rows, c->n, CUTOFF)) return false;
  x->A = x->J + 6 * n;
  x->before = x->A + rows * (n + rows);
  x->low = x->before + n;
  x->high = x->low + n;
  x->unit = x->high + n;
  x->H = x->unit + n;
  x->square = x->H + n * n;
  x->e = x->square + rows;
  x->there = x->e + rows;
  for (size_t k = 0; k < n; k++) {
    x->low[k] = c->joint[k].low;
    x->high[k] = c->joint[k].high;
    x->unit[k] = c->joint[k].slides ? c->size : 1;
  }
  return !c->s ||
         (lim_closed_chain_allocate(&x->closed, arena, c) && lim_freedoms_allocate(&x->freedoms, arena, c) &&
          lim_least_squares_allocate(&x->along, arena, frame, c->n, CUTOFF));
}

// e (6) := what is left from a pose to a goal.
static lim_miss miss_of_frame(double *e, const lim_ik_search *x, const lim_world_pose *at,
                              const lim_goal *goal) {
  lim_miss m = {0};
  for (int i = 0; i < 3; i++) e[i] = goal->position[i] - at->p[i];
  m.distance = sqrt(lim_dot(e, e));
  m.square = m.distance * m.distance;
  if (x->frame < 6) return m;
  double back[9], turn[9]; // R_goal R'
  for (int i = 0; i < 9; i++) back[i] = at->R[3 * (i % 3) + i / 3];
  lim_mat3_product(turn, goal->R, back);
  lim_rotation_vector(e + 3, turn);
  m.angle = sqrt(lim_dot(e + 3, e + 3));
  for (int i = 3; i < 6; i++) e[i] *= x->length;
  m.square += x->length * x->length * m.angle * m.angle;
  return m;
}

lim_miss lim_ik_search_miss(double *e, lim_ik_search *x, const double *q, const lim_goal *goal) {
  lim_world_pose at;
  if (x->c->s)
    lim_closed_chain_pose(&at, e + x->frame, &x->closed, q);
  else
    lim_chain_pose(&at, x->c, q);
  lim_miss m = miss_of_frame(e, x, &at, goal);
  for (int i = x->frame; i < x->rows; i++) {
    e[i] = -e[i];
    m.gap = fmax(m.gap, fabs(e[i]));
    m.square += e[i] * e[i];
  }
  return m;
}

// --- the least of the squares ---

static double miss_at(void *of, double *e, const double *q) {
  lim_ik_search *x = of;
  return lim_ik_search_miss(e, x, q, x->goal).square;
}

static void columns_at(void *of, double *J, const double *q) {
  lim_ik_search *x = of;
  lim_world_pose at;
  const double *from = x->J;
  int height = 6;
  if (x->c->s) {
    lim_closed_chain_columns(&x->closed, q);
    from = x->closed.J;
    height += x->c->rows;
  } else {
    lim_chain_jacobian(&at, x->J, x->c, q);
  }
  for (int k = 0; k < x->c->n; k++, J += x->rows, from += height) {
    for (int i = 0; i < x->frame; i++) J[i] = (i < 3 ? 1 : x->length) * from[i];
    for (int i = 0; i < x->c->rows; i++) J[x->frame + i] = from[6 + i];
  }
}

static lim_least_squares_problem problem_of(lim_ik_search *x, const lim_goal *goal, bool bounded, int max) {
  x->goal = goal;
  return (lim_least_squares_problem){.of = x,
                                     .miss = miss_at,
                                     .columns = columns_at,
                                     .low = bounded ? x->low : NULL,
                                     .high = bounded ? x->high : NULL,
                                     .unit = x->unit,
                                     .leap = 0.5,
                                     .done = 1e-32 * x->c->size * x->c->size,
                                     .rounding = x->c->s ? 1e-26 * x->c->size * x->c->size : 0,
                                     .rounds = max};
}

int lim_ik_search_reach(lim_miss *left, lim_ik_search *x, double *q, const lim_goal *goal, bool bounded,
                        int max) {
  const lim_least_squares_problem p = problem_of(x, goal, bounded, max);
  double square;
  for (int k = 0; bounded && k < x->c->n; k++) q[k] = fmin(fmax(q[k], x->low[k]), x->high[k]);
  int rounds = lim_least_squares_reach(&square, &x->solver, q, &p);
  *left = lim_ik_search_miss(x->e, x, q, goal);
  return rounds;
}

// d := d without its parts along orthogonal rows A (rows x width), of which n entries count.
static void take_off(double *d, const double *A, const double *square, int rows, int n, int width) {
  double max = 0;
  for (int i = 0; i < rows; i++) max = fmax(max, square[i]);
  for (int i = 0; i < rows; i++) {
    const double *row = A + i * width;
    double part = 0;
    if (square[i] <= CUTOFF * CUTOFF * max) continue;
    for (int k = 0; k < n; k++) part += row[k] * d[k];
    for (int k = 0; k < n; k++) d[k] -= part / square[i] * row[k];
  }
}

// --- the least of what cannot be 0 ---

// H = J'J - e.d2p, lower part, where d2p/dq_i dq_k = w_i x v_k for i before k. That of rotations is left out:
// it is 0 where they arrive. step = J'e.
static void curvature(const lim_ik_search *x, const double e[6], double damping) {
  int n = x->c->n;
  double c[3];
  for (int k = 0; k < n; k++) {
    const double *b = x->J + 6 * k;
    double turn = x->frame == 6 ? x->length * x->length : 0;
    x->solver.step[k] = lim_dot(b, e) + (x->frame == 6 ? x->length * lim_dot(b + 3, e + 3) : 0);
    for (int i = 0; i <= k; i++) {
      const double *a = x->J + 6 * i;
      lim_cross(c, a + 3, b);
      double h = lim_dot(a, b) + turn * lim_dot(a + 3, b + 3) - lim_dot(e, c);
      x->H[k * n + i] = h + (i == k ? damping : 0);
    }
    if (!x->solver.fixed[k]) continue;
    x->solver.step[k] = 0;
    x->H[k * n + k] = 1;
  }
  for (int k = 0; k < n; k++)
    for (int i = 0; i < k; i++)
      if (x->solver.fixed[i] || x->solver.fixed[k]) x->H[k * n + i] = 0;
}

// step := H^-1 step by Cholesky. False: H is not positive.
static bool solve_positive(double *H, double *step, int n) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i <= k; i++) {
      double sum = H[k * n + i];
      for (int m = 0; m < i; m++) sum -= H[k * n + m] * H[i * n + m];
      if (i == k && !(sum > 0)) return false;
      H[k * n + i] = i == k ? sqrt(sum) : sum / H[i * n + i];
    }
  for (int k = 0; k < n; k++) {
    for (int i = 0; i < k; i++) step[k] -= H[k * n + i] * step[i];
    step[k] /= H[k * n + k];
  }
  for (int k = n - 1; k >= 0; k--) {
    for (int i = k + 1; i < n; i++) step[k] -= H[i * n + k] * step[i];
    step[k] /= H[k * n + k];
  }
  return true;
}

// --- the same among postures of a closed chain that are closed ---

// What is left at the closed posture next to q.
static double miss_closed(void *of, double *e, const double *q) {
  lim_ik_search *x = of;
  double *z = x->before;
  memcpy(z, q, (size_t)x->c->n * sizeof *z);
  if (!lim_closed_chain_close(&x->closed, z, x->limits[0], x->limits[1])) return INFINITY;
  lim_miss m = lim_ik_search_miss(x->there, x, z, x->goal);
  memcpy(e, x->there, (size_t)x->frame * sizeof *e);
  return m.distance * m.distance + x->length * x->length * m.angle * m.angle;
}

// Columns of the frame there, without what would open the loops.
static void columns_closed(void *of, double *J, const double *q) {
  lim_ik_search *x = of;
  double *z = x->before;
  int n = x->c->n;
  memcpy(z, q, (size_t)n * sizeof *z);
  lim_closed_chain_close(&x->closed, z, x->limits[0], x->limits[1]);
  columns_at(x, x->solver.J, z);
  for (int i = 0; i < x->c->rows; i++)
    for (int k = 0; k < n; k++) x->A[i * n + k] = x->solver.J[k * x->rows + x->frame + i];
  lim_rows_orthogonal(x->A, x->square, x->c->rows, n, n);
  for (int r = 0; r < x->frame; r++) {
    double *row = x->H;
    for (int k = 0; k < n; k++) row[k] = x->solver.J[k * x->rows + r];
    take_off(row, x->A, x->square, x->c->rows, n, n);
    for (int k = 0; k < n; k++) J[k * x->frame + r] = row[k];
  }
}

static int refine_closed(lim_miss *left, lim_ik_search *x, double *q, const lim_goal *goal, bool bounded) {
  enum { ROUNDS = 100 };
  lim_least_squares_problem p = problem_of(x, goal, bounded, ROUNDS);
  p.miss = miss_closed;
  p.columns = columns_closed;
  p.leap = 0.2;
  x->limits[0] = p.low;
  x->limits[1] = p.high;
  double square;
  int rounds = 0;
  *left = (lim_miss){.square = INFINITY};
  if (!lim_closed_chain_close(&x->closed, q, p.low, p.high)) return 0;
  rounds = lim_least_squares_reach(&square, &x->along, q, &p);
  if (!lim_closed_chain_close(&x->closed, q, p.low, p.high)) return rounds;
  *left = lim_ik_search_miss(x->e, x, q, goal);
  return rounds;
}

int lim_ik_search_refine(lim_miss *left, lim_ik_search *x, double *q, const lim_goal *goal, bool bounded) {
  enum { ROUNDS = 60 };
  if (x->c->s) return refine_closed(left, x, q, goal, bounded);
  const lim_least_squares_problem p = problem_of(x, goal, bounded, ROUNDS);
  double damping = 0;
  int n = x->c->n, round = 0;
  for (bool better = true; round < ROUNDS; round++) {
    if (better) {
      columns_at(x, x->solver.J, q);
      *left = lim_ik_search_miss(x->e, x, q, goal);
      lim_least_squares_fix(&x->solver, &p, x->e, q);
    }
    curvature(x, x->e, damping);
    better = solve_positive(x->H, x->solver.step, n);
    double moved = better ? lim_least_squares_move(&x->solver, &p, q) : 1;
    if (moved < 1e-12) break;
    if (better)
      better = lim_ik_search_miss(x->there, x, x->solver.trial, goal).square <= left->square * (1 + 1e-15);
    if (better) memcpy(q, x->solver.trial, (size_t)n * sizeof *q);
    damping = better ? damping / 10 : fmax(10 * damping, 1e-6 * x->c->size * x->c->size);
    if (better && damping < 1e-9 * x->c->size * x->c->size) damping = 0;
  }
  *left = lim_ik_search_miss(x->e, x, q, goal);
  return round;
}

// --- the choice among many ---

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
  take_off(d, x->A, x->square, x->rows, x->c->n, x->c->n + x->rows);
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
    if (x->square[i] <= CUTOFF * CUTOFF * max) continue;
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
    columns_at(x, x->solver.J, q);
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

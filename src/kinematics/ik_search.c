// ik_search.c - least squares of what is left to a goal, with joints that wait at their limits. Theory:
// docs/theory/kinematics.md (5)-(7).
#include "kinematics/ik_search.h"

#include "math/rotation.h"
#include "math/rotation_vector.h"
#include "math/rows.h"

#include <string.h>

bool lim_ik_search_allocate(lim_ik_search *x, lim_arena *arena, const lim_chain *c, int frame) {
  size_t n = (size_t)c->n, rows = (size_t)frame + (size_t)c->rows;
  *x = (lim_ik_search){.c = c, .frame = frame, .rows = (int)rows, .length = c->size};
  x->J = lim_arena_array(arena, 6 * n + rows * (n + rows) + 4 * n + n * n + 3 * rows, sizeof *x->J);
  if (!x->J || !lim_least_squares_allocate(&x->solver, arena, x->rows, c->n, LIM_IK_CUTOFF)) return false;
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
    x->unit[k] = c->joint[k].unit;
  }
  return !c->s ||
         (lim_closed_chain_allocate(&x->closed, arena, c) && lim_freedoms_allocate(&x->freedoms, arena, c) &&
          lim_least_squares_allocate(&x->along, arena, frame, c->n, LIM_IK_CUTOFF));
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

void lim_ik_search_columns(lim_ik_search *x, double *J, const double *q) {
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

static void columns_at(void *of, double *J, const double *q) { lim_ik_search_columns(of, J, q); }

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
    lim_rows_take_off(row, x->A, x->square, x->c->rows, n, n, LIM_IK_CUTOFF);
    for (int k = 0; k < n; k++) J[k * x->frame + r] = row[k];
  }
}

// Steps that the sum of squares no longer feels, since the rest is so large: as long as they grow shorter.
static void finish_closed(lim_ik_search *x, double *q, const lim_least_squares_problem *p) {
  enum { ROUNDS = 10 };
  const size_t size = (size_t)x->c->n * sizeof *q;
  double *e = x->along.e, before = 1e-6, least = miss_closed(x, e, q);
  for (int round = 0; round < ROUNDS; round++) {
    columns_closed(x, x->along.J, q);
    miss_closed(x, e, q);
    lim_least_squares_fix(&x->along, p, e, q);
    lim_least_squares_solve(&x->along, e);
    double moved = lim_least_squares_move(&x->along, p, q);
    if (!(moved < before / 2) || miss_closed(x, e, x->along.trial) > least * (1 + 1e-12)) break;
    memcpy(q, x->along.trial, size);
    before = moved;
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
  finish_closed(x, q, &p);
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

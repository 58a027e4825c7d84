// damped_least_squares.c - linear least squares by orthogonal rows (one-sided Jacobi), and Levenberg's method
// on them. Theory: docs/theory/kinematics.md (5).
#include "math/damped_least_squares.h"

#include "math/rows.h"

#include <math.h>
#include <string.h>

bool lim_least_squares_allocate(lim_least_squares *x, lim_arena *arena, int rows, int n, double cutoff) {
  size_t m = (size_t)rows, k = (size_t)n;
  *x = (lim_least_squares){.rows = rows, .n = n, .cutoff = cutoff};
  x->J = lim_arena_array(arena, m * k + m * (k + 1) + 3 * m + 2 * k + 1, sizeof *x->J);
  x->fixed = lim_arena_array(arena, k + 1, sizeof *x->fixed);
  if (!x->J || !x->fixed) return false;
  x->A = x->J + m * k;
  x->square = x->A + m * (k + 1);
  x->e = x->square + m;
  x->step = x->e + 2 * m;
  x->trial = x->step + k;
  return true;
}

static void factor(lim_least_squares *x, const double *b) {
  int n = x->n, width = n + 1;
  for (int i = 0; i < x->rows; i++) {
    double *row = x->A + i * width;
    for (int k = 0; k < n; k++) row[k] = x->fixed[k] ? 0 : x->J[k * x->rows + i];
    row[n] = b[i];
  }
  lim_rows_orthogonal(x->A, x->square, x->rows, n, width);
}

int lim_least_squares_solve(lim_least_squares *x, const double *b) {
  factor(x, b);
  return lim_rows_solve(x->step, x->A, x->square, x->rows, x->n, 0, x->cutoff);
}

// --- Levenberg's method ---

static double largest(const double *square, int rows) {
  double max = 0;
  for (int i = 0; i < rows; i++) max = fmax(max, square[i]);
  return max;
}

void lim_least_squares_fix(lim_least_squares *x, const lim_least_squares_problem *p, const double *e,
                           const double *at) {
  for (int k = 0; k < x->n; k++) {
    double push = 0;
    for (int i = 0; i < x->rows; i++) push += x->J[k * x->rows + i] * e[i];
    x->fixed[k] = p->low && ((at[k] <= p->low[k] && push < 0) || (at[k] >= p->high[k] && push > 0));
  }
}

double lim_least_squares_move(lim_least_squares *x, const lim_least_squares_problem *p, const double *at) {
  double max = 0, moved = 0;
  for (int k = 0; k < x->n; k++) max = fmax(max, fabs(x->step[k]) / (p->unit ? p->unit[k] : 1));
  double part = max > p->leap ? p->leap / max : 1;
  for (int k = 0; k < x->n; k++) {
    x->trial[k] = at[k] + part * x->step[k];
    if (p->low) x->trial[k] = fmin(fmax(x->trial[k], p->low[k]), p->high[k]);
    moved = fmax(moved, fabs(x->trial[k] - at[k]) / (p->unit ? p->unit[k] : 1));
  }
  return moved;
}

// Damped steps from `at`, one after the other, until one helps: its e is then in there, |e|^2 in *now. Returns
// the change; 0: none helps.
static double descend(double *now, double *there, double *damping, int *round, lim_least_squares *x,
                      const lim_least_squares_problem *p, const double *at, double left) {
  double scale = largest(x->square, x->rows);
  while (*round < p->rounds) {
    ++*round;
    lim_rows_solve(x->step, x->A, x->square, x->rows, x->n, *damping, x->cutoff);
    double moved = lim_least_squares_move(x, p, at);
    if (!(moved >= 1e-15)) break;
    *now = p->miss(p->of, there, x->trial);
    if (*now < left) {
      *damping = *damping < 1e-7 * scale ? 0 : *damping / 10;
      return moved;
    }
    if (left <= p->rounding) break;
    *damping = fmax(10 * *damping, 1e-4 * scale);
  }
  return 0;
}

int lim_least_squares_reach(double *left, lim_least_squares *room, double *x,
                            const lim_least_squares_problem *p) {
  double *e = room->e, *there = room->e + room->rows, damping = 0;
  int round = 0;
  *left = p->miss(p->of, e, x);
  while (*left > p->done && round < p->rounds) {
    double before = *left, now = before;
    p->columns(p->of, room->J, x);
    lim_least_squares_fix(room, p, e, x);
    factor(room, e);
    double moved = descend(&now, there, &damping, &round, room, p, x, *left);
    if (!(moved > 0)) break;
    *left = now;
    memcpy(x, room->trial, (size_t)room->n * sizeof *x);
    memcpy(e, there, (size_t)room->rows * sizeof *e);
    if (before - now < 1e-15 * before && moved < 1e-7) break; // as near as it gets
  }
  return round;
}

// freedoms.c - from the null space of the loops' rows. Theory: docs/theory/kinematics.md (20)-(23).
#include "kinematics/freedoms.h"

#include "math/null_space.h"
#include "math/rows.h"

#include <math.h>
#include <string.h>

static const double SINGULAR = 1e-4; // a direction that needs 10^4 times the speed counts as lost
static const double FAST = 0.3;      // of the arm's size: what speed 1 of joints makes of a frame, about
static const double IDLE = 1e-6;     // motions of joints that move the frame by less do not move it

bool lim_freedoms_allocate(lim_freedoms *x, lim_arena *arena, const lim_chain *c) {
  size_t n = (size_t)c->n, rows = (size_t)c->rows;
  *x = (lim_freedoms){.c = c};
  for (int k = 0; k < c->n; k++) x->independent += !c->joint[k].follows;
  size_t size = rows * n + n * n + 6 * n + n * (n + 6) + n + lim_null_space_size(c->rows, c->n);
  x->G = lim_arena_array(arena, size, sizeof *x->G);
  if (!x->G || !lim_least_squares_allocate(&x->solver, arena, x->independent, c->n, SINGULAR * SINGULAR))
    return false;
  x->N = x->G + rows * n;
  x->F = x->N + n * n;
  x->A = x->F + 6 * n;
  x->square = x->A + n * (n + 6);
  x->scratch = x->square + n;
  return true;
}

static double unit(const lim_chain *c, int k) { return c->joint[k].unit; }

bool lim_freedoms_at(lim_freedoms *x, lim_closed_chain *room, const double *q) {
  const lim_chain *c = x->c;
  int n = c->n, height = 6 + c->rows;
  lim_closed_chain_columns(room, q);
  for (int i = 0; i < c->rows; i++)
    for (int k = 0; k < n; k++) x->G[i * n + k] = unit(c, k) * room->J[k * height + 6 + i];
  if (!lim_null_space_in(x->N, &x->count, x->G, c->rows, n, x->scratch)) return false;
  for (int d = 0; d < x->count; d++)
    for (int i = 0; i < 6; i++) {
      double sum = 0;
      for (int k = 0; k < n; k++) sum += room->J[k * height + i] * unit(c, k) * x->N[d * n + k];
      x->F[6 * d + i] = (i < 3 ? 1 : c->size) * sum;
    }
  return true;
}

int lim_freedoms_of_frame(lim_freedoms *x, bool turns) {
  int rows = turns ? 6 : 3, rank = 0;
  double max = 0;
  for (int d = 0; d < x->count; d++) memcpy(x->A + d * rows, x->F + 6 * d, (size_t)rows * sizeof *x->A);
  lim_rows_orthogonal(x->A, x->square, x->count, rows, rows);
  for (int d = 0; d < x->count; d++) max = fmax(max, x->square[d]);
  max = fmax(max, pow(FAST * x->c->size, 2));
  for (int d = 0; d < x->count; d++) rank += x->square[d] > SINGULAR * SINGULAR * max;
  return rank;
}

// Speeds of the independent joints along direction d.
static void speeds(double *out, const lim_freedoms *x, int d) {
  for (int k = 0; k < x->c->n; k++)
    if (!x->c->joint[k].follows) *out++ = x->N[d * x->c->n + k];
}

// Directions are turned among each other until the speeds along any two are orthogonal; the frame's velocity
// goes along, and is compared with them.
bool lim_freedoms_give_way(lim_freedoms *x) {
  int m = x->independent, width = m + 6;
  bool gives = false;
  for (int d = 0; d < x->count; d++) {
    speeds(x->A + d * width, x, d);
    memcpy(x->A + d * width + m, x->F + 6 * d, 6 * sizeof *x->A);
  }
  lim_rows_orthogonal(x->A, x->square, x->count, m, width);
  for (int d = 0; d < x->count; d++) {
    const double *f = x->A + d * width + m;
    double frame = 0;
    for (int i = 0; i < 6; i++) frame += f[i] * f[i];
    frame = sqrt(frame) / x->c->size;
    gives = gives || (frame > IDLE && sqrt(x->square[d]) < SINGULAR * frame);
  }
  return gives;
}

void lim_freedoms_jacobian(double *J, lim_freedoms *x) {
  const lim_chain *c = x->c;
  int m = x->independent, at = 0;
  double *one = x->square;
  memset(J, 0, 6 * (size_t)c->n * sizeof *J);
  memset(one, 0, (size_t)m * sizeof *one);
  x->solver.n = x->count;
  for (int d = 0; d < x->count; d++) speeds(x->solver.J + d * m, x, d);
  for (int k = 0; k < c->n; k++) {
    if (c->joint[k].follows) continue;
    one[at] = 1 / unit(c, k);
    lim_least_squares_solve(&x->solver, one);
    one[at++] = 0;
    for (int i = 0; i < 6; i++)
      for (int d = 0; d < x->count; d++)
        J[6 * k + i] += x->F[6 * d + i] / (i < 3 ? 1 : c->size) * x->solver.step[d];
  }
}

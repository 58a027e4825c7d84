// closed_chain.c - which joints loops couple; poses, rows and columns of a closed chain; closing it. Theory:
// docs/theory/kinematics.md, "Closed chains".
#include "kinematics/closed_chain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double SINGULAR = 1e-10; // singular values below this share of the largest are none
static const double LEAP = 0.3;       // the most by which a step changes a joint [rad, m]

// --- which joints ---

// Whether a body carries a site.
static bool carries(const lim_arm *s, int body, const lim_site *site) {
  int at = site->body;
  while (at >= 0 && at != body) at = s->parent[at];
  return at == body;
}

// Joints that move both frames of a loop move it as a whole.
static bool moves_whole(const lim_arm *s, int row, int body) {
  for (int i = 0; i < s->nloop; i++) {
    const lim_closure *c = &s->loop[i];
    if (row >= c->first && row < c->first + c->count)
      return carries(s, body, &c->site[0]) && carries(s, body, &c->site[1]);
  }
  return false;
}

typedef struct {
  lim_world_motion *body; // (nbody)
  lim_row_state *row;     // (nrow)
  double *q, *unit;       // (n)
  bool *depends;          // (nrow x nbody)
} coupling;

// Rows that change with a joint at q, which need not be closed.
static void mark_rows(coupling *x, const lim_arm *s, int body) {
  x->unit[s->bodies[body].q] = 1;
  lim_kinematics(x->body, s, x->q, x->unit, NULL);
  lim_loops_evaluate(x->row, s, x->body, x->q, x->unit, NULL);
  x->unit[s->bodies[body].q] = 0;
  for (int i = 0; i < s->nrow; i++)
    if (fabs(x->row[i].rate) > 1e-12 && !moves_whole(s, i, body)) x->depends[i * s->nbody + body] = true;
}

// In the posture given and in one beside it, where nothing is 0 by chance.
static void mark_all(coupling *x, const lim_arm *s, const bool *held) {
  for (int turn = 0; turn < 2; turn++) {
    for (int i = 0; i < s->nbody; i++) {
      const lim_arm_body *b = &s->bodies[i];
      if (b->q >= 0 && !(held && held[b->link])) mark_rows(x, s, i);
    }
    for (int i = 0; i < s->nbody; i++)
      if (s->bodies[i].q >= 0 && !isfinite(s->bodies[i].range[0])) x->q[s->bodies[i].q] += 0.1 + 0.01 * (i % 7);
  }
}

// Rows that any joint of the chain changes, and all joints that change them, until there are no more.
static void spread(bool *joined, bool *row, const coupling *x, const lim_arm *s) {
  for (bool more = true; more;) {
    more = false;
    for (int i = 0; i < s->nrow; i++) {
      const bool *depends = x->depends + i * s->nbody;
      for (int k = 0; k < s->nbody && !row[i]; k++) more = row[i] = depends[k] && joined[k];
      for (int k = 0; k < s->nbody && row[i]; k++) joined[k] = joined[k] || depends[k];
      if (more) break;
    }
  }
}

lim_code lim_closed_chain_join(bool *joined, bool *row, const lim_arm *s, const double *q, const bool *held,
                               lim_error *err) {
  lim_arena arena = {0};
  size_t n = (size_t)s->n, bodies = (size_t)s->nbody, rows = (size_t)s->nrow;
  coupling x = {.body = lim_arena_array(&arena, bodies, sizeof *x.body),
                .row = lim_arena_array(&arena, rows, sizeof *x.row),
                .q = lim_arena_array(&arena, 2 * n, sizeof *x.q),
                .depends = lim_arena_array(&arena, rows * bodies, sizeof *x.depends)};
  bool good = x.body && x.row && x.q && x.depends;
  if (good) {
    x.unit = x.q + n;
    memcpy(x.q, q, n * sizeof *q);
    mark_all(&x, s, held);
    spread(joined, row, &x, s);
  }
  lim_arena_free(&arena);
  return good ? LIM_OK : lim_no_memory(err);
}

// --- evaluation ---

bool lim_closed_chain_allocate(lim_closed_chain *x, lim_arena *arena, const lim_chain *c) {
  size_t n = (size_t)c->n, rows = (size_t)c->rows, all = (size_t)c->s->n;
  *x = (lim_closed_chain){.c = c};
  x->q = lim_arena_array(arena, 2 * all, sizeof *x->q);
  x->body = lim_arena_array(arena, (size_t)c->s->nbody, sizeof *x->body);
  x->row = lim_arena_array(arena, (size_t)c->s->nrow, sizeof *x->row);
  x->J = lim_arena_array(arena, (6 + rows) * n + 3 * n, sizeof *x->J);
  bool solver = lim_least_squares_allocate(&x->solver, arena, c->rows, c->n, SINGULAR);
  if (!x->q || !x->body || !x->row || !x->J || !solver) return false;
  memcpy(x->q, c->shape, all * sizeof *x->q);
  x->unit = x->q + all;
  x->low = x->J + (6 + rows) * n;
  x->high = x->low + n;
  x->unit_of = x->high + n;
  for (int k = 0; k < c->n; k++) x->unit_of[k] = c->joint[k].unit;
  return true;
}

static lim_world_motion evaluate(lim_closed_chain *x, const double *v) {
  const lim_arm *s = x->c->s;
  const lim_site *site = &x->c->site;
  lim_kinematics(x->body, s, x->q, v, NULL);
  lim_loops_evaluate(x->row, s, x->body, x->q, v, NULL);
  return lim_kinematics_at(s, site, x->body, x->q, v, NULL);
}

static int coordinate(const lim_chain *c, int joint) { return c->s->bodies[c->joint[joint].body].q; }

static void put(lim_closed_chain *x, const double *q) {
  for (int k = 0; k < x->c->n; k++) x->q[coordinate(x->c, k)] = q[k];
}

void lim_closed_chain_pose(lim_world_pose *out, double *gap, lim_closed_chain *x, const double *q) {
  put(x, q);
  const lim_world_motion at = evaluate(x, NULL);
  memcpy(out->R, at.R, sizeof out->R);
  memcpy(out->p, at.p, sizeof out->p);
  for (int i = 0; gap && i < x->c->rows; i++) gap[i] = x->row[x->c->row[i]].value;
}

void lim_closed_chain_columns(lim_closed_chain *x, const double *q) {
  const lim_chain *c = x->c;
  put(x, q);
  for (int k = 0; k < c->n; k++) {
    double *column = x->J + k * (6 + c->rows), *speed = &x->unit[coordinate(c, k)];
    *speed = 1;
    const lim_world_motion at = evaluate(x, x->unit);
    *speed = 0;
    memcpy(column, at.v, sizeof at.v);
    memcpy(column + 3, at.w, sizeof at.w);
    for (int i = 0; i < c->rows; i++) column[6 + i] = x->row[c->row[i]].rate;
  }
}

// --- closing ---

static double miss_at(void *of, double *e, const double *q) {
  lim_closed_chain *x = of;
  lim_world_pose at;
  double sum = 0;
  lim_closed_chain_pose(&at, e, x, q);
  for (int i = 0; i < x->c->rows; i++) {
    e[i] = -e[i];
    sum += e[i] * e[i];
  }
  return sum;
}

static void columns_at(void *of, double *J, const double *q) {
  lim_closed_chain *x = of;
  int rows = x->c->rows;
  lim_closed_chain_columns(x, q);
  for (int k = 0; k < x->c->n; k++) memcpy(J + k * rows, x->J + k * (6 + rows) + 6, (size_t)rows * sizeof *J);
}

bool lim_closed_chain_close(lim_closed_chain *x, double *q, const double *low, const double *high) {
  const lim_least_squares_problem p = {.of = x,
                                       .miss = miss_at,
                                       .columns = columns_at,
                                       .low = low,
                                       .high = high,
                                       .unit = x->unit_of,
                                       .leap = LEAP,
                                       .done = 1e-28,
                                       .rounding = LIM_LOOP_CLOSED * LIM_LOOP_CLOSED,
                                       .rounds = 100};
  double left, max = 0;
  lim_least_squares_reach(&left, &x->solver, q, &p);
  miss_at(x, x->solver.e, q);
  for (int i = 0; i < x->c->rows; i++) max = fmax(max, fabs(x->solver.e[i]));
  return max <= LIM_LOOP_CLOSED;
}

bool lim_closed_chain_follow(lim_closed_chain *x, double *q) {
  for (int k = 0; k < x->c->n; k++) {
    bool follows = x->c->joint[k].follows;
    x->low[k] = follows ? -INFINITY : q[k];
    x->high[k] = follows ? INFINITY : q[k];
  }
  return lim_closed_chain_close(x, q, x->low, x->high);
}

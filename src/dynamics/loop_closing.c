// loop_closing.c - the configuration that closes the loops of an arm. Theory: docs/theory/loops.md.
#include "dynamics/loop_closing.h"

#include "dynamics/recursion.h"
#include "math/damped_least_squares.h"

#include <math.h>
#include <string.h>

static const double SINGULAR = 1e-10; // singular values below this share of the largest are none
static const double LEAP = 0.3;       // the most by which a step changes a joint [rad, m]
static const double CLOSED = 1e-11;   // gaps below this are none

// Which joints a closing may adjust: those without a drive and without a motion.
static bool adjustable(const lim_arm *s, int body) {
  const lim_arm_body *b = &s->bodies[body];
  const lim_drive *d = lim_model_drive(s->model, b->link);
  return b->q >= 0 && !lim_model_motion(s->model, b->link) && (!d || d->type == LIM_DRIVE_FREE);
}

typedef struct {
  lim_arena arena;
  lim_arm *s;
  lim_rec_work *w;
  lim_world_motion *body;   // (nbody)
  double *q, *v, *zero, *r; // (n)
  lim_row_state *row;       // (nrow)
  int *index, m;            // joints that may be adjusted
  double *G;                // (nrow x n)
  double *y;                // positions of these joints (m)
  lim_least_squares solver; // (nrow x m)
} closing;

static bool allocate(closing *c) {
  size_t n = (size_t)c->s->n, rows = (size_t)c->s->nrow;
  c->w = lim_rec_work_new(c->s);
  c->body = lim_arena_array(&c->arena, (size_t)c->s->nbody, sizeof *c->body);
  c->zero = lim_arena_array(&c->arena, 2 * n, sizeof *c->zero);
  c->row = lim_arena_array(&c->arena, rows, sizeof *c->row);
  c->index = lim_arena_array(&c->arena, n, sizeof *c->index);
  c->G = lim_arena_array(&c->arena, rows * n + n, sizeof *c->G);
  if (!c->w || !c->body || !c->zero || !c->row || !c->index || !c->G) return false;
  c->r = c->zero + n;
  c->y = c->G + rows * n;
  return lim_least_squares_allocate(&c->solver, &c->arena, c->s->nrow, c->s->n, SINGULAR);
}

static double largest_gap(closing *c) {
  double max = 0;
  lim_kinematics(c->body, c->s, c->q, c->v, NULL);
  lim_loops_evaluate(c->row, c->s, c->body, c->q, c->v, NULL);
  for (int i = 0; i < c->s->nrow; i++) max = fmax(max, fabs(c->row[i].value));
  return max;
}

// Columns of the loops' rows by the joints that may be adjusted.
static void columns(closing *c, double *J) {
  int rows = c->s->nrow;
  lim_rec_residual(c->r, c->w, c->q, c->zero, c->zero); // poses
  lim_rec_loop_rows(c->G, c->w, c->q);
  for (int j = 0; j < c->m; j++)
    for (int i = 0; i < rows; i++) J[j * rows + i] = c->G[(size_t)i * (size_t)c->s->n + (size_t)c->index[j]];
}

// v += the least change of the adjustable joints' speeds that brings the loops' rates to 0.
static void close_rates(closing *c) {
  double *b = c->solver.e;
  largest_gap(c);
  c->solver.n = c->m;
  columns(c, c->solver.J);
  for (int i = 0; i < c->s->nrow; i++) b[i] = -c->row[i].rate;
  lim_least_squares_solve(&c->solver, b);
  for (int j = 0; j < c->m; j++) c->v[c->index[j]] += c->solver.step[j];
}

static lim_code cannot_close(closing *c, lim_error *err) {
  int worst = 0;
  for (int i = 1; i < c->s->nrow; i++)
    if (fabs(c->row[i].value) > fabs(c->row[worst].value)) worst = i;
  const lim_closure *loop = &c->s->loop[c->s->row[worst].loop];
  bool length = c->s->row[worst].kind != LIM_ROW_DOT;
  return lim_tree_error(err, loop->from->head.node,
                        "loop '%s' cannot be closed from this configuration: a gap of %.3g %s is left; %s",
                        loop->name, fabs(c->row[worst].value), length ? "m" : "(sine of an angle)",
                        c->m ? "its links do not reach, or the configuration is too far from a closed one"
                             : "every joint is driven, so that none can be adjusted");
}

static void put(closing *c, const double *y) {
  for (int j = 0; j < c->m; j++) c->q[c->index[j]] = y[j];
}

static double miss_at(void *of, double *e, const double *y) {
  closing *c = of;
  double sum = 0;
  put(c, y);
  largest_gap(c);
  for (int i = 0; i < c->s->nrow; i++) {
    e[i] = -c->row[i].value;
    sum += e[i] * e[i];
  }
  return sum;
}

static void columns_at(void *of, double *J, const double *y) {
  closing *c = of;
  put(c, y);
  columns(c, J);
}

static lim_code close_positions(closing *c, lim_error *err) {
  const lim_least_squares_problem problem = {.of = c,
                                             .miss = miss_at,
                                             .columns = columns_at,
                                             .leap = LEAP,
                                             .done = 1e-28,
                                             .rounding = CLOSED * CLOSED,
                                             .rounds = 100};
  double left;
  c->solver.n = c->m;
  for (int j = 0; j < c->m; j++) c->y[j] = c->q[c->index[j]];
  lim_least_squares_reach(&left, &c->solver, c->y, &problem);
  put(c, c->y);
  return largest_gap(c) <= CLOSED ? LIM_OK : cannot_close(c, err);
}

static lim_code close_speeds(closing *c, lim_error *err) {
  double max = 0;
  for (int k = 0; k < 3; k++) close_rates(c);
  largest_gap(c);
  int worst = 0;
  for (int i = 0; i < c->s->nrow; i++)
    if (fabs(c->row[i].rate) > max) max = fabs(c->row[worst = i].rate);
  const lim_closure *loop = &c->s->loop[c->s->row[worst].loop];
  if (max > 1e-9)
    return lim_tree_error(
        err, loop->from->head.node,
        "loop '%s' would open at a speed of %.3g: the speeds of the configuration do not agree", loop->name,
        max);
  return LIM_OK;
}

// Motors turn with their joints.
static void follow(closing *c) {
  for (int i = 0; i < c->s->nbody; i++) {
    const lim_arm_body *b = &c->s->bodies[i];
    if (b->m < 0) continue;
    c->q[b->m] = c->q[b->q];
    c->v[b->m] = c->v[b->q];
  }
}

// Joints that follow from the others: of those that may be adjusted, from the last to the first, each whose
// column of G is independent of those chosen before. Joints that move a loop as a whole have nothing but the
// rounding of its gap there.
static void find_passive(closing *c) {
  int rows = c->s->nrow, rank = 0;
  double *chosen = c->solver.A, largest = 0; // columns, orthogonal and of length 1
  columns(c, c->solver.J);
  for (int j = 0; j < c->m; j++) {
    double size = 0;
    for (int i = 0; i < rows; i++) size += pow(c->solver.J[j * rows + i], 2);
    largest = fmax(largest, size);
  }
  for (int j = c->m - 1; j >= 0 && rank < rows; j--) {
    double *column = chosen + (size_t)rank * (size_t)rows, size = 0, left = 0;
    memcpy(column, c->solver.J + (size_t)j * (size_t)rows, (size_t)rows * sizeof *column);
    for (int i = 0; i < rows; i++) size += column[i] * column[i];
    for (int round = 0; round < 2; round++) // twice is enough
      for (int k = 0; k < rank; k++) {
        const double *other = chosen + (size_t)k * (size_t)rows;
        double along = 0;
        for (int i = 0; i < rows; i++) along += column[i] * other[i];
        for (int i = 0; i < rows; i++) column[i] -= along * other[i];
      }
    for (int i = 0; i < rows; i++) left += column[i] * column[i];
    if (!(left > 1e-16 * size && size > 1e-18 * largest)) continue;
    for (int i = 0; i < rows; i++) column[i] /= sqrt(left);
    c->s->passive[c->index[j]] = true;
    rank++;
  }
}

static lim_code close_all(lim_arm *s, double *start, lim_error *err) {
  closing c = {.s = s, .q = start, .v = start + s->n};
  lim_code code = allocate(&c) ? LIM_OK : lim_no_memory(err);
  if (code == LIM_OK) {
    lim_arm_start(c.q, c.v, s);
    for (int i = 0; i < s->nbody; i++)
      if (adjustable(s, i)) c.index[c.m++] = s->bodies[i].q;
    code = close_positions(&c, err);
  }
  if (code == LIM_OK) code = close_speeds(&c, err);
  if (code == LIM_OK) find_passive(&c);
  follow(&c);
  lim_rec_work_free(c.w);
  lim_arena_free(&c.arena);
  return code;
}

lim_code lim_loops_close(const lim_arm *s, double *q, double *v, lim_error *err) {
  closing c = {.s = (lim_arm *)s, .q = q, .v = v}; // the system itself stays as it is
  lim_code code = allocate(&c) ? LIM_OK : lim_no_memory(err);
  if (code == LIM_OK) {
    for (int k = 0; k < s->n; k++)
      if (s->passive[k]) c.index[c.m++] = k;
    code = close_positions(&c, err);
  }
  if (code == LIM_OK) code = close_speeds(&c, err);
  if (code == LIM_OK) follow(&c);
  lim_rec_work_free(c.w);
  lim_arena_free(&c.arena);
  return code;
}

bool lim_loops_follow(double *v, const lim_arm *s, const double *q, const int *index, int m) {
  closing c = {.s = (lim_arm *)s, .q = (double *)q, .v = v, .m = m}; // q stays as it is
  bool good = allocate(&c);
  if (good) {
    memcpy(c.index, index, (size_t)m * sizeof *index);
    close_rates(&c);
  }
  lim_rec_work_free(c.w);
  lim_arena_free(&c.arena);
  return good;
}

lim_code lim_loops_start(lim_arm *s, lim_error *err) {
  if (s->model->loops.count == 0) return LIM_OK;
  double *start = lim_arena_array(&s->arena, 2 * (size_t)s->n, sizeof *start);
  lim_code code = start ? close_all(s, start, err) : lim_no_memory(err);
  if (code == LIM_OK) s->start = start;
  return code;
}

// loop.c - rows of constraints, and the configuration that closes them. Theory: docs/theory/loops.md.
#include "system/loop.h"

#include "math/rotation.h"
#include "system/recursion.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- rows in motion ---

// A vector that turns with a frame: itself and its derivatives.
typedef struct {
  double x[3], dx[3], ddx[3];
} carried;

static carried carry(const lim_motion_in_world *m, const double a[3]) {
  carried c;
  double wwx[3], ax[3];
  lim_rotate(c.x, m->R, a);
  lim_cross(c.dx, m->w, c.x);
  lim_cross(wwx, m->w, c.dx);
  lim_cross(ax, m->alpha, c.x);
  for (int i = 0; i < 3; i++) c.ddx[i] = ax[i] + wwx[i];
  return c;
}

static lim_row_state product(const carried *x, const carried *y) {
  return (lim_row_state){lim_dot(x->x, y->x), lim_dot(x->dx, y->x) + lim_dot(x->x, y->dx),
                         lim_dot(x->ddx, y->x) + 2 * lim_dot(x->dx, y->dx) + lim_dot(x->x, y->ddx)};
}

lim_row_state lim_row_look(const lim_loop_row *row, const lim_motion_in_world *first,
                           const lim_motion_in_world *second) {
  carried a, b;
  if (row->kind == LIM_ROW_DOT) {
    a = carry(first, row->a);
    b = carry(second, row->b);
    return product(&a, &b);
  }
  double sign = row->kind == LIM_ROW_POINT ? -1 : 1;
  for (int i = 0; i < 3; i++) {
    b.x[i] = sign * (second->p[i] - first->p[i]);
    b.dx[i] = sign * (second->v[i] - first->v[i]);
    b.ddx[i] = sign * (second->a[i] - first->a[i]);
  }
  a = (carried){.x = {row->a[0], row->a[1], row->a[2]}};
  if (row->kind == LIM_ROW_SLIDE) a = carry(first, row->a);
  return product(&a, &b);
}

void lim_loop_wrench(double force[3], double moment[3], const lim_system *s, int loop, const double *lambda,
                     const lim_motion_in_world *first, const lim_motion_in_world *second) {
  memset(force, 0, 3 * sizeof *force);
  memset(moment, 0, 3 * sizeof *moment);
  const lim_closure *c = &s->loop[loop];
  for (int k = c->first; k < c->first + c->count; k++) {
    const lim_loop_row *row = &s->row[k];
    double A[3], B[3], arm[3], turn[3] = {0}, push[3] = {0};
    lim_rotate(A, first->R, row->a);
    if (row->kind == LIM_ROW_POINT) memcpy(push, row->a, sizeof push);
    if (row->kind == LIM_ROW_DOT) {
      lim_rotate(B, second->R, row->b);
      lim_cross(turn, A, B);
    }
    if (row->kind == LIM_ROW_SLIDE) {
      for (int i = 0; i < 3; i++) {
        push[i] = -A[i];
        arm[i] = second->p[i] - first->p[i];
      }
      lim_cross(turn, A, arm);
    }
    for (int i = 0; i < 3; i++) {
      force[i] += lambda[k] * push[i];
      moment[i] += lambda[k] * turn[i];
    }
  }
}

void lim_loops_look(lim_row_state *row, const lim_system *s, const lim_motion_in_world *body, const double *q,
                    const double *v, const double *a) {
  for (int i = 0; i < s->nloop; i++) {
    const lim_closure *c = &s->loop[i];
    lim_motion_in_world at[2];
    for (int k = 0; k < 2; k++)
      at[k] = lim_kinematics_site(s, &c->site[k], c->site[k].body < 0 ? NULL : &body[c->site[k].body], q, v, a);
    for (int k = c->first; k < c->first + c->count; k++) row[k] = lim_row_look(&s->row[k], &at[0], &at[1]);
  }
}

// --- rows of the model ---

static lim_code no_memory(lim_error *err) { return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory"); }

// Two unit vectors across n, which need not be one of length 1.
static void across(double t1[3], double t2[3], const double n[3]) {
  int least = fabs(n[0]) <= fabs(n[1]) && fabs(n[0]) <= fabs(n[2]) ? 0 : fabs(n[1]) <= fabs(n[2]) ? 1 : 2;
  double e[3] = {least == 0, least == 1, least == 2};
  lim_cross(t1, n, e);
  double size = sqrt(lim_dot(t1, t1)), length = sqrt(lim_dot(n, n));
  for (int i = 0; i < 3; i++) t1[i] /= size;
  lim_cross(t2, n, t1);
  for (int i = 0; i < 3; i++) t2[i] /= length;
}

static void add_row(lim_system *s, lim_row_kind kind, const double a[3], const double b[3]) {
  lim_loop_row *r = &s->row[s->nrow++];
  *r = (lim_loop_row){.kind = kind, .loop = s->nloop};
  memcpy(r->a, a, sizeof r->a);
  if (b) memcpy(r->b, b, sizeof r->b);
}

static const double UNIT[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

static void add_point(lim_system *s) {
  for (int i = 0; i < 3; i++) add_row(s, LIM_ROW_POINT, UNIT[i], NULL);
}

// The axes n1 of the first and n2 of the second frame coincide.
static void add_axis(lim_system *s, const double n1[3], const double n2[3]) {
  double t[2][3];
  across(t[0], t[1], n1);
  for (int i = 0; i < 2; i++) add_row(s, LIM_ROW_DOT, t[i], n2);
}

static void add_axes(lim_system *s) {
  for (int i = 0; i < 3; i++) add_row(s, LIM_ROW_DOT, UNIT[i], UNIT[(i + 1) % 3]);
}

static void add_line(lim_system *s, const double n[3]) {
  double t[2][3];
  across(t[0], t[1], n);
  for (int i = 0; i < 2; i++) add_row(s, LIM_ROW_SLIDE, t[i], NULL);
}

static void add_rows(lim_system *s, const lim_loop *from) {
  const double *n1 = from->axis, *n2 = isnan(from->axis2[0]) ? from->axis : from->axis2;
  switch (from->type) {
  case LIM_LOOP_SPHERICAL: add_point(s); break;
  case LIM_LOOP_REVOLUTE:
    add_point(s);
    add_axis(s, n1, n2);
    break;
  case LIM_LOOP_FIXED:
    add_point(s);
    add_axes(s);
    break;
  case LIM_LOOP_PRISMATIC:
    add_line(s, n1);
    add_axes(s);
    break;
  case LIM_LOOP_POINT_ON_LINE: add_line(s, n1); break;
  }
}

// --- closing ---

// Which joints a closing may adjust: those without a drive and without a motion.
static bool adjustable(const lim_system *s, int body) {
  const lim_member *b = &s->member[body];
  const lim_drive *d = lim_model_drive(s->model, b->link);
  return b->q >= 0 && !lim_model_motion(s->model, b->link) && (!d || d->type == LIM_DRIVE_FREE);
}

typedef struct {
  lim_arena arena;
  lim_system *s;
  lim_rec_work *w;
  lim_motion_in_world *body; // (nbody)
  double *q, *v, *zero, *r;  // (n)
  lim_row_state *row;        // (nrow)
  int *index, m;             // joints that may be adjusted
  double *G, *A, *x;         // (nrow x n), (nrow x m), (max(nrow, m))
  double *singular;          // (nrow)
} closing;

static bool take(closing *c) {
  size_t n = (size_t)c->s->n, rows = (size_t)c->s->nrow;
  c->w = lim_rec_work_new(c->s);
  c->body = lim_arena_array(&c->arena, (size_t)c->s->nbody, sizeof *c->body);
  c->zero = lim_arena_array(&c->arena, 2 * n, sizeof *c->zero);
  c->row = lim_arena_array(&c->arena, rows, sizeof *c->row);
  c->index = lim_arena_array(&c->arena, n, sizeof *c->index);
  c->G = lim_arena_array(&c->arena, 2 * rows * n + 2 * rows + n, sizeof *c->G);
  if (!c->w || !c->body || !c->zero || !c->row || !c->index || !c->G) return false;
  c->r = c->zero + n;
  c->A = c->G + rows * n;
  c->x = c->A + rows * n;
  c->singular = c->x + rows + n;
  return true;
}

static double largest_gap(closing *c) {
  double most = 0;
  lim_kinematics(c->body, c->s, c->q, c->v, NULL);
  lim_loops_look(c->row, c->s, c->body, c->q, c->v, NULL);
  for (int i = 0; i < c->s->nrow; i++) most = fmax(most, fabs(c->row[i].value));
  return most;
}

// Least-squares, least-norm change x of the adjustable joints for G x = -value (or rate).
static bool solve(closing *c, bool rate) {
  int rows = c->s->nrow, rank = 0;
  lim_rec_residual(c->r, c->w, c->q, c->zero, c->zero); // poses
  lim_rec_loop_rows(c->G, c->w, c->q);
  for (int j = 0; j < c->m; j++)
    for (int i = 0; i < rows; i++) c->A[j * rows + i] = c->G[(size_t)i * (size_t)c->s->n + (size_t)c->index[j]];
  for (int i = 0; i < rows; i++) c->x[i] = rate ? -c->row[i].rate : -c->row[i].value;
  return c->m == 0 || LAPACKE_dgelss(LAPACK_COL_MAJOR, rows, c->m, 1, c->A, rows, c->x,
                                     rows > c->m ? rows : c->m, c->singular, 1e-10, &rank) == 0;
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

static lim_code close_positions(closing *c, lim_error *err) {
  enum { ROUNDS = 100 };
  double gap = largest_gap(c);
  for (int k = 0; k < ROUNDS && gap > 1e-14; k++) {
    if (!solve(c, false)) break;
    double most = 0, before = gap;
    for (int j = 0; j < c->m; j++) most = fmax(most, fabs(c->x[j]));
    double part = most > 0.3 ? 0.3 / most : 1; // no leaps
    for (int j = 0; j < c->m; j++) c->q[c->index[j]] += part * c->x[j];
    gap = largest_gap(c);
    if (gap < 1e-11 && gap > 0.5 * before) break;
  }
  return gap <= 1e-11 ? LIM_OK : cannot_close(c, err);
}

static lim_code close_speeds(closing *c, lim_error *err) {
  double most = 0;
  for (int k = 0; k < 3; k++) {
    largest_gap(c);
    if (!solve(c, true)) break;
    for (int j = 0; j < c->m; j++) c->v[c->index[j]] += c->x[j];
  }
  largest_gap(c);
  int worst = 0;
  for (int i = 0; i < c->s->nrow; i++)
    if (fabs(c->row[i].rate) > most) most = fabs(c->row[worst = i].rate);
  const lim_closure *loop = &c->s->loop[c->s->row[worst].loop];
  if (most > 1e-9)
    return lim_tree_error(
        err, loop->from->head.node,
        "loop '%s' would open at a speed of %.3g: the speeds of the configuration do not agree", loop->name,
        most);
  return LIM_OK;
}

// Motors turn with their joints.
static void follow(closing *c) {
  for (int i = 0; i < c->s->nbody; i++) {
    const lim_member *b = &c->s->member[i];
    if (b->m < 0) continue;
    c->q[b->m] = c->q[b->q];
    c->v[b->m] = c->v[b->q];
  }
}

// Joints that follow from the others: of those that may be adjusted, from the last to the first, each whose
// column of G is independent of those chosen before.
static void find_passive(closing *c) {
  int rows = c->s->nrow, rank = 0;
  largest_gap(c);
  lim_rec_residual(c->r, c->w, c->q, c->zero, c->zero);
  lim_rec_loop_rows(c->G, c->w, c->q);
  for (int j = c->m - 1; j >= 0 && rank < rows; j--) {
    double *column = c->A + (size_t)rank * (size_t)rows, size = 0, left = 0;
    for (int i = 0; i < rows; i++) column[i] = c->G[(size_t)i * (size_t)c->s->n + (size_t)c->index[j]];
    for (int i = 0; i < rows; i++) size += column[i] * column[i];
    for (int round = 0; round < 2; round++) // twice is enough
      for (int k = 0; k < rank; k++) {
        const double *other = c->A + (size_t)k * (size_t)rows;
        double along = 0;
        for (int i = 0; i < rows; i++) along += column[i] * other[i];
        for (int i = 0; i < rows; i++) column[i] -= along * other[i];
      }
    for (int i = 0; i < rows; i++) left += column[i] * column[i];
    if (!(left > 1e-16 * size)) continue;
    for (int i = 0; i < rows; i++) column[i] /= sqrt(left);
    c->s->passive[c->index[j]] = true;
    rank++;
  }
}

static lim_code close_all(lim_system *s, double *start, lim_error *err) {
  closing c = {.s = s, .q = start, .v = start + s->n};
  lim_code code = take(&c) ? LIM_OK : no_memory(err);
  if (code == LIM_OK) {
    lim_system_start(c.q, c.v, s);
    for (int i = 0; i < s->nbody; i++)
      if (adjustable(s, i)) c.index[c.m++] = s->member[i].q;
    code = close_positions(&c, err);
  }
  if (code == LIM_OK) code = close_speeds(&c, err);
  if (code == LIM_OK) find_passive(&c);
  follow(&c);
  lim_rec_work_free(c.w);
  lim_arena_free(&c.arena);
  return code;
}

lim_code lim_loops_close(const lim_system *s, double *q, double *v, lim_error *err) {
  closing c = {.s = (lim_system *)s, .q = q, .v = v}; // the system itself stays as it is
  lim_code code = take(&c) ? LIM_OK : no_memory(err);
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

bool lim_loops_follow(double *v, const lim_system *s, const double *q, const int *index, int m) {
  closing c = {.s = (lim_system *)s, .q = (double *)q, .v = v, .m = m}; // q stays as it is
  bool good = take(&c);
  if (good) {
    memcpy(c.index, index, (size_t)m * sizeof *index);
    largest_gap(&c);
    good = solve(&c, true);
  }
  for (int j = 0; j < m && good; j++) v[index[j]] += c.x[j];
  lim_rec_work_free(c.w);
  lim_arena_free(&c.arena);
  return good;
}

// --- rows that a planar model has anyway ---

// A row without effect on motions within the plane with this normal, in the configuration.
static bool is_idle(const lim_loop_row *row, const lim_motion_in_world at[2], const double normal[3]) {
  double A[3], B[3], turn[3];
  if (row->kind == LIM_ROW_POINT) return fabs(lim_dot(row->a, normal)) > 0.5;
  lim_rotate(A, at[0].R, row->a);
  if (row->kind == LIM_ROW_SLIDE) return fabs(lim_dot(A, normal)) > 1 - 1e-9;
  lim_rotate(B, at[1].R, row->b);
  lim_cross(turn, A, B);
  return fabs(lim_dot(turn, normal)) < 1e-9;
}

// In planar models the rows in t across an axis should lie in the plane or across it.
static void drop_idle(lim_system *s, const lim_motion_in_world *body, const double *q) {
  static const double normal[][3] = {
      [LIM_SPATIAL] = {0}, [LIM_PLANE_XY] = {0, 0, 1}, [LIM_PLANE_XZ] = {0, 1, 0}, [LIM_PLANE_YZ] = {1, 0, 0}};
  if (s->model->planar == LIM_SPATIAL) return;
  int kept = 0;
  for (int i = 0; i < s->nloop; i++) {
    lim_closure *c = &s->loop[i];
    lim_motion_in_world at[2];
    for (int k = 0; k < 2; k++)
      at[k] = lim_kinematics_site(s, &c->site[k], c->site[k].body < 0 ? NULL : &body[c->site[k].body], q, NULL,
                                  NULL);
    int first = kept;
    for (int k = c->first; k < c->first + c->count; k++)
      if (!is_idle(&s->row[k], at, normal[s->model->planar])) s->row[kept++] = s->row[k];
    c->first = first;
    c->count = kept - first;
  }
  s->nrow = kept;
}

lim_code lim_loops_build(lim_system *s, lim_error *err) {
  const lim_model *m = s->model;
  if (m->loops.count == 0) return LIM_OK;
  size_t n = (size_t)s->n;
  s->loop = lim_arena_array(&s->arena, (size_t)m->loops.count, sizeof *s->loop);
  s->row = lim_arena_array(&s->arena, 6 * (size_t)m->loops.count, sizeof *s->row);
  double *start = lim_arena_array(&s->arena, 2 * n, sizeof *start);
  lim_motion_in_world *body = lim_arena_array(&s->arena, (size_t)s->nbody, sizeof *body);
  s->passive = lim_arena_array(&s->arena, n, sizeof *s->passive);
  if (!s->loop || !s->row || !start || !body || !s->passive) return no_memory(err);
  lim_code code = LIM_OK;
  for (int i = 0; i < m->loops.count && code == LIM_OK; i++) {
    const lim_loop *from = &m->loops.item[i];
    lim_closure *c = &s->loop[i];
    *c = (lim_closure){.name = from->head.name, .from = from, .first = s->nrow};
    for (int k = 0; k < 2 && code == LIM_OK; k++)
      code = lim_system_site(&c->site[k], s, from->between[k].link, from->between[k].kind,
                             from->between[k].kind == LIM_AT_TIP, from->between[k].frame, err);
    add_rows(s, from);
    c->count = s->nrow - c->first;
    s->nloop++;
  }
  if (code != LIM_OK) return code;
  lim_system_start(start, start + n, s);
  lim_kinematics(body, s, start, NULL, NULL);
  drop_idle(s, body, start);
  code = close_all(s, start, err);
  if (code == LIM_OK) s->start = start;
  return code;
}

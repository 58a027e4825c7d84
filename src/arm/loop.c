// loop.c - rows of constraints. Theory: docs/theory/loops.md.
#include "arm/loop.h"

#include "arm/pose.h"

#include "arm/coupling.h"
#include "arm/rail.h"
#include "math/rotation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- rows in motion ---

// A vector that turns with a frame: itself and its derivatives.
typedef struct {
  double x[3], dx[3], ddx[3];
} carried;

static carried carry(const lim_world_motion *m, const double a[3]) {
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

lim_row_state lim_row_evaluate(const lim_loop_row *row, const lim_world_motion *first,
                               const lim_world_motion *second) {
  carried a, b;
  if (row->kind == LIM_ROW_DOT) {
    a = carry(first, row->a);
    b = carry(second, row->b);
    return product(&a, &b);
  }
  double sign = row->kind == LIM_ROW_SLIDE ? 1 : -1;
  for (int i = 0; i < 3; i++) {
    b.x[i] = sign * (second->p[i] - first->p[i]);
    b.dx[i] = sign * (second->v[i] - first->v[i]);
    b.ddx[i] = sign * (second->a[i] - first->a[i]);
  }
  a = (carried){.x = {row->a[0], row->a[1], row->a[2]}};
  if (row->kind == LIM_ROW_SLIDE) a = carry(first, row->a);
  if (row->kind == LIM_ROW_RAIL) a = carry(second, row->a);
  return product(&a, &b);
}

void lim_loop_wrench(double force[3], double moment[3], const lim_arm *s, int loop, const double *lambda,
                     const lim_world_motion *first, const lim_world_motion *second) {
  memset(force, 0, 3 * sizeof *force);
  memset(moment, 0, 3 * sizeof *moment);
  const lim_closure *c = &s->loop[loop];
  for (int k = c->first; k < c->first + c->count; k++) {
    const lim_loop_row *row = &s->row[k];
    double A[3], B[3], arm[3], turn[3] = {0}, push[3] = {0};
    lim_rotate(A, first->R, row->a);
    if (row->kind == LIM_ROW_POINT) memcpy(push, row->a, sizeof push);
    if (row->kind == LIM_ROW_RAIL) lim_rotate(push, second->R, row->a);
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

void lim_loop_ends(lim_world_motion at[2], const lim_arm *s, const lim_closure *c, const lim_world_motion *body,
                   const double *q, const double *v, const double *a) {
  for (int k = 0; k < 2; k++) at[k] = lim_kinematics_at(s, &c->site[k], body, q, v, a);
  if (c->rail) at[1] = lim_rail_beside(s, c->rail, body, &at[0], q, v, a).at;
}

void lim_loops_evaluate(lim_row_state *row, const lim_arm *s, const lim_world_motion *body, const double *q,
                        const double *v, const double *a) {
  for (int i = 0; i < s->nloop; i++) {
    const lim_closure *c = &s->loop[i];
    lim_world_motion at[2];
    lim_loop_ends(at, s, c, body, q, v, a);
    for (int k = c->first; k < c->first + c->count; k++) row[k] = lim_row_evaluate(&s->row[k], &at[0], &at[1]);
  }
  for (int i = 0; i < s->ncoupling; i++)
    row[s->coupling[i].row] = lim_coupling_evaluate(&s->coupling[i], q, v, a);
}

// --- rows of the model ---

// Two unit vectors across n, which need not be one of length 1.
static void across(double t1[3], double t2[3], const double n[3]) {
  int min = fabs(n[0]) <= fabs(n[1]) && fabs(n[0]) <= fabs(n[2]) ? 0 : fabs(n[1]) <= fabs(n[2]) ? 1 : 2;
  double e[3] = {min == 0, min == 1, min == 2};
  lim_cross(t1, n, e);
  double size = sqrt(lim_dot(t1, t1)), length = sqrt(lim_dot(n, n));
  for (int i = 0; i < 3; i++) t1[i] /= size;
  lim_cross(t2, n, t1);
  for (int i = 0; i < 3; i++) t2[i] /= length;
}

static void add_row(lim_arm *s, lim_row_kind kind, const double a[3], const double b[3]) {
  lim_loop_row *r = &s->row[s->nrow++];
  *r = (lim_loop_row){.kind = kind, .loop = s->nloop};
  memcpy(r->a, a, sizeof r->a);
  if (b) memcpy(r->b, b, sizeof r->b);
}

static const double UNIT[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

static void add_point(lim_arm *s) {
  for (int i = 0; i < 3; i++) add_row(s, LIM_ROW_POINT, UNIT[i], NULL);
}

// The axes n1 of the first and n2 of the second frame coincide.
static void add_axis(lim_arm *s, const double n1[3], const double n2[3]) {
  double t[2][3];
  across(t[0], t[1], n1);
  for (int i = 0; i < 2; i++) add_row(s, LIM_ROW_DOT, t[i], n2);
}

static void add_axes(lim_arm *s) {
  for (int i = 0; i < 3; i++) add_row(s, LIM_ROW_DOT, UNIT[i], UNIT[(i + 1) % 3]);
}

static void add_line(lim_arm *s, const double n[3]) {
  double t[2][3];
  across(t[0], t[1], n);
  for (int i = 0; i < 2; i++) add_row(s, LIM_ROW_SLIDE, t[i], NULL);
}

static void add_rail(lim_arm *s) {
  for (int i = 1; i < 3; i++) add_row(s, LIM_ROW_RAIL, UNIT[i], NULL);
}

static void add_rows(lim_arm *s, const lim_loop *from) {
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
  case LIM_LOOP_RAIL: add_rail(s); break;
  }
}

// --- rows that a planar model has anyway ---

// A row without effect on motions within the plane with this normal, in the configuration.
static bool is_idle(const lim_loop_row *row, const lim_world_motion at[2], const double normal[3]) {
  double A[3], B[3], turn[3];
  if (row->kind == LIM_ROW_POINT) return fabs(lim_dot(row->a, normal)) > 0.5;
  if (row->kind == LIM_ROW_RAIL) {
    lim_rotate(A, at[1].R, row->a);
    return fabs(lim_dot(A, normal)) > 0.5;
  }
  lim_rotate(A, at[0].R, row->a);
  if (row->kind == LIM_ROW_SLIDE) return fabs(lim_dot(A, normal)) > 1 - 1e-9;
  lim_rotate(B, at[1].R, row->b);
  lim_cross(turn, A, B);
  return fabs(lim_dot(turn, normal)) < 1e-9;
}

// In planar models the rows in t across an axis should lie in the plane or across it.
static void drop_idle(lim_arm *s, const lim_world_motion *body, const double *q) {
  if (s->model->planar == LIM_SPATIAL) return;
  int kept = 0;
  for (int i = 0; i < s->nloop; i++) {
    lim_closure *c = &s->loop[i];
    lim_world_motion at[2];
    lim_loop_ends(at, s, c, body, q, NULL, NULL);
    int first = kept;
    for (int k = c->first; k < c->first + c->count; k++)
      if (!is_idle(&s->row[k], at, lim_plane_normal(s->model->planar))) s->row[kept++] = s->row[k];
    c->first = first;
    c->count = kept - first;
  }
  s->nrow = kept;
}

// The second frame of a loop on a rail is the beam itself: where that does not bend, its base.
static lim_code find_ends(lim_closure *c, lim_arm *s, const lim_loop *from, lim_error *err) {
  lim_code code = LIM_OK;
  for (int k = 0; k < 2 && code == LIM_OK; k++)
    code = lim_arm_site(&c->site[k], s, from->between[k].link, from->between[k].kind,
                        from->between[k].kind == LIM_AT_TIP, from->between[k].frame, err);
  if (code == LIM_OK && from->type == LIM_LOOP_RAIL)
    code = lim_rail_of(&c->rail, s, from->between[1].link, err);
  if (c->rail) c->site[1].body = s->last_body[c->rail->link];
  return code;
}

static lim_code add_loops(lim_arm *s, lim_error *err) {
  const lim_model *m = s->model;
  lim_code code = LIM_OK;
  for (int i = 0; i < m->loops.count && code == LIM_OK; i++) {
    const lim_loop *from = &m->loops.item[i];
    lim_closure *c = &s->loop[i];
    *c = (lim_closure){.name = from->head.name, .from = from, .first = s->nrow};
    code = find_ends(c, s, from, err);
    add_rows(s, from);
    c->count = s->nrow - c->first;
    s->nloop++;
  }
  return code;
}

lim_code lim_loops_build(lim_arm *s, lim_error *err) {
  const size_t n = (size_t)s->n, loops = (size_t)s->model->loops.count,
               couplings = (size_t)s->model->couplings.count;
  if (loops + couplings == 0) return LIM_OK;
  s->loop = lim_arena_array(&s->arena, loops, sizeof *s->loop);
  s->row = lim_arena_array(&s->arena, 6 * loops + couplings, sizeof *s->row);
  double *start = lim_arena_array(&s->arena, 2 * n, sizeof *start);
  lim_world_motion *body = lim_arena_array(&s->arena, (size_t)s->nbody, sizeof *body);
  s->passive = lim_arena_array(&s->arena, n, sizeof *s->passive);
  if (!s->loop || !s->row || !start || !body || !s->passive) return lim_no_memory(err);
  lim_code code = add_loops(s, err);
  if (code != LIM_OK) return code;
  lim_arm_start(start, start + n, s);
  lim_kinematics(body, s, start, NULL, NULL);
  drop_idle(s, body, start);
  return lim_couplings_build(s, err);
}

// first_order.c - forces in an arm to first order: part + of loads and displacements less part -, over twice
// the part. Where nothing is stressed before the loads come, the two are of opposite sign and equal up to third
// order, and no digit is lost. Theory: docs/theory/statics.md, "First order".
#include "analysis/statics/first_order.h"

#include "arm/kinematics.h"
#include "math/rotation.h"

#include <math.h>
#include <string.h>

static const double SMALL = 1e-5; // displacements [m], [rad] of the parts: third order and rounding are 1e-10

typedef struct {
  const lim_rest *whole;
  lim_rest a;             // the arm with part of its loads; all else is borrowed
  lim_arm s;              // of a
  lim_equations e;        // of a
  const double *q, *x;    // (n)
  double *at, *zero;      // (n)
  lim_world_motion *body; // (nbody)
} trial;

static bool allocate(trial *p, lim_arena *arena) {
  size_t n = (size_t)p->s.n;
  p->at = lim_arena_array(arena, 2 * n, sizeof *p->at);
  p->body = lim_arena_array(arena, (size_t)p->s.nbody, sizeof *p->body);
  p->e.wrench = lim_arena_array(arena, (size_t)p->e.inputs->nload, sizeof *p->e.wrench);
  p->e.lambda = lim_arena_array(arena, (size_t)p->e.nrow, sizeof *p->e.lambda);
  if (!p->at || !p->body || !p->e.wrench || !p->e.lambda) return false;
  p->zero = p->at + n;
  p->e.w = lim_rec_work_new(&p->s);
  return p->e.w && lim_equations_bind(p->e.w, &p->e);
}

static void load(trial *p, double part) {
  const lim_equations *from = p->whole->e;
  for (int i = 0; i < 3; i++) p->s.gravity[i] = part * p->whole->s->gravity[i];
  lim_inputs_loads(p->e.wrench, p->e.inputs, 0, LIM_AFTER, from->control.signal);
  for (int i = 0; i < p->e.inputs->nload; i++)
    for (int k = 0; k < 3; k++) {
      p->e.wrench[i].force[k] *= part;
      p->e.wrench[i].moment[k] *= part;
    }
  for (int i = 0; i < p->e.nrow; i++) p->e.lambda[i] = part * from->lambda[i];
  for (int i = 0; i < p->s.n; i++) p->at[i] = p->q[i] + part * p->x[i];
  lim_springs_lengths(p->e.length, &p->e.inputs->spring_elements, 0, false);
  lim_rec_apply(p->e.w, p->e.wrench, p->e.inputs->nload);
  lim_rec_close(p->e.w, p->e.lambda);
}

static void add(double *to, double factor, const double *from, size_t n) {
  for (size_t i = 0; i < n; i++) to[i] += factor * from[i];
}

static void add_reaction(lim_reaction *to, double factor, const trial *p, int body) {
  lim_reaction x;
  lim_rec_reaction(x.F, x.N, p->e.w, body);
  lim_rotate(x.force, p->body[body].R, x.F);
  lim_rotate(x.moment, p->body[body].R, x.N);
  add(to->F, factor, x.F, 3);
  add(to->N, factor, x.N, 3);
  add(to->force, factor, x.force, 3);
  add(to->moment, factor, x.moment, 3);
}

// What acts on a body has the same places each time.
static void add_inner(lim_section_forces *to, double factor, const lim_section_forces *from, size_t ndof) {
  add((double *)to->load.field, factor, from->load.field, ndof);
  add(to->u, factor, from->u, ndof);
  add(to->load.q, factor, from->load.q, 3);
  for (int i = 0; i < to->load.npoint; i++) {
    lim_point_load *point = (lim_point_load *)&to->load.point[i];
    add(point->force, factor, from->load.point[i].force, 3);
    add(point->moment, factor, from->load.point[i].moment, 3);
  }
}

static void clear_inner(lim_section_forces *x, size_t ndof) {
  lim_section_forces zero = *x;
  add_inner(x, -1, &zero, ndof); // x - x
}

// Add `factor` times what part of the loads and displacements give; the first time the lists are made.
static lim_code add_part(lim_reaction *reaction, lim_section_forces *inner, double *r, lim_arena *arena,
                         trial *p, double part, double factor, bool first, lim_error *err) {
  const lim_arm *s = &p->s;
  lim_section_forces *own = lim_arena_array(arena, (size_t)s->nbody, sizeof *own);
  double *residual = lim_arena_array(arena, (size_t)s->n, sizeof *residual);
  if (!own || !residual) return lim_no_memory(err);
  load(p, part);
  lim_rec_residual(residual, p->e.w, p->at, p->zero, p->zero);
  lim_kinematics(p->body, s, p->at, NULL, NULL);
  lim_code code = lim_section_forces_all(own, arena, &p->a, p->at, p->zero, err);
  if (code == LIM_OK && first) code = lim_section_forces_all(inner, arena, &p->a, p->at, p->zero, err);
  if (code != LIM_OK) return code;
  add(r, factor, residual, (size_t)s->n);
  for (int i = 0; i < s->nbody; i++) {
    add_reaction(&reaction[i], factor, p, i);
    size_t ndof = (size_t)s->bodies[i].mesh->ndof;
    if (inner[i].u && first) clear_inner(&inner[i], ndof);
    if (inner[i].u) add_inner(&inner[i], factor, &own[i], ndof);
  }
  return LIM_OK;
}

static double small_part(const double *x, int n) {
  double largest = 0;
  for (int i = 0; i < n; i++) largest = fmax(largest, fabs(x[i]));
  return largest > SMALL ? SMALL / largest : 1;
}

lim_code lim_first_order(lim_reaction *reaction, lim_section_forces *inner, double *r, lim_arena *arena,
                         const lim_rest *a, const double *q, const double *x, lim_error *err) {
  trial p = {.whole = a, .a = *a, .s = *a->s, .e = *a->e, .q = q, .x = x};
  p.e.w = NULL;
  p.e.s = p.a.s = &p.s;
  p.a.e = &p.e;
  const double part = small_part(x, p.s.n);
  lim_code code = allocate(&p, arena) ? LIM_OK : lim_no_memory(err);
  memset(reaction, 0, (size_t)p.s.nbody * sizeof *reaction);
  memset(r, 0, (size_t)p.s.n * sizeof *r);
  if (code == LIM_OK) code = add_part(reaction, inner, r, arena, &p, 0, 1, true, err);
  for (int k = -1; k <= 1 && code == LIM_OK; k += 2)
    code = add_part(reaction, inner, r, arena, &p, k * part, k / (2 * part), false, err);
  lim_rec_work_free(p.e.w);
  return code;
}

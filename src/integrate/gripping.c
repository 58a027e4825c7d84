// gripping.c - a part at rest is gripped: a plastic impact, momentum is kept; a part is let go: it leaves with
// its speed. Theory: docs/theory/programs.md (18)-(21).
#include "integrate/gripping.h"

#include <stdlib.h>
#include <string.h>

struct lim_gripping {
  lim_payload *arm, *rigid;
  lim_state *motion_state;
  double *zero, *rest, *before, *after, *x; // (n)
};

// M v: of the recursion without speeds, what the accelerations v add.
static void momentum(double *p, const lim_gripping *g, const double *v) {
  const lim_state *f = g->motion_state;
  lim_rec_residual(g->rest, f->e->w, f->q, g->zero, g->zero);
  lim_rec_residual(p, f->e->w, f->q, g->zero, v);
  for (int i = 0; i < f->n; i++) p[i] -= g->rest[i];
}

static lim_energies energies(const lim_gripping *g) {
  const lim_state *f = g->motion_state;
  lim_kinematics(f->body, f->e->s, f->q, f->v, NULL);
  return lim_energies_of(f->e->s, f->body, f->q, f->v);
}

// The part was at rest: M+ v+ = M- v- but for impulses of prescribed joints and of loops.   (19)
static lim_code share_momentum(lim_gripping *g, lim_error *err) {
  lim_state *f = g->motion_state;
  lim_equations_residual(f->r, f->e, f->t, LIM_AFTER, f->q, f->v, f->a);
  lim_code code = lim_equations_factor(f->e, f->q, (lim_step_matrix){.M = 1}, err);
  if (code != LIM_OK) return code;
  for (int i = 0; i < f->n; i++) g->x[i] = g->before[i] - g->after[i];
  lim_equations_solve(g->x, f->e, lim_state_gaps(f, f->q, 0), 0);
  for (int i = 0; i < f->n; i++)
    if (!f->e->given[i]) f->v[i] += g->x[i];
  return LIM_OK;
}

// Energies before and after, into the books: what the part brings or takes away, and what the impact costs.
// (20)-(21)
static lim_code take(lim_gripping *g, lim_error *err) {
  lim_state *f = g->motion_state;
  const lim_energies before = energies(g);
  momentum(g->before, g, f->v);
  lim_payload_set(g->arm, g->arm->now + 1);
  momentum(g->after, g, f->v);
  lim_code code = share_momentum(g, err);
  if (code != LIM_OK) return code;
  const lim_energies after = energies(g);
  double work = 0;
  momentum(g->after, g, f->v);
  for (int i = 0; i < f->n; i++)
    if (f->e->given[i]) work += (g->after[i] - g->before[i]) * f->v[i];
  f->energy_integrals[LIM_WORK] += after.gravity - before.gravity + work;
  f->energy_integrals[LIM_DISSIPATED] += before.kinetic + work - after.kinetic;
  return LIM_OK;
}

static void let_go(lim_gripping *g) {
  const lim_energies before = energies(g);
  lim_payload_set(g->arm, g->arm->now + 1);
  const lim_energies after = energies(g);
  g->motion_state->energy_integrals[LIM_WORK] +=
      after.gravity + after.kinetic - before.gravity - before.kinetic;
}

lim_code lim_gripping_turn(lim_gripping *g, lim_error *err) {
  if (!g) return LIM_OK;
  const int due = lim_payload_at(g->arm, g->motion_state->t);
  lim_code code = LIM_OK;
  while (g->arm->now < due && code == LIM_OK) {
    if (g->motion_state->about) // to first order about the motion of the rigid arm: speeds stay
      lim_payload_set(g->arm, g->arm->now + 1);
    else if (g->arm->plan->grips.item[g->arm->now].take)
      code = take(g, err);
    else
      let_go(g);
    if (g->rigid) lim_payload_set(g->rigid, g->arm->now);
  }
  return code;
}

lim_code lim_gripping_new(lim_gripping **out, lim_arm *s, lim_arm *rigid, lim_state *motion_state,
                          lim_error *err) {
  lim_gripping *g = *out = NULL;
  if (!s->model->plan || !s->model->plan->grips.count) return LIM_OK;
  g = calloc(1, sizeof *g);
  if (!g) return lim_no_memory(err);
  const size_t n = (size_t)motion_state->n;
  g->motion_state = motion_state;
  g->zero = calloc(5 * n, sizeof *g->zero);
  g->rest = g->zero + n;
  g->before = g->zero + 2 * n;
  g->after = g->zero + 3 * n;
  g->x = g->zero + 4 * n;
  lim_code code = g->zero ? lim_payload_new(&g->arm, s, err) : lim_no_memory(err);
  if (code == LIM_OK && rigid != s) code = lim_payload_new(&g->rigid, rigid, err);
  if (code != LIM_OK) {
    lim_gripping_free(g);
    return code;
  }
  lim_payload_set(g->arm, lim_payload_at(g->arm, 0));
  if (g->rigid) lim_payload_set(g->rigid, g->arm->now);
  *out = g;
  return LIM_OK;
}

void lim_gripping_free(lim_gripping *g) {
  if (!g) return;
  lim_payload_free(g->arm);
  lim_payload_free(g->rigid);
  free(g->zero);
  free(g);
}

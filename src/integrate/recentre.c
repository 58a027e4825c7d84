// recentre.c - the motion of ball joints written anew about where they are. Theory: docs/theory/joints.md (5),
// (6).
#include "integrate/recentre.h"

#include "arm/ball.h"
#include "integrate/linear_energy.h"
#include "integrate/step_control.h"

#include <math.h>
#include <string.h>

bool lim_state_is_far(const lim_state *f) {
  const lim_arm *s = f->e->s;
  for (int i = 0; i < s->nball; i++)
    if (lim_ball_is_far(&s->ball[i], f->q)) return true;
  return false;
}

// --- deviations of mode linear ---

// The turns of a joint: angles, rates, accelerations.
typedef struct {
  double x[3][3];
} turns;

static turns turns_of(const lim_ball *b, const double *q, const double *v, const double *a) {
  const double *const from[3] = {q, v, a};
  turns out;
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 3; i++) out.x[k][i] = from[k][b->turn[i]];
  return out;
}

// Written anew. The three turns stand one after the other.
static turns rewritten(const lim_ball *b, const double quaternion[4], const turns *base, const turns *by,
                       double h) {
  lim_ball alone = *b;
  turns out = *base;
  double *a = out.x[2];
  for (int i = 0; i < 3; i++) alone.turn[i] = i;
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 3; i++) out.x[k][i] += h * by->x[k][i];
  lim_ball_rewrite(&alone, quaternion, out.x[0], out.x[1], &a, 1);
  return out;
}

// (6): a small deviation `by` from the motion `base`, to first order: the derivative of what is written anew,
// by differences of fourth order at a distance at which rounding and their error are both below 1e-11.
static turns rewritten_deviation(const lim_ball *b, const double quaternion[4], const turns *base,
                                 const turns *by) {
  static const double at[4] = {1, -1, 2, -2}, weight[4] = {8. / 12, -8. / 12, -1. / 12, 1. / 12};
  double size = 0;
  turns out = {{{0}}};
  for (int k = 0; k < 9; k++)
    size = fmax(size, fabs(by->x[k / 3][k % 3]) / fmax(1, fabs(base->x[k / 3][k % 3])));
  if (size == 0) return out;
  const double h = 2e-3 / size;
  for (int j = 0; j < 4; j++) {
    const turns beside = rewritten(b, quaternion, base, by, at[j] * h);
    for (int k = 0; k < 9; k++) out.x[k / 3][k % 3] += weight[j] * beside.x[k / 3][k % 3] / h;
  }
  return out;
}

// g about f, both in turns of the joint as it was.
static void rewrite_deviation(lim_state *g, const lim_state *f, const lim_ball *of_g, const lim_ball *of_f,
                              const double quaternion[4]) {
  double *const list[] = {g->a, g->b, g->A};
  const turns base = turns_of(of_f, f->q, f->v, f->a);
  for (int k = 2; k >= 0; k--) { // the first last: the others need the old q and v
    const turns by = turns_of(of_g, g->q, g->v, list[k]);
    const turns new = rewritten_deviation(of_g, quaternion, &base, &by);
    for (int i = 0; i < 3; i++) list[k][of_g->turn[i]] = new.x[2][i];
    for (int i = 0; i < 3 && k == 0; i++) {
      g->q[of_g->turn[i]] = new.x[0][i];
      g->v[of_g->turn[i]] = new.x[1][i];
    }
  }
}

// The energy of a deviation is one of its coordinates: what it has more in others counts as work.
static void keep_books(lim_state *g) {
  const double before = g->kinetic + g->strain;
  lim_state_about(g);
  lim_linear_energy(g, 0);
  g->energy_integrals[LIM_WORK] += g->kinetic + g->strain - before;
}

// --- motions ---

static void rewrite(lim_state *f, lim_state *deviation, int ball) {
  const lim_ball *b = &f->e->s->ball[ball];
  double quaternion[4], *const list[] = {f->a, f->b, f->A};
  lim_ball_centre(quaternion, b, f->q);
  if (deviation) rewrite_deviation(deviation, f, &deviation->e->s->ball[ball], b, quaternion);
  if (f->control) lim_step_control_rewrite(f, b, quaternion);
  lim_ball_rewrite(b, quaternion, f->q, f->v, list, f->control ? 1 : 3); // others are of the end of a step
  for (int i = 0; i < 2; i++)
    if (f->arms[i]) lim_ball_set(f->arms[i], ball, quaternion);
}

lim_code lim_state_recentre(lim_state *f, const lim_integrator *method, lim_state *deviation,
                            const lim_integrator *its_method, lim_error *err) {
  const lim_arm *s = f->e->s;
  if (!lim_state_is_far(f)) return LIM_OK;
  if (f->control && f->t < lim_step_control_end(f)) return LIM_OK; // within a step: at its end
  for (int i = 0; i < s->nball; i++)
    if (lim_ball_is_far(&s->ball[i], f->q)) rewrite(f, deviation, i);
  if (deviation && deviation->energy_balance) keep_books(deviation);
  lim_state *const both[2] = {f, deviation};
  const lim_integrator *const methods[2] = {method, its_method};
  lim_code code = LIM_OK;
  for (int i = 0; i < 2 && code == LIM_OK; i++)
    if (both[i] && methods[i]->recentred) code = methods[i]->recentred(both[i], err);
  return code;
}

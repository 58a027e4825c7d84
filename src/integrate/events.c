// events.c - sticking and sliding, and play of gears. While nothing changes a stuck coordinate is one whose
// motion is given, and sliding friction is smooth, so that every integrator keeps its order; changes are
// located in time. Theory: docs/theory/drives.md.
#include "integrate/events.h"

#include "integrate/recentre.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 60, CHANGES = 1000 }; // of the search for a moment; of one step

// Friction on a coordinate.
typedef struct {
  int body, side, x;
} rub;

// A gear with play, and the flank on which it touches: -1, +1, or 0 where it does not; whether its damper is
// held back there.
typedef struct {
  int body, flank;
  bool held;
} play;

struct lim_events {
  lim_arena arena;
  lim_state *f;
  int count;
  int nplay;
  play *play;           // (nplay)
  rub *rub;             // (count)
  double *speed;        // largest so far                     (count)
  bool *crossed;        // came to rest                       (count)
  double *saved;        // of the flow                        (nsaved)
  double *state, *rate; // (f->ns)
  double t, energy_integrals[LIM_POWERS];
};

// --- gears ---

// Nearer to the edge of the play than this part of it, a gear may be on either side.
static const double EDGE = 1e-9;

static double deflection(const lim_events *x, const play *g) {
  const lim_arm_body *b = &x->f->e->s->bodies[g->body];
  return (x->f->q[b->m] - x->f->q[b->q]) / (x->f->e->inputs->drive[g->body].backlash / 2);
}

static double held_back(const lim_events *x, const play *g) {
  const lim_state *f = x->f;
  const lim_arm_body *b = &f->e->s->bodies[g->body];
  return lim_drive_held_back(&f->e->inputs->drive[g->body], f->q[b->m] - f->q[b->q], f->v[b->m] - f->v[b->q]);
}

static void touch(lim_events *x) {
  for (int i = 0; i < x->nplay; i++) {
    play *g = &x->play[i];
    double d = deflection(x, g);
    g->flank = (d > 1) - (d < -1);
    g->held = g->flank && held_back(x, g) > 0;
  }
}

// How far a gear is beyond the edge of the side it was on, in halves of its play; or its damper beyond the
// bound.
static double beyond(const lim_events *x, const play *g) {
  double d = deflection(x, g), parted = (g->flank ? 1 - g->flank * d : fabs(d) - 1) - EDGE;
  if (!g->flank || parted > 0) return parted;
  double m = held_back(x, g);
  return fmax(parted, (g->held ? -m : m) - EDGE);
}

// --- what a friction does ---

static int *slip_of(lim_events *x, const rub *r) { return &x->f->e->slip[r->body][r->side]; }

// What a stuck friction holds beyond what it can, relative; r: missing forces at the state.
static double excess(const lim_events *x, const rub *u, const double *r) {
  const lim_equations *e = x->f->e;
  double bound = lim_drive_level(&e->inputs->drive[u->body], &e->answer[u->body], u->side, true);
  return bound > 0 ? fabs(r[u->x]) / bound - 1 : r[u->x] != 0;
}

static void stick(lim_events *x, const rub *u) {
  lim_equations *e = x->f->e;
  *slip_of(x, u) = 0;
  e->given[u->x] = true;
  e->hold[u->x] = x->f->q[u->x];
  lim_rec_lock(e->w, u->x, true);
}

static void slide(lim_events *x, const rub *u, int direction) {
  lim_equations *e = x->f->e;
  *slip_of(x, u) = direction;
  e->given[u->x] = false;
  lim_rec_lock(e->w, u->x, false);
}

// Accelerations with what sticks now, and the forces that hold it, in r.
static lim_code balance(lim_events *x, lim_error *err) {
  lim_state *f = x->f;
  lim_equations_prescribe(f->e, f->t, LIM_AFTER, NULL, NULL, f->an);
  lim_code code = lim_equations_accelerate(f->an, f->r, f->e, f->t, LIM_AFTER, f->q, f->v, err);
  if (code == LIM_OK) lim_equations_residual(f->r, f->e, f->t, LIM_AFTER, f->q, f->v, f->an);
  return code;
}

// Release the stuck friction that is asked too much most. False: none is.
static bool release_worst(lim_events *x) {
  double max = 0;
  const rub *worst = NULL;
  for (int i = 0; i < x->count; i++) {
    const rub *u = &x->rub[i];
    if (*slip_of(x, u) != 0) continue;
    double over = excess(x, u, x->f->r);
    if (!(over > max)) continue;
    max = over;
    worst = u;
  }
  if (worst) slide(x, worst, x->f->r[worst->x] > 0 ? -1 : 1);
  return worst;
}

lim_code lim_events_settle(lim_events *x, lim_error *err) {
  if (!x) return LIM_OK;
  const lim_state *f = x->f;
  for (int i = 0; i < x->count; i++) {
    double v = f->v[x->rub[i].x];
    if (v == 0)
      stick(x, &x->rub[i]);
    else
      slide(x, &x->rub[i], v > 0 ? 1 : -1);
  }
  touch(x);
  lim_code code = LIM_OK;
  for (int k = 0; k <= x->count && x->count && code == LIM_OK; k++) {
    code = balance(x, err);
    if (code == LIM_OK && !release_worst(x)) break;
  }
  return code;
}

// --- going back ---

static double *copy(double *to, const double *from, int n) {
  memcpy(to, from, (size_t)n * sizeof *to);
  return to + n;
}

static void save(lim_events *x) {
  const lim_state *f = x->f;
  double *const vector[] = {f->q, f->v, f->a, f->A, f->b};
  double *at = x->saved;
  for (int i = 0; i < 5; i++) at = copy(at, vector[i], f->n);
  at = copy(at, f->scale, f->ngroup);
  copy(at, f->k[0], LIM_POWERS);
  if (f->ns) memcpy(x->state, f->e->state, (size_t)f->ns * sizeof *x->state);
  if (f->ns) memcpy(x->rate, f->e->rate, (size_t)f->ns * sizeof *x->rate);
  x->t = f->t;
  memcpy(x->energy_integrals, f->energy_integrals, sizeof x->energy_integrals);
}

static lim_code restore(lim_events *x, const lim_integrator *method, lim_error *err) {
  lim_state *f = x->f;
  double *const vector[] = {f->q, f->v, f->a, f->A, f->b};
  const double *at = x->saved;
  for (int i = 0; i < 5; i++, at += f->n) copy(vector[i], at, f->n);
  copy(f->scale, at, f->ngroup);
  copy(f->k[0], at + f->ngroup, LIM_POWERS);
  if (f->ns) memcpy(f->e->state, x->state, (size_t)f->ns * sizeof *x->state);
  if (f->ns) memcpy(f->e->rate, x->rate, (size_t)f->ns * sizeof *x->rate);
  f->t = x->t;
  memcpy(f->energy_integrals, x->energy_integrals, sizeof x->energy_integrals);
  return f->own && !method->own_steps ? method->restart(f, err) : LIM_OK; // one with a memory of its own
}

// --- the moment of a change ---

// How far the worst friction is beyond its law, relative: one that slides backwards, one that holds too much.
static double violation(lim_events *x) {
  lim_state *f = x->f;
  double worst = -INFINITY;
  lim_equations_residual(f->r, f->e, f->t, LIM_BEFORE, f->q, f->v, f->a);
  for (int i = 0; i < x->count; i++) {
    const rub *u = &x->rub[i];
    int slip = *slip_of(x, u);
    x->speed[i] = fmax(x->speed[i], fabs(f->v[u->x]));
    double over = slip ? -slip * f->v[u->x] / fmax(x->speed[i], 1e-300) : excess(x, u, f->r);
    x->crossed[i] = slip && over > 0;
    worst = fmax(worst, over);
  }
  for (int i = 0; i < x->nplay; i++) worst = fmax(worst, beyond(x, &x->play[i]));
  return worst;
}

// The state at the first moment found, up to rounding, where a law is violated; `found` is the violation at
// `to`.
static lim_code locate(lim_events *x, const lim_integrator *method, double to, double found, lim_error *err) {
  double low = x->t, high = to, below = 0, above = found, closest = 4e-16 * fabs(to) + 1e-13 * (to - x->t);
  lim_code code = LIM_OK;
  for (int k = 0; k < ROUNDS && high - low > closest && code == LIM_OK; k++) {
    double t = below < 0 && k % 3 ? low + (high - low) * below / (below - above) : (low + high) / 2;
    t = fmin(fmax(t, low + 0.01 * (high - low)), high - 0.01 * (high - low));
    code = restore(x, method, err);
    if (code == LIM_OK) code = method->advance(x->f, t, err);
    if (code != LIM_OK) break;
    double g = violation(x);
    if (g > 0) {
      high = t;
      above = g;
    } else {
      low = t;
      below = g;
    }
    if (g > 0 && g < 1e-15) break;
  }
  if (code == LIM_OK && x->f->t != high) {
    code = restore(x, method, err);
    if (code == LIM_OK) code = method->advance(x->f, high, err);
    if (code == LIM_OK) violation(x);
  }
  return code;
}

static lim_code change(lim_events *x, const lim_integrator *method, lim_error *err) {
  lim_state *f = x->f;
  if (method->pause) method->pause(f);
  for (int i = 0; i < x->count; i++)
    if (x->crossed[i]) f->v[x->rub[i].x] = 0;
  for (int i = 0; i < x->count; i++) // what sticks moved by rounding at most
    if (*slip_of(x, &x->rub[i]) == 0) f->v[x->rub[i].x] = 0;
  lim_code code = lim_events_settle(x, err);
  return code == LIM_OK ? method->restart(f, err) : code;
}

lim_code lim_events_advance(lim_events *x, const lim_integrator *method, double to, lim_error *err) {
  for (int k = 0; k < CHANGES;) {
    lim_code code = lim_state_recentre(x->f, method, NULL, NULL, err);
    if (code != LIM_OK) return code;
    save(x);
    code = method->advance(x->f, to, err);
    if (code != LIM_OK) return code;
    double found = violation(x);
    if (found > 0) {
      code = locate(x, method, x->f->t, found, err);
      if (code == LIM_OK) code = change(x, method, err);
      k++;
    }
    if (code != LIM_OK || x->f->t >= to) return code;
  }
  x->f->advice = "";
  return LIM_FAIL(err, LIM_FAILED,
                  "at t = %g s friction or play of a gear changes more than %d times in one step", x->f->t,
                  CHANGES);
}

// --- set-up ---

static bool allocate(lim_events *x, const int count[2]) {
  size_t n = (size_t)x->f->n, c = (size_t)count[0];
  x->rub = lim_arena_array(&x->arena, c, sizeof *x->rub);
  x->play = lim_arena_array(&x->arena, (size_t)count[1], sizeof *x->play);
  x->speed = lim_arena_array(&x->arena, c, sizeof *x->speed);
  x->crossed = lim_arena_array(&x->arena, c, sizeof *x->crossed);
  x->saved = lim_arena_array(&x->arena, 5 * n + (size_t)x->f->ngroup + LIM_POWERS, sizeof *x->saved);
  x->state = lim_arena_array(&x->arena, (size_t)x->f->ns, sizeof *x->state);
  x->rate = lim_arena_array(&x->arena, (size_t)x->f->ns, sizeof *x->rate);
  return x->rub && x->play && x->speed && x->crossed && x->saved && x->state && x->rate;
}

// Every friction that sticks and every gear with play, into x, or their numbers where x is NULL.
static void gather(lim_events *x, int count[2], const lim_equations *e) {
  count[0] = count[1] = 0;
  for (int i = 0; i < e->s->nbody; i++) {
    const int at[2] = {e->s->bodies[i].q, e->s->bodies[i].m};
    for (int side = 0; side < 2; side++) {
      if (at[side] < 0 || e->prescribed[at[side]] || !lim_drive_sticks(&e->inputs->drive[i], side)) continue;
      if (x) x->rub[count[0]] = (rub){i, side, at[side]};
      count[0]++;
    }
    if (at[1] < 0 || !(e->inputs->drive[i].backlash > 0)) continue;
    if (x) x->play[count[1]] = (play){.body = i};
    count[1]++;
  }
}

lim_code lim_events_new(lim_events **out, lim_state *f, lim_error *err) {
  *out = NULL;
  int count[2];
  gather(NULL, count, f->e);
  if (count[0] + count[1] == 0) return LIM_OK;
  lim_events *x = *out = calloc(1, sizeof *x);
  if (x) x->f = f;
  if (!x || !allocate(x, count)) {
    lim_events_free(x);
    *out = NULL;
    return lim_no_memory(err);
  }
  gather(x, count, f->e);
  f->watched = true;
  x->count = count[0];
  x->nplay = count[1];
  return LIM_OK;
}

void lim_events_free(lim_events *x) {
  if (!x) return;
  lim_arena_free(&x->arena);
  free(x);
}

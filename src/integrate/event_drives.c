// event_drives.c - sticking and sliding, and play of gears. A stuck coordinate is one whose motion is given.
// Theory: docs/theory/drives.md.
#include "integrate/event_drives.h"

#include <math.h>

// --- gears ---

// Nearer to the edge of the play than this part of it, a gear may be on either side.
static const double EDGE = 1e-9;

static double deflection(const lim_drive_events *x, const lim_play *g) {
  const lim_arm_body *b = &x->f->e->s->bodies[g->body];
  return (x->f->q[b->m] - x->f->q[b->q]) / (x->f->e->inputs->drive[g->body].backlash / 2);
}

static double held_back(const lim_drive_events *x, const lim_play *g) {
  const lim_state *f = x->f;
  const lim_arm_body *b = &f->e->s->bodies[g->body];
  return lim_drive_held_back(&f->e->inputs->drive[g->body], f->q[b->m] - f->q[b->q], f->v[b->m] - f->v[b->q]);
}

static void touch(lim_drive_events *x) {
  for (int i = 0; i < x->nplay; i++) {
    lim_play *g = &x->play[i];
    double d = deflection(x, g);
    g->flank = (d > 1) - (d < -1);
    g->held = g->flank && held_back(x, g) > 0;
  }
}

// How far a gear is beyond the edge of the side it was on, in halves of its play; or its damper beyond the
// bound.
static double beyond(const lim_drive_events *x, const lim_play *g) {
  double d = deflection(x, g), parted = (g->flank ? 1 - g->flank * d : fabs(d) - 1) - EDGE;
  if (!g->flank || parted > 0) return parted;
  double m = held_back(x, g);
  return fmax(parted, (g->held ? -m : m) - EDGE);
}

// --- what a friction does ---

static int *slip_of(const lim_drive_events *x, const lim_rub *r) { return &x->f->e->slip[r->body][r->side]; }

// What a stuck friction holds beyond what it can, relative; r: missing forces at the state.
static double excess(const lim_drive_events *x, const lim_rub *u, const double *r) {
  const lim_equations *e = x->f->e;
  double bound = lim_drive_level(&e->inputs->drive[u->body], &e->answer[u->body], u->side, true);
  return bound > 0 ? fabs(r[u->x]) / bound - 1 : r[u->x] != 0;
}

static void stick(lim_drive_events *x, const lim_rub *u) {
  lim_equations *e = x->f->e;
  *slip_of(x, u) = 0;
  e->given[u->x] = true;
  e->hold[u->x] = x->f->q[u->x];
  lim_rec_lock(e->w, u->x, true);
}

static void slide(lim_drive_events *x, const lim_rub *u, int direction) {
  lim_equations *e = x->f->e;
  *slip_of(x, u) = direction;
  e->given[u->x] = false;
  lim_rec_lock(e->w, u->x, false);
}

const lim_rub *lim_drive_events_worst(double *over, const lim_drive_events *x, const double *r) {
  const lim_rub *worst = NULL;
  *over = 0;
  for (int i = 0; i < x->count; i++) {
    const lim_rub *u = &x->rub[i];
    if (*slip_of(x, u) != 0) continue;
    double now = excess(x, u, r);
    if (!(now > *over)) continue;
    *over = now;
    worst = u;
  }
  return worst;
}

void lim_drive_events_release(lim_drive_events *x, const lim_rub *u) {
  slide(x, u, x->f->r[u->x] > 0 ? -1 : 1);
}

void lim_drive_events_settle(lim_drive_events *x) {
  for (int i = 0; i < x->count; i++) {
    double v = x->f->v[x->rub[i].x];
    if (v == 0)
      stick(x, &x->rub[i]);
    else
      slide(x, &x->rub[i], v > 0 ? 1 : -1);
  }
  touch(x);
}

double lim_drive_events_violation(lim_drive_events *x, const double *r) {
  const lim_state *f = x->f;
  double worst = -INFINITY;
  for (int i = 0; i < x->count; i++) {
    const lim_rub *u = &x->rub[i];
    int slip = *slip_of(x, u);
    x->speed[i] = fmax(x->speed[i], fabs(f->v[u->x]));
    double over = slip ? -slip * f->v[u->x] / fmax(x->speed[i], 1e-300) : excess(x, u, r);
    x->crossed[i] = slip && over > 0;
    worst = fmax(worst, over);
  }
  for (int i = 0; i < x->nplay; i++) worst = fmax(worst, beyond(x, &x->play[i]));
  return worst;
}

void lim_drive_events_stop(lim_drive_events *x) {
  for (int i = 0; i < x->count; i++) // what sticks moved by rounding at most
    if (x->crossed[i] || *slip_of(x, &x->rub[i]) == 0) x->f->v[x->rub[i].x] = 0;
}

// --- set-up ---

// Into x, or their numbers where `rub` is NULL.
static void gather(lim_drive_events *x) {
  const lim_equations *e = x->f->e;
  x->count = x->nplay = 0;
  for (int i = 0; i < e->s->nbody; i++) {
    const int at[2] = {e->s->bodies[i].q, e->s->bodies[i].m};
    for (int side = 0; side < 2; side++) {
      if (at[side] < 0 || e->prescribed[at[side]] || !lim_drive_sticks(&e->inputs->drive[i], side)) continue;
      if (x->rub) x->rub[x->count] = (lim_rub){i, side, at[side]};
      x->count++;
    }
    if (at[1] < 0 || !(e->inputs->drive[i].backlash > 0)) continue;
    if (x->play) x->play[x->nplay] = (lim_play){.body = i};
    x->nplay++;
  }
}

bool lim_drive_events_start(lim_drive_events *x, lim_arena *arena, lim_state *f) {
  *x = (lim_drive_events){.f = f};
  gather(x);
  const size_t c = (size_t)x->count;
  x->rub = lim_arena_array(arena, c, sizeof *x->rub);
  x->play = lim_arena_array(arena, (size_t)x->nplay, sizeof *x->play);
  x->speed = lim_arena_array(arena, c, sizeof *x->speed);
  x->crossed = lim_arena_array(arena, c, sizeof *x->crossed);
  if (!x->rub || !x->play || !x->speed || !x->crossed) return false;
  gather(x);
  return true;
}

// events.c - moments at which something changes: friction of drives and play of gears (event_drives.h), end
// stops and contacts (event_contacts.h), carriages at seams of rails (event_rails.h). In between all forces are
// smooth, so that every integrator keeps its order; changes are located in time. Theory: docs/theory/drives.md,
// docs/theory/contact.md.
#include "integrate/events.h"

#include "integrate/event_contacts.h"
#include "integrate/event_drives.h"
#include "integrate/event_rails.h"
#include "integrate/recentre.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 60, CHANGES = 1000 }; // of the search for a moment; of one step

struct lim_events {
  lim_arena arena;
  lim_state *f;
  lim_drive_events drives;
  lim_contact_events contacts;
  lim_rail_events rails;
  double *saved;        // of the flow                        (nsaved)
  double *state, *rate; // (f->ns)
  double t, energy_integrals[LIM_POWERS];
};

// --- what sticks ---

// Accelerations with what sticks now, and the forces that hold it, in r.
static lim_code balance(lim_events *x, lim_error *err) {
  lim_state *f = x->f;
  lim_equations_prescribe(f->e, f->t, LIM_AFTER, NULL, NULL, f->an);
  lim_code code = lim_equations_accelerate(f->an, f->r, f->e, f->t, LIM_AFTER, f->q, f->v, err);
  if (code == LIM_OK) lim_equations_residual(f->r, f->e, f->t, LIM_AFTER, f->q, f->v, f->an);
  return code;
}

// Release what sticks and is asked too much most. False: nothing is.
static bool release_worst(lim_events *x) {
  double of_drive, of_contact;
  const lim_rub *rub = lim_drive_events_worst(&of_drive, &x->drives, x->f->r);
  const int contact = lim_contact_events_worst(&of_contact, &x->contacts);
  if (contact >= 0 && of_contact > of_drive)
    lim_contact_events_release(&x->contacts, contact);
  else if (rub)
    lim_drive_events_release(&x->drives, rub);
  return rub || contact >= 0;
}

lim_code lim_events_settle(lim_events *x, lim_error *err) {
  if (!x) return LIM_OK;
  const int most = x->drives.count + x->contacts.count;
  lim_rail_events_settle(&x->rails);
  lim_drive_events_settle(&x->drives);
  lim_contact_events_settle(&x->contacts);
  lim_code code = LIM_OK;
  for (int k = 0; k <= most && most && code == LIM_OK; k++) {
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
  at = copy(at, f->e->lambda, f->e->nrow);
  at = copy(at, f->b + f->n, f->e->nrow); // where methods of Newmark's family keep them
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
  copy(f->e->lambda, at, f->e->nrow);
  at += f->e->nrow;
  copy(f->b + f->n, at, f->e->nrow);
  at += f->e->nrow;
  copy(f->scale, at, f->ngroup);
  copy(f->k[0], at + f->ngroup, LIM_POWERS);
  if (f->ns) memcpy(f->e->state, x->state, (size_t)f->ns * sizeof *x->state);
  if (f->ns) memcpy(f->e->rate, x->rate, (size_t)f->ns * sizeof *x->rate);
  f->t = x->t;
  memcpy(f->energy_integrals, x->energy_integrals, sizeof x->energy_integrals);
  return f->own && !method->own_steps ? method->restart(f, err) : LIM_OK; // one with a memory of its own
}

// --- the moment of a change ---

// How far the worst is beyond its law: above 0, something changes.
static double violation(lim_events *x) {
  lim_state *f = x->f;
  lim_equations_residual(f->r, f->e, f->t, LIM_BEFORE, f->q, f->v, f->a);
  const double held =
      fmax(lim_drive_events_violation(&x->drives, f->r), lim_contact_events_violation(&x->contacts));
  return fmax(held, lim_rail_events_violation(&x->rails));
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
  lim_drive_events_stop(&x->drives);
  lim_code code = lim_contact_events_stop(&x->contacts, err);
  if (code == LIM_OK) code = lim_rail_events_cross(&x->rails, err);
  if (code == LIM_OK) code = lim_events_settle(x, err);
  return code == LIM_OK ? method->restart(f, err) : code;
}

lim_code lim_events_advance(lim_events *x, const lim_integrator *method, double to, lim_error *err) {
  for (int k = 0; k < CHANGES;) {
    lim_code code = lim_state_recentre(x->f, method, NULL, NULL, err);
    if (code != LIM_OK) return code;
    lim_contact_events_follow(&x->contacts);
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
  return LIM_FAIL(
      err, LIM_FAILED,
      "at t = %g s friction, play of a gear, a stop or a contact changes more than %d times in one step",
      x->f->t, CHANGES);
}

// --- set-up ---

static bool allocate(lim_events *x) {
  const size_t n = (size_t)x->f->n, ns = (size_t)x->f->ns, rows = (size_t)x->f->e->nrow;
  x->saved = lim_arena_array(&x->arena, 5 * n + 2 * rows + (size_t)x->f->ngroup + LIM_POWERS, sizeof *x->saved);
  x->state = lim_arena_array(&x->arena, ns, sizeof *x->state);
  x->rate = lim_arena_array(&x->arena, ns, sizeof *x->rate);
  return x->saved && x->state && x->rate && lim_drive_events_start(&x->drives, &x->arena, x->f) &&
         lim_contact_events_start(&x->contacts, &x->arena, x->f) &&
         lim_rail_events_start(&x->rails, &x->arena, x->f);
}

lim_code lim_events_new(lim_events **out, lim_state *f, lim_error *err) {
  *out = NULL;
  lim_events *x = calloc(1, sizeof *x);
  if (x) x->f = f;
  if (!x || !allocate(x)) {
    lim_events_free(x);
    return lim_no_memory(err);
  }
  if (x->drives.count + x->drives.nplay + x->rails.count + lim_contact_events_exist(&x->contacts) == 0) {
    lim_events_free(x);
    return LIM_OK;
  }
  f->watched = true;
  *out = x;
  return LIM_OK;
}

void lim_events_free(lim_events *x) {
  if (!x) return;
  lim_arena_free(&x->arena);
  free(x);
}

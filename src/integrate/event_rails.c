// event_rails.c - where a carriage goes from one segment of a rail to the next, the slopes of its section have
// a step, and with them the velocities that the same rates of coordinates mean. Nothing pushes there but along
// the rail: momenta of all other coordinates stay, and so does the energy. Theory: docs/theory/rails.md (12).
#include "integrate/event_rails.h"

#include "arm/rail.h"

#include <math.h>
#include <string.h>

// Of its segment, by which a carriage may be beyond it without going over.
static const double EDGE = 1e-12;

// --- segments ---

// The run's own view of the rail is the segment of span k.
static void hold_on(lim_rail_events *x, lim_carriage *c, int k) {
  lim_arm_body *b = &x->f->arms[0]->bodies[c->body];
  int first = k, last = k;
  while (first > 0 && c->spans[first - 1].body == c->spans[k].body) first--;
  while (last + 1 < c->nspan && c->spans[last + 1].body == c->spans[k].body) last++;
  b->spans = c->spans + first;
  b->nspan = last - first + 1;
  c->low = first > 0 ? c->spans[first].section.rail->start : -INFINITY;
  c->high = last + 1 < c->nspan ? c->spans[last + 1].section.rail->start : INFINITY;
}

// The span at a place; at a seam the one ahead.
static int span_at(const lim_carriage *c, double place, double speed) {
  int k = 0;
  while (k + 1 < c->nspan && c->spans[k + 1].section.rail->start <= place) k++;
  const bool at_seam = c->spans[k].section.rail->start == place;
  return at_seam && speed < 0 && k > 0 ? k - 1 : k;
}

static int coordinate(const lim_rail_events *x, const lim_carriage *c) { return x->f->e->s->bodies[c->body].q; }

void lim_rail_events_settle(lim_rail_events *x) {
  for (int i = 0; i < x->count; i++) {
    lim_carriage *c = &x->carriage[i];
    const int q = coordinate(x, c);
    const double place = x->f->q[q];
    if (c->high > c->low && place >= c->low && place <= c->high) continue; // where it is held already
    hold_on(x, c, span_at(c, place, x->f->v[q]));
  }
}

static double beyond(const lim_rail_events *x, const lim_carriage *c) {
  const double place = x->f->q[coordinate(x, c)], length = c->spans[0].section.rail->length;
  return fmax(c->low - place, place - c->high) / length - EDGE;
}

double lim_rail_events_violation(const lim_rail_events *x) {
  double worst = -INFINITY;
  for (int i = 0; i < x->count; i++) worst = fmax(worst, beyond(x, &x->carriage[i]));
  return worst;
}

// --- momentum ---

// p (n) = M v at the present place, by the accelerations of the residual.
static void momenta(double *p, const lim_rail_events *x, const double *v) {
  const lim_state *f = x->f;
  lim_rec_residual(p, f->e->w, f->q, x->zero, x->zero);
  memcpy(x->x, p, (size_t)f->n * sizeof *p);
  lim_rec_residual(p, f->e->w, f->q, x->zero, v);
  for (int i = 0; i < f->n; i++) p[i] -= x->x[i];
}

static double half_dot(const double *x, const double *y, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * y[i];
  return sum / 2;
}

// Velocities of the new segment: M+ v+ = p but for given coordinates, on closed loops.   (12)
static lim_code keep_momenta(lim_rail_events *x, lim_error *err) {
  lim_state *f = x->f;
  double *change = x->x;
  momenta(f->r, x, f->v);
  for (int i = 0; i < f->n; i++) change[i] = x->p[i] - f->r[i];
  lim_code code = lim_equations_factor(f->e, f->q, (lim_step_matrix){.M = 1}, err);
  if (code != LIM_OK) return code;
  lim_equations_rows(f->e, f->q, f->v, NULL);
  for (int k = 0; k < f->e->nrow; k++) f->e->opening[k] = -f->e->row[k].rate;
  lim_equations_solve(change, f->e, f->e->opening, 0);
  for (int i = 0; i < f->n; i++)
    if (!f->e->given[i]) f->v[i] += change[i];
  return LIM_OK;
}

// A push along the rail that leaves the energy T; where the place is given, its drive does the work.   (13)
static void keep_energy(lim_rail_events *x, const lim_carriage *c, double T) {
  lim_state *f = x->f;
  const int q = coordinate(x, c);
  momenta(f->r, x, f->v);
  const double more = half_dot(f->v, f->r, f->n) - T;
  if (f->e->given[q]) {
    f->energy_integrals[LIM_WORK] += more;
    return;
  }
  memset(x->x, 0, (size_t)f->n * sizeof *x->x);
  x->x[q] = 1;
  for (int k = 0; k < f->e->nrow; k++) f->e->opening[k] = 0;
  lim_equations_solve(x->x, f->e, f->e->opening, 0);
  const double v = f->v[q], yields = x->x[q], left = v * v - 2 * yields * more;
  if (!(left > 0) || !(yields > 0)) return; // it could not climb the step
  const double push = -2 * more / (v + copysign(sqrt(left), v));
  for (int i = 0; i < f->n; i++)
    if (!f->e->given[i]) f->v[i] += push * x->x[i];
}

lim_code lim_rail_events_cross(lim_rail_events *x, lim_error *err) {
  lim_state *f = x->f;
  lim_code code = LIM_OK;
  for (int i = 0; i < x->count && code == LIM_OK; i++) {
    lim_carriage *c = &x->carriage[i];
    if (!(beyond(x, c) > 0)) continue;
    const int q = coordinate(x, c);
    momenta(x->p, x, f->v);
    const double T = half_dot(f->v, x->p, f->n);
    hold_on(x, c, span_at(c, f->q[q], f->v[q]));
    code = keep_momenta(x, err);
    if (code == LIM_OK) keep_energy(x, c, T);
  }
  return code;
}

// --- set-up ---

static bool is_segmented(const lim_arm_body *b) {
  return b->nspan && b->spans[0].body != b->spans[b->nspan - 1].body;
}

bool lim_rail_events_start(lim_rail_events *x, lim_arena *arena, lim_state *f) {
  const lim_arm *s = f->e->s;
  const size_t n = (size_t)f->n;
  *x = (lim_rail_events){.f = f};
  x->carriage = lim_arena_array(arena, (size_t)s->nbody, sizeof *x->carriage);
  x->p = lim_arena_array(arena, n, sizeof *x->p);
  x->x = lim_arena_array(arena, n, sizeof *x->x);
  x->zero = lim_arena_array(arena, n, sizeof *x->zero);
  if (!x->carriage || !x->p || !x->x || !x->zero) return false;
  for (int i = 0; i < s->nbody; i++)
    if (is_segmented(&s->bodies[i]))
      x->carriage[x->count++] =
          (lim_carriage){.body = i, .spans = s->bodies[i].spans, .nspan = s->bodies[i].nspan};
  return true;
}

// event_contacts.c - end stops and contacts in time. Theory: docs/theory/contact.md.
#include "integrate/event_contacts.h"

#include <math.h>
#include <string.h>

// A depth [m], [rad] that is rounding; a speed [m/s] at which a contact does not go on sliding where another
// one of its body has come to rest.
static const double EDGE = 1e-13, SLOW = 1e-6;

static lim_contact_state *state_of(const lim_contact_events *x, int i) { return &x->f->e->contact[i]; }
static const lim_contact_element *contact_of(const lim_contact_events *x, int i) {
  return &x->f->e->inputs->contacts.item[i];
}

// --- the present ---

static void sites_of(lim_world_motion at[2], const lim_contact_events *x, int i) {
  const lim_state *f = x->f;
  lim_contact_sites(at, contact_of(x, i), f->e->s, f->body, f->q, f->v, NULL);
}

static void look(lim_contact_events *x) {
  const lim_state *f = x->f;
  if (!x->count) return;
  lim_kinematics(f->body, f->e->s, f->q, f->v, NULL);
  for (int i = 0; i < x->count; i++) {
    const int row = contact_of(x, i)->row;
    lim_world_motion at[2];
    sites_of(at, x, i);
    x->moment[i] = lim_contact_evaluate(contact_of(x, i), state_of(x, i), &at[0], &at[1],
                                        row < 0 ? NULL : f->e->lambda + row);
  }
}

static lim_stop_moment stop_moment(const lim_contact_events *x, int body, int which) {
  const lim_state *f = x->f;
  const int q = f->e->s->bodies[body].q;
  return lim_stop_evaluate(&f->e->inputs->drive[body].stop, which, f->e->press[body][which], f->q[q], f->v[q]);
}

static double law_of(const lim_contact_events *x, int i) {
  return 1 + contact_of(x, i)->damping * x->moment[i].rate;
}

static double slip_speed(const lim_contact_moment *m) { return hypot(m->slip[0], m->slip[1]); }

// What a sticking contact holds beyond what it can, relative.   (6)
static double excess(const lim_contact_events *x, int i) {
  const lim_contact_element *c = contact_of(x, i);
  const double *lambda = x->f->e->lambda + c->row;
  const double held = c->tangents > 1 ? hypot(lambda[0], lambda[1]) : fabs(lambda[0]);
  return held / lim_contact_bound(c, x->moment[i].normal) - 1;
}

// --- changes ---

static void stick(lim_contact_events *x, int i) {
  lim_world_motion at[2];
  if (state_of(x, i)->friction == LIM_CONTACT_STICKS) return;
  sites_of(at, x, i);
  state_of(x, i)->friction = LIM_CONTACT_STICKS;
  lim_contact_anchor(state_of(x, i), contact_of(x, i), &at[0], &at[1], false);
}

static void let_go(lim_contact_events *x, int i, lim_contact_friction friction) {
  const lim_contact_element *c = contact_of(x, i);
  state_of(x, i)->friction = friction;
  if (c->row >= 0) memset(x->f->e->lambda + c->row, 0, (size_t)c->tangents * sizeof(double));
}

static void turn_to(lim_contact_state *s, const double along[2], double size) {
  for (int k = 0; k < 2; k++) s->direction[k] = along[k] / size;
}

static void settle_contact(lim_contact_events *x, int i) {
  const lim_contact_moment *m = &x->moment[i];
  lim_contact_state *s = state_of(x, i);
  const double speed = slip_speed(m);
  s->press = lim_press_of(m->depth, m->rate, law_of(x, i));
  if (s->press != LIM_PRESS_ON || contact_of(x, i)->row < 0) {
    let_go(x, i, LIM_CONTACT_NONE);
  } else if (s->friction == LIM_CONTACT_STICKS || x->crossed[i] || speed <= LIM_CONTACT_STILL) {
    stick(x, i);
  } else {
    let_go(x, i, LIM_CONTACT_SLIDES);
    turn_to(s, m->slip, speed);
  }
  x->crossed[i] = false;
}

void lim_contact_events_settle(lim_contact_events *x) {
  for (int i = 0; i < x->nstop; i++)
    for (int k = 0; k < LIM_STOPS; k++) {
      const lim_stop_moment m = stop_moment(x, x->stop[i], k);
      x->f->e->press[x->stop[i]][k] = lim_press_of(m.depth, m.rate, m.force_depth);
    }
  look(x);
  for (int i = 0; i < x->count; i++) settle_contact(x, i);
}

int lim_contact_events_worst(double *over, lim_contact_events *x) {
  int worst = -1;
  *over = 0;
  look(x);
  if (x->any_friction) lim_shared_friction_spread(x->f->e, &x->shared, x->moment);
  for (int i = 0; i < x->count; i++) {
    if (state_of(x, i)->friction != LIM_CONTACT_STICKS) continue;
    const double now = excess(x, i);
    if (!(now > *over)) continue;
    *over = now;
    worst = i;
  }
  return worst;
}

static void release(lim_contact_events *x, int i) {
  const lim_contact_element *c = contact_of(x, i);
  const double *lambda = x->f->e->lambda + c->row;
  const double against[2] = {-lambda[0], c->tangents > 1 ? -lambda[1] : 0};
  turn_to(state_of(x, i), against, hypot(against[0], against[1]));
  let_go(x, i, LIM_CONTACT_SLIDES);
}

// With it those that are at their limit, too: feet of a body give way together.
void lim_contact_events_release(lim_contact_events *x, int contact) {
  static const double TOGETHER = 1e-3;
  for (int i = 0; i < x->count; i++)
    if (state_of(x, i)->friction == LIM_CONTACT_STICKS && (i == contact || excess(x, i) > -TOGETHER))
      release(x, i);
}

// --- the law, and how far beyond it ---

static double slides_beyond(lim_contact_events *x, int i) {
  const lim_contact_state *s = state_of(x, i);
  const lim_contact_moment *m = &x->moment[i];
  const double back = -(m->slip[0] * s->direction[0] + m->slip[1] * s->direction[1]) - LIM_CONTACT_STILL;
  x->crossed[i] = back > 0;
  return back;
}

static double contact_beyond(lim_contact_events *x, int i) {
  const lim_contact_state *s = state_of(x, i);
  const lim_contact_moment *m = &x->moment[i];
  x->crossed[i] = false;
  const double beyond = lim_press_beyond(s->press, m->depth, m->depth * law_of(x, i)) - EDGE;
  if (s->friction == LIM_CONTACT_SLIDES) return fmax(beyond, slides_beyond(x, i));
  return s->friction == LIM_CONTACT_STICKS ? fmax(beyond, excess(x, i)) : beyond;
}

double lim_contact_events_violation(lim_contact_events *x) {
  double worst = -INFINITY;
  for (int i = 0; i < x->nstop; i++)
    for (int k = 0; k < LIM_STOPS; k++) {
      const lim_stop_moment m = stop_moment(x, x->stop[i], k);
      const double edge = EDGE * (1 + fabs(x->f->e->inputs->drive[x->stop[i]].stop.limit[k]));
      worst = fmax(worst, lim_press_beyond(x->f->e->press[x->stop[i]][k], m.depth, m.force_depth) - edge);
    }
  look(x);
  if (x->any_friction) lim_shared_friction_spread(x->f->e, &x->shared, x->moment);
  for (int i = 0; i < x->count; i++) worst = fmax(worst, contact_beyond(x, i));
  return worst;
}

static double kinetic(const lim_state *f) {
  lim_kinematics(f->body, f->e->s, f->q, f->v, NULL);
  return lim_energies_of(f->e->s, f->body, f->q, f->v).kinetic;
}

// M dv = G' y with G (v + dv) = 0   (7)
static lim_code take_slip(lim_state *f, lim_error *err) {
  lim_equations_residual(f->r, f->e, f->t, LIM_AFTER, f->q, f->v, f->a);
  lim_code code = lim_equations_factor(f->e, f->q, (lim_step_matrix){.M = 1}, err);
  if (code != LIM_OK) return code;
  lim_equations_rows(f->e, f->q, f->v, NULL);
  for (int i = 0; i < f->e->nrow; i++) f->e->opening[i] = f->e->row[i].rate;
  memset(f->an, 0, (size_t)f->n * sizeof *f->an);
  lim_equations_solve(f->an, f->e, f->e->opening, 0);
  for (int i = 0; i < f->n; i++)
    if (!f->e->given[i]) f->v[i] -= f->an[i];
  return LIM_OK;
}

// Contacts that have turned round, or hardly slide any more once those have stopped, stick. Whether there are
// any.
static bool stop_sliding(lim_contact_events *x, double slow) {
  bool any = false;
  for (int i = 0; i < x->count; i++) {
    if (state_of(x, i)->friction != LIM_CONTACT_SLIDES) continue;
    if (!x->crossed[i] && !(slip_speed(&x->moment[i]) < slow)) continue;
    stick(x, i);
    any = true;
  }
  return any;
}

lim_code lim_contact_events_stop(lim_contact_events *x, lim_error *err) {
  lim_state *f = x->f;
  if (!stop_sliding(x, 0)) return LIM_OK;
  const double before = kinetic(f);
  lim_code code = take_slip(f, err);
  look(x);
  if (code == LIM_OK && stop_sliding(x, SLOW)) code = take_slip(f, err);
  f->energy_integrals[LIM_DISSIPATED] += before - kinetic(f);
  return code;
}

// Whether a row of a contact follows from others, so that it is not held to its anchor.
static bool is_left_out(const lim_equations *e, const lim_contact_element *c) {
  for (int k = e->rank; k < e->nrow; k++)
    if (e->order[k] >= c->row && e->order[k] < c->row + c->tangents) return true;
  return false;
}

void lim_contact_events_follow(lim_contact_events *x) {
  if (!x->any_friction) return;
  look(x);
  for (int i = 0; i < x->count; i++) {
    lim_contact_state *s = state_of(x, i);
    const double speed = slip_speed(&x->moment[i]);
    lim_world_motion at[2];
    if (s->friction == LIM_CONTACT_SLIDES && speed > LIM_CONTACT_SLOW) turn_to(s, x->moment[i].slip, speed);
    if (s->friction != LIM_CONTACT_STICKS) continue;
    sites_of(at, x, i);
    lim_contact_anchor(s, contact_of(x, i), &at[0], &at[1], !is_left_out(x->f->e, contact_of(x, i)));
  }
}

// --- set-up ---

bool lim_contact_events_exist(const lim_contact_events *x) { return x->nstop + x->count > 0; }

bool lim_contact_events_start(lim_contact_events *x, lim_arena *arena, lim_state *f) {
  const lim_equations *e = f->e;
  *x = (lim_contact_events){.f = f, .count = e->inputs->contacts.count};
  x->stop = lim_arena_array(arena, (size_t)e->s->nbody, sizeof *x->stop);
  x->moment = lim_arena_array(arena, (size_t)x->count, sizeof *x->moment);
  x->crossed = lim_arena_array(arena, (size_t)x->count, sizeof *x->crossed);
  if (!x->stop || !x->moment || !x->crossed || !lim_shared_friction_start(&x->shared, arena, e)) return false;
  for (int i = 0; i < e->s->nbody; i++)
    if (e->inputs->drive[i].stop.stiffness > 0) x->stop[x->nstop++] = i;
  for (int i = 0; i < x->count; i++) x->any_friction = x->any_friction || contact_of(x, i)->row >= 0;
  return true;
}

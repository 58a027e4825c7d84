// contact_states.c - friction of contacts at rest. Theory: docs/theory/contact.md, "At rest".
#include "analysis/statics/contact_states.h"

#include <math.h>
#include <string.h>

void lim_contacts_stick(lim_equations *e, lim_world_motion *body, const double *q) {
  lim_kinematics(body, e->s, q, NULL, NULL);
  for (int i = 0; i < e->inputs->contacts.count; i++) {
    const lim_contact_element *c = &e->inputs->contacts.item[i];
    lim_world_motion at[2];
    e->contact[i] = (lim_contact_state){.press = LIM_PRESS_AS_IT_MOVES};
    if (c->row < 0) continue;
    lim_contact_sites(at, c, e->s, body, q, NULL, NULL);
    e->contact[i].friction = LIM_CONTACT_STICKS;
    lim_contact_anchor(&e->contact[i], c, &at[0], &at[1], false);
  }
}

static double size_of(const lim_contact_element *c, const double x[2]) {
  return c->tangents > 1 ? hypot(x[0], x[1]) : fabs(x[0]);
}

// Held more than it can be: it slides, against what held it.
static bool gives_way(lim_equations *e, const lim_contact_element *c, lim_contact_state *x, double normal) {
  double *lambda = e->lambda + c->row;
  const double held = size_of(c, lambda);
  if (held <= (1 + 1e-9) * lim_contact_bound(c, normal)) return false;
  x->friction = LIM_CONTACT_SLIDES;
  for (int k = 0; k < c->tangents; k++) {
    x->direction[k] = -lambda[k] / held;
    lambda[k] = 0;
  }
  return true;
}

// Led back the way that it slid, rolling apart: it sticks where it was.
static bool comes_back(const lim_contact_element *c, lim_contact_state *x, const lim_world_motion at[2],
                       const double place[2]) {
  lim_contact_state held = *x;
  lim_row_state slid[2];
  double along = 0;
  held.friction = LIM_CONTACT_STICKS;
  lim_contact_rows(slid, c, &held, &at[0], &at[1]);
  for (int k = 0; k < c->tangents; k++) along += slid[k].value * x->direction[k];
  if (along >= -1e-12 * (1 + size_of(c, place))) return false;
  x->friction = LIM_CONTACT_STICKS;
  return true;
}

// Multipliers that are in proportion to what contacts can hold, as far as they may choose.
static void share(lim_contact_review *x, lim_equations *e, double t, const double *q, const double *zero) {
  lim_equations_rest(x->r, e, t, q, zero, zero);
  if (lim_equations_factor(e, q, (lim_step_matrix){.M = 1}, NULL) == LIM_OK)
    lim_shared_friction_spread(e, &x->shared, x->moment);
}

bool lim_contact_review_change(lim_contact_review *x, lim_equations *e, double t, const double *q,
                               const double *zero) {
  const lim_contact_elements *all = &e->inputs->contacts;
  bool changed = false;
  lim_kinematics(x->body, e->s, q, NULL, NULL);
  for (int i = 0; i < all->count; i++) {
    lim_world_motion at[2];
    lim_contact_sites(at, &all->item[i], e->s, x->body, q, NULL, NULL);
    x->moment[i] = lim_contact_evaluate(&all->item[i], &e->contact[i], &at[0], &at[1], NULL);
  }
  if (all->rows) share(x, e, t, q, zero);
  for (int i = 0; i < all->count; i++) {
    const lim_contact_element *c = &all->item[i];
    lim_contact_state *s = &e->contact[i];
    if (c->row < 0) continue;
    if (s->friction == LIM_CONTACT_STICKS && !x->moment[i].presses)
      memset(e->lambda + c->row, 0, (size_t)c->tangents * sizeof *e->lambda);
    else if (s->friction == LIM_CONTACT_STICKS)
      changed = gives_way(e, c, s, x->moment[i].normal) || changed;
    else {
      lim_world_motion at[2];
      lim_contact_sites(at, c, e->s, x->body, q, NULL, NULL);
      changed = comes_back(c, s, at, x->moment[i].place) || changed;
    }
  }
  return changed;
}

bool lim_contact_review_start(lim_contact_review *x, lim_arena *arena, const lim_equations *e) {
  x->moment = lim_arena_array(arena, (size_t)e->inputs->contacts.count, sizeof *x->moment);
  x->body = lim_arena_array(arena, (size_t)e->s->nbody, sizeof *x->body);
  x->r = lim_arena_array(arena, (size_t)e->s->n, sizeof *x->r);
  return x->moment && x->body && x->r && lim_shared_friction_start(&x->shared, arena, e);
}

const char *lim_contact_word(lim_contact_moment *out, const lim_equations *e, int contact,
                             const lim_world_motion *body, const double *q) {
  const lim_contact_element *c = &e->inputs->contacts.item[contact];
  lim_world_motion at[2];
  lim_contact_sites(at, c, e->s, body, q, NULL, NULL);
  *out = lim_contact_evaluate(c, &e->contact[contact], &at[0], &at[1], c->row < 0 ? NULL : e->lambda + c->row);
  if (!out->presses) return "apart";
  return e->contact[contact].friction == LIM_CONTACT_STICKS ? "sticks" : "slides";
}

// contact_states.h - contacts of an arm at rest: which stick where they stand in the configuration, and which
// give way. Theory: docs/theory/contact.md, "At rest".
#ifndef LIM_ANALYSIS_STATICS_CONTACT_STATES_H
#define LIM_ANALYSIS_STATICS_CONTACT_STATES_H

#include "integrate/shared_friction.h"

// Contacts with friction stick where they are at q, as far as they press; body (nbody) is scratch.
void lim_contacts_stick(lim_equations *e, lim_world_motion *body, const double *q);

// What a review needs beside the equations.
typedef struct {
  lim_shared_friction shared;
  lim_contact_moment *moment; // (contacts.count)
  lim_world_motion *body;     // (nbody)
  double *r;                  // (n)
} lim_contact_review;

// False: out of memory.
bool lim_contact_review_start(lim_contact_review *x, lim_arena *arena, const lim_equations *e);

// At an equilibrium q at t, with its multipliers: those that hold more than they can slide from then on, those
// that slide the wrong way stick. Whether any has changed. zero (n).
bool lim_contact_review_change(lim_contact_review *x, lim_equations *e, double t, const double *q,
                               const double *zero);

// How a contact stands at q: a word of the answer, and its moment.
const char *lim_contact_word(lim_contact_moment *out, const lim_equations *e, int contact,
                             const lim_world_motion *body, const double *q);

#endif

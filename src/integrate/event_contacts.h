// event_contacts.h - changes of what only presses: end stops that are hit and left, contacts that close, slide,
// stick and open. Inside events.c. Theory: docs/theory/contact.md.
#ifndef LIM_INTEGRATE_EVENT_CONTACTS_H
#define LIM_INTEGRATE_EVENT_CONTACTS_H

#include "integrate/shared_friction.h"
#include "integrate/state.h"

typedef struct {
  lim_state *f;
  int nstop;                  // joints with end stops
  int *stop;                  // their bodies                                        (nstop)
  int count;                  // contacts
  lim_contact_moment *moment; // of contacts, as last looked at                       (count)
  bool *crossed;              // its sliding turned round                            (count)
  bool any_friction;
  lim_shared_friction shared;
} lim_contact_events;

// All end stops and contacts. False: out of memory.
bool lim_contact_events_start(lim_contact_events *x, lim_arena *arena, lim_state *f);

// Whether there are any.
bool lim_contact_events_exist(const lim_contact_events *x);

// What presses, from depths and rates; contacts at rest stick, others slide.
void lim_contact_events_settle(lim_contact_events *x);

// The sticking contact that is asked too much most, by how much (relative, above 0); -1: none is. It slides
// from then on, where it was pushed to.
int lim_contact_events_worst(double *over, lim_contact_events *x);
void lim_contact_events_release(lim_contact_events *x, int contact);

// How far the worst is beyond its law, above 0: it changes.
double lim_contact_events_violation(lim_contact_events *x);

// What is left of the slip of contacts that turned round is taken by an impulse; its energy is booked.
lim_code lim_contact_events_stop(lim_contact_events *x, lim_error *err);

// Between steps: directions in which contacts slide, and anchors of those that stick, are those of now.
void lim_contact_events_follow(lim_contact_events *x);

#endif

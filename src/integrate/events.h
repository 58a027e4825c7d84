// events.h - friction that sticks and slides, gears that touch and part, stops and contacts that close and
// open: which, from when on. Theory: docs/theory/drives.md, docs/theory/contact.md.
#ifndef LIM_INTEGRATE_EVENTS_H
#define LIM_INTEGRATE_EVENTS_H

#include "integrate/state.h"

typedef struct lim_events lim_events;

// NULL where there is nothing of the kind, or memory is out (err says so).
lim_code lim_events_new(lim_events **out, lim_state *f, lim_error *err);
void lim_events_free(lim_events *x);

// At the start and after a jump of forces, before the integrator restarts: frictions at rest stick, or give way
// where more is asked of them than they can hold. x may be NULL.
lim_code lim_events_settle(lim_events *x, lim_error *err);

// Advance; where a friction comes to rest or gives way, or the flanks of a gear meet or part, a stop or contact
// closes or opens on the way, to that moment, and on from there.
lim_code lim_events_advance(lim_events *x, const lim_integrator *method, double to, lim_error *err);

#endif

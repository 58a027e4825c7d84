// event_rails.h - carriages that go from one segment of a rail to the next. Inside events.c. Theory:
// docs/theory/rails.md (12).
#ifndef LIM_INTEGRATE_EVENT_RAILS_H
#define LIM_INTEGRATE_EVENT_RAILS_H

#include "integrate/state.h"

// A carriage on a rail of several segments.
typedef struct {
  int body;
  const lim_site *spans; // of the whole rail   (nspan)
  int nspan;
  double low, high; // places of the segment on which it is held; beyond the ends of the rail there is no other
} lim_carriage;

typedef struct {
  lim_state *f;
  int count;
  lim_carriage *carriage; // (count)
  double *p, *x, *zero;   // (n each)
} lim_rail_events;

// All carriages on rails of several segments. False: out of memory.
bool lim_rail_events_start(lim_rail_events *x, lim_arena *arena, lim_state *f);

// Hold each on the segment where it stands.
void lim_rail_events_settle(lim_rail_events *x);

// How far the worst is beyond its segment, above 0: it goes over.
double lim_rail_events_violation(const lim_rail_events *x);

// Those beyond their segments go over to the next, with velocities that keep momentum and energy.
lim_code lim_rail_events_cross(lim_rail_events *x, lim_error *err);

#endif

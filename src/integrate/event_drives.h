// event_drives.h - changes in drives: friction that sticks and slides, gears that touch and part. Inside
// events.c. Theory: docs/theory/drives.md.
#ifndef LIM_INTEGRATE_EVENT_DRIVES_H
#define LIM_INTEGRATE_EVENT_DRIVES_H

#include "integrate/state.h"

// Friction on a coordinate.
typedef struct {
  int body, side, x;
} lim_rub;

// A gear with play, and the flank on which it touches: -1, +1, or 0 where it does not; whether its damper is
// held back there.
typedef struct {
  int body, flank;
  bool held;
} lim_play;

typedef struct {
  lim_state *f;
  int count, nplay;
  lim_rub *rub;   // (count)
  lim_play *play; // (nplay)
  double *speed;  // largest so far                     (count)
  bool *crossed;  // came to rest                       (count)
} lim_drive_events;

// Every friction that sticks and every gear with play. False: out of memory.
bool lim_drive_events_start(lim_drive_events *x, lim_arena *arena, lim_state *f);

// What rests sticks, what moves slides; flanks as they stand.
void lim_drive_events_settle(lim_drive_events *x);

// The stuck friction that is asked too much most, by how much (relative, above 0), where r are the missing
// forces; NULL: none is. It slides from then on.
const lim_rub *lim_drive_events_worst(double *over, const lim_drive_events *x, const double *r);
void lim_drive_events_release(lim_drive_events *x, const lim_rub *u);

// How far the worst is beyond its law, relative: one that slides backwards, one that holds too much; r: missing
// forces at the state.
double lim_drive_events_violation(lim_drive_events *x, const double *r);

// Speeds of what comes to rest or sticks are 0.
void lim_drive_events_stop(lim_drive_events *x);

#endif

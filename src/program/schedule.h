// schedule.h - moves one after the other, timed and turned into motions of the joints. Inside src/program only.
// Theory: docs/theory/programs.md.
#ifndef LIM_PROGRAM_SCHEDULE_H
#define LIM_PROGRAM_SCHEDULE_H

#include "path/follower.h"
#include "program/result.h"

// Limits of a move.
typedef struct {
  double joint, slide;    // of joints that turn and that slide [rad/s, m/s] or [rad/s^2, m/s^2]
  double linear, angular; // of the tool, in moves along lines and arcs [m/s, rad/s] or [m/s^2, rad/s^2]
} lim_pace;

// A move, as part of a path without a stop.
typedef struct {
  lim_pace speed, accel;
  bool tool;       // limits of the tool count
  int trace;       // its entry
  double duration; // how long it shall take; NaN: as short as it can be [s]
} lim_piece_of_path;

typedef struct {
  lim_model *m;
  const lim_program_setup *setup;
  lim_program_result *plan;
  lim_arm *s;      // rigid
  bool *commanded; // (nbody)
  bool *held;      // of these: stays where it is while the tool follows a way (nbody)
  lim_follower follower;
  double t;  // when all that was told is done [s]
  double *q; // where it ends (n)
  // the path under way, not yet timed
  lim_path path;
  LIM_LIST(lim_piece_of_path) piece;
  size_t piece_capacity;
  double blend, last; // how the corner at its end is rounded; length of its last move
  // shaping of what follows
  LIM_LIST(lim_shaping) shapes;
  // motions so far, of each body
  struct lim_lane *lane; // (nbody)
} lim_schedule;

lim_code lim_schedule_begin(lim_schedule *x, lim_model *m, const lim_program_setup *setup, lim_error *err);
void lim_schedule_end(lim_schedule *x);

// An entry of the trace at the present time; -1: out of memory.
int lim_schedule_note(lim_schedule *x, int line, const char *command, const char *text);

// Add a move along a path that begins at the end of what there is.
lim_code lim_schedule_add(lim_schedule *x, const lim_path *move, const lim_piece_of_path *piece, double blend,
                          lim_error *err);

// Come to a stop: time what is under way.
lim_code lim_schedule_stop(lim_schedule *x, lim_error *err);

// The motions, into the model.
lim_code lim_schedule_finish(lim_schedule *x, lim_error *err);

#endif

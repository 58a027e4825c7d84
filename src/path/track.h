// track.h - joints that bring frames to where their lines are: rows of positions and loops, solved one time
// after the other. Theory: docs/theory/motion.md (22)-(26).
#ifndef LIM_PATH_TRACK_H
#define LIM_PATH_TRACK_H

#include "arm/loop.h"
#include "math/damped_least_squares.h"
#include "motion/trajectory.h"

#define LIM_TRACK_SAME 1e-11 // gaps are closed to this share of the arm's size

// A frame and its lines.
typedef struct {
  const lim_motion *from;
  lim_site site;
  lim_trajectory *along; // s(t): line i from i to i + 1
} lim_guide;

// A state is positions, speeds and accelerations of the unknown joints (3 m).
typedef struct {
  lim_arena arena;
  lim_arm *s;
  lim_trajectory *const *motion; // of other joints (nbody), NULL where there are none
  int nguide;
  lim_guide *guide;         // (nguide)
  int naxis, axis[3];       // world directions that count
  int rows, m;              // rows of positions, then of loops; unknown joints
  int *index, *owner;       // coordinate and body of each unknown (m)
  double *q, *v, *a;        // (n)
  double *unit;             // (n), 0 between uses
  lim_world_motion *body;   // (nbody)
  lim_row_state *row, *aim; // what is, and what should be (rows)
  lim_least_squares solver; // J: d rate / d speed                       (m x rows)
  lim_least_squares speeds; // of the transposed problem                 (rows x m)
  double *b;                // right side (rows)
  double *y;                // scratch (3 m)
  double *spare;            // states for the caller
  int rank, max;            // of J, and the largest met
  double size, fastest;     // of the arm [m]; largest acceleration met
  double gap;               // largest of rows
} lim_tracker;

// The frames, then, once s->moved is known, the unknowns and all room, with this many spare states. It stands
// in the configuration. End it in any case.
lim_code lim_track_begin(lim_tracker *x, lim_arm *s, lim_error *err);
lim_code lim_track_allocate(lim_tracker *x, int spare, lim_error *err);
void lim_track_end(lim_tracker *x);

// What should be at t; joints that have a motion of their own go along.
void lim_track_aim(lim_tracker *x, double t, bool before);

// Unknown joints to those of a state.
void lim_track_put(lim_tracker *x, const double *y);

// Rows as they are, and the largest gap.
void lim_track_gap(lim_tracker *x);

// Bring the rows to where they should be, from the q that there is, until rounding. False: they do not get
// there.
bool lim_track_reach(lim_tracker *x);

// The same from farther away. A stretched arm has no branch, and the first steps cannot bend it: then it begins
// a little beside it.
bool lim_track_reach_anyhow(lim_tracker *x);

// The state at the q that was reached.
void lim_track_state(lim_tracker *x, double *y);

// The state at t1 from that at t0. False: it cannot be reached, or is singular.
bool lim_track_step(lim_tracker *x, double *y1, double t1, const double *y0, double t0);

// Columns J at q; and solver.step := the x of least norm among those with the least |J x - b|^2.
void lim_track_columns(lim_tracker *x);
void lim_track_solve(lim_tracker *x);

#endif

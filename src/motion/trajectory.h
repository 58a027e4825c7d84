// trajectory.h - a value in time: what the profiles of a signal become, ready to be evaluated.
// Theory: docs/theory/motion.md.
//
// A trajectory is a motion (the position of a joint) or a value (an effort, a torque, a factor). It keeps no
// pointer to the model it was made from.
#ifndef LIM_MOTION_TRAJECTORY_H
#define LIM_MOTION_TRAJECTORY_H

#include "model/model.h"
#include "motion/arc.h"

// A time at which a trajectory is not smooth. Efforts of a motion jump where the order is 2; orders 0 and 1 of
// a motion are jumps of position and velocity, which only a reference can have, not a joint.
typedef struct {
  double time; // [s]
  int order;   // the lowest derivative that jumps: 0 value, 1 rate, 2 second, 3 third
} lim_break;

// Plain data, constant once built, shareable between threads.
struct lim_trajectory {
  int narc, nbreak;
  lim_arc *arc;      // times ascend; each holds until the next, the first also before its time   (narc)
  lim_break *breaks; // times rise                                                               (nbreak)
  double end;        // nothing changes after it [s]; INFINITY: never; 0: it is always constant
};

// What a motion is of: tables may name other units.
typedef enum { LIM_TRAJECTORY_ANY, LIM_TRAJECTORY_TURNS, LIM_TRAJECTORY_SLIDES } lim_trajectory_kind;

typedef struct {
  bool motion;              // a motion; else a value
  double start;             // where the joint stands: the default of `from`; 0 for a value
  const char *directory;    // of the model file, to which tables are relative; NULL: the working directory
  lim_trajectory_kind kind; // of a motion
  double horizon;           // [s] how far the steps of an endless motion are worked out; used by steppers only
} lim_trajectory_setup;

// Compile the profiles of a signal, with their shaping. Without profiles it is `start` for ever. The profiles
// of the motion of a frame run from 0 to 1 along the first line, from 1 to 2 along the second, and so on (with
// start 0). On success the caller owns *out; on failure *out is NULL and err says what and where.
lim_code lim_trajectory_new(lim_trajectory **out, const lim_signal *signal, const lim_trajectory_setup *setup,
                            lim_error *err);
void lim_trajectory_free(lim_trajectory *c);

// Another one like it.
lim_code lim_trajectory_copy(lim_trajectory **out, const lim_trajectory *c, lim_error *err);

// A motion through samples, with a quintic between any two; a repeated time is a jump. The first and the last
// are held. `breaks` says where it is not smooth: what the samples leave of higher derivatives is not looked
// at.
typedef struct {
  int n, nbreak;
  const double *t;         // not falling  (n)
  const lim_sample *x;     // (n)
  const lim_break *breaks; // times rise  (nbreak)
} lim_samples;
lim_code lim_trajectory_through(lim_trajectory **out, const lim_samples *from, lim_error *err);

// The trajectory at any finite t. At a break: what holds from there on. Never allocates.
lim_sample lim_trajectory_at(const lim_trajectory *c, double t);

// The same, but at a break: what holds until there.
lim_sample lim_trajectory_before(const lim_trajectory *c, double t);

// The value alone; before: at a break, the one that holds until there.
double lim_trajectory_value(const lim_trajectory *c, double t, bool before);

#endif

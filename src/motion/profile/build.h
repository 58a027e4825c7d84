// build.h - how profiles lay down the arcs of a trajectory, one after the other.
// Theory: docs/theory/motion.md.
//
// A profile is one file and one row of kinds.def. Its function begins at b->time with b->value and b->rate,
// puts its arcs down and ends with lim_build_hold, or with an arc that never ends.
#ifndef LIM_MOTION_PROFILE_BUILD_H
#define LIM_MOTION_PROFILE_BUILD_H

#include "model/check/resolve.h"
#include "model/kinds.h"
#include "model/profile.h"
#include "motion/trajectory.h"

#define LIM_PI 3.14159265358979323846

typedef struct lim_builder {
  const lim_trajectory_setup *setup;
  lim_error *err;
  lim_code code;            // once not LIM_OK, nothing is put down any more
  const lim_profile *at;    // the profile being laid down
  bool first;               // it is the first of its signal, so it also says what was before
  bool endless;             // what stands so far never ends
  double begun;             // when the profile began [s]
  double time, value, rate; // where the next arc begins
  int count;
  size_t capacity;
  lim_arc *arc; // arc[0] is what was before everything   (count)
} lim_builder;

#define ROW(kind) extern const lim_profile_kind lim_profile_##kind;
#include "motion/profile/kinds.def"
#undef ROW

// Keys of strokes.
#define LIM_TAKEN_BY_STROKE "from to duration line"

// Lay down all profiles of a signal.
void lim_build_signal(lim_builder *b, const lim_signal *signal);

// Shape a trajectory as the profiles of its signal say; on failure it is freed and *trajectory NULL.
lim_code lim_build_shapes(lim_trajectory **trajectory, const lim_signal *signal, lim_error *err);

// A message at a key of the profile (NULL, or not given: at the profile).
void lim_build_error(lim_builder *b, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// The profile starts at this value: a joint waits there if nothing came before.
void lim_build_wait(lim_builder *b, double value);

// Put an arc down at b->time, in place of one that begins there too. The builder's time and value stay.
void lim_build_put(lim_builder *b, lim_arc arc);

// Put an arc of length T down and go to its end. T = 0: nothing; T = INFINITY: it is endless.
void lim_build_arc(lim_builder *b, lim_arc arc, double T);

// From the value and rate reached: acceleration a + j tau, for the time T.
void lim_build_push(lim_builder *b, double T, double a, double j);

// Stay at a value from here on.
void lim_build_hold(lim_builder *b, double value);

// From one value to another in the time T.
typedef struct {
  double from, to, T;
} lim_stroke;

// The profile's stroke; its beginning is waited at. `reach` is to - from where `to` is not given (NaN: it must
// be). False after an error.
bool lim_build_stroke(lim_stroke *s, lim_builder *b, const lim_profile *p, double reach);

// From a value, rate and second derivative to those of the end, in the time h.
lim_arc lim_arc_between(lim_sample from, lim_sample to, double h);

// c += D Q(u0 + tau/T), Q(u) = 10 u^3 - 15 u^4 + 6 u^5
void lim_quintic_add(double c[LIM_ARC_TERMS], double u0, double D, double T);

// Points (t, y), t rising from the profile's start: row[0], row[1] and so on every `stride` numbers.
// First comes the wait at the first value, then the clamped cubic spline, then the hold at the last.
void lim_build_spline(lim_builder *b, const double *row, int n, int stride);

// Wait at the value with which a profile with its own times begins, and go to the first of them.
void lim_build_reach(lim_builder *b, double t, double value);

#endif

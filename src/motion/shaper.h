// shaper.h - input shaping: a motion told in several parts, so timed that a mode does not go on swinging.
// Theory: docs/theory/programs.md (9)-(13).
#ifndef LIM_MOTION_SHAPER_H
#define LIM_MOTION_SHAPER_H

#include "motion/trajectory.h"

// A mode against which is shaped.
typedef struct {
  double frequency; // natural, undamped [Hz]
  double damping;   // ratio to critical, below 1
} lim_shaped_mode;

enum { LIM_SHAPER_IMPULSES = 243 };

// Shares of the motion, and when each begins.
typedef struct {
  int n;
  double time[LIM_SHAPER_IMPULSES], share[LIM_SHAPER_IMPULSES]; // [s]; the shares add up to 1
} lim_shaper;

// type: lim_shaping_kind; tolerance: of EI, what may be left of the vibration at the frequency itself. For
// several modes the shapers of each follow one another. Fails (LIM_BAD_INPUT) for too many.
lim_code lim_shaper_make(lim_shaper *out, int type, const lim_shaped_mode *mode, int count, double tolerance,
                         lim_error *err);

// s := every impulse of s followed by all of `next`.
lim_code lim_shaper_convolve(lim_shaper *s, const lim_shaper *next, lim_error *err);

// What is left of the vibration of a mode, as a share of that without shaping.   (13)
double lim_shaper_residue(const lim_shaper *s, lim_shaped_mode mode);

// The trajectory told through a shaper. On success the caller owns *out.
lim_code lim_trajectory_shaped(lim_trajectory **out, const lim_trajectory *c, const lim_shaper *s,
                               lim_error *err);

#endif

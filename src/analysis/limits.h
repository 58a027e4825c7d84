// limits.h - joints beyond the limits that the model gives them: what a run saw, what a model asks for.
#ifndef LIM_ANALYSIS_LIMITS_H
#define LIM_ANALYSIS_LIMITS_H

#include "drive/inputs.h"

typedef enum { LIM_LIMIT_LOW, LIM_LIMIT_HIGH, LIM_LIMIT_SPEED, LIM_LIMIT_EFFORT, LIM_LIMITS } lim_limit;

// How a joint exceeds one of its limits.
typedef struct {
  bool exceeded;
  double first; // when it first does [s]
  double worst; // the value farthest beyond it
} lim_excess;

// Take a value of a link's joint at t into account. excess: of all limits of all links  (links.count x
// LIM_LIMITS)
void lim_limits_see(lim_excess *excess, const lim_model *m, int link, lim_limit which, double value, double t);

// The same of position and speed.
// Bounds of a link's joint, from above of what grows towards them; and whether a motion is within them, which
// makes the next call idle.
void lim_limits_bounds(double bound[LIM_LIMIT_EFFORT], const lim_link *link);
bool lim_limits_hold(const double bound[LIM_LIMIT_EFFORT], double position, double speed);
void lim_limits_see_motion(lim_excess *excess, const lim_model *m, int link, double position, double speed,
                           double t);

// A warning for each limit that is exceeded.
void lim_limits_warn(lim_error *err, const lim_excess *excess, const lim_model *m);

// The speed that the configuration gives a prescribed joint is that with which its motion begins (without a
// motion it is held). Only modes of a steady spin take another; runs fail, checks warn.
lim_code lim_limits_speeds(const lim_inputs *inputs, bool fail, lim_error *err);

// Configuration and motions against the limits, until the end of the run (of the motions, where it has none).
// Reads all tables of the model. Warns of carriages on flexible links too. Arms that cannot be simulated are
// not looked at.
lim_code lim_limits_check(const lim_model *m, const char *directory, lim_error *err);

#endif

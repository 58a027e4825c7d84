// stop.h - end stops of a joint: a spring and damper beyond each position limit, which press and never pull.
// Theory: docs/theory/contact.md (8).
#ifndef LIM_DRIVE_STOP_H
#define LIM_DRIVE_STOP_H

#include "arm/contact.h"

enum { LIM_LOWER_STOP, LIM_UPPER_STOP, LIM_STOPS };

typedef struct {
  double limit[LIM_STOPS];   // [m], [rad]
  double stiffness, damping; // stiffness 0: there are none
} lim_end_stops;

// One of them in a moment.
typedef struct {
  double depth, rate; // beyond its limit
  double force;       // on the joint's coordinate
  double size;        // of that: what presses, at least 0 but within a step
  double k, d;        // minus its derivatives by position and speed
  double energy;      // [J]
  double dissipated;  // [W]
  double force_depth; // depth + damping/stiffness x rate, of the sign of the force
} lim_stop_moment;

// Of the joint at q with the speed v.
lim_stop_moment lim_stop_evaluate(const lim_end_stops *s, int which, lim_press press, double q, double v);

#endif

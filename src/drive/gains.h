// gains.h - gains that controllers use, given or designed, for answers. Theory: docs/theory/control.md.
#ifndef LIM_DRIVE_GAINS_H
#define LIM_DRIVE_GAINS_H

#include "base/json.h"
#include "drive/inputs.h"
#include "model/words.h"

typedef struct {
  const char *joint;   // the model's
  char from[LIM_WORD]; // "given", or which inertia goes with the bandwidth: "initial", "maximum", "scheduled"
  double kp, kv, ki;   // scheduled: for the inertia at the start
  double inertia;      // at the motor [kg m^2]; NaN: gains are given
} lim_gain_used;

typedef struct {
  int count;
  lim_gain_used *item; // free it
} lim_gains_used;

// Of all motors with a controller that has gains; needs designed ones. False: out of memory.
bool lim_gains_list(lim_gains_used *out, const lim_inputs *inputs);

void lim_gains_json(lim_json *j, const lim_gains_used *g); // "gains": {joint: {kp, kv, ki, inertia, from}}

#endif

// sight.h - what controllers measure of the arm: joints, motors, frames, strains. Theory:
// docs/theory/control.md.
#ifndef LIM_SYSTEM_SIGHT_H
#define LIM_SYSTEM_SIGHT_H

#include "control/network.h"
#include "system/kinematics.h"

// One measured signal.
typedef struct {
  const lim_source *from;
  int body;      // of the joint, or with the gauge
  lim_site site; // frame
  double *row;   // strain per coordinate of the body's deformation (its body->n); NULL: rigid, strain 0
} lim_sight;

// Memory from the arena.
lim_code lim_sight_start(lim_sight *x, lim_arena *arena, lim_system *s, const lim_source *from, lim_error *err);

// Strain from the deformation alone: accelerations have no part in it, so that it may be fed back.
double lim_sight_strain(const lim_sight *x, const lim_system *s, const double *q);

#endif

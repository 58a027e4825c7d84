// sensor.h - what controllers measure of the arm: joints, motors, frames, strains. Theory:
// docs/theory/control.md.
#ifndef LIM_DRIVE_SENSOR_H
#define LIM_DRIVE_SENSOR_H

#include "arm/kinematics.h"
#include "control/network.h"

// One measured signal.
typedef struct {
  const lim_source *from;
  int body;      // of the joint, or with the gauge
  lim_site site; // frame
  double *row;   // strain per coordinate of the body's deformation (its body->n); NULL: rigid, strain 0
  int element;   // of the body's mesh, with the gauge
  double *G; // what bending adds to the stretch of the element: u'G u/2; NULL: stretch is a coordinate (144)
  double per_stretch; // strain by the stretch of the element [1/m]
} lim_sensor;

// Memory from the arena.
lim_code lim_sensor_start(lim_sensor *x, lim_arena *arena, lim_arm *s, const lim_source *from, lim_error *err);

// Strain from the deformation alone: accelerations have no part in it, so that it may be fed back.
double lim_sensor_strain(const lim_sensor *x, const lim_arm *s, const double *q);

#endif

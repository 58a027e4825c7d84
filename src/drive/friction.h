// friction.h - the laws of friction on one coordinate: Coulomb, set-valued at rest, and LuGre.
// Theory: docs/theory/drives.md.
#ifndef LIM_DRIVE_FRICTION_H
#define LIM_DRIVE_FRICTION_H

#include <stdbool.h>

// Friction on one side of the gear, in units of the joint ([N], [N m]; speeds [m/s], [rad/s]).
//   level(v) = coulomb + (stiction - coulomb) exp(-(v/stribeck)^2) + share |load|
typedef struct {
  double viscous, coulomb, stiction;
  double share;                              // load-dependent part of coulomb and stiction: share x |load|
  double stribeck;                           // 0: the level falls from stiction to coulomb at once
  bool bristles;                             // LuGre; else Coulomb, which truly sticks
  double bristle_stiffness, bristle_damping; // LuGre
} lim_friction_law;

typedef struct {
  double force;   // on the coordinate, viscous friction included
  double d;       // -d force / d speed, at least 0
  double level;   // of sliding friction at this speed and load
  double energy;  // in the bristles
  double rate;    // of the bristles
  double rubbed;  // dissipated by what depends on the level [W]
  double viscous; // dissipated by viscous friction [W]
} lim_friction_answer;

// Whether there is any.
bool lim_friction_acts(const lim_friction_law *f);

// Whether it is set-valued at rest: the coordinate sticks, and the equations find the force.
bool lim_friction_sticks(const lim_friction_law *f);

// Bound of the force that holds a resting coordinate (stuck), or size of the force while it slides at speed v.
double lim_friction_level(const lim_friction_law *f, double v, double load, bool stuck);

// The force at speed v. slip: direction in which a Coulomb law slides, -1 or +1; 0: stuck, only its viscous
// part is here. z: bristles (LuGre). h: the step over which z was advanced with this speed, so that d knows of
// it; 0: z is fixed.
void lim_friction_evaluate(lim_friction_answer *a, const lim_friction_law *f, double v, double load, int slip,
                           double z, double h);

// dz/dt = v - bristle_stiffness |v| z / level(v); 0 without bristles.
double lim_friction_rate(const lim_friction_law *f, double v, double load, double z);

// z after a step h by the trapezoidal rule: z and its rate at the start, speed and load at the end.
double lim_friction_step(const lim_friction_law *f, double z, double rate, double h, double v, double load);

#endif

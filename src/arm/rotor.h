// rotor.h - motors as parts of the arm: masses on their carriers, rotors. Inside src/arm only.
// Theory: docs/theory/motors.md.
#ifndef LIM_ARM_ROTOR_H
#define LIM_ARM_ROTOR_H

#include "arm/tree.h"

// Whether a drive (or NULL) has a gear that parts motor and joint.
bool lim_motor_yields(const lim_drive *d);

// s->model: the model with the masses of its motors, stators included, among those of the links that carry
// them.
lim_code lim_motor_masses(lim_arm *s, const lim_model *model, lim_error *err);

// s->rotor, once the bodies are there.
lim_code lim_motor_rotors(lim_arm *s, lim_error *err);

#endif

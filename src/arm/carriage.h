// carriage.h - joints that slide along a flexible link, which carries them where they are attached to it.
#ifndef LIM_ARM_CARRIAGE_H
#define LIM_ARM_CARRIAGE_H

#include "model/model.h"

// A warning for each prismatic joint whose axis runs along the flexible beam that carries it, where it may
// stand on that beam: weight and inertia of what it moves act where it is attached.
lim_code lim_carriage_warn(lim_error *err, const lim_model *m);

#endif

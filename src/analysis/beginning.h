// beginning.h - what is pressed already when a motion begins.
#ifndef LIM_ANALYSIS_BEGINNING_H
#define LIM_ANALYSIS_BEGINNING_H

#include "drive/inputs.h"

// Warns of contacts whose spheres begin inside their planes, and of joints that begin beyond their end stops,
// at q: they are pushed out at once. Allocates.
lim_code lim_beginning_warn(lim_error *err, const lim_inputs *inputs, const double *q);

#endif

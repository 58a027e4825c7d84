// bent.h - links that start bent as a force at their tip would bend them. Theory: docs/theory/simulation.md.
#ifndef LIM_ANALYSIS_SIMULATION_BENT_H
#define LIM_ANALYSIS_SIMULATION_BENT_H

#include "arm/loop.h"

// Put the deformations of the model's configuration, and their rates, into q and v (n). shorten: with what
// bending shortens in a full basis. Then the loops are closed by the joints that follow from the others.
lim_code lim_bent_start(double *q, double *v, const lim_arm *s, bool shorten, lim_error *err);

#endif

// stable_step.h - a step with which the explicit method of generated code is stable.
#ifndef LIM_EXPORT_CODE_STABLE_STEP_H
#define LIM_EXPORT_CODE_STABLE_STEP_H

#include "export/code/generate.h"

// Shorten g->step, with a warning, where the code would be unstable with it. directory: of the model file, for
// tables.
lim_code lim_generated_stabilise(lim_generated *g, const char *directory, lim_error *err);

#endif

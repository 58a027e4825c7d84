// planning.h - what must be worked out before an analysis can begin: robot programs, and the modes against
// which motions are shaped. Theory: docs/theory/programs.md.
#ifndef LIM_ANALYSIS_PLANNING_H
#define LIM_ANALYSIS_PLANNING_H

#include "model/model.h"

// Run the program of a model, and put frequencies in the place of modes in the shaping of motions. Nothing is
// done twice. directory: of the model file; NULL: the working directory.
lim_code lim_plan_model(lim_model *m, const char *directory, lim_error *err);

// The same of a model that may not be changed: *plan is the model itself where nothing is to be worked out,
// else `copy`, which needs lim_plan_end in any case.
lim_code lim_plan_copy(const lim_model **plan, lim_model *copy, const lim_model *m, const char *directory,
                       lim_error *err);
void lim_plan_end(lim_model *copy);

#endif

// prepare.h - what must be worked out before an analysis can begin: robot programs, and the modes against
// which motions are shaped. It is done once, where a model comes in (src/api); analyses take models that are
// prepared, and refuse others. Theory: docs/theory/programs.md.
#ifndef LIM_ANALYSIS_PREPARE_H
#define LIM_ANALYSIS_PREPARE_H

#include "model/model.h"

// Run the program of a model, and put frequencies in the place of modes in the shaping of motions. Nothing is
// done twice. directory: of the model file; NULL: the working directory.
lim_code lim_prepare_model(lim_model *m, const char *directory, lim_error *err);

// The same of a model that may not be changed, into a copy, which needs lim_prepare_end in any case. The model
// must outlive it.
lim_code lim_prepare_copy(lim_model *copy, const lim_model *m, const char *directory, lim_error *err);
void lim_prepare_end(lim_model *copy);

#endif

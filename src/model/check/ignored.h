// ignored.h - what a model says and nothing reads: warnings.
#ifndef LIM_MODEL_CHECK_IGNORED_H
#define LIM_MODEL_CHECK_IGNORED_H

#include "model/model.h"

// Warn of everything in a model that was read without error.
void lim_ignored(const lim_model *m, lim_error *err);

#endif

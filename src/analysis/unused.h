// unused.h - entries of the solver that a run does not use.
#ifndef LIM_ANALYSIS_UNUSED_H
#define LIM_ANALYSIS_UNUSED_H

#include "model/model.h"

// A warning for each key that is written under solver and means nothing for its method and mode. (Keys of one
// method alone are refused with others by the schema.)
void lim_warn_of_unused(lim_error *err, const lim_model *m);

// And for `geometry`, which is of static alone: after a simulation.
void lim_warn_of_unused_geometry(lim_error *err, const lim_model *m);

// And for `release`, which is of equilibria alone.
void lim_warn_of_unused_release(lim_error *err, const lim_model *m);

// The same of the step, where a method with steps of its own does not look for events.
void lim_warn_of_unused_step(lim_error *err, const lim_model *m);

#endif

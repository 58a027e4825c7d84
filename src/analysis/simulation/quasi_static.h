// quasi_static.h - the shape that balances the rigid motion, without elastic velocity and acceleration.
#ifndef LIM_ANALYSIS_SIMULATION_QUASI_STATIC_H
#define LIM_ANALYSIS_SIMULATION_QUASI_STATIC_H

#include "integrate/state.h"

// Find the deviation q of a flow about a rigid motion at its present time; v and a are 0.
lim_code lim_quasi_static(lim_state *f, lim_side side, lim_error *err);

#endif

// design.h - gains of controllers that are given by bandwidth and damping. Inside src/analysis.
// Theory: docs/theory/drives.md, docs/theory/inertia.md.
#ifndef LIM_ANALYSIS_DESIGN_H
#define LIM_ANALYSIS_DESIGN_H

#include "system/equations.h"

// With the effective inertia in the configuration at t = 0, links undeformed.
lim_code lim_design_gains(lim_actuation *act, const lim_equations *e, lim_error *err);

#endif

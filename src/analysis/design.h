// design.h - gains of controllers that are given by bandwidth and damping. Inside src/analysis.
// Theory: docs/theory/drives.md, docs/theory/inertia.md.
#ifndef LIM_ANALYSIS_DESIGN_H
#define LIM_ANALYSIS_DESIGN_H

#include "system/equations.h"

// With the effective inertia, links undeformed: in the configuration at t = 0, its maximum over the commanded
// motion, or as it changes along it (gains of each controller).
lim_code lim_design_gains(lim_actuation *act, lim_equations *e, lim_error *err);

// Put commanded joints and their motors where they are told to be at t; loops are closed. scratch (2 n).
lim_code lim_design_place(double *q, lim_equations *e, double t, double *scratch, lim_error *err);

#endif

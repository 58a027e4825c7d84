// gain_design.h - gains of controllers that are given by bandwidth and damping.
// Theory: docs/theory/drives.md, docs/theory/inertia.md.
#ifndef LIM_ANALYSIS_GAIN_DESIGN_H
#define LIM_ANALYSIS_GAIN_DESIGN_H

#include "integrate/equations.h"

// With the effective inertia, links undeformed: in the configuration at t = 0, its maximum over the commanded
// motion, or as it changes along it (gains of each controller). What the model knows of it is taken from there.
lim_code lim_gain_design(lim_inputs *inputs, lim_equations *e, lim_error *err);

// Let a model know the inertias for which its controllers are designed, so that analyses need not find them
// anew. Memory is of its arena. directory: of the model file. On failure the model is as before.
lim_code lim_gain_design_model(lim_model *m, const char *directory, lim_error *err);

// Put commanded joints and their motors where they are told to be at t; loops are closed. scratch (2 n).
lim_code lim_gain_design_place(double *q, lim_equations *e, double t, double *scratch, lim_error *err);

#endif

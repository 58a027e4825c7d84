// warnings.h - what analyses say about the numbers they give.
#ifndef LIM_ANALYSIS_WARNINGS_H
#define LIM_ANALYSIS_WARNINGS_H

#include "analysis/simulation/simulate.h"
#include "analysis/statics/static.h"

// Of a run that did not fail, and of links at rest.
void lim_warn_of_run(lim_error *err, const lim_run *run, const lim_model *m);
void lim_warn_of_static(lim_error *err, const lim_static *s);

// Of links whose geometric stiffness is not known, in an arm at rest or in steady motion.
lim_code lim_warn_of_stiffening(lim_error *err, const lim_rest *a);

// Of links that are bent in an equilibrium q: as of links at rest, once per link.
lim_code lim_warn_of_turns(lim_error *err, double time, const lim_arm *s, const double *q);

#endif

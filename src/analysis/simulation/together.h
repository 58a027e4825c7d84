// together.h - whether the arm of a run still holds together, at the end of a step.
#ifndef LIM_ANALYSIS_SIMULATION_TOGETHER_H
#define LIM_ANALYSIS_SIMULATION_TOGETHER_H

#include "analysis/simulation/session.h"

// Loops and couplings: rows that follow from others may be contradicted by motions that are given.
lim_code lim_together_rows(const lim_session *r, lim_error *err);

// Beams that slide stay in their guides, what runs on rails stays on them.
lim_code lim_together_ranges(const lim_session *r, lim_error *err);

#endif

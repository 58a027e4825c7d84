// repeated.h - modes of one frequency. Theory: docs/theory/modes.md.
#ifndef LIM_ANALYSIS_VIBRATION_REPEATED_H
#define LIM_ANALYSIS_VIBRATION_REPEATED_H

#include "analysis/vibration/vibration.h"

// Where frequencies repeat, as of a symmetric arm, any combination of their modes is a mode: take the one that
// moves one coordinate most, and after it those that leave this coordinate at rest. z (N x n) with lambda
// ascending (n).
lim_code lim_repeated_modes(double *z, lim_vibration *x, const double *lambda, int n, lim_error *err);

#endif

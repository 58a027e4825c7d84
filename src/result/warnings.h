// warnings.h - what a run says about the numbers it gives.
#ifndef LIM_RESULT_WARNINGS_H
#define LIM_RESULT_WARNINGS_H

#include "analysis/simulate.h"
#include "analysis/static.h"

enum { LIM_WARNINGS = 4, LIM_WARNING_LENGTH = 320 };

// Texts without "warning:", each one sentence; returns how many there are.
int lim_run_warnings(char text[LIM_WARNINGS][LIM_WARNING_LENGTH], const lim_run *run, const lim_model *m);

// Of a link at rest; false: there is none.
bool lim_static_warning(char text[LIM_WARNING_LENGTH], const lim_static_link *link);

#endif

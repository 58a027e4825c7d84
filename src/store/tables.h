// tables.h - numbers of a result as tables for the report: a JSON list of {title, head, rows of texts}. Inside
// src/store only. Layout: viewer/README.md ("tables").
#ifndef LIM_STORE_TABLES_H
#define LIM_STORE_TABLES_H

#include "analysis/statics/static.h"
#include "analysis/vibration/modes.h"
#include "base/text.h"
#include "channel/channels.h"
#include "program/result.h"
#include "signal/settling.h"
#include "signal/summary.h"

// With the residual vibration where there is one, and the trace of a program (or NULL).
void lim_tables_of_run(lim_text *out, const lim_channels *c, const lim_summary *s, const lim_residual *x,
                       const lim_program_result *plan);
void lim_tables_of_static(lim_text *out, const lim_static *s);
void lim_tables_of_modes(lim_text *out, const lim_modes *m);

#endif

// trace.h - what a robot program did, in the files of a result: its commands and what it printed. Layout:
// docs/reference/channels.md.
#ifndef LIM_STORE_TRACE_H
#define LIM_STORE_TRACE_H

#include "base/hdf5/h5.h"
#include "base/json.h"
#include "program/result.h"

// The entry "program" of an object that is open; nothing without a plan.
void lim_trace_json(lim_json *j, const lim_program_result *p);

// The group "program" of a result; true without a plan.
bool lim_trace_write(lim_h5 file, const lim_program_result *p);

#endif

// still.h - the folder of a result without time: result.h5 and summary.json of static and modes. Layout:
// docs/reference/channels.md.
#ifndef LIM_RESULT_STILL_H
#define LIM_RESULT_STILL_H

#include "analysis/modes.h"
#include "analysis/static.h"
#include "result/recorder.h"

// Write into setup->directory, which is made if missing. summary: the answer of --json.
lim_code lim_still_write_static(const lim_recorder_setup *setup, const lim_static *s, const char *summary,
                                lim_error *err);
lim_code lim_still_write_modes(const lim_recorder_setup *setup, const lim_modes *m, const char *summary,
                               lim_error *err);

#endif

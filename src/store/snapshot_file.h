// snapshot_file.h - the folder of a result without time: result.h5 and summary.json of static and modes.
// Layout: docs/reference/channels.md.
#ifndef LIM_STORE_SNAPSHOT_FILE_H
#define LIM_STORE_SNAPSHOT_FILE_H

#include "analysis/statics/static.h"
#include "analysis/vibration/modes.h"
#include "store/recorder.h"

// Write into setup->directory, which is made if missing. summary: the answer of --json.
lim_code lim_snapshot_file_write_static(const lim_recorder_setup *setup, const lim_static *s,
                                        const char *summary, lim_error *err);
lim_code lim_snapshot_file_write_modes(const lim_recorder_setup *setup, const lim_modes *m, const char *summary,
                                       lim_error *err);

#endif

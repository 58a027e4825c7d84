// describe.h - words for a result: groups of channels, settings and outcome, labels of several results. Inside
// src/report only.
#ifndef LIM_REPORT_DESCRIBE_H
#define LIM_REPORT_DESCRIBE_H

#include "base/json.h"
#include "store/reading.h"

// The group of the plots that a channel belongs to, by its name. viewer/README.md lists them.
const char *lim_channel_group(const char *name);

// "done", "failed", "interrupted", or "unfinished": its program was killed.
const char *lim_result_status(lim_reading *r);

// Settings and outcome: a list of pairs of texts.
void lim_result_about(lim_json *j, lim_reading *r);

// One label per result, all different: modes or kinds where these differ, else the names of the folders.
// Memory from the arena; false: it is out. label (count)
bool lim_result_labels(const char **label, lim_reading *const *r, int count, lim_arena *arena);

#endif

// table.h - numbers for figures: the channels of a result, or a CSV file whose first row says `name [unit]`.
#ifndef LIM_REPORT_TABLE_H
#define LIM_REPORT_TABLE_H

#include "store/reading.h"

typedef struct {
  lim_arena arena;
  const char *path;  // as it was given; the caller's
  const char *label; // the last part of the path that tells results apart
  const char *kind;  // of result; NULL: a simulation, or a CSV file
  lim_reading *reading;
  long rows;
  int count;
  lim_reading_channel *column; // the first is the time of a result           (count)
} lim_result_table;

// path: a folder or file of a result, or *.csv. Close it also after a failure.
lim_code lim_table_open(lim_result_table *t, const char *path, lim_error *err);
void lim_table_close(lim_result_table *t);

// Whether a name selects a column: it is its name, or ends before a dot of it.
bool lim_table_selects(const char *name, const char *column);

// The column of that name; -1: none.
int lim_table_find(const lim_result_table *t, const char *name);

#endif

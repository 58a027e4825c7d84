// table_report.h - what was read from the tables of a model, so that nobody has to guess.
#ifndef LIM_MOTION_TABLE_REPORT_H
#define LIM_MOTION_TABLE_REPORT_H

#include "motion/csv.h"

typedef struct {
  const char *file; // as the model names it
  const char *use;  // the entry that names it: "motion 'elbow'"
  int rows, columns;
  double from, to;         // of the first column: time, or what a law is over
  double low, high;        // of the second, SI
  char unit[LIM_CSV_UNIT]; // of the second, as the header names it; "": it names none
} lim_table_report;

typedef struct {
  int count;
  lim_table_report *item; // (count)
} lim_table_reports;

// All tables of a model, once more. End with free(item).
lim_code lim_table_reports_new(lim_table_reports *out, const lim_model *m, const char *directory,
                               lim_error *err);

#endif

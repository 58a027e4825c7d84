// csv.h - tables of numbers from text files.
//
// Cells are separated by commas, else semicolons, else blanks. What follows a # is a comment, empty lines do
// not count. The first line may be a header; a unit in brackets there, as in "t [ms], position [deg]", converts
// its column to SI. Every row has as many cells as the first; NaN and infinite numbers are refused.
#ifndef LIM_MOTION_CSV_H
#define LIM_MOTION_CSV_H

#include "base/text.h"
#include "base/units/units.h"
#include "model/model.h"

enum { LIM_CSV_COLUMNS = 16, LIM_CSV_ROWS = 1 << 24, LIM_CSV_UNIT = 16 };

typedef struct {
  int rows, columns;
  double *value;                            // row by row   (rows x columns)
  int *line;                                // of the file  (rows)
  char unit[LIM_CSV_COLUMNS][LIM_CSV_UNIT]; // as the header names it; "": it names none
  lim_unit read[LIM_CSV_COLUMNS];           // what it means
} lim_csv;

// Read a file; at least one row. On success the caller owns *out; on failure *out is empty and err names the
// lines.
lim_code lim_csv_read(lim_csv *out, const char *path, lim_error *err);

// The same of a table that an entry of the model names by a key; `directory`: of the model file, to which it is
// relative, or NULL. A file that cannot be read is named at its place in the model. path: where it is; the
// caller frees it.
lim_code lim_csv_of(lim_csv *out, lim_text *path, const lim_head *head, const char *key, const char *file,
                    const char *directory, lim_error *err);
void lim_csv_free(lim_csv *t);

#endif

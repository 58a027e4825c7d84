// csv_file.h - channels as a table of text: channels.csv. Inside src/store only. Reference:
// docs/reference/channels.md.
#ifndef LIM_STORE_CSV_FILE_H
#define LIM_STORE_CSV_FILE_H

#include "base/draft.h"
#include "channel/channels.h"

#include <stdio.h>

typedef struct {
  lim_draft draft;
  FILE *file; // NULL: closed
  int count;  // channels
} lim_csv_file;

// Open DIR/channels.csv.part and write the row of names. End with lim_csv_file_free, also after a failure.
lim_code lim_csv_file_start(lim_csv_file *c, const char *directory, const lim_channels *channels,
                            lim_error *err);
lim_code lim_csv_file_row(lim_csv_file *c, double t, const double *value, lim_error *err);
lim_code lim_csv_file_flush(lim_csv_file *c, lim_error *err);

// Close it; the part is whole, but has not got its name yet.
lim_code lim_csv_file_close(lim_csv_file *c, lim_error *err);

// Put other values into the column of a channel: value (rows), each times scale. After close.
lim_code lim_csv_file_replace(const lim_csv_file *c, int channel, const double *value, double scale,
                              lim_error *err);
void lim_csv_file_free(lim_csv_file *c);

#endif

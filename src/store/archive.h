// archive.h - result.h5: channels, shapes for animation, the model. Layout:
// docs/reference/channels.md.
#ifndef LIM_STORE_ARCHIVE_H
#define LIM_STORE_ARCHIVE_H

#include "base/draft.h"
#include "base/hdf5/h5.h"
#include "base/text.h"
#include "store/frames.h"
#include "store/recorder.h"

enum {
  LIM_ARCHIVE_FORMAT = 1,   // goes up when older programs cannot read what is written
  LIM_ARCHIVE_FRAMES = 2000 // of the animation, about
};

typedef struct {
  lim_draft draft;
  lim_h5 file;
  bool filling;         // rows are added, and must survive whatever happens
  int count;            // channels
  lim_h5_list time;     // of the moments
  lim_h5_list *channel; // (count)
  int rows;             // that wait to be written
  double *wait;         // ROWS of time, then of each channel
  lim_frames_file shapes;
  double next_frame; // [s]
} lim_archive;

// Open DIR/result.h5.part. End with lim_archive_free, also after a failure. kind: "simulate", "static",
// "modes". channels: NULL: none, no time either.
lim_code lim_archive_start(lim_archive *a, const char *kind, const lim_recorder_setup *setup,
                           const lim_channels *channels, const lim_snapshot *m, lim_error *err);

// value (count): as channels.csv has them. Also adds a frame to the shapes when one is due.
lim_code lim_archive_row(lim_archive *a, const lim_snapshot *m, const double *value, double duration,
                         lim_error *err);
lim_code lim_archive_flush(lim_archive *a, lim_error *err);

// Put other values in place of those of a channel: value (rows), changed to scale times them.
lim_code lim_archive_replace(lim_archive *a, int channel, double *value, double scale, lim_error *err);

// How a run ended, and close; the part is whole, but has not got its name yet. message: why it failed, or NULL.
// tables: as lim_tables_of_run.
lim_code lim_archive_close(lim_archive *a, const lim_model *m, const lim_run *run, const char *message,
                           const char *tables, lim_error *err);

// Close with the tables and nothing else.
lim_code lim_archive_close_snapshot(lim_archive *a, const char *tables, lim_error *err);
void lim_archive_free(lim_archive *a);

#endif

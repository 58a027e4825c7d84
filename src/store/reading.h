// reading.h - a result read back from result.h5. Layout: docs/reference/channels.md.
//
// Files that are damaged, cut off or of other programs are refused with LIM_IO. Results without channels (of
// static and modes) have rows = count = 0. All that is returned belongs to the reading.
#ifndef LIM_STORE_READING_H
#define LIM_STORE_READING_H

#include "base/arena.h"
#include "base/error.h"
#include "base/hdf5/h5.h"

#include <stdbool.h>

typedef struct {
  const char *name; // "tip.position.x"
  const char *unit; // "m"; "-" for a pure number
  double *value;    // (rows)
} lim_reading_channel;

typedef struct {
  lim_arena arena;
  const char *path; // of the file
  bool part;        // its program was killed, or still runs: what was written until the last flush
  lim_h5 file;
  long rows, frames; // frames: of the shapes, at most
  double *time;      // [s] (rows)
  int count;
  lim_reading_channel *channel; // in the order in which they were recorded (count)
} lim_reading;

// path: the file, or its folder. Without a result.h5 there, result.h5.part is read.
lim_code lim_reading_open(lim_reading **out, const char *path, lim_error *err);
void lim_reading_close(lim_reading *r);

// An attribute or a text of the root; NULL, NaN, 0: there is none.
const char *lim_reading_text(lim_reading *r, const char *name);
double lim_reading_number(lim_reading *r, const char *name);
int lim_reading_texts(const char *const **out, lim_reading *r, const char *name);

// Numbers of a dataset such as "shapes/position", whatever their type. shape: 1 where it has fewer dimensions.
// NULL: there is none, or it cannot be read.
const float *lim_reading_floats(lim_reading *r, const char *name, long shape[3]);
const double *lim_reading_doubles(lim_reading *r, const char *name, long shape[3]);

#endif

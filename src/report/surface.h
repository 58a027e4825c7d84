// surface.h - surfaces of links from finite elements in a report: once, with few digits, and how they bend in
// every frame and mode. Layout: viewer/README.md.
#ifndef LIM_REPORT_SURFACE_H
#define LIM_REPORT_SURFACE_H

#include "report/packing.h"
#include "store/reading.h"

typedef struct {
  lim_reading *r;
  lim_arena *scratch;
  long links, frames, kept; // frames: in the result; kept: in the report
} lim_surfaces_of;

// The key "surfaces", and of a mode of `modes` the key "coordinates". LIM_IO: the result is damaged.
lim_code lim_report_surfaces(lim_json *j, lim_pack *pack, lim_surfaces_of of, lim_error *err);
lim_code lim_report_mode_of_surfaces(lim_json *j, lim_pack *pack, lim_surfaces_of of, long mode, long modes,
                                     lim_error *err);

#endif

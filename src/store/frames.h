// frames.h - the group /shapes of result.h5: centre lines of the arm and surfaces of its links, frame by frame.
// Inside src/store only. Layout: docs/reference/channels.md.
#ifndef LIM_STORE_FRAMES_H
#define LIM_STORE_FRAMES_H

#include "base/hdf5/h5.h"
#include "scene/skeleton.h"

enum { LIM_SHAPE_LISTS = 11 }; // of numbers per frame, besides the time

typedef struct {
  lim_skeleton *skeleton;
  lim_h5_list time, list[LIM_SHAPE_LISTS];
  int waiting;                   // frames that wait to be written
  double *times;                 // of these
  float *frame[LIM_SHAPE_LISTS]; // these, one after the other
  lim_h5_list *coordinates;      // of each surface                                (skeleton->surfaces)
  float **etas, **eta;           // these, one after the other, and the next one   (likewise)
} lim_frames_file;

// Every list marked as not there.
lim_frames_file lim_frames_file_none(void);

// Memory for the arm of a moment; then the group in the file. End with lim_frames_file_free, also after a
// failure.
lim_code lim_frames_file_start(lim_frames_file *f, const lim_snapshot *m, lim_error *err);
bool lim_frames_file_create(lim_frames_file *f, lim_h5 file, const lim_model *m);

// Add a frame; as lim_skeleton_pose. Frames are written in groups: lim_frames_file_flush writes those that
// wait.
bool lim_frames_file_add(lim_frames_file *f, const lim_snapshot *m, const lim_section_forces *inner);
bool lim_frames_file_flush(lim_frames_file *f);
bool lim_frames_file_end(lim_frames_file *f);
void lim_frames_file_free(lim_frames_file *f);

#endif

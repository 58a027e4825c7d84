// shapes.h - the group /shapes of result.h5: centre lines of the arm, frame by frame. Inside src/result only.
// Layout: docs/reference/channels.md.
#ifndef LIM_RESULT_SHAPES_H
#define LIM_RESULT_SHAPES_H

#include "result/h5.h"
#include "result/skeleton.h"

enum { LIM_SHAPE_LISTS = 8 }; // of numbers per frame, besides the time

typedef struct {
  lim_skeleton *skeleton;
  lim_h5_list time, list[LIM_SHAPE_LISTS];
  int waiting;                   // frames that wait to be written
  double *times;                 // of these
  float *frame[LIM_SHAPE_LISTS]; // these, one after the other
} lim_shape_file;

// Every list marked as not there.
lim_shape_file lim_shape_file_none(void);

// Memory for the arm of a moment; then the group in the file. End with lim_shape_file_free, also after a
// failure.
lim_code lim_shape_file_start(lim_shape_file *f, const lim_moment *m, lim_error *err);
bool lim_shape_file_create(lim_shape_file *f, lim_h5 file, const lim_model *m);

// Add a frame; as lim_skeleton_pose. Frames are written in groups: lim_shape_file_flush writes those that wait.
bool lim_shape_file_add(lim_shape_file *f, const lim_moment *m, const lim_inner *inner);
bool lim_shape_file_flush(lim_shape_file *f);
bool lim_shape_file_end(lim_shape_file *f);
void lim_shape_file_free(lim_shape_file *f);

#endif

// h5_both.h - numbers and texts that are written to a file, or read from it, by the same call: so a layout is
// said once. All arrays are compressed, with checksums.
#ifndef LIM_BASE_HDF5_H5_BOTH_H
#define LIM_BASE_HDF5_H5_BOTH_H

#include "base/hdf5/h5.h"

typedef struct {
  bool reading;
  bool good;        // nothing happens once it is false: it could not be written, or is not as it should be
  lim_h5 at;        // the file, or the group at hand
  lim_arena *arena; // of what is read; when written, scratch
} lim_both;

// What is read is finite; of the last, or NaN.
typedef enum { LIM_BOTH_INT, LIM_BOTH_FLOAT, LIM_BOTH_DOUBLE, LIM_BOTH_DOUBLE_OR_NAN } lim_number_type;

// Rows of `wide` x `deep` numbers, of which 1 is no dimension.
typedef struct {
  int rows, wide, deep;
} lim_shape;

// Each gives what is written, or else what was read: of this shape, NULL if there is none. One that is empty is
// not in the file.
void *lim_both_array(lim_both *b, const char *name, const char *unit, lim_number_type type, const void *x,
                     lim_shape s);
double *lim_both_doubles(lim_both *b, const char *name, const char *unit, const double *x, lim_shape s);

// Numbers of 0 to below most.
int *lim_both_indices(lim_both *b, const char *name, const int *x, lim_shape s, int most);

// Numbers that have their place.
void lim_both_fixed(lim_both *b, const char *name, const char *unit, lim_number_type type, double *x,
                    int count);

// A whole number of 0 to most, an attribute; a flag.
void lim_both_whole(lim_both *b, const char *name, int *x, int most);
bool lim_both_flag(lim_both *b, const char *name, bool x);

// Matrices that lie apart (count), one behind the other. Where only some are known, others NULL: (n x n), and
// which they are in the dataset `which`.
void lim_both_stack(lim_both *b, const char *name, const char *unit, double **item, int count, int wide,
                    int deep);
void lim_both_stack_known(lim_both *b, const char *name, const char *which, const char *unit, double **item,
                          int count, int n);

// `count` texts. HDF5 has no checksum of them.
void lim_both_texts(lim_both *b, const char *name, const char **text, int count);

// A group; gives where it was before, to which lim_both_leave goes back.
lim_h5 lim_both_enter(lim_both *b, const char *name);
void lim_both_leave(lim_both *b, lim_h5 outer);

#endif

// path.h - a path of several coordinates: points with derivatives, a quintic between any two. Corners between
// paths are rounded. Theory: docs/theory/programs.md (7)-(8).
#ifndef LIM_MOTION_PATH_H
#define LIM_MOTION_PATH_H

#include "base/error.h"
#include "motion/arc.h"

#include <stdbool.h>

// Start with {.rows = ...}, end with lim_path_free.
typedef struct {
  int rows, n;
  size_t capacity;
  double *s;     // length along the path, rising                          (n)
  lim_sample *x; // value and its derivatives by s                         (n x rows)
  int *piece;    // to which of the caller's pieces a point belongs        (n)
} lim_path;

void lim_path_free(lim_path *p);

// Room for one more point, whose samples are returned; NULL: out of memory.
lim_sample *lim_path_add(lim_path *p, double s, int piece);

double lim_path_length(const lim_path *p);

// The path at s. x (rows)
void lim_path_at(lim_sample *x, const lim_path *p, double s);

// Cut every step of the path into so many; it stays the same.
lim_code lim_path_refine(lim_path *p, int parts, lim_error *err);

// Append `next`, whose first point is the last of p, rounding the corner: from `blend` before it to `blend`
// after it (at most half of `next` and what `most` allows of p); 0: the corner stays, p ends there.
lim_code lim_path_join(lim_path *p, const lim_path *next, double blend, double max, lim_error *err);

#endif

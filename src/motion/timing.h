// timing.h - how fast a path can be followed: the speed along it that keeps every limit and takes least time.
// Theory: docs/theory/programs.md (1)-(6).
#ifndef LIM_MOTION_TIMING_H
#define LIM_MOTION_TIMING_H

#include "base/error.h"

// Rows that are limited together: the size of (x'[first] .. x'[first + count - 1]).
typedef struct {
  int first, count;
} lim_limited;

// A path x(s) at points s. Derivatives are by s.
typedef struct {
  int n, rows, groups;
  const double *s;             // rising (n)
  const double *d1, *d2;       // x', x''  (n x rows)
  const lim_limited *group;    // (groups)
  const double *speed, *accel; // limits of each group; INFINITY: none  (n x groups)
} lim_paced;

// From rest to rest: times, speeds along the path at its points (n), and the accelerations between them
// (n - 1), constant there. Some row moves everywhere, and its speed is limited.
lim_code lim_timing(double *t, double *speed, double *push, const lim_paced *path, lim_error *err);

#endif

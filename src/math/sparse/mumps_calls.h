// mumps_calls.h - MUMPS, the sequential one, loaded when it is first needed (base/library/library.h): include
// this instead of its header. It brings functions named as those of MPI, which stay its own.
#ifndef LIM_MATH_SPARSE_MUMPS_CALLS_H
#define LIM_MATH_SPARSE_MUMPS_CALLS_H

#include "base/library/library.h"

#include <dmumps_c.h>

#define LIM_MUMPS_CALLS(X) X(dmumps_c)

typedef struct {
  LIM_MUMPS_CALLS(LIM_LIBRARY_POINTER)
} lim_mumps_calls;

extern lim_mumps_calls lim_mumps;

// Before anything else of MUMPS. LIM_IO: it is not on this machine.
lim_code lim_mumps_load(lim_error *err);

#define dmumps_c (*lim_mumps.dmumps_c)

#endif

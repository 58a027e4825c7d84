// arpack_calls.h - ARPACK, loaded when it is first needed (base/library/library.h): include this instead of its
// header.
#ifndef LIM_MATH_SPARSE_ARPACK_CALLS_H
#define LIM_MATH_SPARSE_ARPACK_CALLS_H

#include "base/library/library.h"

#include <arpack.h>

#define LIM_ARPACK_CALLS(X) X(dsaupd_c) X(dseupd_c)

typedef struct {
  LIM_ARPACK_CALLS(LIM_LIBRARY_POINTER)
} lim_arpack_calls;

extern lim_arpack_calls lim_arpack;

// Before anything else of ARPACK. LIM_IO: it is not on this machine.
lim_code lim_arpack_load(lim_error *err);

#define dsaupd_c (*lim_arpack.dsaupd_c)
#define dseupd_c (*lim_arpack.dseupd_c)

#endif

// nominal.h - of what size states are.
#ifndef LIM_EXPORT_CODE_NOMINAL_H
#define LIM_EXPORT_CODE_NOMINAL_H

#include "analysis/simulation/session.h"

typedef struct {
  double *q, *v; // of coordinates and their rates   (n)
} lim_nominals;

// Everything is the arena's.
lim_code lim_nominals_new(lim_nominals *to, const lim_session *s, lim_arena *arena, lim_error *err);

#endif

// inner.h - forces inside the beams of an arm at rest or in steady motion, by equilibrium of what acts on each
// body. Theory: docs/theory/statics.md (6), (7), docs/theory/beam.md (22)-(30).
#ifndef LIM_ANALYSIS_INNER_H
#define LIM_ANALYSIS_INNER_H

#include "analysis/arm.h"
#include "beam/load.h"

// One body, its axes. Zero for a body without a beam.
typedef struct {
  lim_beam_load load; // gravity less acceleration, loads, masses, and what other bodies hang on it
  double *u;          // shape of the clamped beam that balances it, whatever the basis   (ndof)
} lim_inner;

// Of every body, out (nbody), at q and v (n) whose residual was the last one evaluated. Memory from the arena.
lim_code lim_inner_all(lim_inner *out, lim_arena *arena, const lim_arm *a, const double *q, const double *v,
                       lim_error *err);

// The segment on which a fraction of a link lies, and the fraction of the segment there.
int lim_inner_body(double *fraction, const lim_system *s, int link, double at);

#endif

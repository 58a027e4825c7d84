// section_forces.h - forces inside the beams of an arm at rest or in steady motion, by equilibrium of what acts
// on each body. Theory: docs/theory/statics.md (6), (7), docs/theory/beam.md (22)-(30).
#ifndef LIM_ANALYSIS_STATICS_SECTION_FORCES_H
#define LIM_ANALYSIS_STATICS_SECTION_FORCES_H

#include "analysis/statics/rest.h"
#include "beam/load.h"

// One body, its axes. Zero for a body without a beam.
typedef struct {
  lim_beam_load load; // gravity less acceleration, loads, masses, and what other bodies hang on it
  double *u;          // shape of the clamped beam that balances it, whatever the basis   (ndof)
} lim_section_forces;

// Of every body, out (nbody), at q and v (n) whose residual was the last one evaluated. Memory from the arena.
lim_code lim_section_forces_all(lim_section_forces *out, lim_arena *arena, const lim_rest *a, const double *q,
                                const double *v, lim_error *err);

// Forces at a place 0..1 of a body, of all as above, at q.
lim_section_force lim_section_forces_at(const lim_section_forces *all, const lim_arm *s, int body, double at,
                                        const double *q);

#endif

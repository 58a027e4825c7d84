// segments.h - what segments leave out, by a repeat with twice as many. Theory: docs/theory/dynamics.md, "When
// segments are still needed".
#ifndef LIM_ANALYSIS_STATICS_SEGMENTS_H
#define LIM_ANALYSIS_STATICS_SEGMENTS_H

#include "analysis/statics/static.h"
#include "analysis/vibration/modes.h"

// A copy of the model whose flexible links have twice the segments, and elements for them; *any: there is one.
// Memory from the arena; all else is borrowed.
lim_code lim_segments_twice(lim_model *out, bool *any, const lim_model *m, lim_arena *arena, lim_error *err);

// Largest rotation [rad] of a node of a beam against its floating frame; u (ndof of its mesh) is scratch.
double lim_segments_turn(const lim_arm_body *b, const double *q, double *u);

// Warn where an answer and that with twice the segments differ by more than a few percent: of displacements,
// which matter beside the largest of the arm, and of frequencies.
void lim_segments_compare_static(lim_error *err, const lim_static *once, const lim_static *twice);
void lim_segments_compare_modes(lim_error *err, const lim_modes *once, const lim_modes *twice);

#endif

// vibration.h - the matrices of small motions of an arm. Inside src/analysis only. Theory: docs/theory/modes.md
// (1)-(8).
#ifndef LIM_ANALYSIS_VIBRATION_VIBRATION_H
#define LIM_ANALYSIS_VIBRATION_VIBRATION_H

#include "analysis/statics/rest.h"
#include "analysis/vibration/feedback.h"
#include "analysis/vibration/modes.h"

typedef struct {
  lim_rest a;        // a.q, a.v: the state about which the arm moves
  double *unloaded;  // a.q before it is loaded                                      (a.s->n)
  int N, *index;     // coordinates that move                                        (N)
  int moving;        // their number; N is smaller where loops couple them: then z (moving) = basis z (N)
  double *basis;     // NULL: there are no loops                                     (moving x N)
  double *M, *K, *D; // (N x N)
  lim_feedback back; // of controllers with states: F, E, G in the coordinates that move (N); nx 0: none
  bool damped;       // D is not 0
  bool general;      // K or D is not symmetric
  double *diagonal;  // of K, all coordinates                                        (a.s->n)
} lim_vibration;

// Set up; the words for the joints go into r. End with lim_rest_end(&x->a), also after a failure.
lim_code lim_vibration_start(lim_vibration *x, lim_modes *r, const lim_model *model, const char *directory,
                             lim_joints joints, lim_error *err);

// Name of the links' nodes, into r.
lim_code lim_mode_shape_nodes(lim_modes *r, const lim_vibration *x, lim_error *err);

// Shape and kind of a mode from its coordinates z (N).
lim_code lim_mode_shape_of(lim_natural_mode *out, lim_modes *r, lim_vibration *x, const double *z,
                           lim_error *err);

#endif

// settling.h - what is left of the tool's motion after the commands have ended: level, amplitude, frequencies,
// damping, settling time. Reference: docs/reference/spectrum.md.
//
//   lim_tail_start(&tail, m);                       // the first moment
//   code = lim_tail_add(&tail, m, err);             // every moment
//   code = lim_residual_of(&x, &tail, settle, err); // x.there: whether there is something to tell
//   lim_tail_free(&tail);
#ifndef LIM_SIGNAL_SETTLING_H
#define LIM_SIGNAL_SETTLING_H

#include "analysis/simulation/simulate.h"

enum { LIM_RESIDUAL_FREQUENCIES = 3 };

// The tool since the commands ended. A moment costs the place of one frame.
typedef struct {
  double start;      // nothing is commanded any more [s]; INFINITY: something always is, or nothing ever
  const char *frame; // the tool of the model
  double peak;       // largest |error| of the whole run [m]
  long count;
  size_t capacity;
  double *t, *position, *error; // (count), (3 count), (3 count)
} lim_tail;

void lim_tail_start(lim_tail *tail, const lim_snapshot *m);
lim_code lim_tail_add(lim_tail *tail, const lim_snapshot *m, lim_error *err);
void lim_tail_free(lim_tail *tail);

// The band into which the tool settles: a distance [m], or where that is 0 a share of the peak of its |error|,
// or where both are 0 two percent of it.
typedef struct {
  double distance, share;
} lim_settle;

typedef struct {
  bool there;                // commands ended, and enough was recorded since
  const char *frame;         // the tool of the model: what all of this is about; lives with the model
  double start;              // when they did [s]
  double level[3], error[3]; // steady part of its position and error [m]
  double direction[3];       // of the largest vibration
  double amplitude, axis[3]; // half of peak to peak along it, and along x, y, z [m]
  int nfrequency;
  double frequency[LIM_RESIDUAL_FREQUENCIES]; // the strongest first [Hz]
  double line[LIM_RESIDUAL_FREQUENCIES];      // their amplitudes, mean over the time that is left [m]
  double damping;                             // ratio of the strongest, by its decrement; NaN: not seen
  double band;                                // [m]
  double settling_time; // from start until the tool stays in the band [s]; NaN: it does not
} lim_residual;

// Allocates; fails only where memory is out.
lim_code lim_residual_of(lim_residual *out, const lim_tail *tail, lim_settle settle, lim_error *err);

#endif

// loop_stability.h - whether a loop of an arm and its controllers grows, which mode does, and which gain makes
// it. Theory: docs/theory/control.md (12)-(15).
#ifndef LIM_ANALYSIS_VIBRATION_LOOP_STABILITY_H
#define LIM_ANALYSIS_VIBRATION_LOOP_STABILITY_H

#include "model/model.h"

typedef enum {
  LIM_GAIN_NONE,
  LIM_GAIN_POSITION,
  LIM_GAIN_SPEED,
  LIM_GAIN_ALL,       // of what drives a joint through blocks
  LIM_GAIN_BANDWIDTH, // from which kp and kv follow
  LIM_GAIN_INTEGRAL,
  LIM_GAIN_INTEGRAL_TIME // kp/ki: longer is less
} lim_gain_part;

typedef struct {
  bool closed;         // there are controllers, or blocks that drive joints
  const char *why_not; // it could not be linearised: why, and nothing below holds; NULL: it could
  bool sampled;        // with the clocks and delays of controllers and blocks
  double growth;       // [1/s] of what grows fastest; not above 0: it is stable
  double frequency;    // of that [Hz]; 0: it does not swing
  char kind[160];      // what moves most in it, as modes calls it; "blocks": nothing of the arm
  char joint[160];     // whose gain, lowered, slows it most
  lim_gain_part gain;  // which one; LIM_GAIN_NONE: none does, or none alone
} lim_unstable;

// The loop linearised about the start, limits of controllers left out.
lim_code lim_unstable_find(lim_unstable *out, const lim_model *model, const char *directory, lim_error *err);

// Whether its growth shows within time t (1 %), and is no rounding beside its frequency.
bool lim_unstable_shows(const lim_unstable *u, double t);

// "mode at 12.3 Hz (joint elbow) grows by a factor e each 0.05 s", for all messages alike.
void lim_unstable_mode(char *text, size_t size, double growth, double frequency, const char *kind);

// "the linearised loop is unstable: its ...; lower kp of 'elbow'"
void lim_unstable_text(char *text, size_t size, const lim_unstable *u);

#endif

// hybrid.h - an arm and its controllers as one linear system: continuous motion between the ticks of clocks, a
// linear map at each. Inside src/analysis only. Theory: docs/theory/control.md (12)-(14).
#ifndef LIM_ANALYSIS_VIBRATION_HYBRID_H
#define LIM_ANALYSIS_VIBRATION_HYBRID_H

#include "analysis/vibration/vibration.h"

// A drive that a controller or a block feeds.
typedef struct {
  int body, coordinate; // what its effort acts on
  double ratio;         // effort per torque asked for
} lim_fed_drive;

// A clock that ticks: its place among those of the controllers.
typedef struct {
  double period, shift; // [s]
  int done;
} lim_hybrid_clock;

// Values on their way in a ring, which turns by one place a tick.
typedef struct {
  int first, count;
  double period;
} lim_hybrid_ring;

// The state: positions of the plain modes times w, their speeds, states x of controllers and blocks, what these
// hold between ticks. Modes are those of the arm with its controllers switched off.
typedef struct {
  lim_vibration x;
  lim_modes *r;        // words and nodes; owns the arm of x
  const char *why_not; // it cannot be linearised: why, then nothing below holds; NULL: it is
  int n, nx, nz, size;
  double *z, *P;  // the modes: of the coordinates that move (x.N x n), of all (x.a.s->n x n)
  double *w;      // (n)
  double *lambda; // squares of their frequencies                                    (n)
  double *K, *C;  // stiffness by the scaled positions, damping                      (n x n each)
  int nfed;       // drives that are fed
  lim_fed_drive *fed;
  double *U;     // torques asked of them, by the state, a row each                 (nfed x size)
  double *R;     // rates of x, by the state, a row each                            (nx x size)
  double period; // after which all clocks stand alike [s]; 0: there are none
  int nclock, nring, nt;
  lim_hybrid_clock *clock;
  lim_hybrid_ring *ring;
  double from, *time; // moments of ticks within a period that begins there            (nt)
  double *T;          // what is held after each, by the state before, a row each      (nt x nz x size)
} lim_hybrid;

// Linearise about the start. End with lim_hybrid_end, also after a failure.
lim_code lim_hybrid_start(lim_hybrid *h, const lim_model *model, const char *directory, lim_error *err);
void lim_hybrid_end(lim_hybrid *h);

#endif

// linear_energy.h - energy of the deviation of modes linear and conventional. Theory: docs/theory/simulation.md
// (8).
#ifndef LIM_INTEGRATE_LINEAR_ENERGY_H
#define LIM_INTEGRATE_LINEAR_ENERGY_H

#include "integrate/state.h"

// Energies and powers at f->t, where residual was just evaluated; f->book is brought there from the time of the
// last call, over h. h = 0: after a jump, or at the start.
void lim_linear_energy(lim_state *f, double h);

#endif

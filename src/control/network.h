// network.h - blocks wired to each other: an order of evaluation, states, clocks. Theory:
// docs/theory/control.md.
//
// Signals: first what is measured of the arm, then the output of every block in the order of the model.
#ifndef LIM_CONTROL_NETWORK_H
#define LIM_CONTROL_NETWORK_H

#include "control/block.h"

// Constant once built, shareable between threads.
typedef struct {
  lim_arena arena;
  int nmeasured, nbox;
  const lim_source **measured; // what the first signals are                       (nmeasured)
  lim_block_instance *box;     // (nbox)
  int *order;                  // of evaluation                                    (nbox)
  int nin;                     // most inputs of a box
  int nx, nz;                  // states, held values of all boxes
} lim_network;

// The blocks of a model, which must outlive it. Loops without a state or a delay are refused by their names.
lim_code lim_network_new(lim_network **out, const lim_model *model, const char *directory, lim_error *err);
void lim_network_free(lim_network *n);

// Whether the blocks of a model can be wired, without looking into files.
lim_code lim_network_check(const lim_model *model, lim_error *err);

// Signal of a block of the model.
static inline int lim_network_signal(const lim_network *n, int block) { return n->nmeasured + block; }

// x (nx), z (nz) and what clocks have done (2 nbox), at the start.
void lim_network_start(double *x, double *z, double *done, const lim_network *n);

// Outputs of all blocks into signal, whose first nmeasured entries are given. u (nin) is scratch.
void lim_network_outputs(double *signal, const lim_network *n, double t, bool before, const double *x,
                         const double *z, double *u);

// Rates of the states, after lim_network_outputs.
void lim_network_rates(double *rate, const lim_network *n, const double *signal, const double *x, double *u);

// What the clocks that are due at t do; signals as from there on.
void lim_network_tick(double *signal, const lim_network *n, double t, const double *x, double *z, double *done,
                      double *u);

// The next tick after t; INFINITY: none.
double lim_network_next(const lim_network *n, double t);

// --- clocks: ticks at shift + k period, k = 0, 1, ... ---

double lim_clock_next(double period, double shift, double t);

// Whether a tick is due at t that was not done yet; its number.
bool lim_clock_due(long *k, double period, double shift, double t, double *done);

#endif

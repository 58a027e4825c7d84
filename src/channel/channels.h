// channels.h - the numbers that are recorded at one time, by name. Reference: docs/reference/channels.md.
#ifndef LIM_CHANNEL_CHANNELS_H
#define LIM_CHANNEL_CHANNELS_H

#include "analysis/simulation/simulate.h"
#include "analysis/vibration/frequency_track.h"

typedef struct lim_owner_quantity lim_owner_quantity;
typedef struct lim_owner_state lim_owner_state;

typedef struct {
  const char *name; // "tip.position.x"
  const char *unit; // "m"; "-" for a pure number
  int quantity;     // it belongs to
  int component;    // of that quantity: 0, 1, 2
} lim_channel;

// Built for one system; holds the state of sampling gauges, so one per run.
typedef struct {
  lim_arena arena; // owns names, owners and what they need
  int count;
  lim_channel *channel; // (count)
  int nquantity;
  lim_owner_quantity *quantity; // each evaluated once for each time   (nquantity)
  lim_owner_state *owner;       // the last of those that quantities are of; NULL: none
  int balance;                  // the channel energy.balance; -1: not among them
  lim_frequency_track *track;   // natural frequencies; NULL: not among them
} lim_channels;

// Those of outputs.channels, or a useful choice where there are none, then outputs.frequencies. A name selects
// the channel of that name, else every channel that continues it after a dot ("tip.position", "energy"). Each
// unknown name is an error at its place in the model file. The system must outlive them.
lim_code lim_channels_new(lim_channels **out, const lim_arm *s, lim_error *err);
void lim_channels_free(lim_channels *c);

// value (count) at the time of a snapshot; snapshots must come in the order of time. energy.balance is in J:
// only the end of a run knows the peak that it is to be divided by. What a mode cannot tell is NaN, also
// frequencies that cannot be computed. Allocates only where there are frequencies.
void lim_channels_evaluate(double *value, lim_channels *c, const lim_snapshot *m);

#endif

// channels.h - the numbers that are recorded of a moment, by name. Reference: docs/reference/channels.md.
#ifndef LIM_RESULT_CHANNELS_H
#define LIM_RESULT_CHANNELS_H

#include "analysis/along.h"
#include "analysis/simulate.h"

typedef struct lim_probe lim_probe;

typedef struct {
  const char *name; // "tip.position.x"
  const char *unit; // "m"; "-" for a pure number
  int probe;        // the quantity it belongs to
  int component;    // of that quantity: 0, 1, 2
} lim_channel;

// Built for one system; holds the state of sampling gauges, so one per run.
typedef struct {
  lim_arena arena; // owns names and what probes need
  int count;
  lim_channel *channel; // (count)
  int nprobe;
  lim_probe *probe;        // quantities, each evaluated once a moment   (nprobe)
  int balance;             // the channel energy.balance; -1: not among them
  lim_along_motion *along; // natural frequencies; NULL: not among them
} lim_channels;

// Those of outputs.channels, or a useful choice where there are none, then outputs.frequencies. A name selects
// the channel of that name, else every channel that continues it after a dot ("tip.position", "energy"). Each
// unknown name is an error at its place in the model file. The system must outlive them.
lim_code lim_channels_new(lim_channels **out, const lim_system *s, lim_error *err);
void lim_channels_free(lim_channels *c);

// value (count) at a moment; moments must come in the order of time. energy.balance is in J: only the end of a
// run knows the peak that it is to be divided by. What a mode cannot tell is NaN, also frequencies that
// cannot be computed. Allocates only where there are frequencies.
void lim_channels_evaluate(double *value, lim_channels *c, const lim_moment *m);

#endif

// intervals.h - what freezing the modes of modal-newmark costs: the run once more with twice the intervals.
// Theory: docs/theory/simulation.md, modal Newmark.
#ifndef LIM_ANALYSIS_SIMULATION_INTERVALS_H
#define LIM_ANALYSIS_SIMULATION_INTERVALS_H

#include "analysis/simulation/simulate.h"

// Paths of the tip at the records of a run and of its repetition.
typedef struct {
  lim_simulate_hooks hooks; // to run with
  const lim_simulate_hooks *user;
  double *tip;       // of the first run                          (3 count)
  long count, again; // records of the first run, of the second so far
  size_t capacity;
  bool second;
  double difference, deviation; // largest distance between both, and from the rigid arm [m]
} lim_intervals;

void lim_intervals_begin(lim_intervals *x, const lim_simulate_hooks *user);
void lim_intervals_repeat(lim_intervals *x); // what runs from now on is the repetition

// Warn if the runs differ by more than a few percent of the deviation.
void lim_intervals_end(lim_intervals *x, const lim_model *m, lim_error *err);

#endif

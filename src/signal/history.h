// history.h - all values of all channels of a run, for comparisons with another one.
#ifndef LIM_SIGNAL_HISTORY_H
#define LIM_SIGNAL_HISTORY_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
  int channels;
  long count;      // moments kept
  size_t capacity; // room for them
  double *time;    // [s], ascending                              (count)
  double *value;   // channels of one moment after the other      (count x channels)
} lim_history;

// The next moment. value (channels). False: out of memory.
bool lim_history_add(lim_history *h, double t, const double *value);
void lim_history_free(lim_history *h);

// A channel at a time, on the line between moments; before the first and after the last these.
double lim_history_at(const lim_history *h, int channel, double t);

// Largest absolute value. between: of the parabola through the three moments around it, where the channel is
// smooth there; else of the moments themselves.
double lim_history_peak(const lim_history *h, int channel, bool between);

#endif

// spectrum_peaks.h - the peaks of a density. Inside src/signal only.
#ifndef LIM_SIGNAL_SPECTRUM_PEAKS_H
#define LIM_SIGNAL_SPECTRUM_PEAKS_H

#include "signal/spectrum.h"

// The segments before they are windowed, and the window.
typedef struct {
  lim_window window;
  int count, length;
  double sum, square; // of the window: sum w, sum w^2
  double *w;          // the window                                             (length)
  double *sharp;      // one whose lobe has a sharp top, for frequencies: w, or hann   (length)
  double *value;      // detrended                                              (count x length)
} lim_segments;

// Fill s->peak (room for `most` of them) from the density, with frequencies between its own.
lim_code lim_spectrum_find_peaks(lim_spectrum *s, const lim_segments *g, int max, lim_error *err);

#endif

// spectrum.h - one-sided power spectral density of a recorded channel by Welch's method, and its peaks. Numbers
// only, no files. Reference: docs/reference/spectrum.md.
//
//   S(f_k) = c_k/(f_s sum w^2) mean over segments |sum_n w_n x_n exp(-2 pi i f_k n/f_s)|^2,  c_k = 2 (1 at f =
//   0 and f_s/2), so that sum_k S(f_k) df = mean over segments of sum (w x)^2/sum w^2: the variance.
#ifndef LIM_SIGNAL_SPECTRUM_H
#define LIM_SIGNAL_SPECTRUM_H

#include "base/error.h"

#include <stdbool.h>

typedef enum {
  LIM_WINDOW_HANN,
  LIM_WINDOW_HAMMING,
  LIM_WINDOW_BLACKMAN,
  LIM_WINDOW_RECTANGULAR,
  LIM_WINDOW_FLATTOP
} lim_window;

typedef enum { LIM_DETREND_NONE, LIM_DETREND_MEAN, LIM_DETREND_LINEAR } lim_detrend;

enum { LIM_SPECTRUM_LEAST = 8 }; // samples of a segment

typedef struct {
  lim_window window;
  lim_detrend detrend; // of each segment
  int segments;        // of equal length, evenly from the first sample to the last
  double overlap;      // of neighbours, 0..0.95 of their length
  int peaks;           // to find at most
} lim_spectrum_setup;

typedef struct {
  double frequency; // [Hz], between the frequencies of the density
  double density;   // there
  double amplitude; // of the sine that makes a peak of this height
  double share;     // of the variance, in its lobe
} lim_spectrum_peak;

typedef struct {
  int count;
  double step;          // of the frequencies [Hz]
  double *frequency;    // from 0 to half the rate [Hz]             (count)
  double *density;      // [unit^2/Hz]                              (count)
  double variance;      // sum of density times step
  double rate;          // samples per second
  double resolution;    // noise bandwidth of the window [Hz]
  long samples;         // all of them
  int segments, length; // number of them; samples of each
  bool resampled;       // the channel was recorded at uneven times
  int npeak;
  lim_spectrum_peak *peak; // the highest first                    (npeak)
} lim_spectrum;

// Hann, mean removed, one segment, half overlapping, five peaks.
lim_spectrum_setup lim_spectrum_default(void);

// Names of windows and of ways to detrend, in the order of their numbers; NULL ends them.
extern const char *const lim_window_names[];
extern const char *const lim_detrend_names[];

// Of values x at times t (rows). On success the caller owns *out; LIM_BAD_INPUT where there are too few values,
// or they are not finite, or their times too uneven.
lim_code lim_spectrum_new(lim_spectrum **out, const double *t, const double *x, long rows,
                          const lim_spectrum_setup *setup, lim_error *err);
void lim_spectrum_free(lim_spectrum *s);

// w (n), periodic.
void lim_window_fill(double *w, lim_window window, int n);

#endif

// sampling.h - a recorded channel at even times, as a transform needs it.
#ifndef LIM_SIGNAL_SAMPLING_H
#define LIM_SIGNAL_SAMPLING_H

#include "base/error.h"

#include <stdbool.h>

typedef struct {
  long count;
  double start, step; // [s]
  double *value;      // (count)
  bool resampled;     // times were uneven: values are from cubics through the recorded ones
} lim_samples_even;

// From values x at times t (rows). Of rows of one time the last counts; a last step that is shorter than the
// others is left out. Refused (LIM_BAD_INPUT): values that are not finite, times that fall, gaps of more than
// ten mean steps. Free it also after a failure.
lim_code lim_samples_even_out(lim_samples_even *out, const double *t, const double *x, long rows,
                              lim_error *err);
void lim_samples_even_free(lim_samples_even *s);

#endif

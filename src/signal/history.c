// history.c - values kept moment by moment.
#include "signal/history.h"

#include "base/grow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool make_room(lim_history *h) {
  if ((size_t)h->count < h->capacity) return true;
  const size_t capacity = lim_grow_capacity(h->capacity, (size_t)h->count + 1);
  if (!lim_grow_to(&h->time, capacity, sizeof *h->time) ||
      !lim_grow_to(&h->value, capacity, (size_t)h->channels * sizeof *h->value))
    return false;
  h->capacity = capacity;
  return true;
}

bool lim_history_add(lim_history *h, double t, const double *value) {
  if (!make_room(h)) return false;
  h->time[h->count] = t;
  memcpy(h->value + h->count * h->channels, value, (size_t)h->channels * sizeof *value);
  h->count++;
  return true;
}

void lim_history_free(lim_history *h) {
  free(h->time);
  free(h->value);
}

static double value_at(const lim_history *h, int channel, long i) {
  return h->value[i * h->channels + channel];
}

double lim_history_at(const lim_history *h, int channel, double t) {
  long low = 0, high = h->count - 1;
  if (t <= h->time[0]) return value_at(h, channel, 0);
  if (t >= h->time[high]) return value_at(h, channel, high);
  while (high - low > 1) {
    long middle = (low + high) / 2;
    *(h->time[middle] <= t ? &low : &high) = middle;
  }
  double s = (t - h->time[low]) / (h->time[high] - h->time[low]);
  return (1 - s) * value_at(h, channel, low) + s * value_at(h, channel, high);
}

// What the vertex of the parabola through moments k - 1, k, k + 1 has more than moment k, of sign times the
// channel. 0 where moments are not even, or where the next ones are off the parabola: at a jump or a kink.
static double above(const lim_history *h, int channel, long k, double sign) {
  if (k < 2 || k + 2 >= h->count) return 0;
  double y[5], step = h->time[k] - h->time[k - 1];
  for (int i = 0; i < 5; i++) y[i] = sign * value_at(h, channel, k - 2 + i);
  for (int i = -2; i < 2; i++)
    if (fabs(h->time[k + i + 1] - h->time[k + i] - step) > 1e-6 * step) return 0;
  double second = y[1] - 2 * y[2] + y[3],
         bend = fmax(fabs(y[3] - 3 * y[2] + 3 * y[1] - y[0]), fabs(y[4] - 3 * y[3] + 3 * y[2] - y[1]));
  bool smooth = second < 0 && bend <= -second / 2;
  return smooth ? -(y[3] - y[1]) * (y[3] - y[1]) / (8 * second) : 0;
}

double lim_history_peak(const lim_history *h, int channel, bool between) {
  long at = 0;
  for (long i = 0; i < h->count; i++) {
    double x = value_at(h, channel, i);
    if (isnan(x)) return NAN;
    if (fabs(x) > fabs(value_at(h, channel, at))) at = i;
  }
  double x = value_at(h, channel, at);
  return fabs(x) + (between ? above(h, channel, at, x < 0 ? -1 : 1) : 0);
}

// stream.h - the bytes of an input as choices, numbers and texts; after its end all are 0.
#ifndef LIM_FUZZ_STREAM_H
#define LIM_FUZZ_STREAM_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const uint8_t *at, *end;
} stream;

static inline int take(stream *s, int n) { // 0..n-1
  return s->at < s->end ? *s->at++ % n : 0;
}

// Numbers that are often wrong, and some of any kind.
static inline double take_number(stream *s) {
  static const double some[] = {0,   1e-3,  0.01,     1,         -1,   0.3,   2e-3,   1e9,
                                NAN, 1e300, INFINITY, -INFINITY, -0.0, 1e-12, 5e-324, -1e300};
  const int i = take(s, 20);
  double x = 0;
  if (i < 16) return some[i];
  const size_t left = (size_t)(s->end - s->at), n = left < sizeof x ? left : sizeof x;
  if (n) memcpy(&x, s->at, n);
  s->at += n;
  return x;
}

#endif

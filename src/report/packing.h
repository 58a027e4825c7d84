// packing.h - many numbers as text: sorted by bytes, deflated, base64. Layout: viewer/README.md.
#ifndef LIM_REPORT_PACKING_H
#define LIM_REPORT_PACKING_H

#include "base/json.h"
#include "base/text.h"

#include <stdint.h>

// Start with {0}; `failed` stays set once memory was out.
typedef struct {
  unsigned char *byte;
  size_t size, capacity;
  bool failed;
} lim_pack;

// Append numbers, little-endian: all their first bytes, then all their second bytes, ... Returns where they
// start.
size_t lim_pack_floats(lim_pack *p, const float *x, size_t count);
size_t lim_pack_doubles(lim_pack *p, const double *x, size_t count);
size_t lim_pack_ints(lim_pack *p, const int32_t *x, size_t count);
size_t lim_pack_shorts(lim_pack *p, const int16_t *x, size_t count);
void lim_pack_free(lim_pack *p);

// What JSON says of numbers that start there. type: "f32", "f64", "i32", "i16"
void lim_pack_reference(lim_json *j, size_t at, const char *type, const long *shape, int rank);

// Append everything to a text: base64 of a zlib stream. Out of memory: out->failed.
void lim_pack_text(lim_text *out, const lim_pack *p);

#endif

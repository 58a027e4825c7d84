// packing.c - numbers as base64 of a zlib stream.
#include "report/packing.h"

#include "base/grow.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { LEVEL = 6 }; // of zlib

static unsigned char *extend(lim_pack *p, size_t count, size_t width) {
  const size_t more = count * width;
  if (p->failed || (count && more / count != width)) return NULL;
  p->failed = more > SIZE_MAX - p->size || !lim_grow(&p->byte, &p->capacity, p->size + more, sizeof *p->byte);
  if (p->failed) return NULL;
  unsigned char *at = p->byte + p->size;
  p->size += more;
  return at;
}

// Byte b of every number, lowest first, then byte b + 1 of every number.
static size_t pack(lim_pack *p, const void *x, size_t count, size_t size) {
  size_t start = p->size;
  unsigned char *out = extend(p, count, size);
  for (size_t i = 0; out && i < count; i++) {
    const char *from = (const char *)x + i * size;
    uint16_t half = 0;
    uint32_t single = 0;
    uint64_t bits = 0;
    if (size == sizeof half)
      memcpy(&half, from, size);
    else if (size == sizeof single)
      memcpy(&single, from, size);
    else
      memcpy(&bits, from, size);
    bits |= half | single;
    for (size_t b = 0; b < size; b++) out[b * count + i] = (unsigned char)(bits >> 8 * b);
  }
  return start;
}

size_t lim_pack_floats(lim_pack *p, const float *x, size_t count) { return pack(p, x, count, sizeof *x); }

size_t lim_pack_doubles(lim_pack *p, const double *x, size_t count) { return pack(p, x, count, sizeof *x); }

size_t lim_pack_ints(lim_pack *p, const int32_t *x, size_t count) { return pack(p, x, count, sizeof *x); }

size_t lim_pack_shorts(lim_pack *p, const int16_t *x, size_t count) { return pack(p, x, count, sizeof *x); }

void lim_pack_reference(lim_json *j, size_t at, const char *type, const long *shape, int rank) {
  lim_json_object(j);
  lim_json_key(j, "at");
  lim_json_int(j, (long)at);
  lim_json_key(j, "type");
  lim_json_text(j, type);
  lim_json_key(j, "shape");
  lim_json_flat(j);
  for (int i = 0; i < rank; i++) lim_json_int(j, shape[i]);
  lim_json_end(j, ']');
  lim_json_end(j, '}');
}

void lim_pack_free(lim_pack *p) {
  free(p->byte);
  *p = (lim_pack){0};
}

// text: room for 4 characters per 3 bytes begun, and the terminator.
static void base64(char *text, const unsigned char *x, size_t size) {
  static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < size; i += 3) {
    uint32_t group = (uint32_t)x[i] << 16;
    if (i + 1 < size) group |= (uint32_t)x[i + 1] << 8;
    if (i + 2 < size) group |= x[i + 2];
    *text++ = digit[group >> 18];
    *text++ = digit[group >> 12 & 63];
    *text++ = i + 1 < size ? digit[group >> 6 & 63] : '=';
    *text++ = i + 2 < size ? digit[group & 63] : '=';
  }
  *text = 0;
}

void lim_pack_text(lim_text *out, const lim_pack *p) {
  static const unsigned char none[1];
  uLongf size = compressBound(p->size);
  unsigned char *packed = malloc(size);
  char *text = malloc((size + 2) / 3 * 4 + 1);
  bool good = packed && text && !p->failed &&
              compress2(packed, &size, p->byte ? p->byte : none, p->size, LEVEL) == Z_OK;
  if (good) {
    base64(text, packed, size);
    lim_text_add(out, "%s", text);
  }
  if (!good) out->failed = true;
  free(packed);
  free(text);
}

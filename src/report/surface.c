// surface.c - surfaces of links from finite elements in a report. Layout: viewer/README.md.
#include "report/surface.h"

#include "report/thinning.h"

#include <math.h>
#include <stdio.h>

enum { NAME = 64, STEPS = 32767 }; // STEPS: of 16 bits, from 0 to the largest
static const double SMALL = 2e-5;  // of the largest part in a motion: not seen

typedef struct {
  lim_json *j;
  lim_pack *pack;
  lim_surfaces_of of;
  long link, vertices, n;
  long *keep; // coordinates that are shown   (count)
  long count;
  lim_error *err;
} writer;

static lim_code damaged(const writer *w) { return LIM_FAIL(w->err, LIM_IO, "%s is damaged", w->of.r->path); }

static const char *name_of(char name[NAME], long link, const char *what) {
  snprintf(name, NAME, "shapes/surfaces/%ld/%s", link, what);
  return name;
}

static const float *floats_of(const writer *w, const char *what, long shape[3]) {
  char name[NAME];
  return lim_reading_floats(w->of.r, name_of(name, w->link, what), shape);
}

static void null(writer *w, const char *key) {
  lim_json_key(w->j, key);
  lim_json_number(w->j, NAN);
}

static void floats(writer *w, const char *key, const float *x, long first, long second) {
  const size_t count = (size_t)(first * (second ? second : 1));
  lim_json_key(w->j, key);
  lim_pack_reference(w->j, lim_pack_floats(w->pack, x, count), "f32", (const long[]){first, second},
                     second ? 2 : 1);
}

// --- what stands still ---

// Numbers of vertices, `wide` in each row; missing where there is none.
static lim_code indices(writer *w, const char *key, long wide) {
  long shape[3] = {0, wide, 1};
  char name[NAME];
  const double *x = NULL;
  if (lim_h5_has(w->of.r->file, name_of(name, w->link, key))) {
    x = lim_reading_doubles(w->of.r, name, shape);
    if (!x || shape[1] != wide || shape[2] != 1) return damaged(w);
  }
  const size_t count = (size_t)(shape[0] * wide);
  int32_t *out = lim_arena_array(w->of.scratch, count + 1, sizeof *out);
  if (!out) return lim_no_memory(w->err);
  for (size_t i = 0; i < count; i++) {
    if (!(x[i] >= 0 && x[i] < (double)w->vertices)) return damaged(w);
    out[i] = (int32_t)x[i];
  }
  lim_json_key(w->j, key);
  lim_pack_reference(w->j, lim_pack_ints(w->pack, out, count), "i32", shape, 2);
  return LIM_OK;
}

// --- what follows the coordinates ---

static double largest(const float *x, long count) {
  double most = 0;
  for (long i = 0; i < count; i++)
    if (fabsf(x[i]) > most && isfinite(x[i])) most = fabs((double)x[i]);
  return most;
}

// Rows (n x vertices x wide) of the coordinates that are kept, each with a scale of its own.
static lim_code rows(writer *w, const char *key, long wide) {
  long shape[3], size = w->vertices * wide;
  const float *x = w->count ? floats_of(w, key, shape) : NULL;
  if (!x) {
    null(w, key);
    return LIM_OK;
  }
  if (shape[0] != w->n || shape[1] != w->vertices || shape[2] != wide) return damaged(w);
  int16_t *out = lim_arena_array(w->of.scratch, (size_t)(w->count * size) + 1, sizeof *out);
  float *scale = lim_arena_array(w->of.scratch, (size_t)w->count, sizeof *scale);
  if (!out || !scale) return lim_no_memory(w->err);
  for (long k = 0; k < w->count; k++) {
    const float *row = x + w->keep[k] * size;
    const double step = largest(row, size) / STEPS;
    scale[k] = (float)step;
    for (long i = 0; i < size && step > 0; i++)
      out[k * size + i] = (int16_t)(isfinite(row[i]) ? lround((double)row[i] / step) : 0);
  }
  const long three[3] = {w->count, w->vertices, wide};
  lim_json_key(w->j, key);
  lim_json_object(w->j);
  lim_json_key(w->j, "values");
  lim_pack_reference(w->j, lim_pack_shorts(w->pack, out, (size_t)(w->count * size)), "i16", three, 3);
  floats(w, "scale", scale, w->count, 0);
  lim_json_end(w->j, '}');
  return LIM_OK;
}

// How much of the motion each coordinate is, of displacements or of strains: largest value times largest row;
// all that are above the limit are marked. Where nothing bends the first is.
static void mark(bool *marked, double *part, const writer *w, const float *eta, const float *x, long wide) {
  double most = 0;
  for (long j = 0; j < w->n; j++) {
    double value = 0;
    for (long i = 0; i < w->of.frames; i++) value = fmax(value, fabs((double)eta[i * w->n + j]));
    part[j] = value * largest(x + j * w->vertices * wide, w->vertices * wide);
    most = fmax(most, part[j]);
  }
  for (long j = 0; j < w->n; j++) marked[j] = marked[j] || part[j] > SMALL * most || (j == 0 && most == 0);
}

// Coordinates that are seen; of vibrations all.
static lim_code choose(writer *w, const float *eta, bool vibrates) {
  long shape[3];
  const float *moved = floats_of(w, "shape", shape);
  if (!moved || shape[0] != w->n || shape[1] != w->vertices || shape[2] != 3) return damaged(w);
  const float *strain = floats_of(w, "strain", shape);
  if (strain && (shape[0] != w->n || shape[1] != w->vertices || shape[2] != 6)) return damaged(w);
  bool *marked = lim_arena_array(w->of.scratch, (size_t)w->n, sizeof *marked);
  double *part = lim_arena_array(w->of.scratch, (size_t)w->n, sizeof *part);
  w->keep = lim_arena_array(w->of.scratch, (size_t)w->n, sizeof *w->keep);
  if (!marked || !part || !w->keep) return lim_no_memory(w->err);
  mark(marked, part, w, eta, moved, 3);
  if (strain) mark(marked, part, w, eta, strain, 6);
  for (long j = 0; j < w->n; j++)
    if (marked[j] || vibrates) w->keep[w->count++] = j;
  return LIM_OK;
}

static lim_code moving(writer *w) {
  long shape[3];
  char name[NAME];
  const float *eta = floats_of(w, "coordinates", shape);
  if (!eta || shape[0] < w->of.frames || shape[2] != 1) return damaged(w);
  const long kept = w->of.kept;
  w->n = shape[1];
  snprintf(name, sizeof name, "modes/coordinates/%ld", w->link);
  lim_code code = choose(w, eta, lim_reading_floats(w->of.r, name, shape) != NULL);
  if (code != LIM_OK) return code;
  float *out = lim_arena_array(w->of.scratch, (size_t)(w->count * kept) + 1, sizeof *out);
  if (!out) return lim_no_memory(w->err);
  for (long k = 0; k < w->count; k++)
    for (long i = 0; i < kept; i++)
      out[k * kept + i] = eta[lim_thin_pick(i, kept, w->of.frames) * w->n + w->keep[k]];
  floats(w, "coordinates", out, w->count, kept);
  return LIM_OK;
}

// --- one surface ---

static lim_code surface(writer *w, const float *vertex) {
  long shape[3];
  char name[NAME];
  lim_json_object(w->j);
  lim_json_key(w->j, "link");
  lim_json_int(w->j, w->link);
  floats(w, "vertex", vertex, w->vertices, 3);
  lim_code code = indices(w, "triangle", 3);
  if (code == LIM_OK) code = indices(w, "edge", 2);
  w->count = w->n = 0;
  if (code == LIM_OK && lim_reading_floats(w->of.r, name_of(name, w->link, "coordinates"), shape))
    code = moving(w);
  if (code == LIM_OK) code = rows(w, "shape", 3);
  if (code == LIM_OK) code = rows(w, "strain", 6);
  const float *shear = code == LIM_OK && w->count ? floats_of(w, "shear_modulus", shape) : NULL;
  if (shear && shape[0] * shape[1] * shape[2] != w->vertices) return damaged(w);
  if (shear)
    floats(w, "shear", shear, w->vertices, 0);
  else
    null(w, "shear");
  lim_json_end(w->j, '}');
  return code;
}

lim_code lim_report_surfaces(lim_json *j, lim_pack *pack, lim_surfaces_of of, lim_error *err) {
  writer w = {.j = j, .pack = pack, .of = of, .err = err};
  lim_code code = LIM_OK;
  lim_json_key(j, "surfaces");
  lim_json_list(j);
  for (w.link = 0; w.link < of.links && code == LIM_OK; w.link++) {
    long shape[3];
    const float *vertex = floats_of(&w, "vertex", shape);
    if (!vertex) continue; // it has none
    w.vertices = shape[1];
    code = shape[0] == 1 && shape[2] == 3 ? surface(&w, vertex) : damaged(&w);
  }
  lim_json_end(j, ']');
  return code;
}

// Of all surfaces that bend, in their order.
lim_code lim_report_mode_of_surfaces(lim_json *j, lim_pack *pack, lim_surfaces_of of, long mode, long modes,
                                     lim_error *err) {
  writer w = {.j = j, .pack = pack, .of = of, .err = err};
  bool any = false;
  for (w.link = 0; w.link < of.links; w.link++) {
    long shape[3];
    char name[NAME];
    snprintf(name, sizeof name, "modes/coordinates/%ld", w.link);
    const float *x = lim_reading_floats(of.r, name, shape);
    if (!x) continue;
    if (shape[0] != modes) return damaged(&w);
    if (!any) {
      lim_json_key(j, "coordinates");
      lim_json_object(j);
      any = true;
    }
    snprintf(name, sizeof name, "%ld", w.link);
    floats(&w, name, x + mode * shape[1] * shape[2], shape[1] * shape[2], 0);
  }
  if (any) lim_json_end(j, '}');
  return LIM_OK;
}

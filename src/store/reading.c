// reading.c - a result read back from result.h5.
#include "store/reading.h"

#include "base/file.h"
#include "base/text.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static lim_code damaged(const lim_reading *r, lim_error *err) {
  return LIM_FAIL(err, LIM_IO, "%s is damaged", r->path);
}

// --- which file ---

static bool ends_with(const char *text, const char *end) {
  size_t n = strlen(text), m = strlen(end);
  return n >= m && !strcmp(text + n - m, end);
}

static char *join(lim_arena *arena, const char *folder, const char *file) {
  lim_text t = {0};
  lim_text_add(&t, "%s%s%s", folder, ends_with(folder, "/") ? "" : "/", file);
  char *path = t.failed ? NULL : lim_arena_text(arena, t.text, t.length);
  lim_text_free(&t);
  return path;
}

static lim_code find_file(lim_reading *r, const char *path, lim_error *err) {
  struct stat info;
  if (stat(path, &info)) return LIM_FAIL(err, LIM_IO, "%s cannot be read: %s", path, strerror(errno));
  if (!S_ISDIR(info.st_mode)) {
    r->path = lim_arena_text(&r->arena, path, strlen(path));
    if (r->path) r->part = ends_with(path, ".part");
    return r->path ? LIM_OK : lim_no_memory(err);
  }
  for (int i = 0; i < 2; i++) {
    r->path = join(&r->arena, path, i ? "result.h5.part" : "result.h5");
    if (!r->path) return lim_no_memory(err);
    r->part = i == 1;
    if (!access(r->path, F_OK)) return LIM_OK;
  }
  return LIM_FAIL(err, LIM_IO, "%s has no result: there is no result.h5", path);
}

static lim_code open_file(lim_reading *r, lim_error *err) {
  lim_code code = lim_h5_load(err);
  if (code != LIM_OK) return code;
  char why[LIM_FILE_WHY];
  FILE *file = lim_file_try(r->path, "a result", false, why); // HDF5 would wait for the other end of a pipe
  if (!file) return LIM_FAIL(err, LIM_IO, "%s %s", r->path, why);
  fclose(file);
  r->file = lim_h5_open(r->path);
  if (r->file < 0 && r->part)
    return LIM_FAIL(err, LIM_IO, "%s cannot be read: it is still being written, or damaged", r->path);
  if (r->file < 0) return LIM_FAIL(err, LIM_IO, "%s is damaged, or no HDF5 file", r->path);
  if (!lim_reading_text(r, "version")) return LIM_FAIL(err, LIM_IO, "%s is no result of limber", r->path);
  return LIM_OK;
}

// --- time and channels ---

static lim_code read_time(lim_reading *r, lim_error *err) {
  long shape[3];
  if (!lim_h5_has(r->file, "time")) return LIM_OK;
  r->time = lim_h5_get_doubles(r->file, "time", shape, &r->arena);
  if (!r->time || shape[1] * shape[2] != 1) return damaged(r, err);
  r->rows = shape[0];
  if (!r->part || !lim_h5_has(r->file, "complete")) return LIM_OK;
  const double *complete = lim_h5_get_doubles(r->file, "complete", shape, &r->arena);
  if (!complete || shape[0] != 2) return damaged(r, err);
  r->rows = (long)fmax(0, fmin(complete[0], (double)r->rows)); // a kill may leave more of some lists
  r->frames = (long)fmax(0, fmin(complete[1], (double)LONG_MAX / 2));
  return LIM_OK;
}

static lim_code read_channel(lim_reading *r, lim_reading_channel *c, lim_h5 group, const char *name,
                             lim_error *err) {
  long shape[3];
  char *shown = lim_arena_text(&r->arena, name, strlen(name));
  if (!shown) return lim_no_memory(err);
  for (char *s = shown; *s; s++)
    if (*s == '|') *s = '/';
  c->name = shown;
  c->unit = lim_h5_get_unit(group, name, &r->arena);
  c->value = lim_h5_get_doubles(group, name, shape, &r->arena);
  if (!c->unit || !c->value || shape[1] * shape[2] != 1) return damaged(r, err);
  if (r->part && shape[0] < r->rows) r->rows = shape[0]; // killed between two lists
  return shape[0] < r->rows ? damaged(r, err) : LIM_OK;
}

static lim_code read_channels(lim_reading *r, lim_error *err) {
  if (!lim_h5_has(r->file, "channels")) return LIM_OK;
  lim_h5 group = lim_h5_open_group(r->file, "channels");
  const char **name;
  int count = lim_h5_names(&name, group, &r->arena);
  lim_code code = group < 0 || count < 0 ? damaged(r, err) : LIM_OK;
  if (code == LIM_OK && !r->time && count > 0) code = damaged(r, err);
  if (code == LIM_OK && count > 0) {
    r->channel = lim_arena_array(&r->arena, (size_t)count, sizeof *r->channel);
    if (!r->channel) code = lim_no_memory(err);
  }
  for (; r->count < count && code == LIM_OK; r->count++)
    code = read_channel(r, &r->channel[r->count], group, name[r->count], err);
  lim_h5_group_close(group);
  return code;
}

// --- public ---

lim_code lim_reading_open(lim_reading **out, const char *path, lim_error *err) {
  *out = NULL;
  lim_reading *r = calloc(1, sizeof *r);
  if (!r) return lim_no_memory(err);
  r->file = -1;
  r->frames = LONG_MAX;
  lim_code code = find_file(r, path, err);
  if (code == LIM_OK) code = open_file(r, err);
  if (code == LIM_OK) code = read_time(r, err);
  if (code == LIM_OK) code = read_channels(r, err);
  if (code == LIM_OK)
    *out = r;
  else
    lim_reading_close(r);
  return code;
}

void lim_reading_close(lim_reading *r) {
  if (!r) return;
  lim_h5_close(r->file);
  lim_arena_free(&r->arena);
  free(r);
}

const char *lim_reading_text(lim_reading *r, const char *name) {
  return lim_h5_get_text(r->file, name, &r->arena);
}

double lim_reading_number(lim_reading *r, const char *name) { return lim_h5_get_number(r->file, name); }

int lim_reading_texts(const char *const **out, lim_reading *r, const char *name) {
  const char **list;
  int count = lim_h5_get_texts(&list, r->file, name, &r->arena);
  *out = count > 0 ? list : NULL;
  return count > 0 ? count : 0;
}

const float *lim_reading_floats(lim_reading *r, const char *name, long shape[3]) {
  return lim_h5_get_floats(r->file, name, shape, &r->arena);
}

const double *lim_reading_doubles(lim_reading *r, const char *name, long shape[3]) {
  return lim_h5_get_doubles(r->file, name, shape, &r->arena);
}

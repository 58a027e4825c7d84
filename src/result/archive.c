// archive.c - result.h5. Layout: docs/reference/channels.md.
#include "result/archive.h"

#include "result/subject.h"
#include "result/words.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 1024, FRAMES = 16 }; // of a chunk

static lim_code check(const lim_archive *a, bool good, lim_error *err) {
  return good ? LIM_OK : lim_write_error(a->draft.part, err);
}

// --- set-up ---

static bool write_head(lim_archive *a, const lim_recorder_setup *setup) {
  const lim_model *m = setup->model;
  char mode[LIM_WORD], method[LIM_WORD];
  lim_solver_word(mode, "mode", m->solver.mode);
  lim_solver_word(method, "method", m->solver.method);
  bool good = lim_h5_set_text(a->file, "version", LIM_VERSION) &&
              lim_h5_set_text(a->file, "name", m->title ? m->title : "") &&
              lim_h5_set_text(a->file, "mode", mode) && lim_h5_set_text(a->file, "method", method) &&
              lim_h5_set_number(a->file, "step", m->solver.step) &&
              lim_h5_set_number(a->file, "duration", m->solver.duration);
  if (good && setup->text) good = lim_h5_text(a->file, "model", setup->text);
  if (good && setup->nset) good = lim_h5_texts(a->file, "overrides", setup->set, setup->nset);
  return good;
}

// '/' separates groups in HDF5.
static bool start_channel(lim_h5_list *list, lim_h5 group, const lim_channel *c) {
  char name[LIM_CHANNEL_FULL];
  snprintf(name, sizeof name, "%s", c->name);
  for (char *s = name; *s; s++)
    if (*s == '/') *s = '|';
  return lim_h5_list_start(list, group, name, c->unit, ROWS);
}

static bool start_channels(lim_archive *a, const lim_channels *channels) {
  bool good = lim_h5_list_start(&a->time, a->file, "time", "s", ROWS);
  lim_h5 group = lim_h5_group(a->file, "channels");
  for (int i = 0; i < a->count && good; i++) good = start_channel(&a->channel[i], group, &channels->channel[i]);
  lim_h5_group_close(group);
  return good && group >= 0;
}

static bool write_names(lim_h5 group, const lim_model *m) {
  const char **name = malloc((size_t)m->links.count * sizeof *name);
  if (!name) return false;
  for (int i = 0; i < m->links.count; i++) name[i] = m->links.item[i].head.name;
  bool good = lim_h5_texts(group, "links", name, m->links.count);
  free((void *)name);
  return good;
}

static bool start_shapes(lim_archive *a, const lim_model *m) {
  const lim_skeleton *k = a->skeleton;
  lim_h5_list nodes = {.set = -1, .single = true, .width = {k->count, 3}};
  a->position = a->rotation = a->reference = nodes;
  lim_h5 group = lim_h5_group(a->file, "shapes");
  bool good = group >= 0 && write_names(group, m) && lim_h5_ints(group, "link", k->link, k->count) &&
              lim_h5_doubles(group, "x", k->x, k->count) &&
              lim_h5_list_start(&a->shape_time, group, "time", "s", ROWS) &&
              lim_h5_list_start(&a->position, group, "position", "m", FRAMES) &&
              lim_h5_list_start(&a->rotation, group, "rotation", "rad", FRAMES) &&
              lim_h5_list_start(&a->reference, group, "reference", "m", FRAMES);
  lim_h5_group_close(group);
  return good;
}

// Memory, and every list marked as not there.
static lim_code take(lim_archive *a, int count, lim_error *err) {
  lim_h5_list none = {.set = -1};
  *a = (lim_archive){
      .file = -1, .time = none, .shape_time = none, .position = none, .rotation = none, .reference = none};
  a->channel = malloc(((size_t)count + 1) * sizeof *a->channel);
  a->wait = malloc(((size_t)count + 1) * ROWS * sizeof *a->wait);
  if (!a->channel || !a->wait) return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  a->count = count;
  for (int i = 0; i < count; i++) a->channel[i] = none;
  return LIM_OK;
}

lim_code lim_archive_start(lim_archive *a, const lim_recorder_setup *setup, const lim_channels *channels,
                           const lim_moment *m, lim_error *err) {
  lim_code code = take(a, channels->count, err);
  if (code == LIM_OK) code = lim_skeleton_new(&a->skeleton, m->system, m->rigid, err);
  if (code == LIM_OK) code = lim_draft_start(&a->draft, setup->directory, "result.h5", err);
  if (code != LIM_OK) return code;
  a->pose = malloc(9 * (size_t)a->skeleton->count * sizeof *a->pose);
  if (!a->pose) return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  a->next_frame = -INFINITY;
  errno = 0;
  a->file = lim_h5_create(a->draft.part);
  bool good = a->file >= 0 && write_head(a, setup) && start_channels(a, channels);
  return check(a, good && start_shapes(a, setup->model), err);
}

// --- rows ---

static bool write_rows(lim_archive *a) {
  bool good = lim_h5_list_add(&a->time, a->wait, a->rows);
  for (int i = 0; i < a->count && good; i++)
    good = lim_h5_list_add(&a->channel[i], a->wait + (size_t)(i + 1) * ROWS, a->rows);
  a->rows = 0;
  return good;
}

static bool write_frame(lim_archive *a, const lim_moment *m) {
  float *position = a->pose, *rotation = position + 3 * a->skeleton->count,
        *reference = rotation + 3 * a->skeleton->count;
  lim_skeleton_pose(position, rotation, reference, a->skeleton, m);
  return lim_h5_list_add(&a->shape_time, &m->t, 1) && lim_h5_list_add(&a->position, position, 1) &&
         lim_h5_list_add(&a->rotation, rotation, 1) && lim_h5_list_add(&a->reference, reference, 1);
}

// Frames at equal distances in time, the first and the last moment among them.
static bool frame_is_due(lim_archive *a, double t, double duration) {
  double spacing = duration / LIM_ARCHIVE_FRAMES;
  if (t < a->next_frame - 1e-9 * duration && t < duration * (1 - 1e-12)) return false;
  a->next_frame = spacing * (floor(t / spacing + 1e-6) + 1);
  return true;
}

lim_code lim_archive_row(lim_archive *a, const lim_moment *m, const double *value, double duration,
                         lim_error *err) {
  errno = 0;
  a->wait[a->rows] = m->t;
  for (int i = 0; i < a->count; i++) a->wait[(size_t)(i + 1) * ROWS + (size_t)a->rows] = value[i];
  bool good = ++a->rows < ROWS || write_rows(a);
  if (good && frame_is_due(a, m->t, duration)) good = write_frame(a, m);
  return check(a, good, err);
}

lim_code lim_archive_flush(lim_archive *a, lim_error *err) {
  errno = 0;
  return check(a, write_rows(a) && lim_h5_flush(a->file), err);
}

lim_code lim_archive_replace(lim_archive *a, int channel, double *value, double scale, lim_error *err) {
  errno = 0;
  bool good = write_rows(a);
  for (long i = 0; i < a->time.rows; i++) value[i] *= scale;
  return check(a, good && lim_h5_list_replace(&a->channel[channel], value), err);
}

// --- end ---

static bool close_all(lim_archive *a) {
  lim_h5_list *list[] = {&a->time, &a->shape_time, &a->position, &a->rotation, &a->reference};
  bool good = true;
  for (int i = 0; i < a->count; i++) good &= lim_h5_list_end(&a->channel[i]);
  for (int i = 0; i < 5; i++) good &= lim_h5_list_end(list[i]);
  good &= lim_h5_close(a->file);
  a->file = -1;
  return good;
}

lim_code lim_archive_close(lim_archive *a, const lim_run *run, lim_error *err) {
  errno = 0;
  bool good = write_rows(a) && lim_h5_set_text(a->file, "status", lim_run_status_text(run->status)) &&
              lim_h5_set_number(a->file, "end", run->end);
  good &= close_all(a);
  return check(a, good, err);
}

void lim_archive_free(lim_archive *a) {
  if (a->file >= 0) close_all(a);
  lim_skeleton_free(a->skeleton);
  lim_draft_free(&a->draft);
  free(a->channel);
  free(a->wait);
  free(a->pose);
}

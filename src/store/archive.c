// archive.c - result.h5. Layout: docs/reference/channels.md.
#include "store/archive.h"

#include "channel/owner.h"
#include "model/words.h"
#include "scene/scene.h"
#include "store/trace.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 1024 }; // of a chunk

static lim_code check(const lim_archive *a, bool good, lim_error *err) {
  if (good) return LIM_OK;
  lim_code code = lim_write_error(a->draft.part, err);
  if (a->file >= 0 && a->filling) lim_h5_abandon(a->file);
  return code;
}

// --- set-up ---

static bool write_head(lim_archive *a, const char *kind, const lim_recorder_setup *setup) {
  const lim_model *m = setup->model;
  char mode[LIM_WORD], method[LIM_WORD];
  lim_word_at(mode, "solver.mode", (int)lim_solver_mode(&m->solver));
  lim_word_at(method, "solver.method", m->solver.method);
  bool good = lim_h5_set_number(a->file, "format", LIM_ARCHIVE_FORMAT) &&
              lim_h5_set_text(a->file, "kind", kind) && lim_h5_set_text(a->file, "version", LIM_VERSION) &&
              lim_h5_set_text(a->file, "name", m->title ? m->title : "") &&
              lim_h5_set_text(a->file, "mode", mode) && lim_h5_set_text(a->file, "method", method) &&
              lim_h5_set_number(a->file, "step", m->solver.adaptive ? NAN : m->solver.step) &&
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

// What stands still in a picture.
static lim_code write_scene(lim_archive *a, const lim_model *model, const lim_snapshot *m, lim_error *err) {
  lim_text scene = {0};
  lim_code code = lim_scene_json(&scene, model, a->shapes.skeleton, m->system, m->rigid, err);
  if (code == LIM_OK) code = check(a, lim_h5_text(a->file, "scene", scene.text), err);
  lim_text_free(&scene);
  return code;
}

// Memory, and every list marked as not there.
static lim_code allocate(lim_archive *a, int count, lim_error *err) {
  lim_h5_list none = {.set = -1};
  *a = (lim_archive){.file = -1, .time = none, .shapes = lim_frames_file_none(), .next_frame = -INFINITY};
  a->channel = malloc(((size_t)count + 1) * sizeof *a->channel);
  a->wait = malloc(((size_t)count + 1) * ROWS * sizeof *a->wait);
  if (!a->channel || !a->wait) return lim_no_memory(err);
  a->count = count;
  for (int i = 0; i < count; i++) a->channel[i] = none;
  return LIM_OK;
}

lim_code lim_archive_start(lim_archive *a, const char *kind, const lim_recorder_setup *setup,
                           const lim_channels *channels, const lim_snapshot *m, lim_error *err) {
  lim_code code = allocate(a, channels ? channels->count : 0, err);
  if (code == LIM_OK) code = lim_h5_load(err);
  if (code == LIM_OK) code = lim_frames_file_start(&a->shapes, m, err);
  if (code == LIM_OK) code = lim_draft_start(&a->draft, setup->directory, "result.h5", err);
  if (code != LIM_OK) return code;
  errno = 0;
  a->file = lim_h5_create(a->draft.part);
  bool good = a->file >= 0 && write_head(a, kind, setup) && (!channels || start_channels(a, channels)) &&
              lim_frames_file_create(&a->shapes, a->file, setup->model);
  code = check(a, good, err);
  if (code == LIM_OK) code = write_scene(a, setup->model, m, err);
  static const double none[2] = {0, 0};
  if (code == LIM_OK && channels)
    code = check(a, lim_h5_doubles(a->file, "complete", none, 2) && lim_h5_rows_only(a->file), err);
  a->filling = code == LIM_OK && channels;
  return code;
}

// --- rows ---

static bool write_rows(lim_archive *a) {
  bool good = lim_h5_list_add(&a->time, a->wait, a->rows);
  for (int i = 0; i < a->count && good; i++)
    good = lim_h5_list_add(&a->channel[i], a->wait + (size_t)(i + 1) * ROWS, a->rows);
  a->rows = 0;
  return good;
}

// Frames at equal distances in time, the first and the last moment among them.
static bool frame_is_due(lim_archive *a, double t, double duration) {
  double spacing = duration / LIM_ARCHIVE_FRAMES;
  if (t < a->next_frame - 1e-9 * duration && t < duration * (1 - 1e-12)) return false;
  a->next_frame = spacing * (floor(t / spacing + 1e-6) + 1);
  return true;
}

lim_code lim_archive_row(lim_archive *a, const lim_snapshot *m, const double *value, double duration,
                         lim_error *err) {
  errno = 0;
  a->wait[a->rows] = m->t;
  for (int i = 0; i < a->count; i++) a->wait[(size_t)(i + 1) * ROWS + (size_t)a->rows] = value[i];
  bool good = ++a->rows < ROWS || write_rows(a);
  if (good && frame_is_due(a, m->t, duration)) good = lim_frames_file_add(&a->shapes, m, NULL);
  return check(a, good, err);
}

lim_code lim_archive_flush(lim_archive *a, lim_error *err) {
  errno = 0;
  bool good = write_rows(a) && lim_frames_file_flush(&a->shapes) && lim_h5_flush(a->file);
  const double complete[2] = {(double)a->time.rows, (double)a->shapes.time.rows}; // now that they are there
  good = good && lim_h5_overwrite(a->file, "complete", complete) && lim_h5_flush(a->file);
  return check(a, good, err);
}

lim_code lim_archive_replace(lim_archive *a, int channel, double *value, double scale, lim_error *err) {
  errno = 0;
  bool good = write_rows(a);
  for (long i = 0; i < a->time.rows; i++) value[i] *= scale;
  return check(a, good && lim_h5_list_replace(&a->channel[channel], value), err);
}

// --- end ---

static bool close_all(lim_archive *a) {
  bool good = lim_h5_list_end(&a->time);
  for (int i = 0; i < a->count; i++) good &= lim_h5_list_end(&a->channel[i]);
  good &= lim_frames_file_end(&a->shapes);
  good &= lim_h5_close(a->file);
  a->file = -1;
  return good;
}

static bool write_warnings(lim_h5 file, const lim_error *err) {
  const char *list[LIM_NOTES_MAX];
  int count = err ? err->warnings : 0;
  for (int i = 0; i < count; i++) list[i] = err->warning[i].text;
  return count == 0 || lim_h5_texts(file, "warnings", list, count);
}

static bool write_run(lim_h5 file, const lim_run *run) {
  return lim_h5_set_text(file, "status", lim_run_status_text(run->status)) &&
         lim_h5_set_number(file, "end", run->end) && lim_h5_set_number(file, "steps", (double)run->steps) &&
         lim_h5_set_number(file, "iterations", (double)run->iterations) &&
         lim_h5_set_number(file, "wall_s", run->wall) &&
         lim_h5_set_number(file, "energy_balance_percent_rms", run->balance_percent_rms);
}

lim_code lim_archive_close(lim_archive *a, const lim_model *m, const lim_run *run, const char *message,
                           const char *tables, lim_error *err) {
  errno = 0;
  bool good = write_rows(a) && lim_frames_file_flush(&a->shapes);
  good &= close_all(a);
  if (good) a->file = lim_h5_reopen(a->draft.part);
  good = good && a->file >= 0 && write_run(a->file, run) && write_warnings(a->file, err) &&
         lim_trace_write(a->file, m->plan) && lim_h5_text(a->file, "tables", tables) &&
         (!message || lim_h5_set_text(a->file, "message", message));
  good &= close_all(a);
  return check(a, good, err);
}

lim_code lim_archive_close_snapshot(lim_archive *a, const char *tables, lim_error *err) {
  errno = 0;
  bool good = lim_frames_file_flush(&a->shapes) && lim_h5_set_text(a->file, "status", "done") &&
              write_warnings(a->file, err) && lim_h5_text(a->file, "tables", tables);
  good &= close_all(a);
  return check(a, good, err);
}

void lim_archive_free(lim_archive *a) {
  if (a->file >= 0) close_all(a);
  lim_frames_file_free(&a->shapes);
  lim_draft_free(&a->draft);
  free(a->channel);
  free(a->wait);
}

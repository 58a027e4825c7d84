// recorder.c - from moments to files and a summary. Reference: docs/reference/channels.md.
#include "store/recorder.h"

#include "base/grow.h"
#include "channel/owner.h"
#include "channel/utilisation.h"
#include "drive/gains.h"
#include "model/words.h"
#include "store/archive.h"
#include "store/csv_file.h"
#include "store/tables.h"
#include "store/trace.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const double FLUSH = 1; // [s] of wall time between flushes

struct lim_recorder {
  lim_recorder_setup setup;
  lim_channels *channels; // NULL: nothing recorded yet
  lim_summary *summary;
  lim_utilisation *utilisation; // NULL: no material has a yield strength
  double *value;                // of a moment                                              (channels)
  double peak;                  // of kinetic plus strain energy [J]
  double *energy_balance;       // energy.balance of every moment [J], where files have it  (summary->moments)
  size_t capacity;              // of books
  lim_history history;
  lim_tail tail;
  lim_residual residual;
  lim_gains_used gains;
  lim_csv_file csv;
  lim_archive archive;
  bool opened; // files are being written
  int folder;  // holds the lock on the folder while they are
  bool failed; // writing failed: parts stay as they are
  double flushed;
};

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

lim_recorder_setup lim_recorder_setup_of(const lim_model *model, const char *directory) {
  const lim_model_file *from = &model->origin;
  return (lim_recorder_setup){
      .model = model, .directory = directory, .text = from->text, .set = from->set, .nset = from->nset};
}

lim_code lim_recorder_new(lim_recorder **out, const lim_recorder_setup *setup, lim_error *err) {
  *out = calloc(1, sizeof **out);
  if (!*out) return lim_no_memory(err);
  (*out)->setup = *setup;
  return LIM_OK;
}

static void close_files(lim_recorder *r, bool keep_parts) {
  if (!r->opened) return;
  if (!keep_parts) {
    lim_draft_drop(&r->csv.draft);
    lim_draft_drop(&r->archive.draft);
  }
  lim_csv_file_free(&r->csv);
  lim_archive_free(&r->archive);
  lim_directory_unlock(r->folder);
  r->opened = false;
}

void lim_recorder_free(lim_recorder *r) {
  if (!r) return;
  close_files(r, r->failed);
  lim_channels_free(r->channels);
  lim_summary_free(r->summary);
  lim_utilisation_free(r->utilisation);
  free(r->value);
  free(r->energy_balance);
  lim_history_free(&r->history);
  free(r->gains.item);
  lim_tail_free(&r->tail);
  free(r);
}

// --- moments ---

static lim_code open_files(lim_recorder *r, const lim_snapshot *m, lim_error *err) {
  lim_code code = lim_directory_make(r->setup.directory, err);
  if (code == LIM_OK) code = lim_directory_lock(&r->folder, r->setup.directory, err);
  if (code != LIM_OK) return code;
  r->opened = true;
  r->archive.file = -1;
  r->flushed = now() - FLUSH; // the first record is stored at once
  code = lim_csv_file_start(&r->csv, r->setup.directory, r->channels, err);
  if (code == LIM_OK) code = lim_archive_start(&r->archive, "simulate", &r->setup, r->channels, m, err);
  return code;
}

static lim_code start(lim_recorder *r, const lim_snapshot *m, lim_error *err) {
  lim_code code = lim_channels_new(&r->channels, m->system, err);
  if (code != LIM_OK) return code;
  r->summary = lim_summary_new(r->channels->count);
  r->value = calloc((size_t)r->channels->count + 1, sizeof *r->value);
  r->history.channels = r->channels->count;
  if (!r->summary || !r->value || !lim_gains_list(&r->gains, m->equations->inputs)) return lim_no_memory(err);
  lim_tail_start(&r->tail, m);
  code = lim_utilisation_new(&r->utilisation, m->system, err);
  if (code != LIM_OK) return code;
  return r->setup.directory ? open_files(r, m, err) : LIM_OK;
}

static bool remember(lim_recorder *r, double balance) {
  size_t n = (size_t)r->summary->moments;
  if (!LIM_GROW(r->energy_balance, r->capacity, n)) return false;
  r->energy_balance[n] = balance;
  return true;
}

// energy.balance is over the peak of kinetic plus strain energy: until the end over the peak so far.
static lim_code balance_books(lim_recorder *r, const lim_snapshot *m, lim_error *err) {
  int k = r->channels->balance;
  if (k < 0) return LIM_OK;
  r->peak = fmax(r->peak, m->energy_balance.kinetic + m->energy_balance.strain);
  double scale = r->peak > 0 ? 1 / r->peak : 0;
  r->summary->entry[k].scale = scale;
  if (r->opened && !remember(r, r->value[k])) return lim_no_memory(err);
  return LIM_OK;
}

static lim_code flush(lim_recorder *r, lim_error *err) {
  double time = now();
  if (time - r->flushed < FLUSH) return LIM_OK;
  r->flushed = time;
  lim_code code = lim_csv_file_flush(&r->csv, err);
  return code == LIM_OK ? lim_archive_flush(&r->archive, err) : code;
}

static lim_code write_row(lim_recorder *r, const lim_snapshot *m, lim_error *err) {
  int k = r->channels->balance;
  if (k >= 0) r->value[k] *= r->summary->entry[k].scale;
  lim_code code = lim_csv_file_row(&r->csv, m->t, r->value, err);
  double duration = r->setup.model->solver.duration;
  if (code == LIM_OK) code = lim_archive_row(&r->archive, m, r->value, duration, err);
  if (code == LIM_OK) code = flush(r, err);
  r->failed = code != LIM_OK;
  return code;
}

lim_code lim_recorder_record(void *recorder, const lim_snapshot *m, lim_error *err) {
  lim_recorder *r = recorder;
  lim_code code = r->channels ? LIM_OK : start(r, m, err);
  if (code != LIM_OK) return code;
  lim_channels_evaluate(r->value, r->channels, m);
  lim_utilisation_see(r->utilisation, m, err);
  code = balance_books(r, m, err);
  if (code == LIM_OK) code = lim_tail_add(&r->tail, m, err);
  if (code == LIM_OK && r->setup.keep && !lim_history_add(&r->history, m->t, r->value))
    code = lim_no_memory(err);
  if (code == LIM_OK) lim_summary_add(r->summary, m->t, r->value);
  return code == LIM_OK && r->opened ? write_row(r, m, err) : code;
}

// --- end ---

// Now that the peak is known: the column energy.balance once more.
static lim_code finish_books(lim_recorder *r, lim_error *err) {
  int k = r->channels->balance;
  if (k < 0) return LIM_OK;
  double scale = r->summary->entry[k].scale;
  lim_code code = lim_csv_file_replace(&r->csv, k, r->energy_balance, scale, err);
  return code == LIM_OK ? lim_archive_replace(&r->archive, k, r->energy_balance, scale, err) : code;
}

static lim_code write_summary(lim_recorder *r, const lim_run *run, lim_error *err) {
  lim_draft draft = {NULL, NULL};
  lim_text text = {0};
  lim_recorder_json(&text, r, run, err);
  lim_code code =
      text.failed ? lim_no_memory(err) : lim_draft_start(&draft, r->setup.directory, "summary.json", err);
  if (code == LIM_OK) code = lim_draft_write(&draft, text.text, err);
  lim_draft_free(&draft);
  lim_text_free(&text);
  return code;
}

static lim_code finish_archive(lim_recorder *r, const lim_run *run, const char *message, lim_error *err) {
  lim_text tables = {0};
  lim_tables_of_run(&tables, r->channels, r->summary, &r->residual, r->setup.model->plan);
  lim_code code = tables.failed
                      ? lim_no_memory(err)
                      : lim_archive_close(&r->archive, r->setup.model, run, message, tables.text, err);
  lim_text_free(&tables);
  return code;
}

lim_code lim_recorder_end(lim_recorder *r, const lim_run *run, lim_error *err) {
  const char *message = run->status == LIM_RUN_FAILED && err && err->kept ? err->note[0].text : NULL;
  if (!r->summary || !r->summary->moments) return LIM_OK;
  lim_code code = lim_residual_of(&r->residual, &r->tail, r->setup.settle, err);
  if (!r->opened || r->failed) return code;
  if (code == LIM_OK) code = lim_csv_file_close(&r->csv, err);
  if (code == LIM_OK) code = finish_books(r, err);
  if (code == LIM_OK) code = finish_archive(r, run, message, err);
  if (code == LIM_OK) code = lim_draft_keep(&r->csv.draft, err);
  if (code == LIM_OK) code = lim_draft_keep(&r->archive.draft, err);
  if (code == LIM_OK) code = write_summary(r, run, err);
  close_files(r, code != LIM_OK);
  return code;
}

// --- the answer ---

const lim_channels *lim_recorder_channels(const lim_recorder *r) { return r->channels; }
const lim_summary *lim_recorder_summary(const lim_recorder *r) { return r->summary; }
const lim_history *lim_recorder_history(const lim_recorder *r) { return &r->history; }

const char *lim_run_status_text(lim_run_status status) {
  return status == LIM_RUN_DONE ? "done" : status == LIM_RUN_FAILED ? "failed" : "interrupted";
}

static void number(lim_json *j, const char *key, double x) {
  lim_json_key(j, key);
  lim_json_number(j, x);
}

static void text(lim_json *j, const char *key, const char *value) {
  lim_json_key(j, key);
  lim_json_text(j, value);
}

static double peak_time(const lim_summary *s, int i) { return s->entry[i].peak_time; }

static void per_channel(lim_json *j, const char *key, const lim_recorder *r,
                        double (*of)(const lim_summary *, int)) {
  int count = r->summary && r->summary->moments ? r->channels->count : 0;
  lim_json_key(j, key);
  lim_json_object(j);
  for (int i = 0; i < count; i++) {
    number(j, r->channels->channel[i].name, of(r->summary, i));
    lim_json_unit(j, of == peak_time ? "s" : r->channels->channel[i].unit);
  }
  lim_json_end(j, '}');
}

static void about_run(lim_json *j, const lim_recorder *r, const lim_run *run) {
  const lim_model *m = r->setup.model;
  char word[LIM_WORD];
  text(j, "model", m->title ? m->title : "");
  text(j, "version", LIM_VERSION);
  text(j, "mode", lim_word_at(word, "solver.mode", (int)lim_solver_mode(&m->solver)));
  text(j, "method", lim_word_at(word, "solver.method", m->solver.method));
  if (m->solver.adaptive)
    text(j, "step", "auto");
  else
    number(j, "step", m->solver.step);
  number(j, "duration", m->solver.duration);
  text(j, "status", lim_run_status_text(run->status));
  number(j, "end", run->end);
}

static void about_residual(lim_json *j, const lim_residual *x) {
  char channel[LIM_CHANNEL_FULL];
  if (!x->there) return;
  lim_json_key(j, "residual");
  lim_json_object(j);
  number(j, "start", x->start);
  snprintf(channel, sizeof channel, "%s.position", x->frame);
  text(j, "frame", x->frame);
  text(j, "channel", channel);
  lim_json_key(j, "level");
  lim_json_numbers(j, x->level, 3);
  lim_json_key(j, "error_level");
  lim_json_numbers(j, x->error, 3);
  number(j, "amplitude", x->amplitude);
  lim_json_key(j, "direction");
  lim_json_numbers(j, x->direction, 3);
  lim_json_key(j, "axis_amplitudes");
  lim_json_numbers(j, x->axis, 3);
  lim_json_key(j, "frequencies_hz");
  lim_json_numbers(j, x->frequency, x->nfrequency);
  lim_json_key(j, "frequency_amplitudes");
  lim_json_numbers(j, x->line, x->nfrequency);
  number(j, "damping_ratio", x->damping);
  number(j, "band", x->band);
  number(j, "settling_time", x->settling_time);
  lim_json_end(j, '}');
}

void lim_recorder_entries(lim_json *j, const lim_recorder *r, const lim_run *run) {
  about_run(j, r, run);
  lim_json_key(j, "steps");
  lim_json_int(j, run->steps);
  lim_json_key(j, "iterations");
  lim_json_int(j, run->iterations);
  lim_json_key(j, "records");
  lim_json_int(j, r->summary ? r->summary->moments : 0);
  number(j, "wall_s", run->wall);
  number(j, "energy_balance_percent_rms", run->balance_percent_rms);
  if (run->has_energy_balance) lim_json_unit(j, "%");
  if (run->constraints) {
    lim_json_key(j, "constraints");
    lim_json_int(j, run->constraints);
    lim_json_key(j, "redundant_constraints");
    lim_json_int(j, run->redundant);
    number(j, "constraint_gap", run->gap);
    number(j, "constraint_speed", run->opening);
  }
  per_channel(j, "final", r, lim_summary_final);
  per_channel(j, "peak", r, lim_summary_peak);
  per_channel(j, "peak_time", r, peak_time);
  per_channel(j, "rms", r, lim_summary_rms);
  lim_utilisation_json(j, r->utilisation);
  about_residual(j, &r->residual);
  lim_gains_json(j, &r->gains);
  lim_trace_json(j, r->setup.model->plan);
}

void lim_recorder_message(lim_json *j, const lim_error *err) {
  if (err && err->kept) text(j, "message", err->note[0].text);
}

void lim_recorder_json(lim_text *out, const lim_recorder *r, const lim_run *run, const lim_error *err) {
  lim_json j = lim_json_start(out);
  lim_json_object(&j);
  lim_recorder_entries(&j, r, run);
  if (run->status == LIM_RUN_FAILED) lim_recorder_message(&j, err);
  lim_json_warnings(&j, err);
  lim_json_end(&j, '}');
  lim_text_add(out, "\n");
}

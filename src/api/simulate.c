// simulate.c - the motion in time: lim_study_simulate of limber.h.
#include "analysis/simulation/simulate.h"
#include "api/api.h"
#include "report/report.h"
#include "store/accuracy.h"

#include <math.h>

// One run.
typedef struct {
  const lim_model *model;
  lim_recorder *recorder;
  lim_run run;
  lim_simulate_options o;
  lim_accuracy *error; // NULL: not asked for
} job;

static lim_code record(void *user, const lim_snapshot *m, lim_error *err) {
  return lim_recorder_record(((job *)user)->recorder, m, err);
}

static void progress(void *user, double t, double duration) {
  const lim_hooks *hooks = &((job *)user)->o.hooks;
  hooks->progress(hooks->user, "simulating", t / duration);
}

static void estimating(void *user, const char *what, double t, double duration) {
  const lim_hooks *hooks = &((job *)user)->o.hooks;
  hooks->progress(hooks->user, what, t / duration);
}

static bool recorded(const job *j) {
  const lim_summary *s = j->recorder ? lim_recorder_summary(j->recorder) : NULL;
  return s && s->moments > 0;
}

static lim_code run_job(job *j, lim_error *err) {
  lim_recorder_setup setup = lim_recorder_setup_of(j->model, j->o.folder);
  setup.settle = (lim_settle){j->o.settle, j->o.settle_share};
  setup.keep = j->o.error || j->o.record;
  lim_code code = lim_recorder_new(&j->recorder, &setup, err);
  if (code != LIM_OK) return code;
  lim_simulate_hooks hooks = {
      .record = record, .user = j, .progress = j->o.hooks.progress ? progress : NULL, .stop = j->o.hooks.stop};
  code = lim_simulate(&j->run, j->model, j->model->origin.folder, &hooks, err);
  lim_code ended = lim_recorder_end(j->recorder, &j->run, err);
  if (code == LIM_OK) code = ended;
  if (j->o.folder && ended == LIM_OK && recorded(j)) ended = lim_report_folder(j->o.folder, err);
  if (code == LIM_OK) code = ended;
  if (code == LIM_OK && j->run.status == LIM_RUN_INTERRUPTED)
    code =
        LIM_FAIL(err, LIM_FAILED, "interrupted at t = %g s; what was computed until then is kept", j->run.end);
  return code;
}

// Errors of the numbers.
static lim_code estimate(job *j, lim_error *err) {
  lim_accuracy_setup setup = {.model = j->model,
                              .directory = j->model->origin.folder,
                              .recorder = j->recorder,
                              .stop = j->o.hooks.stop,
                              .progress = j->o.hooks.progress ? estimating : NULL,
                              .user = j};
  return lim_accuracy_new(&j->error, &setup, err);
}

// --- the answer ---

static void json_errors(lim_json *out, const job *j) {
  const lim_channels *c = lim_recorder_channels(j->recorder);
  static const char *const kind[2] = {"final", "peak"};
  const double *value[2] = {j->error->final, j->error->peak};
  lim_json_key(out, "error");
  lim_json_object(out);
  for (int k = 0; k < 2; k++) {
    lim_json_key(out, kind[k]);
    lim_json_object(out);
    for (int i = 0; i < c->count; i++) lim_put_number(out, c->channel[i].name, value[k][i]);
    lim_json_end(out, '}');
  }
  lim_json_end(out, '}');
}

// All values; energy.balance over the peak energy, as in the files.
static void json_channels(lim_json *out, const job *j) {
  const lim_channels *c = lim_recorder_channels(j->recorder);
  const lim_history *h = lim_recorder_history(j->recorder);
  const lim_summary *s = lim_recorder_summary(j->recorder);
  lim_put_numbers(out, "time", h->time, (int)h->count);
  lim_json_unit(out, "s");
  lim_json_key(out, "channels");
  lim_json_object(out);
  for (int i = 0; i < c->count; i++) {
    lim_json_key(out, c->channel[i].name);
    lim_json_flat(out);
    for (long k = 0; k < h->count; k++) lim_json_number(out, h->value[k * h->channels + i] * s->entry[i].scale);
    lim_json_end(out, ']');
    lim_json_unit(out, c->channel[i].unit);
  }
  lim_json_end(out, '}');
}

static void fill(lim_call *call, const job *j) {
  lim_json json = lim_call_json(call);
  lim_recorder_entries(&json, j->recorder, &j->run);
  if (j->error) json_errors(&json, j);
  if (j->o.record) json_channels(&json, j);
  if (j->run.status == LIM_RUN_FAILED) lim_recorder_message(&json, &call->own);
  lim_call_close(call, &json);
}

lim_code lim_study_simulate(lim_answer **out, const lim_study *study, const lim_simulate_options *options,
                            lim_error *err) {
  if (!study) return lim_call_refuse(out, err);
  lim_call call = lim_call_start(out, &study->said, err);
  job j = {.o = lim_simulate_options_default(),
           .run = {.status = LIM_RUN_FAILED, .bend_link = -1, .pull_link = -1, .unstiffened_link = -1}};
  lim_call_options(&call, &j.o, options);
  if (call.code == LIM_OK) {
    j.model = &study->model;
    call.code = run_job(&j, &call.own);
  }
  if (call.code == LIM_OK && j.o.error && recorded(&j)) call.code = estimate(&j, &call.own);
  if (recorded(&j)) fill(&call, &j);
  lim_recorder_free(j.recorder);
  lim_accuracy_free(j.error);
  return lim_call_end(&call);
}

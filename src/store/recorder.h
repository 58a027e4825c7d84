// recorder.h - what happens to the recorded moments of a run: channels in DIR/channels.csv and DIR/result.h5,
// their summary in memory and in DIR/summary.json. Reference: docs/reference/channels.md.
//
//   lim_recorder_new(&r, &setup, err);
//   hooks.record = lim_recorder_record, hooks.user = r;     // channels and files are made at the first moment
//   code = lim_simulate(&run, model, directory, &hooks, err);
//   lim_recorder_end(r, &run, err);                         // also after a failed or interrupted run
//   lim_recorder_json(out, r, &run, err);                   // the answer of --json
//   lim_recorder_free(r);
//
// While a run lasts its files are called DIR/*.part and are flushed about every second; lim_recorder_end gives
// them their names. A recorder that is freed without end leaves no file.
#ifndef LIM_STORE_RECORDER_H
#define LIM_STORE_RECORDER_H

#include "base/json.h"
#include "channel/channels.h"
#include "drive/gains.h"
#include "signal/history.h"
#include "signal/settling.h"
#include "signal/summary.h"

typedef struct lim_recorder lim_recorder;

// All is the caller's and must outlive the recorder.
typedef struct {
  const lim_model *model;
  const char *directory;  // where files go, made if missing; NULL: nothing is written
  const char *text;       // the model file as it was read, for result.h5; NULL: not known
  const char *const *set; // overrides of it (nset)
  int nset;
  lim_settle settle; // of the tip; zeros: two percent of the peak of tip.error
  bool keep;         // all values, for lim_recorder_history
} lim_recorder_setup;

// With what the model was read from.
lim_recorder_setup lim_recorder_setup_of(const lim_model *model, const char *directory);

lim_code lim_recorder_new(lim_recorder **out, const lim_recorder_setup *setup, lim_error *err);
void lim_recorder_free(lim_recorder *r);

// lim_simulate_hooks.record, with the recorder as user. The first moment resolves outputs.channels
// (LIM_BAD_INPUT with a place in the model file for each unknown name) and then opens the files.
lim_code lim_recorder_record(void *recorder, const lim_snapshot *m, lim_error *err);

// Finish: files get their names, replacing those of an earlier run. Does nothing where no moment was recorded.
// What err already says is kept in result.h5 as the message of a failed run.
lim_code lim_recorder_end(lim_recorder *r, const lim_run *run, lim_error *err);

// What was recorded: NULL before the first moment. Holds until lim_recorder_free.
const lim_channels *lim_recorder_channels(const lim_recorder *r);
const lim_summary *lim_recorder_summary(const lim_recorder *r);

// All values, where setup.keep asked for them; energy.balance in joules.
const lim_history *lim_recorder_history(const lim_recorder *r);

// The answer of simulate, which is also summary.json: one object and a line end, with the warnings of err. For
// further entries: its entries alone, into an object that is open.
void lim_recorder_json(lim_text *out, const lim_recorder *r, const lim_run *run, const lim_error *err);
void lim_recorder_message(lim_json *j, const lim_error *err); // why a run failed
void lim_recorder_entries(lim_json *j, const lim_recorder *r, const lim_run *run);

// "done", "failed", "interrupted".
const char *lim_run_status_text(lim_run_status status);

#endif

// recorded_fixture.h - runs through the public interface, whose channels are looked at by name.
#ifndef RECORDED_FIXTURE_H
#define RECORDED_FIXTURE_H

#include "fixture.h"

#include "limber/limber.h"
#include "verification/table_fixture.h"

typedef struct {
  lim_model *model;
  lim_study *study;
  lim_answer *answer;
  const double *t; // (count)
  int count;
} recorded;

// A run that has to succeed, with overrides up to the first NULL. End with recorded_free.
static inline recorded record_run(const char *text, const char *const *set) {
  int count = 0;
  while (set && set[count]) count++;
  recorded r = {.model = parse_with(text, set, count)};
  lim_error err = {0};
  lim_simulate_options options = lim_simulate_options_default();
  options.record = 1;
  lim_code code = lim_study_new(&r.study, r.model, &err);
  if (code == LIM_OK) code = lim_study_simulate(&r.answer, r.study, &options, &err);
  if (code != LIM_OK) {
    print_notes(&err);
    fail_msg("the simulation failed");
  }
  lim_error_clear(&err);
  r.t = lim_answer_array(r.answer, "time", &r.count);
  assert_true(r.count > 0);
  return r;
}

static inline void recorded_free(recorded *r) {
  lim_answer_free(r->answer);
  lim_study_free(r->study);
  lim_model_free(r->model);
}

// All values of a channel, which has to be there (r->count).
static inline const double *recorded_channel(const recorded *r, const char *name) {
  char path[160];
  int count = 0;
  snprintf(path, sizeof path, "channels[\"%s\"]", name);
  const double *x = lim_answer_array(r->answer, path, &count);
  if (!x || count != r->count) fail_msg("there is no channel '%s'", name);
  return x;
}

// The three of a vector: "momentum.linear" is .x, .y, .z.
static inline void recorded_vector(const double *out[3], const recorded *r, const char *name) {
  for (int k = 0; k < 3; k++) {
    char full[128];
    snprintf(full, sizeof full, "%s.%c", name, "xyz"[k]);
    out[k] = recorded_channel(r, full);
  }
}

#endif

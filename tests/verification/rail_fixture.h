// rail_fixture.h - carriages on rails that bend, for the tests: texts of models, questions through the public
// interface, deflections of beams in closed form.
#ifndef RAIL_FIXTURE_H
#define RAIL_FIXTURE_H

#include "recorded_fixture.h"

// --- texts ---

// A text with numbers in it; the buffers go round, and the last sixteen texts are good.
__attribute__((format(printf, 1, 2))) static inline const char *text(const char *format, ...) {
  static char buffer[16][4096];
  static int next = 0;
  char *out = buffer[next++ % 16];
  va_list list;
  va_start(list, format);
  const int length = vsnprintf(out, sizeof buffer[0], format, list);
  va_end(list);
  assert_true(length < (int)sizeof buffer[0]);
  return out;
}

// --- questions ---

typedef struct {
  lim_model *model;
  lim_study *study;
  lim_answer *answer;
} asked;

static inline asked ask_about(const char *model, const char *const *set) {
  int count = 0;
  while (set && set[count]) count++;
  asked a = {.model = parse_with(model, set, count)};
  lim_error err = {0};
  if (lim_study_new(&a.study, a.model, &err) != LIM_OK) {
    print_notes(&err);
    fail_msg("the model failed");
  }
  lim_error_clear(&err);
  return a;
}

static inline void answered(lim_code code, lim_error *err, const char *what) {
  if (code != LIM_OK) {
    print_notes(err);
    fail_msg("%s failed", what);
  }
  lim_error_clear(err);
}

// End both with asked_free.
static inline asked ask_static(const char *model, const char *const *set) {
  asked a = ask_about(model, set);
  lim_error err = {0};
  answered(lim_study_static(&a.answer, a.study, NULL, &err), &err, "static");
  return a;
}

static inline asked ask_modes(const char *model, const char *const *set, int count) {
  asked a = ask_about(model, set);
  lim_error err = {0};
  lim_modes_options options = lim_modes_options_default();
  options.count = count;
  answered(lim_study_modes(&a.answer, a.study, &options, &err), &err, "modes");
  return a;
}

static inline void asked_free(asked *a) {
  lim_answer_free(a->answer);
  lim_study_free(a->study);
  lim_model_free(a->model);
}

// Three numbers of an answer, which have to be there.
static inline const double *three(const asked *a, const char *path) {
  int count = 0;
  const double *x = lim_answer_array(a->answer, path, &count);
  if (!x || count != 3) fail_msg("there is no '%s'", path);
  return x;
}

static inline const double *displacement(const asked *a, const char *frame) {
  return three(a, text("frames[\"%s\"].displacement", frame));
}

static inline const double *rotation(const asked *a, const char *frame) {
  return three(a, text("frames[\"%s\"].rotation", frame));
}

// --- beams in closed form: Euler and Bernoulli's, of length L, under a unit force at a, with EI = 1 ---

typedef struct {
  const char *name;
  double (*deflection)(double x, double a, double L); // at x
  double (*slope)(double a, double L);                // under the force
  double (*twist)(double a, double L);                // there, under a unit torque, with GJ = 1
} rail_support;

static inline double cantilever_deflection(double x, double a, double L) {
  (void)L;
  return x <= a ? x * x * (3 * a - x) / 6 : a * a * (3 * x - a) / 6;
}

static inline double cantilever_slope(double a, double L) {
  (void)L;
  return a * a / 2;
}

static inline double held_at_one_end(double a, double L) {
  (void)L;
  return a;
}

static inline double pinned_deflection(double x, double a, double L) {
  const double b = L - a;
  return x <= a ? b * x * (L * L - b * b - x * x) / (6 * L)
                : a * (L - x) * (2 * L * x - x * x - a * a) / (6 * L);
}

static inline double pinned_slope(double a, double L) {
  const double b = L - a;
  return b * (L * L - b * b - 3 * a * a) / (6 * L);
}

static inline double clamped_deflection(double x, double a, double L) {
  if (x > a) return clamped_deflection(L - x, L - a, L);
  const double b = L - a;
  return b * b * x * x * (3 * a * L - (3 * a + b) * x) / (6 * L * L * L);
}

static inline double clamped_slope(double a, double L) {
  const double b = L - a;
  return a * a * b * b * (b - a) / (2 * L * L * L);
}

static inline double held_at_both_ends(double a, double L) { return a * (L - a) / L; }

static const rail_support rail_cantilever = {"cantilever", cantilever_deflection, cantilever_slope,
                                             held_at_one_end},
                          rail_pinned = {"simply supported", pinned_deflection, pinned_slope, held_at_one_end},
                          rail_clamped = {"clamped at both ends", clamped_deflection, clamped_slope,
                                          held_at_both_ends};

#endif

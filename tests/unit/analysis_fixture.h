// analysis_fixture.h - models as text for the tests of src/analysis, and what static and modes say about them.
#ifndef ANALYSIS_FIXTURE_H
#define ANALYSIS_FIXTURE_H

#include "link_fixture.h"

#include "analysis/overview.h"
#include "analysis/statics/static.h"
#include "analysis/vibration/modes.h"

#define HEAD "limber: 1\ngravity: [0, 0, 0]\n" MATERIAL SECTION
// A link held by its joint; more entries of the link may follow in its indentation.
#define ARM HEAD "drives: {arm: {type: prescribed}}\nlinks:\n  - name: arm\n    " BEAM "\n"

// --- static ---

typedef struct {
  lim_model *model;
  lim_static *s;
} rest;

// To first order, as the closed forms are: bending does not shorten the links.
static inline rest rest_of(const char *text) {
  rest r = {.model = parse(text)};
  r.model->solver.stiffening = 0;
  lim_error err = {0};
  if (lim_static_new(&r.s, r.model, NULL, &err) != LIM_OK) fail_msg("%s", err.note[0].text);
  return r;
}

static inline void rest_free(rest r) {
  lim_static_free(r.s);
  lim_model_free(r.model);
}

static inline const lim_static_frame *frame_of(rest r, const char *name) {
  for (int i = 0; i < r.s->frames.count; i++)
    if (!strcmp(r.s->frames.item[i].name, name)) return &r.s->frames.item[i];
  fail_msg("no frame '%s'", name);
  return NULL;
}

static const double TIGHT = 1e-9;

static inline void near3(const double x[3], double a, double b, double c, int line) {
  double size = fmax(fabs(a), fmax(fabs(b), fabs(c))), expected[3] = {a, b, c};
  for (int i = 0; i < 3; i++)
    if (!(fabs(x[i] - expected[i]) <= TIGHT * size))
      fail_msg("line %d: component %d is %.12g, expected %.12g", line, i, x[i], expected[i]);
}
#define NEAR3(x, a, b, c) near3((x), (a), (b), (c), __LINE__)

// --- modes ---

typedef struct {
  lim_model *model;
  lim_modes *m;
} vibes;

static inline vibes vibes_of(const char *text, lim_joints joints, int count) {
  vibes v = {.model = parse(text)};
  lim_error err = {0};
  if (lim_modes_new(&v.m, v.model, NULL, joints, count, &err) != LIM_OK) fail_msg("%s", err.note[0].text);
  return v;
}

static inline void vibes_free(vibes v) {
  lim_modes_free(v.m);
  lim_model_free(v.model);
}

static inline double hertz(vibes v, int i) {
  assert_true(i < v.m->modes.count);
  return v.m->modes.item[i].frequency;
}

// The one message of an analysis that refuses the model.
static inline void assert_refused(const char *text, const char *message, bool modes) {
  lim_model *m = parse(text);
  lim_error err = {0};
  lim_static *s = NULL;
  lim_modes *v = NULL;
  lim_code code =
      modes ? lim_modes_new(&v, m, NULL, LIM_JOINTS_DEFAULT, 3, &err) : lim_static_new(&s, m, NULL, &err);
  assert_int_equal(code, LIM_BAD_INPUT);
  assert_true(!s && !v);
  assert_int_equal(err.count, 1);
  if (!strstr(err.note[0].text, message)) fail_msg("'%s' lacks '%s'", err.note[0].text, message);
  assert_true(err.note[0].line > 0);
  lim_error_clear(&err);
  lim_model_free(m);
}

#endif

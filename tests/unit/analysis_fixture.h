// analysis_fixture.h - models as text for the tests of src/analysis: one link of constants that are easy to
// check by hand, and what static and modes say about it.
#ifndef ANALYSIS_FIXTURE_H
#define ANALYSIS_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/modes.h"
#include "analysis/overview.h"
#include "analysis/static.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// The link of most tests, as in HEAD below.
static const double E = 70e9, G = 28e9, RHO = 2000, L = 0.5;                  // [Pa] [Pa] [kg/m^3] [m]
static const double A = 2e-4, IY = 4e-9, IZ = 1e-9, J = 3e-9;                 // [m^2] [m^4]
static const double SHEAR_Y = 0.8 * 28e9 * 2e-4, SHEAR_Z = 0.7 * 28e9 * 2e-4; // kappa G A [N]
static const double SIZE_Y = 10e-3, SIZE_Z = 20e-3;                           // [m]

#define MATERIAL "materials: {m: {E: 70 GPa, nu: 0.25, rho: 2000}}\n"
#define SECTION                                                                                                \
  "sections: {s: {shape: general, A: 200 mm^2, Iy: 4000 mm^4, Iz: 1000 mm^4, J: 3000 mm^4,\n"                  \
  "  kappa: [0.8, 0.7], y: 10 mm, z: 20 mm}}\n"
#define HEAD "limber: 1\ngravity: [0, 0, 0]\n" MATERIAL SECTION
#define BEAM "beam: {length: 500 mm, section: s, material: m, elements: 3}"
// A link held by its joint; more entries of the link may follow in its indentation.
#define ARM HEAD "drives: {arm: {type: prescribed}}\nlinks:\n  - name: arm\n    " BEAM "\n"

#define NEAR(a, b, tolerance) assert_near((a), (b), (tolerance), __LINE__)

// Relative to the expected value, or absolute where that is 0.
static inline void assert_near(double computed, double expected, double tolerance, int line) {
  double error = expected != 0 ? computed / expected - 1 : computed;
  if (fabs(error) <= tolerance) return;
  fail_msg("line %d: %.12g, expected %.12g", line, computed, expected);
}

static inline lim_model *parse(const char *text) {
  lim_model *m = NULL;
  lim_error err = {0};
  lim_code code = lim_model_parse(&m, text, (long)strlen(text), "test.yaml", NULL, 0, &err);
  if (code != LIM_OK)
    fail_msg("%s (line %d)", err.kept ? err.note[0].text : "?", err.kept ? err.note[0].line : 0);
  return m;
}

// --- static ---

typedef struct {
  lim_model *model;
  lim_static *s;
} rest;

static inline rest rest_of(const char *text) {
  rest r = {.model = parse(text)};
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

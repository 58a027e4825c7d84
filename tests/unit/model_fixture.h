// model_fixture.h - models from text, for the tests of src/model.
#ifndef LIM_TESTS_MODEL_FIXTURE_H
#define LIM_TESTS_MODEL_FIXTURE_H

#include "fixture.h"

#define MATERIALS "materials: {alu: {E: 70 GPa, rho: 2700}}\n"
#define SECTIONS  "sections: {rod: {shape: circle, diameter: 10 mm}}\n"
#define BEAM      "beam: {length: 2 m, section: rod, material: alu}"

// An arm of one rigid link on joint 'shoulder'.
#define RIGID "limber: 1\nlinks:\n  - {name: arm, joint: {name: shoulder}, body: {mass: 1}}\n"

// The model is refused with one message.
static inline void refuse_with(const char *text, const char *set, const char *message) {
  lim_error err = {0};
  lim_model *m;
  assert_int_equal(lim_model_parse(&m, text, (long)strlen(text), "test.yaml", &set, set != NULL, &err),
                   LIM_BAD_INPUT);
  assert_null(m);
  assert_int_equal(err.count, 1);
  assert_string_equal(err.note[0].text, message);
  lim_error_clear(&err);
}

static inline void refuse(const char *text, const char *message) { refuse_with(text, NULL, message); }

static inline void assert_near(double x, double expected) {
  if (!(fabs(x - expected) <= 1e-14 * fabs(expected))) fail_msg("%.17g, expected %.17g", x, expected);
}

static inline void assert_vector(const double *x, double a, double b, double c) {
  assert_near(x[0], a);
  assert_near(x[1], b);
  assert_near(x[2], c);
}

#endif

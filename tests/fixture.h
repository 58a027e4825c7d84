// fixture.h - what tests of every folder share: cmocka and what it needs before it, models from text, noise.
#ifndef LIM_TESTS_FIXTURE_H
#define LIM_TESTS_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline void print_notes(const lim_error *err) {
  for (int i = 0; i < err->kept; i++)
    print_error("%s:%d:%d: %s\n", err->note[i].file, err->note[i].line, err->note[i].column, err->note[i].text);
}

// A model that has to be read, with overrides as on the command line, "solver.step=1 ms". The caller frees it.
static inline lim_model *parse_with(const char *text, const char *const *set, int nset) {
  lim_model *m = NULL;
  lim_error err = {0};
  lim_code code = lim_model_parse(&m, text, (long)strlen(text), "test.yaml", set, nset, &err);
  print_notes(&err);
  lim_error_clear(&err);
  assert_int_equal(code, LIM_OK);
  assert_non_null(m);
  return m;
}

static inline lim_model *parse(const char *text) { return parse_with(text, NULL, 0); }

// Evenly spread over -1..1.
static inline double noise(unsigned *seed) {
  *seed = *seed * 1664525u + 1013904223u;
  return (double)(*seed >> 8) / (1 << 24) * 2 - 1;
}

static inline void fill(double *x, int n, double size, unsigned *seed) {
  for (int i = 0; i < n; i++) x[i] = size * noise(seed);
}

#endif

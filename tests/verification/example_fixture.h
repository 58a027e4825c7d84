// example_fixture.h - models of models/ for the tests of the pages in docs/examples/, asked through the public
// interface.
#ifndef EXAMPLE_FIXTURE_H
#define EXAMPLE_FIXTURE_H

#include "rail_fixture.h"

// The text of a model file; it stays good until the next one is read.
static inline const char *example(const char *path) {
  static char model[32768];
  FILE *f = fopen(path, "r");
  if (!f) fail_msg("there is no '%s'", path);
  const size_t length = fread(model, 1, sizeof model - 1, f);
  assert_true(feof(f));
  fclose(f);
  model[length] = 0;
  return model;
}

static inline double example_largest(const recorded *r, const char *channel) {
  const double *x = recorded_channel(r, channel);
  double most = 0;
  for (int i = 0; i < r->count; i++) most = fmax(most, fabs(x[i]));
  return most;
}

#endif

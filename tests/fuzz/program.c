// program/program.c - fuzz target: any bytes as a robot program of a small arm.
#include "model/model.h"
#include "program/result.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char arm[] = "limber: 1\n"
                          "planar: xy\n"
                          "links:\n"
                          "  - {name: upper, joint: {name: shoulder}, body: {mass: 1, tip: [0.5, 0, 0]}}\n"
                          "  - {name: fore, joint: {name: elbow}, body: {mass: 1, tip: [0.4, 0, 0]}}\n"
                          "  - {name: hand, joint: {name: wrist}, body: {mass: 1, tip: [0.1, 0, 0]}}\n"
                          "configuration: {shoulder: 0.3, elbow: 0.8}\n"
                          "program: fuzz.lua\n";

// Modes like those of no arm.
static lim_code modes(void *user, lim_shaped_mode *mode, int n, const double *q, const lim_grip *grips,
                      int count, lim_error *err) {
  (void)user, (void)q, (void)grips, (void)err;
  for (int i = 0; i < n; i++) mode[i] = (lim_shaped_mode){3.0 * (i + 1) + count, 0.01};
  return LIM_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  lim_error err = {0};
  lim_model *m;
  if (lim_model_parse(&m, arm, sizeof arm - 1, "arm.yaml", NULL, 0, &err) != LIM_OK) abort();
  const lim_program_setup setup = {
      .modes = modes, .text = (const char *)data, .length = size, .instructions = 3e5};
  const lim_code code = lim_program_run(m, &setup, &err);
  if ((code == LIM_OK) != (err.count == 0) || (code == LIM_OK) != (m->plan != NULL)) abort();
  lim_model_free(m);
  lim_error_clear(&err);
  return 0;
}

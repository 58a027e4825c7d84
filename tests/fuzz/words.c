// words.c - fuzz target: any text as a number with a unit, a unit, and an override, a value or names of
// channels.
#include "base/text.h"
#include "base/units/units.h"
#include "limber/limber.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A number that was read is finite, and reads the same when it is written without its unit.
static void number(const char *text) {
  static const char *const unit[] = {"", "m", "rad", "m|rad", "kg/m^3", "N m/rad", "Hz", "Pa", "%"};
  char bad[16], again[40];
  for (size_t i = 0; i < sizeof unit / sizeof *unit; i++) {
    double x = NAN, y = NAN;
    if (lim_number_parse(&x, text, unit[i], bad, sizeof bad) != LIM_NUMBER_OK) continue;
    if (!isfinite(x)) abort();
    snprintf(again, sizeof again, "%.17g", x);
    if (lim_number_parse(&y, again, unit[i], NULL, 0) != LIM_NUMBER_OK || y != x) abort();
  }
}

static void unit(const char *text) {
  lim_unit u;
  char bad[8];
  if (lim_unit_parse(&u, text, bad, sizeof bad) && !(u.factor > 0)) abort();
}

// As an override of a sound model: form has a %s for the text.
static void assignment(const char *form, const char *text) {
  static const char sound[] = "limber: 1\n"
                              "links: [{name: arm, joint: {name: hub}, body: {mass: 1, tip: [1, 0, 0]}}]\n"
                              "frames: [{name: eye, on: arm, xyz: [0.5, 0, 0]}]\n"
                              "drives: {hub: {type: servo, stiffness: 10}}\n";
  lim_error err = {0};
  lim_model *m;
  lim_sim *sim = NULL;
  lim_text line = {0};
  lim_text_add(&line, form, text);
  const char *set[] = {line.text};
  lim_code code = lim_model_parse(&m, sound, sizeof sound - 1, "arm.yaml", set, 1, &err);
  if (code == LIM_OK) code = lim_sim_new(&sim, m, NULL, &err);
  if ((code == LIM_OK) != (sim != NULL) || (code == LIM_OK) != (err.count == 0)) abort();
  for (int i = 0; sim && lim_sim_channel_name(sim, i); i++)
    if (lim_sim_channel(sim, lim_sim_channel_name(sim, i)) != i) abort();
  lim_sim_free(sim);
  lim_model_free(m);
  lim_text_free(&line);
  lim_error_clear(&err);
}

static void shown(const char *text) {
  char *copy = strdup(text);
  if (!copy) return;
  lim_text_clean(copy);
  for (const char *s = copy; *s; s += lim_text_letter(s))
    if (!lim_text_letter(s) || lim_text_steers(s)) abort();
  free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *text = calloc(1, size + 1);
  if (!text) return 0;
  if (size) memcpy(text, data, size);
  number(text);
  unit(text);
  shown(text);
  assignment(strchr("=+-.0123456789", *text) ? "links.arm.body.mass=%s" // a value, an expression
             : strchr(text, '=')             ? "%s"
                                             : "outputs.channels=[%s]",
             text);
  free(text);
  return 0;
}

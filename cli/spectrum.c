// spectrum.c - limber spectrum: the spectral density of a recorded channel.
#include "cli.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- options ---

static lim_code whole(int *out, int min, int max, const char *option, const char *value, lim_error *err) {
  char *end;
  long n = strtol(value, &end, 10);
  if (end == value || *end || n < min || n > max)
    return cli_fail(err, LIM_BAD_INPUT, "--%s is '%.40s', must be a whole number from %d to %d", option, value,
                    min, max);
  *out = (int)n;
  return LIM_OK;
}

static lim_code overlap(double *out, const char *value, lim_error *err) {
  char *end;
  *out = strtod(value, &end);
  if (end != value && !*end && *out >= 0 && *out <= 0.95) return LIM_OK;
  return cli_fail(err, LIM_BAD_INPUT, "--overlap is '%.40s', must be a number from 0 to 0.95", value);
}

// "2 %" of the peak, or a length.
static lim_code settle(cli_options *o, const char *value, lim_error *err) {
  o->settle = o->settle_share = 0;
  const bool share = strchr(value, '%') != NULL;
  double *x = share ? &o->settle_share : &o->settle;
  if (lim_quantity(x, value, share ? "" : "m", NULL) == LIM_OK && *x > 0) return LIM_OK;
  return cli_fail(err, LIM_BAD_INPUT,
                  "--settle is '%.40s', must be a positive share or length, such as '2 %%' or '0.1 mm'", value);
}

lim_code cli_spectrum_option(cli_options *o, const char *name, const char *value, lim_error *err) {
  lim_spectrum_options *u = &o->spectrum;
  if (!strcmp(name, "channel")) u->channel = value;
  if (!strcmp(name, "window")) u->window = value;
  if (!strcmp(name, "detrend")) u->detrend = value;
  if (!strcmp(name, "segments")) return whole(&u->segments, 1, LIM_SPECTRUM_SEGMENTS, name, value, err);
  if (!strcmp(name, "peaks")) return whole(&u->peaks, 0, LIM_SPECTRUM_PEAKS, name, value, err);
  if (!strcmp(name, "overlap")) return overlap(&u->overlap, value, err);
  return strcmp(name, "settle") ? LIM_OK : settle(o, value, err);
}

// --- the answer ---

// Pure numbers have no prefix.
static const char *quantity(char buffer[CLI_CELL], double x, const char *unit) {
  if (*unit && strcmp(unit, "-")) return cli_quantity(buffer, x, unit);
  snprintf(buffer, CLI_CELL, "%.5g", x);
  return buffer;
}

static void as_words(cli_text *out, const lim_answer *a, const char *output) {
  char buffer[CLI_CELL];
  static const char *const head[] = {"peak", "frequency [Hz]", "amplitude", "share"};
  const char *unit = lim_answer_unit(a, "channel");
  int segments = (int)lim_answer_number(a, "segments"), n = lim_answer_count(a, "peaks");
  cli_add(out, "%s: %.0f samples%s at %.6g Hz, %d segment%s, ", lim_answer_text(a, "channel"),
          lim_answer_number(a, "samples"),
          lim_answer_number(a, "resampled") > 0 ? " (resampled: times are uneven)" : "",
          lim_answer_number(a, "rate_hz"), segments, segments == 1 ? "" : "s");
  cli_add(out, "%s window, resolution %.4g Hz, rms %s\n\n", lim_answer_text(a, "window"),
          lim_answer_number(a, "resolution_hz"),
          quantity(buffer, sqrt(lim_answer_number(a, "variance")), unit));
  cli_table t = cli_table_start("rrrr");
  for (int i = 0; i < 4; i++) cli_table_cell(&t, "%s", head[i]);
  for (int i = 0; i < n; i++) {
    const lim_answer *x = lim_answer_item(a, "peaks", i);
    cli_table_cell(&t, "%d", i + 1);
    cli_table_cell(&t, "%.6g", lim_answer_number(x, "frequency_hz"));
    cli_table_cell(&t, "%s", quantity(buffer, lim_answer_number(x, "amplitude"), unit));
    cli_table_cell(&t, "%.3g %%", 100 * lim_answer_number(x, "share"));
  }
  cli_table_end(&t, out);
  if (!n) cli_add(out, "  no peak stands out\n");
  if (output) cli_add(out, "\n  written to %s\n", output);
}

static lim_code run(cli_text *out, const cli_options *o, lim_error *err) {
  lim_answer *a;
  lim_spectrum_options options = o->spectrum;
  options.output = o->output;
  if (o->nset) return cli_fail(err, LIM_BAD_INPUT, "spectrum takes no --set: the model has run already");
  lim_code code = lim_result_spectrum(&a, o->model, &options, &o->plot, err);
  if (code == LIM_OK && o->json) cli_say_json(out, a);
  if (code == LIM_OK && !o->json && !o->quiet) as_words(out, a, o->output);
  lim_answer_free(a);
  return code;
}

const cli_command cli_spectrum = {
    .name = "spectrum",
    .question = "which frequencies are in a recorded channel (spectral density, peaks)?",
    .arguments = "RESULT",
    .options = "channel window detrend segments overlap from to peaks title size",
    .words = 1,
    .output = CLI_OWN,
    .writes = "the density to PATH: a table (.csv) or a figure (.svg, .png, .pdf)",
    .run = run,
};

// spectrum.c - limber spectrum: the spectral density of a recorded channel.
#include "base/error.h"
#include "base/units.h"
#include "cli.h"
#include "names.h"
#include "report/figure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { UNIT = 160 };

// --- options ---

// Which of the names (the last is NULL) a value is.
static lim_code choose(int *out, const char *const *names, const char *option, const char *value,
                       lim_error *err) {
  lim_text list = {0};
  for (int i = 0; names[i]; i++) {
    if (!strcmp(names[i], value)) {
      *out = i;
      lim_text_free(&list);
      return LIM_OK;
    }
    lim_text_add(&list, "%s%s", i == 0 ? "" : names[i + 1] ? ", " : " or ", names[i]);
  }
  lim_code code =
      LIM_FAIL(err, LIM_BAD_INPUT, "--%s is '%.40s', must be %s", option, value, list.text ? list.text : "");
  lim_text_free(&list);
  return code;
}

static lim_code whole(int *out, int least, int most, const char *option, const char *value, lim_error *err) {
  char *end;
  long n = strtol(value, &end, 10);
  if (end == value || *end || n < least || n > most)
    return LIM_FAIL(err, LIM_BAD_INPUT, "--%s is '%.40s', must be a whole number from %d to %d", option, value,
                    least, most);
  *out = (int)n;
  return LIM_OK;
}

static lim_code overlap(double *out, const char *value, lim_error *err) {
  char *end;
  *out = strtod(value, &end);
  if (end != value && !*end && *out >= 0 && *out <= 0.95) return LIM_OK;
  return LIM_FAIL(err, LIM_BAD_INPUT, "--overlap is '%.40s', must be a number from 0 to 0.95", value);
}

// "2 %" of the peak, or a length.
static lim_code settle(cli_options *o, const char *value, lim_error *err) {
  o->settle = o->settle_share = 0;
  char bad[32];
  const bool share = strchr(value, '%') != NULL;
  double *x = share ? &o->settle_share : &o->settle;
  if (lim_number_parse(x, value, share ? "" : "m", bad, sizeof bad) == LIM_NUMBER_OK && *x > 0) return LIM_OK;
  return LIM_FAIL(err, LIM_BAD_INPUT,
                  "--settle is '%.40s', must be a positive share or length, such as '2 %%' or '0.1 mm'", value);
}

lim_code cli_spectrum_option(cli_options *o, const char *name, const char *value, lim_error *err) {
  lim_spectrum_setup *u = &o->spectrum;
  int choice = 0;
  lim_code code = LIM_OK;
  if (!strcmp(name, "channel")) o->channel = value;
  if (!strcmp(name, "window")) {
    code = choose(&choice, lim_window_names, name, value, err);
    u->window = (lim_window)choice;
  }
  if (!strcmp(name, "detrend")) {
    code = choose(&choice, lim_detrend_names, name, value, err);
    u->detrend = (lim_detrend)choice;
  }
  if (!strcmp(name, "segments")) code = whole(&u->segments, 1, LIM_SPECTRUM_SEGMENTS, name, value, err);
  if (!strcmp(name, "peaks")) code = whole(&u->peaks, 0, LIM_SPECTRUM_PEAKS, name, value, err);
  if (!strcmp(name, "overlap")) code = overlap(&u->overlap, value, err);
  if (!strcmp(name, "settle")) code = settle(o, value, err);
  return code;
}

// --- the channel ---

static lim_code several(const char *name, const lim_table *t, lim_error *err) {
  lim_text list = {0};
  for (int i = 0; i < t->count; i++)
    if (lim_table_selects(name, t->column[i].name))
      lim_text_add(&list, "%s%s", list.length ? ", " : "", t->column[i].name);
  lim_code code = list.length ? LIM_FAIL(err, LIM_BAD_INPUT, "'%s' is several channels; name one of them: %s",
                                         name, list.text)
                              : cli_unknown_channel(name, t, 1, err);
  lim_text_free(&list);
  return code;
}

static lim_code find_channel(int *out, const lim_table *t, const char *name, lim_error *err) {
  if (!name) {
    lim_text list = {0};
    cli_list_names(&list, t);
    lim_code code = LIM_FAIL(err, LIM_BAD_INPUT, "spectrum needs --channel NAME; %s has %s", t->path,
                             list.text ? list.text : "none");
    lim_text_free(&list);
    return code;
  }
  *out = lim_table_find(t, name);
  if (*out < 0) return several(name, t, err);
  if (*out == 0) return LIM_FAIL(err, LIM_BAD_INPUT, "'%s' is what the channels are recorded over", name);
  return LIM_OK;
}

// "m^2/Hz", "(N m)^2/Hz", "1/Hz"
static const char *density_unit(char room[UNIT], const char *unit) {
  const bool pure = !*unit || !strcmp(unit, "-"), product = strpbrk(unit, " /^*") != NULL;
  snprintf(room, UNIT, pure ? "1/Hz" : product ? "(%.100s)^2/Hz" : "%.100s^2/Hz", unit);
  return room;
}

// --- answers ---

static void as_csv(lim_text *out, const lim_spectrum *s, const char *unit) {
  lim_text_add(out, "frequency [Hz],density [%s]\n", unit);
  for (int i = 0; i < s->count; i++) lim_text_add(out, "%.17g,%.17g\n", s->frequency[i], s->density[i]);
}

static lim_code as_figure(lim_text *out, const lim_spectrum *s, const cli_options *o, const char *name,
                          const char *unit, lim_figure_format format, lim_error *err) {
  char axis[UNIT];
  snprintf(axis, sizeof axis, "density of %.100s", name);
  lim_curve curve = {.label = name, .x = s->frequency, .y = s->density, .count = s->count};
  lim_panel panel = {.name = axis, .unit = unit, .count = 1, .curve = &curve};
  const lim_figure f = {.width = o->plot.width > 0 ? o->plot.width : LIM_FIGURE_WIDTH,
                        .height = o->plot.height,
                        .title = o->plot.title,
                        .x_name = "frequency",
                        .x_unit = "Hz",
                        .log_y = true,
                        .count = 1,
                        .panel = &panel};
  return lim_figure_draw(out, &f, format, err);
}

static bool names_table(const char *path) {
  const size_t n = strlen(path);
  return n > 4 && !strcmp(path + n - 4, ".csv");
}

static lim_code check_output(const cli_options *o, lim_figure_format *format, lim_error *err) {
  if (!o->output || names_table(o->output) || lim_figure_format_of(format, o->output)) return LIM_OK;
  return LIM_FAIL(err, LIM_BAD_INPUT, "-o is '%s', must end with .csv, .svg, .png or .pdf", o->output);
}

static lim_code write_output(const lim_spectrum *s, const cli_options *o, const lim_reading_channel *c,
                             lim_figure_format format, lim_error *err) {
  char unit[UNIT];
  lim_text file = {0};
  lim_code code = LIM_OK;
  if (!o->output) return LIM_OK;
  density_unit(unit, c->unit);
  if (names_table(o->output))
    as_csv(&file, s, unit);
  else
    code = as_figure(&file, s, o, c->name, unit, format, err);
  if (code == LIM_OK && file.failed) code = LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  if (code == LIM_OK) code = cli_write(&file, o->output, err);
  lim_text_free(&file);
  return code;
}

static void number(lim_json *j, const char *key, double x) {
  lim_json_key(j, key);
  lim_json_number(j, x);
}

static void text(lim_json *j, const char *key, const char *x) {
  lim_json_key(j, key);
  lim_json_text(j, x);
}

static void json_peaks(lim_json *j, const lim_spectrum *s) {
  lim_json_key(j, "peaks_hz");
  lim_json_flat(j);
  for (int i = 0; i < s->npeak; i++) lim_json_number(j, s->peak[i].frequency);
  lim_json_end(j, ']');
  lim_json_key(j, "peaks");
  lim_json_list(j);
  for (int i = 0; i < s->npeak; i++) {
    lim_json_object(j);
    number(j, "frequency_hz", s->peak[i].frequency);
    number(j, "density", s->peak[i].density);
    number(j, "amplitude", s->peak[i].amplitude);
    number(j, "share", s->peak[i].share);
    lim_json_end(j, '}');
  }
  lim_json_end(j, ']');
}

static void as_json(lim_text *out, const lim_spectrum *s, const cli_options *o, const lim_reading_channel *c) {
  char unit[UNIT];
  lim_json j = lim_json_start(out);
  lim_json_object(&j);
  text(&j, "channel", c->name);
  text(&j, "unit", density_unit(unit, c->unit));
  text(&j, "window", lim_window_names[o->spectrum.window]);
  text(&j, "detrend", lim_detrend_names[o->spectrum.detrend]);
  lim_json_key(&j, "samples");
  lim_json_int(&j, s->samples);
  lim_json_key(&j, "segments");
  lim_json_int(&j, s->segments);
  lim_json_key(&j, "segment_length");
  lim_json_int(&j, s->length);
  lim_json_key(&j, "resampled");
  lim_json_bool(&j, s->resampled);
  number(&j, "rate_hz", s->rate);
  number(&j, "resolution_hz", s->resolution);
  number(&j, "variance", s->variance);
  json_peaks(&j, s);
  lim_json_key(&j, "frequency_hz");
  lim_json_numbers(&j, s->frequency, s->count);
  lim_json_key(&j, "density");
  lim_json_numbers(&j, s->density, s->count);
  lim_json_end(&j, '}');
  lim_text_add(out, "\n");
}

// Pure numbers have no prefix.
static const char *quantity(char room[CLI_CELL], double x, const char *unit) {
  if (*unit && strcmp(unit, "-")) return cli_quantity(room, x, unit);
  snprintf(room, CLI_CELL, "%.5g", x);
  return room;
}

static void as_words(lim_text *out, const lim_spectrum *s, const cli_options *o, const lim_reading_channel *c) {
  char room[CLI_CELL];
  lim_text_add(out, "%s: %ld samples%s at %.6g Hz, %d segment%s, %s window, resolution %.4g Hz, rms %s\n\n",
               c->name, s->samples, s->resampled ? " (resampled: times are uneven)" : "", s->rate, s->segments,
               s->segments == 1 ? "" : "s", lim_window_names[o->spectrum.window], s->resolution,
               quantity(room, sqrt(s->variance), c->unit));
  cli_table t = cli_table_start("rrrr");
  static const char *const head[] = {"peak", "frequency [Hz]", "amplitude", "share"};
  for (int i = 0; i < 4; i++) cli_table_cell(&t, "%s", head[i]);
  for (int i = 0; i < s->npeak; i++) {
    cli_table_cell(&t, "%d", i + 1);
    cli_table_cell(&t, "%.6g", s->peak[i].frequency);
    cli_table_cell(&t, "%s", quantity(room, s->peak[i].amplitude, c->unit));
    cli_table_cell(&t, "%.3g %%", 100 * s->peak[i].share);
  }
  cli_table_end(&t, out);
  if (!s->npeak) lim_text_add(out, "  no peak stands out\n");
  if (o->output) lim_text_add(out, "\n  written to %s\n", o->output);
}

static lim_code answer(lim_text *out, const lim_table *t, const cli_options *o, lim_error *err) {
  lim_spectrum *s = NULL;
  lim_figure_format format = LIM_FIGURE_SVG;
  long first, rows;
  int k = -1;
  lim_code code = check_output(o, &format, err);
  if (code == LIM_OK) code = cli_rows_between(&first, &rows, t, o, err);
  if (code == LIM_OK) code = find_channel(&k, t, o->channel, err);
  if (code != LIM_OK) return code;
  const lim_reading_channel *c = &t->column[k];
  lim_error why = {0};
  code = lim_spectrum_new(&s, t->column[0].value + first, c->value + first, rows, &o->spectrum, &why);
  if (code != LIM_OK) lim_error_add(err, code, NULL, 0, 0, "%s: %s", c->name, why.kept ? why.note[0].text : "");
  lim_error_clear(&why);
  if (code == LIM_OK) code = write_output(s, o, c, format, err);
  if (code == LIM_OK && o->json) as_json(out, s, o, c);
  if (code == LIM_OK && !o->json && !o->quiet) as_words(out, s, o, c);
  lim_spectrum_free(s);
  return code;
}

lim_code cli_spectrum(lim_text *out, const cli_options *o, lim_error *err) {
  if (o->nset) return LIM_FAIL(err, LIM_BAD_INPUT, "spectrum takes no --set: the model has run already");
  lim_table t = {0};
  lim_code code = lim_table_open(&t, o->model, err);
  if (code == LIM_OK) code = answer(out, &t, o, err);
  lim_table_close(&t);
  return code;
}

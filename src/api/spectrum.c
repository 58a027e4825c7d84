// spectrum.c - the spectral density of a recorded channel: lim_result_spectrum of limber.h.
#include "signal/spectrum.h"

#include "api/api.h"
#include "api/columns.h"
#include "report/figure/figure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { UNIT = 160 };

typedef struct {
  lim_spectrum_options o;
  lim_plot_options look;
  lim_spectrum_setup setup;
} question;

// --- the channel ---

static lim_code several(const char *name, const lim_result_table *t, lim_error *err) {
  lim_text list = {0};
  for (int i = 0; i < t->count; i++)
    if (lim_table_selects(name, t->column[i].name))
      lim_text_add(&list, "%s%s", list.length ? ", " : "", t->column[i].name);
  lim_code code = list.length ? LIM_FAIL(err, LIM_BAD_INPUT, "'%s' is several channels; name one of them: %s",
                                         name, list.text)
                              : lim_columns_unknown(name, t, 1, err);
  lim_text_free(&list);
  return code;
}

static lim_code find_channel(int *out, const lim_result_table *t, const char *name, lim_error *err) {
  if (!name) {
    lim_text list = {0};
    lim_columns_list(&list, t);
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
static const char *density_unit(char buffer[UNIT], const char *unit) {
  const bool pure = !*unit || !strcmp(unit, "-"), product = strpbrk(unit, " /^*") != NULL;
  snprintf(buffer, UNIT, pure ? "1/Hz" : product ? "(%.100s)^2/Hz" : "%.100s^2/Hz", unit);
  return buffer;
}

// --- answers ---

static void as_csv(lim_text *out, const lim_spectrum *s, const char *unit) {
  lim_text_add(out, "frequency [Hz],density [%s]\n", unit);
  for (int i = 0; i < s->count; i++) lim_text_add(out, "%.17g,%.17g\n", s->frequency[i], s->density[i]);
}

static lim_code as_figure(lim_text *out, const lim_spectrum *s, const question *x, const char *name,
                          const char *unit, lim_figure_format format, lim_error *err) {
  char axis[UNIT];
  snprintf(axis, sizeof axis, "density of %.100s", name);
  lim_curve curve = {.label = name, .x = s->frequency, .y = s->density, .count = s->count};
  lim_panel panel = {.name = axis, .unit = unit, .count = 1, .curve = &curve};
  const lim_figure f = {.width = x->look.width > 0 ? x->look.width : LIM_FIGURE_WIDTH,
                        .height = x->look.height,
                        .title = x->look.title,
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

static lim_code check_output(const question *x, lim_figure_format *format, lim_error *err) {
  if (!x->o.output || names_table(x->o.output) || lim_figure_format_of(format, x->o.output)) return LIM_OK;
  return LIM_FAIL(err, LIM_BAD_INPUT, "-o is '%s', must end with .csv, .svg, .png or .pdf", x->o.output);
}

static lim_code write_output(const lim_spectrum *s, const question *x, const lim_reading_channel *c,
                             lim_figure_format format, lim_error *err) {
  char unit[UNIT];
  lim_text file = {0};
  lim_code code = LIM_OK;
  if (!x->o.output) return LIM_OK;
  density_unit(unit, c->unit);
  if (names_table(x->o.output))
    as_csv(&file, s, unit);
  else
    code = as_figure(&file, s, x, c->name, unit, format, err);
  if (code == LIM_OK && file.failed) code = lim_no_memory(err);
  if (code == LIM_OK) code = lim_file_write(x->o.output, file.text, file.length, err);
  lim_text_free(&file);
  return code;
}

static void json_peaks(lim_json *j, const lim_spectrum *s, const char *unit) {
  lim_json_key(j, "peaks_hz");
  lim_json_flat(j);
  for (int i = 0; i < s->npeak; i++) lim_json_number(j, s->peak[i].frequency);
  lim_json_end(j, ']');
  lim_json_key(j, "peaks");
  lim_json_list(j);
  for (int i = 0; i < s->npeak; i++) {
    lim_json_object(j);
    lim_put_number(j, "frequency_hz", s->peak[i].frequency);
    lim_put_number(j, "density", s->peak[i].density);
    lim_put_number(j, "amplitude", s->peak[i].amplitude);
    lim_json_unit(j, unit);
    lim_put_number(j, "share", s->peak[i].share);
    lim_json_end(j, '}');
  }
  lim_json_end(j, ']');
}

static void fill(lim_call *call, const lim_spectrum *s, const question *x, const lim_reading_channel *c) {
  char unit[UNIT];
  lim_json j = lim_call_json(call);
  lim_put_text(&j, "channel", c->name);
  lim_json_unit(&j, c->unit);
  lim_put_text(&j, "unit", density_unit(unit, c->unit));
  lim_put_text(&j, "window", lim_window_names[x->setup.window]);
  lim_put_text(&j, "detrend", lim_detrend_names[x->setup.detrend]);
  lim_put_int(&j, "samples", s->samples);
  lim_put_int(&j, "segments", s->segments);
  lim_put_int(&j, "segment_length", s->length);
  lim_json_key(&j, "resampled");
  lim_json_bool(&j, s->resampled);
  lim_put_number(&j, "rate_hz", s->rate);
  lim_put_number(&j, "resolution_hz", s->resolution);
  lim_put_number(&j, "variance", s->variance);
  json_peaks(&j, s, c->unit);
  lim_put_numbers(&j, "frequency_hz", s->frequency, s->count);
  lim_put_numbers(&j, "density", s->density, s->count);
  lim_call_close(call, &j);
}

static lim_code set_up(question *x, lim_error *err) {
  int window = lim_word_of(lim_window_names, "window", x->o.window, err);
  int detrend = window < 0 ? -1 : lim_word_of(lim_detrend_names, "detrend", x->o.detrend, err);
  if (detrend < 0) return LIM_BAD_INPUT;
  if (x->o.segments < 1 || x->o.segments > LIM_SPECTRUM_SEGMENTS)
    return LIM_FAIL(err, LIM_BAD_INPUT, "there are %d segments, must be 1 to %d", x->o.segments,
                    LIM_SPECTRUM_SEGMENTS);
  if (x->o.peaks < 0 || x->o.peaks > LIM_SPECTRUM_PEAKS)
    return LIM_FAIL(err, LIM_BAD_INPUT, "%d peaks are asked for, must be 0 to %d", x->o.peaks,
                    LIM_SPECTRUM_PEAKS);
  if (!(x->o.overlap >= 0 && x->o.overlap <= 0.95))
    return LIM_FAIL(err, LIM_BAD_INPUT, "the overlap is %g, must be 0 to 0.95", x->o.overlap);
  x->setup = (lim_spectrum_setup){.window = (lim_window)window,
                                  .detrend = (lim_detrend)detrend,
                                  .segments = x->o.segments,
                                  .overlap = x->o.overlap,
                                  .peaks = x->o.peaks};
  return LIM_OK;
}

static lim_code answer(lim_call *call, const lim_result_table *t, const question *x, lim_error *err) {
  lim_spectrum *s = NULL;
  lim_figure_format format = LIM_FIGURE_SVG;
  long first, rows;
  int k = -1;
  lim_code code = check_output(x, &format, err);
  if (code == LIM_OK) code = lim_columns_look(&x->look, err);
  if (code == LIM_OK) code = lim_columns_rows(&first, &rows, t, &x->look, err);
  if (code == LIM_OK) code = find_channel(&k, t, x->o.channel, err);
  if (code != LIM_OK) return code;
  const lim_reading_channel *c = &t->column[k];
  lim_error why = {0};
  code = lim_spectrum_new(&s, t->column[0].value + first, c->value + first, rows, &x->setup, &why);
  if (code != LIM_OK) lim_error_add(err, code, NULL, 0, 0, "%s: %s", c->name, why.kept ? why.note[0].text : "");
  lim_error_clear(&why);
  if (code == LIM_OK) code = write_output(s, x, c, format, err);
  if (code == LIM_OK) fill(call, s, x, c);
  lim_spectrum_free(s);
  return code;
}

lim_code lim_result_spectrum(lim_answer **out, const char *result, const lim_spectrum_options *options,
                             const lim_plot_options *look, lim_error *err) {
  if (!result) return lim_call_refuse(out, err);
  lim_call call = lim_call_start(out, NULL, err);
  question x = {.o = lim_spectrum_options_default(), .look = lim_plot_options_default()};
  lim_result_table t = {0};
  lim_call_options(&call, &x.o, options);
  lim_call_options(&call, &x.look, look);
  if (call.code == LIM_OK) call.code = set_up(&x, &call.own);
  if (call.code == LIM_OK) call.code = lim_table_open(&t, result, &call.own);
  if (call.code == LIM_OK) {
    lim_code code = answer(&call, &t, &x, &call.own);
    if (call.code == LIM_OK) call.code = code;
  }
  lim_table_close(&t);
  return lim_call_end(&call);
}

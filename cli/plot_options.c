// plot_options.c - the options of limber plot.
#include "cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool fits(double mm) { return mm >= LIM_FIGURE_LEAST && mm <= LIM_FIGURE_MOST; }

// "88x60", "88": millimetres.
static lim_code size(lim_plot_options *p, const char *value, lim_error *err) {
  char *cross, *end;
  p->width = strtod(value, &cross);
  p->height = 0;
  bool good = cross != value && fits(p->width);
  if (*cross == 'x') {
    p->height = strtod(cross + 1, &end);
    good = good && end != cross + 1 && !*end && fits(p->height);
  } else
    good = good && !*cross;
  if (good) return LIM_OK;
  return cli_fail(err, LIM_BAD_INPUT, "--size is '%.40s', must be WIDTHxHEIGHT from %d to %d mm, such as 88x60",
                  value, LIM_FIGURE_LEAST, LIM_FIGURE_MOST);
}

static lim_code number(double *out, const char *name, const char *value, lim_error *err) {
  char *end;
  *out = strtod(value, &end);
  if (end != value && !*end && !isnan(*out)) return LIM_OK;
  return cli_fail(err, LIM_BAD_INPUT, "--%s is '%.40s', must be a number", name, value);
}

static lim_code logarithmic(lim_plot_options *p, const char *value, lim_error *err) {
  if (strcmp(value, "x") && strcmp(value, "y") && strcmp(value, "xy"))
    return cli_fail(err, LIM_BAD_INPUT, "--log is '%.40s', must be x, y or xy", value);
  p->log_x = strchr(value, 'x') != NULL;
  p->log_y = strchr(value, 'y') != NULL;
  return LIM_OK;
}

lim_code cli_plot_option(cli_options *o, const char *name, const char *value, lim_error *err) {
  lim_plot_options *p = &o->plot;
  if (!strcmp(name, "against")) p->against = value;
  if (!strcmp(name, "title")) p->title = value;
  if (!strcmp(name, "stack")) p->stack = 1;
  if (!strcmp(name, "from")) return number(&p->from, name, value, err);
  if (!strcmp(name, "to")) return number(&p->to, name, value, err);
  if (!strcmp(name, "size")) return size(p, value, err);
  if (!strcmp(name, "log")) return logarithmic(p, value, err);
  if (!strcmp(name, "label")) {
    if (p->nlabel == CLI_WORDS_MAX) return cli_fail(err, LIM_BAD_INPUT, "more than %d --label", CLI_WORDS_MAX);
    o->label[p->nlabel++] = value;
  }
  return LIM_OK;
}

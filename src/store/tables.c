// tables.c - what the program prints, as tables of the report.
#include "store/tables.h"

#include "base/json.h"

#include <math.h>
#include <stdio.h>

enum { CELL = 320, TRACE = 500 }; // longest number; commands of a program that are shown

static void start(lim_json *j, const char *title, const char *const *head, int columns) {
  lim_json_object(j);
  lim_json_key(j, "title");
  lim_json_text(j, title);
  lim_json_key(j, "head");
  lim_json_flat(j);
  for (int i = 0; i < columns; i++) lim_json_text(j, head[i]);
  lim_json_end(j, ']');
  lim_json_key(j, "rows");
  lim_json_list(j);
}

static void end(lim_json *j) {
  lim_json_end(j, ']');
  lim_json_end(j, '}');
}

static void number(lim_json *j, double x, const char *format) {
  char buffer[CELL];
  if (fabs(x) < 1e-14) x = 0;
  snprintf(buffer, sizeof buffer, format, x); // NOLINT(clang-diagnostic-format-nonliteral)
  lim_json_text(j, isnan(x) ? "unknown" : buffer);
}

// Of the largest number of its kind, what is left by rounding is nothing.
static void numbers(lim_json *j, const double x[3], double unit, double largest) {
  for (int i = 0; i < 3; i++) number(j, fabs(x[i]) < 1e-12 * largest ? 0 : x[i] / unit, "%.5g");
}

static double larger(double largest, const double x[3]) {
  for (int i = 0; i < 3; i++) largest = fmax(largest, fabs(x[i]));
  return largest;
}

// --- simulate ---

static void row(lim_json *j, const char *name, const char *unit, const double *x, int n, const char *none) {
  char text[CELL] = "";
  size_t length = 0;
  for (int i = 0; i < n && length < sizeof text; i++)
    length += (size_t)snprintf(text + length, sizeof text - length, "%s%.6g", i ? ", " : "", x[i]);
  lim_json_flat(j);
  lim_json_text(j, name);
  lim_json_text(j, unit);
  lim_json_text(j, n == 0 || isnan(x[0]) ? none : text);
  lim_json_end(j, ']');
}

static void residual(lim_json *j, const lim_residual *x) {
  if (!x->there) return;
  char title[CELL], position[CELL], error[CELL];
  snprintf(title, sizeof title, "%s after the commands", x->frame);
  snprintf(position, sizeof position, "steady %s.position", x->frame);
  snprintf(error, sizeof error, "steady %s.error", x->frame);
  const char *const head[] = {title, "unit", "value"};
  start(j, "Residual vibration", head, 3);
  row(j, "commands end at", "s", &x->start, 1, "");
  row(j, position, "m", x->level, 3, "");
  row(j, error, "m", x->error, 3, "");
  row(j, "amplitude", "m", &x->amplitude, 1, "");
  row(j, "along", "-", x->direction, 3, "");
  row(j, "frequencies", "Hz", x->frequency, x->nfrequency, "not seen");
  row(j, "their amplitudes", "m", x->line, x->nfrequency, "");
  row(j, "damping ratio", "-", &x->damping, 1, "not seen");
  row(j, "band", "m", &x->band, 1, "");
  row(j, "settling time", "s", &x->settling_time, 1, "not settled");
  end(j);
}

static void program(lim_json *j, const lim_program_result *plan) {
  static const char *const head[] = {"line", "from [s]", "to [s]", "command", "what"};
  if (!plan) return;
  start(j, "Program", head, 5);
  for (int i = 0; i < plan->trace.count && i < TRACE; i++) {
    const lim_trace *t = &plan->trace.item[i];
    lim_json_flat(j);
    number(j, t->line, "%.0f");
    number(j, t->from, "%.4f");
    number(j, t->to, "%.4f");
    lim_json_text(j, t->command);
    lim_json_text(j, t->text);
    lim_json_end(j, ']');
  }
  end(j);
}

void lim_tables_of_run(lim_text *out, const lim_channels *c, const lim_summary *s, const lim_residual *x,
                       const lim_program_result *plan) {
  static const char *const head[] = {"channel", "unit", "final", "peak", "at [s]", "rms"};
  lim_json j = lim_json_start(out);
  lim_json_list(&j);
  start(&j, "Channels", head, 6);
  for (int i = 0; i < c->count && s->moments; i++) {
    lim_json_flat(&j);
    lim_json_text(&j, c->channel[i].name);
    lim_json_text(&j, c->channel[i].unit);
    number(&j, lim_summary_final(s, i), "%.6g");
    number(&j, lim_summary_peak(s, i), "%.6g");
    number(&j, s->entry[i].peak_time, "%.6g");
    number(&j, lim_summary_rms(s, i), "%.6g");
    lim_json_end(&j, ']');
  }
  end(&j);
  residual(&j, x);
  program(&j, plan);
  lim_json_end(&j, ']');
}

// --- static ---

static void frames(lim_json *j, const lim_static *s) {
  static const char *const head[] = {"frame", "x [m]", "y [m]", "z [m]", "dx [mm]", "dy [mm]", "dz [mm]"};
  double length = 0;
  for (int i = 0; i < s->frames.count; i++) length = larger(length, s->frames.item[i].position);
  start(j, "Frames", head, 7);
  for (int i = 0; i < s->frames.count; i++) {
    lim_json_flat(j);
    lim_json_text(j, s->frames.item[i].name);
    numbers(j, s->frames.item[i].position, 1, length);
    numbers(j, s->frames.item[i].displacement, 1e-3, length);
    lim_json_end(j, ']');
  }
  end(j);
}

static void joints(lim_json *j, const lim_static *s) {
  static const char *const head[] = {"joint",  "effort [N m or N]", "Fx [N]",   "Fy [N]",
                                     "Fz [N]", "Mx [N m]",          "My [N m]", "Mz [N m]"};
  double force = 0, moment = 0;
  for (int i = 0; i < s->joints.count; i++) {
    force = larger(force, s->joints.item[i].force);
    moment = larger(moment, s->joints.item[i].moment);
  }
  start(j, "Joints", head, 8);
  for (int i = 0; i < s->joints.count; i++) {
    lim_json_flat(j);
    lim_json_text(j, s->joints.item[i].name);
    number(j, s->joints.item[i].effort, "%.5g");
    numbers(j, s->joints.item[i].force, 1, force);
    numbers(j, s->joints.item[i].moment, 1, moment);
    lim_json_end(j, ']');
  }
  end(j);
}

static void links(lim_json *j, const lim_static *s) {
  static const char *const head[] = {"link", "largest stress [MPa]", "largest turn in a segment [rad]"};
  start(j, "Links", head, 3);
  for (int i = 0; i < s->links.count; i++) {
    lim_json_flat(j);
    lim_json_text(j, s->links.item[i].name);
    number(j, s->links.item[i].stress / 1e6, "%.5g");
    number(j, s->links.item[i].turn, "%.3g");
    lim_json_end(j, ']');
  }
  end(j);
}

static void gauges(lim_json *j, const lim_static *s) {
  static const char *const head[] = {"gauge", "strain [µm/m]", "stress [MPa]"};
  start(j, "Gauges", head, 3);
  for (int i = 0; i < s->gauges.count; i++) {
    char name[CELL];
    snprintf(name, sizeof name, "%s.%s", s->gauges.item[i].link, s->gauges.item[i].name);
    lim_json_flat(j);
    lim_json_text(j, name);
    number(j, s->gauges.item[i].strain * 1e6, "%.5g");
    number(j, s->gauges.item[i].stress / 1e6, "%.5g");
    lim_json_end(j, ']');
  }
  end(j);
}

void lim_tables_of_static(lim_text *out, const lim_static *s) {
  lim_json j = lim_json_start(out);
  lim_json_list(&j);
  frames(&j, s);
  joints(&j, s);
  if (s->links.count) links(&j, s);
  if (s->gauges.count) gauges(&j, s);
  lim_json_end(&j, ']');
}

// --- modes ---

static void decays(lim_json *j, const lim_modes *m) {
  static const char *const head[] = {"time constant [s]", "what decays without swinging"};
  start(j, "Overdamped", head, 2);
  for (int i = 0; i < m->overdamped.count; i++) {
    lim_json_flat(j);
    number(j, m->overdamped.item[i].time_constant, "%.6g");
    lim_json_text(j, m->overdamped.item[i].kind);
    lim_json_end(j, ']');
  }
  end(j);
}

void lim_tables_of_modes(lim_text *out, const lim_modes *m) {
  static const char *const head[] = {"mode", "frequency [Hz]", "damping [%]", "what moves most"};
  lim_json j = lim_json_start(out);
  lim_json_list(&j);
  start(&j, "Modes", head, 4);
  for (int i = 0; i < m->modes.count; i++) {
    lim_json_flat(&j);
    number(&j, i + 1, "%g");
    number(&j, m->modes.item[i].frequency, "%.6g");
    number(&j, 100 * m->modes.item[i].damping, "%.4g");
    lim_json_text(&j, m->modes.item[i].kind);
    lim_json_end(&j, ']');
  }
  end(&j);
  if (m->overdamped.count) decays(&j, m);
  lim_json_end(&j, ']');
}

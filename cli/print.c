// print.c - tables, numbers with units, errors, and files that appear whole or not at all.
#include "cli.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// --- errors ---

lim_code cli_fail(lim_error *err, lim_code code, const char *format, ...) {
  char text[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return lim_error_say(err, code, NULL, 0, 0, text);
}

void cli_print_errors(const lim_error *err) {
  for (int i = 0; i < err->kept; i++) {
    const lim_note *n = &err->note[i];
    if (n->file && n->column)
      fprintf(stderr, "%s:%d:%d: error: %s\n", n->file, n->line, n->column, n->text);
    else if (n->file && n->line)
      fprintf(stderr, "%s:%d: error: %s\n", n->file, n->line, n->text);
    else if (n->file)
      fprintf(stderr, "%s: error: %s\n", n->file, n->text);
    else
      fprintf(stderr, "limber: error: %s\n", n->text);
  }
  if (err->count && !err->kept) // not even room for a message
    fprintf(stderr, "limber: error: out of memory\n");
  else if (err->count > err->kept)
    fprintf(stderr, "limber: %d more errors\n", err->count - err->kept);
}

static void say_warning(cli_text *out, const char *before, const lim_warning *w) {
  cli_add(out, "%swarning: %s", before, w->text);
  if (!isnan(w->time)) cli_add(out, " (first at t = %g s)", w->time);
  cli_add(out, "\n");
}

void cli_say_warnings(cli_text *out, const lim_error *err) {
  if (err->warnings) cli_add(out, "\n");
  for (int i = 0; i < err->warnings; i++) say_warning(out, "  ", &err->warning[i]);
}

void cli_print_warnings(const lim_error *err) {
  cli_text text = {0};
  for (int i = 0; i < err->warnings; i++) say_warning(&text, "limber: ", &err->warning[i]);
  if (text.text) fputs(text.text, stderr);
  cli_text_free(&text);
}

// --- answers ---

lim_code cli_write(const cli_text *text, const char *path, lim_error *err) {
  if (path) return lim_file_write(path, text->text, text->length, err);
  size_t n = text->text ? fwrite(text->text, 1, text->length, stdout) : 0;
  if (n == text->length && fflush(stdout) == 0) return LIM_OK;
  return cli_fail(err, LIM_IO, "standard output: %s", strerror(errno));
}

lim_code cli_open(cli_case *c, const cli_options *o, lim_error *err) {
  *c = (cli_case){NULL, NULL};
  lim_code code = cli_load(&c->model, o, err);
  return code == LIM_OK ? lim_study_new(&c->study, c->model, err) : code;
}

void cli_close(cli_case *c) {
  lim_study_free(c->study);
  lim_model_free(c->model);
}

void cli_say_json(cli_text *out, lim_answer *a) {
  const char *json = lim_answer_json(a);
  if (json)
    cli_add(out, "%s", json);
  else
    out->failed = true;
}

// How often the trace of a program has a command.
static int count_of(const lim_answer *program, const char *command, size_t length) {
  int n = 0;
  for (int i = 0; i < lim_answer_count(program, "trace"); i++)
    n += !strncmp(lim_answer_text(lim_answer_item(program, "trace", i), "command"), command, length);
  return n;
}

void cli_say_program(cli_text *out, const lim_answer *a) {
  const lim_answer *p = lim_answer_at(a, "program");
  if (!p) return;
  int moves = count_of(p, "move", 4), parts = count_of(p, "grip", 5);
  const char *file = lim_answer_text(p, "file");
  cli_add(out, "\n  program %s: %d move%s, %d part%s gripped, done at %.4g s\n", file, moves,
          moves == 1 ? "" : "s", parts, parts == 1 ? "" : "s", lim_answer_number(p, "end"));
  for (int i = 0; i < lim_answer_count(p, "trace"); i++) {
    const lim_answer *x = lim_answer_item(p, "trace", i);
    if (!strcmp(lim_answer_text(x, "command"), "print"))
      cli_add(out, "  %s:%.0f: %s\n", file, lim_answer_number(x, "line"), lim_answer_text(x, "text"));
  }
}

void cli_say_gains(cli_text *out, const lim_answer *a) {
  bool any = false;
  for (int i = 0; i < lim_answer_count(a, "gains"); i++) {
    const lim_answer *x = lim_answer_item(a, "gains", i);
    double inertia = lim_answer_number(x, "inertia"), ki = lim_answer_number(x, "ki");
    if (isnan(inertia)) continue; // they are given
    cli_add(out, "%s  gains of %s: kp = %.5g, kv = %.5g", any ? "" : "\n", lim_answer_key(a, "gains", i),
            lim_answer_number(x, "kp"), lim_answer_number(x, "kv"));
    if (ki != 0) cli_add(out, ", ki = %.5g", ki);
    cli_add(out, ", for %.5g kg m^2 at the motor (%s)\n", inertia, lim_answer_text(x, "from"));
    any = true;
  }
}

void cli_say_written(cli_text *out, const cli_options *o) {
  if (o->folder) cli_add(out, "\n  written to %s: report.html, result.h5, summary.json\n", o->folder);
}

// --- tables ---

cli_table cli_table_start(const char *align) {
  return (cli_table){.align = align, .columns = (int)strlen(align)};
}

void cli_table_cell(cli_table *t, const char *format, ...) {
  if (t->failed) return;
  if (t->cells == t->capacity) {
    int capacity = t->capacity ? 2 * t->capacity : 64;
    void *cell = realloc(t->cell, (size_t)capacity * sizeof *t->cell);
    if (!cell) {
      t->failed = true;
      return;
    }
    t->cell = cell;
    t->capacity = capacity;
  }
  va_list args;
  va_start(args, format);
  char *text = t->cell[t->cells++];
  vsnprintf(text, CLI_CELL, format, args);
  va_end(args);
  if (!strcmp(text, "nan") || !strcmp(text, "-nan")) snprintf(text, CLI_CELL, "-"); // there is no such number
}

// Letters on the screen: bytes that do not continue a UTF-8 letter.
static int width_of(const char *text) {
  int n = 0;
  for (const char *c = text; *c; c++) n += ((unsigned char)*c & 0xC0) != 0x80;
  return n;
}

void cli_table_end(cli_table *t, cli_text *out) {
  int width[CLI_COLUMNS] = {0};
  for (int i = 0; i < t->cells; i++) {
    int w = width_of(t->cell[i]);
    if (w > width[i % t->columns]) width[i % t->columns] = w;
  }
  for (int i = 0; i < t->cells; i++) {
    int k = i % t->columns, pad = width[k] - width_of(t->cell[i]);
    bool last = k == t->columns - 1, left = t->align[k] == 'l';
    cli_add(out, "  %*s%s%*s%s", left ? 0 : pad, "", t->cell[i], left && !last ? pad : 0, "", last ? "\n" : "");
  }
  if (t->failed) out->failed = true;
  free(t->cell);
}

// --- numbers ---

cli_prefix cli_prefix_of(double largest) {
  static const cli_prefix prefix[] = {{1e9, 0, "G"},  {1e6, 0, "M"},  {1e3, 0, "k"}, {1, 0, ""},
                                      {1e-3, 0, "m"}, {1e-6, 0, "µ"}, {1e-9, 0, "n"}};
  int i = 0, last = sizeof prefix / sizeof *prefix - 1;
  while (i < last && fabs(largest) < prefix[i].factor * 0.99995) i++;
  bool plain = !isfinite(largest) || fabs(largest) < 1e-12; // nothing, or rounding
  return plain ? (cli_prefix){1, 0, ""} : (cli_prefix){prefix[i].factor, fabs(largest), prefix[i].sign};
}

void cli_table_number(cli_table *t, double x, cli_prefix prefix) {
  bool rounding = fabs(x) < 1e-12 * fmax(1, prefix.largest);
  if (isnan(x))
    cli_table_cell(t, "unknown");
  else
    cli_table_cell(t, "%.5g", rounding ? 0 : x / prefix.factor);
}

const char *cli_quantity(char buffer[CLI_CELL], double x, const char *unit) {
  cli_prefix p = cli_prefix_of(strcmp(unit, "kg") ? x : 1);
  if (isnan(x))
    snprintf(buffer, CLI_CELL, "unknown");
  else
    snprintf(buffer, CLI_CELL, "%.5g %s%s", fabs(x) < 1e-12 ? 0 : x / p.factor, p.sign, unit);
  return buffer;
}

// print.c - tables, numbers with units, errors, and files that appear whole or not at all.
#include "base/error.h"
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

void cli_print_errors(const lim_error *err) {
  for (int i = 0; i < err->kept; i++) {
    const lim_note *n = &err->note[i];
    if (n->file && n->line)
      fprintf(stderr, "%s:%d:%d: error: %s\n", n->file, n->line, n->column, n->text);
    else if (n->file)
      fprintf(stderr, "%s: error: %s\n", n->file, n->text);
    else
      fprintf(stderr, "limber: error: %s\n", n->text);
  }
  if (err->count > err->kept) fprintf(stderr, "limber: %d more errors\n", err->count - err->kept);
}

// --- answers ---

static lim_code write_file(const lim_text *text, const char *path, lim_error *err) {
  size_t room = strlen(path) + 16;
  char *temporary = malloc(room);
  if (!temporary) return LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  snprintf(temporary, room, "%s.XXXXXX", path);
  int fd = mkstemp(temporary);
  FILE *file = fd < 0 ? NULL : fdopen(fd, "wb");
  bool good = file && fwrite(text->text ? text->text : "", 1, text->length, file) == text->length;
  int reason = errno;
  if (file && fclose(file)) good = false;
  good = good && chmod(temporary, 0644) == 0 && rename(temporary, path) == 0;
  if (!good) {
    if (errno) reason = errno;
    if (fd >= 0) unlink(temporary);
    lim_error_add(err, LIM_IO, path, 0, 0, "cannot be written: %s", strerror(reason));
  }
  free(temporary);
  return good ? LIM_OK : LIM_IO;
}

lim_code cli_write(const lim_text *text, const char *path, lim_error *err) {
  if (path) return write_file(text, path, err);
  size_t n = text->text ? fwrite(text->text, 1, text->length, stdout) : 0;
  if (n == text->length && fflush(stdout) == 0) return LIM_OK;
  return LIM_FAIL(err, LIM_IO, "standard output: %s", strerror(errno));
}

// --- tables ---

cli_table cli_table_start(int left, const char *const *head, int columns) {
  cli_table t = {.columns = columns, .left = left};
  for (int i = 0; i < columns; i++) cli_table_cell(&t, "%s", head[i]);
  return t;
}

void cli_table_cell(cli_table *t, const char *format, ...) {
  if (t->failed) return;
  if (t->rows == t->room) {
    int room = t->room ? 2 * t->room : 64;
    void *cell = realloc(t->cell, (size_t)room * sizeof *t->cell);
    if (!cell) {
      t->failed = true;
      return;
    }
    t->cell = cell;
    t->room = room;
  }
  va_list args;
  va_start(args, format);
  vsnprintf(t->cell[t->rows++], CLI_CELL, format, args);
  va_end(args);
}

// Letters on the screen: bytes that do not continue a UTF-8 letter.
static int width_of(const char *text) {
  int n = 0;
  for (const char *c = text; *c; c++) n += ((unsigned char)*c & 0xC0) != 0x80;
  return n;
}

void cli_table_end(cli_table *t, lim_text *out) {
  int width[CLI_COLUMNS] = {0};
  for (int i = 0; i < t->rows; i++) {
    int w = width_of(t->cell[i]);
    if (w > width[i % t->columns]) width[i % t->columns] = w;
  }
  for (int i = 0; i < t->rows; i++) {
    int k = i % t->columns, pad = width[k] - width_of(t->cell[i]);
    bool last = k == t->columns - 1, left = k < t->left;
    lim_text_add(out, "  %*s%s%*s%s", left ? 0 : pad, "", t->cell[i], left && !last ? pad : 0, "",
                 last ? "\n" : "");
  }
  if (t->failed) out->failed = true;
  free(t->cell);
}

const char *cli_quantity(char room[CLI_CELL], double x, const char *unit) {
  static const struct {
    double factor;
    const char *sign;
  } prefix[] = {{1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}, {1e-3, "m"}, {1e-6, "µ"}, {1e-9, "n"}};
  int i = 0, last = sizeof prefix / sizeof *prefix - 1;
  while (i < last && fabs(x) < prefix[i].factor * 0.99995) i++;
  bool plain = !strcmp(unit, "kg") || x == 0 || fabs(x) < prefix[last].factor * 1e-3;
  if (isnan(x))
    snprintf(room, CLI_CELL, "unknown");
  else if (plain)
    snprintf(room, CLI_CELL, "%.5g %s", fabs(x) < 1e-12 ? 0 : x, unit);
  else
    snprintf(room, CLI_CELL, "%.5g %s%s", x / prefix[i].factor, prefix[i].sign, unit);
  return room;
}

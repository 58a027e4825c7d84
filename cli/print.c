// print.c - tables, numbers with units, errors, and files that appear whole or not at all.
#include "analysis/planning.h"
#include "base/error.h"
#include "cli.h"
#include "system/plan.h"

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
    if (n->file && n->column)
      fprintf(stderr, "%s:%d:%d: error: %s\n", n->file, n->line, n->column, n->text);
    else if (n->file && n->line)
      fprintf(stderr, "%s:%d: error: %s\n", n->file, n->line, n->text);
    else if (n->file)
      fprintf(stderr, "%s: error: %s\n", n->file, n->text);
    else
      fprintf(stderr, "limber: error: %s\n", n->text);
  }
  if (err->count > err->kept) fprintf(stderr, "limber: %d more errors\n", err->count - err->kept);
}

void cli_progress(const char *label, int *shown, double part) {
  static const char bar[] = "########################################";
  int percent = (int)(100 * part);
  if (percent == *shown) return;
  *shown = percent;
  fprintf(stderr, "\r%s [%-40.*s] %3d %%", label, percent * 2 / 5, bar, percent);
  if (percent == 100) fprintf(stderr, "\r%*s\r", 60, "");
}

// --- answers ---

// A pipe, a device or a link such as /dev/stdout is not replaced but written to.
static bool write_through(const lim_text *text, const char *path) {
  FILE *file = fopen(path, "wb");
  bool good = file && fwrite(text->text ? text->text : "", 1, text->length, file) == text->length;
  int reason = errno;
  if (file && fclose(file)) return false;
  errno = reason;
  return good;
}

// Write beside the file, then put in its place. mode: permissions of the new file.
static bool write_whole(const lim_text *text, const char *path, mode_t mode) {
  size_t room = strlen(path) + 16;
  char *temporary = malloc(room);
  if (!temporary) return false;
  snprintf(temporary, room, "%s.XXXXXX", path);
  int fd = mkstemp(temporary);
  FILE *file = fd < 0 ? NULL : fdopen(fd, "wb");
  bool good = file && fwrite(text->text ? text->text : "", 1, text->length, file) == text->length;
  int reason = errno;
  if (file && fclose(file) && good) {
    good = false;
    reason = errno;
  }
  if (good && (chmod(temporary, mode) || rename(temporary, path))) {
    good = false;
    reason = errno;
  }
  if (!good && fd >= 0) unlink(temporary);
  free(temporary);
  errno = reason;
  return good;
}

static lim_code write_file(const lim_text *text, const char *path, lim_error *err) {
  struct stat there;
  bool exists = lstat(path, &there) == 0;
  mode_t mask = umask(0);
  umask(mask);
  bool good = exists && !S_ISREG(there.st_mode)
                  ? write_through(text, path)
                  : write_whole(text, path, exists ? there.st_mode & 0777 : 0666 & ~mask);
  return good ? LIM_OK : lim_error_add(err, LIM_IO, path, 0, 0, "cannot be written: %s", strerror(errno));
}

lim_code cli_write(const lim_text *text, const char *path, lim_error *err) {
  if (path) return write_file(text, path, err);
  size_t n = text->text ? fwrite(text->text, 1, text->length, stdout) : 0;
  if (n == text->length && fflush(stdout) == 0) return LIM_OK;
  return LIM_FAIL(err, LIM_IO, "standard output: %s", strerror(errno));
}

char *cli_text_of(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  size_t room = 1 << 16, used = 0, got;
  char *text = malloc(room);
  while (text && (got = fread(text + used, 1, room - used - 1, file)) > 0) {
    used += got;
    if (room - used > 1) continue;
    char *more = realloc(text, room *= 2);
    if (!more) free(text);
    text = more;
  }
  if (text) text[used] = 0;
  fclose(file);
  return text;
}

char *cli_folder(const char *path) {
  const char *slash = strrchr(path, '/');
  size_t n = slash ? (size_t)(slash - path) + (slash == path) : 1;
  char *folder = malloc(n + 1);
  if (!folder) return NULL;
  memcpy(folder, slash ? path : ".", n);
  folder[n] = 0;
  return folder;
}

lim_code cli_load(lim_model **out, const char *path, const char *const *set, int nset, lim_error *err) {
  lim_code code = lim_model_load(out, path, set, nset, err);
  if (code != LIM_OK) return code;
  char *folder = cli_folder(path);
  code = folder ? lim_plan_model(*out, folder, err) : LIM_FAIL(err, LIM_NO_MEMORY, "out of memory");
  free(folder);
  if (code == LIM_OK) return LIM_OK;
  lim_model_free(*out);
  *out = NULL;
  return code;
}

void cli_say_program(lim_text *out, const lim_model *m) {
  const lim_plan *p = m->plan;
  int moves = 0, parts = 0;
  if (!p) return;
  for (int i = 0; i < p->grips.count; i++) parts += p->grips.item[i].take;
  for (int i = 0; i < p->trace.count; i++) moves += !strncmp(p->trace.item[i].command, "move", 4);
  lim_text_add(out, "\n  program %s: %d move%s, %d part%s gripped, done at %.4g s\n", p->file, moves,
               moves == 1 ? "" : "s", parts, parts == 1 ? "" : "s", p->end);
  for (int i = 0; i < p->trace.count; i++)
    if (!strcmp(p->trace.item[i].command, "print"))
      lim_text_add(out, "  %s:%d: %s\n", p->file, p->trace.item[i].line, p->trace.item[i].text);
}

void cli_say_written(lim_text *out, const cli_options *o) {
  if (o->folder) lim_text_add(out, "\n  written to %s: report.html, result.h5, summary.json\n", o->folder);
}

// --- tables ---

cli_table cli_table_start(const char *align) {
  return (cli_table){.align = align, .columns = (int)strlen(align)};
}

void cli_table_cell(cli_table *t, const char *format, ...) {
  if (t->failed) return;
  if (t->cells == t->room) {
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
  vsnprintf(t->cell[t->cells++], CLI_CELL, format, args);
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
  for (int i = 0; i < t->cells; i++) {
    int w = width_of(t->cell[i]);
    if (w > width[i % t->columns]) width[i % t->columns] = w;
  }
  for (int i = 0; i < t->cells; i++) {
    int k = i % t->columns, pad = width[k] - width_of(t->cell[i]);
    bool last = k == t->columns - 1, left = t->align[k] == 'l';
    lim_text_add(out, "  %*s%s%*s%s", left ? 0 : pad, "", t->cell[i], left && !last ? pad : 0, "",
                 last ? "\n" : "");
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

const char *cli_quantity(char room[CLI_CELL], double x, const char *unit) {
  cli_prefix p = cli_prefix_of(strcmp(unit, "kg") ? x : 1);
  if (isnan(x))
    snprintf(room, CLI_CELL, "unknown");
  else
    snprintf(room, CLI_CELL, "%.5g %s%s", fabs(x) < 1e-12 ? 0 : x / p.factor, p.sign, unit);
  return room;
}

// table.c - numbers for figures, from results and CSV files.
#include "report/table.h"

#include "base/file.h"
#include "base/grow.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool ends_with(const char *text, const char *end) {
  size_t n = strlen(text), m = strlen(end);
  return n >= m && !strcmp(text + n - m, end);
}

// --- results ---

static lim_code open_result(lim_result_table *t, lim_error *err) {
  lim_code code = lim_reading_open(&t->reading, t->path, err);
  if (code != LIM_OK) return code;
  const lim_reading *r = t->reading;
  const char *kind = lim_reading_text(t->reading, "kind");
  t->kind = kind && strcmp(kind, "simulate") ? kind : NULL;
  t->rows = r->rows;
  t->count = r->time ? r->count + 1 : 0;
  t->column = lim_arena_array(&t->arena, (size_t)r->count + 1, sizeof *t->column);
  if (!t->column) return lim_no_memory(err);
  t->column[0] = (lim_reading_channel){"t", "s", r->time};
  for (int i = 1; i < t->count; i++) t->column[i] = r->channel[i - 1];
  return LIM_OK;
}

// --- CSV ---

typedef struct {
  lim_result_table *t;
  lim_error *err;
  int line;
  size_t capacity; // rows
} csv;

static char *trim(char *s) {
  s += strspn(s, " \t\r\n");
  char *end = s + strlen(s);
  while (end > s && strchr(" \t\r\n", end[-1])) end--;
  *end = 0;
  return s;
}

static lim_code bad_line(csv *c, const char *what, const char *cell) {
  return lim_error_code(LIM_BAD_INPUT,
                        lim_error_add(c->err, LIM_BAD_INPUT, c->t->path, c->line, 0, what, cell));
}

// "name [unit]", with or without quotation marks.
static lim_code header_cell(csv *c, lim_reading_channel *column, char *cell) {
  size_t n = strlen(cell);
  if (n >= 2 && cell[0] == '"' && cell[n - 1] == '"') cell[n - 1] = 0, cell = trim(cell + 1);
  char *open = strrchr(cell, '['), *close = open ? strchr(open, ']') : NULL, *unit = "-";
  if (close && !close[1]) {
    *open = *close = 0;
    unit = trim(open + 1);
  }
  cell = trim(cell);
  char *end;
  strtod(cell, &end);
  if (*cell && !*end) return bad_line(c, "'%.40s' is a number; the first row must name the columns", cell);
  column->name = lim_arena_text(&c->t->arena, cell, strlen(cell));
  column->unit = lim_arena_text(&c->t->arena, unit, strlen(unit));
  return column->name && column->unit ? LIM_OK : lim_no_memory(c->err);
}

static lim_code header(csv *c, char *line) {
  lim_result_table *t = c->t;
  if (!strncmp(line, "\xEF\xBB\xBF", 3)) line += 3; // a byte order mark
  int count = 1;
  for (const char *s = line; *s; s++) count += *s == ',';
  t->column = lim_arena_array(&t->arena, (size_t)count, sizeof *t->column);
  if (!t->column) return lim_no_memory(c->err);
  lim_code code = LIM_OK;
  for (char *cell; code == LIM_OK && (cell = strsep(&line, ",")); t->count++)
    code = header_cell(c, &t->column[t->count], trim(cell));
  return code;
}

static bool make_room(csv *c) {
  lim_result_table *t = c->t;
  if ((size_t)t->rows < c->capacity) return true;
  const size_t capacity = lim_grow_capacity(c->capacity, (size_t)t->rows + 1);
  for (int i = 0; i < t->count; i++)
    if (!lim_grow_to(&t->column[i].value, capacity, sizeof *t->column[i].value)) return false;
  c->capacity = capacity;
  return true;
}

// An empty cell is a gap.
static lim_code row(csv *c, char *line) {
  lim_result_table *t = c->t;
  int i = 0;
  if (!make_room(c)) return lim_no_memory(c->err);
  for (char *cell; (cell = strsep(&line, ",")); i++) {
    char *end;
    cell = trim(cell);
    double x = *cell ? strtod(cell, &end) : NAN;
    if (*cell && *end) return bad_line(c, "'%.40s' is not a number", cell);
    if (i < t->count) t->column[i].value[t->rows] = x;
  }
  t->rows++;
  return i == t->count ? LIM_OK : bad_line(c, "the number of cells differs from that of the first row%s", "");
}

static lim_code open_csv(lim_result_table *t, lim_error *err) {
  FILE *file;
  lim_code code = lim_file_open(&file, t->path, "a table", true, err);
  if (code != LIM_OK) return code;
  csv c = {.t = t, .err = err};
  char *line = NULL;
  size_t capacity = 0;
  errno = 0;
  while (code == LIM_OK && getline(&line, &capacity, file) >= 0) {
    c.line++;
    if (!*trim(line) || *line == '#') continue;
    code = t->count ? row(&c, line) : header(&c, line);
  }
  if (code == LIM_OK && ferror(file))
    code = LIM_FAIL(err, LIM_IO, "%s cannot be read: %s", t->path, strerror(errno));
  free(line);
  fclose(file);
  return code;
}

// --- public ---

// out/linear and out/linear/result.h5 are "linear", data.csv is "data".
static const char *label_of(lim_arena *arena, const char *path) {
  const char *end = path + strlen(path), *start;
  for (int i = 0; i < 2; i++) {
    while (end > path + 1 && end[-1] == '/') end--;
    for (start = end; start > path && start[-1] != '/';) start--;
    size_t n = (size_t)(end - start);
    bool usual = (n == 9 && !strncmp(start, "result.h5", n)) || (n == 12 && !strncmp(start, "channels.csv", n));
    if (!usual || start == path) break;
    end = start;
  }
  size_t n = (size_t)(end - start);
  if (n > 4 && !strncmp(end - 4, ".csv", 4)) n -= 4;
  return lim_arena_text(arena, start, n);
}

lim_code lim_table_open(lim_result_table *t, const char *path, lim_error *err) {
  *t = (lim_result_table){.path = path};
  t->label = label_of(&t->arena, path);
  if (!t->label) return lim_no_memory(err);
  return ends_with(path, ".csv") || ends_with(path, ".csv.part") ? open_csv(t, err) : open_result(t, err);
}

void lim_table_close(lim_result_table *t) {
  for (int i = 0; i < t->count && !t->reading; i++) free(t->column[i].value);
  lim_reading_close(t->reading);
  lim_arena_free(&t->arena);
}

bool lim_table_selects(const char *name, const char *column) {
  size_t n = strlen(name);
  return !strncmp(name, column, n) && (column[n] == 0 || column[n] == '.');
}

int lim_table_find(const lim_result_table *t, const char *name) {
  for (int i = 0; i < t->count; i++)
    if (!strcmp(t->column[i].name, name)) return i;
  return -1;
}

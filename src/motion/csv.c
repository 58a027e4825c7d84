// csv.c - reads tables of numbers line by line; reports every bad line.
#include "motion/csv.h"

#include "base/file.h"
#include "base/grow.h"
#include "base/units/units.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLANKS " \t\r\n\f\v"

// Of wrong lines as many are named as help to mend a table: no more is told of a file that is none.
enum { LINE = 4096, NAMED = 5 };

typedef struct {
  const char *path;
  lim_error *err;
  lim_code code;
  int line, bad;   // lines read; of these wrong
  bool begun;      // a header or a row has been read
  size_t capacity; // rows
  double factor[LIM_CSV_COLUMNS];
  lim_csv table;
} reader;

static void complain(reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void complain(reader *r, const char *format, ...) {
  va_list args;
  va_start(args, format);
  r->code = lim_error_addv(r->err, LIM_BAD_INPUT, r->path, r->line, 0, format, args);
  va_end(args);
  r->bad++;
}

static char *trimmed(char *s) {
  s += strspn(s, BLANKS);
  char *end = s + strlen(s);
  while (end > s && strchr(BLANKS, end[-1])) end--;
  *end = '\0';
  return s;
}

// Cut a line into cells; returns how many there are, of which the first LIM_CSV_COLUMNS are kept.
static int split(char *cell[LIM_CSV_COLUMNS], char *line) {
  const char *separator = strchr(line, ',') ? "," : strchr(line, ';') ? ";" : BLANKS;
  const bool blanks = separator[1] != '\0';
  int n = 0;
  for (char *s = line, *next; s; s = next) {
    if (blanks) s += strspn(s, BLANKS);
    next = strpbrk(s, separator);
    if (next) *next++ = '\0';
    if (n < LIM_CSV_COLUMNS) cell[n] = trimmed(s);
    n++;
  }
  return n;
}

// --- header ---

// The unit in the brackets that end a title, or NULL.
static const char *unit_of(char *title) {
  char *open = strrchr(title, '['), *close = strrchr(title, ']');
  if (!open || !close || close < open) return NULL;
  *close = '\0';
  return trimmed(open + 1);
}

// Columns without a unit beside some that have one are SI, which may not be meant. Times are in s as a matter
// of course.
static void doubt_units(const reader *r, char *cell[], int n) {
  int named = -1, bare = -1;
  for (int i = 0; i < n && i < LIM_CSV_COLUMNS; i++) {
    bool time = i == 0 && (!strcmp(cell[i], "t") || !strncmp(cell[i], "time", 4));
    if (r->table.unit[i][0] && named < 0)
      named = i;
    else if (!r->table.unit[i][0] && !time && bare < 0)
      bare = i;
  }
  if (named >= 0 && bare >= 0)
    lim_warn(r->err, NAN, NULL,
             "%s:%d: column %d, '%.20s', has no unit in the header, but column %d has '%.20s': it is taken as "
             "SI and "
             "radians; write its unit too ('[-]' for none)",
             r->path, r->line, bare + 1, cell[bare], named + 1, r->table.unit[named]);
}

static void read_header(reader *r, char *cell[], int n) {
  for (int i = 0; i < n && i < LIM_CSV_COLUMNS; i++) {
    const char *text = unit_of(cell[i]);
    char bad[64], hint[LIM_UNIT_HINT];
    lim_unit unit = {.factor = 1};
    if (text && *text && strcmp(text, "-") && strcmp(text, "1") &&
        !lim_unit_parse(&unit, text, bad, sizeof bad))
      complain(r, "unknown unit '%.20s'%s", bad, lim_unit_hint(hint, bad, NULL, NULL));
    r->factor[i] = unit.factor;
    r->table.read[i] = unit;
    if (text) snprintf(r->table.unit[i], LIM_CSV_UNIT, "%s", text);
  }
  doubt_units(r, cell, n);
}

// --- rows ---

static bool read_number(reader *r, double *out, const char *cell, int column) {
  char bad[64];
  switch (lim_number_parse(out, cell, "", bad, sizeof bad)) {
  case LIM_NUMBER_OK: *out *= r->factor[column]; return true;
  case LIM_NUMBER_INFINITE: complain(r, "'%.20s' is not a finite number", cell); return false;
  case LIM_NUMBER_UNIT:
  case LIM_NUMBER_DIMENSION:
    complain(r, "'%.20s': a unit stands in the header, as in 't [ms]'", cell);
    return false;
  case LIM_NUMBER_NONE: break;
  }
  if (*cell)
    complain(r, "'%.20s' is not a number", cell);
  else
    complain(r, "the number of column %d is missing", column + 1);
  return false;
}

// Room for one more row.
static bool make_room(reader *r) {
  lim_csv *t = &r->table;
  if ((size_t)t->rows < r->capacity) return true;
  const size_t capacity = lim_grow_capacity(r->capacity, (size_t)t->rows + 1);
  if (lim_grow_to(&t->value, capacity, (size_t)t->columns * sizeof *t->value) &&
      lim_grow_to(&t->line, capacity, sizeof *t->line))
    r->capacity = capacity;
  else
    r->code = lim_no_memory(r->err);
  return r->capacity == capacity;
}

static void read_row(reader *r, char *cell[], int n) {
  lim_csv *t = &r->table;
  if (t->columns == 0) t->columns = n < LIM_CSV_COLUMNS ? n : LIM_CSV_COLUMNS;
  if (n != t->columns) {
    complain(r, "%d columns, must be %s%d", n, n > LIM_CSV_COLUMNS ? "at most " : "", t->columns);
    return;
  }
  if (t->rows == LIM_CSV_ROWS) {
    complain(r, "more than %d rows", LIM_CSV_ROWS);
    r->bad = NAMED;
    return;
  }
  if (!make_room(r)) return;
  double *row = t->value + (size_t)t->rows * t->columns;
  for (int i = 0; i < n; i++)
    if (!read_number(r, &row[i], cell[i], i)) return;
  t->line[t->rows++] = r->line;
}

static void read_line(reader *r, char *text) {
  char *cell[LIM_CSV_COLUMNS];
  double first;
  text[strcspn(text, "#")] = '\0';
  text = trimmed(text);
  if (!*text) return;
  const int n = split(cell, text);
  if (!r->begun && lim_number_parse(&first, cell[0], "", NULL, 0) == LIM_NUMBER_NONE)
    read_header(r, cell, n);
  else
    read_row(r, cell, n);
  r->begun = true;
}

// --- file ---

// Stops early at what is no text at all.
static void read_lines(reader *r, FILE *file) {
  char text[LINE];
  while (r->code != LIM_NO_MEMORY && r->bad < NAMED && fgets(text, sizeof text, file)) {
    r->line++;
    char *start = r->line == 1 && !strncmp(text, "\xEF\xBB\xBF", 3) ? text + 3 : text; // byte order mark
    if (!strchr(text, '\n') && !feof(file)) {
      complain(r, "the line is longer than %d letters, or no text", LINE - 2);
      return;
    }
    read_line(r, start);
  }
  if (ferror(file))
    r->code = lim_error_add(r->err, LIM_IO, r->path, 0, 0, "cannot be read: %s", strerror(errno));
  else if (r->bad == NAMED && !feof(file) && r->table.rows < LIM_CSV_ROWS)
    lim_error_add(r->err, r->code, r->path, 0, 0, "%d lines are wrong; those below line %d were not read",
                  NAMED, r->line);
}

static lim_code read_file(lim_csv *out, FILE *file, const char *path, lim_error *err) {
  reader r = {.path = path, .err = err};
  for (int i = 0; i < LIM_CSV_COLUMNS; i++) r.factor[i] = 1;
  read_lines(&r, file);
  fclose(file);
  if (r.code == LIM_OK && r.table.rows == 0)
    r.code = lim_error_add(err, LIM_BAD_INPUT, path, 0, 0, "the table has no rows");
  if (r.code == LIM_OK)
    *out = r.table;
  else
    lim_csv_free(&r.table);
  return r.code;
}

lim_code lim_csv_read(lim_csv *out, const char *path, lim_error *err) {
  FILE *file;
  *out = (lim_csv){0};
  lim_code code = lim_file_open(&file, path, "a table", false, err);
  return code == LIM_OK ? read_file(out, file, path, err) : code;
}

lim_code lim_csv_of(lim_csv *out, lim_text *path, const lim_head *head, const char *key, const char *name,
                    const char *directory, lim_error *err) {
  const bool within = directory && *directory && name[0] != '/', entry = head->where && head->where[0];
  const lim_node *value = lim_tree_get(head->node, key), *at = value ? value : head->node;
  char why[LIM_FILE_WHY];
  *out = (lim_csv){0};
  *path = (lim_text){0};
  lim_text_add(path, "%s%s%s", within ? directory : "", within ? "/" : "", name);
  if (path->failed) return lim_no_memory(err);
  FILE *file = lim_file_try(path->text, "a table", false, why);
  if (file) return read_file(out, file, path->text, err);
  if (!at) return lim_error_add(err, LIM_IO, path->text, 0, 0, "%s", why);
  return lim_error_add(err, LIM_IO, at->source, at->line, at->column, "%s%sfile '%s' %s",
                       entry ? head->where : "", entry ? ": " : "", path->text, why);
}

void lim_csv_free(lim_csv *t) {
  free(t->value);
  free(t->line);
  *t = (lim_csv){0};
}

// csv.c - reads tables of numbers line by line; reports every bad line.
#include "motion/csv.h"

#include "base/units.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define BLANKS " \t\r\n\f\v"

enum { LINE = 4096 };

typedef struct {
  const char *path;
  lim_error *err;
  lim_code code;
  int line, bad; // lines read; of these wrong
  bool begun;    // a header or a row has been read
  int room;      // rows
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

static void read_header(reader *r, char *cell[], int n) {
  for (int i = 0; i < n && i < LIM_CSV_COLUMNS; i++) {
    const char *text = unit_of(cell[i]);
    char bad[64];
    lim_unit unit = {.factor = 1};
    if (text && *text && strcmp(text, "-") && strcmp(text, "1") &&
        !lim_unit_parse(&unit, text, bad, sizeof bad))
      complain(r, "unknown unit '%s'", bad);
    r->factor[i] = unit.factor;
  }
}

// --- rows ---

static bool read_number(reader *r, double *out, const char *cell, int column) {
  char bad[64];
  switch (lim_number_parse(out, cell, "", bad, sizeof bad)) {
  case LIM_NUMBER_OK: *out *= r->factor[column]; return true;
  case LIM_NUMBER_INFINITE: complain(r, "'%.40s' is not a finite number", cell); return false;
  case LIM_NUMBER_UNIT:
  case LIM_NUMBER_DIMENSION:
    complain(r, "'%.40s': a unit stands in the header, as in 't [ms]'", cell);
    return false;
  case LIM_NUMBER_NONE: break;
  }
  if (*cell)
    complain(r, "'%.40s' is not a number", cell);
  else
    complain(r, "the number of column %d is missing", column + 1);
  return false;
}

// Room for one more row: the arrays grow by doubling.
static bool grow(reader *r) {
  lim_csv *t = &r->table;
  if (t->rows < r->room) return true;
  const size_t room = r->room ? 2 * (size_t)r->room : 64;
  double *value = realloc(t->value, room * (size_t)t->columns * sizeof *value);
  if (value) t->value = value;
  int *line = realloc(t->line, room * sizeof *line);
  if (line) t->line = line;
  if (value && line) r->room = (int)room;
  if (!value || !line) r->code = LIM_FAIL(r->err, LIM_NO_MEMORY, "out of memory");
  return value && line;
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
    r->bad = LIM_NOTES_MAX;
    return;
  }
  if (!grow(r)) return;
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

// Stops early at what is no text at all, so that an endless device does not hold us up.
static void read_lines(reader *r, FILE *file) {
  char text[LINE];
  while (r->code != LIM_NO_MEMORY && r->bad < LIM_NOTES_MAX && fgets(text, sizeof text, file)) {
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
}

static lim_code open_file(FILE **file, const char *path, lim_error *err) {
  struct stat info;
  *file = fopen(path, "rb");
  if (!*file || fstat(fileno(*file), &info)) {
    lim_error_add(err, LIM_IO, path, 0, 0, "cannot be read: %s", strerror(errno));
  } else if (S_ISDIR(info.st_mode)) {
    lim_error_add(err, LIM_IO, path, 0, 0, "is a directory, not a table");
  } else {
    return LIM_OK;
  }
  if (*file) fclose(*file);
  return LIM_IO;
}

lim_code lim_csv_read(lim_csv *out, const char *path, lim_error *err) {
  FILE *file;
  reader r = {.path = path, .err = err};
  for (int i = 0; i < LIM_CSV_COLUMNS; i++) r.factor[i] = 1;
  *out = (lim_csv){0};
  if (open_file(&file, path, err) != LIM_OK) return LIM_IO;
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

void lim_csv_free(lim_csv *t) {
  free(t->value);
  free(t->line);
  *t = (lim_csv){0};
}

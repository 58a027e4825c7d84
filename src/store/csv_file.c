// csv_file.c - channels.csv: one row of names with units, one row per moment. Reference:
// docs/reference/channels.md.
#include "store/csv_file.h"

#include "base/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER = 1 << 16, DIGITS = 32 };

// 17 digits give every double back.
static void put_number(FILE *file, double x) {
  char digits[DIGITS];
  snprintf(digits, sizeof digits, "%.17g", x);
  fputs(x == 0 ? "0" : digits, file);
}

// Times are mostly round: as short as gives the double back.
static void put_time(FILE *file, double t) {
  char digits[DIGITS];
  for (int n = 15; n <= 17; n++) {
    snprintf(digits, sizeof digits, "%.*g", n, t);
    if (strtod(digits, NULL) == t) break;
  }
  fputs(digits, file);
}

// ,name [unit], in quotes where the name holds one (RFC 4180); names hold no commas.
static void put_name(FILE *file, const lim_channel *c) {
  bool quote = strchr(c->name, '"') != NULL;
  fputs(quote ? ",\"" : ",", file);
  for (const char *s = c->name; *s; s++) {
    if (*s == '"') putc('"', file);
    putc(*s, file);
  }
  fprintf(file, " [%s]%s", c->unit, quote ? "\"" : "");
}

lim_code lim_csv_file_start(lim_csv_file *c, const char *directory, const lim_channels *channels,
                            lim_error *err) {
  *c = (lim_csv_file){.count = channels->count};
  lim_code code = lim_draft_start(&c->draft, directory, "channels.csv", err);
  if (code != LIM_OK) return code;
  errno = 0;
  c->file = lim_file_create(c->draft.part);
  if (!c->file) return lim_write_error(c->draft.part, err);
  setvbuf(c->file, NULL, _IOFBF, BUFFER);
  fputs("t [s]", c->file);
  for (int i = 0; i < channels->count; i++) put_name(c->file, &channels->channel[i]);
  putc('\n', c->file);
  return ferror(c->file) ? lim_write_error(c->draft.part, err) : LIM_OK;
}

lim_code lim_csv_file_row(lim_csv_file *c, double t, const double *value, lim_error *err) {
  errno = 0;
  put_time(c->file, t);
  for (int i = 0; i < c->count; i++) {
    putc(',', c->file);
    put_number(c->file, value[i]);
  }
  putc('\n', c->file);
  return ferror(c->file) ? lim_write_error(c->draft.part, err) : LIM_OK;
}

lim_code lim_csv_file_flush(lim_csv_file *c, lim_error *err) {
  errno = 0;
  return fflush(c->file) == 0 ? LIM_OK : lim_write_error(c->draft.part, err);
}

lim_code lim_csv_file_close(lim_csv_file *c, lim_error *err) {
  errno = 0;
  FILE *file = c->file;
  c->file = NULL;
  return !file || fclose(file) == 0 ? LIM_OK : lim_write_error(c->draft.part, err);
}

// Copy a row with other text in field `column` (from 0).
static void copy_row(FILE *to, char *row, int column, double x) {
  char *field = row;
  for (int i = 0; i < column; i++) field += strcspn(field, ",") + 1; // every row has all columns
  char *rest = field + strcspn(field, ",\n");
  fwrite(row, 1, (size_t)(field - row), to);
  put_number(to, x);
  fputs(rest, to);
}

// The row of names as it is, then every row with its value.
static void copy_rows(FILE *to, FILE *from, char *buffer, size_t size, int column, const double *value,
                      double scale) {
  for (int c = getc(from); c != EOF; c = getc(from)) {
    putc(c, to);
    if (c == '\n') break;
  }
  while (fgets(buffer, (int)size, from)) copy_row(to, buffer, column, scale * *value++);
}

lim_code lim_csv_file_replace(const lim_csv_file *c, int channel, const double *value, double scale,
                              lim_error *err) {
  size_t size = ((size_t)c->count + 2) * DIGITS, length = strlen(c->draft.part) + 2; // of a row; of a name
  char *buffer = malloc(size + length), *copy = buffer ? buffer + size : NULL;
  if (!buffer) return lim_no_memory(err);
  snprintf(copy, length, "%s~", c->draft.part); // the part stays until the copy is whole
  errno = 0;
  char why[LIM_FILE_WHY];
  FILE *from = lim_file_try(c->draft.part, "a table", false, why), *to = lim_file_create(copy);
  if (from && to)
    copy_rows(to, from, buffer, size, channel + 1, value, scale); // time stands before all channels
  bool good = from && to && !ferror(from) && !ferror(to);
  if (from) fclose(from);
  if (to && fclose(to) != 0) good = false;
  lim_code code = good && rename(copy, c->draft.part) == 0 ? LIM_OK : lim_write_error(copy, err);
  if (code != LIM_OK) remove(copy);
  free(buffer);
  return code;
}

void lim_csv_file_free(lim_csv_file *c) {
  if (c->file) fclose(c->file);
  c->file = NULL;
  lim_draft_free(&c->draft);
}

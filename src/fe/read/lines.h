// lines.h - long text files line by line, and the numbers in them, whatever the locale.
#ifndef LIM_FE_READ_LINES_H
#define LIM_FE_READ_LINES_H

#include "base/error.h"

#include <locale.h>
#include <stdbool.h>
#include <stdio.h>

typedef struct {
  const char *path;       // of the caller
  const char *what;       // that is read, as progress tells it; of the caller
  const lim_hooks *hooks; // may be NULL
  lim_error *err;
  lim_code code; // why there is no further line; LIM_OK: the file is at its end
  FILE *file;
  double size; // of the file in bytes
  double read;
  char *buffer;
  size_t begin, end;
  bool ended, zeros; // the file is; bytes that are 0 are in the buffer
  bool again;        // lim_lines_next gives the same line once more
  bool cut;          // the line is the last one and nothing ends it
  int line;          // of the file, from 1
  char *text;        // the line without its end, terminated
  locale_t plain;
} lim_lines;

// End with lim_lines_close, also after a failure. what: "stiffness".
lim_code lim_lines_open(lim_lines *l, const char *path, const char *what, const lim_hooks *hooks,
                        lim_error *err);
void lim_lines_close(lim_lines *l);

// The next line in l->text; false: there is none, l->code says why.
bool lim_lines_next(lim_lines *l);

// The next line that says something: neither blank nor begun by one of the marks; l->text begins with it.
bool lim_lines_next_of(lim_lines *l, const char *mark);

// A message about the line, which makes it the last one; returns l->code.
lim_code lim_lines_error(lim_lines *l, const char *format, ...) __attribute__((format(printf, 2, 3)));

// --- fields of a line: separated by blanks, a comma or a semicolon ---

// Each reads what is at *at and leaves *at behind it and its separator. A message and false where it is none.
bool lim_lines_number(double *out, lim_lines *l, const char **at);
bool lim_lines_whole(int *out, lim_lines *l, const char **at); // of at most 2^31 - 1, either sign

// Whether nothing is left; how many fields are.
bool lim_field_none(const char *at);
int lim_field_count(const char *at);

// Length of the field at `at` without blanks before the separator.
int lim_field_length(const char *at);

// Past blanks; past the field and its separator.
const char *lim_field_begin(const char *at);
const char *lim_field_next(const char *at);

#endif

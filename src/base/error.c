// error.c - messages collected for the caller.
#include "base/error.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *copy_of(const char *text) {
  size_t size = strlen(text) + 1;
  char *copy = malloc(size);
  if (copy) memcpy(copy, text, size);
  return copy;
}

// Room for one more note: the array grows by doubling.
static bool grow(lim_error *err) {
  if (err->kept & (err->kept - 1)) return true; // not a power of two: room is left
  size_t room = err->kept ? 2 * (size_t)err->kept : 1;
  lim_note *note = realloc(err->note, room * sizeof *note);
  if (note) err->note = note;
  return note != NULL;
}

lim_code lim_error_addv(lim_error *err, lim_code code, const char *file, int line, int column,
                        const char *format, va_list args) {
  if (!err) return code;
  if (err->count++ == 0) err->code = code;
  if (err->kept == LIM_NOTES_MAX || !grow(err)) return code;
  char text[1024];
  vsnprintf(text, sizeof text, format, args);
  lim_note note = {.file = file ? copy_of(file) : NULL, .line = line, .column = column, .text = copy_of(text)};
  if (!note.text) {
    free(note.file);
    return code;
  }
  err->note[err->kept++] = note;
  return code;
}

lim_code lim_error_add(lim_error *err, lim_code code, const char *file, int line, int column,
                       const char *format, ...) {
  va_list args;
  va_start(args, format);
  lim_error_addv(err, code, file, line, column, format, args);
  va_end(args);
  return code;
}

void lim_error_clear(lim_error *err) {
  for (int i = 0; i < err->kept; i++) {
    free(err->note[i].file);
    free(err->note[i].text);
  }
  free(err->note);
  *err = (lim_error){0};
}

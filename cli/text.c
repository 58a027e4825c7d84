// base/text.c - a text that grows.
#include "cli.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static bool make_room(cli_text *t, size_t more) {
  size_t need = t->length + more + 1;
  if (need <= t->capacity) return true;
  size_t capacity = need > 2 * t->capacity ? need : 2 * t->capacity;
  char *text = realloc(t->text, capacity);
  if (!text) return false;
  t->text = text;
  t->capacity = capacity;
  return true;
}

void cli_add(cli_text *t, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int n = vsnprintf(NULL, 0, format, args);
  va_end(args);
  if (n < 0 || !make_room(t, (size_t)n)) t->failed = true;
  if (t->failed) return;
  va_start(args, format);
  vsnprintf(t->text + t->length, (size_t)n + 1, format, args);
  va_end(args);
  t->length += (size_t)n;
}

void cli_text_free(cli_text *t) {
  free(t->text);
  *t = (cli_text){.text = NULL};
}

// error.c - messages collected for the caller.
#include "base/error.h"

#include "base/grow.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Texts quote files and programs of others: nothing in them may steer a terminal.
static char *copy_of(const char *text) {
  size_t size = strlen(text) + 1;
  char *copy = malloc(size);
  if (!copy) return NULL;
  memcpy(copy, text, size);
  lim_text_clean(copy);
  return copy;
}

// No more than this are kept, so that there is room for all of them from the first on.
static bool make_room(void *array, int count, size_t size) {
  return count || lim_grow_to(array, LIM_NOTES_MAX, size);
}

lim_code lim_error_addv(lim_error *err, lim_code code, const char *file, int line, int column,
                        const char *format, va_list args) {
  if (!err) return code;
  if (err->count++ == 0) err->code = code;
  if (err->kept == LIM_NOTES_MAX || !make_room(&err->note, err->kept, sizeof *err->note)) return code;
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

void lim_error_continue(lim_error *err, const char *more) {
  if (!err || err->kept == 0 || err->kept < err->count) return;
  char **text = &err->note[err->kept - 1].text;
  const size_t had = strlen(*text), size = had + strlen(more) + 1;
  char *longer = realloc(*text, size);
  if (!longer) return;
  memcpy(longer + had, more, size - had);
  lim_text_clean(longer + had);
  *text = longer;
}

static bool warned(const lim_error *err, const char *text) {
  for (int i = 0; i < err->warnings; i++)
    if (!strcmp(err->warning[i].text, text)) return true;
  return false;
}

void lim_warn(lim_error *err, double time, const char *place, const char *format, ...) {
  if (!err || err->warnings == LIM_NOTES_MAX) return;
  char text[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (warned(err, text)) return;
  const bool space = make_room(&err->warning, err->warnings, sizeof *err->warning);
  lim_warning warning = {.text = copy_of(text), .time = time, .place = place ? copy_of(place) : NULL};
  if (space && warning.text && (warning.place || !place)) {
    err->warning[err->warnings++] = warning;
    return;
  }
  free(warning.text);
  free(warning.place);
  LIM_FAIL(err, LIM_NO_MEMORY, "out of memory: a warning is lost");
}

void lim_error_clear(lim_error *err) {
  if (!err) return;
  for (int i = 0; i < err->warnings; i++) {
    free(err->warning[i].text);
    free(err->warning[i].place);
  }
  free(err->warning);
  for (int i = 0; i < err->kept; i++) {
    free(err->note[i].file);
    free(err->note[i].text);
  }
  free(err->note);
  *err = (lim_error){0};
}

void lim_warn_merge(lim_error *err, const lim_error *from) {
  for (int i = 0; i < from->warnings; i++)
    lim_warn(err, from->warning[i].time, from->warning[i].place, "%s", from->warning[i].text);
}

void lim_error_merge(lim_error *err, const lim_error *from) {
  if (!err) return;
  for (int i = 0; i < from->kept; i++) {
    const lim_note *n = &from->note[i];
    lim_error_add(err, from->code, n->file, n->line, n->column, "%s", n->text);
  }
  if (from->count > from->kept && err->count == 0) err->code = from->code;
  err->count += from->count - from->kept;
  lim_warn_merge(err, from);
}

// --- for those who do not want to know the structs ---

const char *lim_version(void) { return LIM_VERSION; }

const char *lim_code_text(lim_code code) {
  switch (code) {
  case LIM_OK: return "done";
  case LIM_FAILED: return "the analysis failed";
  case LIM_BAD_INPUT: return "the model or a request is wrong";
  case LIM_IO: return "reading or writing failed";
  case LIM_NO_MEMORY: return "out of memory";
  }
  return "unknown";
}

lim_error *lim_error_new(void) { return calloc(1, sizeof(lim_error)); }

void lim_error_free(lim_error *err) {
  lim_error_clear(err);
  free(err);
}

static const lim_note *note(const lim_error *err, int i) {
  return err && i >= 0 && i < err->kept ? &err->note[i] : NULL;
}

static const lim_warning *warning(const lim_error *err, int i) {
  return err && i >= 0 && i < err->warnings ? &err->warning[i] : NULL;
}

int lim_error_notes(const lim_error *err) { return err ? err->kept : 0; }
const char *lim_error_text(const lim_error *err, int i) { return note(err, i) ? note(err, i)->text : NULL; }
const char *lim_error_file(const lim_error *err, int i) { return note(err, i) ? note(err, i)->file : NULL; }
int lim_error_line(const lim_error *err, int i) { return note(err, i) ? note(err, i)->line : 0; }
int lim_error_column(const lim_error *err, int i) { return note(err, i) ? note(err, i)->column : 0; }

int lim_error_warnings(const lim_error *err) { return err ? err->warnings : 0; }

const char *lim_error_warning(const lim_error *err, int i) {
  return warning(err, i) ? warning(err, i)->text : NULL;
}

const char *lim_error_warning_place(const lim_error *err, int i) {
  return warning(err, i) ? warning(err, i)->place : NULL;
}

double lim_error_warning_time(const lim_error *err, int i) {
  return warning(err, i) ? warning(err, i)->time : NAN;
}

lim_code lim_error_say(lim_error *err, lim_code code, const char *file, int line, int column,
                       const char *text) {
  return lim_error_add(err, code, file, line, column, "%s", text ? text : "");
}

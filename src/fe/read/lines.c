// lines.c - a buffer that holds whole lines of a file; progress and stop by the buffer.
#include "fe/read/lines.h"

#include "base/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { BUFFER = 1 << 20, LONGEST = 1 << 16 };

lim_code lim_lines_open(lim_lines *l, const char *path, const char *what, const lim_hooks *hooks,
                        lim_error *err) {
  struct stat info;
  *l = (lim_lines){.path = path, .what = what, .hooks = hooks, .err = err};
  l->code = lim_file_open(&l->file, path, "a text file", false, err);
  if (l->code != LIM_OK) return l->code;
  l->size = fstat(fileno(l->file), &info) ? 0 : (double)info.st_size;
  l->buffer = malloc(BUFFER + 1);
  l->plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (!l->buffer || !l->plain) l->code = lim_no_memory(err);
  return l->code;
}

void lim_lines_close(lim_lines *l) {
  if (l->file) fclose(l->file);
  if (l->plain) freelocale(l->plain);
  free(l->buffer);
  *l = (lim_lines){0};
}

lim_code lim_lines_error(lim_lines *l, const char *format, ...) {
  va_list args;
  va_start(args, format);
  l->code = lim_error_addv(l->err, LIM_BAD_INPUT, l->path, l->line, 0, format, args);
  va_end(args);
  return l->code;
}

static bool go_on(lim_lines *l) {
  const lim_hooks *h = l->hooks;
  if (h && h->stop && *h->stop)
    l->code = LIM_FAIL(l->err, LIM_FAILED, "stopped");
  else if (h && h->progress)
    h->progress(h->user, l->what, l->size > 0 ? fmin(l->read / l->size, 1) : 1);
  return l->code == LIM_OK;
}

// What is left of the buffer to its begin, and more of the file behind it.
static bool fill(lim_lines *l) {
  if (!go_on(l)) return false;
  if (l->end > l->begin) memmove(l->buffer, l->buffer + l->begin, l->end - l->begin);
  l->end -= l->begin;
  l->begin = 0;
  const size_t room = BUFFER - l->end, n = fread(l->buffer + l->end, 1, room, l->file);
  if (n < room && ferror(l->file))
    l->code = lim_error_add(l->err, LIM_IO, l->path, 0, 0, "cannot be read: %s", strerror(errno));
  l->ended = n < room;
  l->zeros = memchr(l->buffer, 0, l->end + n) != NULL;
  l->end += n;
  l->read += (double)n;
  return l->code == LIM_OK;
}

// Give the line that ends at `stop` of the buffer; `next` begins behind it.
static bool give(lim_lines *l, size_t stop, size_t next) {
  l->text = l->buffer + l->begin;
  l->begin = next;
  char *end = l->buffer + stop;
  const bool zero = l->zeros && memchr(l->text, 0, (size_t)(end - l->text));
  if (zero) return lim_lines_error(l, "this is no text: a byte of it is 0") == LIM_OK;
  if (end - l->text > LONGEST)
    return lim_lines_error(l, "the line is longer than %d letters, or no text", LONGEST) == LIM_OK;
  if (end > l->text && end[-1] == '\r') end--;
  *end = '\0';
  if (l->line == 1 && !strncmp(l->text, "\xEF\xBB\xBF", 3)) l->text += 3; // byte order mark
  return true;
}

bool lim_lines_next(lim_lines *l) {
  if (l->code != LIM_OK) return false;
  if (l->again) {
    l->again = false;
    return true;
  }
  char *stop = l->end > l->begin ? memchr(l->buffer + l->begin, '\n', l->end - l->begin) : NULL;
  if (!stop && !l->ended) {
    if (!fill(l)) return false;
    stop = l->end > l->begin ? memchr(l->buffer + l->begin, '\n', l->end - l->begin) : NULL;
  }
  if (!stop && l->begin == l->end) return false;
  l->line++;
  l->cut = !stop;
  return stop ? give(l, (size_t)(stop - l->buffer), (size_t)(stop - l->buffer) + 1) : give(l, l->end, l->end);
}

bool lim_lines_next_of(lim_lines *l, const char *mark) {
  const size_t n = strlen(mark);
  while (lim_lines_next(l)) {
    l->text += lim_field_begin(l->text) - l->text;
    if (*l->text && (n == 0 || strncmp(l->text, mark, n))) return true;
  }
  return false;
}

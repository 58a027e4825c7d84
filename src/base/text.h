// text.h - a text that grows, and the nearest of several names.
#ifndef LIM_BASE_TEXT_H
#define LIM_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

// Start with {0}; `failed` stays set once memory was out, so that it is checked once at the end.
typedef struct {
  char *text; // terminated; NULL while empty
  size_t length, capacity;
  bool failed;
} lim_text;

void lim_text_add(lim_text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void lim_text_bytes(lim_text *t, const void *bytes, size_t count); // as they are, zeros too
void lim_text_free(lim_text *t);

// Bytes of the UTF-8 letter at s; 0: there is none, or it is not UTF-8.
int lim_text_letter(const char *s);

// Whether the letter at s is not shown but steers what shows it: control characters, changes of the writing
// direction, line separators.
bool lim_text_steers(const char *s);

// Make a text from elsewhere safe to show, in place: blanks for tabs and line ends, '?' for other letters that
// steer and for bytes that are no UTF-8.
void lim_text_clean(char *text);

// Number of single-letter edits (insert, delete, replace, swap of neighbours) from a to b.
int lim_text_distance(const char *a, const char *b);

// The candidate closest to `word`, or NULL if none is close enough to be a slip of the keyboard.
// Feed candidates one by one: lim_nearest n = lim_nearest_start(word); lim_nearest_try(&n, c)...; n.best.
typedef struct {
  const char *word, *best;
  int distance; // of best; starts above the largest that counts as close
} lim_nearest;

lim_nearest lim_nearest_start(const char *word);
void lim_nearest_try(lim_nearest *n, const char *candidate);

#endif

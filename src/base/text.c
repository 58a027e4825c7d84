// text.c - a text that grows by doubling; edit distance for "did you mean".
#include "base/text.h"

#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 64, LONGEST = 64 };

// Make room for `more` bytes and the terminator.
static bool reserve(lim_text *t, size_t more) {
  if (more >= SIZE_MAX / 2 - t->length) return false;
  size_t need = t->length + more + 1, room = t->room ? t->room : FIRST_ROOM;
  if (need <= t->room) return true;
  while (room < need) room *= 2;
  char *text = realloc(t->text, room);
  if (!text) return false;
  t->text = text;
  t->room = room;
  return true;
}

// The text is measured first and written second: arguments never see a buffer that is too small.
static bool append(lim_text *t, const char *format, va_list measure, va_list write) {
  int more = vsnprintf(NULL, 0, format, measure);
  if (more < 0 || !reserve(t, (size_t)more)) return false;
  vsnprintf(t->text + t->length, (size_t)more + 1, format, write);
  t->length += (size_t)more;
  return true;
}

void lim_text_add(lim_text *t, const char *format, ...) {
  if (t->failed) return;
  va_list measure, write;
  va_start(measure, format);
  va_copy(write, measure);
  t->failed = !append(t, format, measure, write);
  va_end(write);
  va_end(measure);
}

void lim_text_bytes(lim_text *t, const void *bytes, size_t count) {
  if (t->failed) return;
  t->failed = !reserve(t, count);
  if (t->failed) return;
  memcpy(t->text + t->length, bytes, count);
  t->length += count;
  t->text[t->length] = 0;
}

void lim_text_free(lim_text *t) {
  free(t->text);
  *t = (lim_text){0};
}

// ASCII only, so that the answer does not depend on the locale.
static int lower(char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; }

static bool same(char a, char b, bool fold) { return fold ? lower(a) == lower(b) : a == b; }

static int least(int a, int b) { return a < b ? a : b; }

// Optimal string alignment, with D(i,j) the distance of the first i letters of a to the first j of b:
//   D(i,j) = min( D(i-1,j) + 1, D(i,j-1) + 1, D(i-1,j-1) + [a_i != b_j],
//                 D(i-2,j-2) + 1  if a_i = b_{j-1} and a_{i-1} = b_j ).
// Three rows of D are alive at a time: row i is kept in d[i % 3].
static int edits(const char *a, int na, const char *b, int nb, bool fold) {
  int d[3][LONGEST + 1];
  for (int j = 0; j <= nb; j++) d[0][j] = j;
  for (int i = 1; i <= na; i++) {
    int *now = d[i % 3];
    const int *before = d[(i + 2) % 3], *earlier = d[(i + 1) % 3];
    now[0] = i;
    for (int j = 1; j <= nb; j++) {
      int step = least(before[j], now[j - 1]) + 1;
      now[j] = least(step, before[j - 1] + !same(a[i - 1], b[j - 1], fold));
      bool swap = i > 1 && j > 1 && same(a[i - 1], b[j - 2], fold) && same(a[i - 2], b[j - 1], fold);
      if (swap) now[j] = least(now[j], earlier[j - 2] + 1);
    }
  }
  return d[na % 3][nb];
}

// Texts beyond LONGEST are no slips of the keyboard: unless equal they count as infinitely far apart.
static int distance(const char *a, const char *b, bool fold) {
  size_t na = strlen(a), nb = strlen(b);
  if (na > LONGEST || nb > LONGEST) return strcmp(a, b) == 0 ? 0 : INT_MAX;
  return edits(a, (int)na, b, (int)nb, fold);
}

int lim_text_distance(const char *a, const char *b) { return distance(a, b, false); }

lim_nearest lim_nearest_start(const char *word) {
  size_t length = strlen(word);
  int close = length <= 1 ? 0 : length <= 4 ? 1 : length <= 7 ? 2 : 3;
  return (lim_nearest){.word = word, .distance = close + 1};
}

// A difference of case costs nothing, so that "Length" finds "length".
void lim_nearest_try(lim_nearest *n, const char *candidate) {
  int d = distance(n->word, candidate, true);
  if (d >= n->distance) return;
  n->distance = d;
  n->best = candidate;
}

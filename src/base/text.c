// text.c - a text that grows by doubling; edit distance for "did you mean".
#include "base/text.h"

#include "base/grow.h"

#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 64 };

// Make room for `more` bytes and the terminator.
static bool reserve(lim_text *t, size_t more) {
  if (more >= SIZE_MAX / 2 - t->length) return false;
  return lim_grow(&t->text, &t->capacity, t->length + more + 1, 1);
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
// --- letters ---

int lim_text_letter(const char *text) {
  const unsigned char *s = (const unsigned char *)text;
  int n = s[0] < 0x80 ? s[0] != 0 : s[0] < 0xC2 ? 0 : s[0] < 0xE0 ? 2 : s[0] < 0xF0 ? 3 : s[0] < 0xF5 ? 4 : 0;
  for (int i = 1; i < n; i++)
    if ((s[i] & 0xC0) != 0x80) return 0;
  if (n == 3 && ((s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xED && s[1] >= 0xA0))) return 0;
  if (n == 4 && ((s[0] == 0xF0 && s[1] < 0x90) || (s[0] == 0xF4 && s[1] >= 0x90))) return 0;
  return n;
}

// The code point of a letter of n bytes.
static long code_point(const unsigned char *s, int n) {
  long x = n == 1 ? s[0] : s[0] & (0x7F >> n);
  for (int i = 1; i < n; i++) x = x << 6 | (s[i] & 0x3F);
  return x;
}

bool lim_text_steers(const char *s) {
  const int n = lim_text_letter(s);
  if (n == 0) return false;
  const long x = code_point((const unsigned char *)s, n);
  return x < 0x20 || (x >= 0x7F && x < 0xA0) || x == 0x61C || x == 0x200E || x == 0x200F ||
         (x >= 0x2028 && x <= 0x202E) || (x >= 0x2066 && x <= 0x2069) || x == 0xFEFF;
}

void lim_text_clean(char *text) {
  char *to = text;
  while (*text) {
    const int n = lim_text_letter(text);
    if (n == 0 || lim_text_steers(text)) {
      *to++ = strchr("\t\n\r", *text) ? ' ' : '?';
      text += n ? n : 1;
      continue;
    }
    for (int i = 0; i < n; i++) *to++ = *text++;
  }
  *to = 0;
}

static int lower(char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; }

static bool same(char a, char b, bool fold) { return fold ? lower(a) == lower(b) : a == b; }

static int min(int a, int b) { return a < b ? a : b; }

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
      int step = min(before[j], now[j - 1]) + 1;
      now[j] = min(step, before[j - 1] + !same(a[i - 1], b[j - 1], fold));
      bool swap = i > 1 && j > 1 && same(a[i - 1], b[j - 2], fold) && same(a[i - 2], b[j - 1], fold);
      if (swap) now[j] = min(now[j], earlier[j - 2] + 1);
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
  size_t a = strlen(n->word), b = strlen(candidate);
  if ((a > b ? a - b : b - a) >= (size_t)n->distance) return; // as many letters at least are put in or left out
  int d = distance(n->word, candidate, true);
  if (d >= n->distance) return;
  n->distance = d;
  n->best = candidate;
}

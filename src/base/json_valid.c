// json_valid.c - whether a text is JSON (RFC 8259).
#include "base/json.h"

#include <string.h>

enum { DEPTH = 64 };

static bool value(const char **s, int depth);

static void skip(const char **s) { *s += strspn(*s, " \t\r\n"); }

static bool take(const char **s, const char *word) {
  size_t n = strlen(word);
  if (strncmp(*s, word, n) != 0) return false;
  *s += n;
  return true;
}

static bool escape(const char **s) {
  if (!take(s, "u")) return **s && strchr("\"\\/bfnrt", *(*s)++);
  size_t n = strspn(*s, "0123456789abcdefABCDEF");
  *s += n < 4 ? n : 4;
  return n >= 4;
}

static bool text(const char **s) {
  if (!take(s, "\"")) return false;
  while ((unsigned char)**s >= 0x20 && **s != '"')
    if (*(*s)++ == '\\' && !escape(s)) return false;
  return take(s, "\"");
}

static bool digits(const char **s) {
  size_t n = strspn(*s, "0123456789");
  *s += n;
  return n > 0;
}

static bool number(const char **s) {
  take(s, "-");
  if (!take(s, "0") && !digits(s)) return false;
  if (take(s, ".") && !digits(s)) return false;
  if (!take(s, "e") && !take(s, "E")) return true;
  if (!take(s, "+")) take(s, "-");
  return digits(s);
}

// Entries of an object (keyed) or a list, after the opening bracket.
static bool entries(const char **s, const char *close, bool keyed, int depth) {
  skip(s);
  if (take(s, close)) return true;
  do {
    skip(s);
    if (keyed && !text(s)) return false;
    skip(s);
    if (keyed && !take(s, ":")) return false;
    if (!value(s, depth)) return false;
  } while (take(s, ","));
  return take(s, close);
}

// With the white space on both sides.
static bool value(const char **s, int depth) {
  bool good = depth < DEPTH;
  skip(s);
  if (!good) return false;
  if (take(s, "{"))
    good = entries(s, "}", true, depth + 1);
  else if (take(s, "["))
    good = entries(s, "]", false, depth + 1);
  else if (**s == '"')
    good = text(s);
  else
    good = take(s, "true") || take(s, "false") || take(s, "null") || number(s);
  skip(s);
  return good;
}

bool lim_json_valid(const char *json) { return value(&json, 0) && *json == 0; }

// json.c - JSON with two-space indentation, safe to embed in HTML.
#include "base/json.h"

#include "base/tree.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void new_line(lim_json *j) { lim_text_add(j->out, "\n%*s", 2 * j->depth, ""); }

// What goes between the entry before and the one that follows; nothing between a key and its value.
static void separate(lim_json *j) {
  if (!j->keyed && j->depth > 0) {
    if (!j->first) lim_text_add(j->out, j->flat ? ", " : ",");
    if (!j->flat) new_line(j);
  }
  j->keyed = false;
  j->first = false;
}

static void open(lim_json *j, char bracket) {
  separate(j);
  lim_text_add(j->out, "%c", bracket);
  j->depth++;
  j->first = true;
}

// Length of the well-formed UTF-8 sequence at s, 0 if there is none (Unicode 15, table 3-7). The terminator is
// no continuation byte, so nothing beyond it is read.
static int utf8_length(const unsigned char *s) {
  if (s[0] < 0x80) return 1;
  if (s[0] < 0xC2 || s[0] > 0xF4) return 0;
  int n = s[0] < 0xE0 ? 2 : s[0] < 0xF0 ? 3 : 4;
  for (int i = 1; i < n; i++)
    if ((s[i] & 0xC0) != 0x80) return 0;
  bool overlong = (s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xF0 && s[1] < 0x90);
  bool surrogate = s[0] == 0xED && s[1] > 0x9F;
  bool beyond = s[0] == 0xF4 && s[1] > 0x8F; // above U+10FFFF
  return overlong || surrogate || beyond ? 0 : n;
}

// What HTML might read as its own.
static bool html(unsigned char c) { return c == '<' || c == '>' || c == '&'; }

// One character; returns the bytes it took. '<' is escaped so that no text can close a <script> element.
static int add_character(lim_json *j, const unsigned char *s) {
  lim_text *out = j->out;
  int n = utf8_length(s);
  if (n == 0)
    lim_text_add(out, "\\ufffd");
  else if (*s < 0x20 || *s == '<' || (j->html && html(*s)))
    lim_text_add(out, "\\u%04x", (unsigned)*s);
  else if (*s == '"' || *s == '\\')
    lim_text_add(out, "\\%c", *s);
  else
    lim_text_add(out, "%.*s", n, (const char *)s);
  return n ? n : 1;
}

static void add_quoted(lim_json *j, const char *text) {
  lim_text_add(j->out, "\"");
  for (const unsigned char *s = (const unsigned char *)text; *s;) s += add_character(j, s);
  lim_text_add(j->out, "\"");
}

lim_json lim_json_start(lim_text *out) { return (lim_json){.out = out, .first = true}; }

lim_json lim_json_into(lim_tree *tree) { return (lim_json){.tree = tree}; }

void lim_json_object(lim_json *j) {
  if (j->tree)
    lim_tree_open(j->tree, true, false);
  else
    open(j, '{');
}

void lim_json_list(lim_json *j) {
  if (j->tree)
    lim_tree_open(j->tree, false, false);
  else
    open(j, '[');
}

void lim_json_flat(lim_json *j) {
  if (j->tree) {
    lim_tree_open(j->tree, false, true);
    return;
  }
  open(j, '[');
  if (!j->flat) j->flat = j->depth;
}

void lim_json_end(lim_json *j, char bracket) {
  if (j->tree) {
    lim_tree_close(j->tree);
    return;
  }
  bool one_line = j->flat || j->first; // empty ones stay on one line, too
  if (j->flat == j->depth) j->flat = 0;
  j->depth--;
  if (!one_line) new_line(j);
  lim_text_add(j->out, "%c", bracket);
  j->first = false;
}

void lim_json_key(lim_json *j, const char *key) {
  if (j->tree) {
    lim_tree_key(j->tree, key);
    return;
  }
  separate(j);
  add_quoted(j, key);
  lim_text_add(j->out, ": ");
  j->keyed = true;
}

void lim_json_text(lim_json *j, const char *text) {
  if (j->tree) {
    lim_tree_text(j->tree, text);
    return;
  }
  separate(j);
  add_quoted(j, text);
}

// 15 digits always survive decimal -> double -> decimal, 17 always survive double -> decimal -> double.
static void add_shortest(lim_text *out, double x) {
  char digits[32];
  for (int n = 15; n <= 17; n++) {
    snprintf(digits, sizeof digits, "%.*g", n, x);
    if (strtod(digits, NULL) == x) break;
  }
  lim_text_add(out, "%s", digits);
}

void lim_json_number(lim_json *j, double x) {
  if (j->tree) {
    lim_tree_number(j->tree, x);
    return;
  }
  separate(j);
  if (isfinite(x))
    add_shortest(j->out, x);
  else
    lim_text_add(j->out, "null");
}

void lim_json_int(lim_json *j, long x) {
  if (j->tree) {
    lim_tree_number(j->tree, (double)x);
    return;
  }
  separate(j);
  lim_text_add(j->out, "%ld", x);
}

void lim_json_bool(lim_json *j, bool x) {
  if (j->tree) {
    lim_tree_bool(j->tree, x);
    return;
  }
  separate(j);
  lim_text_add(j->out, x ? "true" : "false");
}

void lim_json_numbers(lim_json *j, const double *x, int n) {
  if (j->tree) {
    lim_tree_numbers(j->tree, x, n);
    return;
  }
  lim_json_flat(j);
  for (int i = 0; i < n; i++) lim_json_number(j, x[i]);
  lim_json_end(j, ']');
}

void lim_json_unit(lim_json *j, const char *unit) {
  if (j->tree) lim_tree_unit(j->tree, unit);
}

// Outside of texts, JSON has none of the characters that are escaped.
void lim_json_raw(lim_json *j, const char *json) {
  separate(j);
  for (const char *end; *json; json = end) {
    for (end = json; *end && !html((unsigned char)*end);) end++;
    lim_text_add(j->out, "%.*s", (int)(end - json), json);
    for (; html((unsigned char)*end); end++) lim_text_add(j->out, "\\u%04x", (unsigned)*end);
  }
}

static void warning(lim_json *j, const lim_warning *w) {
  lim_json_object(j);
  lim_json_key(j, "text");
  lim_json_text(j, w->text);
  if (!isnan(w->time)) {
    lim_json_key(j, "time");
    lim_json_number(j, w->time);
  }
  if (w->place) {
    lim_json_key(j, "place");
    lim_json_text(j, w->place);
  }
  lim_json_end(j, '}');
}

void lim_json_warnings(lim_json *j, const lim_error *err) {
  lim_json_key(j, "warnings");
  lim_json_list(j);
  for (int i = 0; err && i < err->warnings; i++) warning(j, &err->warning[i]);
  lim_json_end(j, ']');
}

// yaml_slips.c - slips of writing, recognised by their form: a blank missing after a colon or a dash, tabs, '='
// for
// ':', decimal commas, comments of other languages, indentation.
#include "model/file/yaml_slips.h"

#include "base/units/units.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_' || c == '-'; }

// --- entries ---

size_t lim_slip_key(const char *text) {
  size_t n = 0;
  while (is_word(text[n])) n++;
  if (n == 0 || !isalpha((unsigned char)text[0])) return 0;
  const char *sign = text + n + strspn(text + n, " ");
  if (*sign == '=' && sign[1] != '=') return n;
  return text[n] == ':' && text[n + 1] && !strchr(" :/\\\t", text[n + 1]) ? n : 0;
}

// What follows the ':' or '=' of such a text.
static const char *value_of(const char *text, size_t key) {
  const char *value = text + key + strspn(text + key, " ") + 1;
  return value + strspn(value, " ");
}

static const char *fault_of(const char *text, size_t key) {
  return text[key] == ':' ? "a blank is missing after the colon" : "'=' stands in place of ':'";
}

const char *lim_slip_of_entry(char buffer[LIM_SLIP], const char *text) {
  size_t key = lim_slip_key(text);
  buffer[0] = 0;
  if (key)
    snprintf(buffer, LIM_SLIP, "; %s: write '%.*s: %.30s'", fault_of(text, key), (int)(key < 30 ? key : 30),
             text, value_of(text, key));
  else if (isdigit((unsigned char)text[0]))
    snprintf(buffer, LIM_SLIP, "; a comma separates entries: write decimals with a point, as 0.5");
  return buffer;
}

// --- numbers ---

static size_t digits(const char *text) { return strspn(text, "0123456789"); }

// "0,5", "-1,25 mm": digits on both sides of one comma, and no point.
static bool has_decimal_comma(const char *text) {
  text += *text == '-' || *text == '+';
  size_t n = digits(text);
  return text[n] == ',' && digits(text + n + 1) && !strpbrk(text + n + 1, ".,");
}

// "1 000", "1_000", "1,000.5": digits parted to be read more easily.
static bool is_parted(const char *text) {
  text += *text == '-' || *text == '+';
  size_t n = digits(text);
  return n && n <= 3 && text[n] && strchr(" _,'", text[n]) && digits(text + n + 1) == 3;
}

static bool is_unit(const char *text) {
  lim_unit unit;
  return *text && lim_unit_parse(&unit, text, NULL, 0);
}

const char *lim_slip_of_number(char buffer[LIM_SLIP], const char *text) {
  buffer[0] = 0;
  if (has_decimal_comma(text)) {
    size_t n = strcspn(text, ",");
    snprintf(buffer, LIM_SLIP, "; decimals take a point: %.*s.%.24s", (int)(n < 24 ? n : 24), text,
             text + n + 1);
  } else if (is_parted(text)) {
    snprintf(buffer, LIM_SLIP, "; digits stand together, as 1000");
  } else if (is_unit(text)) {
    snprintf(buffer, LIM_SLIP, "; this is a unit without its number");
  }
  return buffer;
}

// --- lines ---

// One line of a text, terminated, with the blanks before it left out.
typedef struct {
  char text[200];
  int indent; // bytes before it
  bool tab;   // among these
} line_of_text;

static bool get_line(line_of_text *out, const char *text, size_t size, int number) {
  const char *at = text, *end = text + size;
  for (int i = 1; i < number; i++) {
    at = memchr(at, '\n', (size_t)(end - at));
    if (!at) return false;
    at++;
  }
  *out = (line_of_text){0};
  for (; at < end && (*at == ' ' || *at == '\t'); at++, out->indent++) out->tab = out->tab || *at == '\t';
  size_t n = 0;
  while (at < end && *at != '\n' && *at != '\r' && n + 1 < sizeof out->text) out->text[n++] = *at++;
  return true;
}

static bool says(char message[LIM_SLIP], int *column, int at, const char *text) {
  snprintf(message, LIM_SLIP, "%s", text);
  *column = at + 1;
  return true;
}

// The text behind "- ", of which an entry of a list consists; *at moves along.
static const char *behind_dashes(const char *text, int *at) {
  while (text[0] == '-' && text[1] == ' ') {
    size_t n = 1 + strspn(text + 1, " ");
    text += n;
    *at += (int)n;
  }
  return text;
}

// Whether the line below a finished "key: value" goes on further in, which only a key without value may have.
static bool goes_on_deeper(const line_of_text *line, int at, const char *body, const char *text, size_t size,
                           int number) {
  line_of_text next;
  const char *colon = strstr(body, ": ");
  return colon && colon[2 + strspn(colon + 2, " ")] && get_line(&next, text, size, number + 1) &&
         next.text[0] && next.text[0] != '#' && next.indent > at && strchr(next.text, ':') && line->text[0];
}

const char *lim_slip_of_yaml(const char *reason) {
  static const char *const words[][2] = {
      {"expected '-' indicator", "the indentation of this line fits none of the lines above it"},
      {"invalid nested block mapping", "a text that holds ': ' stands in quotes"},
  };
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strstr(reason, words[i][0])) return words[i][1];
  return reason;
}

bool lim_slip_of_line(char message[LIM_SLIP], int *column, const char *text, size_t size, int number) {
  line_of_text line;
  if (!get_line(&line, text, size, number)) return false;
  int at = line.indent;
  const char *body = behind_dashes(line.text, &at);
  size_t key = lim_slip_key(body);
  char buffer[LIM_SLIP];
  if (line.tab) return says(message, column, 0, "a tab indents this line; YAML takes blanks only");
  if (key) return says(message, column, at + (int)key, lim_slip_of_entry(buffer, body) + 2);
  if (body[0] == '-' && is_word(body[1]) && !isdigit((unsigned char)body[1]))
    return says(message, column, at, "a blank is missing after the dash");
  const char *slashes = strstr(body, "//");
  if (slashes && (slashes == body || slashes[-1] == ' '))
    return says(message, column, at + (int)(slashes - body), "comments begin with '#', not with '//'");
  if (strchr("{[", body[0] ? body[0] : 'x') && strchr(body, ';'))
    return says(message, column, at + (int)strcspn(body, ";"), "entries are separated by ',', not by ';'");
  if (goes_on_deeper(&line, at, body, text, size, number))
    return says(message, column, at, "the next line is indented further, but this entry has its value already");
  return false;
}

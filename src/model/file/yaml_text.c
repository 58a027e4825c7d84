// yaml_text.c - what a text must be before libfyaml may see it.
#include "model/tree.h"

#include <string.h>

// The bytes of the letter at the start of the text, 0 if it is not UTF-8. libfyaml 0.7.12 does not stop at all
// broken ones.
static int letter_size(const unsigned char *c, size_t left) {
  int size = c[0] < 0x80 ? 1 : c[0] < 0xC2 ? 0 : c[0] < 0xE0 ? 2 : c[0] < 0xF0 ? 3 : c[0] < 0xF5 ? 4 : 0;
  if ((size_t)size > left) return 0;
  for (int i = 1; i < size; i++)
    if ((c[i] & 0xC0) != 0x80) return 0;
  bool overlong = (c[0] == 0xE0 && c[1] < 0xA0) || (c[0] == 0xF0 && c[1] < 0x90);
  bool surrogate = c[0] == 0xED && c[1] >= 0xA0, beyond = c[0] == 0xF4 && c[1] >= 0x90;
  return overlong || surrogate || beyond ? 0 : size;
}

// Control characters, of ASCII and of Unicode, and what is no character at all.
static bool is_control(const unsigned char *c) {
  if (c[0] < 0x20) return c[0] != '\t' && c[0] != '\n' && c[0] != '\r';
  return c[0] == 0x7F || (c[0] == 0xC2 && c[1] < 0xA0 && c[1] != 0x85) ||
         (c[0] == 0xEF && c[1] == 0xBF && c[2] >= 0xBE);
}

// Directives and tags, of which no model has use and which libfyaml 0.7.12 reads in quadratic time.
//   "%TAG ..." at the start of a line; "%YAML 1.2" may stand.
static bool is_directive(const char *line, size_t left) {
  static const char version[] = "%YAML 1.";
  size_t n = sizeof version - 1;
  return line[0] == '%' && !(left > n && !memcmp(line, version, n) && (line[n] == '1' || line[n] == '2'));
}

//   "!<tag:..." without an end.
static bool is_endless_tag(const char *text, size_t left) {
  enum { LONGEST = 256 };
  size_t n = 0;
  if (text[0] != '!' || left < LONGEST) return false;
  while (n < LONGEST && !strchr(" \t\r\n\"{}>", text[n])) n++;
  return n == LONGEST;
}

lim_code lim_yaml_check_text(const char *text, size_t size, const char *source, lim_error *err) {
  int line = 1, column = 1;
  for (size_t i = 0; i < size;) {
    const unsigned char *c = (const unsigned char *)text + i;
    int n = letter_size(c, size - i);
    if (n == 0 || is_control(c))
      return lim_error_add(err, LIM_BAD_INPUT, source, line, column,
                           "byte 0x%02X is not text; a model file is UTF-8 text in YAML", c[0]);
    if (column == 1 && is_directive(text + i, size - i))
      return lim_error_add(err, LIM_BAD_INPUT, source, line, column,
                           "a line that begins with %% is a directive; the only one allowed is %%YAML 1.2");
    if (is_endless_tag(text + i, size - i))
      return lim_error_add(err, LIM_BAD_INPUT, source, line, column, "'!' begins a tag without end");
    column = c[0] == '\n' ? 1 : column + 1;
    line += c[0] == '\n';
    i += (size_t)n;
  }
  return LIM_OK;
}

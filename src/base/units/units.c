// units.c - reads units and numbers with units.
//
//   unit     = [["1"] "/"] factor { operator factor }
//   operator = blanks | "*" | "·" | "⋅" | "." | "/"
//   factor   = [prefix] name [power]
//   power    = "^" ["+" | "-"] digit | digit | ["⁻"] superscript
//
// A "/" divides by the next factor only: "N m/rad" is N·m·rad⁻¹ and "kg/m s" is kg·m⁻¹·s.
#include "base/units/units.h"

#include "base/units/unit_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BLANKS " \t\r\n"

enum { POWER_MAX = 60 }; // of a whole unit, well within a signed char

typedef lim_measure measure;

#define COUNT(table) (sizeof(table) / sizeof *(table))

// A stretch of text, not terminated.
typedef struct {
  const char *at, *end;
} span;

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

static bool is_blank(char c) { return c && strchr(BLANKS, c); }

static bool starts(span s, const char *token) {
  size_t n = strlen(token);
  return (size_t)(s.end - s.at) >= n && memcmp(s.at, token, n) == 0;
}

static bool take(span *s, const char *token) {
  if (!starts(*s, token)) return false;
  s->at += strlen(token);
  return true;
}

static bool equals(span s, const char *token) { return take(&s, token) && s.at == s.end; }

static void skip_blanks(span *s) {
  while (s->at < s->end && is_blank(*s->at)) s->at++;
}

static span trimmed(span s) {
  skip_blanks(&s);
  while (s.end > s.at && is_blank(s.end[-1])) s.end--;
  return s;
}

// Copy what fits; a UTF-8 character is never cut in two.
static void copy_span(char *out, size_t size, span s) {
  if (!out || size == 0) return;
  size_t n = (size_t)(s.end - s.at);
  if (n >= size)
    for (n = size - 1; n > 0 && ((unsigned char)s.at[n] & 0xC0) == 0x80;) n--;
  if (n > 0) memcpy(out, s.at, n);
  out[n] = '\0';
}

static const lim_named_unit *find_unit(span name) {
  for (const lim_named_unit *u = lim_unit_table; u->name; u++)
    if (equals(name, u->name)) return u;
  return NULL;
}

static const lim_named_unit *find_prefixed(span name, int *ten) {
  for (const lim_prefix *p = lim_prefix_table; p->name; p++) {
    span rest = name;
    if (!take(&rest, p->name)) continue;
    const lim_named_unit *unit = find_unit(rest);
    *ten = p->ten;
    if (unit && unit->prefixed) return unit;
  }
  return NULL;
}

static bool read_name(measure *out, span name) {
  int ten = 0;
  const lim_named_unit *unit = find_unit(name);
  if (!unit) unit = find_prefixed(name, &ten);
  if (!unit) return false;
  *out = unit->is;
  out->ten += ten;
  return true;
}

// x × 10^n by one correctly rounded operation: powers of ten are exact up to 10^22, those below 1 never are.
static double shift(double x, int n) { return n < 0 ? x / pow(10, -n) : x * pow(10, n); }

static double si_factor(const measure *m) { return shift(m->factor * m->angle, m->ten); }

// m := m × unit^power. False if that leaves the range a unit may have.
static bool multiply(measure *m, const measure *unit, int power) {
  m->factor *= pow(unit->factor, power);
  m->angle *= pow(unit->angle, power);
  m->ten += power * unit->ten;
  bool good = isnormal(si_factor(m));
  for (int i = 0; i < LIM_NDIM; i++) {
    m->power[i] += power * unit->power[i];
    good = good && abs(m->power[i]) <= POWER_MAX;
  }
  return good;
}

static bool take_superscript(span *s, int *power) {
  static const char *const digit[] = {"¹", "²", "³", "⁴"};
  int sign = take(s, "⁻") ? -1 : 1;
  for (int i = 0; i < (int)COUNT(digit); i++)
    if (take(s, digit[i])) {
      *power = sign * (i + 1);
      return true;
    }
  return sign > 0; // a sign alone is no power
}

// The power after a name; 1 where none is written.
static bool take_power(span *s, int *power) {
  *power = 1;
  bool caret = take(s, "^");
  int sign = caret && take(s, "-") ? -1 : 1;
  if (caret && sign > 0) take(s, "+");
  if (s->at == s->end || !is_digit(*s->at)) return !caret && take_superscript(s, power);
  *power = sign * (*s->at++ - '0');
  return true;
}

// Bytes of the sign of a product at s; 0: none. A point is one only before a name: "N.m", not "m^2.5".
static size_t product_sign(span s) {
  static const char *const sign[] = {"*", "·", "⋅"};
  for (size_t i = 0; i < COUNT(sign); i++)
    if (starts(s, sign[i])) return strlen(sign[i]);
  return starts(s, ".") && s.end - s.at > 1 && !is_digit(s.at[1]);
}

static bool at_operator(span s) {
  return s.at == s.end || is_blank(*s.at) || starts(s, "/") || product_sign(s);
}

static bool at_power(span s) {
  static const char *const sign[] = {"^", "⁻", "¹", "²", "³", "⁴"};
  for (size_t i = 0; i < COUNT(sign); i++)
    if (starts(s, sign[i])) return true;
  return s.at < s.end && is_digit(*s.at);
}

// 1: multiply, -1: divide, 0: there is no operator.
static int take_operator(span *s) {
  const char *before = s->at;
  skip_blanks(s);
  bool over = take(s, "/");
  if (!over) s->at += product_sign(*s);
  bool found = s->at > before;
  skip_blanks(s);
  return over ? -1 : found;
}

static bool take_factor(measure *m, span *s, int sign) {
  span name = *s;
  while (!at_operator(*s) && !at_power(*s)) s->at++;
  name.end = s->at;
  measure unit;
  int power;
  return read_name(&unit, name) && take_power(s, &power) && at_operator(*s) && multiply(m, &unit, sign * power);
}

// The factor at the start of s as written; the whole text where an operator has nothing to work on.
static span word_of(span s, span whole) {
  span word = s;
  while (!at_operator(s)) s.at++;
  word.end = s.at;
  return word.at < word.end ? word : whole;
}

// The "1" of "1/s" says nothing; "/s" is what is left of "5/s" once the number is read.
static int take_start(span *s) {
  span rest = *s;
  take(&rest, "1");
  skip_blanks(&rest);
  if (!starts(rest, "/")) return 1;
  *s = rest;
  return take_operator(s);
}

// Read a whole unit; on failure *bad is the part that was not understood.
static bool read_unit(measure *m, span s, span *bad) {
  *m = (measure){.factor = 1, .angle = 1};
  s = trimmed(s);
  const span whole = s;
  if (s.at == s.end) return true;
  int sign = take_start(&s);
  for (;; sign = take_operator(&s)) {
    *bad = word_of(s, whole);
    if (!take_factor(m, &s, sign)) return false;
    if (s.at == s.end) return true;
  }
}

bool lim_unit_parse(lim_unit *out, const char *text, char *bad, size_t size) {
  measure m;
  span culprit;
  if (!read_unit(&m, (span){text, text + strlen(text)}, &culprit)) {
    copy_span(bad, size, culprit);
    return false;
  }
  out->factor = si_factor(&m);
  for (int i = 0; i < LIM_NDIM; i++) out->power[i] = (signed char)m.power[i];
  return true;
}

static bool fits(const measure *given, const measure *expected) {
  for (int i = 0; i < LIM_NDIM; i++) {
    bool free_angle = i == LIM_ANGLE && given->power[i] == 0;
    if (given->power[i] != expected->power[i] && !free_angle) return false;
  }
  return true;
}

// A unit without rad is taken as per the angle that is expected: 1/s is 1 Hz and 1 rad/s, N m is N m/deg.
static double convert(double x, const measure *given, const measure *expected) {
  bool both = given->power[LIM_ANGLE] == expected->power[LIM_ANGLE];
  double angle = given->angle / (both ? expected->angle : 1);
  return shift(x * (given->factor / expected->factor * angle), given->ten - expected->ten);
}

// Convert *x to the first of the alternatives "a|b|c" that fits; false if none does.
static bool convert_any(double *x, const measure *given, const char *alternatives) {
  for (const char *at = alternatives;; at++) {
    span one = {at, at + strcspn(at, "|")}, bad;
    measure expected;
    if (read_unit(&expected, one, &bad) && fits(given, &expected)) {
      *x = convert(*x, given, &expected);
      return true;
    }
    at = one.end;
    if (!*at) return false;
  }
}

static const char *skip_digits(const char *s) {
  while (is_digit(*s)) s++;
  return s;
}

static const char *skip_sign(const char *s) { return *s == '+' || *s == '-' ? s + 1 : s; }

// The end of the decimal number at s, NULL if there is none.
static const char *number_end(const char *s) {
  const char *whole = skip_sign(s), *end = skip_digits(whole);
  ptrdiff_t digits = end - whole;
  if (*end == '.') {
    const char *fraction = end + 1;
    end = skip_digits(fraction);
    digits += end - fraction;
  }
  if (digits == 0) return NULL;
  if (*end != 'e' && *end != 'E') return end;
  const char *exponent = skip_sign(end + 1);
  return is_digit(*exponent) ? skip_digits(exponent) : end;
}

// "nan", ".inf", "-.Inf", "infinity": what C, YAML and people write.
static bool is_infinite_word(const char *s) {
  static const char *const word[] = {"nan", "inf", "infinity"};
  char lower[sizeof "infinity"] = "";
  s = skip_sign(s);
  if (*s == '.') s++;
  size_t n = 0;
  for (; n < sizeof lower - 1 && is_letter(s[n]); n++) lower[n] = (char)(s[n] | 0x20);
  if (is_letter(s[n]) || is_digit(s[n])) return false;
  for (size_t i = 0; i < COUNT(word); i++)
    if (strcmp(lower, word[i]) == 0) return true;
  return false;
}

// A unit may follow a number without a blank; "1,5", "1_000" and "10-20" are no numbers.
static bool may_follow_number(char c) {
  return c == '\0' || is_blank(c) || is_letter(c) || c == '%' || c == '/' || (unsigned char)c >= 0x80;
}

// Read the number at s; *rest is what follows it. strtod stops elsewhere for hexadecimal numbers only.
static lim_number_status read_value(double *x, const char *s, const char **rest) {
  if (is_infinite_word(s)) return LIM_NUMBER_INFINITE;
  const char *end = number_end(s);
  char *stop;
  if (!end || !may_follow_number(*end)) return LIM_NUMBER_NONE;
  *x = strtod(s, &stop);
  *rest = end;
  if (stop != end) return LIM_NUMBER_NONE;
  return isfinite(*x) ? LIM_NUMBER_OK : LIM_NUMBER_INFINITE;
}

lim_number_status lim_number_parse(double *out, const char *text, const char *unit, char *bad, size_t size) {
  double x;
  const char *rest;
  lim_number_status status = read_value(&x, text + strspn(text, BLANKS), &rest);
  if (status != LIM_NUMBER_OK) return status;
  span written = trimmed((span){rest, rest + strlen(rest)}), culprit;
  measure given;
  if (!read_unit(&given, written, &culprit)) {
    copy_span(bad, size, culprit);
    return LIM_NUMBER_UNIT;
  }
  if (written.at < written.end && !convert_any(&x, &given, unit)) {
    copy_span(bad, size, written);
    return LIM_NUMBER_DIMENSION;
  }
  if (!isfinite(x)) return LIM_NUMBER_INFINITE;
  *out = x;
  return LIM_NUMBER_OK;
}

// fields.c - numbers in lines, each the double nearest to it. Those of few digits and small powers of ten are
// products or quotients of exact doubles (Clinger 1990), those of up to 19 digits of whole numbers of 128 bits;
// others are left to strtod.
#include "fe/read/lines.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LONGEST = 120, POWERS = 22, FIVES = 27 };

static bool blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }
static bool digit(char c) { return c >= '0' && c <= '9'; }
static bool between(char c) { return c == ',' || c == ';'; }
static bool ends(char c) { return !c || blank(c) || between(c); }

const char *lim_field_begin(const char *at) {
  while (blank(*at)) at++;
  return at;
}

int lim_field_length(const char *at) {
  int n = 0;
  while (!ends(at[n])) n++;
  return n;
}

static const char *past(const char *at) {
  at = lim_field_begin(at);
  return between(*at) ? lim_field_begin(at + 1) : at;
}

const char *lim_field_next(const char *at) {
  at = lim_field_begin(at);
  return past(at + lim_field_length(at));
}

bool lim_field_none(const char *at) { return *lim_field_begin(at) == '\0'; }

int lim_field_count(const char *at) {
  int n = 0;
  for (; !lim_field_none(at); at = lim_field_next(at)) n++;
  return n;
}

// --- numbers ---

typedef struct {
  uint64_t digits; // their first 19 as a whole number
  int count;       // of those, without zeros ahead
  bool dropped;    // more followed
  bool negative;
  long power; // of ten
} decimal;

static const char *read_digits(decimal *d, const char *s, int step) {
  for (; digit(*s); s++) {
    if (d->count == 19) {
      d->dropped = true;
      d->power += 1 + step;
      continue;
    }
    d->digits = d->digits * 10 + (uint64_t)(*s - '0');
    d->count += d->digits > 0;
    d->power += step;
  }
  return s;
}

// The power behind e, E, d, D or, as Fortran writes those of three digits, behind nothing but its sign.
static const char *read_power(decimal *d, const char *s) {
  const char *t = s + (*s && strchr("eEdD", *s));
  const bool negative = *t == '-';
  if (t == s && *t != '-' && *t != '+') return s;
  if (*t == '-' || *t == '+') t++;
  if (!digit(*t)) return s;
  long power = 0;
  for (; digit(*t); t++)
    if (power < 100000) power = power * 10 + (*t - '0');
  d->power += negative ? -power : power;
  return t;
}

// NULL: no number begins at s.
static const char *read_decimal(decimal *d, const char *s) {
  *d = (decimal){.negative = *s == '-'};
  if (*s == '-' || *s == '+') s++;
  const char *whole = s;
  s = read_digits(d, s, 0);
  bool any = s > whole;
  if (*s == '.') {
    const char *part = ++s;
    s = read_digits(d, s, -1);
    any = any || s > part;
  }
  return any ? read_power(d, s) : NULL;
}

static bool quick(double *out, const decimal *d) {
  static const double ten[POWERS + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                         1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  if (d->dropped || d->digits > UINT64_C(1) << 53) return false;
  const double x = (double)d->digits;
  if (d->digits == 0)
    *out = 0;
  else if (d->power >= 0 && d->power <= POWERS)
    *out = x * ten[d->power];
  else if (d->power < 0 && d->power >= -POWERS)
    *out = x / ten[-d->power];
  else
    return false;
  if (d->negative) *out = -*out;
  return true;
}

__extension__ typedef unsigned __int128 wide;

// x 2^power, with 64 leading bits of x, rounded to the 53 of a double; rest: whether x lacks something behind
// them.
static double rounded(uint64_t x, bool rest, int power) {
  const uint64_t half = UINT64_C(1) << 10, below = x & (2 * half - 1);
  uint64_t kept = x >> 11;
  if (below > half || (below == half && (rest || (kept & 1)))) kept++;
  return ldexp((double)kept, power + 11);
}

// digits 10^power by whole numbers: 10^p = 5^p 2^p, and 5^27 has 63 bits.
static bool exact(double *out, const decimal *d) {
  uint64_t five = 1;
  if (d->dropped || d->digits == 0 || d->power < -FIVES || d->power > FIVES) return false;
  const int p = (int)d->power, shift = __builtin_clzll(d->digits);
  for (int i = 0; i < abs(p); i++) five *= 5;
  const wide x = (wide)d->digits << shift;
  const wide y = p >= 0 ? x * five : (x << 64) / five;
  const bool rest = p < 0 && (x << 64) != y * five;
  const int power = p - shift - (p < 0 ? 64 : 0);
  const int over = 64 - (y >> 64 ? __builtin_clzll((uint64_t)(y >> 64)) : 64); // y has 64 + over bits
  const bool more = over && (y & (((wide)1 << over) - 1));
  *out = rounded((uint64_t)(y >> over), rest || more, power + over);
  if (d->negative) *out = -*out;
  return true;
}

// The same text as strtod reads it: with an e before the power. False: it is too long to be meant.
static bool slow(double *out, const char *s, const char *end, locale_t plain) {
  char copy[LONGEST + 2];
  int n = 0;
  if (end - s > LONGEST) return false;
  for (bool power = false; s < end; s++) {
    const bool sign = *s == '-' || *s == '+', letter = !digit(*s) && !sign && *s != '.';
    if (sign && n > 0 && !power) copy[n++] = 'e';
    if (letter || (sign && n > 0)) power = true;
    copy[n++] = letter ? 'e' : *s;
  }
  copy[n] = '\0';
  *out = strtod_l(copy, NULL, plain);
  return true;
}

static bool infinite_word(const char *s) {
  s += *s == '-' || *s == '+';
  return !strncasecmp(s, "nan", 3) || !strncasecmp(s, "inf", 3);
}

// What is wrong with the number at s.
static bool refuse(lim_lines *l, const char *s, bool infinite) {
  const int length = lim_field_length(s);
  if (length == 0)
    lim_lines_error(l, "a number is missing");
  else
    lim_lines_error(l, "'%.*s' is not a %snumber", length < 20 ? length : 20, s,
                    infinite || infinite_word(s) ? "finite " : "");
  return false;
}

bool lim_lines_number(double *out, lim_lines *l, const char **at) {
  decimal d;
  const char *s = lim_field_begin(*at), *end = read_decimal(&d, s);
  if (!end || !ends(*end) || (!quick(out, &d) && !exact(out, &d) && !slow(out, s, end, l->plain)))
    return refuse(l, s, false);
  if (!isfinite(*out)) return refuse(l, s, true);
  *at = past(end);
  return true;
}

// A whole number that is written with a point or a power, as MATLAB does.
static bool whole_of(int *out, lim_lines *l, const char **at) {
  const char *s = lim_field_begin(*at);
  const int length = lim_field_length(s);
  double x;
  if (!lim_lines_number(&x, l, at)) return false;
  if (x != floor(x) || fabs(x) > INT_MAX) {
    lim_lines_error(l, "'%.*s' is not a whole number%s", length < 20 ? length : 20, s,
                    x != floor(x) ? "" : " of at most 2147483647");
    return false;
  }
  *out = (int)x;
  return true;
}

bool lim_lines_whole(int *out, lim_lines *l, const char **at) {
  const char *s = lim_field_begin(*at);
  int64_t x = 0;
  int n = 0;
  while (n < 10 && digit(s[n])) x = x * 10 + (s[n++] - '0');
  if (n == 0 || x > INT_MAX || !ends(s[n])) return whole_of(out, l, at);
  *out = (int)x;
  *at = past(s + n);
  return true;
}

// scale.c - prefix of the unit, range, ticks, their labels.
#include "report/figure/scale.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// --- unit ---

static const struct {
  const char *sign;
  int power;
} prefixes[] = {{"p", -12}, {"n", -9}, {"µ", -6}, {"m", -3}, {"", 0}, {"k", 3}, {"M", 6}, {"G", 9}};

// Whether a prefix before the unit scales all of it: not the square of m^2, nor a second prefix before mm or
// kg.
static bool takes_prefix(const char *unit) {
  static const char *const plain[] = {"m", "s", "rad", "N", "J", "W", "Pa", "Hz", "V", "A", "g"};
  size_t n = strcspn(unit, " /*·");
  for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
    if (strlen(plain[i]) == n && !strncmp(unit, plain[i], n)) return true;
  return false;
}

// ^2 becomes ², a blank between two units a dot.
static void write_unit(char *out, size_t buffer, const char *sign, const char *unit) {
  static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  size_t n = (size_t)snprintf(out, buffer, "%s", sign);
  for (bool up = false; *unit && n + 4 < buffer; unit++) {
    if (*unit == '^') {
      up = true;
      continue;
    }
    bool digit = *unit >= '0' && *unit <= '9', minus = up && *unit == '-';
    up = up && (digit || minus);
    if (minus)
      n += (size_t)snprintf(out + n, buffer - n, "⁻");
    else if (up)
      n += (size_t)snprintf(out + n, buffer - n, "%s", raised[*unit - '0']);
    else if (*unit == ' ')
      n += (size_t)snprintf(out + n, buffer - n, "·");
    else
      out[n++] = *unit, out[n] = 0;
  }
}

// Thousands: the largest number is at least 1, less than 1000; of small units at least 0.1, less than 100.
static int thousands(double largest) {
  int shift = largest < 1 ? 1 : 0;
  return 3 * (int)floor((log10(largest) + shift) / 3 + 1e-9);
}

static lim_shown_unit with_prefix(const char *unit, int power) {
  const int last = sizeof prefixes / sizeof *prefixes - 1;
  lim_shown_unit u;
  int k = 0;
  while (k < last && prefixes[k].power < power) k++;
  if (!strcmp(unit, "s") && prefixes[k].power > 0) k = last - 3; // no kiloseconds
  write_unit(u.unit, sizeof u.unit, prefixes[k].sign, unit);
  u.factor = pow(10, -prefixes[k].power);
  return u;
}

// 0.012 and 12000 are shown as they are, other sizes with a power of ten: "10⁻⁶ kg".
static lim_shown_unit with_power(const char *unit, int power) {
  lim_shown_unit u;
  char ten[32] = "", raised[16];
  if (power >= -3 && power <= 3) power = 0;
  snprintf(raised, sizeof raised, "^%d", power);
  if (power) write_unit(ten, sizeof ten - 1, "10", raised);
  size_t used = strlen(ten);
  if (power && *unit) snprintf(ten + used, sizeof ten - used, " ");
  write_unit(u.unit, sizeof u.unit, ten, unit);
  u.factor = pow(10, -power);
  return u;
}

static bool is_pure(const char *unit) { return !strcmp(unit, "-") || !strcmp(unit, "1") || !*unit; }

bool lim_shown_as_strain(const char *name, const char *unit) {
  size_t n = strlen(name);
  return is_pure(unit) && n >= 6 && !strcmp(name + n - 6, "strain");
}

lim_shown_unit lim_shown_unit_of(const char *name, const char *unit, double largest) {
  bool pure = is_pure(unit);
  int power = isfinite(largest) && largest > 0 ? thousands(largest) : 0;
  if (lim_shown_as_strain(name, unit)) return (lim_shown_unit){"µε", 1e6};
  return !pure && takes_prefix(unit) ? with_prefix(unit, power) : with_power(pure ? "" : unit, power);
}

// --- range ---

// Numbers beyond these leave no room around them: quotients and spreads would overflow, or vanish.
static const double LARGEST = 1e150, LEAST = 1e-150;

static double within(double x, double low, double high) { return fmax(low, fmin(high, x)); }

lim_scale lim_scale_around(double low, double high, bool log, bool tight) {
  low = within(low, log ? LEAST : -LARGEST, LARGEST);
  high = within(high, log ? LEAST : -LARGEST, LARGEST);
  lim_scale s = {low, high, log};
  if (log) {
    double spread = log10(high / low), space = spread > 1e-9 ? (tight ? 0 : 0.04 * spread) : 0.5;
    s.low = low / pow(10, space);
    s.high = high * pow(10, space);
    return s;
  }
  double size = fmax(fabs(low), fabs(high)), spread = high - low;
  if (spread <= 1e-12 * size) spread = 0;
  if (size < LEAST) size = spread = 0;
  double space = spread > 0 ? (tight ? 0 : 0.05 * spread) : size > 0 ? 0.1 * size : 1;
  s.low = low - space;
  s.high = high + space;
  return s;
}

double lim_scale_place(const lim_scale *s, double x) {
  return s->log ? log(x / s->low) / log(s->high / s->low) : (x - s->low) / (s->high - s->low);
}

// --- ticks ---

static void add(lim_ticks *t, double at, bool major) {
  if (t->count == LIM_SCALE_TICKS) return;
  t->at[t->count] = at;
  t->major[t->count++] = major;
}

// Largest step first: the number of ticks must not exceed `most`.
static double nice_step(double spread, int max, int *power) {
  static const double nice[] = {1, 2, 5, 10};
  double rough = spread / max;
  *power = (int)floor(log10(rough));
  double unit = pow(10, *power);
  int k = 0;
  while (k < 3 && nice[k] * unit < rough * (1 - 1e-9)) k++;
  if (k == 3) ++*power;
  return k == 3 ? pow(10, *power) : nice[k] * unit;
}

static lim_ticks linear_ticks(const lim_scale *s, int max) {
  lim_ticks t = {0};
  int power;
  double spread = s->high - s->low, step = nice_step(spread, max, &power), slack = 1e-6 * step;
  t.decimals = power < 0 ? -power : 0;
  double first = ceil((s->low - slack) / step), last = floor((s->high + slack) / step);
  for (double i = first; i <= last && t.count < LIM_SCALE_TICKS; i++)
    add(&t, power < 0 ? i * round(step * pow(10, -power)) / pow(10, -power) : i * step, true);
  return t;
}

// Every decade, or every second, third ...; between decades next to each other, 2 to 9 times without a label.
static lim_ticks log_ticks(const lim_scale *s, int max) {
  lim_ticks t = {.decimals = -1};
  int first = (int)floor(log10(s->low) + 1e-9), last = (int)ceil(log10(s->high) - 1e-9);
  int every = (last - first + max) / (max > 0 ? max : 1);
  for (int p = first; p <= last; p++)
    for (int k = 1; k < 10; k++) {
      double at = k * pow(10, p);
      bool inside = at >= s->low * (1 - 1e-9) && at <= s->high * (1 + 1e-9);
      if (inside && k == 1 && p % every == 0) add(&t, at, true);
      if (inside && k > 1 && last - first <= 3) add(&t, at, false);
    }
  return t;
}

lim_ticks lim_ticks_of(const lim_scale *s, int max) {
  if (max < 2) max = 2;
  if (max > LIM_SCALE_TICKS - 2) max = LIM_SCALE_TICKS - 2;
  if (s->log) {
    lim_ticks t = log_ticks(s, max);
    int labels = 0;
    for (int i = 0; i < t.count; i++) labels += t.major[i];
    if (labels >= 2) return t;
    lim_scale plain = {s->low, s->high, false}; // less than a decade or two
    return linear_ticks(&plain, max);
  }
  return linear_ticks(s, max);
}

void lim_tick_text(char text[LIM_SCALE_TEXT], const lim_ticks *t, int i) {
  double x = t->at[i];
  if (t->decimals < 0) {
    int power = (int)lround(log10(x));
    char raised[16];
    snprintf(raised, sizeof raised, "^%d", power);
    if (power >= -2 && power <= 3)
      snprintf(text, LIM_SCALE_TEXT, "%g", x);
    else
      write_unit(text, LIM_SCALE_TEXT, "10", raised);
    return;
  }
  char digits[LIM_SCALE_TEXT - 4];
  if (fabs(x) < 0.5 * pow(10, -t->decimals)) x = 0; // never -0
  if (fabs(x) >= 1e7 || t->decimals > 8)
    snprintf(digits, sizeof digits, "%.6g", fabs(x));
  else
    snprintf(digits, sizeof digits, "%.*f", t->decimals, fabs(x));
  snprintf(text, LIM_SCALE_TEXT, "%s%s", x < 0 ? "−" : "", digits);
}

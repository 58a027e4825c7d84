// unit_help.c - what is said about units: the one that was probably meant, and the page of all of them.
#include "base/units/unit_table.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

// --- the unit that was meant ---

// What people write and the unit for it.
static const char *const words[][2] = {
    {"sec", "s"},       {"second", "s"},   {"seconds", "s"},  {"msec", "ms"},     {"hr", "h"},
    {"hour", "h"},      {"hours", "h"},    {"mins", "min"},   {"minutes", "min"}, {"degree", "deg"},
    {"degrees", "deg"}, {"degs", "deg"},   {"radian", "rad"}, {"radians", "rad"}, {"rads", "rad"},
    {"inch", "in"},     {"inches", "in"},  {"\"", "in"},      {"feet", "ft"},     {"foot", "ft"},
    {"'", "ft"},        {"meter", "m"},    {"meters", "m"},   {"metre", "m"},     {"metres", "m"},
    {"micron", "um"},   {"microns", "um"}, {"mic", "um"},     {"lbs", "lb"},      {"pound", "lb"},
    {"pounds", "lb"},   {"kgs", "kg"},     {"gram", "g"},     {"grams", "g"},     {"ton", "t"},
    {"tons", "t"},      {"tonne", "t"},    {"tonnes", "t"},   {"newton", "N"},    {"newtons", "N"},
    {"kips", "kip"},    {"ohms", "ohm"},   {"revs", "rev"},   {"turns", "turn"},  {"cps", "Hz"},
    {"kp", "kgf"},      {"percent", "%"},  {"pct", "%"},      {"amp", "A"},       {"amps", "A"},
    {"volts", "V"},
};

// Whether two texts differ at most by capital letters.
static bool same_letters(const char *a, const char *b) {
  for (; *a && *b; a++, b++)
    if (tolower((unsigned char)*a) != tolower((unsigned char)*b)) return false;
  return *a == *b;
}

// Prefixes in the order in which a unit is met: "mpa" are megapascals, "MM" millimetres.
static const char *prefixes_of(const char *unit) {
  return strlen(unit) == 1 || !strcmp(unit, "rad") || !strcmp(unit, "deg") ? "mkucnMGdpT" : "kMGTmucndp";
}

static bool by_letters(char *buffer, size_t size, const char *name) {
  for (const lim_named_unit *u = lim_unit_table; u->name; u++) {
    snprintf(buffer, size, "%s", u->name);
    if (same_letters(buffer, name)) return true;
  }
  for (const lim_named_unit *u = lim_unit_table; u->name; u++)
    for (const char *p = prefixes_of(u->name); u->prefixed && *p; p++) {
      snprintf(buffer, size, "%c%s", *p, u->name);
      if (same_letters(buffer, name)) return true;
    }
  return false;
}

static bool by_word(char *buffer, size_t size, const char *name) {
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    snprintf(buffer, size, "%s", words[i][1]);
    if (same_letters(words[i][0], name)) return true;
  }
  return false;
}

// Whether the number has the unit expected once the part is replaced.
static bool fits(const char *text, const char *bad, const char *by, const char *unit) {
  char corrected[160];
  double x;
  const char *at = strstr(text, bad);
  if (!at) return false;
  snprintf(corrected, sizeof corrected, "%.*s%s%s", (int)(at - text < 80 ? at - text : 80), text, by,
           at + strlen(bad));
  return lim_number_parse(&x, corrected, unit, NULL, 0) == LIM_NUMBER_OK;
}

const char *lim_unit_hint(char buffer[LIM_UNIT_HINT], const char *bad, const char *text, const char *unit) {
  char name[24], meant[24], whole[40];
  lim_unit is;
  size_t n = strcspn(bad, "^0123456789");
  snprintf(name, sizeof name, "%.*s", (int)(n < 23 ? n : 23), bad);
  bool known = name[0] && (by_letters(meant, sizeof meant, name) || by_word(meant, sizeof meant, name));
  if (known) snprintf(whole, sizeof whole, "%s%.8s", meant, bad + n);
  known = known && lim_unit_parse(&is, whole, NULL, 0) && (!unit || fits(text, bad, whole, unit));
  buffer[0] = 0;
  if (known) snprintf(buffer, LIM_UNIT_HINT, "; did you mean '%s'?", whole);
  return buffer;
}

// --- the page ---

// "kg m^-1 s^-2"; Hz and the like count in rad/s.
static void add_dimension(lim_text *out, const int power[LIM_NDIM]) {
  static const char *const base[LIM_NDIM] = {"m", "kg", "s", "rad", "A"};
  static const int order[LIM_NDIM] = {1, 0, 3, 4, 2};
  const char *glue = "";
  for (int i = 0; i < LIM_NDIM; i++) {
    int k = order[i];
    if (!power[k]) continue;
    lim_text_add(out, power[k] == 1 ? "%s%s" : "%s%s^%d", glue, base[k], power[k]);
    glue = " ";
  }
}

static void add_row(lim_text *out, const lim_named_unit *u) {
  lim_unit is;
  lim_unit_parse(&is, u->name, NULL, 0);
  lim_text_add(out, "| `%s` | %s | %.16g ", u->name, u->help, is.factor);
  add_dimension(out, u->is.power);
  lim_text_add(out, " | %s |\n", u->prefixed ? "yes" : "");
}

void lim_units_markdown(lim_text *out) {
  lim_text_add(
      out,
      "# Units\n\n"
      "A number in a model file, an override or an option may bear a unit: `500 mm`, `71 GPa`, `90 deg`, `0.1 "
      "N m`,\n"
      "`7.85 g/cm^3`, `1/s`. It is converted to SI and its dimension checked. Plain numbers are SI and "
      "radians. Tables\n"
      "have units in brackets in their header: `t [ms], position [deg]`.\n\n"
      "Factors stand side by side, or with `*`, `·`, `.` between them; `/` divides by the next factor only (`N "
      "m/rad`);\n"
      "powers are `mm^4`, `mm4` or `mm⁴`, negative ones `s^-1` or `s⁻¹`. A unit without angle fits where one "
      "per angle is\n"
      "expected (`N m` for `N m/rad`, `1/s` for `rad/s`). `Hz` is a turn in a second: where rad/s are\n"
      "expected it is 2π of them. Capital letters count: `mPa` is a thousandth, `MPa` a million pascals.\n\n"
      "| unit | what it is | in SI | prefixes |\n|---|---|---|---|\n");
  for (const lim_named_unit *u = lim_unit_table; u->name; u++) add_row(out, u);
  lim_text_add(out, "\nPrefixes:");
  for (const lim_prefix *p = lim_prefix_table; p->name; p++)
    lim_text_add(out, "%s `%s` 10^%d", p == lim_prefix_table ? "" : ",", p->name, p->ten);
  lim_text_add(out, ".\n\nThis page is made from the program's own table by `limber schema --units`.\n");
}

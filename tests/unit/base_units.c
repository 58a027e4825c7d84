// base_units.c - tests of units and of numbers with units.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/units/unit_table.h"
#include "base/units/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PI       3.14159265358979323846
#define COUNT(a) (sizeof(a) / sizeof *(a))

static bool near(double x, double expected) { return fabs(x - expected) <= 1e-14 * fabs(expected); }

typedef struct {
  const char *text;
  double factor;
  signed char power[LIM_NDIM]; // m kg s rad A
} unit_case;

static void check_units(const unit_case *unit, size_t count) {
  for (size_t i = 0; i < count; i++) {
    lim_unit u;
    char bad[32];
    if (!lim_unit_parse(&u, unit[i].text, bad, sizeof bad)) fail_msg("'%s': bad '%s'", unit[i].text, bad);
    if (!near(u.factor, unit[i].factor)) fail_msg("'%s': %.17g", unit[i].text, u.factor);
    if (memcmp(u.power, unit[i].power, sizeof u.power) != 0) fail_msg("'%s': dimension", unit[i].text);
  }
}

// By definition.
#define INCH    0.0254     // [m]
#define POUND   0.45359237 // [kg]
#define GRAVITY 9.80665    // [m/s^2]

static bool listed(const unit_case *unit, size_t count, const char *name) {
  for (size_t i = 0; i < count; i++)
    if (!strcmp(unit[i].text, name)) return true;
  return false;
}

static void unit_of_every_name_has_its_si_value(void **state) {
  (void)state;
  static const unit_case unit[] = {
      {"m", 1, {1}},
      {"g", 1e-3, {0, 1}},
      {"kg", 1, {0, 1}},
      {"t", 1e3, {0, 1}},
      {"s", 1, {0, 0, 1}},
      {"min", 60, {0, 0, 1}},
      {"h", 3600, {0, 0, 1}},
      {"N", 1, {1, 1, -2}},
      {"Nm", 1, {2, 1, -2}},
      {"Pa", 1, {-1, 1, -2}},
      {"bar", 1e5, {-1, 1, -2}},
      {"J", 1, {2, 1, -2}},
      {"W", 1, {2, 1, -3}},
      {"Hz", 2 * PI, {0, 0, -1, 1}},
      {"rad", 1, {0, 0, 0, 1}},
      {"deg", PI / 180, {0, 0, 0, 1}},
      {"°", PI / 180, {0, 0, 0, 1}},
      {"arcmin", PI / 180 / 60, {0, 0, 0, 1}},
      {"arcsec", PI / 180 / 3600, {0, 0, 0, 1}},
      {"rev", 2 * PI, {0, 0, 0, 1}},
      {"rpm", 2 * PI / 60, {0, 0, -1, 1}},
      {"A", 1, {0, 0, 0, 0, 1}},
      {"V", 1, {2, 1, -3, 0, -1}},
      {"ohm", 1, {2, 1, -3, 0, -2}},
      {"Ω", 1, {2, 1, -3, 0, -2}},
      {"H", 1, {2, 1, -2, 0, -2}},
      {"Ncm", 1e-2, {2, 1, -2}},
      {"Nmm", 1e-3, {2, 1, -2}},
      {"atm", 101325, {-1, 1, -2}},
      {"turn", 2 * PI, {0, 0, 0, 1}},
      {"gon", PI / 200, {0, 0, 0, 1}},
      {"gf", 1e-3 * GRAVITY, {1, 1, -2}},
      {"in", INCH, {1}},
      {"mil", INCH / 1000, {1}},
      {"thou", INCH / 1000, {1}},
      {"ft", 12 * INCH, {1}},
      {"yd", 36 * INCH, {1}},
      {"mph", 5280 * 12 * INCH / 3600, {1, 0, -1}},
      {"lb", POUND, {0, 1}},
      {"lbm", POUND, {0, 1}},
      {"oz", POUND / 16, {0, 1}},
      {"slug", POUND * GRAVITY / (12 * INCH), {0, 1}},
      {"lbf", POUND * GRAVITY, {1, 1, -2}},
      {"ozf", POUND * GRAVITY / 16, {1, 1, -2}},
      {"kip", 1000 * POUND * GRAVITY, {1, 1, -2}},
      {"psi", POUND * GRAVITY / (INCH * INCH), {-1, 1, -2}},
      {"ksi", 1000 * POUND * GRAVITY / (INCH * INCH), {-1, 1, -2}},
      {"psf", POUND * GRAVITY / (144 * INCH * INCH), {-1, 1, -2}},
      {"%", 0.01, {0}},
      {"", 1, {0}},
      {"  ", 1, {0}},
  };
  check_units(unit, COUNT(unit));
  for (const lim_named_unit *u = lim_unit_table; u->name; u++)
    if (!listed(unit, COUNT(unit), u->name)) fail_msg("'%s' is not tested", u->name);
}

// Units of one quantity that people write in different ways, and how they go together.
static void unit_written_in_other_ways_is_the_same(void **state) {
  (void)state;
  static const char *const same[][2] = {
      {"N m", "Nm"},          {"N*m", "Nm"},          {"N·m", "Nm"},        {"N⋅m", "Nm"},
      {"N.m", "Nm"},          {"N.m/rad", "N m/rad"}, {"N*mm", "Nmm"},      {"kg.m^2", "kg m2"},
      {"kgf", "9.80665e0 N"}, {"lbf", "slug ft/s^2"}, {"lbf/in^2", "psi"},  {"kip/in^2", "ksi"},
      {"kpsi", "ksi"},        {"deg/s", "°/s"},       {"rev/min", "rpm"},   {"t/mm^3", "Mg/mm^3"},
      {"µm", "um"},           {"km/h", "km/h"},       {"lbf ft", "ft lbf"}, {"W", "V A"},
      {"N s/m", "kg/s"},      {"J", "N m"},           {"V", "W/A"},         {"ohm", "V/A"},
      {"H", "V s/A"},
  };
  for (size_t i = 0; i < COUNT(same); i++) {
    lim_unit a, b;
    const char *second = same[i][1] + strspn(same[i][1], "0123456789.e ");
    double number = 1;
    sscanf(same[i][1], "%lf", &number);
    if (!lim_unit_parse(&a, same[i][0], NULL, 0)) fail_msg("'%s'", same[i][0]);
    if (!lim_unit_parse(&b, second, NULL, 0)) fail_msg("'%s'", second);
    if (!near(a.factor, number * b.factor)) fail_msg("'%s' is %.17g", same[i][0], a.factor);
    assert_memory_equal(a.power, b.power, sizeof a.power);
  }
}

static void hint_names_the_unit_that_was_meant(void **state) {
  (void)state;
  static const char *const meant[][2] = {
      {"gpa", "GPa"}, {"mpa", "MPa"},  {"Mpa", "MPa"},   {"KPA", "kPa"},     {"hz", "Hz"},       {"KHZ", "kHz"},
      {"MM", "mm"},   {"MS", "ms"},    {"KG", "kg"},     {"Kg", "kg"},       {"kn", "kN"},       {"NM", "Nm"},
      {"KSI", "ksi"}, {"Psi", "psi"},  {"RPM", "rpm"},   {"DEG", "deg"},     {"Rad", "rad"},     {"LBF", "lbf"},
      {"IN", "in"},   {"n", "N"},      {"sec", "s"},     {"degrees", "deg"}, {"inches", "in"},   {"lbs", "lb"},
      {"mm2x", ""},   {"furlong", ""}, {"MM^2", "mm^2"}, {"gpa2", "GPa2"},   {"Degrees", "deg"}, {"", ""},
  };
  char buffer[LIM_UNIT_HINT], expected[LIM_UNIT_HINT];
  for (size_t i = 0; i < COUNT(meant); i++) {
    snprintf(expected, sizeof expected, meant[i][1][0] ? "; did you mean '%s'?" : "%s", meant[i][1]);
    assert_string_equal(lim_unit_hint(buffer, meant[i][0], NULL, NULL), expected);
  }
}

static void hint_fits_what_is_expected(void **state) {
  (void)state;
  char buffer[LIM_UNIT_HINT];
  assert_string_equal(lim_unit_hint(buffer, "mn", "600 mn", "m"), "");
  assert_string_equal(lim_unit_hint(buffer, "mn", "600 mn", "N"), "; did you mean 'mN'?");
  assert_string_equal(lim_unit_hint(buffer, "NEWTON", "5 NEWTON m/rad", "N/m|N m/rad"), "; did you mean 'N'?");
}

// What is hinted at is a unit.
static void hints_are_units(void **state) {
  (void)state;
  char buffer[LIM_UNIT_HINT], name[8] = "";
  for (int c = 0; c < 26 * 26 * 26; c++) {
    lim_unit u;
    char *quote;
    snprintf(name, sizeof name, "%c%c%c", 'a' + c % 26, 'A' + c / 26 % 26, 'a' + c / 676);
    if (!lim_unit_hint(buffer, name, NULL, NULL)[0]) continue;
    char *unit = strchr(buffer, '\'') + 1;
    quote = strrchr(buffer, '\'');
    *quote = 0;
    if (!lim_unit_parse(&u, unit, NULL, 0)) fail_msg("'%s' is hinted at for '%s'", unit, name);
  }
}

static void unit_with_prefix_is_scaled(void **state) {
  (void)state;
  static const unit_case unit[] = {
      {"pm", 1e-12, {1}},
      {"nm", 1e-9, {1}},
      {"um", 1e-6, {1}},
      {"µm", 1e-6, {1}}, // micro sign
      {"μm", 1e-6, {1}}, // Greek mu
      {"mm", 1e-3, {1}},
      {"cm", 1e-2, {1}},
      {"dm", 1e-1, {1}},
      {"km", 1e3, {1}},
      {"kN", 1e3, {1, 1, -2}},
      {"MPa", 1e6, {-1, 1, -2}},
      {"GPa", 1e9, {-1, 1, -2}},
      {"THz", 2e12 * PI, {0, 0, -1, 1}},
      {"mg", 1e-6, {0, 1}},
      {"ms", 1e-3, {0, 0, 1}},
      {"us", 1e-6, {0, 0, 1}},
      {"mrad", 1e-3, {0, 0, 0, 1}},
      {"mH", 1e-3, {2, 1, -2, 0, -2}},
      {"mHz", 2e-3 * PI, {0, 0, -1, 1}},
      {"mohm", 1e-3, {2, 1, -3, 0, -2}},
      {"kΩ", 1e3, {2, 1, -3, 0, -2}},
      {"mA", 1e-3, {0, 0, 0, 0, 1}},
      {"mbar", 1e2, {-1, 1, -2}},
      {"mNm", 1e-3, {2, 1, -2}},
      {"kW", 1e3, {2, 1, -3}},
  };
  check_units(unit, COUNT(unit));
}

static void unit_products_quotients_and_powers_combine(void **state) {
  (void)state;
  static const unit_case unit[] = {
      {"kg/m^3", 1, {-3, 1}},
      {"g/cm3", 1e3, {-3, 1}},
      {"N m", 1, {2, 1, -2}},
      {"N*m", 1, {2, 1, -2}},
      {"N·m", 1, {2, 1, -2}},
      {" N  *\tm ", 1, {2, 1, -2}},
      {"N m/rad", 1, {2, 1, -2, -1}},
      {"N m s/rad", 1, {2, 1, -1, -1}},
      {"N m / deg", 180 / PI, {2, 1, -2, -1}},
      {"mm^4", 1e-12, {4}},
      {"mm2", 1e-6, {2}},
      {"mm²", 1e-6, {2}},
      {"mm³", 1e-9, {3}},
      {"mm⁴", 1e-12, {4}},
      {"s⁻¹", 1, {0, 0, -1}},
      {"m/s2", 1, {1, 0, -2}},
      {"m s^-2", 1, {1, 0, -2}},
      {"m^+2", 1, {2}},
      {"m/s^-1", 1, {1, 0, 1}},
      {"kg/m s", 1, {-1, 1, 1}}, // "/" divides by the next factor only
      {"kg/m/s", 1, {-1, 1, -1}},
      {"kg m²", 1, {2, 1}},
      {"1/s", 1, {0, 0, -1}},
      {"1 / s", 1, {0, 0, -1}},
      {"/s", 1, {0, 0, -1}},
      {"1/s/m", 1, {-1, 0, -1}},
      {"km/h", 1 / 3.6, {1, 0, -1}},
      {"V s/rad", 1, {2, 1, -2, -1, -1}},
      {"N m/A", 1, {2, 1, -2, 0, -1}},
      {"mm/m", 1e-3, {0}},
      {"in^4", 0.0254 * 0.0254 * 0.0254 * 0.0254, {4}},
      {"m^0", 1, {0}},
  };
  check_units(unit, COUNT(unit));
}

static void unit_not_understood_is_named(void **state) {
  (void)state;
  static const struct {
    const char *text, *bad;
  } unit[] = {
      {"furlong", "furlong"},
      {"N foo", "foo"},
      {"kg/foo^3", "foo^3"},
      {"N·µfoo/m", "µfoo"},
      {"kkg", "kkg"},
      {"mmin", "mmin"},
      {"kt", "kt"},
      {"min2 kin", "kin"},
      {"MM", "MM"},
      {"hz", "hz"},
      {"k", "k"},
      {"m^", "m^"},
      {"m^x", "m^x"},
      {"m^-", "m^-"},
      {"m22", "m22"},
      {"m^2.5", "m^2.5"},
      {"m²³", "m²³"},
      {"m⁻", "m⁻"},
      {"m^12", "m^12"},
      {"^2", "^2"},
      {"2", "2"},
      {"1", "1"},
      {"1 m", "1"},
      {"11/s", "11"},
      {"m/", "m/"},
      {"m//s", "m//s"},
      {"*m", "*m"},
      {"m**s", "m**s"},
      {"/", "/"},
      {"1/", "1/"},
      {"N (m)", "(m)"},
      {"m-s", "m-s"},
      {"\xFF\xFE", "\xFF\xFE"},
      {"m\xC2", "m\xC2"},
  };
  for (size_t i = 0; i < COUNT(unit); i++) {
    lim_unit u;
    char bad[32] = "unset";
    if (lim_unit_parse(&u, unit[i].text, bad, sizeof bad)) fail_msg("'%s' was taken", unit[i].text);
    assert_string_equal(bad, unit[i].bad);
  }
}

static void unit_bad_part_fits_its_room(void **state) {
  (void)state;
  lim_unit u;
  char bad[8];
  assert_false(lim_unit_parse(&u, "furlong", NULL, 0));
  memset(bad, '#', sizeof bad);
  assert_false(lim_unit_parse(&u, "furlong", bad, 0));
  assert_int_equal(bad[0], '#');
  assert_false(lim_unit_parse(&u, "furlong", bad, 1));
  assert_string_equal(bad, "");
  assert_false(lim_unit_parse(&u, "furlong", bad, 4));
  assert_string_equal(bad, "fur");
  assert_false(lim_unit_parse(&u, "furlong", bad, 7));
  assert_string_equal(bad, "furlon");
  assert_false(lim_unit_parse(&u, "furlong", bad, 8));
  assert_string_equal(bad, "furlong");
  assert_false(lim_unit_parse(&u, "aaµb", bad, 4)); // µ takes two bytes and is not cut
  assert_string_equal(bad, "aa");
}

static void unit_of_absurd_power_is_refused(void **state) {
  (void)state;
  lim_unit u;
  static char text[20001];
  assert_true(lim_unit_parse(&u, "m^9 m^9 m^9", NULL, 0));
  for (int i = 0; i < 5000; i++) memcpy(text + 4 * i, "m^9 ", 4);
  assert_false(lim_unit_parse(&u, text, NULL, 0));
  for (int i = 0; i < 5000; i++) memcpy(text + 4 * i, "%^9 ", 4);
  assert_false(lim_unit_parse(&u, text, NULL, 0));
  for (int i = 0; i < 2500; i++) memcpy(text + 8 * i, "rev/rad ", 8);
  assert_false(lim_unit_parse(&u, text, NULL, 0));
}

static void unit_long_garbage_is_refused(void **state) {
  (void)state;
  lim_unit u;
  static char text[100001];
  memset(text, 'm', sizeof text - 1);
  char bad[16];
  assert_false(lim_unit_parse(&u, text, bad, sizeof bad));
  assert_string_equal(bad, "mmmmmmmmmmmmmmm");
}

typedef struct {
  const char *text, *unit;
  double value;
} number_case;

static void check_numbers(const number_case *number, size_t count) {
  for (size_t i = 0; i < count; i++) {
    double x = NAN;
    char bad[32] = "";
    lim_number_status status = lim_number_parse(&x, number[i].text, number[i].unit, bad, sizeof bad);
    if (status != LIM_NUMBER_OK)
      fail_msg("'%s' for '%s': %d '%s'", number[i].text, number[i].unit, status, bad);
    if (!near(x, number[i].value)) fail_msg("'%s' for '%s': %.17g", number[i].text, number[i].unit, x);
  }
}

static void number_plain_is_taken_as_it_is(void **state) {
  (void)state;
  static const number_case number[] = {
      {"0", "m", 0},       {"-1.5", "m", -1.5},
      {"+2", "", 2},       {".5", "rad", 0.5},
      {"5.", "kg", 5},     {"1e3", "Hz", 1e3},
      {"1E+3", "Hz", 1e3}, {"2.5e-3", "mm", 2.5e-3},
      {"-.5e1", "m", -5},  {"  7\t", "m", 7},
      {"007", "m", 7},     {"1e-999", "m", 0},
      {"3", "m|rad", 3},   {"\n4\r\n", "m", 4},
      {"-0", "m", 0},      {"0.00000000000000000000000000000000000000000000000000000000000000001", "m", 1e-65},
  };
  check_numbers(number, COUNT(number));
}

static void number_with_unit_is_converted(void **state) {
  (void)state;
  static const number_case number[] = {
      {"500 mm", "m", 0.5},
      {"500mm", "m", 0.5},
      {"5e-3 m", "m", 5e-3},
      {"5e3m", "m", 5e3},
      {"71 GPa", "Pa", 71e9},
      {"90 deg", "rad", PI / 2},
      {"90°", "rad", PI / 2},
      {"10 g", "kg", 0.01},
      {"0.1 N m", "N m", 0.1},
      {"1.17 kg/m", "kg/m", 1.17},
      {"2710 kg/m^3", "kg/m^3", 2710},
      {"10000 mm^4", "m^4", 1e-8},
      {"350 mm2", "m^2", 350e-6},
      {"5 %", "", 0.05},
      {"5%", "", 0.05},
      {"2 m", "mm", 2000},
      {"1 in", "mm", 25.4},
      {"  -3   cm  ", "m", -0.03},
      {"36 km/h", "m/s", 10},
      {"2 h", "s", 7200},
      {"1 J", "N m", 1},
      {"1 V A", "W", 1},
      {"1 ohm A", "V", 1},
      {"2 H A/s", "V", 2},
      {"5 1/s", "1/s", 5},
      {"5/s", "1/s", 5},
      {"5 /min", "1/s", 5.0 / 60},
      {"1 mm/m", "", 1e-3},
  };
  check_numbers(number, COUNT(number));
}

// A decimal with a prefix is the same double as the decimal in SI.
static void number_with_prefix_is_rounded_once(void **state) {
  (void)state;
  for (int i = 1; i < 20000; i++) {
    char prefixed[32], plain[32];
    double a, b;
    snprintf(prefixed, sizeof prefixed, "%d mm", i);
    snprintf(plain, sizeof plain, "%de-3", i);
    assert_int_equal(lim_number_parse(&a, prefixed, "m", NULL, 0), LIM_NUMBER_OK);
    assert_int_equal(lim_number_parse(&b, plain, "m", NULL, 0), LIM_NUMBER_OK);
    assert_true(a == b);
    snprintf(prefixed, sizeof prefixed, "%d mm^4", i);
    snprintf(plain, sizeof plain, "%de-12", i);
    assert_int_equal(lim_number_parse(&a, prefixed, "m^4", NULL, 0), LIM_NUMBER_OK);
    assert_int_equal(lim_number_parse(&b, plain, "m^4", NULL, 0), LIM_NUMBER_OK);
    assert_true(a == b);
  }
}

static void number_of_frequency_converts_by_two_pi(void **state) {
  (void)state;
  static const number_case number[] = {
      {"6 Hz", "rad/s", 12 * PI},    {"3.8 rad/s", "Hz", 1.9 / PI}, {"6 Hz", "Hz", 6},
      {"2 kHz", "Hz", 2000},         {"60 rpm", "Hz", 1},           {"60 rpm", "rad/s", 2 * PI},
      {"360 deg/s", "Hz", 1},        {"1 rev/min", "rpm", 1},       {"2 Hz", "rpm", 120},
      {"10 rad/s^2", "rad/s^2", 10}, {"1 Hz/s", "rad/s^2", 2 * PI},
  };
  check_numbers(number, COUNT(number));
}

static void number_without_rad_fits_where_rad_is_expected(void **state) {
  (void)state;
  static const number_case number[] = {
      {"1/s", "rad/s", 1},         {"1 1/s", "Hz", 1},          {"1 1/ms", "Hz", 1000},
      {"1 1/s", "rpm", 60},        {"10 N m", "N m/rad", 10},   {"10 N m/deg", "N m/rad", 1800 / PI},
      {"10 N m", "N m/deg", 10},   {"10 kN mm", "N m/deg", 10}, {"3 N m s", "N m s/rad", 3},
      {"0.1 V s", "V s/rad", 0.1}, {"5 1/s^2", "rad/s^2", 5},   {"2 mm/m", "rad", 2e-3},
  };
  check_numbers(number, COUNT(number));
}

static void number_with_alternatives_takes_first_that_fits(void **state) {
  (void)state;
  static const number_case number[] = {
      {"90 deg", "m|rad", PI / 2},  {"5 mm", "m|rad", 5e-3},
      {"3 N", "N m|N", 3},          {"2 Hz", "m/s|rad/s|Hz", 4 * PI},
      {"2 1/s", "m/s|Hz|rad/s", 2}, {"5 %", "m|", 0.05},
      {"5 %", "|m", 0.05},          {"5 mm", "|m", 5e-3},
  };
  check_numbers(number, COUNT(number));
}

static void number_of_other_dimension_names_unit(void **state) {
  (void)state;
  static const struct {
    const char *text, *unit, *bad;
  } number[] = {
      {"30 deg", "m", "deg"},
      {"5 kg", "m", "kg"},
      {"5 m", "", "m"},
      {"5 m", "m^2", "m"},
      {"30 deg", "", "deg"},
      {"6 Hz", "1/s", "Hz"},
      {"1 N m/rad", "N m", "N m/rad"},
      {"1 N m rad", "N m/rad", "N m rad"},
      {"5 s", "m|rad", "s"},
      {"  5   N  m  ", "N", "N  m"},
      {"5 %", "m", "%"},
      {"1 rad/s", "m/s", "rad/s"},
      {"5 lb", "N", "lb"},
      {"5 A", "V", "A"},
      {"5 rad^2", "rad", "rad^2"},
      {"5 W", "N m", "W"},
  };
  for (size_t i = 0; i < COUNT(number); i++) {
    double x = 42;
    char bad[32] = "";
    lim_number_status status = lim_number_parse(&x, number[i].text, number[i].unit, bad, sizeof bad);
    if (status != LIM_NUMBER_DIMENSION) fail_msg("'%s' for '%s': %d", number[i].text, number[i].unit, status);
    assert_string_equal(bad, number[i].bad);
    assert_true(x == 42);
  }
}

static void number_unknown_unit_is_named(void **state) {
  (void)state;
  static const struct {
    const char *text, *bad;
  } number[] = {
      {"5 foo", "foo"}, {"0x", "x"},      {"5foo", "foo"}, {"5 N foo", "foo"}, {"5e", "e"},    {"5e m", "e"},
      {"5 e3", "e3"},   {"1 000", "000"}, {"5 6", "6"},    {"1/2", "2"},       {"5 m/", "m/"}, {"5 Mpa", "Mpa"},
      {"5 m m x", "x"}, {"3 em", "em"},   {"1e+", "e+"},   {"5 (m)", "(m)"},
  };
  for (size_t i = 0; i < COUNT(number); i++) {
    double x = 42;
    char bad[32] = "";
    lim_number_status status = lim_number_parse(&x, number[i].text, "m", bad, sizeof bad);
    if (status != LIM_NUMBER_UNIT) fail_msg("'%s': %d", number[i].text, status);
    assert_string_equal(bad, number[i].bad);
    assert_true(x == 42);
  }
  double x;
  assert_int_equal(lim_number_parse(&x, "5 foo", "m", NULL, 0), LIM_NUMBER_UNIT);
}

static void check_status(const char *const *text, size_t count, lim_number_status expected) {
  for (size_t i = 0; i < count; i++) {
    double x = 42;
    char bad[32] = "";
    lim_number_status status = lim_number_parse(&x, text[i], "m", bad, sizeof bad);
    if (status != expected) fail_msg("'%s': %d", text[i], status);
    assert_true(x == 42);
  }
}

static void number_none_is_refused(void **state) {
  (void)state;
  static const char *const text[] = {
      "",     "   ",  "m",       "abc",       "-",   "+",     ".",     "-.",   "e5",   ".e5",   "+-1",
      "--1",  "0x10", "0X1p3",   "1_000",     "1,5", "10-20", "1.2.3", "1:30", "'5'",  "5(m)",  "nano",
      "info", "nan2", "infinit", "infinityx", "- 5", "true",  "null",  "~",    "\xFF", ".nanx", "5\"",
  };
  check_status(text, COUNT(text), LIM_NUMBER_NONE);
}

static void number_not_finite_is_refused(void **state) {
  (void)state;
  static const char *const text[] = {
      "nan",  "NaN",      ".nan",      ".NaN",  "-nan",  "inf",   "Inf",    ".inf",     "-.Inf",    "+.INF",
      "-inf", "infinity", "-Infinity", " inf ", "inf m", "1e999", "-1e999", "1e999 mm", "1e308 Tm",
  };
  check_status(text, COUNT(text), LIM_NUMBER_INFINITE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(unit_of_every_name_has_its_si_value),
      cmocka_unit_test(unit_written_in_other_ways_is_the_same),
      cmocka_unit_test(hint_names_the_unit_that_was_meant),
      cmocka_unit_test(hint_fits_what_is_expected),
      cmocka_unit_test(hints_are_units),
      cmocka_unit_test(unit_with_prefix_is_scaled),
      cmocka_unit_test(unit_products_quotients_and_powers_combine),
      cmocka_unit_test(unit_not_understood_is_named),
      cmocka_unit_test(unit_bad_part_fits_its_room),
      cmocka_unit_test(unit_of_absurd_power_is_refused),
      cmocka_unit_test(unit_long_garbage_is_refused),
      cmocka_unit_test(number_plain_is_taken_as_it_is),
      cmocka_unit_test(number_with_unit_is_converted),
      cmocka_unit_test(number_with_prefix_is_rounded_once),
      cmocka_unit_test(number_of_frequency_converts_by_two_pi),
      cmocka_unit_test(number_without_rad_fits_where_rad_is_expected),
      cmocka_unit_test(number_with_alternatives_takes_first_that_fits),
      cmocka_unit_test(number_of_other_dimension_names_unit),
      cmocka_unit_test(number_unknown_unit_is_named),
      cmocka_unit_test(number_none_is_refused),
      cmocka_unit_test(number_not_finite_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

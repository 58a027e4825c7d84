// unit_table.c - the units that are known. By definition: 1 in = 25.4 mm, 1 lb = 0.45359237 kg, standard
// gravity 9.80665 m/s^2, 1 atm = 101325 Pa; all others of that family follow from these.
#include "base/units/unit_table.h"

#define POUND_FORCE 4.4482216152605 // lb × 9.80665 m/s^2 [N]

// clang-format off
// A name found here wins over a prefixed reading: "min" is a minute, "ft" a foot.
// Columns of power: m kg s rad A.
const lim_named_unit lim_unit_table[] = {
    {"m",   true,  {1, 0, 1, {1, 0, 0, 0, 0}}, "metre"},
    {"g",   true,  {1, -3, 1, {0, 1, 0, 0, 0}}, "gram; `kg` is the SI unit"},
    {"s",   true,  {1, 0, 1, {0, 0, 1, 0, 0}}, "second"},
    {"A",   true,  {1, 0, 1, {0, 0, 0, 0, 1}}, "ampere"},
    {"rad", true,  {1, 0, 1, {0, 0, 0, 1, 0}}, "radian"},
    {"N",   true,  {1, 0, 1, {1, 1, -2, 0, 0}}, "newton"},
    {"Nm",  true,  {1, 0, 1, {2, 1, -2, 0, 0}}, "newton metre; also `N m`, `N*m`, `N·m`, `N.m`"},
    {"Ncm", false, {1, -2, 1, {2, 1, -2, 0, 0}}, "newton centimetre"},
    {"Nmm", false, {1, -3, 1, {2, 1, -2, 0, 0}}, "newton millimetre"},
    {"J",   true,  {1, 0, 1, {2, 1, -2, 0, 0}}, "joule"},
    {"W",   true,  {1, 0, 1, {2, 1, -3, 0, 0}}, "watt"},
    {"Pa",  true,  {1, 0, 1, {-1, 1, -2, 0, 0}}, "pascal"},
    {"bar", true,  {1, 5, 1, {-1, 1, -2, 0, 0}}, "100 kPa"},
    {"atm", false, {101325, 0, 1, {-1, 1, -2, 0, 0}}, "101325 Pa"},
    {"V",   true,  {1, 0, 1, {2, 1, -3, 0, -1}}, "volt"},
    {"ohm", true,  {1, 0, 1, {2, 1, -3, 0, -2}}, "ohm"},
    {"Ω",   true,  {1, 0, 1, {2, 1, -3, 0, -2}}, "ohm"},
    {"H",   true,  {1, 0, 1, {2, 1, -2, 0, -2}}, "henry"},
    {"Hz",  true,  {1, 0, LIM_TAU, {0, 0, -1, 1, 0}}, "one turn in a second: 2π rad/s"},
    {"rpm", false, {1.0 / 60, 0, LIM_TAU, {0, 0, -1, 1, 0}}, "one turn in a minute"},
    {"rev", false, {1, 0, LIM_TAU, {0, 0, 0, 1, 0}}, "one turn"},
    {"turn", false, {1, 0, LIM_TAU, {0, 0, 0, 1, 0}}, "one turn"},
    {"deg", true,  {1, 0, LIM_TAU / 360, {0, 0, 0, 1, 0}}, "degree, turn/360"},
    {"°",   false, {1, 0, LIM_TAU / 360, {0, 0, 0, 1, 0}}, "degree, turn/360"},
    {"gon", true,  {1, 0, LIM_TAU / 400, {0, 0, 0, 1, 0}}, "turn/400"},
    {"arcmin", false, {1, 0, LIM_TAU / 21600, {0, 0, 0, 1, 0}}, "minute of arc, deg/60"},
    {"arcsec", false, {1, 0, LIM_TAU / 1296000, {0, 0, 0, 1, 0}}, "second of arc, deg/3600"},
    {"min", false, {60, 0, 1, {0, 0, 1, 0, 0}}, "minute, 60 s"},
    {"h",   false, {3600, 0, 1, {0, 0, 1, 0, 0}}, "hour, 3600 s"},
    {"t",   false, {1, 3, 1, {0, 1, 0, 0, 0}}, "tonne, 1000 kg"},
    {"gf",  true,  {980665, -8, 1, {1, 1, -2, 0, 0}}, "gram-force, 9.80665 mN"},
    {"in",  false, {254, -4, 1, {1, 0, 0, 0, 0}}, "inch, 25.4 mm"},
    {"mil", false, {254, -7, 1, {1, 0, 0, 0, 0}}, "in/1000"},
    {"thou", false, {254, -7, 1, {1, 0, 0, 0, 0}}, "in/1000"},
    {"ft",  false, {3048, -4, 1, {1, 0, 0, 0, 0}}, "foot, 12 in"},
    {"yd",  false, {9144, -4, 1, {1, 0, 0, 0, 0}}, "yard, 3 ft"},
    {"mph", false, {44704, -5, 1, {1, 0, -1, 0, 0}}, "mile (5280 ft) in an hour"},
    {"lb",  false, {45359237, -8, 1, {0, 1, 0, 0, 0}}, "pound, a mass: 0.45359237 kg"},
    {"lbm", false, {45359237, -8, 1, {0, 1, 0, 0, 0}}, "pound, a mass: 0.45359237 kg"},
    {"oz",  false, {28349523125, -12, 1, {0, 1, 0, 0, 0}}, "ounce, a mass: lb/16"},
    {"slug", false, {POUND_FORCE / 3048, 4, 1, {0, 1, 0, 0, 0}}, "lbf s^2/ft"},
    {"lbf", false, {POUND_FORCE, 0, 1, {1, 1, -2, 0, 0}}, "pound-force, lb × 9.80665 m/s^2"},
    {"ozf", false, {POUND_FORCE / 16, 0, 1, {1, 1, -2, 0, 0}}, "ounce-force, lbf/16"},
    {"kip", false, {POUND_FORCE, 3, 1, {1, 1, -2, 0, 0}}, "1000 lbf"},
    {"psi", true,  {POUND_FORCE / 6.4516, 4, 1, {-1, 1, -2, 0, 0}}, "lbf/in^2"},
    {"ksi", false, {POUND_FORCE / 6.4516, 7, 1, {-1, 1, -2, 0, 0}}, "1000 psi, kip/in^2"},
    {"psf", false, {POUND_FORCE / 9.290304, 2, 1, {-1, 1, -2, 0, 0}}, "lbf/ft^2"},
    {"%",   false, {1, -2, 1, {0, 0, 0, 0, 0}}, "1/100"},
    {0},
};

// The micro sign U+00B5 and the Greek letter U+03BC look alike: both are taken.
const lim_prefix lim_prefix_table[] = {
    {"p", -12}, {"n", -9}, {"u", -6}, {"\u00B5", -6}, {"\u03BC", -6}, {"m", -3},
    {"c", -2},  {"d", -1}, {"k", 3},  {"M", 6},       {"G", 9},       {"T", 12},
    {0},
};

// units.h - numbers with units, converted to SI and checked for their dimension.
#ifndef LIM_BASE_UNITS_UNITS_H
#define LIM_BASE_UNITS_UNITS_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

enum { LIM_LENGTH, LIM_MASS, LIM_TIME, LIM_ANGLE, LIM_CURRENT, LIM_NDIM };

// A unit is factor × m^a kg^b s^c rad^d A^e. Hz is 2π rad/s.
typedef struct {
  double factor;
  signed char power[LIM_NDIM];
} lim_unit;

// Read a unit such as "kg/m^3", "N m", "mm^4", "N m/rad", "1/s", "%". False if it is not one; then, if `bad` is
// given, it receives the part that was not understood (at most size bytes with the terminator).
bool lim_unit_parse(lim_unit *out, const char *text, char *bad, size_t size);

// "; did you mean 'GPa'?" about a part that was not understood, as `bad` above; "" where nobody knows. `text`
// is the whole number and `unit` what is expected, which the hint then fits; NULL: any.
enum { LIM_UNIT_HINT = 64 };
const char *lim_unit_hint(char buffer[LIM_UNIT_HINT], const char *bad, const char *text, const char *unit);

// The page of all units, docs/reference/units.md.
void lim_units_markdown(lim_text *out);

typedef enum {
  LIM_NUMBER_OK,
  LIM_NUMBER_NONE,      // not a number
  LIM_NUMBER_INFINITE,  // NaN, infinite or too large for a double
  LIM_NUMBER_UNIT,      // the unit is unknown
  LIM_NUMBER_DIMENSION, // the unit is of another dimension
} lim_number_status;

// Read "500 mm" where `unit` (e.g. "m") is expected; the value is returned in that unit. A plain number is
// taken as it is. `unit` may be "" (a pure number) or alternatives "m|rad", of which the first that fits is
// taken. A unit without rad fits where rad is expected in another power (N m for N m/rad, 1/s for rad/s), not
// the reverse.
lim_number_status lim_number_parse(double *out, const char *text, const char *unit, char *bad, size_t size);

#endif

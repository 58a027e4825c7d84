// unit_table.h - the units and prefixes that are known, one row each.
#ifndef LIM_BASE_UNITS_UNIT_TABLE_H
#define LIM_BASE_UNITS_UNIT_TABLE_H

#include "base/units/units.h"

#define LIM_TAU 6.28318530717958647692 // one turn [rad]

// factor × angle × 10^ten × m^a kg^b s^c rad^d A^e. Powers of ten are kept apart so that "5 mm" is 5/1000,
// rounded once: the same double as 0.005. What stems from angles is kept apart because it drops out where a
// unit without rad meets one with rad.
typedef struct {
  double factor;
  int ten;
  double angle;
  int power[LIM_NDIM];
} lim_measure;

typedef struct {
  const char *name;
  bool prefixed; // takes SI prefixes
  lim_measure is;
  const char *help; // what it is, exactly
} lim_named_unit;

typedef struct {
  const char *name;
  int ten;
} lim_prefix;

extern const lim_named_unit lim_unit_table[]; // ends with a row without name
extern const lim_prefix lim_prefix_table[];   // likewise

#endif

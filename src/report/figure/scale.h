// scale.h - the numbers along an axis: prefix of the unit, range, ticks, their labels.
#ifndef LIM_REPORT_FIGURE_SCALE_H
#define LIM_REPORT_FIGURE_SCALE_H

#include <stdbool.h>

enum { LIM_SCALE_TICKS = 32, LIM_SCALE_TEXT = 96 };

// The unit in which numbers are shown: "mm" and 1e3 for metres. Units that take no prefix show a power of ten.
typedef struct {
  char unit[LIM_SCALE_TEXT]; // "" for pure numbers
  double factor;             // shown = factor times value
} lim_shown_unit;

// Whether numbers are strains, which are shown in microstrain: pure ones whose name ends so.
bool lim_shown_as_strain(const char *name, const char *unit);

// largest: of the absolute values to show.
lim_shown_unit lim_shown_unit_of(const char *name, const char *unit, double largest);

// A range of shown numbers; on a logarithmic scale, positive ones.
typedef struct {
  double low, high;
  bool log;
} lim_scale;

// Some room around the data; also where all are equal. tight: as it is.
lim_scale lim_scale_around(double low, double high, bool log, bool tight);

// Part of the way from low to high.
double lim_scale_place(const lim_scale *s, double x);

typedef struct {
  int count;
  double at[LIM_SCALE_TICKS];
  bool major[LIM_SCALE_TICKS]; // with a label
  int decimals;                // of the labels; < 0: powers of ten
} lim_ticks;

// At most about `most` labelled ticks, at multiples of 1, 2 or 5 times a power of ten, or at decades.
lim_ticks lim_ticks_of(const lim_scale *s, int max);
void lim_tick_text(char text[LIM_SCALE_TEXT], const lim_ticks *t, int i);

#endif

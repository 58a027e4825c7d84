// figure.h - curves over a common axis, in panels above each other, drawn for print.
#ifndef LIM_REPORT_FIGURE_FIGURE_H
#define LIM_REPORT_FIGURE_FIGURE_H

#include "base/error.h"
#include "base/text.h"

#include <stdbool.h>

typedef enum { LIM_FIGURE_SVG, LIM_FIGURE_PNG, LIM_FIGURE_PDF } lim_figure_format;

typedef struct {
  const char *label;   // in the legend
  const double *x, *y; // NaN: a gap                                          (count)
  long count;
  int colour, dash; // numbers from 0
} lim_curve;

typedef struct {
  const char *name, *unit; // along y
  int count;
  lim_curve *curve;
} lim_panel;

typedef struct {
  double width, height; // [mm]; height 0: what suits
  const char *title;    // NULL: none
  const char *x_name, *x_unit;
  bool log_x, log_y;
  bool equal; // x and y to the same scale
  int count;
  lim_panel *panel;
} lim_figure;

// The format that the end of a file's name stands for.
bool lim_figure_format_of(lim_figure_format *out, const char *path);

// The file's bytes, the same for the same figure.
lim_code lim_figure_draw(lim_text *out, const lim_figure *f, lim_figure_format format, lim_error *err);

#endif

// curve.h - a law by a table: value over argument, straight between the rows of a CSV file and beyond them.
// The torque of a gear over its deflection, the force of a spring over its elongation.
#ifndef LIM_MOTION_CURVE_H
#define LIM_MOTION_CURVE_H

#include "model/model.h"

// Plain data, constant once built, shareable between threads.
typedef struct {
  int n;        // points, at least 2
  double *x;    // rising                                              (n)
  double *y;    // values                                              (n)
  double *area; // integral of y from 0 to x: what a spring stores     (n)
} lim_curve;

typedef struct {
  double value, slope, integral; // the integral begins at 0; at a corner the slope is the one to its right
} lim_curve_point;

// Read the table of a law; `directory`: of the model file, to which the table is relative, or NULL. On success
// the caller owns *out; on failure *out is NULL and err names the lines of the table.
lim_code lim_curve_new(lim_curve **out, const lim_law *law, const char *directory, lim_error *err);

// The same from n points, x rising, n at least 2.
lim_code lim_curve_through(lim_curve **out, const double *x, const double *y, int n, lim_error *err);
void lim_curve_free(lim_curve *c);

// The law at any finite x: outside the table the first or last stretch goes on. Never allocates.
lim_curve_point lim_curve_at(const lim_curve *c, double x);

#endif

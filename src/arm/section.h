// section.h - displacement and rotation vector of a section against its body, on doubles: by rows, one for each
// formulation of a body. Theory: docs/theory/dynamics.md.
#ifndef LIM_ARM_SECTION_H
#define LIM_ARM_SECTION_H

#include "body/body.h"

// Displacement and rotation vector, and their two rates, in the axes of the body.
typedef struct {
  double u[3], du[3], ddu[3];
  double t[3], dt[3], ddt[3];
} lim_section_shift;

// q, v, a: of the body's deformation. v and a may be NULL: then rates lack their part.
void lim_section_shift_of(lim_section_shift *x, const lim_section_motion *s, const double *q, const double *v,
                          const double *a);

// --- for the rows ---

// Rows first .. first + 2 of N times x; 0 where x is NULL.
void lim_section_rows(double out[3], const lim_section_motion *s, const double *x, int first);

// x'A y of the coordinates first .. first + n - 1; 0 where A is NULL
double lim_section_form(const double *A, const double *x, const double *y, int first, int n);

void lim_sliding_shift(lim_section_shift *x, const lim_section_motion *s, const double *q, const double *v,
                       const double *a);
void lim_sliding_displacement(double u[3], const lim_section_motion *s, const double *q);
void lim_on_rail_shift(lim_section_shift *x, const lim_section_motion *s, const double *q, const double *v,
                       const double *a);
void lim_on_rail_displacement(double u[3], const lim_section_motion *s, const double *q);

#endif

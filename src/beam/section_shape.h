// section_shape.h - what one shape of section provides; section.c keeps the table of all shapes.
// Inside src/beam only. Theory: docs/theory/section.md.
//
// A shape is three functions:
//   data    every constant that follows from the dimensions of s (given constants are put over it later)
//   shear   the shear stresses xy, xz at (y, z), xx = 0; d holds the constants with the given ones
//   points  the points where the von Mises stress may be largest; returns how many, at most LIM_SHAPE_POINTS
#ifndef LIM_BEAM_SECTION_SHAPE_H
#define LIM_BEAM_SECTION_SHAPE_H

#include "beam/section.h"

enum { LIM_SIDE_POINTS = 12, LIM_SHAPE_POINTS = 8 * (LIM_SIDE_POINTS + 1) + 1 };

typedef struct {
  double y, z;
} lim_section_point;

typedef lim_section_data lim_shape_data_fn(const lim_section *s, double nu);
typedef lim_stress lim_shape_shear_fn(const lim_section *s, const lim_section_data *d, lim_section_force f,
                                      double y, double z);
typedef int lim_shape_points_fn(lim_section_point *p, const lim_section *s, const lim_section_data *d,
                                lim_section_force f);

lim_shape_data_fn lim_rectangle_data, lim_circle_data, lim_tube_data, lim_box_data, lim_i_beam_data,
    lim_general_data;
lim_shape_shear_fn lim_rectangle_shear, lim_circle_shear, lim_tube_shear, lim_box_shear, lim_i_beam_shear,
    lim_general_shear;
lim_shape_points_fn lim_rectangle_points, lim_circle_points, lim_tube_points, lim_box_points, lim_i_beam_points,
    lim_general_points;

// Cowper's factor of the rectangle, also that of the flanges of an i-beam. (S7)
double lim_rectangle_kappa(double nu);

// What Cowper's factors of the box and the i-beam share: 10 (1+nu)(1+3m)^2 / (P(m, nu) + wide). (S10)
double lim_thin_wall_kappa(double m, double nu, double wide);

// Append the four points (+-y, +-z), or the two of them where y or z is 0. Returns the new count.
int lim_section_mirror(lim_section_point *p, int n, double y, double z);

#endif

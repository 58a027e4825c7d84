// section_shape.h - what one shape of section provides: a file section_<shape>.c and a row of sections.def.
// Inside src/beam only. Theory: docs/theory/section.md.
//
// A shape is its keys and four functions:
//   data    every constant that follows from the dimensions of s (given constants are put over it later)
//   shear   the shear stresses xy, xz at (y, z), xx = 0; d holds the constants with the given ones
//   points  the points where the von Mises stress may be largest; returns how many, at most LIM_SHAPE_POINTS
//   outline what is drawn; every corner linear in the dimensions
#ifndef LIM_BEAM_SECTION_SHAPE_H
#define LIM_BEAM_SECTION_SHAPE_H

#include "beam/section.h"
#include "model/check/resolve.h"

enum { LIM_SIDE_POINTS = 12, LIM_SHAPE_POINTS = 8 * (LIM_SIDE_POINTS + 1) + 1 };

typedef struct {
  double y, z;
} lim_section_point;

typedef lim_section_data lim_section_data_fn(const lim_section *s, double nu);
typedef lim_stress lim_section_shear_fn(const lim_section *s, const lim_section_data *d, lim_section_force f,
                                        double y, double z);
typedef int lim_section_points_fn(lim_section_point *p, const lim_section *s, const lim_section_data *d,
                                  lim_section_force f);

typedef void lim_section_outline_fn(lim_outline *o, const lim_section *s);

typedef struct {
  lim_kind_row row;
  lim_section_data_fn *data;
  lim_section_shear_fn *shear;
  lim_section_points_fn *points;
  lim_section_outline_fn *outline;
  bool fixed; // its points do not depend on the forces
  bool round; // its outer size holds in every direction
} lim_section_kind;

#define ROW(kind) extern const lim_section_kind lim_section_##kind;
#include "beam/sections.def"
#undef ROW

// A key of a shape's own: size number i, a length.
#define LIM_SIZE_KEY(name, i, help, within)                                                                    \
  { name, &lim_number, offsetof(lim_section, size[i]), help, .unit = "m", .range = within, .need = "*" }

// Parts of outlines: a rectangle of the sizes y and z, and a circle; the number of corners.
int lim_outline_rectangle(double p[][2], double y, double z);
int lim_outline_circle(double p[][2], double diameter);

lim_section_points_fn lim_rectangle_points; // also those of a general section, of the rectangle round it

// Cowper's factor of the rectangle, also that of the flanges of an i-beam. (S7)
double lim_rectangle_kappa(double nu);

// What Cowper's factors of the box and the i-beam share: 10 (1+nu)(1+3m)^2 / (P(m, nu) + wide). (S10)
double lim_thin_wall_kappa(double m, double nu, double wide);

// Append the four points (+-y, +-z), or the two of them where y or z is 0. Returns the new count.
int lim_section_mirror(lim_section_point *p, int n, double y, double z);

#endif

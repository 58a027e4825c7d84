// timoshenko.c - linear Timoshenko element: deflection and rotation interpolated separately.
// Theory: docs/theory/beam.md (8). With two shear points it locks, with one it does not: (17)-(19).
#include "beam/element.h"

static lim_bending shape(double s, double L, double phi) {
  (void)phi; // shear is free to differ from the bending shape
  return (lim_bending){
      .v = {1 - s, 0, s, 0},
      .dv = {-1 / L, 0, 1 / L, 0},
      .theta = {0, 1 - s, 0, s},
      .dtheta = {0, -1 / L, 0, 1 / L},
  };
}

const lim_element_kind lim_element_timoshenko = {
    .row = {.word = "timoshenko", .help = "linear, with one point for the shear energy"},
    .shape = shape,
    .shear_points = 1};

const lim_element_kind lim_element_timoshenko_exact = {
    .row = {.word = "timoshenko-exact", .help = "linear, with exact integration: it locks in bending"},
    .shape = shape,
    .shear_points = 2};

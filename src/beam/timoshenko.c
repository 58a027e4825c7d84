// timoshenko.c - linear Timoshenko element: deflection and rotation interpolated separately.
// Theory: docs/theory/beam.md (8). With two shear points it locks, with one it does not: (17)-(19).
#include "beam/element.h"

lim_bending lim_bending_linear(double s, double L, double phi) {
  (void)phi; // shear is free to differ from the bending shape
  return (lim_bending){
      .v = {1 - s, 0, s, 0},
      .dv = {-1 / L, 0, 1 / L, 0},
      .theta = {0, 1 - s, 0, s},
      .dtheta = {0, -1 / L, 0, 1 / L},
  };
}

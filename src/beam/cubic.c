// cubic.c - cubic Timoshenko element: the exact static shape between loaded nodes (Erol 2002, Petyt).
// Theory: docs/theory/beam.md (9)-(11).
#include "beam/element.h"

lim_bending lim_bending_cubic(double s, double L, double phi) {
  double c = 1 / (1 + phi), t = 1 - s;
  double slope = 6 * c * s * t / L; // of theta against -v1 and v2
  return (lim_bending){
      .v = {c * t * (1 + s - 2 * s * s + phi), c * L * s * t * (t + phi / 2), c * s * (3 * s - 2 * s * s + phi),
            -c * L * s * t * (s + phi / 2)},
      .dv = {-slope - c * phi / L, c * (1 - 4 * s + 3 * s * s + phi * (0.5 - s)), slope + c * phi / L,
             c * (3 * s * s - 2 * s - phi * (0.5 - s))},
      .theta = {-slope, c * t * (1 - 3 * s + phi), slope, c * s * (3 * s - 2 + phi)},
      .dtheta = {-6 * c * (1 - 2 * s) / (L * L), c * (6 * s - 4 - phi) / L, 6 * c * (1 - 2 * s) / (L * L),
                 c * (6 * s - 2 + phi) / L},
  };
}

const lim_element_kind lim_element_timoshenko_cubic = {
    .row = {.word = "timoshenko-cubic", .help = "cubic: exact between loaded nodes"},
    .shape = lim_bending_cubic,
    .shear_points = LIM_ELEMENT_POINTS,
    .by_flexibility = true};

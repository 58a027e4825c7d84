// euler_bernoulli.c - Hermite element: sections stay normal to the axis, theta = dv/dx.
// Theory: docs/theory/beam.md (12).
#include "beam/element.h"

static lim_bending shape(double s, double L, double phi) {
  (void)phi;
  return lim_bending_cubic(s, L, 0); // no shear deformation
}

const lim_element_kind lim_element_euler_bernoulli = {
    .row = {.word = "euler-bernoulli", .help = "sections stay normal to the axis"},
    .shape = shape,
    .by_flexibility = true};

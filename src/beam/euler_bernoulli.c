// euler_bernoulli.c - Hermite element: sections stay normal to the axis, theta = dv/dx.
// Theory: docs/theory/beam.md (12).
#include "beam/element.h"

lim_bending lim_bending_euler_bernoulli(double s, double L, double phi) {
  (void)phi;
  return lim_bending_cubic(s, L, 0); // no shear deformation
}

// element_hermite.c - an element for the test of kinds: the cubic without shear.
#include "beam/element.h"

static lim_bending shape(double s, double L, double phi) {
  (void)phi;
  return lim_bending_cubic(s, L, 0);
}

const lim_element_kind lim_element_hermite = {
    .row = {.word = "hermite", .help = "Hermite's polynomials"}, .shape = shape, .by_flexibility = true};

// link_fixture.h - the link of most tests of src/analysis and src/channel, of constants that are easy to check
// by hand, and comparison with what they give.
#ifndef LIM_TESTS_LINK_FIXTURE_H
#define LIM_TESTS_LINK_FIXTURE_H

#include "fixture.h"

#include "math/rotation.h" // before the constants, whose names its functions use

static const double E = 70e9, G = 28e9, RHO = 2000, L = 0.5;                  // [Pa] [Pa] [kg/m^3] [m]
static const double A = 2e-4, IY = 4e-9, IZ = 1e-9, J = 3e-9;                 // [m^2] [m^4]
static const double SHEAR_Y = 0.8 * 28e9 * 2e-4, SHEAR_Z = 0.7 * 28e9 * 2e-4; // kappa G A [N]
static const double SIZE_Y = 10e-3, SIZE_Z = 20e-3;                           // [m]

#define MATERIAL "materials: {m: {E: 70 GPa, nu: 0.25, rho: 2000}}\n"
#define SECTION                                                                                                \
  "sections: {s: {shape: general, A: 200 mm^2, Iy: 4000 mm^4, Iz: 1000 mm^4, J: 3000 mm^4,\n"                  \
  "  kappa: [0.8, 0.7], y: 10 mm, z: 20 mm}}\n"
#define BEAM "beam: {length: 500 mm, section: s, material: m, elements: 3}"

#define NEAR(a, b, tolerance) assert_near((a), (b), (tolerance), __LINE__)

// Relative to the expected value, or absolute where that is 0.
static inline void assert_near(double computed, double expected, double tolerance, int line) {
  double error = expected != 0 ? computed / expected - 1 : computed;
  if (fabs(error) <= tolerance) return;
  fail_msg("line %d: %.12g, expected %.12g", line, computed, expected);
}

#endif

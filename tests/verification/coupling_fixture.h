// coupling_fixture.h - shared by the tests of couplings.
#ifndef COUPLING_FIXTURE_H
#define COUPLING_FIXTURE_H

#include "loop_fixture.h"

#include "arm/coupling.h"

#define NEAR(computed, expected, tolerance) is_near((computed), (expected), (tolerance), __LINE__)

// |computed - expected| <= tolerance
static inline void is_near(double computed, double expected, double tolerance, int line) {
  if (!(fabs(computed - expected) <= tolerance))
    fail_msg("line %d: %.15g, expected %.15g to %g", line, computed, expected, tolerance);
}

#endif

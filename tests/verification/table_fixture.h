// table_fixture.h - tables of computed against expected.
#ifndef LIM_TESTS_TABLE_FIXTURE_H
#define LIM_TESTS_TABLE_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>

static inline void table_head(const char *title) {
  printf("\n%s\n%-52s %16s %16s %10s  %s\n", title, "", "computed", "expected", "rel.error", "source");
}

// A line of a table; fails unless |computed - expected| <= tolerance |expected|.
static inline void table_row(const char *what, double computed, double expected, double tolerance,
                             const char *source) {
  double error = expected != 0 ? computed / expected - 1 : computed;
  printf("%-52s %16.9g %16.9g %10.1e  %s\n", what, computed, expected, error, source);
  if (!(fabs(error) <= tolerance))
    fail_msg("%s: %.9g, expected %.9g to %g", what, computed, expected, tolerance);
}

// A line for what has to stay below a bound.
static inline void table_bound(const char *what, double computed, double bound, const char *source) {
  printf("%-52s %16.3e %15s%.1e %10s  %s\n", what, computed, "below ", bound, "", source);
  if (!(fabs(computed) <= bound)) fail_msg("%s: %.3e, above %.3e", what, computed, bound);
}

#endif

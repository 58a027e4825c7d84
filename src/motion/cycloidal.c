// cycloidal.c - a stroke whose acceleration is one period of a sine. Theory: docs/theory/motion.md (6).
#include "motion/build.h"

#include <math.h>

void lim_build_cycloidal(lim_builder *b, const lim_profile *p) {
  lim_stroke s;
  if (!lim_build_stroke(&s, b, p, NAN)) return;
  const double D = s.to - s.from;
  lim_build_arc(b, (lim_arc){.c = {s.from, D / s.T}, .a = -D / (2 * LIM_PI), .w = 2 * LIM_PI / s.T}, s.T);
  lim_build_hold(b, s.to);
}

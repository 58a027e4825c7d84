// cycloidal.c - a stroke whose acceleration is one period of a sine. Theory: docs/theory/motion.md (6).
#include "motion/profile/build.h"

#include <math.h>

static void build(lim_builder *b, const lim_profile *p) {
  lim_stroke s;
  if (!lim_build_stroke(&s, b, p, NAN)) return;
  const double D = s.to - s.from;
  lim_build_arc(b, (lim_arc){.c = {s.from, D / s.T}, .a = -D / (2 * LIM_PI), .w = 2 * LIM_PI / s.T}, s.T);
  lim_build_hold(b, s.to);
}

const lim_profile_kind lim_profile_cycloidal = {
    .row = {.word = "cycloidal",
            .help = "a stroke whose acceleration is one period of a sine",
            .takes = LIM_TAKEN_BY_STROKE,
            .needs = "duration"},
    .stroke = true,
    .build = build};

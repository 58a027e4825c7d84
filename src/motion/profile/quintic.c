// quintic.c - a stroke of the fifth degree, at rest and without acceleration at both ends.
// Theory: docs/theory/motion.md (7)-(8).
#include "motion/profile/build.h"

#include <math.h>

void lim_quintic_add(double c[LIM_ARC_TERMS], double u0, double D, double T) {
  const double u = u0;
  const double q[LIM_ARC_TERMS] = {
      // k-th derivative of Q at u, over k!
      u * u * u * (10 + u * (-15 + u * 6)),
      u * u * (30 + u * (-60 + u * 30)),
      u * (30 + u * (-90 + u * 60)),
      10 + u * (-60 + u * 60),
      -15 + u * 30,
      6,
  };
  double scale = D; // D/T^k
  for (int k = 0; k < LIM_ARC_TERMS; k++, scale /= T) c[k] += scale * q[k];
}

static void build(lim_builder *b, const lim_profile *p) {
  lim_stroke s;
  if (!lim_build_stroke(&s, b, p, NAN)) return;
  lim_arc arc = {.c = {s.from}};
  lim_quintic_add(arc.c, 0, s.to - s.from, s.T);
  lim_build_arc(b, arc, s.T);
  lim_build_hold(b, s.to);
}

const lim_profile_kind lim_profile_quintic = {
    .row = {.word = "quintic",
            .help = "a stroke of the fifth degree, without acceleration at its ends",
            .takes = LIM_TAKEN_BY_STROKE,
            .needs = "duration"},
    .stroke = true,
    .build = build};

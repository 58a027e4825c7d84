// ramps.c - strokes of two ramps in speed and a cruise between them: trapezoidal, trapezoidal-acceleration and
// s-curve differ in the length of the ramps and in how fast the acceleration builds up.
// Theory: docs/theory/motion.md (9)-(10).
#include "motion/build.h"

#include <math.h>

// Change the speed by a (r - j) in the time r; the acceleration reaches a within the time j.
static void ramp(lim_builder *b, double a, double r, double j) {
  lim_build_push(b, j, 0, a / j);
  lim_build_push(b, r - 2 * j, a, 0);
  lim_build_push(b, j, a, -a / j);
}

static void ramps(lim_builder *b, const lim_stroke *s, double r, double j) {
  const double v = (s->to - s->from) / (s->T - r), a = v / (r - j); // (9), (10)
  ramp(b, a, r, j);
  lim_build_push(b, s->T - 2 * r, 0, 0);
  ramp(b, -a, r, j);
  lim_build_hold(b, s->to);
}

static double given_or(double given, double otherwise) { return isnan(given) ? otherwise : given; }

// Whether two pieces of the time `part` fit into the time `whole`.
static bool fits_twice(lim_builder *b, const char *key, double part, double whole, const char *what) {
  if (part >= 0 && 2 * part <= whole * (1 + 1e-12)) return true;
  lim_build_error(b, key, "%s is %g s, must be at most half of the %s, %g s", key, part, what, whole);
  return false;
}

void lim_build_trapezoidal(lim_builder *b, const lim_profile *p) {
  lim_stroke s;
  if (!lim_build_stroke(&s, b, p, NAN)) return;
  const double r = given_or(p->ramp, s.T / 3);
  if (fits_twice(b, "ramp", r, s.T, "duration")) ramps(b, &s, r, 0);
}

void lim_build_trapezoidal_acceleration(lim_builder *b, const lim_profile *p) {
  lim_stroke s;
  if (!lim_build_stroke(&s, b, p, NAN)) return;
  const double r = s.T / 2, j = given_or(p->jerk, s.T / 8);
  if (fits_twice(b, "jerk", j, r, "ramp")) ramps(b, &s, r, j);
}

void lim_build_s_curve(lim_builder *b, const lim_profile *p) {
  lim_stroke s;
  if (!lim_build_stroke(&s, b, p, NAN)) return;
  const double r = given_or(p->ramp, s.T / 3), j = given_or(p->jerk, r / 2);
  if (fits_twice(b, "ramp", r, s.T, "duration") && fits_twice(b, "jerk", j, r, "ramp")) ramps(b, &s, r, j);
}

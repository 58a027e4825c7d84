// ramps.c - strokes of two ramps in speed and a cruise between them: trapezoidal, trapezoidal-acceleration and
// s-curve differ in the length of the ramps and in how fast the acceleration builds up.
// Theory: docs/theory/motion.md (9)-(10).
#include "motion/profile/build.h"

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

static double given_or(double given, double fallback) { return isnan(given) ? fallback : given; }

// Whether two pieces of the time `part` fit into the time `whole`.
static bool fits_twice(lim_builder *b, const char *key, double part, double whole, const char *what) {
  if (part >= 0 && 2 * part <= whole * (1 + 1e-12)) return true;
  lim_build_error(b, key, "%s is %g s, must be at most half of the %s, %g s", key, part, what, whole);
  return false;
}

static void at_most(lim_resolver *v, const lim_profile *p, const char *key, double x, double max,
                    const char *what) {
  if (x > max * (1 + 1e-12))
    lim_resolve_error(v, &p->head, key, "%s is %g s, must be at most %s, %g s", key, x, what, max);
}

static void check_ramp(lim_resolver *v, const void *profile) {
  const lim_profile *p = profile;
  at_most(v, p, "ramp", p->ramp, p->duration / 2, "half of the duration");
}

static void build_trapezoidal(lim_builder *b, const lim_profile *p) {
  lim_stroke s;
  if (!lim_build_stroke(&s, b, p, NAN)) return;
  const double r = given_or(p->ramp, s.T / 3);
  if (fits_twice(b, "ramp", r, s.T, "duration")) ramps(b, &s, r, 0);
}

const lim_profile_kind lim_profile_trapezoidal = {.row = {.word = "trapezoidal",
                                                          .help = "a stroke of two ramps in speed and a cruise",
                                                          .takes = LIM_TAKEN_BY_STROKE " ramp",
                                                          .needs = "duration",
                                                          .check = check_ramp},
                                                  .stroke = true,
                                                  .build = build_trapezoidal};

static void check_jerk(lim_resolver *v, const void *profile) {
  const lim_profile *p = profile;
  at_most(v, p, "jerk", p->jerk, p->duration / 4, "a quarter of the duration");
}

static void build_trapezoidal_acceleration(lim_builder *b, const lim_profile *p) {
  lim_stroke s;
  if (!lim_build_stroke(&s, b, p, NAN)) return;
  const double r = s.T / 2, j = given_or(p->jerk, s.T / 8);
  if (fits_twice(b, "jerk", j, r, "ramp")) ramps(b, &s, r, j);
}

const lim_profile_kind lim_profile_trapezoidal_acceleration = {
    .row = {.word = "trapezoidal-acceleration",
            .help = "a stroke of two ramps whose acceleration builds up in a given time",
            .takes = LIM_TAKEN_BY_STROKE " jerk",
            .needs = "duration",
            .check = check_jerk},
    .stroke = true,
    .build = build_trapezoidal_acceleration};

static void check_s_curve(lim_resolver *v, const void *profile) {
  const lim_profile *p = profile;
  check_ramp(v, profile);
  at_most(v, p, "jerk", p->jerk, given_or(p->ramp, p->duration / 3) / 2, "half of the ramp");
}

static void build_s_curve(lim_builder *b, const lim_profile *p) {
  lim_stroke s;
  if (!lim_build_stroke(&s, b, p, NAN)) return;
  const double r = given_or(p->ramp, s.T / 3), j = given_or(p->jerk, r / 2);
  if (fits_twice(b, "ramp", r, s.T, "duration") && fits_twice(b, "jerk", j, r, "ramp")) ramps(b, &s, r, j);
}

const lim_profile_kind lim_profile_s_curve = {
    .row = {.word = "s-curve",
            .help = "both: ramps, a cruise, and an acceleration that builds up",
            .takes = LIM_TAKEN_BY_STROKE " ramp jerk",
            .needs = "duration",
            .check = check_s_curve},
    .stroke = true,
    .build = build_s_curve};

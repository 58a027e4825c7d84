// speed.c - a constant speed, reached by a cycloid in speed from the one before. Theory: docs/theory/motion.md
// (14).
#include "motion/profile/build.h"

#include <math.h>

static const lim_key own[] = {
    {"value", &lim_number, offsetof(lim_profile, value), "the constant speed", .unit = "@/s", .need = "*"},
    {0}};

static void build(lim_builder *b, const lim_profile *p) {
  if (p->ramp > 0) {
    const double T = p->ramp, dv = p->value - b->rate, a = dv * T / (4 * LIM_PI * LIM_PI);
    lim_build_arc(
        b,
        (lim_arc){.c = {b->value - a, b->rate, dv / (2 * T)}, .a = a, .w = 2 * LIM_PI / T, .phi = LIM_PI / 2},
        T);
  }
  if (p->value == 0)
    lim_build_hold(b, b->value);
  else
    lim_build_arc(b, (lim_arc){.c = {b->value, p->value}}, INFINITY);
}

const lim_profile_kind lim_profile_speed = {
    .row = {.word = "speed", .help = "a constant speed", .takes = "ramp", .own = own}, .build = build};

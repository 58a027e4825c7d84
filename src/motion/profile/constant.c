// constant.c - one value. Given a start after 0, it is a step. Theory: docs/theory/motion.md (5).
#include "motion/profile/build.h"

#include <math.h>

static lim_beginning begins(const lim_profile *p) {
  return (lim_beginning){p->start > 0 ? NAN : p->value, p->value, "value", "value is"};
}

static const lim_key own[] = {
    {"value", &lim_number, offsetof(lim_profile, value), "the constant value", .unit = "@", .need = "*"}, {0}};

static void build(lim_builder *b, const lim_profile *p) {
  if (b->time <= 0) lim_build_wait(b, p->value);
  lim_build_hold(b, p->value);
}

const lim_profile_kind lim_profile_constant = {
    .row = {.word = "constant", .help = "one value; given a start after 0, a step", .own = own},
    .begins = begins,
    .build = build};

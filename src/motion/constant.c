// constant.c - one value. Given a start after 0, it is a step. Theory: docs/theory/motion.md (5).
#include "motion/build.h"

void lim_build_constant(lim_builder *b, const lim_profile *p) {
  if (b->time <= 0) lim_build_wait(b, p->value);
  lim_build_hold(b, p->value);
}

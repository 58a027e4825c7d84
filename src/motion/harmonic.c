// harmonic.c - a sine: of a motion about where the joint stands, else about 0. Theory: docs/theory/motion.md
// (13).
#include "motion/build.h"

#include <math.h>

void lim_build_harmonic(lim_builder *b, const lim_profile *p) {
  const double middle = b->setup->motion ? b->value : 0;
  const double T = isnan(p->duration) ? INFINITY : p->duration;
  if (!(p->frequency > 0))
    lim_build_error(b, "frequency", "frequency is %g Hz, must be positive", p->frequency);
  lim_build_wait(b, middle);
  lim_build_arc(b, (lim_arc){.c = {middle}, .a = p->amplitude, .w = 2 * LIM_PI * p->frequency, .phi = p->phase},
                T);
  if (isfinite(T)) lim_build_hold(b, middle);
}

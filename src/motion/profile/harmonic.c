// harmonic.c - a sine: of a motion about where the joint stands, else about 0. Theory: docs/theory/motion.md
// (13).
#include "motion/profile/build.h"

#include <math.h>

static const lim_key own[] = {{"amplitude", &lim_number, offsetof(lim_profile, amplitude),
                               "amplitude of the sine", .unit = "@", .need = "*"},
                              {"frequency", &lim_number, offsetof(lim_profile, frequency),
                               "frequency of the sine", .unit = "Hz", .range = "> 0", .need = "*"},
                              {"phase", &lim_number, offsetof(lim_profile, phase),
                               "phase of the sine at its start", .unit = "rad", .preset = "0"},
                              {0}};

static void build(lim_builder *b, const lim_profile *p) {
  const double middle = b->setup->motion ? b->value : 0;
  const double T = isnan(p->duration) ? INFINITY : p->duration;
  if (!(p->frequency > 0))
    lim_build_error(b, "frequency", "frequency is %g Hz, must be positive", p->frequency);
  lim_build_wait(b, middle);
  lim_build_arc(b, (lim_arc){.c = {middle}, .a = p->amplitude, .w = 2 * LIM_PI * p->frequency, .phi = p->phase},
                T);
  if (isfinite(T)) lim_build_hold(b, middle);
}

const lim_profile_kind lim_profile_harmonic = {
    .row = {.word = "harmonic", .help = "a sine", .takes = "duration", .own = own},
    .repeats = true,
    .build = build};

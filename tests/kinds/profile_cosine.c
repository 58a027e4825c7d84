// profile_cosine.c - a profile for the test of kinds: half a wave of a cosine from one value to the other, and
// back and forth again as often as its own key says.
#include "motion/profile/build.h"

#include <math.h>

typedef struct {
  int returns;
} keys;

static const lim_key own[] = {{"returns", &lim_count, offsetof(keys, returns),
                               "how often it comes back before it ends", .range = "0..100", .preset = "0"},
                              {0}};

static void build(lim_builder *b, const lim_profile *p) {
  const keys *k = p->own;
  lim_stroke s;
  if (!lim_build_stroke(&s, b, p, NAN)) return;
  const double half_waves = 1 + 2 * k->returns;
  lim_build_arc(b,
                (lim_arc){.c = {(s.from + s.to) / 2},
                          .a = (s.from - s.to) / 2,
                          .w = half_waves * LIM_PI / s.T,
                          .phi = LIM_PI / 2},
                s.T);
  lim_build_hold(b, s.to);
}

const lim_profile_kind lim_profile_cosine = {.row = {.word = "cosine",
                                                     .help = "half waves of a cosine",
                                                     .takes = LIM_TAKEN_BY_STROKE,
                                                     .needs = "duration",
                                                     .own = own,
                                                     .size = sizeof(keys)},
                                             .stroke = true,
                                             .build = build};

// bang_bang.c - plus, then minus, then nothing: the acceleration of a motion, or the value itself.
// Theory: docs/theory/motion.md (11).
#include "motion/profile/build.h"

#include <math.h>

static void value(lim_builder *b, double amplitude, double T) {
  lim_build_arc(b, (lim_arc){.c = {amplitude}}, T / 2);
  lim_build_arc(b, (lim_arc){.c = {-amplitude}}, T / 2);
  lim_build_hold(b, 0);
}

static void build_value(lim_builder *b, const lim_profile *p) {
  if (isnan(p->amplitude))
    lim_build_error(b, NULL, "a bang-bang that is not a motion needs its 'amplitude'");
  else if (!isnan(p->from) || !isnan(p->to))
    lim_build_error(b, isnan(p->to) ? "from" : "to", "a bang-bang that is not a motion has no 'from' and 'to'");
  else if (!(p->duration > 0))
    lim_build_error(b, "duration", "duration is %g s, must be positive", p->duration);
  else
    value(b, p->amplitude, p->duration);
}

static const lim_key own[] = {{"amplitude", &lim_number, offsetof(lim_profile, amplitude),
                               "plus, then minus this value; of a motion: its acceleration", .unit = "@!"},
                              {0}};

static void build(lim_builder *b, const lim_profile *p) {
  if (!b->setup->motion) {
    build_value(b, p);
    return;
  }
  lim_stroke s;
  const double reach = p->amplitude * p->duration * p->duration / 4; // (11)
  if (!lim_build_stroke(&s, b, p, reach)) return;
  if (fabs(s.to - s.from - reach) > 1e-9 * (fabs(s.to) + fabs(s.from)))
    lim_build_error(b, "amplitude", "amplitude leads to %g, but the stroke ends at %g; give one of them",
                    s.from + reach, s.to);
  const double a = 4 * (s.to - s.from) / (s.T * s.T);
  lim_build_push(b, s.T / 2, a, 0);
  lim_build_push(b, s.T / 2, -a, 0);
  lim_build_hold(b, s.to);
}

const lim_profile_kind lim_profile_bang_bang = {
    .row = {.word = "bang-bang",
            .help = "plus, then minus: the acceleration of a motion, or the value itself",
            .takes = LIM_TAKEN_BY_STROKE,
            .needs = "duration",
            .own = own},
    .stroke = true,
    .end = "amplitude",
    .build = build};

// sequence.c - the profiles of a signal, one after the other. Theory: docs/theory/motion.md, "Sequences".
#include "motion/profile/build.h"

#include <math.h>

static const lim_profile_kind *const kinds[] = {
#define ROW(kind) &lim_profile_##kind,
#include "motion/profile/kinds.def"
#undef ROW
    NULL,
};

const lim_profile_kind *lim_profile_kind_of(const lim_profile *p) { return kinds[p->kind]; }

const lim_kind_row *lim_profile_row(int i) { return kinds[i] ? &kinds[i]->row : NULL; }

// What stands is cut at `start`; the next profile goes on from the value and rate reached there.
static void cut(lim_builder *b, double start) {
  while (b->count > 1 && b->arc[b->count - 1].time > start) b->count--;
  const lim_arc *last = &b->arc[b->count - 1];
  const lim_sample s = lim_arc_at(last, start - last->time);
  b->value = s.value;
  b->rate = s.rate;
  b->time = b->begun = start;
  b->endless = false;
}

// When the profile begins: at its own start, or as soon as the one before ends.
static void begin(lim_builder *b, const lim_profile *p) {
  const bool given = !isnan(p->start);
  const double earliest = b->endless ? b->begun : b->time; // an endless profile runs until the next begins
  const double slack = 1e-12 * fmax(1, fabs(earliest));    // 0.1 + 0.2 > 0.3
  if (b->endless && !given)
    lim_build_error(b, NULL, "the profile before never ends, so this one must give its 'start'");
  else if (!b->first && p->start < earliest - slack)
    lim_build_error(b, "start", "start is %g s, but the profile before %s at %g s", p->start,
                    b->endless ? "begins" : "ends", earliest);
  else
    cut(b, given ? (b->first ? p->start : fmax(p->start, earliest)) : earliest);
}

void lim_build_signal(lim_builder *b, const lim_signal *signal) {
  b->first = true;
  b->value = b->setup->start;
  lim_build_put(b, (lim_arc){.c = {b->value}});
  for (int i = 0; i < signal->list.count && b->code == LIM_OK; i++) {
    b->at = &signal->list.item[i];
    begin(b, b->at);
    if (b->code == LIM_OK) lim_profile_kind_of(b->at)->build(b, b->at);
    b->first = false;
  }
}

// build.c - putting arcs down, and what profiles share. Theory: docs/theory/motion.md (1), (4).
#include "motion/profile/build.h"

#include "base/grow.h"

#include <math.h>
#include <stdio.h>

void lim_build_error(lim_builder *b, const char *key, const char *format, ...) {
  static const lim_head nowhere = {0};
  const lim_head *head = b->at ? &b->at->head : &nowhere;
  const lim_node *at = key ? lim_tree_get(head->node, key) : NULL;
  const bool entry = head->where && head->where[0];
  char text[600];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (!at) at = head->node;
  b->code = lim_error_add(b->err, LIM_BAD_INPUT, at ? at->source : NULL, at ? at->line : 0, at ? at->column : 0,
                          "%s%s%s", entry ? head->where : "", entry ? ": " : "", text);
}

void lim_build_wait(lim_builder *b, double value) {
  if (b->first) b->arc[0].c[0] = value;
  b->value = value;
  b->rate = 0;
}

static bool is_finite(const lim_arc *p) {
  double sum = p->time + p->a + p->w + p->phi;
  for (int i = 0; i < LIM_ARC_TERMS; i++) sum += p->c[i];
  return isfinite(sum);
}

void lim_build_put(lim_builder *b, lim_arc arc) {
  if (b->code != LIM_OK) return;
  arc.time = b->time;
  if (!is_finite(&arc)) {
    lim_build_error(b, NULL, "the profile is too fast or too large to be computed");
    return;
  }
  if (b->count > 1 && b->arc[b->count - 1].time >= arc.time) b->count--;
  if (LIM_GROW(b->arc, b->capacity, b->count))
    b->arc[b->count++] = arc;
  else
    b->code = lim_no_memory(b->err);
}

void lim_build_arc(lim_builder *b, lim_arc arc, double T) {
  if (!(T > 0)) return;
  lim_build_put(b, arc);
  if (isinf(T)) {
    b->endless = true;
    return;
  }
  const lim_sample end = lim_arc_at(&arc, T);
  b->time += T;
  b->value = end.value;
  b->rate = end.rate;
}

void lim_build_push(lim_builder *b, double T, double a, double j) {
  if (!(T > 0)) return;
  lim_build_arc(b, (lim_arc){.c = {b->value, b->rate, a / 2, j / 6}}, T);
}

void lim_build_hold(lim_builder *b, double value) {
  lim_build_put(b, (lim_arc){.c = {value}});
  b->value = value;
  b->rate = 0;
}

bool lim_build_stroke(lim_stroke *s, lim_builder *b, const lim_profile *p, double reach) {
  const bool line = p->line.head.node; // (4)
  s->from = line || isnan(p->from) ? b->value : p->from;
  s->to = line ? s->from + 1 : isnan(p->to) ? s->from + reach : p->to;
  s->T = p->duration;
  if (isnan(s->to)) lim_build_error(b, NULL, "the profile does not say where it goes; it needs 'to'");
  if (!(s->T > 0)) lim_build_error(b, "duration", "duration is %g s, must be positive", s->T);
  if (b->code == LIM_OK) lim_build_wait(b, s->from);
  return b->code == LIM_OK;
}

void lim_build_reach(lim_builder *b, double t, double value) {
  const bool first = b->first;
  if (!first && t < 0) {
    lim_build_error(b, NULL, "the first time is %g s, must not be negative after another profile", t);
    return;
  }
  lim_build_wait(b, value);
  if (!first) lim_build_hold(b, value);
  b->time += t;
}

// outline.c - outlines along an element.
#include "scene/outline.h"

#include <math.h>
#include <string.h>

static void mix(double a[][2], double b[][2], int count, double t) {
  for (int i = 0; i < count; i++)
    for (int k = 0; k < 2; k++) a[i][k] += t * (b[i][k] - a[i][k]);
}

// Every corner is linear in the dimensions, which are linear along a tapered piece (S1).
lim_outline lim_outline_of(const lim_element *e, double s) {
  lim_outline a = lim_section_outline(e->from), b = lim_section_outline(e->to);
  double t = e->f0 + s * (e->f1 - e->f0);
  if (a.outer_count != b.outer_count) return (lim_outline){0}; // a general section with and one without a size
  if (a.inner_count != b.inner_count) a.inner_count = b.inner_count = 0;
  mix(a.outer, b.outer, a.outer_count, t);
  mix(a.inner, b.inner, a.inner_count, t);
  return a;
}

bool lim_outline_equal(const lim_outline *a, const lim_outline *b) {
  double size = a->outer_count ? fabs(a->outer[0][0]) + fabs(a->outer[0][1]) : 0;
  if (a->outer_count != b->outer_count || a->inner_count != b->inner_count) return false;
  for (int i = 0; i < a->outer_count; i++)
    for (int k = 0; k < 2; k++)
      if (fabs(a->outer[i][k] - b->outer[i][k]) > 1e-9 * size) return false;
  for (int i = 0; i < a->inner_count; i++)
    for (int k = 0; k < 2; k++)
      if (fabs(a->inner[i][k] - b->inner[i][k]) > 1e-9 * size) return false;
  return true;
}

// outline.c - polygons of the shapes of sections. Dimensions: docs/theory/section.md.
#include "result/outline.h"

#include <math.h>
#include <string.h>

static int rectangle(double p[][2], double y, double z) {
  static const double sign[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  if (!(y > 0 && z > 0)) return 0;
  for (int i = 0; i < 4; i++) {
    p[i][0] = sign[i][0] * y / 2;
    p[i][1] = sign[i][1] * z / 2;
  }
  return 4;
}

static int circle(double p[][2], double diameter) {
  if (!(diameter > 0)) return 0;
  for (int i = 0; i < LIM_OUTLINE_POINTS; i++) {
    double angle = 2 * M_PI * i / LIM_OUTLINE_POINTS;
    p[i][0] = diameter / 2 * cos(angle);
    p[i][1] = diameter / 2 * sin(angle);
  }
  return LIM_OUTLINE_POINTS;
}

// Web along y, flanges of width z at both ends.
static int i_beam(double p[][2], const lim_section *s) {
  const double y = s->y / 2, z = s->z / 2, w = s->web / 2, f = y - s->flange;
  const double corner[12][2] = {{-y, -z}, {-f, -z}, {-f, -w}, {f, -w}, {f, -z}, {y, -z},
                                {y, z},   {f, z},   {f, w},   {-f, w}, {-f, z}, {-y, z}};
  memcpy(p, corner, sizeof corner);
  return 12;
}

static lim_outline outline_of(const lim_section *s) {
  lim_outline o = {0};
  switch (s->shape) {
  case LIM_CIRCLE: o.outer_count = circle(o.outer, s->diameter); break;
  case LIM_TUBE:
    o.outer_count = circle(o.outer, s->outer);
    o.inner_count = circle(o.inner, s->inner);
    break;
  case LIM_BOX:
    o.outer_count = rectangle(o.outer, s->y, s->z);
    o.inner_count = rectangle(o.inner, s->y - 2 * s->wall, s->z - 2 * s->wall);
    break;
  case LIM_I_BEAM: o.outer_count = i_beam(o.outer, s); break;
  default: o.outer_count = rectangle(o.outer, s->y, s->z);
  }
  return o;
}

static void mix(double a[][2], double b[][2], int count, double t) {
  for (int i = 0; i < count; i++)
    for (int k = 0; k < 2; k++) a[i][k] += t * (b[i][k] - a[i][k]);
}

// Every corner is linear in the dimensions, which are linear along a tapered piece (S1).
lim_outline lim_outline_of(const lim_element *e, double s) {
  lim_outline a = outline_of(e->from), b = outline_of(e->to);
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

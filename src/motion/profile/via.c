// via.c - a spline through points. Theory: docs/theory/motion.md (18)-(19).
#include "motion/profile/build.h"

#include <math.h>

static lim_beginning begins(const lim_profile *p) {
  return (lim_beginning){p->points.count ? p->points.item[1] : p->from, NAN, "points", "points begin at"};
}

static const lim_key own[] = {
    {"points", &lim_points, offsetof(lim_profile, points), "list of [t, value]", .unit = "@", .need = "*"},
    {0}};

static void build(lim_builder *b, const lim_profile *p) {
  const double *point = p->points.item;
  const int n = p->points.count / 2;
  if (n < 1) lim_build_error(b, "points", "points must be a list of [t, value]");
  for (int i = 1; i < n; i++)
    if (!(point[2 * i] > point[2 * i - 2]))
      lim_build_error(b, "points", "points: t must rise, but %g follows %g", point[2 * i], point[2 * i - 2]);
  if (b->code == LIM_OK) lim_build_spline(b, point, n, 2);
}

const lim_profile_kind lim_profile_via = {
    .row = {.word = "via", .help = "a spline through points", .own = own}, .begins = begins, .build = build};

// grips.c - parts held by the arm, as masses of its links. Theory: docs/theory/programs.md (18).
#include "math/rotation.h"
#include "system/plan.h"
#include "system/pose.h"

#include <string.h>

// Whether the part of grip i is still held after the first `count` grips.
static bool holds(const lim_grip *grips, int count, int i) {
  if (!grips[i].take) return false;
  for (int k = i + 1; k < count; k++)
    if (!strcmp(grips[k].name, grips[i].name)) return false;
  return true;
}

// R I R' of a symmetric I: xx yy zz xy xz yz.
static void turn_inertia(double out[6], const double R[9], const double I[6]) {
  const double full[9] = {I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2]};
  static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
  double left[9];
  lim_mat3_product(left, R, full);
  for (int k = 0; k < 6; k++) out[k] = lim_dot(left + 3 * row[k], R + 3 * column[k]);
}

static lim_mass mass_of(const lim_model *m, const lim_grip *g, int *link) {
  const lim_frame_on_link f = lim_pose_frame(m, g->at.link, g->at.kind, g->at.kind == LIM_AT_TIP, g->at.frame);
  lim_mass x = {.head = {.name = g->name}, .mass = g->mass};
  x.at = (lim_place){.kind = LIM_AT_FRACTION, .value = f.fraction};
  lim_rotate(x.xyz, f.R, g->xyz);
  for (int i = 0; i < 3; i++) x.xyz[i] += f.c[i];
  turn_inertia(x.inertia, f.R, g->inertia);
  *link = f.link;
  return x;
}

lim_link *lim_grips_links(lim_arena *arena, const lim_model *m, const lim_grip *grips, int count) {
  lim_link *links = lim_arena_array(arena, (size_t)m->links.count, sizeof *links);
  if (!links) return NULL;
  memcpy(links, m->links.item, (size_t)m->links.count * sizeof *links);
  for (int i = 0; i < count; i++) {
    int link;
    if (!holds(grips, count, i)) continue;
    const lim_mass x = mass_of(m, &grips[i], &link);
    lim_link *a = &links[link];
    lim_mass *list = lim_arena_array(arena, (size_t)a->masses.count + 1, sizeof *list);
    if (!list) return NULL;
    if (a->masses.count) memcpy(list, a->masses.item, (size_t)a->masses.count * sizeof *list);
    list[a->masses.count++] = x;
    a->masses.item = list;
  }
  return links;
}

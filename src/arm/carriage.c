// carriage.c - where a sliding joint stands on the beam of its parent. Theory: docs/theory/dynamics.md.
#include "arm/carriage.h"

#include "arm/body/kind.h"
#include "arm/pose.h"
#include "base/error.h"
#include "math/rotation.h"
#include "model/joint.h"

#include <math.h>
#include <stdlib.h>

static bool is_flexible(const lim_link *a) { return a->beam.head.node && a->basis.type != LIM_BASIS_RIGID; }

// The place on the flexible beam that carries a link, through rigid links that are fixed to it or turn on it;
// link -1: there is none.
static lim_frame_on_link carrier_of(const lim_model *m, int link) {
  for (;;) {
    const lim_link *a = &m->links.item[link];
    const lim_frame_on_link at = lim_pose_frame(m, a->parent.index, a->at.kind, a->at.value, a->at.frame.index);
    if (at.link < 0 || is_flexible(&m->links.item[at.link])) return at;
    const lim_joint *between = &m->links.item[at.link].joint;
    if (lim_joint_is_linear(between) || lim_joint_in_ball(between)) return (lim_frame_on_link){.link = -1};
    link = at.link;
  }
}

// Positions that the joint may take: its limits, else from where it starts outwards.
static void range_of(double range[2], const lim_model *m, int link) {
  const lim_limits *x = &m->links.item[link].joint.limits;
  double q, v;
  lim_pose_joint(&q, &v, m, link);
  range[0] = isnan(x->position[0]) ? fmin(q, 0) : x->position[0];
  range[1] = isnan(x->position[1]) ? INFINITY : x->position[1];
}

static void look_at(lim_error *err, const lim_model *m, const lim_world_pose *pose, int link) {
  const lim_joint *j = &m->links.item[link].joint;
  const lim_frame_on_link at = carrier_of(m, link);
  if (at.link < 0) return;
  const lim_link *parent = &m->links.item[at.link];
  double world[3], axis[3], range[2], L = parent->beam.length, place = at.fraction * L;
  lim_rotate(world, pose[link].R, j->axis);
  lim_rotate_back(axis, pose[at.link].R, world);
  if (fabs(axis[0]) < 0.1) return; // across the beam
  range_of(range, m, link);
  double one = place + range[0] * axis[0], other = place + range[1] * axis[0];
  double low = fmin(one, other), high = fmax(one, other), slack = 1e-9 * L;
  bool before = low < place - slack && place > slack, after = high > place + slack && place < L - slack;
  if (before || after)
    lim_warn(err, NAN, j->head.name,
             "joint '%.80s' slides along link '%.80s', which is flexible but carries it where it is attached, "
             "%.4g m from "
             "its base, and not where it stands: its weight and inertia bend the link as if they were there "
             "(`rail: beam` lets it stand on the beam)",
             j->head.name, parent->head.name, place);
}

lim_code lim_carriage_warn(lim_error *err, const lim_model *m) {
  lim_world_pose *pose = calloc((size_t)m->links.count + 1, sizeof *pose);
  if (!pose) return lim_no_memory(err);
  lim_pose_links(pose, m);
  for (int i = 0; i < m->links.count; i++) {
    const lim_joint *j = &m->links.item[i].joint;
    const bool inner = lim_body_kind_of(&m->links.item[i])->inner; // it is its own beam that slides
    if (lim_joint_is_linear(j) && !j->rail && !inner) look_at(err, m, pose, i);
  }
  free(pose);
  return LIM_OK;
}

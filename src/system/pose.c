// pose.c - kinematics of the undeformed arm, from parents to children.
#include "system/pose.h"

#include "math/rotation.h"

static const lim_state *state_of(const lim_model *m, int link) {
  for (int i = 0; i < m->configuration.count; i++)
    if (m->configuration.item[i].joint == link) return &m->configuration.item[i];
  return NULL;
}

void lim_pose_joint(double *position, double *speed, const lim_model *m, int link) {
  const lim_state *state = state_of(m, link);
  *position = state ? state->position[0] : 0;
  *speed = state ? state->velocity[0] : 0;
  const lim_motion *q = state ? NULL : lim_model_motion(m, link);
  if (!q || q->profile.list.count == 0) return;
  const lim_profile *p = &q->profile.list.item[0];
  if (p->kind == LIM_CONSTANT) *position = p->value;
  if (!isnan(p->from)) *position = p->from;
}

void lim_pose_along(double x[3], const lim_link *link, double fraction) {
  for (int i = 0; i < 3; i++) x[i] = link->body.head.node ? fraction * link->body.tip[i] : 0;
  if (link->beam.head.node)
    x[0] = fraction * link->beam.length;
  else if (link->joint.dh.head.node)
    x[0] += fraction * link->joint.dh.a;
}

// The frame of the parent on which a link hangs.
static void attach(lim_place_in_world *pose, const lim_model *m, const lim_link *link) {
  const lim_link *parent = link->parent.index < 0 ? NULL : &m->links.item[link->parent.index];
  double x[3] = {0}, turn[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const lim_frame *frame = link->at.kind == LIM_AT_FRAME ? &m->frames.item[link->at.frame.index] : NULL;
  const lim_place *at = frame ? &frame->at : &link->at;
  if (parent) lim_pose_along(x, parent, at->value);
  if (parent && lim_joint_slides(&parent->joint)) { // a fraction of what is beyond the guide
    double speed;
    lim_pose_joint(&x[0], &speed, m, link->parent.index);
    x[0] *= at->value;
  }
  if (parent && at->kind == LIM_AT_TIP && parent->joint.dh.head.node)
    lim_rotation_axis(turn, (double[3]){1, 0, 0}, parent->joint.dh.alpha);
  lim_frame_move(pose->R, pose->p, x, turn);
  if (!frame) return;
  lim_rotation_rpy(turn, frame->rpy);
  lim_frame_move(pose->R, pose->p, frame->xyz, turn);
}

static void joint_motion(lim_place_in_world *pose, const lim_model *m, int link) {
  const lim_joint *j = &m->links.item[link].joint;
  const lim_state *state = state_of(m, link);
  double turn[9], slide[3] = {0}, q, speed;
  lim_pose_joint(&q, &speed, m, link);
  if (j->type == LIM_FREE && state) {
    lim_rotation_rpy(turn, state->rpy);
    lim_frame_move(pose->R, pose->p, state->position, turn);
  } else if ((j->type == LIM_REVOLUTE || j->type == LIM_PRISMATIC) && !lim_joint_slides(j)) {
    bool prismatic = j->type == LIM_PRISMATIC;
    lim_rotation_axis(turn, j->axis, prismatic ? 0 : q);
    for (int i = 0; prismatic && i < 3; i++) slide[i] = j->axis[i] * q;
    lim_frame_move(pose->R, pose->p, slide, turn);
  }
}

void lim_pose_links(lim_place_in_world *pose, const lim_model *m) {
  static const lim_place_in_world world = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0}};
  for (int i = 0; i < m->links.count; i++) {
    const lim_link *link = &m->links.item[i];
    const lim_joint *j = &link->joint;
    double turn[9];
    pose[i] = link->parent.index < 0 ? world : pose[link->parent.index];
    attach(&pose[i], m, link);
    lim_rotation_rpy(turn, j->origin.rpy);
    lim_frame_move(pose[i].R, pose[i].p, j->origin.xyz, turn);
    lim_rotation_axis(turn, (double[3]){0, 0, 1}, j->dh.theta);
    lim_frame_move(pose[i].R, pose[i].p, (double[3]){0, 0, j->dh.d}, turn);
    joint_motion(&pose[i], m, i);
  }
}

bool lim_pose_keep(bool keep[6], const double R[9], int plane) {
  static const double normals[4][3] = {{0}, {0, 0, 1}, {0, 1, 0}, {1, 0, 0}};
  for (int i = 0; i < 6; i++) keep[i] = true;
  if (plane == LIM_SPATIAL) return true;
  double n[3];
  lim_rotate_back(n, R, normals[plane]);
  int along = fabs(n[2]) > 1 - 1e-9 ? 2 : 1;
  for (int i = 0; i < 3; i++) {
    keep[i] = i != along;
    keep[3 + i] = i == along;
  }
  return fabs(n[along]) > 1 - 1e-9;
}

lim_frame_on_link lim_pose_frame(const lim_model *m, int link, lim_place_kind kind, double fraction,
                                 int frame) {
  const lim_frame *f = kind == LIM_AT_FRAME ? &m->frames.item[frame] : NULL;
  lim_frame_on_link out = {
      .link = f ? f->on.index : link, .fraction = f ? f->at.value : fraction, .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  double turn[9];
  if (f) {
    lim_rotation_rpy(turn, f->rpy);
    lim_frame_move(out.R, out.c, f->xyz, turn);
  } else if (kind == LIM_AT_TIP && link >= 0 && m->links.item[link].joint.dh.head.node) {
    lim_rotation_axis(turn, (double[3]){1, 0, 0}, m->links.item[link].joint.dh.alpha);
    lim_frame_move(out.R, out.c, (double[3]){0}, turn);
  }
  return out;
}

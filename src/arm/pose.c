// pose.c - where the links of the undeformed arm are, from parents to children.
#include "arm/pose.h"

#include "arm/body/kind.h"
#include "fe/link.h"
#include "math/rotation.h"
#include "model/joint.h"
#include "model/profile.h"

const lim_joint_state *lim_pose_state(const lim_model *m, int link) {
  for (int i = 0; i < m->configuration.count; i++)
    if (m->configuration.item[i].joint == link) return &m->configuration.item[i];
  return NULL;
}

// A freedom of a free or spherical joint: along its slides the position of the whole, about its turns 0,
// because the orientation is the joint's own (ball.h). Rates of turns are the angular velocity there.
static void ball_joint(double *position, double *speed, const lim_model *m, int link) {
  const lim_joint *j = &m->links.item[link].joint;
  const lim_joint_state *state = lim_pose_state(m, lim_whole_link(m, link));
  const int turn = j->part - (j->parts - 3);
  *position = state && turn < 0 ? state->position[j->part] : 0;
  *speed = state && turn >= 0 ? state->angular_velocity[turn] : 0;
}

void lim_pose_ball(double quaternion[4], const lim_model *m, int link) {
  const lim_joint_state *state = lim_pose_state(m, link);
  lim_quaternion_axis(quaternion, 0, 0);
  if (!state) return;
  if (!isnan(state->quaternion[0])) memcpy(quaternion, state->quaternion, 4 * sizeof *quaternion);
  for (int axis = 2; axis >= 0 && isnan(state->quaternion[0]); axis--) { // yaw, pitch, roll
    double turn[4];
    lim_quaternion_axis(turn, axis, state->rpy[axis]);
    lim_quaternion_turn(quaternion, turn);
  }
}

void lim_pose_joint(double *position, double *speed, const lim_model *m, int link) {
  if (lim_joint_in_ball(&m->links.item[link].joint)) {
    ball_joint(position, speed, m, link);
    return;
  }
  const lim_joint_state *state = lim_pose_state(m, link);
  *position = state ? state->position[0] : 0;
  *speed = state ? state->velocity[0] : 0;
  const lim_motion *q = state ? NULL : lim_model_motion(m, link);
  if (!q || q->profile.list.count == 0) return;
  const lim_profile *p = &q->profile.list.item[0];
  const double stands = lim_profile_begins(p).stands;
  if (!isnan(stands)) *position = stands;
}

void lim_pose_along(double x[3], const lim_link *link, double fraction) {
  if (link->fe.link) { // its number
    memcpy(x, lim_fe_link_at(link->fe.link, fraction)->X, 3 * sizeof *x);
    return;
  }
  for (int i = 0; i < 3; i++) x[i] = link->body.head.node ? fraction * link->body.tip[i] : 0;
  if (link->beam.head.node)
    x[0] = fraction * link->beam.length;
  else if (link->joint.dh.head.node)
    x[0] += fraction * link->joint.dh.a;
}

// Axes of base and tip of a link against those of its beam or body: the link's own, the tip's turned by alpha.
static void axes_at(double R[9], const lim_link *link, lim_location_kind kind) {
  double turn[9];
  lim_rotation_axis(R, (double[3]){0, 0, 1}, lim_link_reversed(link) ? M_PI : 0);
  if (kind == LIM_AT_TIP && link->fe.head.node) lim_fe_axes(R, &link->fe, 1);
  if (kind != LIM_AT_TIP || !link->joint.dh.head.node) return;
  lim_rotation_axis(turn, (double[3]){1, 0, 0}, link->joint.dh.alpha);
  lim_frame_move(R, (double[3]){0}, (double[3]){0}, turn);
}

void lim_pose_origin(double R[9], double p[3], const lim_link *link) {
  const lim_joint *j = &link->joint;
  double turn[9];
  lim_rotation_rpy(turn, j->origin.rpy);
  lim_frame_move(R, p, j->origin.xyz, turn);
  lim_rotation_axis(turn, (double[3]){0, 0, 1}, j->dh.theta + (lim_link_reversed(link) ? M_PI : 0));
  lim_frame_move(R, p, (double[3]){0, 0, j->dh.d}, turn);
}

// The frame of the parent on which a link hangs.
static void attach(lim_world_pose *pose, const lim_model *m, const lim_link *link) {
  const lim_link *parent = link->parent.index < 0 ? NULL : &m->links.item[link->parent.index];
  const lim_frame_on_link at =
      lim_pose_frame(m, link->parent.index, link->at.kind, link->at.value, link->at.frame.index);
  double x[3] = {0};
  if (parent) lim_pose_along(x, parent, at.fraction);
  if (parent && lim_body_kind_of(parent)->inner) { // a fraction of what is beyond the guide
    double speed;
    lim_pose_joint(&x[0], &speed, m, link->parent.index);
    x[0] *= at.fraction;
  }
  lim_frame_shift(pose->R, pose->p, x);
  lim_frame_move(pose->R, pose->p, at.c, at.R);
}

static void joint_motion(lim_world_pose *pose, const lim_model *m, int link) {
  const lim_joint *j = &m->links.item[link].joint;
  const lim_screw screw = lim_joint_screw(j);
  double quaternion[4], turn[9], q, speed;
  if (lim_joint_begins_ball(j)) {
    lim_pose_ball(quaternion, m, lim_whole_link(m, link));
    lim_rotation_quaternion(turn, quaternion);
    lim_frame_move(pose->R, pose->p, (double[3]){0}, turn);
  }
  lim_pose_joint(&q, &speed, m, link);
  if (!lim_body_kind_of(&m->links.item[link])->inner) lim_screw_move(pose->R, pose->p, &screw, q);
}

void lim_pose_links(lim_world_pose *pose, const lim_model *m) {
  static const lim_world_pose world = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0}};
  for (int i = 0; i < m->links.count; i++) {
    const lim_link *link = &m->links.item[i];
    pose[i] = link->parent.index < 0 ? world : pose[link->parent.index];
    attach(&pose[i], m, link);
    lim_pose_origin(pose[i].R, pose[i].p, link);
    joint_motion(&pose[i], m, i);
  }
}

const double *lim_plane_normal(int plane) {
  static const double normals[][3] = {
      [LIM_SPATIAL] = {0}, [LIM_PLANE_XY] = {0, 0, 1}, [LIM_PLANE_XZ] = {0, 1, 0}, [LIM_PLANE_YZ] = {1, 0, 0}};
  return normals[plane];
}

bool lim_pose_keep(bool keep[6], const double R[9], int plane) {
  for (int i = 0; i < 6; i++) keep[i] = true;
  if (plane == LIM_SPATIAL) return true;
  double n[3];
  lim_rotate_back(n, R, lim_plane_normal(plane));
  const int along = fabs(n[2]) > 1 - 1e-9 ? 2 : fabs(n[0]) > 1 - 1e-9 ? 0 : 1;
  for (int i = 0; i < 3; i++) {
    keep[i] = i != along;
    keep[3 + i] = i == along;
  }
  return along > 0 && fabs(n[along]) > 1 - 1e-9;
}

bool lim_screw_stays(const lim_screw *screw, const bool keep[6]) {
  for (int i = 0; i < 3; i++)
    if ((!keep[i] && fabs(screw->along[i]) > 1e-9) || (!keep[3 + i] && fabs(screw->about[i]) > 1e-9))
      return false;
  return true;
}

lim_frame_on_link lim_pose_frame(const lim_model *m, int link, lim_location_kind kind, double fraction,
                                 int frame) {
  const lim_frame *f = kind == LIM_AT_FRAME ? &m->frames.item[frame] : NULL;
  lim_frame_on_link out = {
      .link = f ? f->on.index : link, .fraction = f ? f->at.value : fraction, .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  double turn[9];
  if (f) {
    lim_rotation_rpy(turn, f->rpy);
    lim_frame_move(out.R, out.c, f->xyz, turn);
  } else if (link >= 0) {
    axes_at(out.R, &m->links.item[link], kind);
  }
  return out;
}

// pose.h - where the links of the undeformed arm are, in its configuration: what is asked before there are
// bodies. With deformations and rates: arm/kinematics.h. Both move from body to body by lim_screw_move.
#ifndef LIM_ARM_POSE_H
#define LIM_ARM_POSE_H

#include "model/joint.h"
#include "model/model.h"

typedef struct {
  double R[9], p[3]; // axes (by rows) and origin in the world
} lim_world_pose;

// The frame of every link. pose (links.count)
void lim_pose_links(lim_world_pose *pose, const lim_model *m);

// What the configuration says of the joint of a link; NULL: nothing.
const lim_joint_state *lim_pose_state(const lim_model *m, int link);

// Position and speed of a joint with one freedom at t = 0: the configuration, else where its motion starts. The
// speeds at which a free joint slides are 0 here: they are given in world axes (lim_balls_start).
void lim_pose_joint(double *position, double *speed, const lim_model *m, int link);

// How a free or spherical joint, given by its own link, is turned at t = 0.
void lim_pose_ball(double quaternion[4], const lim_model *m, int link);

// A location along a link without deformation, link axes: along the beam, from base to tip of a body, or the
// place of that number of a link from finite elements.
void lim_pose_along(double x[3], const lim_link *link, double fraction);

// The constant part of a joint: origin, then Rz(theta) Tz(d) of a DH row; a beam that runs along -x has its own
// axes.
void lim_pose_origin(double R[9], double p[3], const lim_link *link);

// A frame on a link: the section at a fraction of its length, an offset and axes there.
typedef struct {
  int link; // -1: the world
  double fraction, c[3], R[9];
} lim_frame_on_link;

// A location of the model. LIM_AT_FRAME: index into model.frames.
lim_frame_on_link lim_pose_frame(const lim_model *m, int link, lim_location_kind kind, double fraction,
                                 int frame);

// Normal of the model's plane (lim_plane), world axes.
const double *lim_plane_normal(int plane);

// Nodal coordinates (ux uy uz tx ty tz) of a link with axes R that lie in the model's plane. False where the
// plane is not one of the link's own x-y and x-z planes.
bool lim_pose_keep(bool keep[6], const double R[9], int plane);

// Whether a freedom moves only what is kept.
bool lim_screw_stays(const lim_screw *screw, const bool keep[6]);

#endif

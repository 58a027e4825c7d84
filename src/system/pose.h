// pose.h - where the links of the undeformed arm are, in its configuration.
#ifndef LIM_SYSTEM_POSE_H
#define LIM_SYSTEM_POSE_H

#include "model/model.h"

typedef struct {
  double R[9], p[3]; // axes (by rows) and origin in the world
} lim_place_in_world;

// The frame of every link. pose (links.count)
void lim_pose_links(lim_place_in_world *pose, const lim_model *m);

// Position and speed of a joint with one freedom at t = 0: the configuration, else where its motion starts.
void lim_pose_joint(double *position, double *speed, const lim_model *m, int link);

// A place along a link without deformation, link axes: along the beam, or from base to tip of a body.
void lim_pose_along(double x[3], const lim_link *link, double fraction);

// A frame on a link: the section at a fraction of its length, an offset and axes there.
typedef struct {
  int link; // -1: the world
  double fraction, c[3], R[9];
} lim_frame_on_link;

// A place of the model. LIM_AT_FRAME: index into model.frames.
lim_frame_on_link lim_pose_frame(const lim_model *m, int link, lim_place_kind kind, double fraction, int frame);

// Nodal coordinates (ux uy uz tx ty tz) of a link with axes R that lie in the model's plane. False where the
// plane is not one of the link's own x-y and x-z planes.
bool lim_pose_keep(bool keep[6], const double R[9], int plane);

#endif

// ball.h - orientations of free and spherical joints. Such a joint turns its link by a unit quaternion, which
// is kept, and by three turns about x, y and z after it, which are its coordinates. These are singular where
// the second is a quarter turn: before it comes near, the quaternion takes them over and they are 0 again. So
// no orientation is special, and to all else coordinates are angles whose rates are their time derivatives.
// Theory: docs/theory/joints.md (1)-(5).
#ifndef LIM_ARM_BALL_H
#define LIM_ARM_BALL_H

#include "arm/tree.h"

typedef struct lim_ball lim_ball;
struct lim_ball {
  int link;             // of the joint
  int body;             // that turns about x; the next two turn about y and z
  int turn[3];          // their coordinates; -1: it leads out of the model's plane
  int shift[3];         // of a free joint: coordinates along the axes of its frame; -1: there is none
  double speed[3];      // along these at t = 0
  double origin[9];     // axes in which the quaternion turns, against those of what it hangs on
  double quaternion[4]; // w x y z
};

// Of the model, into s, once its bodies are there.
lim_code lim_balls_build(lim_arm *s, lim_error *err);

// The speeds of free joints at t = 0, which the model gives in world axes. v (n)
void lim_balls_start(double *v, const lim_arm *s);

// How a joint is turned at q, and its angular velocity in the axes of its link.
void lim_ball_orientation(double R[9], const lim_ball *b, const double *q);
void lim_ball_velocity(double w[3], const lim_ball *b, const double *q, const double *v);

// Whether it turns in space: in a plane it has one turn, for which no angle is special.
static inline bool lim_ball_is_whole(const lim_ball *b) {
  return b->turn[0] >= 0 && b->turn[1] >= 0 && b->turn[2] >= 0;
}

// Whether turns of a joint have come so far from 0 that they should be taken over.
bool lim_ball_is_far(const lim_ball *b, const double *q);

// Take over the turns at q: the quaternion that the joint should have.
void lim_ball_centre(double quaternion[4], const lim_ball *b, const double *q);

// A motion, written in turns about another quaternion: q, v and the accelerations a (each n, a one after the
// other in a list of `count`) of the joint's turns. The joint itself stays as it is.
void lim_ball_rewrite(const lim_ball *b, const double quaternion[4], double *q, double *v, double *const *a,
                      int count);

// The joint of a run's own arm turned by another quaternion.
void lim_ball_set(lim_arm *own, int ball, const double quaternion[4]);

#endif

// chain.h - the joints between the world and a frame: where the frame is and how joints move it. Theory:
// docs/theory/kinematics.md.
//
// Screws: with all joints at 0, joint i turns about (or slides along) the axis k through the point o, in world
// axes, and the frame is at (R, p). Then its pose at q is exp(S1 q1) ... exp(Sn qn) (R, p), which is evaluated
// from joint to joint. Constant once built; links that bend are frozen in the shape that they had then.
#ifndef LIM_KINEMATICS_CHAIN_H
#define LIM_KINEMATICS_CHAIN_H

#include "arm/kinematics.h"
#include "arm/pose.h"

typedef struct {
  const char *name;  // of the model's joint
  int link, body;    // of the model, of the system
  bool slides;       // prismatic; else revolute
  double k[3], o[3]; // axis (unit) and a point of it, all joints at 0
  lim_screw screw;   // the same axis, in axes that are the world's there
  double low, high;  // limits; infinite where there are none
  double unit;  // a change that counts as one of 1 rad: slides by the size of the arm, gears by their ratio
  int number;   // of the chain's joints; below 0: ~number of those that follow
  bool leads;   // couplings move others with it: whole turns are not the same
  bool follows; // others, by loops; turns of ball joints do in any case, since nobody can tell them where to be
} lim_chain_joint;

// A joint that couplings move with those of the chain: offset + sum of by x their positions.
typedef struct {
  lim_chain_joint joint;
  double offset;
  double *by; // (n)
  bool moves; // not all of these are 0
} lim_chain_follower;

typedef struct {
  int n;
  lim_chain_joint *joint;       // from the world to the frame, without those that follow   (n)
  double *start;                // positions in the configuration (n)
  int nfollower;                // 0: no coupling moves any of them
  lim_chain_follower *follower; // of the chain or beside it        (nfollower)
  int nmoving;
  lim_chain_joint *moving; // with couplings: all that move the frame, those that follow among them   (nmoving)
  double R[9], p[3];       // of the frame, all joints at 0
  double size;             // of the arm [m]: the largest distance that counts, above 0
  // A closed chain has all joints that loops couple with those before the frame, parents before children, and
  // k, o, R, p as they are in the configuration (closed_chain.h).
  const lim_arm *s; // NULL: the chain is open
  lim_site site;    // the frame
  double *shape;    // deformation, and where other joints stand (s->n)
  int rows, *row;   // of the loops, among those of s            (rows)
} lim_chain;

// The joints that move a site. q (s->n): deformation of links, and where held joints stand; NULL: the
// configuration at t = 0. held (links.count): joints that count as fixed; NULL: none. The system must outlive
// the chain. Joints that couplings alone make follow others of an open chain are none of its joints; joints
// beside the chain follow.
lim_code lim_chain_new(lim_chain **out, const lim_arm *s, const lim_site *site, const double *q,
                       const bool *held, lim_error *err);
void lim_chain_free(lim_chain *c);

// The frame of that name in the system ("tip", "arm.tip", one of model.frames); NULL: there is none.
const lim_site *lim_chain_frame(const lim_arm *s, const char *name);

// Position of a joint that follows, at q (n).
double lim_chain_follow(const lim_chain *c, int follower, const double *q);

// Put the joints of a chain at q (n), and those that follow, into coordinates x (s->n).
void lim_chain_put(double *x, const lim_arm *s, const lim_chain *c, const double *q);

// The joint of that name in the chain; -1: there is none.
int lim_chain_joint_of(const lim_chain *c, const char *name);

// Whether the sine between two directions is below `sine`.
bool lim_axes_parallel(const double a[3], const double b[3], double sine);

// The point of axis a nearest to axis b, which is not parallel; returns how far they pass.
double lim_axes_crossing(double at[3], const lim_chain_joint *a, const lim_chain_joint *b);

// The pose of the frame of an open chain at q (n).
void lim_chain_pose(lim_world_pose *out, const lim_chain *c, const double *q);

// The pose, and J (6 x n by columns): velocity of the frame's origin, then angular velocity, world axes, at
// speed 1 of each joint.
void lim_chain_jacobian(lim_world_pose *out, double *J, const lim_chain *c, const double *q);

// The same of a site by all coordinates of a system, those of motors (0) and deformations too: J (6 x s->n by
// columns). body (nbody) and unit (s->n, all 0 before and after) are room for it.
void lim_frame_jacobian(lim_world_pose *out, double *J, const lim_arm *s, const lim_site *site, const double *q,
                        lim_world_motion *body, double *unit);

// Singular values of J (6 x n), the largest first: min(6, n) of them in out (6), the rest 0. Rows of rotations
// count `length` times, so that all are in m. n at most LIM_CHAIN_MOST.
enum { LIM_CHAIN_MOST = 64 };
void lim_chain_singular_values(double out[6], const double *J, int n, double length);

#endif

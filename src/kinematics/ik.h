// ik.h - inverse kinematics: joint positions that put a frame at a pose. Theory: docs/theory/kinematics.md.
//
// A solver is a workspace: one per thread, made once for a chain. Solving allocates nothing.
//
//   lim_chain *c; lim_ik *ik;
//   lim_chain_new(&c, system, lim_chain_frame(system, "tool"), NULL, NULL, err);
//   lim_ik_new(&ik, c, LIM_GOAL_POSE, err);
//   lim_goal goal = {.position = {x, y, z}, .R = {...}};
//   if (lim_ik_near(ik, q, &goal, q).reached) ...             // nearest to the posture q, into q
#ifndef LIM_KINEMATICS_IK_H
#define LIM_KINEMATICS_IK_H

#include "kinematics/chain.h"

// What of a goal counts.
typedef enum {
  LIM_GOAL_POSE,     // position and orientation
  LIM_GOAL_POSITION, // position alone
} lim_goal_kind;

typedef struct {
  double position[3]; // [m], world
  double R[9];        // axes of the frame, by rows: columns are its x, y, z axes in the world
} lim_goal;

typedef enum {
  LIM_IK_WRIST,    // closed form: three joints place the wrist, three axes that meet turn it
  LIM_IK_PARALLEL, // closed form: three joints in parallel planes between one that turns and two axes that meet
  LIM_IK_POINT,    // closed form: three joints place a point, none or one beyond turn it
  LIM_IK_PLANAR,   // closed form: two or three joints of a planar arm
  LIM_IK_SEARCH    // damped least squares
} lim_ik_method;

// Singularities, as bits.
enum {
  LIM_SINGULAR_WRIST = 1,    // first and last axis of the wrist in line
  LIM_SINGULAR_ELBOW = 2,    // stretched or folded: the wrist cannot move outwards
  LIM_SINGULAR_SHOULDER = 4, // the wrist on the first axis
  LIM_SINGULAR_OTHER = 8,    // some direction of the frame is lost
  LIM_SINGULAR_HELD = 16     // closed chains: the frame can move while the joints that do not follow are held
};

typedef struct {
  bool reached;      // within the tolerance and the limits of joints
  double distance;   // left to the goal's position [m]; with reached false: the least that was found
  double angle;      // left to the goal's orientation [rad]; 0 where only positions count
  double gap;        // the most that a loop is open [m, sine of an angle]
  unsigned singular; // of the posture: LIM_SINGULAR_...
  int beyond;        // not reached: a joint without whose limits it would be; -1: none
  int rounds;        // of damped least squares that it took
} lim_ik_outcome;

typedef struct lim_ik lim_ik;

// What is asked of a solver for chains that leave a choice (more joints than needed).
typedef enum {
  LIM_REST_NEAR,  // the posture nearest to the given one
  LIM_REST_MIDDLE // the one nearest to the middle of the limits (of joints that have two)
} lim_ik_rest;

// The chain must outlive it.
lim_code lim_ik_new(lim_ik **out, const lim_chain *chain, lim_goal_kind kind, lim_error *err);
void lim_ik_free(lim_ik *ik);
lim_ik_method lim_ik_method_of(const lim_ik *ik);
const char *lim_ik_method_name(lim_ik_method m); // "wrist", "parallel", "point", "planar", "search"

void lim_ik_set_tolerance(lim_ik *ik, double distance,
                          double angle);            // default: 1e-10 of the arm's size, 1e-10 rad
void lim_ik_set_rest(lim_ik *ik, lim_ik_rest rest); // default: LIM_REST_NEAR

// The solution nearest to the posture near (n), into q (n), which may be near itself. Turns of revolute joints
// are counted on: q is the nearest of those that differ by whole turns. Not reached: q is as near to the goal
// as was found, the orientation kept where the wrist can.
lim_ik_outcome lim_ik_near(lim_ik *ik, double *q, const lim_goal *goal, const double *near);

// All solutions: q (room x n, one after the other), the nearest to near first. Returns how many there are (at
// most room are put); closed forms give all there are (up to 8), searches those found from many postures.
// first: of the nearest one, or what is left where there is none.
int lim_ik_all(lim_ik *ik, double *q, int capacity, lim_ik_outcome *first, const lim_goal *goal,
               const double *near);

// What is left to a goal at q, and the singularities there.
lim_ik_outcome lim_ik_evaluate(lim_ik *ik, const lim_goal *goal, const double *q);

// The pose at q; and J (6 x n by columns, NULL: not asked for), velocity and angular velocity of the frame at
// speed 1 of each joint. Of a closed chain: of joints that do not follow others, which go along; 0 for these.
void lim_ik_pose(lim_world_pose *out, double *J, lim_ik *ik, const double *q);

// q of a closed chain with the loops closed by the joints that follow others. False: they cannot be.
bool lim_ik_close(lim_ik *ik, double *q);

// In how many directions the joints move the frame at q, turns counted too.
int lim_ik_freedoms(lim_ik *ik, const double *q);

// "wrist", "wrist and elbow", ...; "" for 0. Text of at most 96 bytes.
const char *lim_ik_singular_name(char text[96], unsigned singular);

#endif

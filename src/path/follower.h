// follower.h - joints that carry a tool along a line or an arc: poses, rates and curvatures of the joints.
// Theory: docs/theory/programs.md (14)-(17).
#ifndef LIM_PATH_FOLLOWER_H
#define LIM_PATH_FOLLOWER_H

#include "arm/loop.h"
#include "math/damped_least_squares.h"
#include "motion/path.h"

// A segment of the tool's path: straight, or along a circle, while it turns evenly about one axis.
typedef struct {
  double p[3], R[9];       // where it begins
  double length;           // of the path [m]; of a turn on the spot: its angle [rad]
  double direction[3];     // straight: displacement per length
  bool round;              // an arc
  double c[3], u[3], v[3]; // its centre, radius towards the start and a quarter ahead [m]
  double radius;
  double axis[3], turn; // unit, angle per length
} lim_path_segment;

// From one pose straight to another. R1 NULL: as R0.
lim_path_segment lim_path_segment_straight(const double p0[3], const double R0[9], const double p1[3],
                                           const double *R1);

// Through `via` to p1 along a circle. False where the three points lie on a line.
bool lim_path_segment_round(lim_path_segment *out, const double p0[3], const double R0[9], const double via[3],
                            const double p1[3], const double *R1);

// Where the tool should be at s along the path, and its derivatives by s.
lim_world_motion lim_path_segment_at(const lim_path_segment *w, double s);
bool lim_path_segment_turns_only(const lim_path_segment *w);

typedef struct {
  lim_arena arena;
  const lim_arm *s; // rigid
  lim_site tool;
  bool turns;                    // the orientation of the tool counts
  bool *joined;                  // joints that move the tool, by loops too          (nbody)
  int m, *index;                 // unknown joints: those that are commanded, and those that follow by loops
  int rows;                      // 6 of the tool, then those of loops
  lim_world_motion *body;        // (nbody)
  lim_row_state *row;            // (rows)
  double *unit;                  // (n), 0 between uses
  lim_least_squares solver;      // J: d rate / d speed (m x rows)
  double *b;                     // right side (rows)
  const double *goal_p, *goal_R; // the pose that is sought
  double *q0, *q1, *v, *y;       // scratch (n), v (3 n)
  double size;                   // of the arm [m]
  int rank;                      // of J when it was last solved
} lim_follower;

// commanded (nbody). The system must outlive it; end with lim_follower_end in any case.
lim_code lim_follower_begin(lim_follower *x, const lim_arm *s, const bool *commanded, lim_error *err);
void lim_follower_end(lim_follower *x);

// The joints that carry the tool: those that are commanded and not held (nbody; NULL: none is).
void lim_follower_choose(lim_follower *x, const bool *commanded, const bool *held);

// The tool at q, with rates v and a (NULL: none).
lim_world_motion lim_follower_tool(lim_follower *x, const double *q, const double *v, const double *a);

// What is left to a pose.
typedef struct {
  double distance, angle; // [m], [rad]
} lim_left;

// Bring the tool to a pose from the q that there is. q is as near as it gets.
lim_left lim_follower_pose(lim_follower *x, double *q, const double p[3], const double R[9]);

// How far along a segment the joints came, from q, which ends there.
typedef struct {
  double done;   // [m] or [rad]
  lim_left left; // there
  bool singular; // joints would have to be infinitely fast
} lim_followed;

// The segment as a path of all coordinates of s, from q, which it moves on. False: `how` says how far it came.
lim_code lim_follower_follow(lim_path *out, bool *arrived, lim_followed *how, lim_follower *x, double *q,
                             const lim_path_segment *segment, int piece, lim_error *err);

#endif

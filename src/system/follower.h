// follower.h - joints that carry a tool along a line or an arc: poses, rates and curvatures of the joints.
// Theory: docs/theory/programs.md (14)-(17).
#ifndef LIM_SYSTEM_FOLLOWER_H
#define LIM_SYSTEM_FOLLOWER_H

#include "motion/path.h"
#include "system/loop.h"

// A way of the tool: straight, or along a circle, while it turns evenly about one axis.
typedef struct {
  double p[3], R[9];       // where it begins
  double length;           // of the way [m]; of a turn on the spot: its angle [rad]
  double direction[3];     // straight: displacement per length
  bool round;              // an arc
  double c[3], u[3], v[3]; // its centre, radius towards the start and a quarter ahead [m]
  double radius;
  double axis[3], turn; // unit, angle per length
} lim_way;

// From one pose straight to another. R1 NULL: as R0.
lim_way lim_way_straight(const double p0[3], const double R0[9], const double p1[3], const double *R1);

// Through `via` to p1 along a circle. False where the three points lie on a line.
bool lim_way_round(lim_way *out, const double p0[3], const double R0[9], const double via[3],
                   const double p1[3], const double *R1);

// Where the tool should be at s along the way, and its derivatives by s.
lim_motion_in_world lim_way_at(const lim_way *w, double s);
bool lim_way_turns_only(const lim_way *w);

typedef struct {
  lim_arena arena;
  const lim_system *s; // rigid
  lim_site tool;
  bool turns;                // the orientation of the tool counts
  int m, *index;             // unknown joints: those that are commanded, and those that follow by loops
  int rows;                  // 6 of the tool, then those of loops
  lim_motion_in_world *body; // (nbody)
  lim_row_state *row;        // (rows)
  double *unit;              // (n), 0 between uses
  double *A, *B, *b;         // d rate / d speed and its copy (rows x m by columns); right side
  double *singular;          // (m)
  double *q0, *q1, *v;       // scratch (n)
  double size;               // of the arm [m]
  int rank;                  // of A when it was last solved
} lim_follower;

// commanded (nbody). The system must outlive it; end with lim_follower_end in any case.
lim_code lim_follower_begin(lim_follower *x, const lim_system *s, const bool *commanded, lim_error *err);
void lim_follower_end(lim_follower *x);

// The joints that carry the tool: those that are commanded and not held (nbody; NULL: none is).
void lim_follower_choose(lim_follower *x, const bool *commanded, const bool *held);

// The tool at q, with rates v and a (NULL: none).
lim_motion_in_world lim_follower_tool(lim_follower *x, const double *q, const double *v, const double *a);

// What is left to a pose: of the way, of the turn.
typedef struct {
  double distance, angle; // [m], [rad]
} lim_left;

// Bring the tool to a pose from the q that there is. q is as near as it gets.
lim_left lim_follower_pose(lim_follower *x, double *q, const double p[3], const double R[9]);

// How far along a way the joints came, from q, which ends there.
typedef struct {
  double done;   // [m] or [rad]
  lim_left left; // there
  bool singular; // joints would have to be infinitely fast
} lim_followed;

// The way as a path of all coordinates of s, from q, which it moves on. False: `how` says how far it came.
lim_code lim_follower_follow(lim_path *out, bool *arrived, lim_followed *how, lim_follower *x, double *q,
                             const lim_way *way, int piece, lim_error *err);

#endif

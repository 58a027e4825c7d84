// line.h - frames that follow straight lines: which joints move them, where those start, how they move.
// Theory: docs/theory/motion.md, "Lines of a frame".
#ifndef LIM_PATH_LINE_H
#define LIM_PATH_LINE_H

#include "arm/tree.h"
#include "motion/trajectory.h"

// Whether a drive wants to know where the joint shall be.
bool lim_drive_takes_command(const lim_drive *d);

// Of the model, into s, once its loops are closed: the joints that lines move (s->moved), and the configuration
// with every frame where its line is at t = 0 (s->start). Fails (LIM_BAD_INPUT at the motion) where a frame
// cannot get there.
lim_code lim_lines_start(lim_arm *s, lim_error *err);

// motion (nbody): trajectories of joints that have their own, else NULL; those of joints that lines move are
// put in, for the caller to free. horizon [s]: how far lines are followed beside motions that never end; NaN:
// as far as they last.
lim_code lim_lines_move(lim_trajectory **motion, lim_arm *s, double horizon, lim_error *err);

#endif

// spring.h - springs and bushings between two places of the arm, or a place and the world. Constant once built.
// Theory: docs/theory/springs.md.
#ifndef LIM_ARM_SPRING_H
#define LIM_ARM_SPRING_H

#include "arm/kinematics.h"
#include "motion/curve.h"
#include "motion/trajectory.h"

typedef struct {
  const char *name;
  lim_site site[2]; // of a bushing the second has its axes
  bool bushing;
  double stiffness[6], damping[6]; // a bushing's; a spring has the first of each
  double preload;                  // of a spring: tension without elongation [N]
  lim_curve *curve;                // of a spring: force over elongation instead of the stiffness; NULL: none
  lim_trajectory *length;          // of a spring without elongation; NULL: still
  double still;                    // length without elongation [m]
} lim_spring_element;

typedef struct {
  int count;
  lim_spring_element *spring; // springs, then bushings   (count)
} lim_spring_elements;

// Force of a spring, its slope and its energy by elongation, without the damper.
typedef struct {
  double force, stiffness, energy;
} lim_spring_pull;
lim_spring_pull lim_spring_law(const lim_spring_element *b, double elongation);

// How a bond stands: length and its rate (bushings: 0), tension of a spring, and the books.
typedef struct {
  double length, rate, force;
  double F[3], N[3]; // on the first place, world axes; on the second their opposites act at the first's point
  double energy;     // [J]
  double work, dissipated; // power [W]: of the change of its free length; of its dampers
} lim_spring_state;

// From the motions of its two places in the world, and the free length with its rate.
lim_spring_state lim_spring_evaluate(const lim_spring_element *b, const lim_world_motion *first,
                                     const lim_world_motion *second, const double length[2]);

// Lengths of springs without force, and their rates, at t: from there on, or before a jump. length (2 count)
void lim_springs_lengths(double *length, const lim_spring_elements *b, double t, bool before);

// Of the model. Memory from the arena but for trajectories and curves. directory: of the model file, for
// tables.
lim_code lim_springs_build(lim_spring_elements *out, lim_arena *arena, lim_arm *s,
                           const lim_trajectory_setup *setup, lim_error *err);
void lim_springs_free(lim_spring_elements *b);

#endif

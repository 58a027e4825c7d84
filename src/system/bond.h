// bond.h - springs and bushings between two places of the arm, or a place and the world. Constant once built.
// Theory: docs/theory/springs.md.
#ifndef LIM_SYSTEM_BOND_H
#define LIM_SYSTEM_BOND_H

#include "motion/course.h"
#include "motion/curve.h"
#include "system/kinematics.h"

typedef struct {
  const char *name;
  lim_site site[2]; // of a bushing the second has its axes
  bool bushing;
  double stiffness[6], damping[6]; // a bushing's; a spring has the first of each
  double preload;                  // of a spring: tension without elongation [N]
  lim_curve *curve;                // of a spring: force over elongation instead of the stiffness; NULL: none
  lim_course *length;              // of a spring without elongation; NULL: still
  double still;                    // length without elongation [m]
} lim_bond;

typedef struct {
  int count;
  lim_bond *bond; // springs, then bushings   (count)
} lim_bonds;

// Force of a spring, its slope and its energy by elongation, without the damper.
typedef struct {
  double force, stiffness, energy;
} lim_bond_pull;
lim_bond_pull lim_bond_law(const lim_bond *b, double elongation);

// How a bond stands: length and its rate (bushings: 0), tension of a spring, and the books.
typedef struct {
  double length, rate, force;
  double F[3], N[3]; // on the first place, world axes; on the second their opposites act at the first's point
  double energy;     // [J]
  double work, dissipated; // power [W]: of the change of its free length; of its dampers
} lim_bond_state;

// From the motions of its two places in the world, and the free length with its rate.
lim_bond_state lim_bond_look(const lim_bond *b, const lim_motion_in_world *first,
                             const lim_motion_in_world *second, const double length[2]);

// Lengths of springs without force, and their rates, at t: from there on, or before a jump. length (2 count)
void lim_bonds_lengths(double *length, const lim_bonds *b, double t, bool before);

// Of the model. Memory from the arena but for courses and curves. directory: of the model file, for tables.
lim_code lim_bonds_build(lim_bonds *out, lim_arena *arena, lim_system *s, const lim_course_setup *setup,
                         lim_error *err);
void lim_bonds_free(lim_bonds *b);

#endif

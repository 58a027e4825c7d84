// kinematics.h - where bodies and sites are and how they move, in world axes; and the energies of the arm.
// Theory: docs/theory/dynamics.md. A path of its own, beside the recursion, which works in body axes.
#ifndef LIM_SYSTEM_KINEMATICS_H
#define LIM_SYSTEM_KINEMATICS_H

#include "system/system.h"

// Motion of a frame in the world.
typedef struct {
  double R[9], p[3]; // axes by rows, origin [m]
  double v[3], w[3]; // velocity, angular velocity
  double a[3], alpha[3];
} lim_motion_in_world;

// Of every body. out (nbody). v and a (n) may be NULL: then only poses, or poses and velocities.
void lim_kinematics(lim_motion_in_world *out, const lim_system *s, const double *q, const double *v,
                    const double *a);

// Of a site on a body whose motion is known (body of the site; NULL: the world).
lim_motion_in_world lim_kinematics_site(const lim_system *s, const lim_site *site,
                                        const lim_motion_in_world *body, const double *q, const double *v,
                                        const double *a);

typedef struct {
  double kinetic, strain, gravity;
} lim_energies;

// Of the bodies alone, from their motion as of lim_kinematics.
lim_energies lim_energies_of(const lim_system *s, const lim_motion_in_world *body, const double *q,
                             const double *v);

#endif

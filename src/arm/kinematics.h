// kinematics.h - where bodies and sites are and how they move, in world axes; and energies and momentum of
// the arm.
// Theory: docs/theory/dynamics.md. A path of its own, beside the recursion, which works in body axes.
#ifndef LIM_ARM_KINEMATICS_H
#define LIM_ARM_KINEMATICS_H

#include "arm/tree.h"

// Motion of a frame in the world.
typedef struct {
  double R[9], p[3]; // axes by rows, origin [m]
  double v[3], w[3]; // velocity, angular velocity
  double a[3], alpha[3];
} lim_world_motion;

// Of every body. out (nbody). v and a (n) may be NULL: then only poses, or poses and velocities.
void lim_kinematics(lim_world_motion *out, const lim_arm *s, const double *q, const double *v, const double *a);

// Of a site on a body whose motion is known (body of the site; NULL: the world).
lim_world_motion lim_kinematics_site(const lim_arm *s, const lim_site *site, const lim_world_motion *body,
                                     const double *q, const double *v, const double *a);

// The same where the motions of all bodies are known (nbody).
static inline lim_world_motion lim_kinematics_at(const lim_arm *s, const lim_site *site,
                                                 const lim_world_motion *bodies, const double *q,
                                                 const double *v, const double *a) {
  return lim_kinematics_site(s, site, site->body < 0 ? NULL : &bodies[site->body], q, v, a);
}

// Displacement of a section in the axes of its body, with what bending shortens; of a beam that slides, against
// the straight beam of the same free length. q: coordinates of the body's deformation.
void lim_kinematics_displacement(double u[3], const lim_section_motion *section, const double *q);

typedef struct {
  double kinetic, strain, gravity;
} lim_energies;

// Of bodies and rotors, from the motion of the bodies as of lim_kinematics.
lim_energies lim_energies_of(const lim_arm *s, const lim_world_motion *body, const double *q, const double *v);

// World axes [kg m/s], [kg m^2/s].
typedef struct {
  double linear[3];
  double angular[3]; // about the world's origin
} lim_momentum;

// Of bodies and rotors, likewise.
lim_momentum lim_momentum_of(const lim_arm *s, const lim_world_motion *body, const double *q, const double *v);

#endif

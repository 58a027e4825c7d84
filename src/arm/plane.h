// plane.h - arms that never leave a plane. Theory: docs/theory/dynamics.md, "In the plane".
#ifndef LIM_ARM_PLANE_H
#define LIM_ARM_PLANE_H

#include "arm/loop.h"
#include "arm/spring.h"

// Whether the recursion may run in the x-y plane: a model that is planar there, every body in a floating frame
// whose z stays that of the world, and nothing that moves, deforms or closes it out of the plane.
bool lim_arm_in_plane(const lim_arm *s);

// Whether a spring or bushing of such an arm works within the plane.
bool lim_spring_in_plane(const lim_arm *s, const lim_spring_element *b);

#endif

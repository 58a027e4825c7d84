// posture.h - joints that options name: where they are, and which are held. Inside src/api only.
#ifndef LIM_API_POSTURE_H
#define LIM_API_POSTURE_H

#include "arm/tree.h"

// "a=1,b=20 deg" (NULL: nothing) into q, coordinates of the arm. told: of --joints, where joints that follow
// others in arms with loops cannot be told where to be; else of --near.
lim_code lim_posture_read(double *q, const lim_model *m, const lim_arm *s, const char *list, bool told,
                          lim_error *err);

// "a, b" (NULL: none) of --hold into held (links.count).
lim_code lim_posture_held(bool *held, const lim_model *m, const lim_arm *s, const char *list, lim_error *err);

// Of arms without loops: joints that the list leaves out follow those that it has by couplings, unless they are
// held.
lim_code lim_posture_couple(double *q, lim_arena *arena, const lim_model *m, const lim_arm *s, const bool *held,
                            const char *list, bool told, lim_error *err);

#endif

// assembly.h - an arm ready for work: its tree, with loops closed and lines at their start, and its damping.
#ifndef LIM_PATH_ASSEMBLY_H
#define LIM_PATH_ASSEMBLY_H

#include "arm/tree.h"

// Build. `rigid` leaves out every deformation, of links and of gears. The model must outlive the system.
lim_code lim_arm_new(lim_arm **out, const lim_model *model, bool rigid, lim_error *err);

#endif
